"""pyndeval, which is ndeval in double precision, on random collections with ties, empty intents and odd ids.

It looks at 20 ranks at most, and leaves topics out that are only in the run or only in the qrels.
"""

from __future__ import annotations

import math

import pyndeval
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_collections import IDS, TOPICS, Scores, scores

from cranfield import Qrels, parse_measure
from cranfield.collection import Policy
from cranfield.scoring import score
from data_sets import Tally
from effort import examples

ByIntent = dict[str, dict[str, dict[str, int]]]

POLICY = Policy(ties="docid", compat="ndeval", missing="skip")
CUTOFFS = (1, 2, 3, 5, 10, 20)
AT_CUTOFFS = ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec")
NAMES = [f"{name}@{cutoff}" for name in AT_CUTOFFS for cutoff in CUTOFFS] + ["NRBP", "nNRBP", "MAP-IA"]
PARAMETERS = {
    **dict.fromkeys(("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG"), ("alpha",)),
    **dict.fromkeys(("NRBP", "nNRBP"), ("alpha", "beta")),
}

judgments: st.SearchStrategy[ByIntent] = st.dictionaries(
    st.sampled_from(TOPICS),
    st.dictionaries(
        st.sampled_from(("1", "2", "3", "10", "a")),
        st.dictionaries(st.sampled_from(IDS), st.sampled_from((-1, 0, 1, 1, 2)), min_size=1, max_size=10),
        min_size=1,
        max_size=5,
    ),
    min_size=1,
    max_size=3,
)
shares = st.sampled_from((0.1, 0.3, 0.5, 0.75, 0.9))


@st.composite
def runs(draw: st.DrawFn, qrels: ByIntent) -> Scores:
    topics = draw(st.sets(st.sampled_from(TOPICS), max_size=2)) | {draw(st.sampled_from(sorted(qrels)))}
    return {
        topic: draw(st.dictionaries(st.sampled_from(IDS), scores, min_size=1, max_size=30)) for topic in sorted(topics)
    }


def ours_of(name: str, alpha: float, beta: float) -> str:
    plain, at, cutoff = name.partition("@")
    values = {"alpha": alpha, "beta": beta}
    given = ",".join(f"{word}={values[word]}" for word in PARAMETERS.get(plain, ()))
    return str(parse_measure(plain + (f"({given})" if given else "") + at + cutoff))


@pytest.mark.slow
@examples(75)
@given(data=st.data(), qrels=judgments, alpha=shares, beta=shares)
def test_every_measure_agrees(data: st.DataObject, qrels: ByIntent, alpha: float, beta: float) -> None:
    run = data.draw(runs(qrels))
    rows = [(t, i, d, label) for t, row in qrels.items() for i, pool in row.items() for d, label in pool.items()]
    # Intents in the order of their numbers, in which ndeval adds up what a document gains.
    rows.sort(key=lambda row: ("1", "2", "3", "10", "a").index(row[1]))
    evaluator = pyndeval.RelevanceEvaluator(rows, measures=NAMES, alpha=alpha, beta=beta)
    theirs = evaluator.evaluate([(t, d, value) for t, ranked in run.items() for d, value in ranked.items()])
    table = score(run, Qrels.from_dict(qrels), [ours_of(name, alpha, beta) for name in NAMES], **POLICY.as_dict())
    assert theirs.keys() == run.keys() & qrels.keys()
    tally = Tally(1e-12)
    for row, name in enumerate(NAMES):
        own = dict(zip(table.topics, table.values[row, :, 0].tolist(), strict=True))
        for topic, values in theirs.items():
            if math.isnan(values[name]):
                assert name == "nNRBP"
                assert math.isnan(own[topic])
            else:
                tally.add((name, topic), own[topic], values[name])
    tally.check((len(NAMES) - 1) * len(theirs))

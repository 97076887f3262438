"""``Scorer``: the numbers of ``evaluate``, to the bit, from whole runs and from parts of them."""

from __future__ import annotations

import math
import pickle
import random
from typing import Any

import numpy as np
import pytest

import cranfield
from cranfield import CranfieldWarning, InputError, Scorer, UsageError, evaluate_means
from cranfield.engine import Engine
from cranfield.measures import registry

draw = random.Random(16)
QRELS = {f"q{t}": {f"d{d}": draw.choice([0, 0, 1, 2]) for d in draw.sample(range(30), 8)} for t in range(12)}
RUN = {f"q{t}": {f"d{d}": round(draw.random(), 1) for d in draw.sample(range(30), 15)} for t in range(11)}
PLAIN = [name for name, declaration in registry.items() if not declaration.needs_intents and not declaration.required]
POLICIES: list[dict[str, Any]] = [
    {},
    {"missing": "skip"},
    {"ties": "docid", "unjudged": "condense"},
    {"undefined": "keep"},
    {"compat": "trec_eval9", "ties": "trec9"},
]


def same(one: dict[str, float], other: dict[str, float]) -> bool:
    return list(one) == list(other) and np.array_equal(list(one.values()), list(other.values()), equal_nan=True)


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("words", POLICIES)
def test_every_measure_is_that_of_evaluate(each_engine: Engine, words: dict[str, Any]) -> None:
    scorer = Scorer(QRELS, PLAIN, **words)
    expected = evaluate_means(RUN, QRELS, PLAIN, **words)["run"]
    assert same(scorer(RUN), expected)
    assert same(scorer(cranfield.Run.from_dict(RUN)), expected)
    table = cranfield.evaluate(RUN, QRELS, PLAIN, **words)
    by_topic = scorer.by_topic(RUN)
    for name in scorer.measures:
        assert np.array_equal([row[name] for row in by_topic.values()], table[name].values[:, 0], equal_nan=True), name


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("words", POLICIES)
def test_parts_come_to_the_whole_in_any_order(words: dict[str, Any]) -> None:
    scorer = pickle.loads(pickle.dumps(Scorer(QRELS, PLAIN, **words)))
    topics = list(RUN)
    parts = [scorer.score({topic: RUN[topic] for topic in topics[at : at + 3]}) for at in range(0, len(topics), 3)]
    forth = parts[0] | parts[1] | parts[2] | parts[3]
    back = parts[3] | (pickle.loads(pickle.dumps(parts[2])) | (parts[1] | parts[0]))
    assert forth == back
    found = scorer.result(forth)
    assert same(found.means, scorer(RUN))
    assert (found.topics, found.missing) == (11, 1)
    scores = np.array([row["AP"] for row in scorer.by_topic(RUN).values()])
    scores = scores[~np.isnan(scores)]
    assert found.counts["AP"] == len(scores)
    assert found.variances["AP"] == pytest.approx(scores.var(ddof=1), rel=1e-12)
    assert found.standard_errors["AP"] == pytest.approx(scores.std(ddof=1) / math.sqrt(len(scores)), rel=1e-12)


def test_what_does_not_fit_together_is_refused() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    scorer = Scorer(qrels, "AP")
    one, two = scorer.score({"q1": {"a": 1.0}}), scorer.score({"q2": {"b": 1.0}})
    with pytest.raises(InputError, match="topic 'q1' is in two parts; give each topic whole"):
        one | two | one
    with pytest.raises(InputError, match="different judgments, measures or policies"):
        one | Scorer(qrels, "RR").score({"q2": {"a": 1.0}})
    with pytest.raises(InputError, match="other judgments, measures or policies"):
        Scorer(qrels, "AP", ties="docid").result(one | two)
    with pytest.warns(CranfieldWarning, match="judged topic q2 missing"):
        assert scorer.result(one).means == {"AP": 0.5}
    with pytest.raises(InputError, match="1 of 2 judged topics are missing \\(missing=error\\): topic q2"):
        Scorer(qrels, "AP", missing="error").result(Scorer(qrels, "AP", missing="error").score({"q1": {"a": 1.0}}))
    nothing = scorer.score({"q9": {"a": 1.0}})
    assert not nothing.topics
    assert nothing | one == one
    with pytest.raises(InputError, match="share no topic"):
        scorer.result(nothing)
    with pytest.raises(UsageError, match="a Scorer scores one run at a time, not 2"):
        scorer({"x": {"q1": {"a": 1.0}}, "y": {"q1": {"a": 1.0}}})


def test_a_scorer_warns_as_evaluate_does() -> None:
    scorer = Scorer({"q1": {"a": 1}, "q2": {"a": 0}}, "AP")
    for _ in range(2):
        with pytest.warns(CranfieldWarning, match="q2"):
            scorer({"q1": {"a": 1.0}})

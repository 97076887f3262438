"""What a page reads of runs: equal scores, held against its own measures, and the first documents of lists."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
import effort
from cranfield import Run
from cranfield.checking.tied_scores import TIE_POLICIES
from cranfield.collection import Policy
from cranfield.io.inputs import NamedRun
from cranfield.reporting import RunsRequest
from cranfield.reporting.inputs import DEPTH, RunReader, _select_largest, select_top_documents
from cranfield.scoring import read_measures
from cranfield.topic_difficulty.list_divergence import top_lists

FIRST = "(trec 0.0000, trec9 0.0000, docid 1.0000, file 1.0000)"
SECOND = "(trec 0.6309, trec9 0.6309, docid 1.0000, file 1.0000)"


@pytest.fixture
def question(tmp_path: Path) -> RunsRequest:
    """A run in which a document of label 1 and one of label 2 have equal scores, in one of two intents each."""
    (tmp_path / "qrels.txt").write_text("q 1 a 2\nq 2 b 1\nq 1 c 0\n")
    (tmp_path / "tied.run").write_text("q Q0 a 1 2 x\nq Q0 b 2 2 x\nq Q0 c 3 1 x\n")
    return RunsRequest(str(tmp_path / "qrels.txt"), [str(tmp_path / "tied.run")])


def said(question: RunsRequest, *measures: str, rel: float | None = None) -> tuple[str, str]:
    """The code of the finding on equal scores, and what they do."""
    reader = RunReader.open(question, read_measures(measures, rel), keep_runs=False)
    (path,) = question.runs  # type: ignore[misc]
    reader(NamedRun("tied", path))
    found = reader.list_findings(["tied"])
    assert found is not None
    (one,) = (one for one in found.findings if "ties" in one.code)
    return one.code, one.text.partition("; ")[2]


@pytest.mark.parametrize(
    ("measures", "rel", "effect"),
    [
        (("AP", "P@1"), 2, "differ by 0.5000 on AP(rel=2) (trec 0.5000, trec9 0.5000, docid 1.0000, file 1.0000)"),
        (("R@5", "P@1"), 2, f"differ by 1.0000 on P(rel=2)@1 {FIRST}"),
        (("AP", "P(rel=2)@1"), None, f"differ by 1.0000 on P(rel=2)@1 {FIRST}"),
        (("P@1", "alpha-nDCG@20"), 2, f"differ by 1.0000 on P(rel=2)@1 {FIRST}"),  # of several intents it says nothing
        (("alpha-nDCG@20", "P@1"), 2, f"differ by 0.3691 on alpha-nDCG(rel=2)@20 {SECOND}"),
        (("alpha-nDCG@20",), 2, f"differ by 0.3691 on alpha-nDCG(rel=2)@20 {SECOND}"),
        (("alpha-nDCG@20",), None, "agree on alpha-nDCG@20 to four digits"),
        (("AP", "P@1"), None, "agree on AP and P@1 to four digits"),
        ([f"P@{cutoff}" for cutoff in range(2, 11)], 2, "agree on all 9 measures to four digits"),
    ],
)
def test_they_are_held_against_the_measures_of_the_page(
    question: RunsRequest, measures: list[str], rel: float | None, effect: str
) -> None:
    code = "ties" if effect.startswith("differ") else "harmless-ties"
    assert said(question, *measures, rel=rel) == (code, f"the tie policies {effect}")


@pytest.mark.parametrize(("measures", "is_noticed"), [(("R@5", "P@1"), False), (("P@1", "R@5"), True)])
def test_the_first_lines_count_what_moves_the_measure_that_ranks(
    question: RunsRequest, measures: tuple[str, ...], is_noticed: bool
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of one run and one topic
        page = cranfield.report(question.runs, question.qrels, measures, rel=2).html
    assert ("tied scores in 1 run" in page) == is_noticed
    assert "differ by 1.0000 on P(rel=2)@1" in page, "the checks say it in both"


@pytest.mark.parametrize(
    "measure", ["RIC(signed=True)", "NDCG_min", "DCG(gains={1:0.5,2:20,3:16})", "NumPrefs", "GMAP(rel=2)"]
)
def test_numbers_are_those_of_the_leaderboard(tmp_path: Path, measure: str) -> None:
    """Also where a topic is left out, as all its labels are equal, and of numbers below zero and above nine."""
    (tmp_path / "qrels.txt").write_text("1 0 a 2\n1 0 b 1\n1 0 c -1\n2 0 a 1\n2 0 b 1\n3 0 a -1\n3 0 b 3\n")
    lines = "1 Q0 a 1 2 x\n1 Q0 b 2 2 x\n1 Q0 c 3 2 x\n2 Q0 a 1 2 x\n2 Q0 b 2 2 x\n3 Q0 a 1 3 x\n3 Q0 b 2 2 x\n"
    (tmp_path / "tied.run").write_text(lines)
    question = RunsRequest(str(tmp_path / "qrels.txt"), [str(tmp_path / "tied.run")])
    _, effect = said(question, measure)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asked = (cranfield.evaluate(question.runs, question.qrels, measure, ties=ties) for ties in TIE_POLICIES)
        boards = [f"{cranfield.summarize(scores).to_numpy().item():.4f}" for scores in asked]
    apart = f"{max(map(float, boards)) - min(map(float, boards)):.4f}"
    of_each = ", ".join(f"{ties} {printed}" for ties, printed in zip(TIE_POLICIES, boards, strict=True))
    assert effect == f"the tie policies differ by {apart} on {read_measures(measure)[0]} ({of_each})"


# ---- the first documents


@pytest.mark.parametrize("ties", ["trec", "trec9", "docid", "file"])
@given(data=st.data())
@effort.examples(15)
def test_they_are_those_of_the_whole_order(ties: str, data: st.DataObject) -> None:
    scores = st.lists(st.sampled_from([0.0, 1.0, 1.0 + 1e-9, 2.0, -1.0, 3e38]), min_size=1, max_size=40)
    found = {topic: data.draw(scores) for topic in ("7", "8", "9")}
    if data.draw(st.booleans(), "in order"):
        found = {topic: sorted(row, reverse=True) for topic, row in found.items()}
    run = Run.from_dict({topic: {f"d{at}": one for at, one in enumerate(row)} for topic, row in found.items()})
    whole = top_lists(run, DEPTH, Policy(ties=ties))  # type: ignore[arg-type]
    expected = {topic: tuple(top.documents) for topic, top in whole.items()}
    assert select_top_documents(run, Policy(ties=ties)) == expected  # type: ignore[arg-type]


def test_ranks_decide_where_they_are_asked_to() -> None:
    scores = np.arange(30, dtype=float)
    run = Run.from_dict({"1": {f"d{at}": one for at, one in enumerate(scores)}})
    ranked = Run(run.name, run.topics, run.starts, run.documents, run.score.copy(), np.arange(1, 31))
    assert select_top_documents(ranked, Policy(ties="rank"))["1"] == tuple(f"d{at}".encode() for at in range(DEPTH))


LIST_SCORES = st.lists(
    st.sampled_from([-1e300, -2.0, 0.0, -0.0, 1.0, 1.0 + 1e-12, 1.0 + 1e-6, 3.0, 1e39, 1e300]), max_size=25
)
"""Some differ in double precision alone, and some are infinite in single precision."""


@given(st.lists(LIST_SCORES, max_size=4))
def test_the_largest_scores_are_those_of_each_list_with_all_ties_of_the_last(lists: list[list[float]]) -> None:
    starts = np.cumsum([0, *map(len, lists)])
    expected = []
    for begin, scores in zip(starts.tolist(), lists, strict=False):
        with np.errstate(over="ignore"):
            rounded = np.array(scores).astype(np.float32).tolist()
        larger = [sum(other > score for other in rounded) for score in rounded]
        expected += [begin + row for row, count in enumerate(larger) if count < DEPTH]
    rows = _select_largest(starts, np.array([score for scores in lists for score in scores]))
    assert rows.dtype == np.int64
    assert rows.tolist() == expected


def test_a_list_of_equal_scores_is_selected_as_a_whole() -> None:
    assert _select_largest(np.array([0, 0, 30, 31]), np.ones(31)).tolist() == list(range(31))

"""Runs and qrels exchanged in a call: refused where it can be seen, and nothing that is right is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield
from cranfield import Qrels, Run, UsageError
from cranfield.errors import TopicError

ORDER = "On the command line the qrels come first (QRELS RUN...), in Python the runs"
QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"b": 1}}
RUNS = {
    "mine": {"q1": {"b": 3.2, "a": 2.9, "x": 1.0}, "q2": {"b": 7.0}},
    "theirs": {"q1": {"a": 1.0}, "q2": {"c": 1.0}},
}
PYTREC_EVAL = (
    {"q1": {"d1": 1.0, "d2": 0.0, "d3": 1.5}, "q2": {"d1": 1.5, "d2": 0.2, "d3": 0.5}},
    {"q1": {"d1": 0, "d2": 1, "d3": 0}, "q2": {"d2": 1, "d3": 1}},
)
RANX = (
    {"q_1": {"d_12": 0.9, "d_23": 0.8, "d_25": 0.7}, "q_2": {"d_12": 0.9, "d_11": 0.8, "d_25": 0.7}},
    {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6, "d_22": 1}},
)
FUNCTIONS: list[Callable[..., Any]] = [
    cranfield.evaluate,
    cranfield.evaluation.make_rankings,
    cranfield.estimate_headroom,
    cranfield.comparison.map_diversity,
    cranfield.information.prepare_experiment,
    cranfield.information.compute_joint_ric,
    cranfield.estimate_difficulty,
    cranfield.topic_difficulty.estimate_difficulty_otherwise,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_example_of_the_readme_exchanged_is_refused(function: Callable[..., Any]) -> None:
    assert cranfield.evaluate(RUNS, QRELS, "AP")["AP"].mean("topic").values.tolist() == [1.0, 0.25]
    for runs in (RUNS, RUNS["mine"]):
        with pytest.raises(UsageError, match=re.escape(f"are runs and qrels exchanged? {ORDER}")) as refused:
            function(QRELS, runs)
        assert str(refused.value).startswith("labels such as 3.2 are not whole numbers, and all scores are")


@pytest.mark.parametrize(
    ("runs", "qrels"),
    [PYTREC_EVAL, ({"q": {"a": 9.5, "b": 8.25, "c": 7.75}}, {"q": {"a": 3, "b": 1}})],
    ids=["pytrec_eval", "scores above 1"],
)
def test_examples_exchanged_are_refused(runs: Any, qrels: Any) -> None:
    cranfield.evaluate(runs, qrels, "AP")
    with pytest.raises(UsageError, match="exchanged"):
        cranfield.evaluate(qrels, runs, "AP")
    with pytest.raises(UsageError, match="exchanged"):
        cranfield.evaluate([qrels], {"one": runs, "other": runs}, "AP")


def test_objects_are_taken_at_their_word() -> None:
    found = cranfield.evaluate(Run.from_dict(QRELS), RUNS["mine"], "AP")
    assert found["AP"].mean().item() == pytest.approx(5 / 6), "two of three relevant documents first, and one of one"
    assert cranfield.evaluate(QRELS, Qrels.from_dict(RUNS["mine"]), "AP").equals(found)


FRAMES = {
    "qrels": pd.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "relevance": [1]}),
    "run": pd.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "score": [1.0]}),
}
SHAPES: dict[str, tuple[Any, Any, str]] = {
    "Qrels as a run": (Qrels.from_dict(QRELS), QRELS, "Qrels are given as a run"),
    "Qrels among runs": ([RUNS["mine"], Qrels.from_dict(QRELS)], QRELS, "Qrels are given as a run"),
    "Qrels as a named run": ({"x": Qrels.from_dict(QRELS)}, QRELS, "Qrels are given as a run"),
    "a Run as qrels": (RUNS, Run.from_dict(RUNS["mine"]), "a Run is given as qrels"),
    "named Runs as qrels": (QRELS, {"mine": Run.from_dict(RUNS["mine"])}, "several runs are given as qrels"),
    "named frames as qrels": (QRELS, {"mine": FRAMES["run"]}, "several runs are given as qrels"),
    "listed Runs as qrels": (QRELS, [Run.from_dict(RUNS["mine"])], "a list is not qrels"),
    "listed dicts as qrels": (QRELS, (RUNS["theirs"],), "a tuple is not qrels"),
    "a frame of labels as a run": (FRAMES["qrels"], FRAMES["qrels"], "a frame with labels and no scores"),
    "a frame of scores as qrels": (FRAMES["run"], FRAMES["run"], "a frame without labels is given as qrels"),
}


@pytest.mark.parametrize("case", SHAPES)
def test_shapes_that_say_what_they_are(case: str) -> None:
    runs, qrels, message = SHAPES[case]
    with pytest.raises(UsageError, match=re.escape(ORDER)) as refused:
        cranfield.evaluate(runs, qrels, "AP")
    assert str(refused.value).startswith(message)


def test_topics_that_are_names_or_intents_say_it_too() -> None:
    whole = {"mine": {"q1": {"a": 2, "b": 1}}}
    with pytest.raises(
        TopicError, match=re.escape("share no topic; the run has 'q1', the qrels have 'mine'")
    ) as refused:
        cranfield.evaluate({"q1": {"a": 1}}, whole, "AP")
    assert str(refused.value).endswith(ORDER)
    with pytest.raises(TopicError) as elsewhere:
        cranfield.evaluate({"q1": {"a": 1}}, {"q2": {"a": 1}}, "AP")
    assert ORDER not in str(elsewhere.value), "other topics are no sign of it"


def test_a_frame_with_both_columns_is_either() -> None:
    both = FRAMES["qrels"].assign(score=1.0)
    assert cranfield.evaluate(both, both, "AP")["AP"].item() == 1.0


ACCEPTED: dict[str, tuple[Any, Any]] = {
    "whole labels, real scores": (RUNS, QRELS),
    "whole labels, whole scores": (QRELS, QRELS),
    "real labels, real scores": (RUNS["mine"], RUNS["mine"]),
    "real labels, scores that count down from 1000": (
        {"q": {f"d{i}": 1000 - i for i in range(20)}},
        {"q": {f"d{i}": i / 20 for i in range(20)}},
    ),
    "half labels, small whole scores": ({"q": {"a": 2, "b": 1, "c": 0}}, {"q": {"a": 0.5, "b": 1, "c": 0}}),
    "labels of thirds that repeat": (
        {"q": {"a": 3, "b": 2, "c": 1, "d": 0}},
        {"q": {"a": 1 / 3, "b": 2 / 3, "c": 1 / 3, "d": 0}},
    ),
    "by intent": ({"q": {"a": 2, "b": 1}}, {"q": {"1": {"a": 1, "b": 0.5}, "2": {"a": 0.5, "b": 1}}}),
    "probabilities as labels, small whole scores": (RANX[1], RANX[0]),
    "scores that are ranks below zero": (
        {"q": {"a": -1, "b": -2, "c": -3}, "r": {"a": -1}},
        {"q": {"a": 2.5, "b": 0.5, "c": -0.5}},
    ),
    "scores that count down to zero": (
        {"q": {"a": 2, "b": 1, "c": 0}, "r": {"a": 0}},
        {"q": {"a": 2.5, "b": 0.5, "c": 1.5}, "r": {"a": 1}},
    ),
    "one document": ({"q": {"a": 0}}, {"q": {"a": 0.5}}),
    "whole scores larger than labels are": (
        {"q": {"a": 11, "b": 7, "c": 0}},
        {"q": {"a": 2.5, "b": 0.5, "c": 1.5}},
    ),
}


@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
@pytest.mark.parametrize("case", ACCEPTED)
def test_what_is_right_is_accepted(case: str) -> None:
    runs, qrels = ACCEPTED[case]
    cranfield.evaluate(runs, qrels, "nDCG")


def refuse_exchanged(runs: Any, qrels: Any) -> None:
    """Evaluate; what is refused for another reason, such as no shared topic, is not looked at here."""
    try:
        cranfield.evaluate(runs, qrels, "P@5")
    except UsageError as error:
        if "exchanged" in str(error):
            raise
    except (cranfield.InputError, cranfield.CranfieldWarning):
        pass


DOCUMENTS = st.sampled_from("abcdefgh")
WHOLE = st.integers(-2, 4)
REAL = st.floats(-1e3, 1e3).filter(lambda score: score != int(score))
ABOVE_1 = st.floats(1.0, 1e3).filter(lambda score: score != int(score))
SCALES = {"whole": WHOLE, "halves": WHOLE.map(lambda label: label / 2), "real": REAL}


def lists(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """topic -> document -> number, each topic with one document at least."""
    return st.dictionaries(
        st.sampled_from(["q1", "q2", "q3"]), st.dictionaries(DOCUMENTS, values, min_size=1), min_size=1
    )


@pytest.mark.slow
@given(runs=lists(REAL), scale=st.sampled_from(sorted(SCALES)), data=st.data())
def test_real_scores_go_with_any_labels(runs: Any, scale: str, data: st.DataObject) -> None:
    refuse_exchanged(runs, data.draw(lists(SCALES[scale])))


@given(
    runs=lists(WHOLE),
    qrels=st.one_of(lists(REAL), lists(SCALES["halves"])),
    kind=st.sampled_from(["down to 1", "to 0", "below 0", "from 10"]),
)
def test_scores_from_ranks_go_with_any_labels(runs: Any, qrels: Any, kind: str) -> None:
    count = {"down to 1": lambda rank, size: size - rank, "to 0": lambda rank, size: size - rank - 1}
    count |= {"below 0": lambda rank, size: -1 - rank, "from 10": lambda rank, size: 10 - rank}
    counted = {t: {d: count[kind](rank, len(row)) for rank, d in enumerate(row)} for t, row in runs.items()}
    refuse_exchanged(counted, qrels)


@given(runs=lists(st.one_of(WHOLE, REAL, st.integers(-1000, 1000))), qrels=lists(WHOLE))
def test_any_scores_go_with_whole_labels(runs: Any, qrels: Any) -> None:
    refuse_exchanged(runs, qrels)
    refuse_exchanged({"x": runs, "y": runs}, qrels)


@given(
    qrels=lists(WHOLE),
    runs=st.fixed_dictionaries({"q1": st.dictionaries(DOCUMENTS, ABOVE_1, min_size=3)}),
)
def test_real_scores_in_the_place_of_whole_labels_are_refused(qrels: Any, runs: Any) -> None:
    assume(len(set(runs["q1"].values())) == len(runs["q1"]))
    alike = qrels | {"q1": {"a": 1, "b": 1}}
    with pytest.raises(UsageError, match="exchanged"):
        refuse_exchanged(alike, runs)


@pytest.mark.parametrize("odd", [None, "2", float("nan"), [1], {}])
def test_what_is_no_collection_is_refused_by_those_who_read_it(odd: Any) -> None:
    refuse_exchanged(QRELS, {"q1": {"a": odd, "b": 1.5}})
    refuse_exchanged({"q1": {"a": odd}}, RUNS["mine"])
    refuse_exchanged(QRELS, {"q1": odd})


def test_files_are_told_apart_by_their_fields(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 2\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2.5 x\n")
    with pytest.raises(cranfield.errors.FormatError, match=re.escape(ORDER)):
        cranfield.evaluate(str(tmp_path / "qrels"), str(tmp_path / "run"), "AP")

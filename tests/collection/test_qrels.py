"""Judgments from dicts and frames, and back."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import CranfieldError, CranfieldWarning, InputError, Qrels

POOLS: dict[str, dict[str, float]] = {"2": {"b": 1, "a": 0.5}, "1": {"ü": -2}}
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=4)
LABELS = st.integers(-2, 4) | st.sampled_from([0.5, 1e300, -0.0])
QRELS = st.dictionaries(TEXT, st.dictionaries(TEXT, LABELS, min_size=1, max_size=5), min_size=1, max_size=4)


def test_topics_keep_their_order_and_documents_are_sorted_by_id() -> None:
    qrels = Qrels.from_dict(POOLS)
    assert qrels.topics == ("2", "1")
    assert qrels.starts.tolist() == [0, 2, 3]
    assert qrels.documents.tolist() == ["a", "b", "ü"]
    assert qrels.grade.tolist() == [0.5, 1.0, -2.0]
    assert qrels.iterations == ("0",)
    assert repr(qrels) == "Qrels(2 topics, 3 judged documents, labels -2 to 1)"


def test_ids_are_sorted_by_their_bytes() -> None:
    pool = dict.fromkeys(["10", "9", "a", "B", "é", "z", "\U0001f600", "\uffff"], 1)
    assert Qrels.from_dict({"1": pool}).documents.tolist() == sorted(pool, key=str.encode)


@given(QRELS)
def test_dicts_come_back(pools: dict[str, dict[str, float]]) -> None:
    qrels = Qrels.from_dict(pools)
    assert qrels.to_dict() == pools
    assert list(qrels.to_dict()) == list(pools)
    assert Qrels.from_dict(qrels.to_dict()) == qrels


@given(QRELS)
def test_frames_come_back(pools: dict[str, dict[str, float]]) -> None:
    qrels = Qrels.from_dict(pools)
    frame = qrels.to_frame()
    assert list(frame.columns) == ["query_id", "iteration", "doc_id", "relevance"]
    assert Qrels.from_frame(frame) == qrels
    assert Qrels.from_frame(pl.DataFrame(frame.to_dict("list"))) == qrels


@pytest.mark.parametrize("label", ["relevance", "label", "rel"])
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_columns_have_the_names_of_other_tools(label: str, make: Any) -> None:
    frame = make({label: [1, 2], "topic": [301, 301], "doc": [5, 6]})
    assert Qrels.from_frame(frame).to_dict() == {"301": {"5": 1.0, "6": 2.0}}


def test_a_lazy_frame_is_collected() -> None:
    lazy = pl.LazyFrame({"qid": ["1"], "docno": ["a"], "label": [1]})
    assert Qrels.from_frame(lazy).to_dict() == {"1": {"a": 1.0}}
    assert cranfield.evaluate({"1": {"a": 1.0}}, lazy, "AP")["AP"].item() == 1


def test_arrow_tables() -> None:
    import pyarrow as arrow

    table = arrow.table({"qid": [301], "docno": ["a"], "label": [2]})
    assert Qrels.from_frame(table).to_dict() == {"301": {"a": 2.0}}


# ---- field 2

INTENTS = {"qid": ["1"] * 4, "docno": ["a", "a", "b", "a"], "label": [1, 3, 0, 2], "intent": ["x", "y", "x", "z"]}


def test_of_several_intents_the_largest_label_counts() -> None:
    with pytest.warns(
        CranfieldWarning,
        match="document 'a' of topic '1' is judged under several values of field 2, with different labels",
    ):
        qrels = Qrels.from_frame(pd.DataFrame(INTENTS))
    assert qrels.to_dict() == {"1": {"a": 3.0, "b": 0.0}}
    assert qrels.iterations == ("x", "y", "z")
    topics, intents, documents, labels = qrels.rows()
    assert list(zip(topics, intents, documents, labels.tolist(), strict=True)) == [
        ("1", "x", "a", 1.0),
        ("1", "y", "a", 3.0),
        ("1", "z", "a", 2.0),
        ("1", "x", "b", 0.0),
    ]


def test_intents_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text("1 x a 1\n1 y a 3\n1 x b 0\n1 z a 2\n")
    with pytest.warns(CranfieldWarning) as noticed:
        qrels = cranfield.read_qrels(path)
    assert [str(warning.message) for warning in noticed] == [
        f"{path}: document 'a' of topic '1' is judged under several values of field 2, with different labels; "
        "measures without intents use the largest label of a document"
    ]
    assert qrels.to_dict() == {"1": {"a": 3.0, "b": 0.0}}
    assert qrels.to_frame()["iteration"].tolist() == ["x", "y", "z", "x"]


@pytest.mark.usefixtures("each_engine")
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("1 4.5 a 1\n1 5 a 1\n1 5 b 0\n", "document 'a' of topic '1' is judged {}, with equal labels"),
        (
            "1 5 b 0\n1 4 b 0\n1 4 a 1\n1 5 a 1\n",
            "2 documents (first 'a' of topic '1') are judged {}, with equal labels",
        ),
        (
            "1 4 a 1\n1 5 a 2\n1 4 b 0\n1 5 b 1\n",
            "2 documents (first 'a' of topic '1') are judged {}, with different labels",
        ),
        (
            "2 4 a 1\n2 5 a 1\n1 4 a 1\n1 5 a 2\n1 4 c 1\n1 5 c 1\n",
            "3 documents (first 'a' of topic '2') are judged {}, with different labels for 1",
        ),
        ("1 4 a 1\n1 4 a 1\n", None),
        ("1 4 a 1\n2 5 a 1\n", None),
    ],
)
def test_documents_judged_in_several_rounds_are_told(tmp_path: Path, lines: str, said: str | None) -> None:
    path = tmp_path / "qrels.txt"
    path.write_text(lines)
    with warnings.catch_warnings(record=True) as noticed:
        warnings.simplefilter("always")
        cranfield.read_qrels(path)
    told = [str(warning.message) for warning in noticed if "field 2" in str(warning.message)]
    where = "under several values of field 2"
    wanted = f"{path}: {{}}; measures without intents use the largest label of a document"
    assert told == ([] if said is None else [wanted.format(said.format(where))])


def test_intents_in_memory_are_told_only_to_measures_that_read_one_label() -> None:
    nested = {"1": {"x": {"a": 1}, "y": {"a": 1}}}
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "label": [1, 1], "intent": ["x", "y"]})
    run = {"1": {"a": 1.0}}
    for qrels in (nested, frame):
        assert cranfield.evaluate(run, qrels, "I-rec@5")["I-rec@5"].item() == 1.0
        with pytest.warns(CranfieldWarning, match="judged under several values of field 2, with equal labels"):
            cranfield.evaluate(run, qrels, ["I-rec@5", "RR"])


def test_an_intent_twice_with_two_labels_is_refused() -> None:
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "label": [1, 2]})
    with pytest.raises(InputError) as refused:
        Qrels.from_frame(frame, name="judged")
    assert str(refused.value) == ("judged, row 2: document a of topic 1 has another label in row 1; keep one of them")


def test_an_equal_judgment_twice_is_ignored_with_a_warning() -> None:
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "label": [1, 1]})
    with pytest.warns(CranfieldWarning, match="is judged again with the same label"):
        qrels = Qrels.from_frame(frame)
    assert qrels.to_dict() == {"1": {"a": 1.0}}
    assert len(qrels.rows()[0]) == 1


# ---- equality


def test_equal_judgments() -> None:
    qrels = Qrels.from_dict(POOLS)
    assert qrels == Qrels.from_dict({"2": {"a": 0.5, "b": 1.0}, "1": {"ü": -2.0}}, name="other")
    assert qrels != Qrels.from_dict({"1": POOLS["1"], "2": POOLS["2"]}), "the order of topics is content"
    assert qrels != Qrels.from_dict({"2": {"b": 1, "a": 0}, "1": {"ü": -2}})
    assert qrels != POOLS
    assert len(qrels.digest) == 64


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param({"intent": ["x"]}, {"intent": ["y"]}, id="field 2"),
        pytest.param({"label": [0.0]}, {"label": [-0.0]}, id="sign of zero"),
        pytest.param({}, {}, id="nothing"),
    ],
)
def test_equal_judgments_have_equal_hashes(one: dict[str, list[Any]], other: dict[str, list[Any]]) -> None:
    usual = {"qid": ["1"], "docno": ["a"], "label": [1.0], "intent": ["0"]}
    a, b = (Qrels.from_frame(pd.DataFrame(usual | changed)) for changed in (one, other))
    if a == b:
        assert hash(a) == hash(b)
    assert (a == b) == (a.digest == b.digest)


def test_rows_in_another_order_are_the_same_judgments() -> None:
    a = Qrels.from_dict({"1": {"a": 1, "b": 2}})
    b = Qrels.from_dict({"1": {"b": 2, "a": 1}})
    assert (a, a.digest) == (b, b.digest)


# ---- immutability


def test_arrays_of_judgments_cannot_be_written() -> None:
    qrels = Qrels.from_dict(POOLS)
    for array in (qrels.starts, qrels.grade, *qrels.judgments, qrels.documents.data, qrels.documents.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_attributes_of_judgments_cannot_be_set() -> None:
    qrels = Qrels.from_dict(POOLS)
    for attribute in ("name", "topics", "starts", "documents", "grade", "judgments", "iterations", "path"):
        with pytest.raises(AttributeError):
            setattr(qrels, attribute, getattr(qrels, attribute))


def test_a_frame_of_judgments_is_the_users_own() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1}})
    frame = qrels.to_frame()
    frame.loc[0, "relevance"] = 3.0
    assert qrels.to_dict() == {"1": {"a": 1.0}}


def test_the_pool_of_judgments_counts() -> None:
    pool = Qrels.from_dict({"1": {"a": 2, "b": 1, "c": 0, "d": -1}, "2": {"a": 0}}).pool
    assert pool.size.tolist() == [4, 1]
    assert pool.count(low=1).tolist() == [2, 0]
    assert pool.count(below=1).tolist() == [2, 1]
    assert pool.count(low=0, below=2).tolist() == [2, 1]
    assert pool.max_grade == 2
    assert pool.without_negatives.size.tolist() == [3, 1]
    assert Qrels.from_dict({"1": {"a": -1}}).pool.max_grade == 0


# ---- what is refused


@pytest.mark.parametrize(
    ("pools", "message"),
    [
        ({}, "qrels holds no judgments"),
        ({"1": {}}, "qrels holds no judgments"),
        ({"1": {"a": math.nan}}, "qrels, topic '1', document 'a': the label nan is not a finite number"),
        (
            {"1": {"a": 1, "b": "one"}},
            "qrels, topic '1', document 'b': the label 'one' is not a finite number; if this word "
            "is a label, say for which number it stands, as in labels={'one': 1}",
        ),
        ({"1": {"a": 10**400}}, None),
        ({"1": {"": 1}}, "qrels, topic '1', document '': a document id has 1 to 4,096 bytes and no NUL, not '' (0)"),
        ({1.5: {"a": 1}}, "qrels, topic '1.5', document 'a': the topic id 1.5 is a float; ids are strings"),
        ({"1": [["a"]]}, None),
    ],
)
def test_a_dict_that_is_no_qrels(pools: Any, message: str | None) -> None:
    with pytest.raises(CranfieldError) as refused:
        Qrels.from_dict(pools)
    assert message is None or str(refused.value) == message


def test_a_topic_without_judgments_is_not_dropped_in_silence() -> None:
    with pytest.raises((InputError, CranfieldWarning), match="2"):
        Qrels.from_dict({"1": {"a": 1}, "2": {}})


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"qid": [1], "docno": ["a"], "score": [1.0]}),
            "the frame has no column label (label, relevance, rel); say which it is: columns={'label': ...}; its "
            "columns are 'qid', 'docno', 'score'",
        ),
        (pd.DataFrame({"qid": ["1"], "docno": ["a"], "label": [np.nan]}), None),
        (pd.DataFrame({"qid": ["1"], "docno": ["a"], "label": [1], "iteration": [np.nan]}), None),
        (pd.DataFrame({"qid": [], "docno": [], "label": []}), "qrels holds no judgments"),
    ],
)
def test_a_frame_that_is_no_qrels(frame: Any, message: str | None) -> None:
    with pytest.raises(CranfieldError) as refused:
        Qrels.from_frame(frame)
    assert message is None or str(refused.value) == message

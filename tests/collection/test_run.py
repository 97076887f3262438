"""A run from dicts and frames, and back."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import CranfieldError, InputError, Qrels, Run

LISTS = {"2": {"b": 1.5, "a": 2.5}, "1": {"ü": -3.0}}
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=4)
SCORES = st.floats(allow_nan=False, allow_infinity=False)
RUNS = st.dictionaries(TEXT, st.dictionaries(TEXT, SCORES, min_size=1, max_size=5), min_size=1, max_size=4)


def test_a_run_keeps_the_order_it_was_given_in() -> None:
    run = Run.from_dict(LISTS, name="bm25")
    assert run.name == "bm25"
    assert run.topics == ("2", "1")
    assert run.starts.tolist() == [0, 2, 3]
    assert run.documents.tolist() == ["b", "a", "ü"]
    assert run.score.tolist() == [1.5, 2.5, -3.0]
    assert run.rank is None
    assert len(run) == 3
    assert repr(run) == "Run('bm25', 2 topics, 3 documents)"
    assert repr(Run.from_dict({"q": {"a": 1.0}})) == "Run('run', 1 topic, 1 document)"
    assert repr(Qrels.from_dict({"q": {"a": 1}})) == "Qrels(1 topic, 1 judged document, labels 1 to 1)"
    assert [run.score.dtype, run.starts.dtype] == [np.float64, np.int64]


@given(RUNS)
def test_dicts_come_back(lists: dict[str, dict[str, float]]) -> None:
    run = Run.from_dict(lists)
    again = run.to_dict()
    assert again == lists
    assert list(again) == list(lists)
    assert all(list(again[topic]) == list(lists[topic]) for topic in lists)
    assert all(math.copysign(1, again[t][d]) == math.copysign(1, lists[t][d]) for t in lists for d in lists[t])
    assert Run.from_dict(again) == run


@given(RUNS)
def test_frames_come_back(lists: dict[str, dict[str, float]]) -> None:
    run = Run.from_dict(lists)
    frame = run.to_frame()
    assert list(frame.columns) == ["query_id", "doc_id", "score"]
    assert len(frame) == len(run)
    assert Run.from_frame(frame) == run
    assert Run.from_frame(pl.DataFrame(frame.to_dict("list"))) == run


ROWS = {"qid": [10, 10, 9], "docno": [1, 2, 1], "score": [2, 1, 3]}


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param(pd.DataFrame(ROWS), id="pandas"),
        pytest.param(pd.DataFrame(ROWS).astype({"qid": "string", "docno": "category"}), id="pandas text and category"),
        pytest.param(pd.DataFrame(ROWS).astype({"qid": "Int64", "score": "Float64"}), id="pandas nullable"),
        pytest.param(pd.DataFrame(ROWS).astype({"qid": object, "docno": object, "score": object}), id="pandas objects"),
        pytest.param(pl.DataFrame(ROWS), id="polars"),
        pytest.param(pl.DataFrame(ROWS, schema_overrides={"qid": pl.UInt8, "score": pl.Float32}), id="polars types"),
    ],
)
def test_whole_numbers_are_ids_too(frame: Any) -> None:
    run = Run.from_frame(frame, name="ints")
    assert run.to_dict() == {"10": {"1": 2.0, "2": 1.0}, "9": {"1": 3.0}}


def test_arrow_tables() -> None:
    import pyarrow as arrow

    assert Run.from_frame(arrow.table(ROWS)).to_dict() == {"10": {"1": 2.0, "2": 1.0}, "9": {"1": 3.0}}


@pytest.mark.parametrize("topic", ["query_id", "qid", "topic"])
@pytest.mark.parametrize("document", ["doc_id", "docno", "doc", "document"])
def test_columns_have_the_names_of_other_tools(topic: str, document: str) -> None:
    frame = pd.DataFrame({"other": [0], document: ["d"], "score": [1.0], topic: ["t"]})
    assert Run.from_frame(frame).to_dict() == {"t": {"d": 1.0}}


def test_rows_of_a_topic_need_not_stand_together() -> None:
    frame = pd.DataFrame({"qid": ["1", "2", "1"], "docno": ["a", "b", "c"], "score": [1.0, 2.0, 3.0]})
    assert Run.from_frame(frame).to_dict() == {"1": {"a": 1.0, "c": 3.0}, "2": {"b": 2.0}}


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        pytest.param([2, 1], [2, 1], id="whole"),
        pytest.param([2.0, 1.0], [2, 1], id="floats that are whole"),
        pytest.param([2.5, 1.0], None, id="not whole"),
        pytest.param([None, 1], None, id="one missing"),
        pytest.param(["2", "1"], None, id="text"),
        pytest.param([math.inf, 1.0], None, id="infinite"),
        pytest.param([10**30, 1], None, id="too large"),
        pytest.param([2**63, 1], None, id="just too large"),
    ],
)
def test_ranks_of_a_frame(ranks: list[Any], expected: list[int] | None) -> None:
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, 2.0], "rank": ranks})
    run = Run.from_frame(frame)
    assert (None if run.rank is None else run.rank.tolist()) == expected
    if expected is not None:
        assert run.to_frame()["rank"].tolist() == expected


def test_nullable_ranks_of_a_frame() -> None:
    rank = pd.array([2, None], dtype="Int64")
    run = Run.from_frame(pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [1.0, 2.0], "rank": rank}))
    assert run.rank is None


# ---- equality


def test_equal_runs_hold_the_same_rows_whatever_they_are_called() -> None:
    run = Run.from_dict(LISTS, name="a")
    assert run == Run.from_dict(LISTS, name="b")
    assert hash(run) == hash(Run.from_dict(LISTS, name="b"))
    assert run != Run.from_dict({"2": LISTS["2"]})
    assert run != Run.from_dict({"2": {"b": 1.5, "a": 2.0}, "1": LISTS["1"]})
    assert run != LISTS
    assert Run.from_dict({"1": {"ab": 1, "c": 2}}) != Run.from_dict({"1": {"a": 1, "bc": 2}})
    assert Run.from_dict({"1": {"a": 1, "b": 2}}) != Run.from_dict({"1": {"a": 1}, "2": {"b": 2}})
    assert run.digest == Run.from_dict(LISTS).digest
    assert len(run.digest) == 64


@given(RUNS, RUNS)
def test_equal_runs_have_equal_hashes(one: dict[str, dict[str, float]], other: dict[str, dict[str, float]]) -> None:
    a, b = Run.from_dict(one), Run.from_dict(other)
    assert (a == b) == (a.digest == b.digest)
    if a == b:
        assert hash(a) == hash(b)
        assert a.to_dict() == b.to_dict()


# ---- immutability


def test_arrays_of_a_run_cannot_be_written() -> None:
    run = Run.from_frame(pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0], "rank": [1]}))
    assert run.rank is not None
    for array in (run.starts, run.score, run.rank, run.documents.data, run.documents.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_attributes_of_a_run_cannot_be_set() -> None:
    run = Run.from_dict(LISTS)
    for attribute in ("name", "topics", "starts", "documents", "score", "rank", "tag", "path"):
        with pytest.raises(AttributeError):
            setattr(run, attribute, getattr(run, attribute))


def test_a_run_does_not_change_with_the_data_it_was_made_from() -> None:
    frame = pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]})
    lists = {"1": {"a": 1.0}}
    runs = Run.from_frame(frame), Run.from_dict(lists)
    frame.loc[0, "score"] = 2.0
    lists["1"]["a"] = 2.0
    assert [run.score.tolist() for run in runs] == [[1.0], [1.0]]
    runs[0].to_dict()["1"]["a"] = 3.0
    assert runs[0].score.tolist() == [1.0]


def test_a_frame_of_a_run_is_the_users_own() -> None:
    run = Run.from_frame(pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [1.0], "rank": [1]}))
    frame = run.to_frame()
    frame.loc[0, "score"] = 3.0
    frame.loc[0, "rank"] = 3
    assert (run.to_dict(), run.to_frame()["rank"].tolist()) == ({"1": {"a": 1.0}}, [1])


# ---- what is refused


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ({}, "run holds no documents"),
        ({"1": {}}, "run holds no documents"),
        ({"1": {"a": math.nan}}, "run, topic '1', document 'a': the score nan is not a finite number"),
        ({"1": {"a": 1.0, "b": math.inf}}, "run, topic '1', document 'b': the score inf is not a finite number"),
        ({"1": {"a": "1,5"}}, "run, topic '1', document 'a': the score '1,5' is not a finite number"),
        ({"1": {"a": None}}, "run, topic '1', document 'a': the score None is not a finite number"),
        ({"1": {"a": 10**400}}, None),
        ({"1": {1.0: 1.0}}, "run, topic '1', document '1.0': the document id 1.0 is a float; ids are strings"),
        ({"1": {b"a": 1.0}}, "run, topic '1', document 'b'a'': the document id b'a' is a bytes; ids are strings"),
        ({None: {"a": 1.0}}, "run, topic 'None', document 'a': the topic id None is a NoneType; ids are strings"),
        ({"1": {True: 1.0}}, "run, topic '1', document 'True': the document id True is a bool; ids are strings"),
        ({"1": {"": 1.0}}, "run, topic '1', document '': a document id has 1 to 4,096 bytes and no NUL, not '' (0)"),
        (
            {"a\0b": {"a": 1.0}},
            "run, topic 'a\\x00b', document 'a': a topic id has 1 to 4,096 bytes and no NUL, not 'a\\x00b' (3)",
        ),
        (
            {"1": {"\ud800": 1.0}},
            "run, topic '1', document '\\ud800': the document id '\\ud800' is not valid Unicode text",
        ),
        ({"1": ["a"]}, None),
        ([("1", "a", 1.0)], None),
    ],
)
def test_a_dict_that_is_no_run(lists: Any, message: str | None) -> None:
    with pytest.raises(CranfieldError) as refused:
        Run.from_dict(lists)
    assert message is None or str(refused.value) == message


def test_ids_have_a_largest_size() -> None:
    assert Run.from_dict({"t" * 4096: {"ü" * 2048: 1.0}}).topics == ("t" * 4096,)
    with pytest.raises(
        InputError, match=r"^bm25, topic '1', document 'ü+\.*': a document id has 1 to 4,096 bytes .* \(4,098\)$"
    ):
        Run.from_dict({"1": {"a": 1.0, "ü" * 2049: 1.0}}, name="bm25")


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"queries": [1], "docno": ["a"], "score": [1.0]}),
            "the frame has no column topic (qid, query_id, query-id, q_id, query, user_id, userID, topic, topic_id); "
            "say which it is: columns={'topic': ...}; its columns are 'queries', 'docno', 'score'",
        ),
        (
            pl.DataFrame({"qid": [1], "score": [1.0]}),
            "the frame has no column document (docno, doc_id, docid, doc, corpus-id, corpus_id, item_id, itemID, "
            "document, document_id); say which it is: columns={'document': ...}; its columns are 'qid', 'score'",
        ),
        (
            pd.DataFrame({"qid": [1], "docno": ["a"]}),
            "the frame has no column score (score, rating, prediction, similarity); say which it is: "
            "columns={'score': ...}; its columns are 'qid', 'docno'",
        ),
        (pd.DataFrame({"qid": [1.0], "docno": ["a"], "score": [1.0]}), None),
        (pd.DataFrame({"qid": [1, None], "docno": ["a", "b"], "score": [1.0, 2.0]}), None),
        (pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": [np.nan]}), None),
        (pd.DataFrame({"qid": ["1"], "docno": ["a"], "score": ["1.0 "]}), None),
        (pl.DataFrame({"qid": ["1"], "docno": [None], "score": [1.0]}), None),
        (pd.DataFrame({"qid": [], "docno": [], "score": []}), "run holds no documents"),
        ({"qid": ["1"], "docno": ["a"], "score": [1.0]}, None),
        (pl.Series([1.0]), None),
        (None, None),
    ],
)
def test_a_frame_that_is_no_run(frame: Any, message: str | None) -> None:
    with pytest.raises(CranfieldError) as refused:
        Run.from_frame(frame)
    assert message is None or str(refused.value) == message


def test_a_lazy_frame_is_collected() -> None:
    lazy = pl.LazyFrame({"qid": ["1"], "docno": ["a"], "score": [1.0]})
    assert Run.from_frame(lazy).to_dict() == {"1": {"a": 1.0}}
    assert cranfield.evaluate(lazy, {"1": {"a": 1}}, "AP")["AP"].item() == 1


def test_a_document_twice_in_a_topic_is_refused_when_it_is_judged() -> None:
    run = Run.from_frame(pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "a"], "score": [1.0, 2.0]}), name="bm25")
    with pytest.raises(InputError) as refused:
        cranfield.evaluation.make_rankings(run, {"1": {"a": 1}})
    assert str(refused.value) == ("run 'bm25': document 'a' occurs twice in topic '1'; on_duplicate='first' keeps one")


def test_a_document_that_stands_twice_is_lost_nowhere(tmp_path: Path) -> None:
    frame = pd.DataFrame({"qid": ["1", "2", "2"], "docno": ["a", "b", "b"], "score": [1.0, 3.0, 2.0]})
    run = Run.from_frame(frame, name="mine")
    assert run.to_frame()["score"].tolist() == [1, 3, 2]
    message = "^run 'mine': document 'b' occurs twice in topic '2': keep one of its rows$"
    with pytest.raises(InputError, match=message):
        run.to_dict()
    with pytest.raises(InputError, match=message):
        cranfield.write(run, tmp_path / "mine.run")
    assert not list(tmp_path.iterdir())


FOUR_TOPICS = {
    "a": {"x": 3.0, "yy": 2.0},
    "b": {"zzz": 1.0},
    "c": {f"d{n}": float(n) for n in range(5)},
    "d": {"x": 1.0},
}


@pytest.mark.parametrize("indexes", [[], [0], [3], [1, 2], [0, 1, 2, 3], [0, 2], [1, 3], [0, 1, 3]])
@pytest.mark.parametrize("ranked", [False, True])
def test_a_run_is_cut_to_topics(indexes: list[int], ranked: bool) -> None:
    original = Run.from_dict(FOUR_TOPICS, name="mine")
    rank = np.arange(len(original)) if ranked else None
    run = Run("mine", original.topics, original.starts, original.documents, original.score, rank, tag="t", path="p")
    cut = run.select_topics(np.array(indexes, dtype=np.int64))
    names = [run.topics[index] for index in indexes]
    assert cut.to_dict() == {name: FOUR_TOPICS[name] for name in names}
    assert (cut.name, cut.tag, cut.path) == ("mine", "t", "p")
    rows = [row for index in indexes for row in range(run.starts[index], run.starts[index + 1])]
    assert cut.rank is None if rank is None else cut.rank is not None and cut.rank.tolist() == rows
    assert cut.documents.offsets[0] == 0
    assert cut.documents.offsets[-1] == len(cut.documents.data)

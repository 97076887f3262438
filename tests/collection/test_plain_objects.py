"""Dicts and frames by the short way of the compiled engine: as by the long way, or refused in the same words."""

from __future__ import annotations

import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import cranfield
from cranfield import CranfieldWarning, InputError, Qrels, Run
from cranfield.collection.frames import flat_run, read_table
from effort import examples

NUMPY = ("float16", "float32", "float64", "int8", "int32", "int64", "uint64", "bool_")
ids = st.text("ab1\u00e9", min_size=1, max_size=3) | st.integers(-2, 2) | st.sampled_from("12").map(np.str_)
odd_ids = ids | st.sampled_from(["", "a\0", "\ud800", "x" * 4097, 1.0, None, True, b"a", np.int32(1), 10**40])
numbers = st.floats(-9, 9) | st.integers(-9, 9) | st.sampled_from(NUMPY).map(lambda kind: getattr(np, kind)(1))
odd_numbers = numbers | st.sampled_from([math.nan, -math.inf, "1", b"1", None, 10**400, 2**70, True, np.float32("nan")])
kinds = st.sampled_from([dict, dict, OrderedDict, MappingProxyType, lambda row: defaultdict(dict, row)])


@st.composite
def nested(draw: st.DrawFn, names: st.SearchStrategy[Any], values: st.SearchStrategy[Any]) -> Any:
    rows = draw(st.lists(st.tuples(names, st.lists(st.tuples(names, values), max_size=4)), max_size=4))
    return draw(kinds)({topic: draw(kinds)(dict(row)) for topic, row in rows})


def said(make: Callable[[], Any]) -> Any:
    """The columns of what was made, or what was refused or warned of."""
    try:
        made = make()
    except InputError as refused:
        return str(refused), refused.code, refused.value
    except CranfieldWarning as warned:
        return str(warned)
    number = made.score if isinstance(made, Run) else (made.grade, made.iterations, *made.judgments)
    return made.topics, made.digest, np.asarray(made.starts).dtype, repr(number)


def by_both(make: Callable[[], Any]) -> tuple[Any, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRANFIELD_ENGINE", "compiled")
        short = said(make)
        patch.setenv("CRANFIELD_ENGINE", "reference")
        return short, said(make)


@pytest.mark.slow
@examples(300)
@given(data=st.data(), odd=st.booleans(), kind=st.sampled_from([Run, Qrels]))
def test_dicts_are_read_alike(compiled: Any, data: st.DataObject, odd: bool, kind: Any) -> None:
    given = data.draw(nested(odd_ids, odd_numbers) if odd else nested(ids, numbers))
    short, long = by_both(lambda: kind.from_dict(given, name="given"))
    assert short == long
    event("plain" if compiled.nested_rows(given, kind is Qrels) is not None else "the long way")


def test_what_people_hold_goes_the_short_way(compiled: Any) -> None:
    rows = {"b": 1, "a": np.float32(2.5), 7: 3.0}
    for held in ({"q": rows}, defaultdict(dict, {"q": rows}), {1: rows, np.int64(2): rows}):
        assert compiled.nested_rows(held, False) is not None
    found = compiled.nested_rows({"q": rows, "p": {}}, False)
    assert found is not None
    topics, starts, data, offsets, score = found
    assert (topics, starts.tolist(), data.tobytes(), offsets.tolist()) == (["q"], [0, 3], b"ba7", [0, 1, 2, 3])
    assert score.tolist() == [1.0, 2.5, 3.0]
    pools = compiled.nested_rows({"q": rows}, True)
    assert pools is not None
    assert (pools[2].tobytes(), pools[4].tolist()) == (b"7ab", [3.0, 2.5, 1.0])


def test_numbers_that_run_code_are_not_read_while_a_dict_is_walked(compiled: Any) -> None:
    row: dict[str, Any] = {}

    class Growing(int):
        def __float__(self) -> float:
            row[f"more {len(row)}"] = 1.0
            return 1.0

    row["a"] = Growing()
    assert compiled.nested_rows({"q": row}, False) is None
    assert Run.from_dict({"q": row}).to_dict() == {"q": {"a": 1.0}}


def test_one_id_in_two_spellings_is_one_topic_and_a_repeated_document(each_engine: Any) -> None:
    assert Run.from_dict({1: {"a": 1.0}, "1": {"b": 2.0}}).to_dict() == {"1": {"a": 1.0, "b": 2.0}}
    with pytest.raises(InputError, match="'1' occurs twice in topic 'q'"):
        cranfield.evaluate({"q": {1: 1.0, "1": 2.0}}, {"q": {"1": 1}}, "AP")
    with pytest.raises(InputError, match="document 1 of topic q has another label"):
        Qrels.from_dict({"q": {1: 1, "1": 2}})


def test_a_refusal_names_topic_and_document(each_engine: Any) -> None:
    with pytest.raises(InputError, match=r"^run, topic 'q2', document 'd9': the score nan is not a finite number$"):
        Run.from_dict({"q1": {"d1": 1.0}, "q2": {"d8": 2.0, "d9": math.nan}})


# ---- frames

texts = st.text("ab1\u00e9", min_size=1, max_size=3)
columns_of_ids = st.sampled_from(
    [texts, st.integers(-3, 3), texts | st.none(), st.floats(0, 2), texts | st.integers(0, 2)]
)
columns_of_scores = st.sampled_from(
    [st.floats(-9, 9), st.integers(-9, 9), st.floats() | st.none(), st.booleans(), st.sampled_from(["1", "x"])]
)
columns_of_ranks = st.sampled_from([st.none(), st.integers(0, 5), st.floats(0, 3), st.integers(10**17, 2**63 - 1)])


@st.composite
def frames(draw: st.DrawFn) -> Any:
    rows = draw(st.integers(0, 5))
    kinds = {"qid": columns_of_ids, "docno": columns_of_ids, "score": columns_of_scores, "rank": columns_of_ranks}
    columns = {name: draw(st.lists(draw(kind), min_size=rows, max_size=rows)) for name, kind in kinds.items()}
    if draw(st.booleans()):
        del columns["rank"]
    try:
        table = pa.table(columns)
        for name in ("qid", "docno"):
            kind = draw(st.sampled_from([pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]))
            if table[name].type == pa.string() and draw(st.booleans()):
                column = table[name].dictionary_encode() if pa.types.is_dictionary(kind) else table[name].cast(kind)
                table = table.set_column(table.column_names.index(name), name, column)
    except pa.ArrowException:
        return pd.DataFrame(columns, dtype=object)
    pandas = pd.DataFrame(columns, dtype=draw(st.sampled_from([None, object])))
    half = pa.concat_tables([table.slice(0, rows // 2), table.slice(rows // 2)])
    return draw(st.sampled_from([table, half, Streamed(half), pandas, pl.from_arrow(table)]))


class Streamed:
    """Something that narwhals does not know, and that hands out Arrow's stream."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table

    def __arrow_c_stream__(self, schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(schema)


@pytest.mark.slow
@examples(300)
@given(frame=frames())
def test_frames_are_read_alike(compiled: Any, frame: Any) -> None:
    short, long = by_both(lambda: Run.from_frame(frame, name="given"))
    assert short == long
    event("refused" if len(short) == 3 else f"read from {type(frame).__name__}")


def test_columns_of_arrow_are_read_without_objects(compiled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", compiled.NAME)
    ids = pa.array(["b", "a", "b"])
    scores = pa.array([1, 2, 3], pa.int8())
    for column in (ids, ids.cast(pa.large_string()), ids.cast(pa.string_view()), ids.dictionary_encode()):
        table = pa.table({"qid": column, "docno": pa.array([1, 2, 3], pa.uint64()), "score": scores})
        for frame in (table, pl.from_arrow(table), table.to_pandas(), Streamed(table)):
            found = flat_run(read_table(frame))
            assert found is not None
            assert (found[0], found[1].tolist(), found[2].tobytes()) == (["b", "a"], [0, 2, 3], b"132")
            assert (found[4].tolist(), found[5]) == ([1.0, 3.0, 2.0], None)


def test_objects_of_pandas_serve_as_they_are(compiled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", compiled.NAME)
    frame = pd.DataFrame({"qid": ["q", 1], "docno": ["a", 2], "score": [1.0, 2.0], "rank": [1, 2]})
    found = flat_run(read_table(frame))
    assert found is not None
    assert (found[0], found[2].tobytes(), found[5].tolist()) == (["q", "1"], b"a2", [1, 2])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"qid": ["q", None], "docno": ["a", "b"], "score": [1.0, 2.0]}, "row 2, column 'qid': the topic id"),
        ({"qid": ["q", "q"], "docno": ["a", None], "score": [1.0, 2.0]}, "row 2, column 'docno': the document id"),
        (
            {"qid": ["q", "q"], "docno": [1.5, 2.5], "score": [1.0, 2.0]},
            "row 1, column 'docno': the document id 1.5 is a float",
        ),
        ({"qid": ["q", "q"], "docno": ["a", "b"], "score": [1.0, None]}, "row 2, column 'score': the score"),
        ({"qid": ["q", "q"], "docno": ["a", "b"], "score": [math.nan, 1.0]}, "row 1, column 'score': the score nan"),
    ],
)
def test_refusals_of_frames_name_row_and_column(each_engine: Any, columns: dict[str, Any], message: str) -> None:
    for library in (pd.DataFrame, pl.DataFrame, pa.table):
        with pytest.raises(InputError, match=f"^run, {message}"):
            Run.from_frame(library(columns))

"""Arrow data of every type and layout that holds ids and numbers; broken data are refused, whoever hands them out."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import nanoarrow as na
import numpy as np
import pyarrow as pa
import pytest

from cranfield import InputError, Qrels, Run

pytestmark = pytest.mark.usefixtures("each_engine")

TOPICS = ["q1", "q1", "a topic with a name of more bytes", "q2", "q2"]
DOCUMENTS = ["b", "a document with a name of more bytes", "a", "\u00e9", "a"]
SCORES = [2.0, 1.0, 0.5, 4.0, 3.0]
RUN = {
    "q1": {"b": 2.0, "a document with a name of more bytes": 1.0},
    "a topic with a name of more bytes": {"a": 0.5},
    "q2": {"\u00e9": 4.0, "a": 3.0},
}
TEXTS = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    *(pa.dictionary(code, pa.string()) for code in (pa.int8(), pa.uint16(), pa.int32(), pa.uint64())),
    pa.dictionary(pa.int16(), pa.string_view()),
]
INTEGERS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
NUMBERS = [*INTEGERS, pa.float16(), pa.float32(), pa.float64(), pa.bool_(), pa.decimal128(9, 3), pa.decimal256(9, 3)]


class Held:
    """A library that hands out one batch."""

    def __init__(self, hand_out: Callable[[], Any]) -> None:
        self.hand_out = hand_out

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.hand_out()


class Streamed:
    """A library that hands out a stream."""

    def __init__(self, hand_out: Callable[[], Any]) -> None:
        self.hand_out = hand_out

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.hand_out()


def fill(values: list[Any], kind: pa.DataType) -> pa.Array:
    plain = pa.array(values, kind.value_type if pa.types.is_dictionary(kind) else kind)
    return plain.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else plain


def lay_out(names: list[str], columns: list[pa.Array]) -> Iterator[Any]:
    """The same rows in every layout of their batches."""
    table = pa.table(columns, names)
    yield table
    yield Held(table.to_batches()[0].__arrow_c_array__)
    yield pa.concat_tables([table.slice(0, 2), table.slice(2, 0), table.slice(2)])
    yield pa.concat_tables([table, table, table]).combine_chunks().slice(len(table), len(table))
    tripled = pa.concat_arrays([pa.StructArray.from_arrays(columns, names)] * 3)
    yield Held(tripled.slice(len(table), len(table)).__arrow_c_array__)
    yield Streamed(table.to_reader().__arrow_c_stream__)


@pytest.mark.parametrize("kind", TEXTS, ids=str)
def test_ids_of_every_type_of_text(kind: pa.DataType) -> None:
    columns = [fill(TOPICS, kind), fill(DOCUMENTS, kind), pa.array(SCORES)]
    for frame in lay_out(["qid", "docno", "score"], columns):
        assert Run.from_frame(frame).to_dict() == RUN


@pytest.mark.parametrize("kind", INTEGERS, ids=str)
def test_ids_that_are_whole_numbers(kind: pa.DataType) -> None:
    bits = kind.bit_width - str(kind).startswith("int")
    ids = [0, 7, 2**bits - 1, 100, 1]
    for frame in lay_out(["qid", "docno", "score"], [fill(TOPICS, pa.string()), fill(ids, kind), pa.array(SCORES)]):
        rows = zip(TOPICS, map(str, ids), SCORES, strict=True)
        assert Run.from_frame(frame).to_dict() == Run.from_rows(rows).to_dict()


@pytest.mark.parametrize("kind", NUMBERS, ids=str)
def test_scores_of_every_type(kind: pa.DataType) -> None:
    scores = pa.array([1, 0, 1, 1, 0], pa.int8()).cast(kind)
    rows = zip(TOPICS, DOCUMENTS, [1.0, 0.0, 1.0, 1.0, 0.0], strict=True)
    expected = Run.from_rows(rows).to_dict()
    for frame in lay_out(["qid", "docno", "score"], [fill(TOPICS, pa.string()), fill(DOCUMENTS, pa.string()), scores]):
        assert Run.from_frame(frame).to_dict() == expected


@pytest.mark.parametrize("kind", [*TEXTS, *INTEGERS], ids=str)
def test_rows_without_an_id_are_named(kind: pa.DataType) -> None:
    ids = [1, 2, 3, None, 5] if kind in INTEGERS else [*DOCUMENTS[:3], None, "a"]
    for frame in lay_out(["qid", "docno", "score"], [pa.array(TOPICS), fill(ids, kind), pa.array(SCORES)]):
        with pytest.raises(InputError, match=r"^run, row 4, column 'docno': the document id None is a NoneType"):
            Run.from_frame(frame)


@pytest.mark.parametrize("kind", [pa.null(), pa.dictionary(pa.int8(), pa.string())], ids=str)
def test_a_column_without_values(kind: pa.DataType) -> None:
    for frame in lay_out(["qid", "docno", "score"], [pa.nulls(5, kind), pa.array(DOCUMENTS), pa.array(SCORES)]):
        with pytest.raises(InputError, match=r"^run, row 1, column 'qid': the topic id None is a NoneType"):
            Run.from_frame(frame)


def test_rows_that_are_null_as_a_whole_have_no_id() -> None:
    columns = [pa.array(TOPICS), pa.array(DOCUMENTS), pa.array(SCORES)]
    mask = pa.array([False, True, False, False, False])
    rows = pa.StructArray.from_arrays(columns, ["qid", "docno", "score"], mask=mask)
    with pytest.raises(InputError, match=r"^run, row 2, column 'qid': the topic id None is a NoneType"):
        Run.from_frame(Held(rows.__arrow_c_array__))
    assert len(Run.from_frame(Held(rows.slice(2).__arrow_c_array__)).to_dict()) == 2


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary()], ids=str)
def test_bytes_are_no_ids(kind: pa.DataType) -> None:
    frame = pa.table({"qid": pa.array(TOPICS).cast(kind), "docno": DOCUMENTS, "score": SCORES})
    with pytest.raises(InputError, match=r"^run, row 1, column 'qid': the topic id b'q1' is a bytes"):
        Run.from_frame(frame)


def test_a_column_of_another_type_does_no_harm_until_it_is_read() -> None:
    frame = pa.table({"qid": TOPICS, "docno": DOCUMENTS, "score": SCORES, "vector": [[1.0]] * 5})
    assert Run.from_frame(frame).to_dict() == RUN
    with pytest.raises(InputError, match=r"^column 'vector' is of the Arrow type '\+l', which holds neither ids nor"):
        Run.from_frame(frame, columns={"score": "vector"})


def test_data_outlive_the_library_that_handed_them_out() -> None:
    runs = [Run.from_frame(Held(pa.record_batch({"qid": ["q"], "docno": ["a"], "score": [1.0 * n]}).__arrow_c_array__))
            for n in range(50)]  # fmt: skip
    assert [run.to_dict()["q"]["a"] for run in runs] == [1.0 * n for n in range(50)]


# ---- streams that fail


def fail() -> Iterator[pa.RecordBatch]:
    yield pa.record_batch({"qid": ["q"], "docno": ["a"], "score": [1.0]})
    raise ValueError("the disk is gone")


def test_a_stream_that_fails_ends_in_its_own_words() -> None:
    schema = pa.schema({"qid": pa.string(), "docno": pa.string(), "score": pa.float64()})
    reader = pa.RecordBatchReader.from_batches(schema, fail())
    with pytest.raises(InputError, match=r"^the stream of Arrow data ended with error ValueError: the disk is gone$"):
        Run.from_frame(reader)
    reader = pa.RecordBatchReader.from_batches(schema, fail())
    with pytest.raises(InputError, match=r"^the stream of Arrow data ended with error \d+: .*the disk is gone"):
        Run.from_frame(Streamed(reader.__arrow_c_stream__))


def test_a_stream_that_is_used_up_is_refused() -> None:
    capsule = pa.table({"qid": ["q"], "docno": ["a"], "score": [1.0]}).__arrow_c_stream__()
    na.ArrayStream(capsule).read_all()
    with pytest.raises(InputError, match=r"^the stream of Arrow data ended with error RuntimeError: .* released"):
        Run.from_frame(Streamed(lambda: capsule))


def test_a_batch_that_is_used_up_is_refused() -> None:
    batch = pa.record_batch({"qid": ["q"], "docno": ["a"], "score": [1.0]})
    used, fresh = batch.__arrow_c_array__(), batch.__arrow_c_array__()
    assert pa.record_batch(Held(lambda: used)) == batch
    for capsules in (used, (used[0], fresh[1]), (fresh[0], used[1])):
        with pytest.raises(InputError, match=r"^the Arrow data are broken: \w+ is released$"):
            Run.from_frame(Held(lambda capsules=capsules: capsules))


def test_a_reader_whose_threads_need_python_does_not_wait_for_itself() -> None:
    script = """
import pathlib, tempfile, time
import pyarrow as pa, pyarrow.dataset as ds, pyarrow.parquet as pq
from fsspec.implementations.local import LocalFileSystem
from pyarrow.fs import FSSpecHandler, PyFileSystem
import cranfield

class Slow(LocalFileSystem):
    protocol = "slow"

    def open(self, *arguments, **options):
        time.sleep(0.1)
        return super().open(*arguments, **options)

with tempfile.TemporaryDirectory() as folder:
    for part in range(4):
        table = pa.table({"qid": ["q"] * 9, "docno": [f"d{part}-{row}" for row in range(9)], "score": [1.0] * 9})
        pq.write_table(table, pathlib.Path(folder) / f"{part}.parquet", row_group_size=2)
    cranfield.Run.from_frame(table)  # whatever is imported for it is there before the threads begin
    data = ds.dataset(folder, filesystem=PyFileSystem(FSSpecHandler(Slow())), format="parquet")
    print(len(cranfield.Run.from_frame(data.scanner().to_reader()).to_dict()["q"]))
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", timeout=60, check=True
    )
    assert ended.stdout == "36\n"


# ---- what is broken


stream = pa.table({"qid": ["q"]}).__arrow_c_stream__
schema = pa.array([1]).type.__arrow_c_schema__


@pytest.mark.parametrize(
    "hand_out",
    [
        pytest.param(lambda: None, id="nothing"),
        pytest.param(lambda: (None, None), id="no capsules"),
        pytest.param(lambda: pa.array([1]).__arrow_c_array__()[::-1], id="swapped"),
        pytest.param(stream, id="a capsule of another kind"),
        pytest.param(lambda: [1, 2], id="numbers"),
        pytest.param(object, id="an object"),
    ],
)
@pytest.mark.parametrize("library", [Held, Streamed])
def test_what_is_no_capsule_of_arrow_is_refused(library: Any, hand_out: Any) -> None:
    if library is Streamed and hand_out is stream:
        hand_out = schema
    with pytest.raises(InputError, match=r"Arrow"):
        Run.from_frame(library(hand_out))


TWO = [pa.array(["q", "q"]), pa.array(["a", "b"]), pa.array([2.0, 1.0])]
INT32, INT64 = np.int32, np.int64

BROKEN = {
    "numbers without values": (na.int64(), [None, None], {}),
    "text without offsets": (na.string(), [None, None, b"ab"], {}),
    "text without bytes": (na.string(), [None, INT32([0, 1, 2]), None], {}),
    "offsets that descend": (na.string(), [None, INT32([0, 2, 1]), b"ab"], {}),
    "offsets below zero": (na.string(), [None, INT32([-1, 1, 2]), b"ab"], {}),
    "offsets below zero between": (na.large_string(), [None, INT64([0, -5, 2]), b"ab"], {}),
    "offsets behind the end": (na.large_string(), [None, INT64([0, 9, 2]), b"ab"], {}),
    "nulls without their bits": (na.string(), [None, INT32([0, 1, 2]), b"ab"], {"null_count": 1}),
    "a length below zero": (na.int64(), [None, INT64([1, 2])], {"length": -1}),
    "an offset below zero": (na.int64(), [None, INT64([1, 2])], {"offset": -1}),
    "an offset behind all memory": (na.bool_(), [None, b"\1"], {"offset": 2**62}),
    "more text than any memory holds": (na.string(), [None, INT32([0, 1, 2]), b"ab"], {"length": 2**62}),
    "fewer rows than the table": (na.int64(), [None, INT64([1, 2])], {"length": 1}),
}


VIEWS = {
    "a buffer that is not there": [(13, 0, 0), (13, 1, 0)],
    "a negative buffer": [(13, -1, 0), (1, 0, 0)],
    "before its buffer": [(13, 0, 0), (13, 0, -1)],
    "behind its buffer": [(13, 0, 0), (13, 0, 1)],
    "a negative length": [(-1, 0, 0), (1, 0, 0)],
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_column_is_refused(name: str) -> None:
    kind, buffers, options = BROKEN[name]
    options = {"length": 2, "null_count": 0, **options}
    column = na.c_array_from_buffers(kind, buffers=buffers, validation_level="none", **options)
    schema = na.struct({"qid": na.string(), "docno": kind, "score": na.float64()})
    batch = na.c_array_from_buffers(schema, 2, [None], 0, children=[TWO[0], column, TWO[2]], validation_level="none")
    with pytest.raises(InputError, match=r"^the Arrow data are broken: "):
        Run.from_frame(Held(batch.__arrow_c_array__))


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_text_that_is_not_there_are_refused(name: str) -> None:
    packed = pa.py_buffer(b"".join(struct.pack("<i4sii", row[0], b"docu", *row[1:]) for row in VIEWS[name]))
    column = pa.Array.from_buffers(pa.string_view(), 2, [None, packed, pa.py_buffer(b"a" * 13)])
    with pytest.raises(InputError, match=r"^the Arrow data are broken: "):
        Run.from_frame(pa.record_batch([TWO[0], column, TWO[2]], ["qid", "docno", "score"]))


CODED = pa.array(["a", "b"]).dictionary_encode()
NARROW = pa.array([1, 2], pa.int32())


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        *((kind, NARROW) for kind in (na.string(), na.large_binary(), na.string_view())),
        *((kind, pa.nulls(2)) for kind in (na.string(), na.int64(), na.decimal128(9, 2), na.string_view())),
        (na.dictionary(na.int32(), na.string()), NARROW),
        (na.dictionary(na.int32(), na.string()), pa.DictionaryArray.from_arrays(NARROW, NARROW, safe=False)),
        (na.int32(), CODED),
    ],
    ids=lambda kind: str(getattr(kind, "type", kind)),
)
def test_a_schema_of_other_data_is_refused(kind: Any, column: pa.Array) -> None:
    table = pa.record_batch([TWO[0], column, TWO[2]], ["qid", "docno", "score"])
    schema = na.c_schema(na.struct({"qid": na.string(), "docno": kind, "score": na.float64()}))
    with pytest.raises(InputError, match=r"^the Arrow data are broken: "):
        Run.from_frame(Held(lambda: (schema.__arrow_c_schema__(), table.__arrow_c_array__()[1])))


@pytest.mark.parametrize("code", [-1, 2])
@pytest.mark.parametrize("values", [["a", "b"], [1, 2]])
def test_a_code_that_the_dictionary_lacks_is_refused(code: int, values: list[Any]) -> None:
    codes = pa.array([0, code], pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(values), safe=False)
    with pytest.raises(InputError, match=r"^the Arrow data are broken: a row names a value that a dictionary of 2"):
        Run.from_frame(pa.record_batch([TWO[0], column, TWO[2]], ["qid", "docno", "score"]))


def test_a_batch_without_its_columns_is_refused() -> None:
    schema = pa.schema({"qid": pa.string(), "docno": pa.string(), "score": pa.float64()})
    for array in (TWO[0], pa.StructArray.from_arrays(TWO[:1], ["qid"])):
        with pytest.raises(InputError, match=r"^the Arrow data are broken: "):
            Run.from_frame(Held(lambda array=array: (schema.__arrow_c_schema__(), array.__arrow_c_array__()[1])))


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.int64()], ids=str)
def test_numbers_that_begin_at_an_odd_byte(kind: pa.DataType) -> None:
    held = b"x" + np.array([3, 1, 2], dtype=kind.to_pandas_dtype()).tobytes()
    numbers = pa.Array.from_buffers(kind, 3, [None, pa.py_buffer(held).slice(1)])
    names = {"qid": ["q1"] * 3, "docno": ["d1", "d2", "d3"]}
    table = pa.table({**names, "score": numbers})
    assert Run.from_frame(table).to_dict() == {"q1": {"d1": 3.0, "d2": 1.0, "d3": 2.0}}
    assert Qrels.from_frame(pa.table({**names, "label": numbers})).to_dict() == {"q1": {"d1": 3, "d2": 1, "d3": 2}}

"""Small files that stand for gigabytes, or for minutes of parsing: each is refused at once, or read in proportion."""

from __future__ import annotations

import io
import json
import lzma
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather

from cranfield.findings import Location
from cranfield.io.parquet_pages import DamagedPageError, read_pages
from cranfield.partitions import evaluate_partitions
from cranfield.protocol import refuse_unreadable
from parquet_footers import restate

MEASURED = """
import json, resource, sys, time, warnings
import cranfield
from cranfield.io import read_topics
from cranfield.partitions import Dataset, evaluate_partitions
from cranfield.protocol import Protocol
from cranfield.scores import read_scores

warnings.simplefilter("ignore")
resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
try:
    found = {call}
except cranfield.InputError as error:
    found = f"refused: {{error}}"
taken = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps([str(found), time.process_time() - start, taken]))
"""
UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in one unit of ru_maxrss."""
RUN = "cranfield.evaluate({path!r}, {{'q': {{'d': 1}}}}, ['AP'])"
SCORES = "cranfield.compare(read_scores({path!r})['AP'])"
TOPICS = "len(read_topics({path!r}))"
PROTOCOL = "Protocol.read({path!r})"
QRELS = "cranfield.evaluate({{'r': {{'q': {{'d': 1}}}}}}, {path!r}, ['AP'])"
RUN_IN_PARTS = "evaluate_partitions({path!r}, {{'q': {{'d': 1}}}}, ['AP'])"
QRELS_IN_PARTS = "evaluate_partitions({path!r}, {path!r}, ['AP'], columns={{'score': 'label'}})"
DATASET_AS_FRAME = "cranfield.evaluate(Dataset({path!r}), {{'q': {{'d': 1}}}}, ['AP'])"


def outcome(call: str, path: Path) -> str:
    """What a call says of a file in a process of its own; it takes little memory and about a second of it."""
    script = MEASURED.format(call=call.format(path=str(path)))
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    found, seconds, taken = json.loads(ended.stdout)
    assert seconds < 4
    assert taken * UNIT < 400_000_000
    return str(found)


def repeated(value: str, rows: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int8)), [value])


def put(path: Path, columns: dict[str, object], **how: object) -> None:
    table = pa.table(columns)
    pq.write_table(table, path, store_schema=False, row_group_size=len(table), dictionary_pagesize_limit=1 << 30, **how)


def rows_alike(path: Path) -> None:
    rows = 8_000_000
    put(path, {"qid": repeated("q", rows), "docno": repeated("d", rows), "score": np.zeros(rows, dtype=np.float32)})


def one_long_topic(path: Path) -> None:
    documents = [f"d{row}" for row in range(5_000)]
    put(path, {"qid": repeated("q" * 500_000, 5_000), "docno": documents, "score": np.arange(5e3)})


def one_long_topic_by_differences(path: Path) -> None:
    columns = {"qid": ["q" * 500_000] * 2_500, "docno": [f"d{row}" for row in range(2_500)], "score": np.arange(2.5e3)}
    put(path, columns, use_dictionary=False, column_encoding={"qid": "DELTA_BYTE_ARRAY", "docno": "PLAIN"})


def scores_alike(path: Path) -> None:
    rows = 40_000_000
    put(path, {"system": repeated("s", rows), "topic": repeated("t", rows), "AP": np.zeros(rows, dtype=np.float32)})


def one_long_system(path: Path) -> None:
    put(
        path,
        {"system": repeated("s" * 500_000, 5_000), "topic": [f"t{at}" for at in range(5_000)], "AP": np.zeros(5_000)},
    )


def zeros_in_lz4(path: Path) -> None:
    frame = pytest.importorskip("lz4.frame")
    path.write_bytes(frame.compress(frame.compress(b"\xa1" + bytes(100_000_000))))


def lines_in_xz(path: Path) -> None:
    path.write_bytes(lzma.compress(b"topic,a,b\n" + b"t,1,2\n" * 5_000_000, preset=0))


def objects_in_xz(path: Path) -> None:
    path.write_bytes(lzma.compress(b'{"_id":"q","x":[' + b"{}," * 10_000_000 + b"{}]}\n", preset=0))


LARGE: dict[str, tuple[str, Callable[[Path], None]]] = {
    "rows.parquet": (RUN, rows_alike),
    "long.parquet": (RUN, one_long_topic),
    "differences.parquet": (RUN, one_long_topic_by_differences),
    "run.lz4": (RUN, zeros_in_lz4),
    "scores.parquet": (SCORES, scores_alike),
    "system.parquet": (SCORES, one_long_system),
    "scores.csv.xz": (SCORES, lines_in_xz),
    "topics.jsonl.xz": (TOPICS, objects_in_xz),
}


SLOW = ("differences.parquet",)
"""Files that take long to write."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.heavy] * (name in SLOW)) for name in LARGE])
def test_what_would_unpack_to_gigabytes_is_refused(tmp_path: Path, name: str) -> None:
    call, write = LARGE[name]
    write(tmp_path / name)
    assert (tmp_path / name).stat().st_size < 2_000_000
    said = outcome(call, tmp_path / name)
    assert said.startswith(f"refused: {tmp_path / name}: ")
    assert "of memory, of 1.0 GB allowed: " in said
    assert "set CRANFIELD_MEMORY to a larger number of bytes" in said


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "expected"), [("5000000", "5.0 MB allowed"), ("60000000", "has 1 to 4,096 bytes")])
def test_the_budget_that_is_set_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: str, expected: str
) -> None:
    documents = [f"d{row}" for row in range(600)]
    put(tmp_path / "run.parquet", {"qid": repeated("q" * 50_000, 600), "docno": documents, "score": np.arange(600.0)})
    monkeypatch.setenv("CRANFIELD_MEMORY", asked)
    assert expected in outcome(RUN, tmp_path / "run.parquet")


def test_a_long_text_in_few_rows_is_no_reason_to_refuse(tmp_path: Path) -> None:
    documents = pa.array(["d" * 200_000, *(f"d{row % 900}" for row in range(1, 20_000))])
    topics = [f"q{row // 500}" for row in range(20_000)]
    put(tmp_path / "run.parquet", {"qid": topics, "docno": documents, "score": -np.arange(20_000.0)})
    said = outcome(RUN, tmp_path / "run.parquet")
    assert "a document id has 1 to 4,096 bytes" in said


SLOW = {
    "a tag without an end": (TOPICS, "<top> <num> 1 <title> <" + "a" * 100_000, "1"),
    "topics without ids": (TOPICS, "<top>" * 200_000, "refused"),
    "many topics": (TOPICS, "".join(f"<top>\n<num> {at} <title> t\n" for at in range(20_000)), "20000"),
    "one field in many parts": (TOPICS, "<top> <num> 1" + "<title> some words" * 50_000, "1"),
    "children": (TOPICS, "<topics><topic id='1'>" + "<c/>" * 50_000 + "</topic></topics>", "1"),
    "attributes by default": (
        TOPICS,
        f"<!DOCTYPE t [<!ATTLIST c {' '.join(f'a{at} CDATA {chr(39)}x{chr(39)}' for at in range(5_000))}>]>"
        f"<topics><topic id='1'>{'<c/>' * 5_000}</topic></topics>",
        "1",
    ),
    "a DTD without an end": (TOPICS, "<!DOCTYPE t [" + "<!-- a" * 200_000, "refused: {}"),
    "quotes in a DTD": (TOPICS, "<!DOCTYPE t [<!ATTLIST c " + "'\"" * 200_000, "refused: {}"),
    "a key of many parts": (PROTOCOL, "a" + ".a" * 100_000 + " = 1\n", "refused: {}: has a key of more than 32 parts"),
    "quoted parts": (PROTOCOL, 'x = {"a"' + '."a"' * 50_000 + " = 1}\n", "refused: {}: has a key of more than 32"),
    "a table of many parts": (PROTOCOL, f"[{'.'.join('a' * 100_000)}]\n", "refused: {}: has a key of more than 32"),
    "many keys": (PROTOCOL, "\n".join(f"a.b{at} = 1" for at in range(50_000)), "refused: {}: has 638,889 bytes"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_what_would_take_minutes_to_parse(tmp_path: Path, name: str) -> None:
    call, text, expected = SLOW[name]
    (tmp_path / "file").write_text(text)
    assert outcome(call, tmp_path / "file").startswith(expected.format(tmp_path / "file"))


def test_dots_in_strings_and_comments_are_no_parts_of_keys(tmp_path: Path) -> None:
    text = f"title = \"{'a.' * 100}\"\n# {'a.' * 100}\nx = '''\n{'b.' * 100}'''\n"
    refuse_unreadable(Location("p.toml"), text.encode())


@pytest.mark.slow
def test_tables_of_many_systems_are_refused_before_their_pairs_are_made(tmp_path: Path) -> None:
    rows = [",".join([f"t{topic}", *(str(system % 7 / 7 + topic) for system in range(20_000))]) for topic in range(3)]
    (tmp_path / "AP.csv").write_text("\n".join([",".join(["topic", *map(str, range(20_000))]), *rows]))
    said = outcome("cranfield.compare(read_scores({path!r}))", tmp_path / "AP.csv")
    assert said.startswith("refused: all 199,990,000 pairs of 20,000 systems would take 20.0 GB of memory, of 1.0 GB")


COLUMNS = {
    RUN: ("qid", "docno", "score"),
    RUN_IN_PARTS: ("qid", "docno", "score"),
    DATASET_AS_FRAME: ("qid", "docno", "score"),
    QRELS: ("qid", "docno", "label"),
    QRELS_IN_PARTS: ("qid", "docno", "label"),
    SCORES: ("system", "topic", "AP"),
}
"""Call -> the columns of the file that it reads."""
NAMES = {
    RUN: "run",
    RUN_IN_PARTS: "run in parts",
    DATASET_AS_FRAME: "data set as frame",
    QRELS: "qrels",
    QRELS_IN_PARTS: "qrels in parts",
    SCORES: "scores",
}
for_each_reader = pytest.mark.parametrize("call", COLUMNS, ids=NAMES.values())


def columns_for(call: str, first: list[str]) -> dict[str, object]:
    """The columns of a file, of which the first is given."""
    names = COLUMNS[call]
    return dict(zip(names, (first, [f"d{row}" for row in range(len(first))], np.ones(len(first))), strict=True))


FALSE = {
    "rows of the file": ({"rows": 10**12}, "it states 1,000,000,000,000 rows, and its row groups have 100"),
    "rows below 0": ({"rows": -5}, "it states -5 rows, and its row groups have 100"),
    "rows of a group": ({"rows": 10**12, "group_rows": 10**12}, "row group 0 has 1,000,000,000,000 rows, and its "),
    "values of a column": ({"values": 10**12}, "row group 0 has 100 rows, and its column "),
    "few values": ({"values": 10}, "row group 0 has 100 rows, and its column "),
    "sizes below 0": ({"rows": -(10**12), "group_rows": -(10**12), "values": -(10**12)}, "states a size below 0"),
    "everything": ({"rows": 10**12, "group_rows": 10**12, "values": 10**12}, " GB of memory, of 1.0 GB allowed"),
    "packed": ({"packed": 10**15}, "damaged"),
}


@pytest.mark.parametrize("name", FALSE)
@for_each_reader
def test_a_footer_that_contradicts_itself_is_refused(tmp_path: Path, call: str, name: str) -> None:
    path = tmp_path / "file.parquet"
    put(path, columns_for(call, ["q", *(f"q{row // 10}" for row in range(1, 100))]))
    numbers, expected = FALSE[name]
    restate(path, **numbers)
    said = in_this_process(call, path)
    assert said.startswith(f"refused: {path}: " if call != DATASET_AS_FRAME else "refused: ")
    assert expected in said


def in_this_process(call: str, path: Path) -> str:
    """What a call says of a file that takes nothing to read."""
    import cranfield
    from cranfield.partitions import Dataset, evaluate_partitions
    from cranfield.scores import read_scores

    known = {"cranfield": cranfield, "Dataset": Dataset, "evaluate_partitions": evaluate_partitions}
    with pytest.raises(cranfield.InputError) as refused:
        eval(call.format(path=str(path)), known | {"read_scores": read_scores})
    return f"refused: {refused.value}"


@pytest.mark.parametrize("rows", [40, 3])
@for_each_reader
def test_pages_are_larger_than_the_footer_states(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, rows: int
) -> None:
    """One page of 40 MB in 2 kB, of which the footer says that it has 1,000 bytes, and perhaps fewer rows."""
    path = tmp_path / "file.parquet"
    columns = columns_for(call, ["q" * 1_000_000] * 40)
    put(path, columns, use_dictionary=False, compression="zstd", data_page_size=1 << 30, write_statistics=False)
    restate(path, unpacked=1_000, rows=rows, group_rows=rows, values=rows)
    assert path.stat().st_size < 10_000
    monkeypatch.setenv("CRANFIELD_MEMORY", "20000000")
    said = in_this_process(call, path)
    assert said.startswith(f"refused: {path}: ")
    assert "would take 40.0 MB of memory, of 20.0 MB allowed" in said


@pytest.mark.slow
@pytest.mark.parametrize("call", [RUN_IN_PARTS, QRELS_IN_PARTS], ids=["run", "qrels"])
def test_long_texts_of_a_dictionary_are_written_out_a_few_at_a_time(tmp_path: Path, call: str) -> None:
    names = COLUMNS[call]
    documents = [f"d{row}" for row in range(5_000)]
    path = tmp_path / "long.parquet"
    put(path, dict(zip(names, (repeated("q" * 500_000, 5_000), documents, np.arange(5e3)), strict=True)))
    assert "a topic id has 1 to 4,096 bytes" in outcome(call, path)


@pytest.mark.slow
@pytest.mark.parametrize("call", [RUN_IN_PARTS, DATASET_AS_FRAME], ids=["in parts", "as frame"])
def test_rows_alike_of_a_data_set_are_refused(tmp_path: Path, call: str) -> None:
    rows = 9_000_000
    path = tmp_path / "rows.parquet"
    put(path, {"qid": repeated("q", rows), "docno": repeated("d", rows), "score": np.zeros(rows, dtype=np.float32)})
    assert "would take 1.1 GB of memory, of 1.0 GB allowed" in in_this_process(call, path)


def test_record_batches_of_arrow_are_refused_before_they_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.arrow"
    table = pa.table(columns_for(RUN, ["q" * 1_000_000] * 40))
    feather.write_feather(table, str(path), compression="zstd", chunksize=40)
    assert path.stat().st_size < 20_000
    monkeypatch.setenv("CRANFIELD_MEMORY", "20000000")
    for call in (RUN_IN_PARTS, DATASET_AS_FRAME):
        assert "would take 40.0 MB of memory, of 20.0 MB allowed" in in_this_process(call, path)


def test_texts_of_a_dictionary_of_arrow(tmp_path: Path) -> None:
    path = tmp_path / "run.arrow"
    documents = [f"d{row}" for row in range(5_000)]
    table = pa.table({"qid": repeated("q" * 500_000, 5_000), "docno": documents, "score": np.arange(5e3)})
    feather.write_feather(table, str(path), compression="zstd")
    assert "5,000 rows would take 2.5 GB of memory, of 1.0 GB allowed" in in_this_process(DATASET_AS_FRAME, path)
    assert "a topic id has 1 to 4,096 bytes" in outcome(RUN_IN_PARTS, path)


@pytest.mark.parametrize("cut", [0, 1, 4, 9, 10, 30, 100])
def test_arrow_files_without_their_ends(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "run.arrow"
    feather.write_feather(pa.table(columns_for(RUN, ["q"] * 40)), str(path), compression="zstd")
    content = path.read_bytes()
    assert evaluate_partitions(str(path), {"q": {"d1": 1}}, ["AP"]) is not None
    path.write_bytes(content[: len(content) - cut - 1] + b"x" * (cut % 3))
    assert "damaged" in in_this_process(RUN_IN_PARTS, path)


@given(content=st.binary(max_size=200), cut=st.integers(0, 60))
def test_headers_of_pages_from_any_bytes(content: bytes, cut: int) -> None:
    """Bytes of any kind are pages, or damaged."""
    chunk = SimpleNamespace(
        data_page_offset=cut, has_dictionary_page=False, total_compressed_size=1 << 40, num_values=1 << 40
    )
    try:
        pages = list(read_pages(pa.BufferReader(content), chunk))
    except DamagedPageError:
        return
    assert all(page.unpacked >= 0 and page.values >= 0 for page in pages)


def test_pages_are_read_while_another_thread_reads_the_file() -> None:
    """A file of an fsspec file system has one position, which PyArrow moves in the background."""
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table({"label": np.arange(20_000)}), buffer, row_group_size=1_000)
    content = buffer.getvalue().to_pybytes()
    quiet = pa.BufferReader(content)
    groups = [pq.ParquetFile(quiet).metadata.row_group(number).column(0) for number in range(20)]
    expected = [list(read_pages(quiet, chunk)) for chunk in groups]
    shared, stop = pa.PythonFile(io.BytesIO(content), "r"), threading.Event()

    def read_elsewhere() -> None:
        while not stop.is_set():
            shared.read_at(16, 0)

    thread = threading.Thread(target=read_elsewhere)
    thread.start()
    try:
        for _ in range(50):
            assert [list(read_pages(shared, chunk)) for chunk in groups] == expected
    finally:
        stop.set()
        thread.join()

"""Small files that stand for gigabytes, or for minutes of parsing: each is refused at once, or read in proportion."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cranfield.findings import Location
from cranfield.protocol import refuse_unreadable

MEASURED = """
import json, resource, sys, time, warnings
import cranfield
from cranfield.io import read_topics
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


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.heavy] * (name in SLOW)) for name in LARGE])
def test_what_would_unpack_to_gigabytes_is_refused(tmp_path: Path, name: str) -> None:
    call, write = LARGE[name]
    write(tmp_path / name)
    assert (tmp_path / name).stat().st_size < 2_000_000
    said = outcome(call, tmp_path / name)
    assert said.startswith(f"refused: {tmp_path / name}: ")
    assert "of memory, of 1.0 GB allowed: " in said
    assert "set CRANFIELD_MEMORY to a larger number of bytes" in said


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
        "refused: {}: declares attributes in a DTD",
    ),
    "a key of many parts": (PROTOCOL, "a" + ".a" * 100_000 + " = 1\n", "refused: {}: has a key of more than 32 parts"),
    "quoted parts": (PROTOCOL, 'x = {"a"' + '."a"' * 50_000 + " = 1}\n", "refused: {}: has a key of more than 32"),
    "a table of many parts": (PROTOCOL, f"[{'.'.join('a' * 100_000)}]\n", "refused: {}: has a key of more than 32"),
    "many keys": (PROTOCOL, "\n".join(f"a.b{at} = 1" for at in range(50_000)), "refused: {}: has 638,889 bytes"),
}


@pytest.mark.parametrize("name", SLOW)
def test_what_would_take_minutes_to_parse(tmp_path: Path, name: str) -> None:
    call, text, expected = SLOW[name]
    (tmp_path / "file").write_text(text)
    assert outcome(call, tmp_path / "file").startswith(expected.format(tmp_path / "file"))


def test_dots_in_strings_and_comments_are_no_parts_of_keys(tmp_path: Path) -> None:
    text = f"title = \"{'a.' * 100}\"\n# {'a.' * 100}\nx = '''\n{'b.' * 100}'''\n"
    refuse_unreadable(Location("p.toml"), text.encode())


def test_tables_of_many_systems_are_refused_before_their_pairs_are_made(tmp_path: Path) -> None:
    rows = [",".join([f"t{topic}", *(str(system % 7 / 7 + topic) for system in range(20_000))]) for topic in range(3)]
    (tmp_path / "AP.csv").write_text("\n".join([",".join(["topic", *map(str, range(20_000))]), *rows]))
    said = outcome("cranfield.compare(read_scores({path!r}))", tmp_path / "AP.csv")
    assert said.startswith("refused: all 199,990,000 pairs of 20,000 systems would take 20.0 GB of memory, of 1.0 GB")

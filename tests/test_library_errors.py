"""What a library raises on odd content is our refusal of the file, whatever kind of error it is."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.command import cranfield
from cranfield import InputError, UsageError, evaluate, read_run
from cranfield.comparison import compare
from cranfield.scores import read_scores

HEAD = 'protocol = 1\nmeasures = ["AP"]\n'
QRELS = f'[qrels]\npath = "qrels.txt"\nsha256 = "{"0" * 64}"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("1 0 a 1\n2 0 a 1\n3 0 b 1\n")
    Path("a.run").write_text("1 Q0 a 1 1 x\n2 Q0 a 1 1 x\n3 Q0 a 1 1 x\n")
    return tmp_path


@pytest.mark.parametrize(
    "text",
    [
        "[[[[",
        "a = " + "[" * 100_000,
        "a = " + "{b=" * 20_000,
        "a = " + "9" * 100_000,
        HEAD + "seed = " + "9" * 4_000 + "\n" + QRELS,
        HEAD + "title = 0x" + "f" * 5_000 + "\n" + QRELS,
        HEAD + QRELS + "[reading]\nrel = " + "9" * 400,
        HEAD + QRELS + "[tests]\nmargin = " + "9" * 400,
        HEAD + QRELS.replace("qrels.txt", "a\\u0000b"),
        HEAD + QRELS + '[groups]\npath = "a\\u0000b"\n',
        'a = "\\ud800"',
    ],
    ids=lambda text: text[-20:],
)
def test_protocols(folder: Path, text: str) -> None:
    Path("p.toml").write_text(text)
    ended = cranfield("evaluate", "a.run", "--protocol", "p.toml")
    assert ended.status == 1
    assert "fault of cranfield" not in ended.err
    assert ended.err.startswith(
        ("cranfield: error: p.toml: ", "cranfield: error: a\\x00b: ", "cranfield: error: qrels.txt: ")
    )


def test_a_column_that_the_command_line_would_read_as_two(folder: Path) -> None:
    held = QRELS.replace("0" * 64, hashlib.sha256(Path("qrels.txt").read_bytes()).hexdigest())
    Path("p.toml").write_text(HEAD + held + '[reading]\ncolumns = {topic = "a,document=b"}\n')
    ended = cranfield("evaluate", "a.run", "--protocol", "p.toml")
    assert ended.status == 2
    assert "p.toml names 'a,document=b', and --columns separates them by commas" in ended.err


def bad_text() -> pa.Array:
    """Six texts, of which some are no UTF-8."""
    offsets = pa.py_buffer(np.arange(7, dtype=np.int32).tobytes())
    return pa.Array.from_buffers(pa.string(), 6, [None, offsets, pa.py_buffer(b"\xff\xfe\xffa\xc0b")])


@pytest.mark.parametrize("column", ["system", "topic"])
def test_scores_in_parquet_that_are_no_text(tmp_path: Path, column: str) -> None:
    columns = {"system": ["a", "b"] * 3, "topic": [*"112233"], "AP": [0.5] * 6} | {column: bad_text()}
    pq.write_table(pa.table(columns), tmp_path / "s.parquet")
    with pytest.raises(InputError, match=r"s\.parquet: the Parquet data are damaged: .*UTF8"):
        read_scores(tmp_path / "s.parquet")


@pytest.mark.parametrize("column", ["query_id", "doc_id"])
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize(("value", "said"), [("utf8", "damaged: "), ("\0", "no NUL"), ("x" * 5000, "4,096 bytes")])
def test_runs_in_a_data_set_that_are_no_ids(folder: Path, column: str, kind: str, value: str, said: str) -> None:
    columns = {"query_id": ["1"] * 6, "doc_id": [*"abcdef"], "score": [1.0] * 6}
    columns |= {column: bad_text() if value == "utf8" else [value, *"abcde"]}
    table = pa.table(columns)
    if kind == "parquet":
        pq.write_table(table, "r.parquet")
    else:
        with pa.ipc.new_file("r.arrow", table.schema) as file:
            file.write_table(table)
    ended = cranfield("evaluate", "qrels.txt", f"r.{kind}", "--dataset")
    assert ended.status == 1
    assert f"r.{kind}" in ended.err
    assert said in ended.err


@pytest.mark.parametrize("value", ["9" * 4_000, '"\\ud800"', "1e400", "[" * 5_000, "null", "{}"])
@pytest.mark.parametrize("name", ["larger_is_better", "summary", "peer_summary", "signature"])
def test_what_parquet_says_of_a_measure(tmp_path: Path, value: str, name: str) -> None:
    table = pa.table({"system": ["a", "b"] * 3, "topic": [*"112233"], "AP": [0.1, 0.2] * 3})
    text = f'{{"measures": {{"AP": {{"{name}": {value}, "peer_summary_topics": {value}}}}}}}'
    pq.write_table(table.replace_schema_metadata({"cranfield.scores": text}), tmp_path / "s.parquet")
    ended = cranfield("compare", "--scores", tmp_path / "s.parquet")
    assert "fault of cranfield" not in ended.err


@pytest.mark.slow
@pytest.mark.parametrize("tag", ["!!bool x", "!!int ''", "!!timestamp x", "!!float x", "[" * 5_000])
def test_headers_of_ir_metadata(folder: Path, tag: str) -> None:
    Path("m.run").write_text(f"# ir_metadata.start\n# a: {tag}\n# ir_metadata.end\n{Path('a.run').read_text()}")
    ended = cranfield("evaluate", "qrels.txt", "m.run")
    assert ended.status == 0
    assert "m.run:2" in ended.err


@pytest.mark.parametrize("address", ["ucx://h:1", "tls://h:1", "tls://user:SECRET@h:1"])
def test_clusters_that_cannot_be_spoken_to(folder: Path, address: str) -> None:
    ended = cranfield("evaluate", "qrels.txt", "a.run", "--dataset", "--dask", address)
    assert ended.status in (1, 2)
    assert "fault of cranfield" not in ended.err
    assert "SECRET" not in ended.err


def test_names_and_numbers_in_python() -> None:
    for name in ("a\0b", "\ud800"):
        with pytest.raises(InputError, match="is not a path"):
            read_run(name)
    judged, run = {"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}, "2": {"b": 1.0}}
    scores = evaluate({"a": run, "b": {"1": {"a": 1.0}, "2": {"a": 1.0}}}, judged, "AP")
    for number in (10**400, 10**5000):
        with pytest.raises(UsageError, match=r"^margin="):
            compare(scores["AP"], margin=number)


@pytest.mark.parametrize("text", ['{"_id": "\\ud800", "text": "x"}', json.dumps({"\ud800": "x"})])
def test_topics_that_are_no_text(folder: Path, text: str) -> None:
    Path("t.json").write_text(text)
    ended = cranfield("report", "qrels.txt", "a.run", "--topics", "t.json", "-o", "page.html")
    assert (ended.status, ended.err.count("not valid Unicode text")) == (1, 1)


def test_a_message_names_some_of_many_files(tmp_path: Path) -> None:
    for number in range(12):
        table = pa.table({"system": ["a", "b"], "topic": ["1", "1"], "AP": [0.1, 0.2]})
        pq.write_table(table, tmp_path / f"part-{number:02}.parquet")
    with pytest.raises(
        InputError, match=r"has two rows of topic '1', here and in .* and 6 more: give each once"
    ) as raised:
        read_scores(tmp_path)
    assert str(raised.value).count(".parquet") == 6

"""Reading that begins before anyone waits for it gives what reading gives, and nobody else takes it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield import reference_engine
from cranfield.collection.policy import Policy
from cranfield.compiled import before_numpy
from cranfield.errors import EngineError
from cranfield.io import ahead

QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 2\n"
OTHERS = "1 0 a 0\n1 0 b 3\n"
RUN = "1 Q0 b 1 2.0 x\n1 Q0 a 2 2.0 x\n2 Q0 d 1 1.0 x\n2 Q0 c 2 0.5 x\n"


def same(found: Any, expected: Any) -> None:
    assert set(found) == set(expected)
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(found[name], value)
        else:
            assert found[name] == value, name


def pipe(folder: Path, name: str, text: str) -> str:
    """A pipe that gives its text once: whoever reads it later waits for ever."""
    path = folder / name
    os.mkfifo(path)
    threading.Thread(target=path.write_text, args=[text], daemon=True).start()
    return str(path)


def index_of(engine: Any, qrels: Any) -> Any:
    return engine.index(list(qrels["topics"]), qrels["starts"], qrels["data"], qrels["offsets"])


def judged(engine: Any, run: Any, qrels: Any, ties: str = "trec", sign: bool = True) -> Any:
    return engine.judge_file(run, "trec", 0, index_of(engine, qrels), ties, "error", 2, sign)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    engine = before_numpy()
    if engine is not None:
        engine.end_reading()


@pytest.mark.parametrize("ties", ["trec", "docid", "expected"])
def test_what_was_read_ahead_is_what_reading_gives(tmp_path: Path, compiled: Any, ties: str) -> None:
    qrels, run = pipe(tmp_path, "qrels", QRELS), pipe(tmp_path, "run", RUN)
    compiled.begin_reading(qrels, 0, run, ties, "error", 2, True)
    read = compiled.read_qrels(qrels, "trec", 0)
    expected = reference_engine.read_qrels(QRELS.encode(), "trec", 0)
    same(read, expected)
    same(judged(compiled, run, read, ties), judged(reference_engine, RUN.encode(), expected, ties))


def test_it_is_taken_once(tmp_path: Path, compiled: Any) -> None:
    qrels = tmp_path / "qrels"
    os.mkfifo(qrels)
    compiled.begin_reading(str(qrels), 0, None, "trec", "error", 1, True)
    qrels.write_text(QRELS)
    assert len(compiled.read_qrels(str(qrels), "trec", 0)["topics"]) == 2
    qrels.unlink()
    qrels.write_text(OTHERS)
    same(compiled.read_qrels(str(qrels), "trec", 0), reference_engine.read_qrels(OTHERS.encode(), "trec", 0))


@pytest.mark.parametrize(("qrels", "run"), [("1 0 a one\n", RUN), (QRELS, "1 Q0 a 1 high x\n"), ("", RUN), (QRELS, "")])
def test_a_refusal_is_the_same(tmp_path: Path, compiled: Any, qrels: str, run: str) -> None:
    named = str(tmp_path / "qrels"), str(tmp_path / "run")
    for path, text in zip(named, (qrels, run), strict=True):
        Path(path).write_text(text)
    compiled.begin_reading(named[0], 0, named[1], "trec", "error", 2, True)
    refused = []
    for engine, files in ((compiled, named), (reference_engine, (qrels.encode(), run.encode()))):
        with pytest.raises(EngineError) as raised:
            judged(engine, files[1], engine.read_qrels(files[0], "trec", 0))
        error = raised.value
        refused.append((error.code, error.line, error.value, error.number, error.more))
    assert refused[0] == refused[1]


def test_a_file_that_is_not_there_is_refused_by_who_reads_it(tmp_path: Path, compiled: Any) -> None:
    missing = str(tmp_path / "missing")
    compiled.begin_reading(missing, 0, None, "trec", "error", 1, True)
    with pytest.raises(FileNotFoundError):
        compiled.read_qrels(missing, "trec", 0)


def test_who_asks_for_anything_else_reads_it_as_ever(tmp_path: Path, compiled: Any) -> None:
    files = tmp_path / "qrels", tmp_path / "run"
    for path, text in zip(files, (QRELS, RUN), strict=True):
        path.write_text(text)
    qrels, run = map(str, files)
    compiled.begin_reading(qrels, 0, run, "trec", "error", 2, False)
    read = compiled.read_qrels(qrels, "trec", 0)
    others = reference_engine.read_qrels(OTHERS.encode(), "trec", 0)
    # Judged otherwise, hashed, and by other judgments.
    same(judged(compiled, run, read, "docid", False), judged(reference_engine, run, read, "docid", False))
    same(judged(compiled, run, read, "trec", True), judged(reference_engine, run, read, "trec", True))
    same(judged(compiled, run, others, "trec", False), judged(reference_engine, run, others, "trec", False))
    # As it was begun, and once more.
    for _ in range(2):
        same(judged(compiled, run, read, "trec", False), judged(reference_engine, run, read, "trec", False))


def test_the_engine_reads_before_numpy_is_there(tmp_path: Path, compiled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")
    (tmp_path / "qrels").write_text(QRELS)
    program = (
        "import sys\n"
        "from cranfield.compiled import before_numpy, compiled\n"
        "before_numpy().begin_reading(sys.argv[1], 0, None, 'trec', 'error', 1, True)\n"
        "assert 'numpy' not in sys.modules\n"
        "print(compiled().read_qrels(sys.argv[1], 'trec', 0)['grade'].tolist())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "qrels")],
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    assert ended.stdout == "[1.0, 0.0, 2.0]\n"


class Recorder:
    """An engine that notes what is begun, and forgotten."""

    def __init__(self) -> None:
        self.begun: list[tuple[object, ...]] = []
        self.ended = 0

    def begin_reading(self, *given: object) -> None:
        self.begun.append(given)

    def end_reading(self) -> None:
        self.ended += 1


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    found = Recorder()
    monkeypatch.setattr(ahead, "before_numpy", lambda: found)
    monkeypatch.setattr(ahead, "cpus", lambda: 3)
    monkeypatch.delenv("CRANFIELD_ENGINE", raising=False)
    return found


POLICY = Policy(ties="docid", on_duplicate="first")


def begin(qrels: str, *runs: str, input_format: str = "auto", sign: bool = False) -> None:
    with ahead.reading_ahead(qrels, runs, POLICY, input_format=input_format, sign=sign):
        pass


def test_what_is_begun(tmp_path: Path, recorder: Recorder) -> None:
    qrels, one, other = (str(tmp_path / name) for name in ("qrels", "one", "other"))
    for path in (qrels, one, other):
        Path(path).write_text("")
    begin(qrels, one, sign=True)
    begin(qrels, one, other, input_format="trec")
    begin(qrels, "-")
    assert recorder.begun == [
        (qrels, 0, one, "docid", "first", 3, True),
        (qrels, 0, None, "docid", "first", 3, False),
        (qrels, 0, None, "docid", "first", 3, False),
    ]
    assert recorder.ended == 3
    recorder.begun.clear()
    os.mkfifo(tmp_path / "pipe")
    for given in ("-", "irds:x/y", str(tmp_path), str(tmp_path / "pipe"), "a\0b", str(tmp_path / "missing")):
        begin(given, one)
    begin(qrels, one, input_format="parquet")
    assert recorder.begun == []


def test_the_reference_engine_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "reference")
    assert before_numpy() is None


def test_nothing_is_kept_beyond_its_end(tmp_path: Path, compiled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")
    qrels = tmp_path / "qrels"
    qrels.write_text(QRELS)
    begin(str(qrels))
    qrels.write_text(OTHERS)
    same(compiled.read_qrels(str(qrels), "trec", 0), reference_engine.read_qrels(OTHERS.encode(), "trec", 0))

"""Reading that begins before anyone waits for it gives what reading gives, and nobody else takes it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cranfield import reference_engine as reference
from cranfield.engine import before_numpy
from cranfield.errors import EngineError

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


def begin_reading(
    engine: Any, qrels: str, *runs: str, ties: str = "trec", sign: bool = True, whole: bool = False, first: bool = False
) -> None:
    engine.begin_reading(qrels, 0, list(runs), ties, "first" if first else "error", 2, 2, sign, whole)


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    yield
    engine = before_numpy()
    if engine is not None:
        engine.end_reading()


@pytest.mark.parametrize("ties", ["trec", "docid", "expected"])
def test_what_was_read_ahead_is_what_reading_gives(tmp_path: Path, compiled: Any, ties: str) -> None:
    qrels, run = pipe(tmp_path, "qrels", QRELS), pipe(tmp_path, "run", RUN)
    begin_reading(compiled, qrels, run, ties=ties)
    read = compiled.read_qrels(qrels, "trec", 0)
    expected = reference.read_qrels(QRELS.encode(), "trec", 0)
    same(read, expected)
    same(judged(compiled, run, read, ties), judged(reference, RUN.encode(), expected, ties))


def test_it_is_taken_once(tmp_path: Path, compiled: Any) -> None:
    qrels = tmp_path / "qrels"
    os.mkfifo(qrels)
    begin_reading(compiled, str(qrels))
    qrels.write_text(QRELS)
    assert len(compiled.read_qrels(str(qrels), "trec", 0)["topics"]) == 2
    qrels.unlink()
    qrels.write_text(OTHERS)
    same(compiled.read_qrels(str(qrels), "trec", 0), reference.read_qrels(OTHERS.encode(), "trec", 0))


@pytest.mark.parametrize(("qrels", "run"), [("1 0 a one\n", RUN), (QRELS, "1 Q0 a 1 high x\n"), ("", RUN), (QRELS, "")])
def test_a_refusal_is_the_same(tmp_path: Path, compiled: Any, qrels: str, run: str) -> None:
    named = str(tmp_path / "qrels"), str(tmp_path / "run")
    for path, text in zip(named, (qrels, run), strict=True):
        Path(path).write_text(text)
    begin_reading(compiled, *named)
    refused = []
    for engine, files in ((compiled, named), (reference, (qrels.encode(), run.encode()))):
        with pytest.raises(EngineError) as raised:
            judged(engine, files[1], engine.read_qrels(files[0], "trec", 0))
        error = raised.value
        refused.append((error.code, error.line, error.value, error.number, error.more))
    assert refused[0] == refused[1]


def test_a_file_that_is_not_there_is_refused_by_who_reads_it(tmp_path: Path, compiled: Any) -> None:
    missing = str(tmp_path / "missing")
    begin_reading(compiled, missing)
    with pytest.raises(FileNotFoundError):
        compiled.read_qrels(missing, "trec", 0)


def test_who_asks_for_anything_else_reads_it_as_ever(tmp_path: Path, compiled: Any) -> None:
    files = tmp_path / "qrels", tmp_path / "run"
    for path, text in zip(files, (QRELS, RUN), strict=True):
        path.write_text(text)
    qrels, run = map(str, files)
    begin_reading(compiled, qrels, run, sign=False)
    read = compiled.read_qrels(qrels, "trec", 0)
    others = reference.read_qrels(OTHERS.encode(), "trec", 0)
    # Judged otherwise, hashed, and by other judgments.
    same(judged(compiled, run, read, "docid", False), judged(reference, run, read, "docid", False))
    same(judged(compiled, run, read, "trec", True), judged(reference, run, read, "trec", True))
    same(judged(compiled, run, others, "trec", False), judged(reference, run, others, "trec", False))
    # As it was begun, and once more.
    for _ in range(2):
        same(judged(compiled, run, read, "trec", False), judged(reference, run, read, "trec", False))


def many(folder: Path, count: int) -> tuple[str, list[str]]:
    """Judgments and runs, each with a score of its own."""
    (folder / "qrels").write_text(QRELS)
    paths = [folder / f"run{number}" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_text(RUN.replace("0.5", f"0.{number:02}5"))
    return str(folder / "qrels"), [str(path) for path in paths]


@pytest.mark.parametrize("order", [1, -1])
def test_many_runs_are_read_ahead_in_either_way(tmp_path: Path, compiled: Any, order: int) -> None:
    """More than are begun before somebody asks, asked for in their order and in the other one, by several threads."""
    qrels, runs = many(tmp_path, 70)
    expected = reference.read_qrels(QRELS.encode(), "trec", 0)
    begin_reading(compiled, qrels, *runs)
    index = index_of(compiled, compiled.read_qrels(qrels, "trec", 0))
    asked = runs[::order]
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda run: compiled.judge_file(run, "trec", 0, index, "trec", "error", 2, True), asked))
    for run, one in zip(asked, found, strict=True):
        same(one, judged(reference, Path(run).read_bytes(), expected))
    begin_reading(compiled, qrels, *runs, whole=True)
    with ThreadPoolExecutor(3) as pool:
        wholes = list(pool.map(lambda run: compiled.read_run(run, "trec", 0, "error"), asked))
    for run, whole in zip(asked, wholes, strict=True):
        same(whole, reference.read_run(Path(run).read_bytes(), "trec", 0, "error"))


def test_a_run_is_read_as_a_whole_before_it_is_asked_for(tmp_path: Path, compiled: Any) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    runs = [pipe(tmp_path, name, RUN) for name in ("one", "other")]
    begin_reading(compiled, str(tmp_path / "qrels"), *runs, whole=True)
    for run in runs:
        same(compiled.read_run(run, "trec", 0, "error"), reference.read_run(RUN.encode(), "trec", 0, "error"))


@pytest.mark.parametrize("text", ["", "1 Q0 a 1 high x\n", "1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n"])
def test_a_refusal_of_a_whole_run_is_the_same(tmp_path: Path, compiled: Any, text: str) -> None:
    (tmp_path / "qrels").write_text(QRELS)
    run = tmp_path / "run"
    run.write_text(text)
    begin_reading(compiled, str(tmp_path / "qrels"), str(run), whole=True)
    refused = []
    for engine, given in ((compiled, str(run)), (reference, text.encode())):
        with pytest.raises(EngineError) as raised:
            engine.read_run(given, "trec", 0, "error")
        error = raised.value
        refused.append((error.code, error.line, error.value, error.number, error.more))
    assert refused[0] == refused[1]
    # Asked for in another way, and once more.
    for duplicates in ("first", "error"):
        assert outcome(compiled, str(run), duplicates) == outcome(reference, text.encode(), duplicates)


def outcome(engine: Any, run: Any, on_duplicate: str) -> object:
    try:
        found = engine.read_run(run, "trec", 0, on_duplicate)
    except EngineError as error:
        return error.code, error.line
    return found["score"].tolist()


def test_runs_of_other_judgments_are_not_waited_for(tmp_path: Path, compiled: Any) -> None:
    """Judgments may be cut to some topics after they were read: what was begun is given up then."""
    qrels, runs = many(tmp_path, 40)
    begin_reading(compiled, qrels, *runs)
    compiled.read_qrels(qrels, "trec", 0)
    others = reference.read_qrels(OTHERS.encode(), "trec", 0)
    for run in runs:
        same(judged(compiled, run, others), judged(reference, Path(run).read_bytes(), others))


def test_nobody_waits_for_judgments_that_are_refused(tmp_path: Path, compiled: Any) -> None:
    qrels, runs = many(tmp_path, 3)
    Path(qrels).write_text("1 0 a one\n")
    begin_reading(compiled, qrels, *runs)
    with pytest.raises(EngineError):
        compiled.read_qrels(qrels, "trec", 0)
    read = reference.read_qrels(QRELS.encode(), "trec", 0)
    same(judged(compiled, runs[0], read), judged(reference, Path(runs[0]).read_bytes(), read))


def test_the_engine_reads_before_numpy_is_there(tmp_path: Path, compiled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")
    (tmp_path / "qrels").write_text(QRELS)
    program = (
        "import sys\n"
        "from cranfield.engine import before_numpy, compiled\n"
        "before_numpy().begin_reading(sys.argv[1], 0, [], 'trec', 'error', 1, 1, True, False)\n"
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


def test_the_reference_engine_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "reference")
    assert before_numpy() is None


def test_nothing_is_kept_beyond_its_end(tmp_path: Path, compiled: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRANFIELD_ENGINE", "compiled")
    qrels = tmp_path / "qrels"
    qrels.write_text(QRELS)
    begin_reading(compiled, str(qrels))
    compiled.end_reading()
    qrels.write_text(OTHERS)
    same(compiled.read_qrels(str(qrels), "trec", 0), reference.read_qrels(OTHERS.encode(), "trec", 0))

"""Programs under the suite that do not keep to the protocol: none outlives its time, none fills the memory."""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cranfield.conformance import ConformanceCase, read_cases, run

SUITE = Path(__file__).parents[2] / "conformance"
HEAD = """
import json, os, subprocess, sys, time
def ids():
    for line in sys.stdin:
        yield json.loads(line)["id"]
def say(**answer):
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(scope="module")
def cases() -> list[ConformanceCase]:
    return [case for case in read_cases(SUITE / "all.jsonl") if case.id.startswith("precision-at-5--")][:5]


Rows = list[dict[str, Any]]
Answers = Callable[..., Rows]


@pytest.fixture
def answers(tmp_path: Path, cases: list[ConformanceCase], monkeypatch: pytest.MonkeyPatch) -> Answers:
    """The rows of a program of this text, which has so many seconds a case."""

    def answer(text: str, *, seconds: float = 20.0, count: int = 5) -> Rows:
        monkeypatch.setattr("cranfield.conformance.programs.SECONDS", seconds)
        path = tmp_path / "tool.py"
        path.write_text(HEAD + text)
        return list(run(cases[:count], [sys.executable, str(path)]).cases.to_dict("records"))

    return answer


def is_alive(process: int) -> bool:
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def await_end(process: int) -> bool:
    """Whether a process ends within seconds."""
    until = time.monotonic() + 5
    while is_alive(process) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_alive(process)


CHILD = """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"] {options})
open({path!r}, "w").write(str(child.pid))
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to look a process up in")
@pytest.mark.parametrize(
    "ends", ["for name in ids(): say(id=name, mean=0.5)", "sys.exit('no memory')", "time.sleep(300)"]
)
def test_what_a_program_began_ends_with_it(
    tmp_path: Path, cases: list[ConformanceCase], answers: Answers, ends: str
) -> None:
    started = time.monotonic()
    child = CHILD.format(options="", path=str(tmp_path / "child"))
    found = answers(f"{child}\n{ends}\n", seconds=3.0)
    assert time.monotonic() - started < 12
    assert await_end(int((tmp_path / "child").read_text()))
    if "memory" in ends:
        assert found[0]["message"] == "the program ended, or closed its output, too early; its last error: no memory"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc to look a process up in")
def test_a_process_of_another_group_is_not_waited_for(
    tmp_path: Path, cases: list[ConformanceCase], answers: Answers
) -> None:
    """It keeps the pipes open; it is not ours to end, and nothing waits for it."""
    started = time.monotonic()
    child = CHILD.format(options=", start_new_session=True", path=str(tmp_path / "child"))
    found = answers(f"{child}\nfor name in ids(): say(id=name, mean=0.5)\nsys.exit(3)\n")
    process = int((tmp_path / "child").read_text())
    try:
        assert is_alive(process) and time.monotonic() - started < 10
        assert [answer["got"] for answer in found] == [0.5] * len(cases)
    finally:
        os.kill(process, signal.SIGKILL)


def test_a_program_without_line_ends(tmp_path: Path, cases: list[ConformanceCase], answers: Answers) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = answers("while True: sys.stdout.write('x' * 1_000_000)\n")
    assert found[0]["message"].startswith("the program wrote a line of more than 1,000,000 bytes")
    assert {answer["message"] for answer in found} == {found[0]["message"]}
    found = answers("while True: sys.stderr.write('x' * 1_000_000)\n", seconds=1.5)
    assert found[0]["message"].startswith("the program took longer than 1.5 s")
    found = answers("while True: say(id='x' * 100_000)\n")
    assert "another answer than that of" in found[0]["message"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_a_program_that_does_not_read(
    tmp_path: Path, cases: list[ConformanceCase], answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe holds some cases: what no longer fits is not waited for."""
    monkeypatch.setattr("cranfield.conformance.programs.write_case", lambda question: " " * 200_000)
    started = time.monotonic()
    found = answers("time.sleep(300)\n", seconds=1.0)
    assert found[0]["message"].startswith("the program took longer than 1 s") and time.monotonic() - started < 8


ODD = [
    ("for name in ids(): say(id=name, mean=0.5); say(id=name, mean=0.5)", 1, "another answer than that of"),
    ("print('{\"id\": \"' + next(ids()) + '\", \"mean\": 1, \"mean\": 0.5}')", 0, "(the key 'mean' is there twice)"),
    ("print('[' * 100_000)", 0, "(it is nested too deep)"),
    ("print('1' * 5_000)", 0, "has 5,000 characters, more than 100)"),
    ("sys.stdout.buffer.write(bytes([255, 10]))", 0, "what is not UTF-8"),
    ("print('[]')", 0, "another answer than that of"),
    ("next(ids()); time.sleep(300)", 0, "took longer than"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "number", "message"), ODD)
def test_odd_answers(
    tmp_path: Path, cases: list[ConformanceCase], answers: Answers, text: str, number: int, message: str
) -> None:
    found = answers(f"{text}\nsys.stdout.flush()\n", seconds=3.0)
    assert message in found[number]["message"]
    assert {answer["message"] for answer in found[number:]} == {found[number]["message"]}


def test_an_answer_too_many_fails_the_last_case(tmp_path: Path, cases: list[ConformanceCase], answers: Answers) -> None:
    found = answers("for name in ids(): say(id=name, mean=0.5)\nsay(id=name, mean=0.5)\n")
    assert found[-2]["got"] == 0.5
    assert "the program wrote more than an answer a case: {" in found[-1]["message"]


def test_a_last_answer_without_a_line_end(tmp_path: Path, cases: list[ConformanceCase], answers: Answers) -> None:
    text = "sys.stdout.write(json.dumps({'id': next(ids()), 'mean': 0.5})); sys.stdout.flush()\n"
    assert answers(text, count=1)[0]["got"] == 0.5


def test_nan_is_undefined(tmp_path: Path) -> None:
    case = next(case for case in read_cases(SUITE) if "undefined" in case.expected.get("topics", {}).values())
    known = {t: None if v == "undefined" else float(v["decimal"]) for t, v in case.expected["topics"].items()}
    text = f"for name in ids(): say(id=name, topics={known!r})\n".replace("None", "float('nan')")
    path = tmp_path / "tool.py"
    path.write_text(HEAD + text)
    assert run([case], [sys.executable, str(path)]).passed == 1


def test_no_answer_is_not_an_undefined_mean(tmp_path: Path) -> None:
    """A mistake that leaves the mean undefined was said to explain a program that wrote nothing."""
    undefined = [case for case in read_cases(SUITE) if "undefined" in case.wrong.values()]
    assert undefined
    result = run(undefined[:3], lambda case: {"id": case.id, "error": "ended early"})
    assert set(result.cases["explained_by"]) == {"unexplained"}


def test_values_that_are_no_numbers_are_named() -> None:
    """A program that writes its numbers as text would only be wrong, without a word, in every case."""
    case = next(case for case in read_cases(SUITE) if "refuse" not in case.expected)
    for answer, message in (
        ({"mean": "0.5"}, "the mean of the answer is not a number: '0.5'"),
        ({"mean": True}, "the mean of the answer is not a number: True"),
        ({"topics": {"q1": [0.5]}}, "the topic q1 of the answer is not a number: [0.5]"),
        ({"mean": None}, ""),
    ):
        result = run([case], lambda case, answer=answer: {"id": case.id, **answer})  # type: ignore[misc]
        assert result.cases["message"].tolist() == [message]

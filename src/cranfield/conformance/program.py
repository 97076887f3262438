"""A program as a tool under test: it reads a case a line, without answers, and writes an answer a line."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import IO, Any

from cranfield._text import shown
from cranfield.conformance.cases import Case, write_case
from cranfield.errors import UsageError

SECONDS = 30.0
"""How long a program may take for one case."""


def answer_by_program(
    cases: Sequence[Case], command: Sequence[str], *, seconds: float = SECONDS
) -> Iterator[dict[str, Any]]:  # fmt: skip
    """The answers of a program, in the order of the cases.

    A program that ends early, takes too long, or writes anything but the answer of the case, fails this case and all
    that follow; the error quotes the last line of what it wrote as an error.

    Raises:
        UsageError: the program cannot be started.
    """
    try:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"the program {shown(' '.join(command), 200)} cannot be started: {error}") from None
    assert process.stdin and process.stdout and process.stderr, "all three are pipes"
    lines = _read_in_background(process.stdout)
    errors = _read_in_background(process.stderr)
    fault = ""
    try:
        for case in cases:
            answer: dict[str, Any] = {}
            if not fault:
                answer, fault = _ask(process.stdin, lines, case, seconds)
                if fault:
                    process.kill()
                    process.wait()
                    fault = f"{fault}{_last_line(errors)}"
            yield answer if not fault else {"id": case.id, "error": fault}
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            _close(stream)


def _ask(entry: IO[str], lines: queue.Queue[str | None], case: Case, seconds: float) -> tuple[dict[str, Any], str]:
    """The answer to one case; or what is wrong."""
    try:
        entry.write(f"{write_case(case.question)}\n")
        entry.flush()
    except OSError:
        return {}, "the program ended early"
    try:
        line = lines.get(timeout=seconds)
    except queue.Empty:
        return {}, f"the program took longer than {seconds:g} s for {case.id}"
    if line is None:
        return {}, "the program ended early"
    try:
        answer = json.loads(line)
    except ValueError:
        return {}, f"the program wrote what is not JSON: {shown(line.strip(), 80)}"
    if not isinstance(answer, dict) or answer.get("id") != case.id:
        return {}, f"the program wrote another answer than that of {case.id}: {shown(line.strip(), 80)}"
    return answer, ""


def _read_in_background(stream: IO[str]) -> queue.Queue[str | None]:
    """The lines of a stream as they come, then None."""
    lines: queue.Queue[str | None] = queue.Queue()

    def read() -> None:
        try:
            for line in stream:
                lines.put(line)
        except (OSError, ValueError):  # it was closed, or is not text
            pass
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _last_line(errors: queue.Queue[str | None]) -> str:
    last = ""
    while (line := errors.get()) is not None:
        last = line.strip() or last
    return f"; its last error: {shown(last, 200)}" if last else ""


def _close(stream: IO[str]) -> None:
    try:
        stream.close()
    except OSError:  # what was not read yet cannot be written any more
        return

"""A program as a tool under test: it reads a case a line, without answers, and writes an answer a line.

Nothing that a program does keeps the runner waiting beyond its time, or fills the memory: what it reads and writes goes
through threads that hold a line at a time, and the whole group of processes that it began is ended with it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from json import JSONDecodeError
from typing import IO, Any

from cranfield._text import shown
from cranfield.conformance.cases import ConformanceCase, read_json, write_case
from cranfield.errors import UsageError

SECONDS = 30.0
"""The time that a program may take for one case, in seconds."""
GRACE = 2.0
"""The time that a program may take to end, in seconds, when it has all cases."""
LONGEST_ANSWER = 1_000_000
"""Bytes of an answer, at most."""
LONGEST_ERROR = 4_096
"""Bytes of what a program wrote last as an error, which a message quotes a part of."""
WAITING = 4
"""Lines that are read before they are asked for, at most."""
MOMENT = 0.1
"""Seconds after which a thread looks whether it is still needed."""


def answer_by_program(cases: Sequence[ConformanceCase], command: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The answers of a program, in the order of the cases.

    A program that ends early, takes too long, or writes anything but the answer of the case, fails this case and all
    that follow; one that writes more after its last answer fails the last. The error quotes the last line of what the
    program wrote as an error.

    Raises:
        UsageError: the program cannot be started.
    """
    with _start(command) as program:
        fault = ""
        for number, case in enumerate(cases, 1):
            answer: Mapping[str, Any] = {}
            if not fault:
                answer, fault = program.ask(case)
                if not fault and number == len(cases):
                    fault = program.end()
                if fault:
                    program.kill()
                    fault = f"{fault}{program.last_error()}"
            yield {"id": case.id, "error": fault} if fault else dict(answer)


@contextlib.contextmanager
def _start(command: Sequence[str]) -> Iterator[_RunningProgram]:
    """A program that runs, in a group of processes of its own; at the end nothing of the group is left.

    Raises:
        UsageError: it cannot be started.
    """
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True)
    except (OSError, ValueError) as error:
        raise UsageError(f"the program {shown(' '.join(command), 200)} cannot be started: {error}") from None
    assert process.stdin and process.stdout and process.stderr, "all three are pipes"
    program = _RunningProgram(process, _Writer(process.stdin), _LineReader(process.stdout), _TailReader(process.stderr))
    try:
        yield program
    finally:
        program.kill()


@dataclass(frozen=True)
class _RunningProgram:
    """A program that runs, with the threads that write to it and read from it."""

    process: subprocess.Popen[bytes]
    entry: _Writer
    lines: _LineReader
    errors: _TailReader

    def ask(self, case: ConformanceCase) -> tuple[Mapping[str, Any], str]:
        """The answer to one case; or what is wrong."""
        self.entry.write(f"{write_case(case.question)}\n")
        try:
            line = self._wait(SECONDS)
        except queue.Empty:
            return {}, f"the program took longer than {SECONDS:g} s for {case.id}"
        if line is None:
            return {}, self.lines.fault or "the program ended, or closed its output, too early"
        try:
            text = line.decode()
        except UnicodeDecodeError:
            return {}, f"the program wrote what is not UTF-8: {shown(repr(line[:80]), 80)}"
        try:
            answer = read_json(text, parse_constant=float)  # many programs write NaN for what is undefined
        except ValueError as error:
            reason = "" if isinstance(error, JSONDecodeError) else f" ({shown(str(error), 200)})"
            return {}, f"the program wrote what is not JSON: {shown(text.strip(), 80)}{reason}"
        if not isinstance(answer, dict) or answer.get("id") != case.id:
            return {}, f"the program wrote another answer than that of {case.id}: {shown(text.strip(), 80)}"
        return answer, ""

    def _wait(self, seconds: float) -> bytes | None:
        """The next line; None where none comes, as the program has ended, whoever holds its output open.

        Raises:
            queue.Empty: none has come in time.
        """
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            has_ended = _has_ended(self.process)
            try:
                return self.lines.get(MOMENT)
            except queue.Empty:
                if has_ended:
                    return None
        raise queue.Empty

    def end(self) -> str:
        """Tell the program that there is no further case, and wait a little for its end; what is wrong."""
        self.entry.close()
        with contextlib.suppress(queue.Empty):
            line = self._wait(GRACE)
            if line is not None:
                return f"the program wrote more than an answer a case: {shown(line.decode(errors='replace').strip())}"
        return self.lines.fault

    def kill(self) -> None:
        """End the program and all that it began in its group; nothing is waited for that is not of the group."""
        if self.process.returncode is None or sys.platform == "win32":
            # Before it is waited for: until then no other group of processes can have its number.
            _kill_group(self.process)
            self.process.wait()
        self.entry.close()
        for reader in (self.lines, self.errors):
            reader.close()

    def last_error(self) -> str:
        """The last line of what it wrote as an error, as the end of a sentence; empty where it wrote none."""
        return f"; its last error: {shown(self.errors.last, 200)}" if self.errors.last else ""


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a program has ended; it is not collected, so that its number stays that of its group."""
    if sys.platform == "win32":
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS refuses it where all have ended
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


class _Writer:
    """Writes lines to a program that may not read them, so that nobody waits for it.

    Args:
        stream: of the program, which the thread closes.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def write(self, line: str) -> None:
        """Write a line when the program reads it."""
        self._lines.put(line)

    def close(self) -> None:
        """Write no further line."""
        self._lines.put(None)

    def _run(self) -> None:
        # A program that ended, or closed its input, is noticed by what it does not write.
        with contextlib.suppress(OSError), self._stream:
            while (line := self._lines.get()) is not None:
                left = memoryview(line.encode())
                while left:
                    left = left[self._stream.write(left) :]


class _OutputReader:
    """Reads what a program writes, in a thread that closes the stream when it ends, or when no end is in sight.

    Args:
        stream: of the program. A process outside of its group may hold it open for ever.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Let the thread end, and wait a moment for it; it reads what a program that has ended left behind."""
        self._thread.join(MOMENT)
        self._closed.set()
        self._thread.join(MOMENT)

    def _run(self) -> None:
        with self._stream:
            # The stream has no buffer: a chunk is what is there.
            while not self._closed.is_set() and (chunk := self._stream.read(65_536)):
                if not self.take(chunk):
                    break
        self.finish()

    def take(self, chunk: bytes) -> bool:
        """Take what was read; whether more is wanted."""
        raise NotImplementedError

    def finish(self) -> None:
        """Take note that nothing more comes."""


class _LineReader(_OutputReader):
    """The lines of a program as they come, a few at a time."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.fault = ""
        self._rest = b""
        self._queue: queue.Queue[bytes | None] = queue.Queue(WAITING)
        super().__init__(stream)

    def get(self, seconds: float) -> bytes | None:
        """The next line; None where no further one comes.

        Raises:
            queue.Empty: none has come in time.
        """
        return self._queue.get(timeout=seconds)

    def take(self, chunk: bytes) -> bool:
        """Split it into lines; a line that is too long ends the reading."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if max(map(len, [*lines, self._rest])) > LONGEST_ANSWER:
            self.fault = f"the program wrote a line of more than {LONGEST_ANSWER:,} bytes"
            return False
        return all(map(self._put, lines))

    def finish(self) -> None:
        """Return what stands behind the last line end is a line, too."""
        if self._rest and not self.fault:
            self._put(self._rest)
        self._put(None)

    def _put(self, line: bytes | None) -> bool:
        """Hand over a line; whether somebody still wants it."""
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._queue.put(line, timeout=MOMENT)
                return True
        return False


class _TailReader(_OutputReader):
    """The end of what a program writes as errors."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._text = b""
        super().__init__(stream)

    @property
    def last(self) -> str:
        """The last line that holds anything, without what is too long of it; empty where there is none."""
        lines = [line.strip() for line in self._text.decode(errors="replace").splitlines()]
        return next(filter(None, reversed(lines)), "")

    def take(self, chunk: bytes) -> bool:
        """Keep the end."""
        self._text = (self._text + chunk)[-LONGEST_ERROR:]
        return True

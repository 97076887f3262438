"""From what a user names to what an engine reads, and its errors back into words."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar, get_args

from cranfield.collection.reading import InputFormat
from cranfield.contract import Facts, Source
from cranfield.errors import CranfieldError, EngineError, InputError, UsageError
from cranfield.io.messages import missing_file, refusal, several_files
from cranfield.memory import bytes_asked
from cranfield.wording import in_full, remarks, warn

Kind = Literal["run", "qrels"]
Result = TypeVar("Result")

STDIN = "-"


def check_format(word: str) -> None:
    """Raises: UsageError: an input format that does not exist."""
    if word not in get_args(InputFormat):
        raise UsageError(f"input_format={word!r} is not one of {', '.join(get_args(InputFormat))}")


def run_layout(input_format: InputFormat) -> str:
    """How an engine is to read runs: NTCIREVAL's are TREC's."""
    return "trec" if input_format == "ntcir" else input_format


def display_name(path: str) -> str:
    """How messages call a source."""
    return "standard input" if path == STDIN else path


def max_unpacked() -> int:
    """Largest size of an unpacked file; 0 for the engine's own limit.

    Raises:
        UsageError: ``CRANFIELD_MAX_UNPACKED`` is no whole number above 0.
    """
    return bytes_asked("CRANFIELD_MAX_UNPACKED") or 0


def read(path: str, kind: Kind, layout: str, work: Callable[[Source], Result]) -> Result:
    """Do ``work`` on a source, with every failure worded for the user.

    Raises:
        InputError: the file is not there, cannot be read, or is not in its format.
    """
    name = display_name(path)
    if path == STDIN and sys.stdin is None:
        raise InputError("standard input is closed: nothing can be read from it")
    source: Source = path
    try:
        source = _source(path)
        return work(source)
    except EngineError as error:
        if error.code in ("nul", "utf8") and (container := _container(source)):
            raise several_files(name, container) from None
        raise refusal(error, name, kind, layout) from None
    except FileNotFoundError:
        raise missing_file(path) from None
    except (IsADirectoryError, PermissionError, OSError, ValueError) as error:
        if isinstance(error, CranfieldError):
            raise
        if os.path.isdir(path):  # noqa: PTH112  (unlike Path, it answers for any name)
            raise InputError(
                f"{in_full(name)}: is a folder; name its files, for example {in_full(name).rstrip('/')}/*"
            ) from None
        raise InputError(f"{in_full(name)}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _source(path: str) -> Source:
    """What an engine is given: a file's path, and of anything else its bytes.

    A pipe may keep its reader waiting for ever. Python goes on with a signal that comes meanwhile; an engine would not.
    """
    if path == STDIN:
        return sys.stdin.buffer.read()
    kind = os.stat(path).st_mode  # noqa: PTH116  (unlike Path, it answers for any name)
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
        return path
    with open(path, "rb") as stream:  # noqa: PTH123
        return stream.read()


def _container(source: Source) -> str:
    """``zip`` or ``tar``, packed or not, where bytes that hold no lines are one of them; else nothing."""
    from cranfield.reference_engine import text_of

    if isinstance(source, bytes):
        head = source[:512]
    else:
        with open(source, "rb") as stream:  # noqa: PTH123  (any name is answered)
            head = stream.read(512)
    if head.startswith(b"PK\x03\x04"):
        return "zip"
    if head.startswith((b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")):
        try:
            head = text_of(source, max_unpacked())[:512]
        except EngineError:
            return ""
    return "tar" if head[257:262] == b"ustar" else ""


def remark(facts: Facts, name: str, kind: Kind) -> None:
    """Warn of everything that was noticed while reading."""
    for line in remarks(facts, name, kind):
        warn(str(line))


def as_text(path: Any) -> str:
    """A path as text.

    Raises:
        UsageError: it is no path.
    """
    try:
        text = os.fspath(path)
    except TypeError:
        raise UsageError(f"{path!r} is not a path") from None
    return os.fsdecode(text)


def read_lines(path: str) -> list[str]:
    """The lines of a text file that hold anything, without blanks at either end; compressed or not.

    Raises:
        InputError: the file cannot be read, or is not UTF-8 text.
    """
    return [text for _, text in _numbered(path)]


def read_numbered(path: str) -> Iterator[tuple[int, str]]:
    """The same with their numbers from 1, without comments (``#``).

    Raises:
        InputError: the file cannot be read, or is not UTF-8 text.
    """
    return ((number, text) for number, text in _numbered(path) if not text.startswith("#"))


def _numbered(path: str) -> Iterator[tuple[int, str]]:
    from cranfield.reference_engine import text_of

    data = read(path, "run", "trec", lambda source: text_of(source, max_unpacked()))
    try:
        lines = data.removeprefix(b"\xef\xbb\xbf").decode().split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{in_full(display_name(path))}: is not UTF-8 text") from None
    return ((number, text) for number, line in enumerate(lines, 1) if (text := line.strip(" \t\r")))

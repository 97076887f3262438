"""Text for sentences: warnings, untrusted text made safe to show, numbers and lists."""

from __future__ import annotations

import contextlib
import inspect
import math
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any, Protocol

from cranfield._message import for_sentence, message, printable, remove_credentials
from cranfield.errors import CranfieldWarning

_HEARD: ContextVar[list[str] | None] = ContextVar("heard", default=None)


class Remark(Protocol):
    """A remark on the data: a finding of ``cranfield.findings``, or a note on what a page leaves out."""

    @property
    def where(self) -> str:
        """The location, safe to print."""

    @property
    def text(self) -> str:
        """The sentence."""

    @property
    def condensable(self) -> bool:
        """Return whether the first location, and the number of further ones, are enough of several with this text."""


def condensed(remarks: Iterable[Remark]) -> list[str]:
    """One message for each different text: the first location, and the number of further ones."""
    locations: dict[tuple[str, str], list[str]] = {}
    for remark in remarks:
        locations.setdefault((remark.text, "" if remark.condensable else remark.where), []).append(remark.where)
    lines: list[str] = []
    for (text, _), where in locations.items():
        more = f" (and {len(where) - 1:,} more like it)" if len(where) > 1 else ""
        lines.append(message(f"{where[0]}: {for_sentence(text)}{more}"))
    return lines


def quoted(text: str) -> str:
    """Text from a file between quotation marks, safe to print."""
    return f"'{shown(text)}'"


def suggest(name: str, known: Iterable[str]) -> str:
    """End a sentence on an unknown name with the known one nearest to it, or else with a list of the known ones.

    >>> suggest("bm52", ["bm25", "ql"]), suggest("x", ["bm25", "ql"])
    ("did you mean 'bm25'?", "there are 'bm25', 'ql'")
    """
    import difflib

    names = list(known)
    lower = {other.lower(): other for other in reversed(names)}
    near = difflib.get_close_matches(name.lower(), lower, 1)
    if near:
        return f"did you mean {quoted(lower[near[0]])}?"
    return f"there are {join_first([quoted(name) for name in names])}"


def warn(text: str) -> None:
    """Warn, pointing at the line outside this package that led here; or tell those who are ``hearing``."""
    text, heard = message(text), _HEARD.get()
    if heard is not None:
        heard.append(text)
        return
    warnings.warn(text, CranfieldWarning, stacklevel=_frames_inside() + 1)


def warn_condensed(remarks: Iterable[Remark]) -> None:
    """Warn of remarks, a line for those that say the same; see ``condensed``."""
    for line in condensed(remarks):
        warn(line)


def _frames_inside() -> int:
    """The number of frames, from the one that warns, that belong to this package.

    From Python 3.12 on ``warnings.warn(skip_file_prefixes=...)`` counts them itself.
    """
    frames, frame = 0, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "cranfield":
        frames, frame = frames + 1, frame.f_back
    return frames - 1


@contextlib.contextmanager
def hearing() -> Iterator[list[str]]:
    """Collect the warnings of this thread in a list, instead of issuing them; Python's own filters know no threads."""
    texts: list[str] = []
    before = _HEARD.set(texts)
    try:
        yield texts
    finally:
        _HEARD.reset(before)


def cut(text: str, limit: int = 80) -> str:
    """The beginning of a text from a file, as it is there: for programs, not to be printed."""
    return text[:limit]


WORKFLOW_COMMAND = r"(?<!\S):(?=:)|#(?=#\[)"
"""Marks of a command to GitHub's runner: ``::`` at the beginning of a line, as any word of a wrapped line may be, and
``##[`` anywhere."""


def shown(text: str, limit: int = 80) -> str:
    """Text from a file, safe to print: control and invisible characters are written out, and it is cut.

    So is the first letter of what CI systems read as a command in what a program prints.

    >>> print(shown("::add-mask::x"), shown("##[error]x"), shown("std::sort"))
    \\x3a:add-mask::x \\x23#[error]x std::sort
    """
    safe = printable(cut(text, limit) + ("..." if len(text) > limit else ""))
    return re.sub(WORKFLOW_COMMAND, lambda match: f"\\x{ord(match[0]):x}", safe)


def in_full(name: str) -> str:
    """The name of a file, safe to print, without credentials, and not cut however long a path is."""
    return shown(remove_credentials(name), 4096)


def numeral(value: float, form: str) -> str:
    """A number for a sentence, which says ``undefined`` where there is none, and ``infinite``.

    >>> numeral(0.25, ".1%"), numeral(float("nan"), ".3f")
    ('25.0%', 'undefined')
    """
    if math.isfinite(value):
        return format(value, form)
    return "undefined" if math.isnan(value) else "infinite" if value > 0 else "minus infinite"


def percent(value: float) -> str:
    """A share from 0 to 1 for a sentence, which says neither none nor all where it is not.

    >>> [percent(value) for value in (0.25, 0.0, 0.0004, 0.9999, 1.0)]
    ['25.0%', '0.0%', 'less than 0.1%', 'more than 99.9%', '100.0%']
    """
    if 0 < value < 0.001:
        return "less than 0.1%"
    return "more than 99.9%" if 0.999 < value < 1 else numeral(value, ".1%")


def listed(items: Sequence[str], noun: str = "topic") -> str:
    """``topic 7``, or ``12 topics (7, 9, ...)`` with the first five."""
    names = ", ".join(shown(item) for item in items[:5]) + ", ..." * (len(items) > 5)
    return f"{noun} {names}" if len(items) == 1 else f"{len(items):,} {noun}s ({names})"


NAMED = 5
"""Names that a sentence lists; of more, the number."""


def join_first(items: Sequence[str], most: int = NAMED) -> str:
    """Join the first items of a list, and count the others.

    >>> join_first(["a", "b", "c"], 2), join_first(["a", "b"])
    ('a, b and 1 more', 'a, b')
    """
    more = f" and {len(items) - most:,} more" if len(items) > most else ""
    return f"{', '.join(items[:most])}{more}"


def every_one(items: Sequence[str]) -> str:
    """``nDCG@10, AP and RR``."""
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


def drawn(settings: Mapping[str, Any]) -> str:
    """The samples of a test, behind a comma: ``, 1,000 resamples, seed 1``, ``, p from all sign flips``, or nothing.

    Args:
        settings: those of the test: ``resamples``; ``seed``, None where nothing was drawn at random; ``exact_pairs``,
            of how many pairs p is from all sign flips.
    """
    text = "" if settings["seed"] is None else f", {settings['resamples']:,} resamples, seed {settings['seed']}"
    if settings.get("drawn_at_a_time"):
        text += f", {settings['drawn_at_a_time']:,} topics drawn at a time"
    if settings["exact_pairs"]:
        text += ", p from all sign flips" + (f" in {counted(settings['exact_pairs'], 'pair')}" if text else "")
    return text


def counted(count: int, word: str) -> str:
    """``1 topic``, ``1,200 topics``, ``2 families``."""
    return f"{count:,} {_plural(word, count)}"


def _plural(word: str, count: int) -> str:
    if count == 1:
        return word
    return word[:-1] + "ies" if word.endswith("y") else word + "s"


def decode_name(name: str) -> str:
    """A file's name, or any name from Python, as text that UTF-8 holds: ``\\udcff`` for the byte ff.

    >>> decode_name("r\\udcff.run"), decode_name("模型.run")
    ('r\\\\udcff.run', '模型.run')
    """
    return name.encode(errors="backslashreplace").decode()

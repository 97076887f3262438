"""The memory budget of an analysis: work is done in blocks that fit, or refused before it begins."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from contextvars import ContextVar

from cranfield._message import setting
from cranfield.errors import InputError, Located, UsageError

SIZE = r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?"
POWERS = ("", "k", "m", "g", "t")
BUDGET = 1_000_000_000
"""Bytes that the working arrays of one analysis may take, where ``CRANFIELD_MEMORY`` asks for nothing else."""
SHOW_LIMIT = "" if sys.platform == "win32" else " (`ulimit -v` shows its limit)"
"""Advice on how to see the limit on the memory of a process, for a message that it is too low; Windows sets none."""
_ANALYSIS: ContextVar[str] = ContextVar("analysis", default="")


@contextlib.contextmanager
def analysing(name: str) -> Iterator[None]:
    """Name the current analysis, for the message where scores do not fit."""
    token = _ANALYSIS.set(name)
    try:
        yield
    finally:
        _ANALYSIS.reset(token)


def analysed(what: str) -> str:
    """The consumer of memory, with its analysis where that is known: ``risk of 5 topics``."""
    name = _ANALYSIS.get()
    return f"{name} of {what}" if name else what


def require_address_space(needed: int) -> None:
    """Refuse a limit on the addresses of the process (``ulimit -v``) below which libraries cannot be loaded.

    Some of them end the process then, or wait for ever, and say nothing that could be caught.

    Raises:
        InputError: the limit is lower.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY and limit < needed:
        raise InputError(
            f"the process may take {size_in_words(limit)} of addresses (`ulimit -v` shows the limit), and the "
            f"libraries of this command alone take {size_in_words(needed)}: raise the limit",
            code="memory",
        )


def bytes_from_environment(variable: str) -> int | None:
    """The number of bytes in an environment variable; None where it is not set.

    Raises:
        UsageError: it is not a whole number above 0.
    """
    text = os.environ.get(variable, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or int(text) == 0 or int(text) > sys.maxsize:
        raise UsageError(f"{variable}={text!r} should be a number of bytes")
    return int(text)


def parse_size(size: int | str, what: str = "memory") -> int:
    """A number of bytes, or its text: ``500MB``, ``2 GB``, ``1GiB``.

    Raises:
        UsageError: it is not a size above 0.
    """
    match = re.fullmatch(SIZE, size.strip().lower()) if isinstance(size, str) else None
    number = size if isinstance(size, int) and not isinstance(size, bool) else 0
    if match:
        number = int(float(match[1]) * (1024 if match[3] else 1000) ** POWERS.index(match[2]))
    if not 0 < number <= sys.maxsize:
        raise UsageError(f"{setting(what, size)} should be a size such as '500MB' or '2GiB'")
    return number


def budget() -> int:
    """Bytes that the working arrays of one analysis may take, or what a file unpacks to.

    Raises:
        UsageError: ``CRANFIELD_MEMORY`` is not a whole number above 0.
    """
    return bytes_from_environment("CRANFIELD_MEMORY") or BUDGET


def rows_within(columns: int, part: float) -> int:
    """The number of rows of ``columns`` doubles that take up a part of the budget, at least 1."""
    return max(1, int(part * budget()) // (8 * max(1, columns)))


def require(needed: int, what: str, instead: str, *, location: Located | None = None, usual: int = 0) -> None:
    """Refuse what cannot be done within the budget, before it is begun.

    Args:
        needed: bytes at the most.
        what: what would take them.
        instead: what to do.
        location: of the file that is read, if it is one.
        usual: bytes that are never refused, because a file of its size is expected to take as many.

    Raises:
        InputError: it is more than the budget; the message names both sizes.
    """
    if needed > max(limit := budget(), usual):
        raise InputError(
            f"{what} would take {size_in_words(needed)} of memory, of {size_in_words(limit)} allowed: {instead}, "
            "or set CRANFIELD_MEMORY to a larger number of bytes",
            location,
            code="memory",
        )


def size_in_words(size: float) -> str:
    """A number of bytes in the unit that shows it best.

    >>> [size_in_words(size) for size in (3.2e9, 5e5, 80_000, 12)]
    ['3.2 GB', '0.5 MB', '80.0 kB', '12 B']
    """
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit / (10 if name == "MB" else 1):
            return f"{size / unit:,.1f} {name}"
    return f"{size:,.0f} B"

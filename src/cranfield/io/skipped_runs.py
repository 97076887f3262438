"""Runs that are refused: an error, or, inside ``leaving_out``, left out and noted while the others are read."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from cranfield._message import for_sentence
from cranfield._text import quoted
from cranfield.errors import InputError
from cranfield.findings.finding import Finding, finding
from cranfield.findings.location import Location
from cranfield.io.inputs import NamedRun
from cranfield.io.judging import locate_run


@dataclass(frozen=True)
class LeftOut:
    """A run that was refused.

    Args:
        name: of the system.
        location: in its file, or of its data.
        code: why, in one word; see ``InputError``.
        reason: in a sentence, without its location.
    """

    name: str
    location: Location
    code: str
    reason: str

    @classmethod
    def from_error(cls, run: NamedRun, error: InputError) -> LeftOut:
        """A run that was refused, and the error."""
        return cls(run.name, locate_run(run).at(error.line), error.code, error.text)

    def finding(self) -> Finding:
        """The finding that tells a careful reader of it."""
        return finding("left-out", self.location, line=self.location.line, reason=self.reason)

    def signed(self) -> dict[str, str]:
        """The entry of a signature."""
        return {"name": self.name, "code": self.code, "reason": self.reason}


@dataclass(frozen=True)
class _Leaving:
    """The arguments of ``leaving_out``, and the runs that were left out so far."""

    baselines: frozenset[str]
    first: bool
    noted: dict[LeftOut, None]


_leaving: ContextVar[_Leaving | None] = ContextVar("leaving", default=None)


@contextmanager
def leaving_out(baselines: Collection[str] = (), *, first: bool = False) -> Iterator[dict[LeftOut, None]]:
    """Leave out every run that is refused inside, and collect them, each once, in order.

    Args:
        baselines: names of systems that are never left out, since others are compared with them.
        first: whether the first run is one of them.
    """
    leaving = _Leaving(frozenset(baselines), first, {})
    token = _leaving.set(leaving)
    try:
        yield leaving.noted
    finally:
        _leaving.reset(token)


def leaves_out() -> bool:
    """Return whether this is inside ``leaving_out``."""
    return _leaving.get() is not None


def left_so_far() -> tuple[LeftOut, ...]:
    """The runs that were left out so far, in order."""
    leaving = _leaving.get()
    return () if leaving is None else tuple(leaving.noted)


def signed_left_out() -> dict[str, list[dict[str, str]]]:
    """The runs that were left out so far, for a signature; nothing where there are none."""
    leaving = _leaving.get()
    return {"left_out": [run.signed() for run in leaving.noted]} if leaving and leaving.noted else {}


def leave_out(run: NamedRun, error: InputError, *, first: bool) -> LeftOut:
    """Note that a run is refused.

    Args:
        run: that was refused.
        error: why.
        first: whether no run was given before it.

    Raises:
        InputError: the error itself, outside ``leaving_out``; or it is a baseline, which says so.
    """
    leaving = _leaving.get()
    if leaving is None:
        raise error
    left = LeftOut.from_error(run, error)
    if run.name in leaving.baselines or (first and leaving.first):
        text = f"the baseline {quoted(run.name)} is refused, and is never left out: {for_sentence(error.text)}"
        raise type(error)(text, left.location, code=error.code, value=error.value)
    leaving.noted[left] = None
    return left

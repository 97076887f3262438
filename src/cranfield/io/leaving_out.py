"""Runs that are refused: an error, or, inside ``leaving_out``, left out and noted while the others are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from cranfield.errors import InputError
from cranfield.findings.finding import Finding, finding
from cranfield.findings.place import Place
from cranfield.io.judging import place_of
from cranfield.io.runs import NamedRun
from cranfield.records import record


@record(frozen=True)
class LeftOut:
    """A run that was refused.

    Args:
        name: of the system.
        place: in its file, or of its data.
        code: why, in one word; see ``InputError``.
        reason: in a sentence, without its place.
    """

    name: str
    place: Place
    code: str
    reason: str

    @classmethod
    def of(cls, run: NamedRun, error: InputError) -> LeftOut:
        """A run, and what was raised while it was read."""
        return cls(run.name, place_of(run).at(error.line), error.code, error.text)

    def finding(self) -> Finding:
        """What a careful reader is told of it."""
        return finding("left-out", self.place, line=self.place.line, reason=self.reason)

    def signed(self) -> dict[str, str]:
        """What a signature says of it."""
        return {"name": self.name, "code": self.code, "reason": self.reason}


_noted: ContextVar[dict[LeftOut, None] | None] = ContextVar("noted", default=None)


@contextmanager
def leaving_out() -> Iterator[dict[LeftOut, None]]:
    """Leave out every run that is refused inside, and collect them, each once, in order."""
    noted: dict[LeftOut, None] = {}
    token = _noted.set(noted)
    try:
        yield noted
    finally:
        _noted.reset(token)


def leaves_out() -> bool:
    """Whether this is inside ``leaving_out``."""
    return _noted.get() is not None


def signed_left_out() -> dict[str, list[dict[str, str]]]:
    """What a signature says of the runs that were left out so far; nothing where there are none."""
    noted = _noted.get()
    return {"left_out": [one.signed() for one in noted]} if noted else {}


def leave_out(run: NamedRun, error: InputError) -> LeftOut:
    """Note that a run is refused.

    Raises:
        InputError: the error itself, outside ``leaving_out``.
    """
    noted = _noted.get()
    if noted is None:
        raise error
    left = LeftOut.of(run, error)
    noted[left] = None
    return left


def refuse_none_left(kept: Sequence[object], left: Sequence[InputError]) -> None:
    """Raises: InputError: every run was refused; the first of the errors."""
    if left and not kept:
        raise left[0]

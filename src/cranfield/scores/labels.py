"""Names of topics and systems, checked in one place, wherever scores come from."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield._text import cut, quoted
from cranfield.collection.ids import first_repeated, identifier
from cranfield.errors import FormatError, InputError, refusal
from cranfield.findings.location import Place


def named(text: str, what: str, where: Place | str) -> str:
    """A topic's or system's name, as a file holds it.

    Args:
        text: the name.
        what: ``topic`` or ``system``.
        where: it was read, for the message.

    Raises:
        FormatError: it is empty, too long, or holds a NUL.
    """
    if not text:
        raise FormatError(f"a {what} has no name", where, code="id")
    try:
        identifier(text, what, where)
    except InputError as error:
        raise FormatError(error.text, where, code=error.code, value=error.value) from None
    return text


def labels(given: Iterable[object], what: str, where: Place | str) -> tuple[str, ...]:
    """Names of all topics or of all systems.

    Args:
        given: names, or numbers that are names.
        what: ``topic`` or ``system``.
        where: they are, for the message.

    Raises:
        InputError: there is none, or one occurs twice.
    """
    names = tuple(str(name) for name in given)
    if not names:
        raise refusal(f"there is no {what}", where, code="empty")
    twice = first_repeated(names)
    if twice is not None:
        raise refusal(f"{what} {quoted(twice)} occurs twice: rename one", where, code="duplicate", value=cut(twice))
    return names

"""Names of topics and systems, checked in one place, wherever scores come from."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield.collection.identifier import first_repeated, identifier
from cranfield.errors import FormatError, InputError
from cranfield.wording import quoted


def named(text: str, what: str, where: str) -> str:
    """A topic's or system's name, as a file holds it.

    Args:
        text: the name.
        what: ``topic`` or ``system``.
        where: it was read, for the message.

    Raises:
        FormatError: it is empty, too long, or holds a NUL.
    """
    if not text:
        raise FormatError(f"{where}: a {what} has no name")
    try:
        identifier(text, what, where)
    except InputError as error:
        raise FormatError(str(error)) from None
    return text


def labels(given: Iterable[object], what: str, where: str) -> tuple[str, ...]:
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
        raise InputError(f"{where}: there is no {what}")
    twice = first_repeated(names)
    if twice is not None:
        raise InputError(f"{where}: {what} {quoted(twice)} occurs twice: rename one")
    return names

"""Labels of scores, checked wherever these come from: names of topics and systems, and attributes of measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, get_args

from cranfield._text import cut, quoted
from cranfield._validation import first_repeated, is_missing
from cranfield.collection.ids import identifier
from cranfield.errors import FormatError, InputError, refusal
from cranfield.findings.location import Location
from cranfield.measures import Summary
from cranfield.scores.signature import SIGNATURE, ignored, signature_in


def named(text: str, kind: str, where: Location | str) -> str:
    """A topic's or system's name, as a file holds it.

    Args:
        text: the name.
        kind: ``topic`` or ``system``.
        where: it was read, for the message.

    Raises:
        FormatError: it is empty, too long, or holds a NUL.
    """
    if not text:
        raise FormatError(f"a {kind} has no name", where, code="id")
    try:
        identifier(text, kind, where)
    except InputError as error:
        raise FormatError(error.text, where, code=error.code, value=error.value) from None
    return text


def labels(values: Iterable[object], kind: str, where: Location | str) -> tuple[str, ...]:
    """Names of all topics or of all systems.

    Args:
        values: names, or numbers that are names.
        kind: ``topic`` or ``system``.
        where: they are, for the message.

    Raises:
        InputError: there is none, or one occurs twice.
    """
    given = list(values)
    if any(map(is_missing, given)):
        raise refusal(f"a {kind} has no name: give it one, or leave it out", where, code="empty-name")
    names = tuple(map(str, given))
    if not names:
        raise refusal(f"there is no {kind}", where, code="empty")
    twice = first_repeated(names)
    if twice is not None:
        raise refusal(f"{kind} {quoted(twice)} occurs twice: rename one", where, code="duplicate", value=cut(twice))
    return names


def known_attributes(attributes: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Attributes of scores without those of our names that have invalid values; a warning names these."""
    known = dict(attributes)
    if signature_in(known, where) is None:
        known.pop(SIGNATURE, None)
    for name, (is_ours, expected) in OURS.items():
        if name in known and not is_ours(known[name]):
            ignored(name, known.pop(name), expected, where)
        elif name in known and hasattr(known[name], "item"):
            known[name] = known[name].item()  # a number of NumPy, which JSON does not take
    if "peer_summary" not in known or "peer_summary_topics" not in known:
        for name in ("peer_summary", "peer_summary_topics"):
            known.pop(name, None)
    return known


def _is_number(value: Any) -> bool:
    value = value.item() if getattr(value, "shape", None) == () else value
    try:
        return isinstance(value, Real) and not math.isinf(value)
    except OverflowError:  # an integer that no float holds
        return False


OURS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "summary": (lambda value: isinstance(value, str) and value in get_args(Summary), ", ".join(get_args(Summary))),
    "larger_is_better": (lambda value: _is_number(value) and value in (0, 1), "0 or 1"),
    "peer_summary": (_is_number, "a number"),
    "peer_summary_topics": (_is_number, "a number"),
}
"""Attribute -> whether a value can be one that cranfield writes, and what it should be."""

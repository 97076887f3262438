"""Ids of topics and documents given from Python: strings, or whole numbers that are written out."""

from __future__ import annotations

from collections.abc import Iterable

from cranfield._text import cut
from cranfield.errors import Located, refusal

LONGEST = 4096
"""Bytes of the longest id."""


def identifier(value: object, what: str, where: Located | str) -> bytes:
    """An id as UTF-8.

    Raises:
        InputError: no string or whole number, empty, longer than 4,096 bytes, or not valid text.
    """
    if isinstance(value, str):
        text = value
    elif hasattr(value, "__index__") and not isinstance(value, bool):
        try:
            text = str(value.__index__())
        except ValueError:  # which Python does not write out
            reason = f"a {what} id has 1 to {LONGEST:,} bytes, not a whole number of thousands of digits"
            raise refusal(reason, where, code="id") from None
    else:
        text = f"the {what} id {value!r} is a {type(value).__name__}; ids are strings"
        raise refusal(text, where, code="id", value=cut(repr(value)))
    try:
        encoded = text.encode()
    except UnicodeEncodeError:
        reason = f"the {what} id {value!r} is not valid Unicode text"
        raise refusal(reason, where, code="id", value=cut(text)) from None
    if not encoded or len(encoded) > LONGEST or b"\0" in encoded:
        reason = f"a {what} id has 1 to {LONGEST:,} bytes and no NUL, not {cut(text)!r} ({len(encoded):,})"
        raise refusal(reason, where, code="id", value=cut(text))
    return encoded


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time; None where each occurs once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None

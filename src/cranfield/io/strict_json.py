"""JSON from untrusted files."""

from __future__ import annotations

from typing import Any

from cranfield._text import cut, quoted, shown
from cranfield._validation import first_repeated
from cranfield.errors import FormatError, refusal
from cranfield.findings.location import Location


def parse_json(location: Location, text: str | bytes, *, line: int | None = None, constants: bool = False) -> Any:
    """The value of a text; NaN and infinities, which are not JSON, and a key that occurs twice are refused.

    Args:
        location: the file.
        text: its content, or that of one line.
        line: the number of that line.
        constants: whether NaN and infinities are read, as some programs write them.

    Raises:
        FormatError: a line is not JSON.
        InputError: the text cannot be JSON, or an object has a key twice.
    """
    import json  # here: few calls read any

    try:
        return json.loads(text, parse_constant=float if constants else _refuse, object_pairs_hook=_make_object)
    except json.JSONDecodeError as error:
        raise FormatError(f"is not JSON: {error.msg}", location.at(line or error.lineno), code="json") from None
    except _TwiceError as error:
        message = f"the key {quoted(error.key)} occurs twice in one object: keep one of them"
        raise refusal(message, location.at(line), code="json", value=cut(error.key)) from None
    except _NumberError as error:
        message = f"is not JSON: {error} is not JSON; what is missing is null"
        raise refusal(message, location.at(line), code="json", value=str(error)) from None
    except (ValueError, RecursionError) as error:
        raise refusal(f"is not JSON: {shown(str(error))}", location.at(line), code="json") from None


class _TwiceError(Exception):
    """A key of an object that has it twice: the last value would win in silence."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _NumberError(Exception):
    """NaN or an infinity."""


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _TwiceError(first_repeated(key for key, _ in pairs) or "")
    return members


def _refuse(word: str) -> float:
    raise _NumberError(word)

"""JSON from files of strangers."""

from __future__ import annotations

import json
from typing import Any

from cranfield.errors import FormatError, InputError
from cranfield.wording import in_full, quoted, shown


def parse_json(name: str, text: str | bytes) -> Any:
    """The value that a text holds; NaN and infinities, which are no JSON, and a key given twice are refused.

    Args:
        name: of the file, for messages.
        text: its content.

    Raises:
        FormatError: a line is not JSON.
        InputError: the text cannot be JSON, or an object has a key twice.
    """
    where = in_full(name)
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise FormatError(f"{where}:{error.lineno}: is not JSON: {error.msg}") from None
    except _TwiceError as error:
        raise InputError(f"{where}: the key {quoted(error.key)} occurs twice in one object: keep one of them") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: is not JSON: {shown(str(error))}") from None


class _TwiceError(Exception):
    """A key of an object that has it twice: the last value would win in silence."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _TwiceError(next(key for at, key in enumerate(keys) if key in keys[:at]))
    return found


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is no JSON; what is missing is null")

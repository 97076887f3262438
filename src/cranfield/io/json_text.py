"""JSON from files of strangers."""

from __future__ import annotations

import json
from typing import Any

from cranfield.errors import FormatError, InputError
from cranfield.wording import shown


def parse_json(name: str, text: str | bytes) -> Any:
    """The value that a text holds; NaN and infinities, which are no JSON, are refused.

    Args:
        name: of the file, for messages.
        text: its content.

    Raises:
        FormatError: a line is not JSON.
        InputError: the text cannot be JSON.
    """
    where = shown(name, 4096)
    try:
        return json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        raise FormatError(f"{where}:{error.lineno}: is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: is not JSON: {shown(str(error))}") from None


def _refuse(word: str) -> float:
    raise ValueError(f"{word} is no JSON; what is missing is null")

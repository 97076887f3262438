"""Plain tables of texts, numbers and lists as TOML, which Python reads and does not write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from cranfield.errors import InputError
from cranfield.findings.location import Place

LARGEST = 1 << 18
"""Bytes of the largest protocol; others have some hundreds."""
DEEPEST = 32
"""Parts of the longest key; Python's reader takes time and memory by the square of them."""
NO_KEYS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|' + r"'''.*?'''|" + r'"(?:[^"\\\n]|\\.)*+"|' + r"'[^'\n]*+'|#[^\n]*+", re.DOTALL
)
"""Strings and comments of TOML, which may hold any number of dots."""
HEAD = "# How runs are evaluated: `cranfield protocol run THIS_FILE RUN...` repeats it.\n"


def refuse_unreadable(place: Place, data: bytes) -> None:
    """Refuse what Python's reader of TOML would need minutes and gigabytes for.

    Raises:
        InputError: the file is too large for a protocol, or a key in it has too many parts.
    """
    if len(data) > LARGEST:
        text = f"has {len(data):,} bytes: a protocol has at most {LARGEST:,}"
        raise InputError(text, place, code="layout")
    plain = NO_KEYS.sub("_", data.decode(errors="replace"))
    if any(key.count(".") >= DEEPEST for key in re.split(r"[=,\[\]{}\n]", plain)):
        raise InputError(f"has a key of more than {DEEPEST} parts, which no protocol has", place, code="layout")


def protocol_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """The text of a protocol; tables that hold nothing are left out.

    Args:
        tables: table -> key -> value, what is in no table first, below ``""``.
    """
    parts = []
    for table, keys in tables.items():
        lines = [f"{_key(key)} = {_value(value)}\n" for key, value in keys.items() if value is not None]
        if lines:
            parts.append("".join([f"[{table}]\n"] * bool(table) + lines))
    return HEAD + "\n".join(parts)


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _value(name)


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            # The escapes of JSON are among those of TOML, which also wants one for DEL.
            return json.dumps(value).replace("\x7f", "\\u007F")
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    return repr(value)

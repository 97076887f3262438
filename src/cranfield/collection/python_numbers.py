"""Scores and labels given from Python."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cranfield._message import name_value
from cranfield._validation import is_decimal
from cranfield.errors import InputError, Located, refusal


def number_of(value: Any, what: str, where: Located | str) -> float:
    """A finite number, as a float; it may be written as text, such as ``"1.5"``.

    Raises:
        InputError: anything else.
    """
    if isinstance(value, str) and is_decimal(value):
        value = float(value)
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if isinstance(value, (str, bytes)) or not math.isfinite(number):
        raise refusal(f"the {what} {_short(value)} is not a finite number", where, code=what, value=_short(value))
    return number


def _short(value: object) -> str:
    try:
        return repr(value)[:80]
    except ValueError:  # Python does not write out whole numbers of thousands of digits
        return f"of type {type(value).__name__}"


def levels(nested: Mapping[Any, Mapping[Any, Any]], name: str, what: str) -> list[tuple[Any, list[tuple[Any, Any]]]]:
    """topic -> document -> number, as lists of pairs; documents in a set or a list without labels have label 1.

    Raises:
        InputError: one of the levels is no mapping.
    """
    if not isinstance(nested, Mapping):
        raise InputError(f"{name} is of type {type(nested).__name__}, expected topic -> document -> {what}")
    if what == "label":
        nested = {topic: _labelled(inner) for topic, inner in nested.items()}
    for topic, inner in nested.items():
        if not isinstance(inner, Mapping):
            raise InputError(
                f"{name}: topic {name_value(topic)} holds the type {type(inner).__name__}, expected document -> {what}"
            )
    return [(topic, list(inner.items())) for topic, inner in nested.items()]


def _labelled(documents: Any) -> Any:
    listed = isinstance(documents, (set, frozenset, list, tuple)) and all(
        isinstance(document, (str, int)) for document in documents
    )
    return dict.fromkeys(documents, 1) if listed else documents

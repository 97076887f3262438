"""Checks of the numbers, options and names of a call, and the one definition of a decimal number in a text.

A decimal number has digits, one point and an exponent; inf, nan and 1_000 are refused in every text that is read.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterable
from numbers import Integral, Real
from typing import Any, TypeGuard

from cranfield._message import name_value, setting
from cranfield.errors import UsageError


def is_number(value: Any) -> bool:
    """Return whether it can be calculated with: no text, no bool, not NaN, not infinite, nor larger than a float is."""
    # NumPy's scalars are registered with these, and importing NumPy would keep `cranfield --help` waiting.
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer or a fraction beyond all floats
        return False


def is_missing(value: object) -> bool:
    """Return whether a cell of a table in memory is empty: None, NaN, or what pandas puts there (NA, NaT)."""
    if isinstance(value, (str, bytes, int)):
        return False
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, Real) and math.isnan(value))
    )


def _name(name: str, value: object) -> str:
    """A parameter and its value in a message; one that is described in several words has no option."""
    return setting(name, value) if name.isidentifier() else f"{name}={name_value(value)}"


def check_integer(least: int, **numbers: Any) -> None:
    """Raises: UsageError: something else than a whole number of at least ``least``."""
    for name, value in numbers.items():
        if not _is_integer(value):
            raise UsageError(f"{_name(name, value)} should be a whole number of at least {least}")
        if value < least:
            raise UsageError(f"{_name(name, value)} should be at least {least}")


def _is_integer(value: Any) -> bool:
    return is_number(value) and isinstance(value, Integral)


def between(least: int, most: int, note: str = "", /, **numbers: Any) -> None:
    """Raises: UsageError: no whole number from ``least`` to ``most``, which the ``note`` explains."""
    for name, value in numbers.items():
        if not _is_integer(value):
            raise UsageError(f"{_name(name, value)} should be a whole number between {least} and {most}{note}")
        if not least <= value <= most:
            raise UsageError(f"{_name(name, value)} should lie between {least} and {most}{note}")


def above(bound: float, **numbers: Any) -> None:
    """Raises: UsageError: something else than a number above ``bound``."""
    for name, value in numbers.items():
        if not is_number(value) or value <= bound:
            raise UsageError(f"{_name(name, value)} should be a number above {bound}")


def not_negative(**numbers: Any) -> None:
    """Raises: UsageError: something else than a number of at least 0."""
    for name, value in numbers.items():
        if not is_number(value) or value < 0:
            raise UsageError(f"{_name(name, value)} should be a number of at least 0")


def share(**numbers: Any) -> None:
    """Raises: UsageError: something else than a number above 0 and below 1."""
    for name, value in numbers.items():
        if not is_number(value):
            raise UsageError(f"{_name(name, value)} should be a number between 0 and 1")
        if not 0 < value < 1:
            raise UsageError(f"{_name(name, value)} should lie between 0 and 1")


def several(**numbers: Any) -> None:
    """Raises: UsageError: something else than a list of whole numbers of at least 1."""
    for name, values in numbers.items():
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise UsageError(f"{_name(name, values)} should be a list of whole numbers")
        for value in values:
            check_integer(1, **{name: value})


def one_or_more(values: Any) -> list[Any]:
    """Values of which one may stand alone: a name or a path is one, and never its letters."""
    alone = isinstance(values, (str, bytes, os.PathLike)) or not is_series(values)
    return [values] if alone else list(values)


def is_series(values: Any) -> TypeGuard[Iterable[Any]]:
    """Return whether values can be taken one after the other; an array without dims only says so."""
    return isinstance(values, Iterable) and getattr(values, "ndim", 1) != 0


def list_names(**given: Any) -> list[str]:
    """The names that a parameter has: one, or several.

    Raises:
        UsageError: something else than names.
    """
    ((name, values),) = given.items()
    if not is_series(values) or isinstance(values, bytes):
        raise UsageError(f"{_name(name, values)} should be a name, or a list of names")
    listed = one_or_more(values)
    for value in listed:
        if not isinstance(value, str):
            raise UsageError(f"{setting(name)} holds {name_value(value)}, which is not text, as names are")
    return listed


ALSO_CALLED = {
    **dict.fromkeys(("randomization", "randomisation", "fisher", "fisher-pitman"), "permutation"),
    **dict.fromkeys(("student", "ttest", "t-test", "paired-t"), "t"),
    **dict.fromkeys(("friedman", "iman-davenport"), "nemenyi"),
    **dict.fromkeys(("hsd", "tukey-hsd"), "tukey"),
    **dict.fromkeys(("benjamini-hochberg", "fdr", "fdr_bh"), "bh"),
}
"""Words that others use for one of ours, which a refusal names."""


def describe_choices(value: object, choices: Collection[object]) -> str:
    """Say that a value is none of the choices, and which is meant where another name of it is known."""
    meant = ALSO_CALLED.get(str(value).lower())
    advice = f"; did you mean {meant}?" if meant in choices else ""
    return f"is not one of {', '.join(map(str, choices))}{advice}"


def word(name: str, value: object, choices: Collection[object], error: type[UsageError] = UsageError) -> None:
    """Raises: UsageError, or the kind of it that is given: the value is none of the choices."""
    if value not in choices:
        written = _name(name, value) if error is UsageError else f"{name}={name_value(value)}"
        raise error(f"{written} {describe_choices(value, choices)}")


DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
DECIMAL_BYTES = re.compile(DECIMAL.pattern.encode())


def is_decimal(text: str) -> bool:
    """Return whether all of a text is one decimal number."""
    return DECIMAL.fullmatch(text) is not None


def is_decimal_bytes(text: bytes) -> bool:
    """Return whether bytes are one decimal number."""
    return DECIMAL_BYTES.fullmatch(text) is not None


def explain_number(text: str) -> str:
    """Advise on a number with a comma or in percent, as the end of a sentence; empty for other texts."""
    if re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+", text):
        return "; write a point before decimals, and nothing between thousands"
    if re.fullmatch(r"[+-]?\d+,\d+", text):
        return "; write a point, not a comma"
    if text.endswith("%") and is_decimal(text[:-1].strip()):
        return f"; write it without the sign, {text[:-1].strip()}, or as a fraction of 1, as the others are"
    return ""


def first_repeated(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time; None where each occurs once."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None

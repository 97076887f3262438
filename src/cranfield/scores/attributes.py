"""Attributes of labelled scores that change what they mean: ours are kept, those of others are left out with a word."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, get_args

from cranfield.errors import InputError
from cranfield.io.json_text import parse_json
from cranfield.measures import Summary
from cranfield.wording import quoted, warn

SIGNATURE = "signature"


def signature_in(attributes: Mapping[str, Any], where: str) -> Any:
    """The signature among attributes; None where there is none, or one that is not ours, with a warning.

    Args:
        attributes: of scores.
        where: they are, for the warning.
    """
    if SIGNATURE not in attributes:
        return None
    found, text = None, attributes[SIGNATURE]
    if isinstance(text, str):
        try:
            found = parse_json(where, text)
        except InputError:
            found = None
    if found is None and text != "null":
        _ignored(SIGNATURE, text, "a signature", where)
    return found


def known_attributes(attributes: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Attributes of scores without those of our names whose values are not ours, of which a warning speaks."""
    kept = dict(attributes)
    if signature_in(kept, where) is None:
        kept.pop(SIGNATURE, None)
    for name, (is_ours, expected) in OURS.items():
        if name in kept and not is_ours(kept[name]):
            _ignored(name, kept.pop(name), expected, where)
    if "peer_summary" not in kept or "peer_summary_topics" not in kept:
        for name in ("peer_summary", "peer_summary_topics"):
            kept.pop(name, None)
    return kept


def _number(value: Any) -> bool:
    value = value.item() if getattr(value, "shape", None) == () else value
    return isinstance(value, Real) and not math.isinf(value)


OURS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "summary": (lambda value: isinstance(value, str) and value in get_args(Summary), ", ".join(get_args(Summary))),
    "larger_is_better": (lambda value: _number(value) and value in (0, 1), "0 or 1"),
    "peer_summary": (_number, "a number"),
    "peer_summary_topics": (_number, "a number"),
}
"""Attribute -> whether a value can be one that cranfield writes, and what it should be."""


def _ignored(name: str, value: Any, expected: str, where: str) -> None:
    text = quoted(str(value))
    warn(f"{where}: the attribute {name} is {text}, not {expected}: it is not cranfield's and is ignored")

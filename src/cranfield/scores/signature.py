"""What made scores, as their labels carry it: put there, found again, and joined where several made them."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from cranfield._text import quoted, warn
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.strict_json import parse_json

SIGNATURE = "signature"
"""The attribute that holds it, as JSON: of a Dataset, and of each of its variables, which outlive it."""


@functools.cache
def package_version() -> str:
    """Version of the installed package."""
    from importlib.metadata import version

    return version("cranfield")


def carried(source: Any) -> dict[str, str]:
    """The attribute that carries a signature; empty without one."""
    if source is None:
        return {}
    import json

    return {SIGNATURE: json.dumps(source)}


def signature_in(attributes: Mapping[str, Any], where: str) -> Any:
    """The signature among attributes; None where it is missing, or invalid, with a warning.

    Args:
        attributes: of scores.
        where: they are, for the warning.
    """
    if SIGNATURE not in attributes:
        return None
    signature, text = None, attributes[SIGNATURE]
    if isinstance(text, str):
        try:
            signature = parse_json(Place(name=where), text)
        except InputError:
            signature = None
    if signature is None and text != "null":
        ignored(SIGNATURE, text, "a signature", where)
    return signature


def ignored(name: str, value: Any, expected: str, where: str) -> None:
    """Warn of an attribute of our name that is not ours."""
    text = quoted(str(value))
    warn(f"{where}: the attribute {name} is {text}, not {expected}: it is not cranfield's and is ignored")


def together(sources: Sequence[tuple[str, Any]]) -> Any:
    """One signature of several measures: the common one, or of each measure its own.

    Args:
        sources: name and signature of each measure.
    """
    first = sources[0][1]
    if all(source == first for _, source in sources):
        return first
    return {"scores": [{"measure": name, "signature": source} for name, source in sources]}

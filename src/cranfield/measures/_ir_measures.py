"""Measure objects of ir_measures, as measures here; ir_measures itself is never imported for it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias

from cranfield.errors import MeasureError
from cranfield.measures._measure import Measure, named


class MeasureObject(Protocol):
    """What is read of ``ir_measures.nDCG @ 10``: its name, and the parameters that it was given."""

    NAME: str | None
    params: dict[str, Any]


MeasureLike: TypeAlias = Measure | str | MeasureObject
MeasuresLike: TypeAlias = MeasureLike | Iterable[MeasureLike]


def is_of_ir_measures(item: object) -> bool:
    """Whether it is a measure of ir_measures; whoever holds one has imported it."""
    theirs = sys.modules.get("ir_measures")
    return theirs is not None and isinstance(item, getattr(theirs, "Measure", ()))


def from_ir_measures(item: Any) -> Measure:
    """The measure here that a measure of ir_measures is; ``is_of_ir_measures`` says whether it is one.

    Raises:
        MeasureError: it was defined by somebody's own function or class, or a parameter that the measure here does not
            take.
    """
    measure = named(item.NAME) if item.NAME else None
    own = sys.modules["ir_measures"].measures.registry.values()
    if not any(type(item) is type(known) for known in own):
        how = "ir_measures.define" if hasattr(item, "runtime_impl") else "a class of its own"
        raise MeasureError(
            f"{item.NAME or 'a measure'} of ir_measures was made by {how}, which cannot be computed here: declare it "
            "with @cranfield.measure"
        )
    if measure is None:
        raise MeasureError(f"there is no measure {item.NAME!r} of ir_measures here (`cranfield measures` lists those)")
    return measure(**{name: _without_identities(value) for name, value in item.params.items()})


def _without_identities(value: Any) -> Any:
    """Of a map of gains, the labels that gain something else than themselves: as ir_measures prints it."""
    return {label: gain for label, gain in value.items() if label != gain} if isinstance(value, Mapping) else value

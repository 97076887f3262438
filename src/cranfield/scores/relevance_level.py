"""From which label on measures count documents as relevant, where labels are more than 0 and 1: a caption says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cranfield._text import every_one
from cranfield.errors import MeasureError
from cranfield.measures import Measure, parse_measures


def takes_level(measure: Measure) -> bool:
    """Return whether a measure has a level of relevance that its name leaves open."""
    level = measure.declaration.parameters.get("rel")
    return level is not None and level.default is not None and "rel" not in measure.given


def describe_level(measures: Iterable[Measure], largest: float) -> str:
    """Say from which label on these measures count documents as relevant.

    Args:
        measures: of which those are left out whose names say it, or that take labels as gains.
        largest: of the labels.

    Returns:
        A sentence without its full stop; empty where labels are 0 and 1, or no measure has a level.

    >>> describe_level(parse_measures("AP, nDCG@10, P(rel=2)@5"), 3)
    'AP counts labels of 1 or more as relevant; labels go up to 3'
    """
    by_level: dict[float, list[str]] = {}
    for measure in measures:
        level = measure.declaration.parameters.get("rel")
        if level is not None and level.default is not None and measure.parameters["rel"] == level.default:
            by_level.setdefault(measure.parameters["rel"], []).append(str(measure))
    if not largest > 1 or not by_level:
        return ""
    parts = [
        f"{every_one(names)} {'counts' if len(names) == 1 else 'count'} labels of {level:g} or more as relevant"
        for level, names in by_level.items()
    ]
    return f"{'; '.join(parts)}; labels go up to {largest:g}"


def describe_signed_level(signature: Any) -> str:
    """Say the same of the measures that a result is about, by its signature, of which files hold anything."""
    chosen = [name for key in ("measure", "measures") for name in _names(signature, key)]
    measures: dict[Measure, None] = {}
    largest = 0.0
    for evaluation in _evaluations(signature):
        try:
            largest = max(largest, float(evaluation["max_rel"]))
        except (TypeError, ValueError):
            continue
        for name in chosen or _names(evaluation, "measures"):
            try:
                measures |= dict.fromkeys(parse_measures(name))
            except MeasureError:
                continue
    return describe_level(measures, largest)


def _names(signature: Any, key: str) -> list[str]:
    """Return the names of measures that a signature has under a key."""
    value = signature.get(key) if isinstance(signature, Mapping) else None
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [name for name in names if isinstance(name, str)]


DEEPEST = 6
"""Levels of a signature below which no evaluation is looked for."""


def _evaluations(signature: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """List the signatures of evaluations inside another one."""
    if depth > DEEPEST:
        return
    if isinstance(signature, Mapping):
        if "max_rel" in signature:
            yield signature
        for key, value in signature.items():
            if key != "runs":
                yield from _evaluations(value, depth + 1)
    elif isinstance(signature, list):
        for value in signature:
            yield from _evaluations(value, depth + 1)

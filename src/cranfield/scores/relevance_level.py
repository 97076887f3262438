"""From which label on measures count documents as relevant, and how many of lower labels that leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cranfield._text import counted, every_one, shown
from cranfield._typing import Floats
from cranfield.measures import Measure

USUAL = 10
"""Grades of relevance are seldom larger."""
PROPORTIONAL = "measures of gains, such as nDCG, weigh documents in proportion to them"


def takes_level(measure: Measure) -> bool:
    """Return whether a measure has a level of relevance that its name leaves open."""
    level = measure.declaration.parameters.get("rel")
    return level is not None and level.default is not None and "rel" not in measure.given


def count_labels(labels: Floats, measures: Iterable[Measure]) -> dict[str, Any]:
    """Count the labels above 0 where some are below a level of relevance, or are larger than grades are.

    Args:
        labels: of all judged documents.
        measures: whose levels are looked at.

    Returns:
        ``above_0``, how many there are; ``distinct``, how many values they take; ``below``: level -> how many are
        below it. Nothing where there is nothing to say of them.
    """
    positive = labels[labels > 0]
    below = {f"{level:g}": int((positive < level).sum()) for level in group_by_level(measures)}
    if not any(below.values()) and not positive.max(initial=0.0) > USUAL:
        return {}
    return {"above_0": len(positive), "distinct": len(np.unique(positive)), "below": below}


def group_by_level(measures: Iterable[Measure]) -> dict[float, list[str]]:
    """Level of relevance -> the measures that have it, of those whose names do not say it."""
    by_level: dict[float, list[str]] = {}
    for measure in measures:
        level = measure.declaration.parameters.get("rel")
        if level is not None and level.default is not None and measure.parameters["rel"] == level.default:
            by_level.setdefault(measure.parameters["rel"], []).append(str(measure))
    return by_level


def describe_level(measures: Iterable[Measure], largest: float, labels: Mapping[str, Any]) -> str:
    """Say from which label on these measures count documents as relevant.

    Args:
        measures: of which those are left out whose names say it, or that take labels as gains.
        largest: of the labels.
        labels: as ``count_labels`` counts them.

    Returns:
        A sentence without its full stop; empty where labels are 0 and 1, or no measure has a level.

    >>> from cranfield.measures import parse_measures
    >>> describe_level(parse_measures("AP, nDCG@10, P(rel=2)@5"), 3, {})
    'AP counts labels of 1 or more as relevant; labels go up to 3'
    >>> describe_level(parse_measures("AP"), 1, {"above_0": 24, "distinct": 3, "below": {"1": 16}})
    'AP counts labels of 1 or more as relevant, and so not 16 of 24 documents with a label above 0; labels go up to 1'
    """
    measures = tuple(measures)
    below = labels.get("below", {})
    parts = [
        describe_counting(names, level, below.get(f"{level:g}", 0), labels.get("above_0", 0))
        for level, names in group_by_level(measures).items()
        if largest > 1 or below.get(f"{level:g}")
    ]
    if largest > USUAL and labels:
        parts.append(describe_large(largest, labels))
        if any("gains" in measure.declaration.parameters for measure in measures):
            parts.append(PROPORTIONAL)
    elif parts:
        parts.append(f"labels go up to {largest:g}")
    return "; ".join(parts)


def describe_counting(names: list[str], level: float, below: int, above_0: int) -> str:
    """Say from which label on measures count documents as relevant, and how many with a lower label they do not.

    Args:
        names: of measures.
        level: of relevance.
        below: how many labels are above 0 and below it.
        above_0: how many labels are above 0.
    """
    verb = "counts" if len(names) == 1 else "count"
    missed = f", and so not {below:,} of {counted(above_0, 'document')} with a label above 0" if below else ""
    return f"{every_one(list(map(shown, names)))} {verb} labels of {level:g} or more as relevant{missed}"


def describe_large(largest: float, labels: Mapping[str, Any]) -> str:
    """Say how large labels are that look like counts, and how many documents each level makes relevant.

    Args:
        largest: of the labels.
        labels: as ``count_labels`` counts them.
    """
    said = f"labels go up to {largest:,g} and take {counted(labels['distinct'], 'value')} above 0"
    for level, below in labels["below"].items():
        said += f", and a level of {level} makes {counted(labels['above_0'] - below, 'document')} relevant"
    return said

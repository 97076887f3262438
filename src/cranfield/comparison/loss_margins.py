"""The margins of a gate: one of each measure, and what a measure can lose at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cranfield._text import quoted, shown, warn
from cranfield._validation import above
from cranfield.errors import MeasureError, UsageError
from cranfield.measures import parse_measures
from cranfield.scores.matrix import MeasureScores


def margins_of(margin: float | Mapping[str, float], matrices: Sequence[MeasureScores]) -> dict[str, float]:
    """Of each measure, in their order, with a warning where no system could lose so much.

    Args:
        margin: one for all, or of each.
        matrices: the scores by each.

    Raises:
        UsageError: one is missing, is for no measure, or is no number above 0.
    """
    names = [one.measure for one in matrices]
    given = dict(margin) if isinstance(margin, Mapping) else dict.fromkeys(names, margin)
    for name in given:
        if name not in names:
            raise UsageError(f"margin: {quoted(name)} is none of the measures {', '.join(map(shown, names))}")
    for name in names:
        if name not in given:
            raise UsageError(f"margin: there is none for {shown(name)}: give one, or one for all measures")
        above(0, margin=given[name])
    for one in matrices:
        warn_of_vain(one, float(given[one.measure]), "none can be a regression")
    return {name: float(given[name]) for name in names}


def warn_of_vain(table: MeasureScores, margin: float, outcome: str) -> None:
    """Warn where no mean can lose more than the margin, which makes everything pass.

    Args:
        table: scores.
        margin: of their measure.
        outcome: what then holds whatever the scores are.
    """
    lowest, highest = _range_of(table.measure)
    if margin < highest - lowest:
        return
    means = table.means[~np.isnan(table.means)]
    # Scores of another scale, such as percentages, are only called like a measure of ours.
    if bool(((means >= lowest) & (means <= highest)).all()):
        warn(
            f"the margin of {shown(table.measure)} is {margin:g}, and its values lie between {lowest:g} and "
            f"{highest:g}: no mean loses more, so that {outcome}; choose a smaller one"
        )


def widest_range_of(measure: str) -> tuple[float, float]:
    """Between which values a measure of ours lies; without an end where nothing is known of it."""
    try:
        (parsed,) = parse_measures(measure)
    except (MeasureError, ValueError):
        return -np.inf, np.inf
    return parsed.range


def _range_of(measure: str) -> tuple[float, float]:
    """The smallest and the largest value of a measure of ours; without an end where nothing is known of it."""
    try:
        (parsed,) = parse_measures(measure)
    except (MeasureError, ValueError):
        return -np.inf, np.inf
    usual, widest = parsed.declaration.usual_range, parsed.range
    return usual if widest == parsed.declaration.range else widest

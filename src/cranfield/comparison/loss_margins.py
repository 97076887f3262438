"""Margins of loss: one for each measure, and warnings of those that no mean could lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield._text import quoted, shown, warn
from cranfield._validation import above
from cranfield.errors import MeasureError, UsageError
from cranfield.measures import parse_measures
from cranfield.scores.measure_scores import Scores


def resolve_margins(margin: float | Mapping[str, float], matrices: Sequence[Scores]) -> dict[str, float]:
    """The margin of each measure, in their order, with a warning where no system could lose so much.

    Args:
        margin: one for all, or of each.
        matrices: the scores by each.

    Raises:
        UsageError: a margin is missing, is for no measure, or is not above 0.
    """
    names = [scores.measure for scores in matrices]
    margins = dict(margin) if isinstance(margin, Mapping) else dict.fromkeys(names, margin)
    for name in margins:
        if name not in names:
            raise UsageError(f"margin: {quoted(name)} is none of the measures {', '.join(map(shown, names))}")
    for name in names:
        if name not in margins:
            raise UsageError(f"margin: there is none for {shown(name)}: give one, or one for all measures")
        above(0, margin=margins[name])
    for scores in matrices:
        warn_of_vain(scores, float(margins[scores.measure]), "none can be a regression")
    return {name: float(margins[name]) for name in names}


def warn_of_vain(table: Scores, margin: float, outcome: str) -> None:
    """Warn where no mean can lose more than the margin, which makes everything pass.

    Args:
        table: scores.
        margin: of their measure.
        outcome: what then holds whatever the scores are.
    """
    lowest, highest = _usual_range(table.measure)
    if margin < highest - lowest:
        return
    means = table.means[~np.isnan(table.means)]
    # Scores of another scale, such as percentages, are only called like a measure of ours.
    if bool(((means >= lowest) & (means <= highest)).all()):
        warn(
            f"the margin of {shown(table.measure)} is {margin:g}, and its values lie between {lowest:g} and "
            f"{highest:g}: no mean loses more, so that {outcome}; choose a smaller one"
        )


def find_range(measure: str, evaluations: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """The smallest and the largest value that a measure can have; infinite where it is not one of ours.

    Args:
        measure: its name, with its parameters.
        evaluations: signatures of what made its scores: labels below zero widen the range only where they are kept.
    """
    try:
        (parsed,) = parse_measures(measure)
    except (MeasureError, ValueError):
        return -np.inf, np.inf
    declaration = parsed.declaration
    defaults = {name: parameter.default for name, parameter in declaration.parameters.items()}
    own = {name for name, value in parsed.parameters.items() if value != defaults[name]} - {declaration.at}
    is_default = all(made.get("negative") == "zero" and made.get("compat") == "none" for made in evaluations)
    return declaration.usual_range if is_default and not own else parsed.range


def _usual_range(measure: str) -> tuple[float, float]:
    """The usual range of a measure, or that of its parameters; infinite where it is not one of ours."""
    try:
        (parsed,) = parse_measures(measure)
    except (MeasureError, ValueError):
        return -np.inf, np.inf
    usual, widest = parsed.declaration.usual_range, parsed.range
    return usual if widest == parsed.declaration.range else widest

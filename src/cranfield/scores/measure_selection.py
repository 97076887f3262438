"""The measures of given scores that were asked for, which files may spell otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cranfield._text import cut, quoted, shown
from cranfield.errors import InputError, MeasureError

if TYPE_CHECKING:
    import xarray as xr


def choose_measures(scores: xr.Dataset, measures: Sequence[str]) -> xr.Dataset:
    """Scores by these measures, in this order; all of them where none is asked for.

    Raises:
        InputError: the scores hold no such measure.
    """
    if not measures:
        return scores
    available = {str(name): name for name in scores.data_vars}
    chosen = [available[name] for requested in measures for name in called(requested, available)]
    return scores[list(dict.fromkeys(chosen))]


def called(requested: str, available: dict[str, Any]) -> Sequence[str]:
    """The names under which scores hold a measure that may be spelled otherwise.

    Raises:
        InputError: they do not.
    """
    from cranfield.measures import parse_measures

    if requested in available:
        return [requested]
    try:
        wanted = [str(measure) for measure in parse_measures(requested)]
    except MeasureError:
        wanted = [requested]
    for name in wanted:
        if name not in available:
            names_held = ", ".join(shown(name) for name in available)
            raise InputError(
                f"the scores hold no measure {quoted(name)}, only {names_held}", code="unknown", value=cut(name)
            )
    return wanted

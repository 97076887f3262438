"""The measures of given scores that were asked for, which files may spell otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cranfield._text import cut, quoted, shown, warn
from cranfield.errors import InputError, MeasureError
from cranfield.scores.named_direction import ENDS

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


def is_effectiveness(measure: str) -> bool:
    """Tell whether a measure says how good a list is; an unknown one is taken to. "Judged@10 lower" is as Judged@10."""
    from cranfield.measures import parse_measures

    name, _, end = measure.rpartition(" ")
    try:
        parsed = parse_measures(name if end in ENDS else measure)
    except MeasureError:
        return True
    return any(measure_object.declaration.effectiveness for measure_object in parsed)


def select_effectiveness(scores: xr.Dataset, instead: str = "") -> xr.Dataset:
    """Scores by the measures that say how good a list is, with a warning that names the others.

    Where there are only others, they are what was asked for, and stay.

    Args:
        scores: by several measures.
        instead: how to have the others in, for the warning.
    """
    names = list(scores.data_vars)
    effective = set(select_effectiveness_names(list(map(str, names)), instead))
    return scores if len(effective) == len(names) else scores[[name for name in names if str(name) in effective]]


def select_effectiveness_names(names: Sequence[str], instead: str = "") -> list[str]:
    """Names of measures that say how good a list is, or all where there are only others."""
    effective = [name for name in names if is_effectiveness(name)]
    if not effective or len(effective) == len(names):
        return list(names)
    excluded = [shown(name) for name in names if name not in effective]
    verb = "is not a measure" if len(excluded) == 1 else "are not measures"
    warn(f"{', '.join(excluded)} {verb} of effectiveness and left out{instead}")
    return effective

"""Scores on another scale: a system in percent among fractions, a task whose scores are far larger than all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cranfield._text import quoted, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield.errors import Located, refusal

APART, FARTHEST = 20.0, 1000.0
"""The ratios of a score in percent to the median of others that are fractions, at least and at most."""
PERCENT = 100.0
MOST = 0.8
"""The share of all scores that are fractions, from which on a single one that is none is odd."""


def refuse_other_scales(
    scores: Floats, systems: Sequence[str], tasks: Sequence[str], find: Callable[[str, str], Located | str]
) -> None:
    """Refuse a system in percent among fractions; warn of single cells, and of fractions among percents.

    A score is in percent where it lies in (1, 100], most of the others on its task in [-1, 1], and it is 20 to 1,000
    times their median; a system, where more than half of its scores on such tasks are.

    Args:
        scores: [tasks, systems].
        systems: their names.
        tasks: their names.
        find: the location of a system's score on a task.

    Raises:
        InputError: a system is in percent.
    """
    size = np.abs(scores)
    fractions, percents = size <= 1, (size > 1) & (size <= PERCENT)
    level = _medians(np.where(fractions, size, np.nan))
    others = (~np.isnan(size)).sum(axis=1, keepdims=True) - 1
    among_fractions = 2 * fractions.sum(axis=1, keepdims=True) > others
    flagged = percents & among_fractions & _are_apart(size, level)
    asked = ((fractions | percents) & among_fractions).sum(axis=0)
    count = flagged.sum(axis=0)
    for at in map(int, np.flatnonzero(2 * count > asked)):
        task = int(np.flatnonzero(flagged[:, at])[0])
        text = (
            f"{quoted(systems[at])} has {scores[task, at]:g} on {quoted(tasks[task])}, where the median of the others "
            f"is {level[task, 0]:.3g}, and the like on {count[at]:,} of {asked[at]:,} tasks: its scores seem to be in "
            "percent, and the others fractions of 1; divide them by 100, or leave the system out"
        )
        raise refusal(text, find(systems[at], tasks[task]), code="scale", value=f"{scores[task, at]:g}")
    if fractions.sum() >= MOST * np.count_nonzero(~np.isnan(size)):
        _warn_of_cells(flagged, scores, systems, tasks, find)
    _warn_of_fractions(size, fractions, percents, systems, tasks)


def _medians(values: Floats) -> Floats:
    """Medians of rows, NaN where there is none, [rows, 1]."""
    medians = np.full((len(values), 1), np.nan)
    some = ~np.isnan(values).all(axis=1)
    medians[some, 0] = np.nanmedian(values[some], axis=1)
    return medians


def _are_apart(larger: Floats, smaller: Floats) -> Mask:
    return np.asarray((larger >= APART * smaller) & (larger <= FARTHEST * smaller))


def _warn_of_cells(
    flagged: Mask,
    scores: Floats,
    systems: Sequence[str],
    tasks: Sequence[str],
    find: Callable[[str, str], Located | str],
) -> None:
    cells = np.argwhere(flagged)
    if len(cells):
        task, at = map(int, cells[0])
        more = f"; so {len(cells) - 1:,} more" if len(cells) > 1 else ""
        warn(
            f"{find(systems[at], tasks[task])}: {scores[task, at]:g} of {quoted(systems[at])} on {quoted(tasks[task])} "
            f"is beside fractions of 1: is it in percent?{more}"
        )


def _warn_of_fractions(
    size: Floats, fractions: Mask, percents: Mask, systems: Sequence[str], tasks: Sequence[str]
) -> None:
    level = _medians(np.where(percents, size, np.nan))
    others = (~np.isnan(size)).sum(axis=1, keepdims=True) - 1
    among_percents = 2 * percents.sum(axis=1, keepdims=True) > others
    flagged = fractions & among_percents & _are_apart(np.broadcast_to(level, size.shape), size)
    count, known = flagged.sum(axis=0), (~np.isnan(size)).sum(axis=0)
    for at in np.flatnonzero((count > 1) & (2 * count >= known))[:3]:
        task = int(np.flatnonzero(flagged[:, at])[0])
        warn(
            f"{quoted(systems[at])} has {size[task, at]:g} on {quoted(tasks[task])}, where the median of the others is "
            f"{level[task, 0]:.3g}, and the like on {count[at]:,} of {known[at]:,} tasks: are its scores fractions of "
            "1, and the others in percent?"
        )


def warn_of_large_tasks(scores: Floats, tasks: Sequence[str]) -> list[str]:
    """Warn of tasks whose scores are far from those of most tasks, as a mean adds them as they are; their names."""
    level = _medians(np.abs(scores))[:, 0]
    usual = float(np.nanmedian(level))
    large: Ints = np.flatnonzero((level > 1) & (level >= APART * usual))
    if len(large) and usual > 0:
        named = ", ".join(f"{quoted(tasks[at])} ({level[at]:.4g})" for at in large[:3])
        more = f" and {len(large) - 3} more" if len(large) > 3 else ""
        warn(
            f"{named}{more}: the median score is far above that of the other tasks ({usual:.3g}), and decides a mean: "
            "leave it out if it is not a task, or rank by z, borda or wins"
        )
        return [tasks[at] for at in large]
    return []


def find_unlike(scores: Floats, tasks: Sequence[str], negated: Sequence[str]) -> list[str]:
    """Tasks that are in other units than most, as far as it shows; a warning names those that decide a mean.

    Args:
        scores: [tasks, systems].
        tasks: their names.
        negated: those on which smaller is better; all of one direction are alike.
    """
    large = warn_of_large_tasks(scores, tasks)
    opposite = [task for task in tasks if task in negated]
    if 2 * len(opposite) > len(tasks):
        opposite = [task for task in tasks if task not in negated]
    return [task for task in tasks if task in large or task in opposite]

"""Scores on another scale: a system in percent among fractions, a task whose scores are far larger than all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from cranfield._message import setting
from cranfield._text import join_first, quoted, warn
from cranfield._typing import Floats, Mask
from cranfield.errors import InputError, Located, refusal

APART, FARTHEST = 20.0, 1000.0
"""The ratios of a score in percent to the median of others that are fractions, at least and at most."""
PERCENT = 100.0
LIKE = 2.0
"""The ratio of the hundredth of a score to the median of the others, or theirs to it, up to which both are alike."""
MOST = 0.8
"""The share of all scores that are fractions, from which on a single one that is none is odd."""


def refuse_other_scales(
    scores: Floats, systems: Sequence[str], tasks: Sequence[str], find: Callable[[str, str], Located | str]
) -> None:
    """Refuse a system or a score in percent among fractions; warn of what may be one, and of fractions among percents.

    A score is in percent where it lies in (1, 100], most of the others on its task in [-1, 1], and it is 20 to 1,000
    times their median; a system, where more than half of its scores on such tasks are. A single such score decides a
    mean as well: it is refused where its hundredth is like the others and no score is negative, as fractions are.

    Args:
        scores: [tasks, systems].
        systems: their names.
        tasks: their names.
        find: the location of a system's score on a task.

    Raises:
        InputError: a system or a score is in percent.
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
        if not (scores < 0).any():
            hundredth = np.where(flagged, size / PERCENT, np.nan)
            _refuse_cells((hundredth <= LIKE * level) & (LIKE * hundredth >= level), scores, systems, tasks, find)
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


def _name_first(
    cells: Mask, scores: Floats, systems: Sequence[str], tasks: Sequence[str]
) -> tuple[float, str, str, str] | None:
    """Name the score, the system and the task of the first of some cells, and how many more there are, if any."""
    found = np.argwhere(cells)
    if not len(found):
        return None
    task, at = map(int, found[0])
    more = f"; so {len(found) - 1:,} more" if len(found) > 1 else ""
    return float(scores[task, at]), systems[at], tasks[task], more


def _refuse_cells(
    percents: Mask,
    scores: Floats,
    systems: Sequence[str],
    tasks: Sequence[str],
    find: Callable[[str, str], Located | str],
) -> None:
    if first := _name_first(percents, scores, systems, tasks):
        score, system, task, more = first
        text = (
            f"{quoted(system)} has {score:g} on {quoted(task)}, where the others have fractions of 1: it "
            f"seems to be in percent; write {score / PERCENT:g}, or leave the cell empty{more}"
        )
        raise refusal(text, find(system, task), code="scale", value=f"{score:g}")


def _warn_of_cells(
    flagged: Mask,
    scores: Floats,
    systems: Sequence[str],
    tasks: Sequence[str],
    find: Callable[[str, str], Located | str],
) -> None:
    if first := _name_first(flagged, scores, systems, tasks):
        score, system, task, more = first
        warn(
            f"{find(system, task)}: {score:g} of {quoted(system)} on {quoted(task)} "
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


def find_unlike(scores: Floats, tasks: Sequence[str], negated: Sequence[str], place: str, *, named: bool) -> list[str]:
    """Tasks that are in other units than most, as far as it shows; a warning names those that decide a mean.

    Args:
        scores: [tasks, systems].
        tasks: their names.
        negated: those on which smaller is better; all of one direction are alike.
        place: what they were read from.
        named: whether the caller said that these are the tasks.

    Raises:
        InputError: a task is in percent among fractions, and the caller named no tasks.
    """
    size = _medians(np.abs(scores))[:, 0]
    usual = float(np.nanquantile(size, 0.5, method="lower"))  # of halves in two units, that of fractions
    large: list[int] = np.flatnonzero((size > 1) & (size >= APART * usual)).tolist() if usual > 0 else []
    percents = [at for at in large if tasks[at] not in negated and _is_percent(scores, at, usual)]
    if percents and not named:
        _refuse_percents([tasks[at] for at in percents], size[percents[0]], usual, place)
    if large:
        _warn_of_large([tasks[at] for at in large], size[large], usual)
    small = [at for at in np.flatnonzero(usual >= APART * size).tolist() if np.nanmax(np.abs(scores[at])) <= 1]
    if small:
        _warn_of_small([tasks[at] for at in small], size[small], usual)
    opposite = [task for task in tasks if task in negated]
    if 2 * len(opposite) > len(tasks):
        opposite = [task for task in tasks if task not in negated]
    return [task for at, task in enumerate(tasks) if at in large or at in small or task in opposite]


def _is_percent(scores: Floats, task: int, usual: float) -> bool:
    """Return whether a task of large scores has none above 100, and half of all, or more, have none above 1."""
    largest = [np.nanmax(row) for row in np.abs(scores) if not np.isnan(row).all()]
    fractions = np.count_nonzero(np.array(largest) <= 1)
    low, high = np.nanmin(scores[task]), np.nanmax(scores[task])
    median = float(np.nanmedian(scores[task]))
    return bool(low >= 0 and high <= PERCENT and median <= FARTHEST * usual and 2 * fractions >= len(largest))


def _refuse_percents(tasks: Sequence[str], level: float, usual: float, place: str) -> None:
    many = len(tasks) > 1
    named = join_first([quoted(task) for task in tasks], 3)
    text = (
        f"{named} {'have' if many else 'has'} scores such as {level:.3g}, where the median of the other "
        f"tasks is {usual:.3g}: {'they seem' if many else 'it seems'} to be in percent, and the others fractions of "
        f"1; divide by 100, leave {'them' if many else 'it'} out ({setting('not_tasks', tasks[0])}), rank by z, borda "
        f"or wins, or name all tasks ({setting('tasks')}) where it is meant so"
    )
    raise InputError(text, place, code="scale", value=tasks[0])


def _warn_of_large(tasks: Sequence[str], level: Floats, usual: float) -> None:
    """Warn of tasks whose scores are far above those of most tasks, as a mean adds them as they are."""
    named = join_first([f"{quoted(task)} ({size:.4g})" for task, size in zip(tasks, level, strict=True)], 3)
    warn(
        f"{named}: the median score is far above that of the other tasks ({usual:.3g}), and decides a mean: "
        "leave it out if it is not a task, or rank by z, borda or wins"
    )


def _warn_of_small(tasks: Sequence[str], level: Floats, usual: float) -> None:
    """Warn of tasks whose scores look like fractions among percents, as a mean adds them as they are."""
    named = join_first([f"{quoted(task)} ({size:.4g})" for task, size in zip(tasks, level, strict=True)], 3)
    warn(
        f"{named}: no score is above 1, where the median of tasks is {usual:.3g}, so that a mean hardly depends on it: "
        "write fractions among percents in percent, or rank by z, borda or wins"
    )

"""Choices of judges for a panel: what it loses without each, and the order in which to add them.

Shapes: N documents, m judges. Votes z [N, m] and the reference y [N] are 0 or 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints, Mask

FOLDS = 5
LARGEST = 10
"""The largest panel that is chosen."""
WITHIN = 1.01
"""A panel is large enough if its held-out error is at most this times the least."""


def squared_error(votes: Floats, reference: Floats) -> float:
    """The mean over documents of (mean vote - y)^2."""
    return float(((votes.mean(axis=1) - reference) ** 2).mean())


def accuracy_if_independent(votes: Floats, reference: Floats) -> float:
    """The accuracy of the majority, if judges erred independently of each other.

    Per class of the reference, the Poisson-binomial chance that the majority is right, with each judge's rate on that
    class, weighted by the share of the class. A tie is not relevant.

    Args:
        votes: z, [N, m].
        reference: y, [N].
    """
    judges = votes.shape[1]
    needed = judges // 2 + 1
    right = 0.0
    for value in (0.0, 1.0):
        rows = reference == value
        if not rows.any():
            continue
        chance = np.ones(1)
        for rate in votes[rows].mean(axis=0):
            chance = np.convolve(chance, [1.0 - rate, rate])
        said_relevant = float(chance[needed:].sum())
        right += float(rows.mean()) * (said_relevant if value else 1.0 - said_relevant)
    return right


class PanelPath(NamedTuple):
    """Judges in the order in which they are added to a panel.

    Args:
        added: number of the judge at each size.
        error: squared error of the mean vote at each size.
        held_out: the error on topics that the choice did not see; NaN with one topic.
        enough: the smallest size whose held-out error is within 1% of the least; 0 where there is none.
    """

    added: list[int]
    error: Floats
    held_out: Floats
    enough: int


def choose_panel(votes: Floats, reference: Floats, topic: Ints, names: Sequence[str]) -> PanelPath:
    """Choose panels of each size by forward steps, by the squared error of the mean vote.

    The error of a panel P is 1'M1 / |P|^2 over its judges, M = E'E / N, E = z - y. Of equal judges the first name is
    taken. ``held_out`` repeats the choice on four fifths of the topics, and has its error on the fifth; documents weigh
    alike.

    Args:
        votes: z, [N, m].
        reference: y, [N].
        topic: numbers of the topics, which are sorted as text, [N]; a topic's fold is its number mod 5.
        names: of the judges.
    """
    errors = votes - reference[:, None]
    size = min(votes.shape[1], LARGEST)
    added = _forward(errors, size, names)
    fold = topic % FOLDS
    held_out = np.full(size, np.nan)
    if topic.max() > 0:
        held_out = np.zeros(size)
        for number in np.unique(fold):
            chosen = _forward(errors[fold != number], size, names)
            held_out += _compute_path_errors(errors[fold == number], chosen) * (fold == number).sum()
        held_out /= len(votes)
    small: Mask = held_out <= WITHIN * held_out.min() + 1e-15
    enough = int(small.argmax()) + 1 if small.any() else 0
    return PanelPath(added, _compute_path_errors(errors, added), held_out, enough)


def _forward(errors: Floats, size: int, names: Sequence[str]) -> list[int]:
    """Judges in the order of the forward choice. Sums of products are integers, so that ties are exact."""
    products = errors.T @ errors
    chosen: list[int] = []
    while len(chosen) < size:
        others = [judge for judge in range(len(products)) if judge not in chosen]
        cost = {judge: products[judge, judge] + 2.0 * products[judge, chosen].sum() for judge in others}
        chosen.append(min(others, key=lambda judge: (cost[judge], names[judge])))
    return chosen


def _compute_path_errors(errors: Floats, order: Sequence[int]) -> Floats:
    """The squared error of the mean of the first 1, 2, ... judges."""
    sums = np.cumsum(errors[:, order], axis=1)
    return np.asarray(((sums / np.arange(1, len(order) + 1)) ** 2).mean(axis=0))

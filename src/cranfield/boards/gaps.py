"""Rank sets where systems have few tasks of their own, and the others' tasks must not count as theirs.

Shapes: T tasks, N systems; ``scores`` [T, N] with NaN where a system has no score.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit

from cranfield._text import counted
from cranfield._typing import Floats, Ints, Mask
from cranfield.boards.aggregation import PRIOR, find_outcomes, fit_effects, strengths
from cranfield.memory import require
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.paired_tests import least_sign_p
from cranfield.statistics.rank_confidence_sets import Ranges, RankSets, flip_contrasts
from cranfield.statistics.rounding import is_noise


class TaskScores(NamedTuple):
    """Values of systems, and what each task says of them.

    Args:
        seen: which scores there are, [T, N].
        values: [N].
        gradients: the slope of each task's part of what was maximised, [T, N].
        weight: of each two systems in the information of a task that has both, [N, N].
        shared: whether that is divided by the number of systems of the task.
        prior: information of each system besides that, [N].
    """

    seen: Mask
    values: Floats
    gradients: Floats
    weight: Floats
    shared: bool
    prior: Floats


def score_wins(scores: Floats) -> TaskScores:
    """Log strengths from wins over tasks."""
    theta, _ = strengths(scores)
    p, own = expit(theta[:, None] - theta), expit(theta)
    gradients = np.empty_like(scores)
    for task, row in enumerate(scores):
        won, both = find_outcomes(row)
        gradients[task] = (won - both * p).sum(axis=1)
    return TaskScores(
        ~np.isnan(scores), theta - theta.mean(), gradients, p * (1 - p), shared=False, prior=PRIOR * own * (1 - own)
    )


def score_fit(scores: Floats) -> TaskScores:
    """Means over tasks, gaps filled by system + task, which are the systems' effects."""
    seen = ~np.isnan(scores)
    system, task = fit_effects(scores, seen)
    gradients = np.where(seen, scores - system - task[:, None], 0.0)
    count = len(system)
    return TaskScores(seen, system, gradients, np.ones((count, count)), shared=True, prior=np.zeros(count))


def rank_with_gaps(found: TaskScores, alpha: float, resamples: int, seed: int, *, marginal: bool) -> RankSets:
    """Confidence sets of ranks by signs of tasks, in the parts that tasks have in differences.

    A task's part of the difference of two systems is its score for it where both are equal and the others as good as
    they can be: nothing where it tells nothing of the two. Pseudo-values, of which each task has the whole difference,
    err in .24 of boards with a system on two tasks of seven. No pair is separated on fewer tasks than signs need.

    Args:
        found: values, and what tasks say.
        alpha: 1 - coverage.
        resamples: flips; all where half of them are no more.
        seed: of the flips.
        marginal: whether to look at each system by itself as well.

    Raises:
        InputError: tables of all pairs would not fit into the memory allowed.
    """
    tasks, count = found.seen.shape
    left, right = every_pair(count)
    require(
        8 * 3 * tasks * len(left), f"parts of {tasks:,} tasks in {counted(len(left), 'pair')}", "give fewer systems"
    )
    parts = _find_parts(found, left, right)
    met = found.seen.sum(axis=0)
    enough = least_sign_p(np.minimum(met[left], met[right])) <= alpha

    def flip(own: Ints) -> tuple[Mask, Mask]:
        rng = np.random.default_rng(seed)
        above, below = flip_contrasts(parts[:, own], alpha, resamples=resamples, rng=rng)
        return above & enough[own], below & enough[own]

    above = np.zeros((count, count), dtype=bool)
    above[left, right], above[right, left] = flip(np.arange(len(left)))
    together = Ranges(1 + above.sum(axis=0), count - above.sum(axis=1))
    if not marginal:
        return RankSets(together, None, above)
    low, high = np.ones(count, dtype=np.int64), np.full(count, count)
    for system in range(count):
        own = np.flatnonzero((left == system) | (right == system))
        first_above, first_below = flip(own)
        is_first = left[own] == system
        low[system] += np.where(is_first, first_below, first_above).sum()
        high[system] -= np.where(is_first, first_above, first_below).sum()
    return RankSets(together, Ranges(low, high), above)


def _find_parts(found: TaskScores, left: Ints, right: Ints) -> Floats:
    """The part of each task in each difference, [T, pairs]."""
    patterns, pattern, times = np.unique(found.seen, axis=0, return_inverse=True, return_counts=True)
    informations = [_inform(found, own) for own in patterns]
    total = sum(count * own for count, own in zip(times.tolist(), informations, strict=True)) + np.diag(found.prior)
    inverse = np.linalg.pinv(total, hermitian=True)
    told = np.empty((len(patterns), len(left)))
    for number, information in enumerate(informations):
        product = inverse @ information @ inverse
        own = np.diag(product)
        told[number] = np.maximum(own[left] + own[right] - 2 * product[left, right], 0.0)
    whole = times @ told
    told /= np.where(whole > 0, whole, 1.0)
    moves = found.gradients @ inverse
    parts = moves[:, left] - moves[:, right]
    parts += told[pattern.reshape(-1)] * (found.values[left] - found.values[right])
    largest = np.abs(parts).max(axis=0, initial=0.0) + np.abs(found.values).max() / len(found.seen)
    parts[is_noise(parts, largest)] = 0.0
    return np.asarray(parts)


def _inform(found: TaskScores, seen: Mask) -> Floats:
    """The information of a task with scores of these systems, [N, N]."""
    both = np.outer(seen, seen)
    weight = np.where(both, found.weight, 0.0)
    np.fill_diagonal(weight, 0.0)
    if found.shared:
        weight /= max(1, int(seen.sum()))
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)

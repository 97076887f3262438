"""The aggregates of a board: ways of making one value per system from its scores on tasks.

Each also has a table of tasks by systems whose column means are these values.

Shapes: T tasks, N systems; ``scores`` [T, N] with NaN where a system has no score. Larger is better.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from scipy.special import expit
from scipy.stats import rankdata

from cranfield._typing import Floats, Ints, Mask
from cranfield.errors import InputError
from cranfield.memory import require

Aggregate: TypeAlias = Literal["mean", "group-mean", "borda", "mean-rank", "z", "wins"]
MissingCells: TypeAlias = Literal["refuse", "complete", "fit", "zero", "pairwise"]
PRIOR = 1.0
"""Comparisons with an opponent of strength 0, half of them won: strengths are finite where a system always wins."""
CONVERGED = 1e-12
SQUARES = 16
"""Arrays of systems by systems that strengths are fitted in, about."""


def task_weights(groups: Ints | None, tasks: int) -> Floats:
    """The weight of each task in a value, [T]: equal, or equal for each group and for each task inside it."""
    if groups is None:
        return np.full(tasks, 1.0 / tasks)
    sizes = np.bincount(groups)
    return np.asarray(1.0 / (np.count_nonzero(sizes) * sizes[groups]))


def standardize_tasks(scores: Floats) -> Floats:
    """Scores minus the mean of their task, divided by its standard deviation (n - 1); 0 where all are equal, [T, N]."""
    counts = np.count_nonzero(~np.isnan(scores), axis=1, keepdims=True)
    centred = scores - np.nansum(scores, axis=1, keepdims=True) / np.maximum(counts, 1)
    deviation = np.sqrt(np.nansum(centred**2, axis=1, keepdims=True) / np.maximum(counts - 1, 1))
    constant = find_constant(scores)[:, None]
    z: Floats = np.divide(centred, deviation, out=np.zeros_like(scores), where=~constant & (deviation > 0))
    z[np.isnan(scores)] = np.nan
    return z


def find_constant(scores: Floats) -> Mask:
    """The tasks on which all scores are equal, or there is none, [T]."""
    missing = np.isnan(scores)
    largest = np.where(missing, -np.inf, scores).max(axis=1)
    return np.asarray(largest <= np.where(missing, np.inf, scores).min(axis=1))


def borda_points(scores: Floats) -> Floats:
    """N minus the rank on each task, 1 the best, equal scores sharing the mean of their ranks; 0 without score, [T, N].

    N counts every system, so the last of k on a task has N - k points (Colombo et al. 2022; as MTEB counts).
    """
    points: Floats = scores.shape[1] - rankdata(-scores, axis=1, nan_policy="omit")
    points[np.isnan(scores)] = 0.0
    return points


def fit_effects(scores: Floats, seen: Mask) -> tuple[Floats, Floats]:
    """The effects of systems, [N], and of tasks with mean 0, [T]: least squares, the systems eliminated first.

    Raises:
        InputError: matrices of tasks by tasks would not fit into the memory allowed.
    """
    require(5 * 8 * len(scores) ** 2, f"a fit to {len(scores):,} tasks", "give fewer tasks")
    values, share = np.where(seen, scores, 0.0), seen / seen.sum(axis=0)
    own_means = values.sum(axis=0) / seen.sum(axis=0)
    design = np.diag(seen.sum(axis=1).astype(float)) - share @ seen.T
    task = np.linalg.lstsq(design, values.sum(axis=1) - seen @ own_means, rcond=None)[0]
    task -= task.mean()
    return own_means - share.T @ task, task


def _count_groups(seen: Mask) -> tuple[int, Ints]:
    """Return the number of groups that no chain of shared tasks connects, and the group of each system, [N].

    Systems and tasks are the nodes, so that the memory grows with the scores alone.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    tasks, count = seen.shape
    task, system = np.nonzero(seen)
    edges = coo_array((np.ones(len(task), dtype=np.int8), (system, count + task)), shape=(count + tasks, count + tasks))
    _, group = connected_components(edges.tocsr(), directed=False)
    names, of_system = np.unique(group[:count], return_inverse=True)
    return len(names), of_system


def refuse_separate(scores: Floats, systems: list[str]) -> None:
    """Raises: InputError: systems that share no task, nor a chain of tasks, with the others; nothing compares them."""
    seen = ~np.isnan(scores)
    count, group = _count_groups(seen)
    if count > 1:
        names = [[systems[at] for at in np.flatnonzero(group == number)[:3]] for number in (0, 1)]
        text = (
            f"systems fall into {count} groups without a common task ({', '.join(names[0])} and others; "
            f"{', '.join(names[1])} and others): nothing can compare them, rank each group by itself"
        )
        raise InputError(text, "the board", code="separated")


def fitted_values(scores: Floats, weights: Floats) -> Floats:
    """Weighted means over tasks, gaps filled by the fit, [N]."""
    seen = ~np.isnan(scores)
    system, task = fit_effects(scores, seen)
    return np.asarray(np.where(seen, scores, system + task[:, None]).T @ (weights / weights.sum()))


def fitted_table(scores: Floats, weights: Floats, tasks: list[str]) -> Floats:
    """Pseudo-values T v - (T - 1) v(without task t) of the fitted values v, [T, N].

    Raises:
        InputError: without one of the tasks, systems have no score, or share no chain of tasks.
    """
    count = len(scores)
    complete = fitted_values(scores, weights)
    table = np.empty_like(scores)
    for task in range(count):
        others = np.arange(count) != task
        seen = ~np.isnan(scores[others])
        if _count_groups(seen)[0] > 1:
            text = f"only task {tasks[task]} connects some of the systems: no interval can be had; leave them out"
            raise InputError(text, "the board", code="separated")
        table[task] = count * complete - (count - 1) * fitted_values(scores[others], weights[others])
    return table


def strengths(scores: Floats) -> tuple[Floats, Floats]:
    """Log strengths of Bradley and Terry from wins over tasks, [N], and the table of their pseudo-values, [T, N].

    A pair is compared on the tasks that it shares; a tie is half a win. The likelihood has the prior ``PRIOR`` and is
    maximised by Newton's method. Pseudo-values are theta + T H^-1 u_t, u_t the score of task t and H the information.
    Neither has the mean of the strengths taken off.

    Raises:
        InputError: matrices of systems by systems would not fit into the memory allowed.

    References:
        Bradley & Terry 1952, Rank analysis of incomplete block designs. doi:10.1093/biomet/39.3-4.324
    """
    tasks, count = scores.shape
    require(8 * SQUARES * count**2, f"strengths of {count:,} systems", "give fewer systems, or rank them by borda")
    wins, shared = np.zeros((count, count)), np.zeros((count, count))
    for row in scores:
        is_won, is_shared = find_outcomes(row)
        wins += is_won
        shared += is_shared
    theta = np.zeros(count)
    for _ in range(100):
        p, won = expit(theta[:, None] - theta), expit(theta)
        gradient = (wins - shared * p).sum(axis=1) + PRIOR * (0.5 - won)
        weights = shared * p * (1 - p)
        information = np.diag(weights.sum(axis=1) + PRIOR * won * (1 - won)) - weights
        step = np.linalg.solve(information, gradient)
        theta = theta + step / max(1.0, float(np.abs(step).max()) / 2.0)
        if np.abs(step).max() < CONVERGED:
            break
    p, won = expit(theta[:, None] - theta), expit(theta)
    gradients = np.empty_like(scores)
    for task, row in enumerate(scores):
        is_won, is_shared = find_outcomes(row)
        gradients[task] = (is_won - is_shared * p).sum(axis=1) + PRIOR * (0.5 - won) / tasks
    return theta, theta + tasks * np.linalg.solve(information, gradients.T).T


def find_outcomes(row: Floats) -> tuple[Floats, Mask]:
    """The wins on one task of each system over each other one, half of ties, and which pairs it compares, [N, N]."""
    has = ~np.isnan(row)
    shared = has[:, None] & has
    np.fill_diagonal(shared, val=False)
    won = np.where(shared, (row[:, None] > row) + 0.5 * (row[:, None] == row), 0.0)
    return won, shared

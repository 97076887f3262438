"""Effects of standardization on comparisons of systems, over repeated samples of topics: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.memory import rows_within
from cranfield.standardization.critical import count_paired, count_welch
from cranfield.statistics.ap_correlation import tau_ap_b_of
from cranfield.statistics.concordance import Concordance, items_above
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.kendall import tau_b_of
from cranfield.statistics.product import ROWS, product
from cranfield.statistics.score_correlation import pearson
from cranfield.threads import side_by_side

BLOCK = 256
"""Trials that are worked on at once by a thread; a constant, so that the bits do not depend on the machine."""
CELLS = 1 << 17
"""Numbers of one working array inside a block."""
DRAWN = 1 << 23
"""Numbers of one matrix of trials and topics."""
DECIMALS = 12
"""Means are rounded to so many before they are ranked: what is left is noise of summation, which would break ties."""
NO_SPREAD = 1e-12
"""A variance below this share of the mean square is zero but for rounding."""


@dataclass(frozen=True)
class Trials:
    """One number for each scheme and trial, [schemes, trials], or each alpha too, [schemes, trials, alphas].

    Args:
        r: Pearson's correlation of the systems' means.
        tau_b: Kendall's.
        tau_ap_b: the AP correlation with ties.
        power: share of the pairs of systems whose difference is significant; NaN where no pair has a test.
        type_1: share of systems that differ significantly from themselves; None within a collection.
    """

    r: Floats
    tau_b: Floats
    tau_ap_b: Floats
    power: Floats
    type_1: Floats | None = None


def draw(rng: np.random.Generator, topics: int, size: int, trials: int) -> Ints:
    """Topics of every trial, without replacement, [trials, size]: places of the smallest of random numbers."""
    height = max(1, DRAWN // topics)
    blocks = (rng.random((min(height, trials - start), topics)) for start in range(0, trials, height))
    return np.concatenate([_smallest(block, size) for block in blocks])


def _smallest(numbers: Floats, size: int) -> Ints:
    """Of each row the places of the smallest, smallest first, [rows, size]."""
    places = np.sort(np.argpartition(numbers, size - 1, axis=1)[:, :size], axis=1)
    order = np.argsort(np.take_along_axis(numbers, places, axis=1), axis=1, kind="stable")
    return np.take_along_axis(places, order, axis=1)


def _height(topics: int) -> int:
    """Trials of a block: fewer of many topics, in whole pieces of the product so that its bits stay the same."""
    return min(BLOCK, ROWS * max(1, DRAWN // (ROWS * topics)))


def run(
    kernel: Callable[[Sequence[Floats], Ints, Floats], Trials],
    tables: Sequence[Floats],
    draws: Ints,
    alphas: Floats,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    executor: Executor | None = None,
) -> Trials:
    """All trials, in blocks on several threads or on an executor; the values do not depend on how many.

    Args:
        kernel: ``within`` or ``between``.
        tables: raw scores, then those of each scheme, [topics, systems] each.
        draws: topics of every trial, [trials, size].
        alphas: significance levels.
        workers: threads.
        progress: called with the trials that are done and all of them.
        executor: instead of threads of its own.
    """
    topics = len(tables[0])
    height = _height(topics)
    starts = range(0, len(draws), height)
    work = partial(_block, kernel, tables, draws, alphas, height)
    parts = []
    most = max(1, rows_within(topics, 0.5) // (2 * height))
    found = side_by_side(work, starts, min(workers, most)) if executor is None else executor.map(work, starts)
    for part in found:
        parts.append(part)
        if progress is not None:
            progress(min(len(parts) * height, len(draws)), len(draws))
    joined: dict[str, Any] = {}
    for field in fields(Trials):
        values = [getattr(part, field.name) for part in parts]
        joined[field.name] = None if values[0] is None else np.concatenate(values, axis=1)
    return Trials(**joined)


def _block(
    kernel: Callable[[Sequence[Floats], Ints, Floats], Trials],
    tables: Sequence[Floats],
    draws: Ints,
    alphas: Floats,
    height: int,
    start: int,
) -> Trials:
    """Some of the trials; it may be called in other processes."""
    return kernel(tables, draws[start : start + height], alphas)


def within(tables: Sequence[Floats], draws: Ints, alphas: Floats) -> Trials:
    """Standardized against raw means on the same topics; paired t-tests of all pairs of systems.

    Args:
        tables: raw scores, then those of each scheme, [topics, systems] each.
        draws: n topics of every trial, [trials, n].
        alphas: significance levels.
    """
    raw, *schemes = tables
    chosen = _chosen(draws, len(raw))
    n = draws.shape[1]
    truth = np.round(product(chosen, raw) / n, DECIMALS)
    above = items_above(truth)
    out = []
    for table in schemes:
        mean = product(chosen, table) / n
        estimate = np.round(mean, DECIMALS)
        counts = Concordance(items_above(estimate), above)
        power = _power_of_pairs(table, chosen, mean, n, alphas)
        out.append((pearson(estimate, truth), tau_b_of(counts), tau_ap_b_of(counts), power))
    return Trials(*(np.stack(values) for values in zip(*out, strict=True)))


def between(tables: Sequence[Floats], draws: Ints, alphas: Floats) -> Trials:
    """Means on one half of the drawn topics against the other; Welch's t-tests between the halves.

    Args:
        tables: raw scores, which are left out, then those of each scheme, [topics, systems] each.
        draws: 2 n topics of every trial, [trials, 2 n].
        alphas: significance levels.
    """
    n = draws.shape[1] // 2
    halves = [_chosen(half, len(tables[0])) for half in (draws[:, :n], draws[:, n:])]
    out = []
    for table in tables[1:]:
        means = [product(half, table) / n for half in halves]
        first, second = (np.round(mean, DECIMALS) for mean in means)
        counts = Concordance(items_above(first), items_above(second))
        rates = _welch_rates(table, halves, n, alphas)
        out.append((pearson(first, second), tau_b_of(counts), tau_ap_b_of(counts), *rates))
    return Trials(*(np.stack(values) for values in zip(*out, strict=True)))


def _chosen(draws: Ints, topics: int) -> Floats:
    """1 where a trial has a topic, [trials, topics]: sums over its topics are matrix products."""
    chosen = np.zeros((len(draws), topics))
    np.put_along_axis(chosen, draws, 1.0, axis=1)
    return chosen


def _power_of_pairs(table: Floats, chosen: Floats, mean: Floats, n: int, alphas: Floats) -> Floats:
    """Share of the pairs i < j with a significant paired difference, [trials, alphas]."""
    left, right = every_pair(table.shape[1])
    significant = np.zeros((len(chosen), len(alphas)), dtype=np.int64)
    tests = np.zeros(len(chosen), dtype=np.int64)
    width = max(1, min(CELLS // len(chosen), DRAWN // (2 * len(table))))
    for start in range(0, len(left), width):
        i, j = left[start : start + width], right[start : start + width]
        sum_of_squares = product(chosen, (table[:, i] - table[:, j]) ** 2)
        # Equal differences have no variance, and no test: their share is 1, or 0/0.
        counts = count_paired(sum_of_squares, mean, i, j, n, 1 - NO_SPREAD, alphas)
        significant += counts[0]
        tests += counts[1]
    return _share(significant, tests)


def _welch_rates(table: Floats, halves: Sequence[Floats], n: int, alphas: Floats) -> tuple[Floats, Floats]:
    """Power over all ordered pairs of different systems, and Type I errors over all systems, [trials, alphas]."""
    centre = table.mean(axis=0)  # near the mean, the square of it does not swallow the variance
    moments = []
    for half in halves:
        shift, square = (product(half, values) / n for values in (table - centre, (table - centre) ** 2))
        spread = square - shift**2
        moments.append((centre + shift, np.where(spread > NO_SPREAD * square, spread, 0.0) / (n - 1)))
    (means, errors), (other_means, other_errors) = moments
    different, same = count_welch(means, errors, other_means, other_errors, n, alphas)
    return _share(*different), _share(*same)


def _share(count: Ints, total: Ints) -> Floats:
    """NaN where there was nothing to test."""
    out = np.full(count.shape, np.nan)
    np.divide(count, total[:, None], out=out, where=total[:, None] > 0)
    return out

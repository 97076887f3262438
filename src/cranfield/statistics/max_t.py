"""Max-T: p-values of many pairs of columns adjusted together, on shared sign flips or a shared bootstrap of the rows.

For a pair z_t = x_t - y_t over n rows, t = mean(z) / (sd(z) / sqrt(n)), and

    u = t^2 / (n - 1 + t^2) = (sum z)^2 / (n sum z^2),

which grows with |t| from 0 to 1 and is finite where the spread is zero. A flip leaves sum z^2 as it is, and its sum of
z is a difference of two signed column sums: one matrix product serves all pairs. A bootstrap sample, in which row t is
drawn c_t times, has (sum c_t w_t)^2 / (n sum c_t w_t^2) with w = z - mean(z).

Pairs are gone through from the smallest observed |t| to the largest, with the largest u of each sample so far: that is
the maximum which the step-down procedure asks for, and at the end the one of the single step.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Reached
from cranfield.statistics._kernels.resampling import Count, count_reached
from cranfield.statistics.contrasts import Contrasts, centred, pair_noise
from cranfield.statistics.max_t_counting import Chunk, MaxT, counted, levels_of, of_chunk, together_of
from cranfield.statistics.paired_tests import moments, ratio
from cranfield.statistics.product import on_one_thread, product
from cranfield.statistics.resampling import Samples
from cranfield.threads import Each

CLOSE = 1e-3
"""Columns whose difference is smaller than so much of their values are subtracted before they are summed."""


@dataclass(frozen=True)
class _Observed:
    """Of each pair, [pairs]."""

    u: Floats
    squares: Floats
    """Sum of z^2."""
    constant: NDArray[np.bool_]
    """Only rounding is left of the spread."""
    close: NDArray[np.bool_]


def max_t_by_flips(
    table: Floats, signs: Samples, pairs: Contrasts, count: Count = count_reached, each: Each = map
) -> MaxT:
    """Flip the signs of the differences of all pairs of a row together.

    Under the null hypothesis of a set of pairs, their vector of differences of a row is symmetric about 0. A pair of
    equal columns has |t| = 0 in every flip, one whose difference is constant infinite |t|.

    Args:
        table: [n, columns], without NaN; n >= 2.
        signs: +1 and -1, B samples; all of them up to a common sign, or random ones.
        pairs: the family.
        count: an engine's; all give the same bits.
        each: where parts of the samples are counted; the same bits anywhere.

    References:
        Westfall & Young 1993, Resampling-based multiple testing. Wiley.
        Romano & Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing.
        doi:10.1198/016214504000000539
        Ge, Dudoit & Speed 2003, Resampling-based multiple testing for microarray data analysis. doi:10.1007/BF02595811
    """
    residual = table - table.mean(axis=1, keepdims=True)
    observed = _observed(table, pairs)
    nothing = np.sqrt(observed.squares / len(table)) <= pair_noise(table, pairs)
    scale = np.divide(1.0, len(table) * observed.squares, out=np.zeros(len(pairs)), where=~nothing)

    def block(some: Ints, chunk: Chunk, levels: Floats, largest: Floats) -> Reached:
        sums = _sums(table, pairs, some, chunk, observed.close)
        return count(*sums, False, scale[some], None, levels, largest)

    return counted(residual, signs, observed.u, block, each)


def max_t_by_bootstrap(
    table: Floats, counts: Samples, pairs: Contrasts, count: Count = count_reached, each: Each = map
) -> MaxT:
    """Draw rows with replacement, the same for all pairs, and studentise each sample by its own spread.

    A sample whose differences do not vary has infinite |t| unless their mean is zero too.

    Args:
        table: [n, columns], without NaN; n >= 2.
        counts: how often each row is drawn, B samples.
        pairs: the family.
        count: an engine's; all give the same bits.
        each: where parts of the samples are counted; the same bits anywhere.

    References:
        Westfall & Young 1993, Resampling-based multiple testing. Wiley.
        Romano & Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing.
        doi:10.1198/016214504000000539
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
    """
    n, residual, observed = len(table), centred(table), _observed(table, pairs)
    times = operator.matmul if on_one_thread() else product
    scale = np.where(observed.constant, 0.0, 1.0)

    def block(some: Ints, chunk: Chunk, levels: Floats, largest: Floats) -> Reached:
        w = residual.T[pairs.left[some]] - residual.T[pairs.right[some]]
        peak = np.abs(w).max(axis=1)
        w[np.abs(w) <= 1e-12 * peak[:, None]] = 0.0
        w[observed.constant[some]] = 0.0
        w *= w
        squares = times(w, chunk.weights)
        # Zeros alone have t = 0, which rounding of their sum must not make a large one.
        squares += np.where(observed.constant[some], 1.0, (1e-12 * peak) ** 2)[:, None]
        squares *= n
        sums = _sums(residual, pairs, some, chunk, observed.close)
        return count(*sums, False, scale[some], squares, levels, largest)

    return counted(residual, counts, observed.u, block, each)


def max_t_of_sums(sums: Floats, squares: Floats, u: Floats, n: int, count: Count = count_reached) -> MaxT:
    """The same of resamples whose sums are known.

    Args:
        sums: sum c_t w_t of each pair, [pairs, samples].
        squares: n sum c_t w_t^2, above 0, [pairs, samples].
        u: observed, [pairs].
        n: rows.
        count: an engine's; all give the same bits.
    """
    held = np.concatenate([sums, np.zeros((1, sums.shape[1]))])

    def block(some: Ints, _: Chunk, levels: Floats, largest: Floats) -> Reached:
        nothing = np.full(len(some), len(sums))
        return count(held, some, nothing, False, np.ones(len(some)), squares[some], levels, largest)

    order, levels = np.argsort(u, kind="stable"), levels_of(u, n)
    found = of_chunk(Chunk(np.empty((0, 0)), held), order, levels, block)
    return together_of([(slice(0, sums.shape[1]), found)], sums.shape[1], order, levels, n)


def _observed(table: Floats, pairs: Contrasts) -> _Observed:
    n, largest = len(table), np.abs(table - table.mean(axis=1, keepdims=True)).max(axis=0)
    parts = []
    for some in pairs.blocks(n):
        slack, z = pair_noise(table, some), some.differences(table)
        of = moments(z, slack)
        t2 = ratio(np.where(np.abs(of.mean) <= slack, 0.0, of.mean), of.deviation / np.sqrt(n)) ** 2
        u = np.divide(t2, n - 1.0 + t2, out=np.ones(len(some)), where=np.isfinite(t2))
        squares = (z * z).sum(axis=0)
        close = np.abs(z).max(axis=0) < CLOSE * np.maximum(largest[some.left], largest[some.right])
        parts.append((u, squares, of.deviation == 0, close))
    return _Observed(*map(np.concatenate, zip(*parts, strict=True)))


def _sums(
    table: Floats, pairs: Contrasts, some: Ints, chunk: Chunk, close: NDArray[np.bool_]
) -> tuple[Floats, Ints, Ints]:
    """Weighted sums of which those of some pairs are differences, [sums, samples], and the two of each pair."""
    left, right = pairs.left[some], pairs.right[some]
    few = np.flatnonzero(close[some])
    if not len(few):
        return chunk.sums, left, right
    direct = product((table[:, left[few]] - table[:, right[few]]).T, chunk.weights)
    nothing = len(chunk.sums)
    left[few], right[few] = nothing + 1 + np.arange(len(few)), nothing
    return np.concatenate([chunk.sums, np.zeros((1, direct.shape[1])), direct]), left, right

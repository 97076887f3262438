"""Max-T: p-values of many pairs of columns adjusted together, on shared sign flips or a shared bootstrap of the rows.

For a pair z_t = x_t - y_t over n rows, t = mean(z) / (sd(z) / sqrt(n)), and

    u = t^2 / (n - 1 + t^2) = (sum z)^2 / (n sum z^2),

which grows with |t| from 0 to 1 and is finite where the spread is zero. A flip leaves sum z^2 as it is, and its sum of
z is a difference of two signed column sums: one matrix product serves all pairs. A bootstrap sample, in which row t is
drawn c_t times, has (sum c_t w_t)^2 / (n sum c_t w_t^2) with w = z - mean(z).

Pairs are gone through from the smallest observed |t| to the largest, with the largest u of each sample so far: that is
the maximum which the step-down procedure asks for, and at the end the one of the single step.

How many samples of the rows reach what was observed of pairs of columns, part by part of the samples.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Reached
from cranfield.statistics._kernels.resampling import Count, count_reached
from cranfield.statistics._numeric import ROWS, on_one_thread, product
from cranfield.statistics.contrasts import Contrasts, centred, pair_noise
from cranfield.statistics.paired_tests import moments, ratio
from cranfield.statistics.resampling import Samples
from cranfield.threads import Each

CLOSE = 1e-3
"""Columns whose difference is smaller than so much of their values are subtracted before they are summed."""
TIE = 1e-9
"""Statistics this close, relatively, are equal: the observed one recurs in other samples, and rounding must not
decide whether >= holds."""
FLOOR = 1e-12
"""The same of u, where it is so near to 1 that a close |t| leaves it as it is."""
HEIGHT = 2048
"""Samples at a time, which one worker of a cluster takes."""
SUMS = 1 << 22
"""Column sums, and weights of rows, that are held at once."""
CELLS = 1 << 20
"""Values of a block of pairs."""


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


@dataclass(frozen=True)
class Chunk:
    """Some of the samples.

    Args:
        weights: signs or counts of each row, [n, samples].
        sums: weighted sums of the columns, [columns, samples].
    """

    weights: Floats
    sums: Floats


@dataclass(frozen=True)
class Drawn:
    """Some of the samples, on their way to be counted.

    Args:
        rows: which.
        weights: signs or counts of each row, [samples, n].
    """

    rows: slice
    weights: Floats

    @property
    def name(self) -> str:
        """What a cluster calls the task."""
        return f"resamples {self.rows.start + 1:,} to {self.rows.stop:,}"

    def __reduce__(self) -> tuple[Any, ...]:
        small = np.int8 if np.abs(self.weights).max() <= np.iinfo(np.int8).max else np.int32
        return _unpacked, (self.rows, self.weights.astype(small))


def _unpacked(rows: slice, weights: NDArray[np.integer[Any]]) -> Drawn:
    return Drawn(rows, weights.astype(np.float64))


Block = Callable[[Ints, Chunk, Floats, Floats], Reached]
"""Of some pairs, and some samples: how many reach the levels, with the largest value before them."""


@dataclass(frozen=True)
class MaxT:
    """How many samples reach what was observed, [pairs] each.

    Args:
        raw: by the pair's own |t|.
        single_step: by the largest |t| of all pairs.
        step_down: by the largest |t| of the pairs whose observed |t| is not larger; of several equal shares the largest
            up to there, so that no pair comes before one of a larger |t|.
        maxima: the largest |t| of all pairs in each sample, [samples].
    """

    raw: Ints
    single_step: Ints
    step_down: Ints
    maxima: Floats

    def critical(self, hits: int) -> float:
        """The largest |t| that more than so many samples reach; infinite where that is none of them."""
        if hits < 0:
            return np.inf
        place = len(self.maxima) - 1 - hits
        return float(np.partition(self.maxima, place)[place]) if place >= 0 else 0.0


@dataclass(frozen=True)
class Counting:
    """What is done with each part of the samples.

    Args:
        residual: what is summed, [n, columns].
        order: pairs by what was observed, the smallest first.
        levels: what each has to reach.
        block: looks at some of them.
    """

    residual: Floats
    order: Ints
    levels: Floats
    block: Block

    def __call__(self, drawn: Drawn) -> tuple[slice, Reached]:
        """Sum the columns, and go through the pairs."""
        sums = np.ascontiguousarray(product(drawn.weights, self.residual).T)
        chunk = Chunk(np.ascontiguousarray(drawn.weights.T), sums)
        return drawn.rows, of_chunk(chunk, self.order, self.levels, self.block)


def of_chunk(chunk: Chunk, order: Ints, levels: Floats, block: Block) -> Reached:
    """Go through the pairs."""
    alone, together = np.empty((2, len(order)), dtype=np.int64)
    largest = np.zeros(chunk.sums.shape[1])
    width = max(1, CELLS // len(largest))
    for start in range(0, len(order), width):
        some = order[start : start + width]
        found = block(some, chunk, levels[some], largest)
        alone[some], together[some], largest = found["alone"], found["together"], found["largest"]
    return {"alone": alone, "together": together, "largest": largest}


def counted(residual: Floats, samples: Samples, u: Floats, block: Block, each: Each) -> MaxT:
    """Go through the samples, part by part."""
    order, levels = np.argsort(u, kind="stable"), levels_of(u, len(residual))
    parts = each(Counting(residual, order, levels, block), _parts(samples, residual))
    return together_of(parts, len(samples), order, levels, len(residual))


def together_of(parts: Iterable[tuple[slice, Reached]], resamples: int, order: Ints, levels: Floats, n: int) -> MaxT:
    """What was found in all parts of the samples."""
    raw, down = np.zeros((2, len(order)), dtype=np.int64)
    largest = np.empty(resamples)
    for rows, found in parts:
        raw += found["alone"]
        down += found["together"]
        largest[rows] = found["largest"]
    single = len(largest) - np.searchsorted(np.sort(largest), levels, side="left")
    down[order[::-1]] = np.maximum.accumulate(down[order[::-1]])
    finite = largest < 1.0 - FLOOR
    t2 = np.divide((n - 1.0) * largest, 1.0 - largest, out=np.full(len(largest), np.inf), where=finite)
    return MaxT(raw, single.astype(np.int64), down, np.sqrt(t2))


def levels_of(u: Floats, n: int) -> Floats:
    """What a u has to reach, so that its |t| is not below the observed one."""
    finite = u < 1.0 - FLOOR
    t2 = np.divide((n - 1.0) * u, 1.0 - u, out=np.zeros(len(u)), where=finite) * (1.0 - TIE) ** 2
    below = np.where(finite, t2 / (n - 1.0 + t2), 1.0)
    levels: Floats = np.minimum(below, u * (1.0 - FLOOR))
    return levels


def _parts(samples: Samples, residual: Floats) -> Iterator[Drawn]:
    height = max(ROWS, min(HEIGHT, SUMS // max(residual.shape)) // ROWS * ROWS)
    for rows, block in samples.blocks():
        for start in range(0, len(block), height):
            weights = block[start : start + height]
            yield Drawn(slice(rows.start + start, rows.start + start + len(weights)), weights)

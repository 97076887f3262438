"""Max-T: p-values of many pairs of columns adjusted together, by shared sign flips or a shared bootstrap.

For a pair z_t = x_t - y_t over n rows, t = mean(z) / (sd(z) / sqrt(n)), and

    u = t^2 / (n - 1 + t^2) = (sum z)^2 / (n sum z^2),

which grows with |t| from 0 to 1 and is finite where the spread is zero. A flip leaves sum z^2 as it is, and its sum of
z is a difference of two signed column sums: one matrix product serves all pairs. A bootstrap sample, in which row t is
drawn c_t times, has (sum c_t w_t)^2 / (n sum c_t w_t^2) with w = z - mean(z).

Pairs are processed from the smallest observed |t| to the largest, with the running maximum of u in each sample: that is
the maximum of the step-down procedure, and at the end the one of the single step. Samples are counted in parts.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Floats, Ints
from cranfield.engine.protocol import Reached
from cranfield.statistics.contrasts import Contrasts, centred, pair_noise
from cranfield.statistics.numeric import ROWS, on_one_thread, product
from cranfield.statistics.paired_tests import moments, ratio
from cranfield.statistics.resampling import Samples
from cranfield.statistics.rounding import NOISE
from cranfield.threads import Each

CLOSE = 1e-3
"""Columns whose difference is smaller than this share of their values are subtracted before they are summed."""
TIE = 1e-9
"""Statistics this close, relatively, are equal: the observed one recurs in other samples, and rounding must not
decide whether >= holds."""
FLOOR = 1e-12
"""The tolerance of u itself, where u is so near to 1 that another |t| hardly changes it."""
HEIGHT = 2048
"""Samples at a time, which one worker of a cluster takes."""
SUMS = 1 << 22
"""Column sums, and weights of rows, that are held at once."""
CELLS = 1 << 20
"""Values of a block of pairs."""


@dataclass(frozen=True)
class _Observed:
    """Observed statistics of the pairs, [pairs] each."""

    u: Floats
    squares: Floats
    """Sum of z^2."""
    constant: NDArray[np.bool_]
    """Only rounding is left of the spread."""
    close: NDArray[np.bool_]


def max_t_by_flips(table: Floats, signs: Samples, pairs: Contrasts, each: Each = map) -> MaxT:
    """Flip the signs of the differences of all pairs of a row together.

    Under the null hypothesis of a set of pairs, their vector of differences of a row is symmetric about 0. A pair of
    equal columns has |t| = 0 in every flip, one whose difference is constant infinite |t|.

    Args:
        table: [n, columns], without NaN; n >= 2.
        signs: +1 and -1, B samples; all of them up to a common sign, or random ones.
        pairs: the family.
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

    block = partial(_count_flips, table, pairs, observed, scale)
    return count_samples(residual, signs, observed.u, block, each)


def _count_flips(
    table: Floats,
    pairs: Contrasts,
    observed: _Observed,
    scale: Floats,
    pair_block: Ints,
    chunk: Chunk,
    levels: Floats,
    largest: Floats,
) -> Reached:
    sums = _sums(table, pairs, pair_block, chunk, observed.close)
    return engine.current().count_reached(*sums, False, scale[pair_block], None, None, levels, largest)


def max_t_by_bootstrap(table: Floats, counts: Samples, pairs: Contrasts, each: Each = map) -> MaxT:
    """Draw rows with replacement, the same for all pairs, and studentise each sample by its own spread.

    A sample whose differences do not vary has infinite |t| unless their mean is zero too.

    Args:
        table: [n, columns], without NaN; n >= 2.
        counts: how often each row is drawn, B samples.
        pairs: the family.
        each: where parts of the samples are counted; the same bits anywhere.

    References:
        Westfall & Young 1993, Resampling-based multiple testing. Wiley.
        Romano & Wolf 2005, Exact and approximate stepdown methods for multiple hypothesis testing.
        doi:10.1198/016214504000000539
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
    """
    residual, observed = centred(table), _observed(table, pairs)
    times = operator.matmul if on_one_thread() else product
    block = partial(_count_draws, residual, pairs, observed, times)
    return count_samples(residual, counts, observed.u, block, each)


def _count_draws(
    residual: Floats,
    pairs: Contrasts,
    observed: _Observed,
    times: Callable[[Floats, Floats], Floats],
    pair_block: Ints,
    chunk: Chunk,
    levels: Floats,
    largest: Floats,
) -> Reached:
    w = residual.T[pairs.left[pair_block]] - residual.T[pairs.right[pair_block]]
    peak = np.abs(w).max(axis=1)
    w[np.abs(w) <= NOISE * peak[:, None]] = 0.0
    w[observed.constant[pair_block]] = 0.0
    w *= w
    squares = times(w, chunk.weights)
    # Zeros alone have t = 0, which rounding of their sum must not make a large one.
    squares += np.where(observed.constant[pair_block], 1.0, (NOISE * peak) ** 2)[:, None]
    squares *= len(residual)
    scale = np.where(observed.constant[pair_block], 0.0, 1.0)
    sums = _sums(residual, pairs, pair_block, chunk, observed.close)
    return engine.current().count_reached(*sums, False, scale, squares, None, levels, largest)


def compute_max_t(sums: Floats, squares: Floats, u: Floats, n: int) -> MaxT:
    """Max-T from resamples whose sums are known.

    Args:
        sums: sum c_t w_t of each pair, [pairs, samples].
        squares: n sum c_t w_t^2, above 0, [pairs, samples].
        u: observed, [pairs].
        n: rows.
    """
    held = np.concatenate([sums, np.zeros((1, sums.shape[1]))])

    def block(pair_block: Ints, _: Chunk, levels: Floats, largest: Floats) -> Reached:
        nothing, ones = np.full(len(pair_block), len(sums)), np.ones(len(pair_block))
        count = engine.current().count_reached
        return count(held, pair_block, nothing, False, ones, squares[pair_block], None, levels, largest)

    order, levels = np.argsort(u, kind="stable"), critical_levels(u, n)
    reached = count_chunk(Chunk(np.empty((0, 0)), held), order, levels, block)
    return combine_parts([(slice(0, sums.shape[1]), reached)], sums.shape[1], order, levels, n)


def _observed(table: Floats, pairs: Contrasts) -> _Observed:
    n, largest = len(table), np.abs(table - table.mean(axis=1, keepdims=True)).max(axis=0)
    parts = []
    for pair_block in pairs.blocks(n):
        slack, z = pair_noise(table, pair_block), pair_block.differences(table)
        mean, deviation = moments(z, slack)
        t2 = ratio(np.where(np.abs(mean) <= slack, 0.0, mean), deviation / np.sqrt(n)) ** 2
        u = np.divide(t2, n - 1.0 + t2, out=np.ones(len(pair_block)), where=np.isfinite(t2))
        squares = (z * z).sum(axis=0)
        close = np.abs(z).max(axis=0) < CLOSE * np.maximum(largest[pair_block.left], largest[pair_block.right])
        parts.append((u, squares, deviation == 0, close))
    return _Observed(*map(np.concatenate, zip(*parts, strict=True)))


def _sums(
    table: Floats, pairs: Contrasts, pair_block: Ints, chunk: Chunk, close: NDArray[np.bool_]
) -> tuple[Floats, Ints, Ints]:
    """Weighted sums, [sums, samples], and the two rows of them whose difference is the sum of each pair of a block."""
    left, right = pairs.left[pair_block], pairs.right[pair_block]
    close_pairs = np.flatnonzero(close[pair_block])
    if not len(close_pairs):
        return chunk.sums, left, right
    direct = product((table[:, left[close_pairs]] - table[:, right[close_pairs]]).T, chunk.weights)
    nothing = len(chunk.sums)
    left[close_pairs], right[close_pairs] = nothing + 1 + np.arange(len(close_pairs)), nothing
    return np.concatenate([chunk.sums, np.zeros((1, direct.shape[1])), direct]), left, right


@dataclass(frozen=True)
class Chunk:
    """A part of the samples.

    Args:
        weights: signs or counts of each row, [n, samples].
        sums: weighted sums of the columns, [columns, samples].
    """

    weights: Floats
    sums: Floats


@dataclass(frozen=True)
class SamplePart:
    """A part of the samples before it is counted.

    Args:
        rows: which.
        weights: signs or counts of each row, [samples, n].
    """

    rows: slice
    weights: Floats

    @property
    def name(self) -> str:
        """The name of the task on a cluster."""
        return f"resamples {self.rows.start + 1:,} to {self.rows.stop:,}"

    def __reduce__(self) -> tuple[Any, ...]:
        small = np.int8 if np.abs(self.weights).max() <= np.iinfo(np.int8).max else np.int32
        return _unpacked, (self.rows, self.weights.astype(small))


def _unpacked(rows: slice, weights: NDArray[np.integer[Any]]) -> SamplePart:
    return SamplePart(rows, weights.astype(np.float64))


BlockCounter = Callable[[Ints, Chunk, Floats, Floats], Reached]
"""Counts, for a block of pairs and a chunk of samples, those that reach the levels; with the running maximum."""


@dataclass(frozen=True)
class MaxT:
    """The number of samples that reach the observed statistics, [pairs] each.

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
        """The largest |t| that more than ``hits`` samples reach; infinite if there is none."""
        if hits < 0:
            return np.inf
        index = len(self.maxima) - 1 - hits
        return float(np.partition(self.maxima, index)[index]) if index >= 0 else 0.0


@dataclass(frozen=True)
class Counting:
    """The count over a part of the samples, one task of many.

    Args:
        residual: what is summed, [n, columns].
        order: pairs by what was observed, the smallest first.
        levels: what each has to reach.
        block: looks at some of them.
    """

    residual: Floats
    order: Ints
    levels: Floats
    block: BlockCounter

    def __call__(self, drawn: SamplePart) -> tuple[slice, Reached]:
        """Sum the columns, and go through the pairs."""
        sums = np.ascontiguousarray(product(drawn.weights, self.residual).T)
        chunk = Chunk(np.ascontiguousarray(drawn.weights.T), sums)
        return drawn.rows, count_chunk(chunk, self.order, self.levels, self.block)


def count_chunk(chunk: Chunk, order: Ints, levels: Floats, block: BlockCounter) -> Reached:
    """Process the pairs, block by block."""
    alone, together = np.empty((2, len(order)), dtype=np.int64)
    largest = np.zeros(chunk.sums.shape[1])
    width = max(1, CELLS // len(largest))
    for start in range(0, len(order), width):
        pair_block = order[start : start + width]
        reached = block(pair_block, chunk, levels[pair_block], largest)
        alone[pair_block], together[pair_block], largest = reached["alone"], reached["together"], reached["largest"]
    return {"alone": alone, "together": together, "largest": largest}


def count_samples(residual: Floats, samples: Samples, u: Floats, block: BlockCounter, each: Each) -> MaxT:
    """Count all samples, part by part."""
    order, levels = np.argsort(u, kind="stable"), critical_levels(u, len(residual))
    parts = each(Counting(residual, order, levels, block), _parts(samples, residual))
    return combine_parts(parts, len(samples), order, levels, len(residual))


def combine_parts(parts: Iterable[tuple[slice, Reached]], resamples: int, order: Ints, levels: Floats, n: int) -> MaxT:
    """Add up the counts of all parts of the samples."""
    raw, down = np.zeros((2, len(order)), dtype=np.int64)
    largest = np.empty(resamples)
    for rows, reached in parts:
        raw += reached["alone"]
        down += reached["together"]
        largest[rows] = reached["largest"]
    single = len(largest) - np.searchsorted(np.sort(largest), levels, side="left")
    down[order[::-1]] = np.maximum.accumulate(down[order[::-1]])
    finite = largest < 1.0 - FLOOR
    t2 = np.divide((n - 1.0) * largest, 1.0 - largest, out=np.full(len(largest), np.inf), where=finite)
    return MaxT(raw, single.astype(np.int64), down, np.sqrt(t2))


def critical_levels(u: Floats, n: int) -> Floats:
    """The level that u has to reach for its |t| to be at least the observed one."""
    finite = u < 1.0 - FLOOR
    t2 = np.divide((n - 1.0) * u, 1.0 - u, out=np.zeros(len(u)), where=finite) * (1.0 - TIE) ** 2
    below = np.where(finite, t2 / (n - 1.0 + t2), 1.0)
    levels: Floats = np.minimum(below, u * (1.0 - FLOOR))
    return levels


def _parts(samples: Samples, residual: Floats) -> Iterator[SamplePart]:
    height = max(ROWS, min(HEIGHT, SUMS // max(residual.shape)) // ROWS * ROWS)
    for rows, block in samples.blocks():
        for start in range(0, len(block), height):
            weights = block[start : start + height]
            yield SamplePart(slice(rows.start + start, rows.start + start + len(weights)), weights)

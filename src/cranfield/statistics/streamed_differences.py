"""Differences of pairs of systems on very many topics: exact sums, and the bootstrap in one pass over the scores.

With z = x - y, w = z - mean(z), and c_t how often topic t is drawn, all that a resample says of a pair is
D = sum c_t w_t and S = sum c_t w_t^2: its mean difference is mean(z) + D / n, and its t^2 is (n - 1) D^2 / (n S - D^2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.statistics.bootstrap import TIE
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.exact_differences import Difference
from cranfield.statistics.intervals import PairIntervals, compute_bca, compute_percentiles
from cranfield.statistics.max_t import MaxT, compute_max_t
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.paired_differences import (
    BootstrapResamples,
    PairedDifferences,
    PairedResamples,
    TableDifferences,
    max_t_without,
)
from cranfield.statistics.paired_tests import DifferenceMoments, Tested, signs_tested, t_tested
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.streamed_bootstrap import StreamedSamples, resampled_sums
from cranfield.statistics.test_names import BY_SIGNS, Test
from cranfield.threads import Each

DifferenceBlocks = Callable[[], Iterator[Floats]]
"""Gives all scores, [systems, topics of the block], as often as it is called."""


@dataclass(frozen=True)
class PairSums:
    """Sums of each pair, left minus right, [pairs].

    Args:
        differences: exact sums.
        above: on how many topics the left score is larger.
        below: on how many it is smaller.
    """

    differences: tuple[Difference, ...]
    above: Ints
    below: Ints

    @classmethod
    def sum_blocks(cls, blocks: Iterator[Floats], pairs: Contrasts, largest: Floats) -> PairSums:
        """Go through the scores once.

        Args:
            blocks: of complete scores.
            pairs: of systems.
            largest: absolute value of the largest score of each system, [systems].
        """
        slack = NOISE * np.maximum(largest[pairs.left], largest[pairs.right])
        differences = [Difference()] * len(pairs)
        above, below = np.zeros((2, len(pairs)), dtype=np.int64)
        for block in blocks:
            for pair, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
                differences[pair] += Difference.subtract(block[left], block[right])
                z = block[left] - block[right]
                above[pair] += np.count_nonzero(z > slack[pair])
                below[pair] += np.count_nonzero(z < -slack[pair])
        return cls(tuple(differences), above, below)

    def negated(self) -> PairSums:
        """Right minus left."""
        return PairSums(tuple(difference.negated() for difference in self.differences), self.below, self.above)

    @property
    def moments(self) -> DifferenceMoments:
        """Means and standard deviations of the differences."""
        means, deviations = zip(
            *((difference.mean, difference.deviation) for difference in self.differences), strict=True
        )
        return DifferenceMoments(np.array(means), np.array(deviations))


@dataclass(frozen=True)
class StreamedDifferences(PairedDifferences):
    """The differences of complete scores that are read in blocks.

    Args:
        blocks: gives the scores.
        topic_count: how many topics there are.
        pairs: of systems.
        sums: of these pairs.
    """

    blocks: DifferenceBlocks
    topic_count: int
    pairs: Contrasts
    sums: PairSums

    @property
    def row_count(self) -> int:
        """Count the topics."""
        return self.topic_count

    def tested(self, test: Test) -> tuple[DifferenceMoments, Tested]:
        """The t-test and the sign test from sums; Wilcoxon's needs all scores at once."""
        if test == "wilcoxon":
            return self._in_memory().tested(test)
        moments = self.sums.moments
        if test in BY_SIGNS:
            return moments, signs_tested(self.sums.above, self.sums.below)
        df = np.full(len(self.pairs), self.topic_count - 1.0)
        error = moments.deviation / np.sqrt(self.topic_count)
        return moments, t_tested(moments.mean, error, df, self.constant_p())

    def flip_signs(self, resamples: int, rng: np.random.Generator, each: Each) -> PairedResamples:
        """Flip signs of all scores at once."""
        return self._in_memory().flip_signs(resamples, rng, each)

    def bootstrap(self, resamples: int, rng: np.random.Generator, each: Each) -> BootstrapResamples:
        """Draw, and go through the scores once, in this process.

        Raises:
            InputError: sums of that many resamples and pairs would not fit.
        """
        moments, width = self.sums.moments, len(self.pairs)
        slack = np.array([difference.largest * NOISE for difference in self.sums.differences])
        cubes = np.zeros(width)

        def statistics(block: Floats) -> Floats:
            w = self.pairs.differences(block.T) - moments.mean
            w[np.abs(w) <= slack] = 0.0
            w[:, moments.deviation == 0] = 0.0
            squares = w * w
            np.add(cubes, (squares * w).sum(axis=0), out=cubes)
            return np.concatenate([w, squares], axis=1)

        samples = StreamedSamples(resamples, self.topic_count, rng)
        drawn = resampled_sums(self.blocks(), samples, statistics, 2 * width, f"{width:,} pairs")
        degenerate = 2 * (self.sums.above + self.sums.below) < self.topic_count
        return _StreamedBootstrap(
            self.topic_count, *moments, cubes, drawn[:, :width], drawn[:, width:], slack, degenerate
        )

    def _in_memory(self) -> TableDifferences:
        return TableDifferences(np.concatenate([block.T for block in self.blocks()]), self.pairs)


@dataclass(frozen=True)
class _StreamedBootstrap(BootstrapResamples):
    """Statistics of each pair over resamples.

    Args:
        topics: how many.
        mean: of the differences, [pairs].
        deviation: of the differences, [pairs]; 0 where they are constant.
        cubes: sum of w^3, [pairs].
        sums: D, [resamples, pairs].
        squares: S, [resamples, pairs].
        slack: differences up to so much are rounding, [pairs].
        degenerate: which pairs are not part of the family, [pairs].
    """

    topics: int
    mean: Floats
    deviation: Floats
    cubes: Floats
    sums: Floats
    squares: Floats
    slack: Floats
    degenerate: NDArray[np.bool_]

    def p(self) -> Floats:
        """The share of resamples that have |t_b| >= |t|; see ``paired_bootstrap``."""
        n, constant = self.topics, self.deviation == 0
        t2 = n * self.mean**2 / np.where(constant, 1.0, self.deviation) ** 2
        limit = n * t2 / (n - 1 + t2) * (1 - TIE)
        floor = np.where(limit > 0, self.slack**2, 0.0)
        reached = (self.sums**2 >= self.squares * limit + floor).sum(axis=0)
        hits = np.where(constant, np.where(self.mean == 0, len(self.sums), 0), reached)
        p: Floats = share(hits, len(self.sums), exact=False)
        return p

    def max_t(self) -> MaxT:
        return max_t_without(self.degenerate, self._family, len(self.sums))

    def _family(self, subset: NDArray[np.bool_]) -> MaxT:
        """The largest |t| of a subset of the pairs in each resample."""
        n, deviation = self.topics, self.deviation[subset]
        varies = deviation > 0
        t2 = n * np.divide(self.mean[subset], deviation, out=np.zeros(len(deviation)), where=varies) ** 2
        u = np.where(varies | (self.mean[subset] == 0), t2 / (n - 1.0 + t2), 1.0)
        squares = self.squares[:, subset] + np.where(varies, self.slack[subset] ** 2, 1.0)
        sums = np.ascontiguousarray(self.sums[:, subset].T)
        return compute_max_t(sums, np.ascontiguousarray(squares.T) * n, u, n)

    def interval(self, kind: str, level: float) -> PairIntervals:
        moved = self.sums / self.topics
        means = self.mean + np.where(np.abs(moved) <= self.slack, 0.0, moved)
        if kind == "percentile":
            return compute_percentiles(means, level)
        squares = self.deviation**2 * (self.topics - 1)
        return PairIntervals(*compute_bca(np.sort(means, axis=0), self.mean, squares, self.cubes, level))

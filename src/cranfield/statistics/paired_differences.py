"""Differences of pairs of columns on the same rows: their moments, tests, and what resamples of the rows say of them.

``PairedDifferences`` is what comparisons see, wherever the rows are; ``TableDifferences`` takes all of them at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Floats, Ints
from cranfield.statistics.contrasts import Contrasts, noise, pair_noise
from cranfield.statistics.intervals import PairIntervals, bca_interval, percentile_interval
from cranfield.statistics.max_t import MaxT, max_t_by_bootstrap, max_t_by_flips
from cranfield.statistics.monte_carlo import share
from cranfield.statistics.paired_tests import (
    DifferenceMoments,
    Tested,
    moments,
    paired_t,
    sign_test,
    weighted_moments,
    wilcoxon,
    without_noise,
)
from cranfield.statistics.resampling import Samples, bootstrap_counts, sign_flips
from cranfield.statistics.rounding import signs_p
from cranfield.statistics.sign_flips import sign_flip_test
from cranfield.statistics.test_names import BY_SIGNS, Test
from cranfield.threads import Each


class PairedResamples(ABC):
    """Statistics of each pair over resamples of the rows.

    Args:
        exact: whether they are all that there are.
    """

    exact: bool

    @abstractmethod
    def p(self) -> Floats:
        """p of each pair by itself, [pairs]."""

    @abstractmethod
    def max_t(self) -> MaxT:
        """All pairs together; under the bootstrap without the degenerate ones, see ``find_degenerate``."""


class BootstrapResamples(PairedResamples):
    """Rows drawn with replacement, from which follow intervals too."""

    exact = False

    def standard_error(self, error: Floats) -> Floats:
        """The standard error of the form that each resample has, [pairs]: that of the test, but for clusters."""
        return error

    @abstractmethod
    def interval(self, kind: str, level: float) -> PairIntervals:
        """The interval of each mean difference by itself, ``percentile`` or ``bca``."""


class PairedDifferences(ABC):
    """Left minus right on rows that all columns have, at least two.

    Args:
        pairs: the columns.
    """

    pairs: Contrasts

    @property
    @abstractmethod
    def row_count(self) -> int:
        """Count the rows."""

    @property
    def cluster_count(self) -> int | None:
        """Count the clusters that the rows are in; None where each row is by itself."""
        return None

    @property
    def df(self) -> Floats | float:
        """Degrees of freedom of the standard error, the same for all pairs or of each, [pairs]."""
        return (self.cluster_count or self.row_count) - 1.0

    def standard_error(self, moments: DifferenceMoments) -> Floats:
        """The standard error of each mean difference, [pairs]."""
        error: Floats = moments.deviation / np.sqrt(self.cluster_count or self.row_count)
        return error

    def constant_p(self) -> Floats:
        """One-sided p of each pair by the exact test of signs, if its differences were all of one sign, [pairs]."""
        return np.full(len(self.pairs), signs_p(np.array(self.cluster_count or self.row_count)))

    @abstractmethod
    def tested(self, test: Test) -> tuple[DifferenceMoments, Tested]:
        """Mean and deviation of each pair, and its test; tests by resampling have Student's statistic."""

    @abstractmethod
    def flip_signs(self, resamples: int, rng: np.random.Generator, each: Each) -> PairedResamples:
        """Flip the signs of the differences of a row, the same for all pairs.

        Args:
            resamples: how many.
            rng: what draws.
            each: where parts of the work are done; the same bits anywhere.
        """

    @abstractmethod
    def bootstrap(self, resamples: int, rng: np.random.Generator, each: Each) -> BootstrapResamples:
        """Draw rows with replacement, the same for all pairs; see ``flip_signs``."""


@dataclass(frozen=True)
class TableDifferences(PairedDifferences):
    """The differences of a table in memory.

    Args:
        table: [rows, columns], without NaN.
        pairs: its columns.
    """

    table: Floats
    pairs: Contrasts

    @property
    def row_count(self) -> int:
        """Count the rows."""
        return len(self.table)

    def tested(self, test: Test) -> tuple[DifferenceMoments, Tested]:
        """A few pairs at a time, so that their differences stay small."""
        statistic = {"wilcoxon": wilcoxon, **dict.fromkeys(BY_SIGNS, sign_test)}.get(test, paired_t)
        moment_parts, test_parts = [], []
        for block in self.pairs.blocks(len(self.table)):
            slack, z = pair_noise(self.table, block), block.differences(self.table)
            moment_parts.append(moments(z, slack))
            test_parts.append(statistic(z, slack))
        return (
            DifferenceMoments(*map(np.concatenate, zip(*moment_parts, strict=True))),
            Tested(*map(np.concatenate, zip(*test_parts, strict=True))),
        )

    def flip_signs(self, resamples: int, rng: np.random.Generator, each: Each) -> PairedResamples:
        """All flips where there are no more than resamples."""
        signs, exact = sign_flips(len(self.table), resamples, rng)
        return _SignFlips(self.table, self.pairs, signs, exact, each)

    def bootstrap(self, resamples: int, rng: np.random.Generator, each: Each) -> BootstrapResamples:
        """Drawn when they are used."""
        return _Bootstrap(self.table, self.pairs, bootstrap_counts(len(self.table), resamples, rng), each)


@dataclass(frozen=True)
class _SignFlips(PairedResamples):
    table: Floats
    pairs: Contrasts
    signs: Samples
    exact: bool
    each: Each

    def p(self) -> Floats:
        return sign_flip_test(self.table, self.signs, self.pairs, exact=self.exact, each=self.each)

    def max_t(self) -> MaxT:
        return max_t_by_flips(self.table, self.signs, self.pairs, self.each)


@dataclass(frozen=True)
class _Bootstrap(BootstrapResamples):
    table: Floats
    pairs: Contrasts
    counts: Samples
    each: Each

    def p(self) -> Floats:
        raw = max_t_by_bootstrap(self.table, self.counts, self.pairs, self.each).raw
        p: Floats = share(raw, len(self.counts), exact=False)
        return p

    def max_t(self) -> MaxT:
        def family(subset: NDArray[np.bool_]) -> MaxT:
            pairs = Contrasts(self.pairs.left[subset], self.pairs.right[subset])
            return max_t_by_bootstrap(self.table, self.counts, pairs, self.each)

        return max_t_without(find_degenerate(self.table, self.pairs), family, len(self.counts))

    def interval(self, kind: str, level: float) -> PairIntervals:
        interval = percentile_interval if kind == "percentile" else bca_interval
        return interval(self.table, self.counts, self.pairs, level)


def find_degenerate(table: Floats, pairs: Contrasts) -> NDArray[np.bool_]:
    """Return which pairs differ on fewer than half of the rows, [pairs].

    A bootstrap sample draws few of these rows, or one again and again: |t| is then huge, or infinite, whatever the
    difference, and would be the largest of all pairs. Such pairs are left out of the family, and never significant.
    """
    differing = [
        (np.abs(block.differences(table)) > pair_noise(table, block)).sum(axis=0) for block in pairs.blocks(len(table))
    ]
    few: NDArray[np.bool_] = 2 * np.concatenate(differing) < len(table)
    return few


def max_t_without(degenerate: NDArray[np.bool_], family: Callable[[NDArray[np.bool_]], MaxT], resamples: int) -> MaxT:
    """All pairs by the bootstrap, where the degenerate ones are not part of the family.

    Args:
        degenerate: which pairs are, [pairs].
        family: gives the max-T of a subset of the pairs.
        resamples: how many.
    """
    if not degenerate.any():
        return family(~degenerate)
    regular, excluded = family(~degenerate), family(degenerate)
    raw, single, down = np.full((3, len(degenerate)), resamples, dtype=np.int64)
    raw[~degenerate], single[~degenerate], down[~degenerate] = regular.raw, regular.single_step, regular.step_down
    raw[degenerate] = excluded.raw
    return MaxT(raw, single, down, regular.maxima)


class PairFacts(NamedTuple):
    """Facts of each pair on the rows that both columns have, [pairs]; left minus right."""

    rows: Floats
    """The number of rows on which both have a value."""
    mean: Floats
    """Mean of the differences."""
    deviation: Floats
    """Standard deviation of the differences."""
    above: Ints
    """Rows on which left is larger."""
    equal: Ints
    """Rows on which they are equal."""
    below: Ints
    """Rows on which left is smaller."""
    left_mean: Floats
    right_mean: Floats


def summarize_weighted_pairs(table: Floats, pairs: Contrasts, weights: Floats) -> PairFacts:
    """As ``summarize_pairs``, with weighted means and deviations; see ``weighted_moments``."""
    facts = summarize_pairs(table, pairs)
    mean, deviation, left_mean, right_mean = np.full((4, len(pairs)), np.nan)
    tolerance = noise(np.nan_to_num(table))
    for at, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        both = ~np.isnan(table[:, left] + table[:, right])
        w = weights[both]
        if len(w) < 2:
            continue
        z, slack = table[both, left] - table[both, right], max(tolerance[left], tolerance[right])
        mean[at], deviation[at] = (value[0] for value in weighted_moments(z[:, None], np.array([slack]), w))
        left_mean[at], right_mean[at] = (float(w @ table[both, column] / w.sum()) for column in (left, right))
    return facts._replace(mean=mean, deviation=deviation, left_mean=left_mean, right_mean=right_mean)


def summarize_pairs(table: Floats, pairs: Contrasts) -> PairFacts:
    """The facts of pairs of columns of [rows, columns], NaN where there is no value."""
    known = ~np.isnan(table)
    filled = np.where(known, table, 0.0)
    tolerance = noise(filled)
    parts = []
    for block in pairs.blocks(len(table)):
        both = known[:, block.left] & known[:, block.right]
        left, right = filled[:, block.left], filled[:, block.right]
        z = np.where(both, left - right, 0.0)
        rows = both.sum(axis=0)
        count = rows.astype(np.float64)
        mean = z.sum(axis=0) / np.maximum(count, 1.0)
        deviation = np.sqrt((np.where(both, z - mean, 0.0) ** 2).sum(axis=0) / np.maximum(count - 1.0, 1.0))
        slack = np.maximum(tolerance[block.left], tolerance[block.right])
        mean, deviation = without_noise(mean, deviation, slack)
        above, below = (z > slack).sum(axis=0), (z < -slack).sum(axis=0)
        means = ((both * side).sum(axis=0) / np.maximum(rows, 1) for side in (left, right))
        parts.append((count, mean, deviation, above, rows - above - below, below, *means))
    return PairFacts(*map(np.concatenate, zip(*parts, strict=True)))

"""Scores of very many topics, gone through in blocks: the storage of ``Scores`` that are not in memory.

Exact sums do not depend on blocks, nor on the order of topics: the same scores give the same bits wherever they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from cranfield._typing import Floats
from cranfield.scores.scale import refuse_out_of_range
from cranfield.scores.table import BLOCK
from cranfield.scores.topic_table import TopicTable, Totals
from cranfield.statistics.anova import AdditiveResidual, TwoWay
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.exact_sums import Moments
from cranfield.statistics.generalizability import (
    Generalizability,
    ResampledComponents,
    draw_columns,
    estimate_components,
)
from cranfield.statistics.paired_differences import PairedDifferences, PairFacts
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.streamed_bootstrap import CHUNK, StreamedSamples, resampled_sums
from cranfield.statistics.streamed_differences import PairSums, StreamedDifferences


@dataclass(frozen=True, eq=False)
class ScoreBlocks:
    """Scores that are read in blocks whenever sums of them are taken.

    Args:
        measure: its name, for messages.
        topic_count: how many topics there are.
        system_count: how many systems.
        blocks: gives all scores, [systems, topics of the block], as often as it is called.
        load: gives all of them at once.
        read_names: gives the names of all topics, in their order, in blocks.
    """

    measure: str
    topic_count: int
    system_count: int
    blocks: Callable[[], Iterator[Floats]]
    load: Callable[[], TopicTable]
    read_names: Callable[[], Iterator[Sequence[str]]]
    resampling_settings: ClassVar[Mapping[str, int]] = {"drawn_at_a_time": CHUNK}
    """The number of topics that are drawn at a time, on which the numbers of a seed depend."""
    _pair_sums: dict[tuple[bytes, bytes], PairSums] = field(default_factory=dict, init=False)

    @classmethod
    def from_table(cls, measure: str, table: TopicTable) -> ScoreBlocks:
        """Scores in memory, which are complete, gone through as those that are not."""

        def blocks() -> Iterator[Floats]:
            for start in range(0, table.topic_count, BLOCK):
                yield np.ascontiguousarray(table.values[start : start + BLOCK].T)

        topics, systems = table.values.shape
        return cls(measure, topics, systems, blocks, table.load, lambda: iter([table.topics]))

    @property
    def is_complete(self) -> bool:
        """True if every system has a score on every topic."""
        return bool((self.totals.counts == self.topic_count).all())

    @cached_property
    def totals(self) -> Totals:
        """Counts, means and largest scores of each system, from exact sums over the blocks.

        Raises:
            InputError: the square of a score is not a finite number.
        """
        sums, largest = [Moments()] * self.system_count, np.zeros(self.system_count)
        for block in self.blocks():
            sums = [total + Moments.from_values(scores) for total, scores in zip(sums, block, strict=True)]
            largest = np.fmax(largest, np.fmax.reduce(np.abs(block), axis=1, initial=0.0))
        refuse_out_of_range(self.measure, float(largest.max(initial=0.0)))
        means = np.array([moments.mean for moments in sums])
        return Totals(np.array([moments.count for moments in sums]), means, means, largest)

    @cached_property
    def residual(self) -> AdditiveResidual:
        """The variance that topics and systems leave of complete scores."""
        return AdditiveResidual(self.two_way.ms_residual, self.two_way.df_residual)

    @cached_property
    def two_way(self) -> TwoWay:
        """The analysis of variance of complete scores of two systems or more, topics in rows."""
        n, k = self.topic_count, self.system_count
        means, residual_squares, topic_means = self.totals.means[:, None], Moments(), Moments()
        grand = means.mean()
        for block in self.blocks():
            shifted = block - grand
            row = shifted.mean(axis=0)
            residual = shifted - row - (means - grand)
            residual_squares += Moments.from_values((residual * residual).sum(axis=0))
            topic_means += Moments.from_values(row)
        squares = (
            k * topic_means.variance * (n - 1),
            n * float(((means - grand) ** 2).sum()),
            residual_squares.sum,
        )
        floor = n * k * (NOISE * self.totals.largest.max()) ** 2
        rows, columns, left_over = (value if value > floor else 0.0 for value in squares)
        return TwoWay(n, k, rows / (n - 1), columns / (k - 1), left_over / ((n - 1) * (k - 1)))

    def names(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of the topics with these numbers; all names are read once."""
        ascending, names, first = sorted(numbers), dict[int, str](), 0
        for block in self.read_names() if ascending else ():
            while len(names) < len(ascending) and (index := ascending[len(names)] - first) < len(block):
                names[ascending[len(names)]] = block[index]
            first += len(block)
        return names

    def select_systems(self, columns: Sequence[int]) -> ScoreBlocks:
        """The scores of these systems, in this order."""
        chosen = np.array(columns)
        return replace(
            self,
            system_count=len(chosen),
            blocks=lambda: (block[chosen] for block in self.blocks()),
            load=lambda: self.load().select_systems(columns),
        )

    def shared_means(self, left: int, right: int) -> tuple[float, float]:
        """The means of two systems, both of which have all topics."""
        return float(self.totals.means[left]), float(self.totals.means[right])

    def pair_sums(self, pairs: Contrasts) -> PairSums:
        """Sums of the differences of pairs, of complete scores; the scores are read once for them."""
        left, right = pairs.left.tobytes(), pairs.right.tobytes()
        if (right, left) in self._pair_sums:
            return self._pair_sums[right, left].negated()
        if (left, right) not in self._pair_sums:
            self._pair_sums[left, right] = PairSums.sum_blocks(self.blocks(), pairs, self.totals.largest)
        return self._pair_sums[left, right]

    def summarize_pairs(self, pairs: Contrasts) -> PairFacts:
        """Wins, losses, means and differences of each pair."""
        sums, count = self.pair_sums(pairs), self.topic_count
        equal = count - sums.above - sums.below
        means = self.totals.means[pairs.left], self.totals.means[pairs.right]
        return PairFacts(np.full(len(pairs), float(count)), *sums.moments, sums.above, equal, sums.below, *means)

    def differences(self, pairs: Contrasts) -> PairedDifferences:
        """The differences of pairs of complete scores, to be tested."""
        return StreamedDifferences(self.blocks, self.topic_count, pairs, self.pair_sums(pairs))

    def variance_components(
        self, resamples: int, rng: np.random.Generator, *, systems: bool
    ) -> tuple[Generalizability, ResampledComponents]:
        """Variance components of complete scores, and those of resamples of topics, and of ``systems`` too.

        With x the scores without their mean and c_t how often a topic is drawn, all that is needed of a resample is
        sum_t c_t x_tj and sum_t c_t x_tj x_tl.
        """
        study, k = Generalizability(self.two_way), self.system_count
        topic_rng, system_rng = rng.spawn(2)
        columns = draw_columns(k, resamples, system_rng if systems else None)
        grand_mean, (left, right) = self.totals.means.mean(), np.triu_indices(k)

        def statistics(block: Floats) -> Floats:
            x = block.T - grand_mean
            return np.concatenate([x, x[:, left] * x[:, right]], axis=1)

        samples = StreamedSamples(resamples, self.topic_count, topic_rng)
        sums = resampled_sums(self.blocks(), samples, statistics, k + len(left), f"{k:,} systems")
        return study, estimate_components(study, columns, sums, float(self.totals.largest.max()), objects=systems)

"""Scores in memory, the usual storage of ``Scores``; see ``blocks`` for the other one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.measures import summary
from cranfield.statistics.anova import AdditiveResidual, TwoWay, residual_of, two_way
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.paired_differences import PairedDifferences, PairFacts, TableDifferences, summarize_pairs

if TYPE_CHECKING:
    from cranfield.statistics.generalizability import Generalizability, ResampledComponents


class Totals(NamedTuple):
    """Summaries of the scores of each system, [systems] each."""

    counts: Ints
    """The number of topics on which it has a score."""
    means: Floats
    """The mean over these topics."""
    exact_means: Floats
    """The same mean from exact sums, as tables of summaries have it."""
    largest: Floats
    """The absolute value of its largest score."""


@dataclass(frozen=True, eq=False)
class TopicTable:
    """Scores in memory.

    Args:
        topics: in their order.
        values: float64 [topics, systems]; NaN where a system has no score.
    """

    topics: tuple[str, ...]
    values: Floats
    resampling_settings: ClassVar[Mapping[str, int]] = {}
    """Settings of an analysis on the drawing of topics; empty, as these are drawn in the usual way."""

    def load(self) -> TopicTable:
        """Return itself: all scores at once."""
        return self

    def blocks(self) -> Iterator[Floats]:
        """All scores, [systems, topics], in one block."""
        yield self.values.T

    def names(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of the topics with these numbers."""
        return {number: self.topics[number] for number in numbers}

    def select_systems(self, columns: Sequence[int]) -> TopicTable:
        """The scores of these systems, in this order."""
        return TopicTable(self.topics, np.ascontiguousarray(self.values[:, list(columns)]))

    @property
    def topic_count(self) -> int:
        """The number of topics."""
        return len(self.topics)

    @cached_property
    def is_complete(self) -> bool:
        """True if every system has a score on every topic."""
        return not np.isnan(self.values).any()

    @cached_property
    def totals(self) -> Totals:
        """Counts, means and largest scores of each system."""
        scored = ~np.isnan(self.values)
        counts, total = scored.sum(axis=0), np.where(scored, self.values, 0.0).sum(axis=0)
        means: Floats = np.divide(total, counts, out=np.full(len(total), np.nan), where=counts > 0)
        largest = np.fmax.reduce(np.abs(self.values), axis=0, initial=0.0)
        return Totals(counts, means, summary("mean", self.values.T), largest)

    @property
    def two_way(self) -> TwoWay:
        """The analysis of variance of complete scores, topics in rows."""
        return two_way(self.values)

    @property
    def residual(self) -> AdditiveResidual:
        """The variance that topics and systems leave; fitted where scores are missing."""
        return residual_of(self.values)

    def shared_means(self, left: int, right: int) -> tuple[float, float]:
        """The means of two systems over the topics that both have; NaN where they share none."""
        sides = self.values[:, left], self.values[:, right]
        both = ~np.isnan(sides[0]) & ~np.isnan(sides[1])
        left_mean, right_mean = (float(side[both].mean()) if both.any() else np.nan for side in sides)
        return left_mean, right_mean

    def summarize_pairs(self, pairs: Contrasts) -> PairFacts:
        """Wins, losses, means and differences of each pair on the topics that both have."""
        return summarize_pairs(self.values, pairs)

    def differences(self, pairs: Contrasts) -> PairedDifferences:
        """The differences of pairs of complete scores, to be tested."""
        return TableDifferences(self.values, pairs)

    def variance_components(
        self, resamples: int, rng: np.random.Generator, *, systems: bool
    ) -> tuple[Generalizability, ResampledComponents]:
        """Variance components of complete scores, and those of resamples of topics, and of ``systems`` too."""
        from cranfield.statistics.generalizability import generalizability, resampled_components

        table = np.asfortranarray(self.values)  # sums down a contiguous column lose fewer digits
        return generalizability(table), resampled_components(table, resamples, rng, objects=systems)

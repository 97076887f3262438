"""Scores of very many topics, read in blocks, and the door through which analyses get scores by a measure.

Exact sums do not depend on blocks, nor on the order of topics: the same scores give the same bits wherever they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, MeasureScores, SharedScores, make_matrices, make_matrix, refuse_out_of_range
from cranfield.scores.missing_scores import MissingScores, fill_gaps
from cranfield.scoring.exact_sums import Moments
from cranfield.statistics.anova import Residual, TwoWay
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.generalizability import (
    Generalizability,
    ResampledComponents,
    draw_columns,
    estimate_components,
)
from cranfield.statistics.paired_differences import PairedDifferences, PairFacts
from cranfield.statistics.rounding import NOISE
from cranfield.streaming.bootstrap import CHUNK, StreamedSamples, resampled_sums
from cranfield.streaming.differences import PairSums, StreamedDifferences
from cranfield.streaming.parquet import BLOCK, MAX_IN_MEMORY, StoredScores


@dataclass(frozen=True, eq=False)
class StreamedScores(MeasureScores):
    """Scores by one measure, read in blocks whenever sums of them are taken.

    Args:
        measure: its name.
        topics: how many there are.
        systems: in their order.
        read_blocks: gives all scores, [systems, topics of the block], as often as it is called.
        larger_is_better: whether it is.
        source: signature of the scores.
        load: gives all of them at once, with their names.
        read_names: gives the names of all topics, in their order, in blocks.
        direction_said: whether something says that larger is better, or smaller; otherwise it is the default.
    """

    measure: str
    topics: int
    systems: tuple[str, ...]
    read_blocks: Callable[[], Iterator[Floats]]
    larger_is_better: bool
    source: Any
    load: Callable[[], ScoresLike]
    read_names: Callable[[], Iterator[Sequence[str]]]
    direction_said: bool = field(default=True, kw_only=True)
    _pair_sums: dict[tuple[bytes, bytes], PairSums] = field(default_factory=dict, init=False)

    @classmethod
    def from_files(cls, stored: StoredScores) -> StreamedScores:
        """Scores in Parquet."""
        return cls(
            stored.measure,
            stored.topics,
            stored.systems,
            stored.blocks,
            stored.larger_is_better,
            stored.source,
            stored.load,
            stored.names,
            direction_said=stored.direction_said,
        )

    @classmethod
    def from_matrix(cls, matrix: Matrix) -> StreamedScores | None:
        """A matrix, if it is complete and has enough topics to be read in blocks too; else None."""
        count = matrix.topic_count
        if count <= MAX_IN_MEMORY or not matrix.is_complete:
            return None

        def blocks() -> Iterator[Floats]:
            for start in range(0, count, BLOCK):
                yield np.ascontiguousarray(matrix.values[start : start + BLOCK].T)

        return cls(
            matrix.measure,
            count,
            matrix.systems,
            blocks,
            matrix.larger_is_better,
            matrix.source,
            matrix.labelled,
            lambda: iter([matrix.topics]),
            direction_said=matrix.direction_said,
        )

    @property
    def topic_count(self) -> int:
        """How many topics there are."""
        return self.topics

    @property
    def sizes(self) -> dict[str, int]:
        """How many topics and systems, as labelled scores have them."""
        return {"topic": self.topic_count, "system": len(self.systems)}

    @property
    def is_complete(self) -> bool:
        """Whether every system has a score on every topic."""
        return all(moments.count == self.topic_count for moments in self._totals[0])

    @property
    def scored_topics(self) -> Ints:
        """On how many topics each system has a score, [systems]."""
        return np.array([moments.count for moments in self._totals[0]])

    @property
    def largest(self) -> float:
        """The absolute value of the largest score."""
        return float(self._totals[1].max(initial=0.0))

    @property
    def means(self) -> Floats:
        """The mean of each system over its topics, [systems]."""
        return self.exact_means

    @cached_property
    def exact_means(self) -> Floats:
        """The mean of each system, from exact sums."""
        return np.array([moments.mean for moments in self._totals[0]])

    @cached_property
    def _totals(self) -> tuple[list[Moments], Floats]:
        """Sums of each system, and the absolute value of its largest score.

        Raises:
            InputError: the square of a score is not a finite number.
        """
        sums, largest = [Moments()] * len(self.systems), np.zeros(len(self.systems))
        for block in self.blocks():
            sums = [total + Moments.from_values(scores) for total, scores in zip(sums, block, strict=True)]
            largest = np.fmax(largest, np.fmax.reduce(np.abs(block), axis=1, initial=0.0))
        refuse_out_of_range(self.measure, float(largest.max(initial=0.0)))
        return sums, largest

    @cached_property
    def residual(self) -> Residual:
        """The variance that topics and systems leave of complete scores."""
        return Residual(self.two_way.ms_residual, self.two_way.df_residual)

    @cached_property
    def two_way(self) -> TwoWay:
        """The analysis of variance of complete scores of two systems or more, topics in rows."""
        n, k = self.topic_count, len(self.systems)
        means, residual_squares, topic_means = self.exact_means[:, None], Moments(), Moments()
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
        floor = n * k * (NOISE * self.largest) ** 2
        rows, columns, left_over = (value if value > floor else 0.0 for value in squares)
        return TwoWay(n, k, rows / (n - 1), columns / (k - 1), left_over / ((n - 1) * (k - 1)))

    @property
    def resampling_settings(self) -> dict[str, int]:
        """How many topics are drawn at a time: it is part of what a seed means."""
        return {"drawn_at_a_time": CHUNK}

    def blocks(self) -> Iterator[Floats]:
        """All scores, [systems, topics of the block]."""
        return self.read_blocks()

    def topic_names(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of the topics with these numbers; all names are read once."""
        ascending, names, first = sorted(numbers), dict[int, str](), 0
        for block in self.read_names() if ascending else ():
            while len(names) < len(ascending) and (index := ascending[len(names)] - first) < len(block):
                names[ascending[len(names)]] = block[index]
            first += len(block)
        return names

    def select_systems(self, columns: Sequence[int]) -> StreamedScores:
        """The scores of these systems, in this order."""
        if list(columns) == list(range(len(self.systems))):
            return self
        chosen = np.array(columns)

        def blocks() -> Iterator[Floats]:
            return (block[chosen] for block in self.blocks())

        return replace(self, systems=tuple(self.systems[column] for column in columns), read_blocks=blocks)

    def in_memory(self) -> Matrix:
        """All scores at once.

        Raises:
            InputError: they do not fit into the memory allowed.
        """
        matrix = make_matrix(self.load())
        return matrix.directed(self.larger_is_better) if self.direction_said else matrix

    def directed(self, larger_is_better: bool) -> Self:
        """The scores, of which it is said whether larger is better."""
        return replace(self, larger_is_better=larger_is_better, direction_said=True)

    def shared_topics(self, pairs: Contrasts) -> Ints:
        """All topics, [pairs]."""
        return np.full(len(pairs), self.topic_count)

    def shared_scores(self, left: int, right: int) -> SharedScores:
        """Two systems, both of which have all topics."""
        return SharedScores(float(self.means[left]), float(self.means[right]), self.topic_count, [], [])

    def pair_sums(self, pairs: Contrasts) -> PairSums:
        """Sums of the differences of pairs, of complete scores; the scores are read once for them."""
        left, right = pairs.left.tobytes(), pairs.right.tobytes()
        if (right, left) in self._pair_sums:
            return self._pair_sums[right, left].negated()
        if (left, right) not in self._pair_sums:
            self._pair_sums[left, right] = PairSums.sum_blocks(self.blocks(), pairs, self._totals[1])
        return self._pair_sums[left, right]

    def summarize_pairs(self, pairs: Contrasts) -> PairFacts:
        """Wins, losses, means and differences of each pair."""
        sums, count = self.pair_sums(pairs), self.topic_count
        equal = count - sums.above - sums.below
        means = self.means[pairs.left], self.means[pairs.right]
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
        study, k = Generalizability(self.two_way), len(self.systems)
        topic_rng, system_rng = rng.spawn(2)
        columns = draw_columns(k, resamples, system_rng if systems else None)
        grand_mean, (left, right) = self.exact_means.mean(), np.triu_indices(k)

        def statistics(block: Floats) -> Floats:
            x = block.T - grand_mean
            return np.concatenate([x, x[:, left] * x[:, right]], axis=1)

        samples = StreamedSamples(resamples, self.topic_count, topic_rng)
        sums = resampled_sums(self.blocks(), samples, statistics, k + len(left), f"{k:,} systems")
        return study, estimate_components(study, columns, sums, self.largest, objects=systems)


def open_measure(
    scores: ScoresLike | MeasureScores, missing_scores: MissingScores | None = None, *, blockwise: bool = True
) -> MeasureScores:
    """Scores by one measure as an analysis sees them.

    Args:
        scores: labelled ones, or such as were opened before.
        missing_scores: what to do where systems lack scores; scores that were opened before are left as they are.
        blockwise: whether the analysis can do with blocks of topics where these are very many, and none is missing;
            otherwise all scores are in memory.

    Raises:
        UsageError, InputError: see ``make_matrix``; or they do not fit into the memory allowed.
    """
    if isinstance(scores, StreamedScores):
        return scores if blockwise and scores.is_complete else _blockwise(scores.in_memory(), blockwise)
    if not isinstance(scores, MeasureScores):
        scores = make_matrix(scores if missing_scores is None else fill_gaps(scores, missing_scores))
    return _blockwise(scores.in_memory(), blockwise)


def open_measures(
    scores: ScoresLike | Sequence[MeasureScores],
    missing_scores: MissingScores | None = None,
    *,
    blockwise: bool = True,
) -> list[MeasureScores]:
    """Scores by each of several measures; see ``open_measure``."""
    if isinstance(scores, Sequence):
        return [open_measure(measure, blockwise=blockwise) for measure in scores]
    return [_blockwise(matrix, blockwise) for matrix in make_matrices(fill_gaps(scores, missing_scores))]


def _blockwise(matrix: Matrix, blockwise: bool) -> MeasureScores:
    return (StreamedScores.from_matrix(matrix) if blockwise else None) or matrix

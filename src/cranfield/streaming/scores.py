"""Scores of very many topics, gone through in blocks: exact sums of each system and of each pair of systems.

An exact sum does not know of blocks, nor of the order of topics: the same scores give the same bits wherever they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, MeasureScores, matrices_of, matrix_of, refuse_out_of_range
from cranfield.scores.missing_scores import MissingScores, fill_gaps
from cranfield.scoring.exact_sums import Moments
from cranfield.scoring.paired_differences import Difference
from cranfield.statistics.anova import Residual, TwoWay
from cranfield.statistics.contrasts import NOISE, Contrasts
from cranfield.statistics.streamed_bootstrap import CHUNK
from cranfield.streaming.parquet import BLOCK, MAX_IN_MEMORY, StoredScores


@dataclass(frozen=True)
class PairSums:
    """Of each pair, left minus right, [pairs].

    Args:
        differences: exact sums.
        above: on how many topics the left score is larger.
        below: on how many it is smaller.
    """

    differences: tuple[Difference, ...]
    above: Ints
    below: Ints

    def turned(self) -> PairSums:
        """Right minus left."""
        return PairSums(tuple(one.turned() for one in self.differences), self.below, self.above)


@dataclass(frozen=True, eq=False)
class StreamedScores(MeasureScores):
    """Scores by one measure, of which sums are taken.

    Args:
        measure: its name.
        topics: as many numbers as there are.
        systems: in their order.
        blocks: gives all scores, [systems, some topics], as often as it is called.
        larger_is_better: whether it is.
        source: signature of the scores.
        load: gives all of them at once, with their names.
        names: gives the names of all topics, in their order, some at a time.
    """

    measure: str
    topics: range
    systems: tuple[str, ...]
    blocks: Callable[[], Iterator[Floats]]
    larger_is_better: bool
    source: Any
    load: Callable[[], ScoresLike]
    names: Callable[[], Iterator[Sequence[str]]]
    _known: dict[tuple[bytes, bytes], PairSums] = field(default_factory=dict, init=False)

    @classmethod
    def stored(cls, scores: StoredScores) -> StreamedScores:
        """Of files."""
        topics = range(scores.topics)
        of = scores.measure, topics, scores.systems, scores.blocks, scores.larger_is_better, scores.source
        return cls(*of, scores.load, scores.names)

    @classmethod
    def held(cls, matrix: Matrix) -> StreamedScores | None:
        """Of a matrix, if it is so long and complete that it is gone through in blocks too."""
        count = len(matrix.topics)
        if count <= MAX_IN_MEMORY or bool(np.isnan(matrix.values).any()):
            return None

        def blocks() -> Iterator[Floats]:
            for start in range(0, count, BLOCK):
                yield np.ascontiguousarray(matrix.values[start : start + BLOCK].T)

        of = matrix.measure, range(count), matrix.systems, blocks, matrix.larger_is_better, matrix.source
        return cls(*of, matrix.labelled, lambda: iter([matrix.topics]))

    @property
    def sizes(self) -> dict[str, int]:
        """How many topics and systems, as labelled scores have them."""
        return {"topic": len(self.topics), "system": len(self.systems)}

    def topics_held(self) -> range:
        """Numbers of the topics."""
        return self.topics

    @property
    def is_complete(self) -> bool:
        """Whether every system has a score on every topic."""
        return all(one.count == len(self.topics) for one in self._totals[0])

    @property
    def largest(self) -> float:
        """The size of the largest score."""
        return float(self._totals[1].max(initial=0.0))

    @property
    def means(self) -> Floats:
        """Of each system, [systems]."""
        return self.exact_means

    @cached_property
    def exact_means(self) -> Floats:
        """The same."""
        return np.array([one.mean for one in self._totals[0]])

    @cached_property
    def _totals(self) -> tuple[list[Moments], Floats]:
        """Sums of each system, and the size of its largest score.

        Raises:
            InputError: a square of a score is no number.
        """
        sums, largest = [Moments()] * len(self.systems), np.zeros(len(self.systems))
        for block in self.blocks():
            sums = [one + Moments.of(column) for one, column in zip(sums, block, strict=True)]
            largest = np.fmax(largest, np.fmax.reduce(np.abs(block), axis=1, initial=0.0))
        refuse_out_of_range(self.measure, float(largest.max(initial=0.0)))
        return sums, largest

    @cached_property
    def residual(self) -> Residual:
        """What topics and systems leave of complete scores."""
        return Residual(self.two_way.ms_residual, self.two_way.df_residual)

    @cached_property
    def two_way(self) -> TwoWay:
        """Analysis of variance of complete scores of two systems or more, topics in rows; see ``two_way``."""
        n, k = len(self.topics), len(self.systems)
        means, rest, of_topics = self.exact_means[:, None], Moments(), Moments()
        grand = means.mean()
        for block in self.blocks():
            shifted = block - grand
            row = shifted.mean(axis=0)
            left = shifted - row - (means - grand)
            rest, of_topics = rest + Moments.of((left * left).sum(axis=0)), of_topics + Moments.of(row)
        squares = k * of_topics.variance * (n - 1), n * float(((means - grand) ** 2).sum()), rest.sum
        floor = n * k * (1e-14 * self.largest) ** 2
        rows, columns, left_over = (value if value > floor else 0.0 for value in squares)
        return TwoWay(n, k, rows / (n - 1), columns / (k - 1), left_over / ((n - 1) * (k - 1)))

    def only(self, systems: Sequence[int]) -> StreamedScores:
        """The same of some systems."""
        if list(systems) == list(range(len(self.systems))):
            return self
        kept = np.array(systems)

        def blocks() -> Iterator[Floats]:
            return (block[kept] for block in self.blocks())

        return replace(self, systems=tuple(self.systems[at] for at in systems), blocks=blocks)

    def names_of(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of the topics with these numbers; all names are gone through once."""
        wanted, found, begin = sorted(numbers), dict[int, str](), 0
        for some in self.names() if wanted else ():
            while len(found) < len(wanted) and (at := wanted[len(found)] - begin) < len(some):
                found[wanted[len(found)]] = some[at]
            begin += len(some)
        return found

    def sums_of(self, pairs: Contrasts) -> PairSums:
        """Sums of the differences of pairs, of complete scores; the scores are gone through once for them."""
        left, right = pairs.left.tobytes(), pairs.right.tobytes()
        if (right, left) in self._known:
            return self._known[right, left].turned()
        if (left, right) not in self._known:
            self._known[left, right] = self._summed(pairs)
        return self._known[left, right]

    def _summed(self, pairs: Contrasts) -> PairSums:
        largest = self._totals[1]
        slack = NOISE * np.maximum(largest[pairs.left], largest[pairs.right])
        found = [Difference()] * len(pairs)
        above, below = np.zeros((2, len(pairs)), dtype=np.int64)
        for block in self.blocks():
            for at, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
                found[at] += Difference.of(block[left], block[right])
                z = block[left] - block[right]
                above[at] += np.count_nonzero(z > slack[at])
                below[at] += np.count_nonzero(z < -slack[at])
        return PairSums(tuple(found), above, below)


def filled(scores: ScoresLike | StreamedScores, missing_scores: MissingScores | None) -> ScoresLike | StreamedScores:
    """Scores without gaps where that is asked for; very many topics have none. See ``fill_gaps``."""
    return scores if isinstance(scores, StreamedScores) else fill_gaps(scores, missing_scores)


def open_or_load(scores: ScoresLike | StreamedScores, *, sums_do: bool) -> Matrix | StreamedScores:
    """Scores as an analysis needs them: of very many topics and without gaps as sums, if these do; else in memory.

    Raises:
        UsageError, InputError: see ``matrix_of``; or they do not fit into the memory allowed.
    """
    if isinstance(scores, StreamedScores):
        if sums_do and scores.is_complete:
            return scores
        scores = scores.load()
    matrix = matrix_of(scores)
    return (StreamedScores.held(matrix) if sums_do else None) or matrix


def open_or_load_each(
    scores: ScoresLike | Sequence[StreamedScores], *, sums_do: bool = True
) -> list[Matrix | StreamedScores]:
    """The same for each of several measures.

    Raises:
        UsageError, InputError: see ``open_or_load``.
    """
    if isinstance(scores, Sequence):
        return [open_or_load(one, sums_do=sums_do) for one in scores]
    return [(StreamedScores.held(one) if sums_do else None) or one for one in matrices_of(scores)]


def drawing_of(matrix: Matrix | StreamedScores, resamples: int) -> dict[str, int]:
    """What settings say of how topics were drawn, where that is another way than usual."""
    return {"drawn_at_a_time": CHUNK} if resamples and isinstance(matrix, StreamedScores) else {}

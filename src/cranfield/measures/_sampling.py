"""Judgments of a sample: what was sampled of a pool, and the error that this leaves in an estimate.

The error is that of a jackknife inside each stratum.

An estimate is a ratio of two totals over the documents that were sampled, N/n times each in a stratum of N documents of
which n were sampled. Each of them is left out in turn, the others of its stratum then standing for N/(n - 1) documents.
The totals move to first order, and their ratio as it does. Where t_j is the estimate without document j, and m the mean
of these in the stratum, the variance is the sum over strata of (1 - n/N) (n - 1)/n sum (t_j - m)^2, and the bias that
of (1 - n/N) (n - 1) (m - t).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.measures._measure import Measure
from cranfield.statistics.numeric import ratio

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Sample(NamedTuple):
    """The sampled part of a pool.

    Args:
        number: of the stratum of each pool row among those of its topic, int64 [pool rows].
        most: strata of the topic that has most.
        cell: topic * most + number of each pool row, int64 [pool rows].
        size: documents of each stratum of each topic, float64 [topics * most].
        sampled: those of them that were sampled, float64 [topics * most].
        weight: how many documents a sampled one of each pool row's stratum stands for, float64 [pool rows].
    """

    number: Ints
    most: int
    cell: Ints
    size: Floats
    sampled: Floats
    weight: Floats

    @classmethod
    def from_pool(cls, pool: Pool) -> Sample:
        """The sample of a pool, which without strata is one stratum."""

        def drawn() -> Sample:
            number = np.zeros(len(pool.grade), dtype=np.int64) if pool.strata is None else pool.strata.number
            most = int(number.max(initial=0)) + 1
            cell, cells = pool.topic * most + number, len(pool.size) * most
            if most == 1:
                size, sampled = pool.size.astype(np.float64), pool.tally(pool.grade >= 0)
            else:
                size = np.bincount(cell, minlength=cells).astype(np.float64)
                sampled = np.bincount(cell, pool.grade >= 0, minlength=cells).astype(np.float64, copy=False)
            return cls(number, most, cell, size, sampled, shares(size, sampled)[cell])

        return pool.shared("sample", drawn)

    def expected(self, worth: Mask | Floats) -> Floats:
        """Sum of a worth over the documents of each topic, by what was sampled, float64 [topics].

        Args:
            worth: of each pool row, 0 where it was not sampled; a mark counts documents.
        """
        total: Floats = shares(self.tally(worth) * self.size, self.sampled).reshape(-1, self.most).sum(axis=1)
        return total

    def tally(self, worth: Mask | Floats) -> Floats:
        """Sum of a worth over the pool rows of each stratum of each topic, float64 [topics * most]."""
        marks = worth.dtype == np.bool_ and self.most == 1
        total = np.bincount(self.cell[worth] if marks else self.cell, None if marks else worth, len(self.size))
        return total.astype(np.float64, copy=False)

    def by_stratum(self, rankings: Rankings) -> Iterator[Mask]:
        """Return which rows belong to each stratum of their topic, bool [rows]."""
        if self.most == 1:
            return iter([np.ones(len(rankings.document), dtype=np.bool_)])
        number = self.number[rankings.document]
        return (number == stratum for stratum in range(self.most))


def shares(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole, and 0 where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64))
    share: Floats = np.nan_to_num(ratio(part, whole))
    return share


TINY = 1e-9
"""Less of a total than this is rounding."""


class Influence(NamedTuple):
    """The change of an estimate, a ratio of two totals, with the weights of the sampled documents.

    Args:
        sample: what was sampled.
        view: the lists, as far as the measure looks at them.
        value: the estimate of each list, float64 [lists].
        numerator: how the total above the line moves with each row, 0 for what was not sampled, float64 [rows].
        total: the total below the line, float64 [lists].
        expected: how it moves with each pool row, 0 for what was not sampled, float64 [pool rows].
    """

    sample: Sample
    view: Rankings
    value: Floats
    numerator: Floats
    total: Floats
    expected: Floats


class SamplingError(NamedTuple):
    """The uncertainty that a sample leaves in each list's estimate, NaN where it is unknown; float64 [lists] each.

    Args:
        error: standard error.
        bias: how much the estimate is too large on average, since it divides by an estimate; to second order.
    """

    error: Floats
    bias: Floats


def sampling_error(measure: Measure, rankings: Rankings) -> SamplingError:
    """The error of an estimate from judgments of a sample.

    It is unknown where nothing was sampled of a stratum, and where nothing relevant was.

    Raises:
        MeasureError: the measure is not such an estimate.
    """
    moves = measure.declaration.influence
    if moves is None:
        raise MeasureError(
            f"{measure} is not estimated from a sample of judgments, so that it has no error of sampling"
        )
    influence: Influence = moves(rankings, **measure.parameters)
    topics = len(influence.view.pool.size)
    parts = [_estimate_error(influence, number, topics) for number in range(len(influence.view.systems))]
    error, bias = (np.concatenate(column) for column in zip(*parts, strict=True))
    unknown = ((influence.sample.size > 0) & (influence.sample.sampled == 0)).reshape(topics, -1).any(axis=1)
    unknown = influence.view.per_topic(unknown) | np.isnan(influence.value)
    return SamplingError(np.where(unknown, np.nan, error), np.where(unknown, np.nan, bias))


def _estimate_error(influence: Influence, system: int, topics: int) -> tuple[Floats, Floats]:
    """Error and bias of the lists of one system, float64 [topics] each."""
    sample, lists = influence.sample, slice(system * topics, (system + 1) * topics)
    rows = slice(*influence.view.starts[[lists.start, lists.stop]])
    numerator = np.zeros(len(sample.cell))
    numerator[influence.view.document[rows]] = influence.numerator[rows]
    topic = sample.cell // sample.most
    value, total = np.nan_to_num(influence.value[lists])[topic], influence.total[lists][topic]
    without, less = _lost(sample, numerator), _lost(sample, influence.expected)
    remaining = total - less
    # Without the only relevant document there is no ratio; what is to first order is taken for it.
    remaining = np.where(remaining > TINY * total, remaining, total)
    moved = np.where(influence.view.pool.grade >= 0, np.nan_to_num(ratio(value * less - without, remaining)), 0.0)
    mean = shares(sample.tally(moved), sample.sampled)
    # The only document of a stratum has no others to differ from; the mean of how all documents move it is 0.
    centre = np.where(sample.sampled > 1, mean, 0.0)[sample.cell]
    spread = sample.tally(np.where(influence.view.pool.grade >= 0, moved - centre, 0.0) ** 2)
    left = 1.0 - shares(sample.sampled, sample.size)
    variance = left * np.where(sample.sampled > 1, 1.0 - shares(1.0, sample.sampled), 1.0) * spread
    bias = left * np.maximum(sample.sampled - 1, 0.0) * mean
    return np.sqrt(variance.reshape(topics, -1).sum(axis=1)), bias.reshape(topics, -1).sum(axis=1)


def _lost(sample: Sample, moves: Floats) -> Floats:
    """Return how much smaller a total is without each sampled document, to first order, float64 [pool rows].

    Args:
        sample: of the pool.
        moves: how the total moves with each, 0 for what was not sampled.
    """
    sampled = sample.sampled[sample.cell]
    centre = np.where(sampled > 1, shares(sample.tally(moves), sample.sampled)[sample.cell], 0.0)
    lost: Floats = sample.size[sample.cell] / np.maximum(sampled - 1, 1.0) * (moves - centre)
    return lost

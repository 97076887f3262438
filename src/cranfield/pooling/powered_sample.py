"""One measure estimated from people's labels of a random sample of documents and predictions for the whole pool."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.measures import Measure, is_additive, named, shares
from cranfield.measures.gain import Discounting, label_gain
from cranfield.statistics.difference_estimator import SampledDraw, mean_by_group
from cranfield.statistics.estimated_counts import estimate_counts

PULL = 2.0
"""Sampled documents for which all strata, or all labels, count where few were sampled of one label of the model."""
SHARED = ("dcg", "gains", "discount", "b", "cutoff")
"""Parameters that nDCG has of DCG."""
PLAIN = {"judged_only": False, "baseline": "zero", "no_relevant": "undefined"}
"""Those of an nDCG that is DCG over the best DCG of the pool."""


@dataclass(frozen=True, eq=False)
class SampledPool:
    """A pool of which people judged a stratified random sample.

    Args:
        rankings: of all runs, whose pool has a label below 0 where a document was not sampled.
    """

    rankings: Rankings

    @cached_property
    def rows(self) -> Ints:
        """The pool rows that were sampled, int64 [sampled]."""
        return np.flatnonzero(self.rankings.pool.grade >= 0)

    @cached_property
    def topic(self) -> Ints:
        """The topic of each of them, int64 [sampled]."""
        topic: Ints = self.rankings.pool.topic[self.rows]
        return topic

    @cached_property
    def labels(self) -> Floats:
        """People's labels, ascending, float64 [labels]."""
        return np.unique(self.rankings.pool.grade[self.rows])

    @cached_property
    def found(self) -> Floats:
        """Indicators of the labels of the sampled documents, 1 or 0, float64 [sampled, labels]."""
        found: Floats = (self.rankings.pool.grade[self.rows][:, None] == self.labels).astype(np.float64)
        return found

    def labelled(self, grade: Floats) -> Rankings:
        """The lists where the documents of the pool have these labels, float64 [pool rows]."""
        rankings = self.rankings
        labels = np.unique(np.concatenate([self.labels, grade]))
        pool = Pool(rankings.pool.starts, grade, rankings.pool.topics, of_all=labels)
        return replace(rankings, pool=pool, grade=grade[rankings.document])

    @cached_property
    def stratum(self) -> Ints:
        """Which stratum of all topics each pool row is in, int64 [pool rows]; those of one name are alike."""
        strata, rows = self.rankings.pool.strata, len(self.rankings.pool.grade)
        return np.zeros(rows, dtype=np.int64) if strata is None else strata.names

    @cached_property
    def _cell(self) -> Ints:
        """The same within topics, numbers of those that there are, int64 [pool rows]."""
        most = int(self.stratum.max(initial=0)) + 1
        cell: Ints = np.unique(self.rankings.pool.topic * most + self.stratum, return_inverse=True)[1]
        return cell

    @cached_property
    def draw(self) -> SampledDraw:
        """The design of the sample: each stratum of each topic is drawn by itself."""
        cells = int(self._cell.max(initial=-1)) + 1
        of_sample = self._cell[self.rows]
        size, sampled = (np.bincount(part, minlength=cells).astype(float) for part in (self._cell, of_sample))
        return SampledDraw(of_sample, size, sampled)

    @cached_property
    def topic_of_stratum(self) -> Ints:
        """The topic of each stratum of the draw, int64 [strata]."""
        topic = np.zeros(len(self.draw.size), dtype=np.int64)
        topic[self._cell] = self.rankings.pool.topic
        return topic

    def predict(self, model: Ints) -> Floats:
        """Predict people's labels from the stratum and the model's label of each document, as a share for each label.

        The shares of the sampled documents, each counting as many as it stands for; where there are few, those of all
        strata count for ``PULL`` more.

        Args:
            model: a number for the model's label of each pool row, int64 [pool rows]; one for all predicts from strata.

        Returns:
            shares that sum to 1, float64 [pool rows, labels].
        """
        kinds, strata = int(model.max(initial=0)) + 1, int(self.stratum.max(initial=0)) + 1
        weight = self.draw.weight
        pull = PULL * float(weight.mean())
        every = np.tile(np.average(self.found, axis=0, weights=weight), (kinds, 1))
        of_label = mean_by_group(self.found, weight, model[self.rows], every, pull)
        cell = self.stratum * kinds + model
        shares_of_cells = mean_by_group(self.found, weight, cell[self.rows], np.tile(of_label, (strata, 1)), pull)
        predicted: Floats = shares_of_cells[cell]
        return predicted

    def sum_topics(self, values: Floats, rows: Ints | Mask | None = None) -> Floats:
        """Sum over the pool rows of each topic, or over some of them, float64 [topics, ...]."""
        topic, count = self.rankings.pool.topic, len(self.rankings.pool.size)
        topic = topic if rows is None else topic[rows]
        columns = values.reshape(len(values), -1).T
        sums: Floats = np.stack([np.bincount(topic, column, count) for column in columns], axis=1).astype(np.float64)
        return sums.reshape(count, *values.shape[1:])


class Estimates(NamedTuple):
    """Estimates of one measure.

    Args:
        value: of each system and topic, float64 [systems, topics].
        beyond: how much each sampled document adds to it beyond what was predicted, float64 [systems, sampled].
    """

    value: Floats
    beyond: Floats


class SampleDivisor(NamedTuple):
    """The estimated divisor of a sum over documents, such as the ideal DCG.

    Args:
        total: of each topic, float64 [topics].
        beyond: how much each sampled document adds to it beyond what was predicted, float64 [sampled].
    """

    total: Floats
    beyond: Floats


def estimate_measure(measure: Measure, pool: SampledPool, predicted: Floats) -> Estimates:
    """Estimate a measure of all lists: what documents add by the difference estimator, over an estimated divisor.

    A ratio of two estimates from one sample is off by their covariance, which is added.

    Args:
        measure: a sum of what documents add by their labels alone, or nDCG.
        pool: with the sample.
        predicted: share of each label, see ``SampledPool.predict``.
    """
    summed, divisor = _split(measure, pool, predicted)
    rankings, rows = pool.rankings, pool.rows
    plain = pool.labelled(np.maximum(rankings.pool.grade, 0.0))
    by_label = [shares(summed, replace(plain, grade=np.full_like(plain.grade, label))) for label in pool.labels]
    added, topics = np.stack(by_label, axis=1), len(rankings.pool.size)
    bounds = rankings.starts[np.arange(len(rankings.systems) + 1) * topics]
    estimates = Estimates(np.zeros((len(rankings.systems), topics)), np.zeros((len(rankings.systems), len(rows))))
    for system in range(len(rankings.systems)):
        own = slice(*bounds[system : system + 2].tolist())
        worth = np.zeros((len(rankings.pool.grade), len(pool.labels)))
        worth[rankings.document[own]] = added[own]
        expected = (worth * predicted).sum(axis=1)
        beyond = (worth[rows] * pool.found).sum(axis=1) - expected[rows]
        total = pool.sum_topics(expected) + pool.sum_topics(pool.draw.weight * beyond, rows)
        covariance = np.bincount(pool.topic_of_stratum, pool.draw.covariances(beyond, divisor.beyond), topics)
        value = (total + covariance / divisor.total) / divisor.total
        estimates.value[system] = value
        estimates.beyond[system] = (beyond - value[pool.topic] * divisor.beyond) / divisor.total[pool.topic]
    return estimates


def _split(measure: Measure, pool: SampledPool, predicted: Floats) -> tuple[Measure, SampleDivisor]:
    """The sum over documents that a measure is, and what it is divided by."""
    parameters = measure.parameters
    if _is_plain_ndcg(measure):
        dcg = named("DCG")
        assert dcg is not None, "it is declared beside nDCG"
        return dcg(**{name: parameters[name] for name in SHARED}), _best(measure, pool, predicted)
    return measure, SampleDivisor(np.ones(len(pool.rankings.pool.size)), np.zeros(len(pool.rows)))


def check_measure(measure: Measure, pool: SampledPool) -> None:
    """Raises: MeasureError: the measure is neither a sum of what documents add by their labels alone, nor nDCG."""
    if _is_plain_ndcg(measure) or (is_additive(measure) and not _depends_on_pool(measure, pool)):
        return
    raise MeasureError(
        f"{measure} is not a sum of what documents add by their labels, so that a sample of documents and a model do "
        "not estimate it: choose P, DCG, nDCG or RBP, or score xinfAP by the sample alone"
    )


def _is_plain_ndcg(measure: Measure) -> bool:
    return measure.name == "nDCG" and all(measure.parameters[name] == word for name, word in PLAIN.items())


def _depends_on_pool(measure: Measure, pool: SampledPool) -> bool:
    """True if what a document adds to the measure depends on the labels of other documents."""
    rows, most = len(pool.rankings.pool.grade), float(pool.labels.max(initial=0.0))
    least_alike, most_alike = (pool.labelled(np.full(rows, label)) for label in (0.0, most))
    top = most_alike.grade
    return not np.array_equal(shares(measure, replace(least_alike, grade=top)), shares(measure, most_alike))


def _best(measure: Measure, pool: SampledPool, predicted: Floats) -> SampleDivisor:
    """The DCG of the best list of each topic: by how many documents of each gain the pool is thought to hold."""
    rankings, rows, topics = pool.rankings, pool.rows, len(pool.rankings.pool.size)
    words = {name: measure.parameters[name] for name in SHARED}
    gain = label_gain(rankings, words["dcg"], words["gains"])
    discounting = Discounting(gain, words["discount"], words["b"], words["cutoff"])
    worth = np.maximum(gain.of(pool.labels), 0.0)
    levels = np.unique(worth[worth > 0])
    if not len(levels):
        return SampleDivisor(np.ones(topics), np.zeros(len(rows)))
    reach = (worth[:, None] >= levels).astype(np.float64)
    last = int(rankings.pool.size.max(initial=1))
    last = last if discounting.cutoff is None else min(discounting.cutoff, last)
    weights = 1.0 / discounting.divisor(np.arange(1.0, last + 1))
    counts = estimate_counts(pool.found @ reach, predicted @ reach, rows, rankings.pool.topic, pool.draw.weight)
    total, slope = counts.mean_inverse(np.diff(levels, prepend=0.0), weights)
    return SampleDivisor(total, (counts.beyond * slope[pool.topic]).sum(axis=1))

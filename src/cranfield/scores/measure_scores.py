"""Scores by one measure: what every analysis of scores works on.

Where the numbers are is the matter of their storage, ``TopicTable`` in memory or ``ScoreBlocks`` that are read whenever
they are gone through; what is resampled and what weighs the same is the matter of their ``Units``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import cut, quoted, shown
from cranfield._typing import Floats, Ints, Mask
from cranfield._version import package_version
from cranfield.errors import InputError
from cranfield.measures import summary
from cranfield.scores.dataset import make_dataset
from cranfield.scores.missing_scores import BOARD, REMEDY, find_gaps, warn_of_gaps
from cranfield.scores.scale import Scale, best_first, comparable, ranks
from cranfield.scores.signature import evaluations_in
from cranfield.scores.table import ScoreTable
from cranfield.scores.topic_table import TopicTable
from cranfield.statistics.anova import AdditiveResidual, TwoWay, residual_of
from cranfield.statistics.clustered_differences import (
    ClusteredDifferences,
    ClusterMeanDifferences,
    WeightedDifferences,
)
from cranfield.statistics.clustered_tests import cluster_means
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.paired_differences import (
    PairedDifferences,
    PairFacts,
    TableDifferences,
    summarize_pairs,
    summarize_weighted_pairs,
)
from cranfield.statistics.replicated_tests import ReplicatedDifferences, run_spread

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.scores.blocks import ScoreBlocks
    from cranfield.scores.system_runs import SystemRuns
    from cranfield.scores.topic_clusters import TopicClusters
    from cranfield.scores.topic_weights import TopicWeights
    from cranfield.statistics.generalizability import Generalizability, ResampledComponents

ScoreStorage: TypeAlias = "TopicTable | ScoreBlocks"


class SharedScores(NamedTuple):
    """Two systems on the topics that both have."""

    left_mean: float
    right_mean: float
    topics: int
    """The number of topics on which both have a score."""
    only_left: list[str]
    """Topics on which left alone has a score."""
    only_right: list[str]
    """Topics on which right alone has one."""

    @property
    def is_complete(self) -> bool:
        """True if each topic has scores of both systems, or of neither."""
        return not (self.only_left or self.only_right)


@dataclass(frozen=True)
class Units:
    """The units of some scores.

    Args:
        clusters: of the topics; None where each topic is by itself.
        replicates: the runs of each system, whose means the scores are; None where each has one.
        topic_weights: of the topics; None where all weigh alike.
    """

    clusters: TopicClusters | None = None
    replicates: SystemRuns | None = None
    topic_weights: TopicWeights | None = None

    @property
    def weighs_clusters(self) -> bool:
        """True if each cluster has the same weight in a mean; otherwise each topic has."""
        return self.clusters is not None and self.clusters.mean_over == "clusters"

    @property
    def settings(self) -> dict[str, Any]:
        """Entries on the units in settings and signature of an analysis; none where a unit is one topic of one run."""
        parts = (self.clusters, self.replicates, self.topic_weights)
        return {name: value for part in parts if part is not None for name, value in part.settings.items()}

    def select_systems(self, columns: Sequence[int]) -> Units:
        """The units of these systems, in this order."""
        return self if self.replicates is None else replace(self, replicates=self.replicates.select(columns))


PLAIN = Units()
"""Each topic by itself, and one run of each system."""


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores by one measure.

    Args:
        measure: its name.
        systems: in their order.
        storage: where the numbers are.
        larger_is_better: whether it is.
        source: signature of the scores.
        direction_said: whether something says that larger is better, or smaller; otherwise it is the default.
        units: clusters of topics and runs of systems, where there are any.
    """

    measure: str
    systems: tuple[str, ...]
    storage: ScoreStorage
    larger_is_better: bool
    source: Any
    direction_said: bool = True
    units: Units = PLAIN

    @property
    def called(self) -> str:
        """The measure's name, safe to print: it may come from an untrusted file."""
        return shown(self.measure)

    @property
    def direction(self) -> str:
        """The direction in words; empty where the measure is known, and so its direction."""
        return Scale(self.measure, {"larger_is_better": self.larger_is_better} if self.direction_said else {}).direction

    def directed(self, larger_is_better: bool) -> Scores:
        """The scores, of which it is said whether larger is better."""
        return replace(self, larger_is_better=larger_is_better, direction_said=True)

    def select_systems(self, columns: Sequence[int]) -> Scores:
        """The scores of these systems, in this order."""
        if list(columns) == list(range(len(self.systems))):
            return self
        names = tuple(self.systems[column] for column in columns)
        storage, units = self.storage.select_systems(columns), self.units.select_systems(columns)
        return replace(self, systems=names, storage=storage, units=units)

    def signature(self, analysis: str, **settings: Any) -> dict[str, Any]:
        """All that changes the numbers of an analysis."""
        return {
            "cranfield": package_version(),
            "analysis": analysis,
            "measure": self.measure,
            **({"direction": self.direction} if self.direction and "directions" not in settings else {}),
            "settings": settings,
            "scores": self.source,
        }

    @cached_property
    def table(self) -> TopicTable:
        """All scores at once.

        Raises:
            InputError: they do not fit into the memory allowed.
        """
        return self.storage.load()

    @property
    def values(self) -> Floats:
        """All scores at once, float64 [topics, systems]; NaN where a system has no score."""
        return self.table.values

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of all topics, in their order."""
        return self.table.topics

    @property
    def topic_count(self) -> int:
        """The number of topics."""
        return self.storage.topic_count

    def topic_names(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of the topics with these numbers."""
        return self.storage.names(numbers)

    def blocks(self) -> Iterator[Floats]:
        """Go through all scores in blocks of topics, [systems, topics of the block]."""
        return self.storage.blocks()

    def in_memory(self) -> Scores:
        """Return these scores with all of them in memory."""
        return self if self.storage is self.table else replace(self, storage=self.table)

    def filled(self, value: float) -> Scores:
        """The scores with a value where one is missing."""
        return replace(self, storage=TopicTable(self.topics, np.where(np.isnan(self.values), value, self.values)))

    def labelled(self) -> xr.DataArray:
        """The scores with their labels and their signature."""
        attributes: dict[str, Any] = {"summary": "mean"}
        if self.direction_said:
            attributes["larger_is_better"] = int(self.larger_is_better)
        scale = Scale(self.measure, attributes, self.source)
        return make_dataset(ScoreTable(self.topics, self.systems, (scale,), self.values[None]))[self.measure]

    @property
    def is_complete(self) -> bool:
        """True if every system has a score on every topic."""
        return self.storage.is_complete

    @property
    def scored_topics(self) -> Ints:
        """The number of topics on which each system has a score, [systems]."""
        return self.storage.totals.counts

    @property
    def has_gaps(self) -> bool:
        """True if a system lacks a score on a topic on which another one has one."""
        return not self.is_complete and bool(find_gaps(self.values).any())

    def warn_of_gaps(self, *, paired: bool) -> None:
        """Warn where systems have scores on different topics.

        Args:
            paired: whether pairs are compared on the topics that both have.
        """
        if not self.is_complete:
            remedies = [] if evaluations_in(self.source) else [BOARD]
            warn_of_gaps(self.called, self.values, self.topics, self.systems, paired=paired, remedies=remedies)

    def at_least(self, topics: int, systems: int, what: str) -> None:
        """Raises: InputError: fewer topics or systems than an analysis needs."""
        for have, need, noun in ((self.topic_count, topics, "topics"), (len(self.systems), systems, "systems")):
            if have < need:
                raise InputError(f"{what} needs {need} {noun} or more, and the scores have {have}", code="too-few")

    def require_complete(self, what: str, instead: str = "") -> None:
        """Refuse scores of which one is missing.

        Args:
            what: needs them.
            instead: what else to do where one is missing.

        Raises:
            InputError: one is; the message says which, and what to do instead.
        """
        if self.is_complete:
            return
        missing = np.argwhere(np.isnan(self.values))
        topic, system = missing[0]
        empty = (
            f"evaluate with {setting('missing', 'empty')} to count a run's topic as empty"
            if evaluations_in(self.source)
            else ""
        )
        more = f" (and on {len(missing) - 1:,} more)" if len(missing) > 1 else ""
        raise InputError(
            f"{what} needs every system's score on every topic: {quoted(self.systems[system])} has none on topic "
            f"{quoted(self.topics[topic])}{more}; {'; '.join(filter(None, [instead, REMEDY, empty]))}",
            code="missing-score",
            value=cut(self.topics[topic]),
        )

    @property
    def unit_count(self) -> int:
        """The number of units that are resampled: topics, or clusters of them."""
        return self.topic_count if self.units.clusters is None else self.units.clusters.count

    @cached_property
    def cluster_means(self) -> Floats:
        """The mean of each system over its topics of each cluster, [clusters, systems]; NaN where it has none."""
        assert self.units.clusters is not None, "topics are in clusters"
        known = ~np.isnan(self.values)
        sums, counts = np.zeros((2, self.units.clusters.count, len(self.systems)))
        np.add.at(sums, self.units.clusters.cluster, np.where(known, self.values, 0.0))
        np.add.at(counts, self.units.clusters.cluster, known)
        means: Floats = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        return means

    @property
    def rows(self) -> Floats:
        """The scores of what weighs the same, [topics or clusters, systems]."""
        return self.cluster_means if self.units.weighs_clusters else self.values

    @property
    def row_clusters(self) -> Ints | None:
        """The cluster of each row, itself where only weights differ; None where rows are alike and resampled alone."""
        clusters = self.units.clusters
        if clusters is None and self.units.topic_weights is not None:
            return np.arange(self.topic_count)
        return None if clusters is None or clusters.mean_over == "clusters" else clusters.cluster

    @property
    def row_weights(self) -> Floats | None:
        """The weight of each row; None where all weigh alike."""
        return None if self.units.topic_weights is None else self.units.topic_weights.weights

    @cached_property
    def means(self) -> Floats:
        """The mean of each system over its topics, or over its clusters, [systems]."""
        by_units = self.units.weighs_clusters or self.units.topic_weights is not None
        return self.exact_means if by_units else self.storage.totals.means

    @cached_property
    def exact_means(self) -> Floats:
        """Means as tables of summaries have them, so that no order differs from theirs."""
        if self.units.topic_weights is not None:
            return weighted_means(self.values, self.units.topic_weights.weights)
        return summary("mean", self.cluster_means.T) if self.units.weighs_clusters else self.storage.totals.exact_means

    @cached_property
    def leaderboard(self) -> list[int]:
        """Columns from best to worst mean, equal ones by name."""
        return best_first(self.exact_means, self.systems, self.larger_is_better)

    @property
    def comparable_means(self) -> Floats:
        """The mean of each system without the noise of summation, larger is better, [systems]."""
        return comparable(self.exact_means, self.larger_is_better)

    @property
    def ranks(self) -> Ints:
        """The rank of each system by its mean, 1 for the best; equal ones share the smallest, [systems]."""
        return ranks(self.exact_means, self.larger_is_better)

    @property
    def largest(self) -> float:
        """The absolute value of the largest score."""
        return float(self.storage.totals.largest.max(initial=0.0))

    @property
    def two_way(self) -> TwoWay:
        """The analysis of variance of complete scores, topics in rows."""
        return self.storage.two_way

    @property
    def residual(self) -> AdditiveResidual:
        """The variance that topics, or clusters, and systems leave; fitted where scores are missing."""
        return residual_of(self.cluster_means) if self.units.weighs_clusters else self.storage.residual

    def variance_components(
        self, resamples: int, rng: np.random.Generator, *, systems: bool
    ) -> tuple[Generalizability, ResampledComponents]:
        """Variance components of complete scores, and those of resamples of topics, and of ``systems`` too."""
        return self.storage.variance_components(resamples, rng, systems=systems)

    def shared_topics(self, pairs: Contrasts) -> Ints:
        """Count the topics on which both systems of each pair have a score, [pairs]."""
        if self.is_complete:
            return np.full(len(pairs), self.topic_count)
        known = ~np.isnan(self.values)
        return np.concatenate(
            [(known[:, block.left] & known[:, block.right]).sum(axis=0) for block in pairs.blocks(len(known))]
        )

    def shared_clusters(self, pairs: Contrasts) -> Ints:
        """Count the clusters in which both systems of each pair have a score, [pairs]."""
        clusters = self.units.clusters
        assert clusters is not None, "topics are in clusters"
        known = ~np.isnan(self.values)
        return _count_clusters(
            clusters.cluster, pairs, len(known), lambda block: known[:, block.left] & known[:, block.right]
        )

    def differing_clusters(self, pairs: Contrasts) -> Ints:
        """Count the clusters in which the systems of each pair differ, [pairs]."""
        cluster = self.row_clusters
        table = self.rows if cluster is None else np.nan_to_num(self.rows)
        return _count_clusters(
            np.arange(len(table)) if cluster is None else cluster,
            pairs,
            len(table),
            lambda block: np.abs(block.differences(table)) > pair_noise(table, block),
        )

    def shared_scores(self, left: int, right: int) -> SharedScores:
        """Two systems on the topics that both have; means are over these, or over clusters of them."""
        (left_mean, right_mean), count = self.storage.shared_means(left, right), self.topic_count
        only_left, only_right = list[str](), list[str]()
        if not self.is_complete:
            has_left, has_right = (~np.isnan(self.values[:, column]) for column in (left, right))
            count = int((has_left & has_right).sum())
            only_left, only_right = (
                [self.topics[topic] for topic in np.flatnonzero(alone)]
                for alone in (has_left & ~has_right, has_right & ~has_left)
            )
        if self.units.topic_weights is not None and count:
            table, _, shared = self._shared_table(left, right)
            left_mean, right_mean = weighted_means(table, self.units.topic_weights.weights[shared]).tolist()
        elif self.units.weighs_clusters and count:
            left_mean, right_mean = self._shared_cluster_means(left, right).mean(axis=0).tolist()
        return SharedScores(left_mean, right_mean, count, only_left, only_right)

    def summarize_pairs(self, pairs: Contrasts) -> PairFacts:
        """Wins, losses, means and differences of each pair over topics, or over clusters, that both have."""
        if self.units.topic_weights is not None:
            return summarize_weighted_pairs(self.values, pairs, self.units.topic_weights.weights)
        if not self.units.weighs_clusters:
            return self.storage.summarize_pairs(pairs)
        if self.is_complete:
            return summarize_pairs(self.cluster_means, pairs)
        tables = [
            summarize_pairs(self._shared_cluster_means(left, right), Contrasts.all_pairs(2))
            for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
        ]
        return PairFacts(*map(np.concatenate, zip(*tables, strict=True)))

    def differences(self, pairs: Contrasts) -> PairedDifferences:
        """The differences of pairs of complete scores, to be tested."""
        clusters, replicates, weights = self.units.clusters, self.units.replicates, self.units.topic_weights
        if clusters is None and replicates is None and weights is None:
            return self.storage.differences(pairs)
        cluster = None if clusters is None else clusters.cluster
        if weights is not None:
            return _weighted_differences(self.values, pairs, cluster, weights.weights)
        return self._unit_differences(self.values, pairs, cluster, None if replicates is None else replicates.scores)

    def pair_differences(self, left: int, right: int) -> PairedDifferences:
        """The differences of two systems on the topics that both have."""
        table, cluster, shared = self._shared_table(left, right)
        replicates, weights = self.units.replicates, self.units.topic_weights
        if weights is not None:
            return _weighted_differences(table, Contrasts.all_pairs(2), cluster, weights.weights[shared])
        runs = None if replicates is None else [replicates.scores[column][shared] for column in (left, right)]
        return self._unit_differences(table, Contrasts.all_pairs(2), cluster, runs)

    def _unit_differences(
        self, table: Floats, pairs: Contrasts, cluster: Ints | None, runs: Sequence[Floats] | None
    ) -> PairedDifferences:
        """The differences of complete scores, with the clusters of their topics and the runs of their columns."""
        means: PairedDifferences
        if cluster is None:
            means = TableDifferences(table, pairs)
        elif self.units.weighs_clusters:
            means = ClusterMeanDifferences.from_topics(table, pairs, cluster)
            runs = None if runs is None else [cluster_means(scores, cluster) for scores in runs]
        else:
            means = ClusteredDifferences(table, pairs, cluster)
        return means if runs is None else ReplicatedDifferences(means, run_spread(runs), pairs)

    def _shared_table(self, left: int, right: int) -> tuple[Floats, Ints | None, Mask]:
        """The scores of two systems on the topics that both have, the clusters of these, and which they are."""
        shared: Mask = ~np.isnan(self.values[:, left]) & ~np.isnan(self.values[:, right])
        table = np.ascontiguousarray(self.values[shared][:, [left, right]])
        clusters = self.units.clusters
        return table, None if clusters is None else np.unique(clusters.cluster[shared], return_inverse=True)[1], shared

    def _shared_cluster_means(self, left: int, right: int) -> Floats:
        """The means of two systems over the topics of each cluster that both have, [clusters, 2]."""
        table, cluster, _ = self._shared_table(left, right)
        assert cluster is not None, "each cluster weighs the same"
        return cluster_means(table, cluster)


def weighted_means(table: Floats, weights: Floats) -> Floats:
    """The weighted mean of each column over its rows with a value, [rows, columns] -> [columns]."""
    known = ~np.isnan(table)
    total = np.where(known, weights[:, None], 0.0).sum(axis=0)
    sums = (np.where(known, table, 0.0) * weights[:, None]).sum(axis=0)
    means: Floats = np.divide(sums, total, out=np.full(len(total), np.nan), where=total > 0)
    return means


def _weighted_differences(
    table: Floats, pairs: Contrasts, cluster: Ints | None, weights: Floats
) -> ClusteredDifferences:
    """The differences of complete scores on weighted topics, with the clusters of these, where there are any."""
    if cluster is None:
        return WeightedDifferences(table, pairs, np.arange(len(table)), weights)
    return ClusteredDifferences(table, pairs, cluster, weights)


def _count_clusters(cluster: Ints, pairs: Contrasts, rows: int, holds: Callable[[Contrasts], Mask]) -> Ints:
    """Count the clusters of which a row holds for each pair, [pairs].

    Args:
        cluster: of each row.
        pairs: of columns.
        rows: how many.
        holds: which rows do, for some pairs, [rows, pairs].
    """
    counts = []
    for block in pairs.blocks(rows):
        held = np.zeros((int(cluster.max()) + 1, len(block)), dtype=np.int64)
        np.add.at(held, cluster, holds(block))
        counts.append((held > 0).sum(axis=0))
    return np.concatenate(counts)


def describe_directions(tables: Iterable[Scores]) -> dict[str, dict[str, str]]:
    """Settings that say which scores are taken as better, where a measure is not one of ours."""
    directions = {table.measure: table.direction for table in tables if table.direction}
    return {"directions": directions} if directions else {}

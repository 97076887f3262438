"""Systems with several runs each, such as seeds of a model: runs averaged by topic, whose spread tests take in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, listed, quoted, warn
from cranfield._typing import Floats
from cranfield.errors import InputError
from cranfield.scores.matrix import Matrix
from cranfield.scores.topic_clusters import ClusteredMatrix, MeanOver, cluster_topics, refuse_mean_over
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.clustered_tests import cluster_means
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.paired_differences import PairedDifferences
from cranfield.statistics.replicated_tests import ReplicatedDifferences, run_spread

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike


@dataclass(frozen=True)
class SystemRuns:
    """The runs of each system.

    Args:
        scores: of each system those of its runs, [topics, runs], two runs or more; NaN where one is missing.
        source: the signature of the file that names the systems.
        names: of each system those of its runs.
    """

    scores: tuple[Floats, ...]
    source: dict[str, str]
    names: tuple[tuple[str, ...], ...]

    @property
    def settings(self) -> dict[str, Any]:
        """What settings and signature of an analysis say of the runs."""
        counts = [table.shape[1] for table in self.scores]
        return {"replicates": {**self.source, "runs": sum(counts), "fewest": min(counts), "most": max(counts)}}

    def select(self, columns: Sequence[int]) -> SystemRuns:
        """The runs of these systems, in this order."""
        scores, names = zip(*((self.scores[column], self.names[column]) for column in columns), strict=True)
        return replace(self, scores=scores, names=names)


def describe_runs(settings: dict[str, Any]) -> str:
    """Describe how many runs each system has: ``3 to 5 runs of each system``."""
    low, high = settings["replicates"]["fewest"], settings["replicates"]["most"]
    return f"{low:,} runs of each system" if low == high else f"{low:,} to {high:,} runs of each system"


@dataclass(frozen=True)
class SeededMatrix(Matrix):
    """Scores by one measure, each the mean of a system's runs on a topic.

    Args:
        runs: of each system.
    """

    runs: SystemRuns

    @property
    def unit_settings(self) -> dict[str, Any]:
        """What settings of an analysis say of the runs."""
        return self.runs.settings

    def select_systems(self, columns: Sequence[int]) -> SeededMatrix:
        """The scores of these systems, in this order."""
        plain = super().select_systems(columns)
        assert isinstance(plain, SeededMatrix), "a selection keeps its class"
        return replace(plain, runs=self.runs.select(columns))

    def differences(self, pairs: Contrasts) -> PairedDifferences:
        """The differences of pairs of complete scores, to be tested."""
        return ReplicatedDifferences(super().differences(pairs), run_spread(self.runs.scores), pairs)

    def pair_differences(self, left: int, right: int) -> PairedDifferences:
        """The differences of two systems on the topics that both have."""
        return _seed_pair(self, super().pair_differences(left, right), (left, right))


@dataclass(frozen=True)
class SeededClusteredMatrix(ClusteredMatrix):
    """Scores by one measure, each the mean of a system's runs on a topic, of topics in clusters.

    Args:
        runs: of each system.
    """

    runs: SystemRuns

    @property
    def unit_settings(self) -> dict[str, Any]:
        """What settings of an analysis say of the clusters and of the runs."""
        return super().unit_settings | self.runs.settings

    def differences(self, pairs: Contrasts) -> PairedDifferences:
        """The differences of pairs of complete scores, to be tested."""
        runs: Sequence[Floats] = self.runs.scores
        if self.weighs_clusters:
            runs = [cluster_means(table, self.clusters.cluster) for table in runs]
        return ReplicatedDifferences(super().differences(pairs), run_spread(runs), pairs)

    def pair_differences(self, left: int, right: int) -> PairedDifferences:
        """The differences of two systems on the topics that both have."""
        return _seed_pair(self, super().pair_differences(left, right), (left, right))


def _seed_pair(
    scores: SeededMatrix | SeededClusteredMatrix, means: PairedDifferences, columns: tuple[int, int]
) -> PairedDifferences:
    """The differences of two systems with what their runs add, on the topics that both have."""
    shared = ~np.isnan(scores.values[:, columns]).any(axis=1)
    runs = [scores.runs.scores[column][shared] for column in columns]
    if isinstance(scores, ClusteredMatrix) and scores.weighs_clusters:
        _, cluster = np.unique(scores.clusters.cluster[shared], return_inverse=True)
        runs = [cluster_means(table, cluster) for table in runs]
    return ReplicatedDifferences(means, run_spread(runs), Contrasts.all_pairs(2))


def average_runs(scores: Matrix, replicates: GroupsLike) -> SeededMatrix:
    """Average the runs of each system by topic; a topic that one of them lacks, the system lacks.

    Args:
        scores: of runs.
        replicates: run -> its system, a Series with runs in its index, or a file: lines ``run system``, or
            ``FILE#COLUMN``.

    Raises:
        InputError: the file is refused, a run is of two systems or of none, or a system has a single run.
    """
    groups = TopicGroups.from_source(replicates, "system", "run")
    without = [run for run in scores.systems if run not in groups.of_topic]
    if without:
        raise InputError(
            f"there is no system for {listed(without, 'run')}: add a line `run system` for each",
            groups.location,
            code="no-system",
        )
    unknown = len(groups.of_topic) - len(scores.systems)
    if unknown:
        warn(f"{counted(unknown, 'run')} with a system {'is' if unknown == 1 else 'are'} not in the scores: ignored")
    columns: dict[str, list[int]] = {}
    for column, run in enumerate(scores.systems):
        columns.setdefault(groups.of_topic[run], []).append(column)
    single = [system for system, runs in columns.items() if len(runs) == 1]
    if single:
        more = f" (and {len(single) - 3:,} more)" if len(single) > 3 else ""
        raise InputError(
            f"{', '.join(map(quoted, single[:3]))}{more} {'has' if len(single) == 1 else 'have'} one run: how much "
            "its runs differ cannot be known; give two or more, or leave it out",
            groups.location,
            code="too-few",
        )
    runs = tuple(np.ascontiguousarray(scores.values[:, chosen]) for chosen in columns.values())
    values = np.column_stack([table.mean(axis=1) for table in runs])
    names = tuple(tuple(scores.systems[column] for column in chosen) for chosen in columns.values())
    system_runs = SystemRuns(runs, groups.signature(), names)
    measure, better = scores.measure, scores.larger_is_better
    return SeededMatrix(measure, scores.topics, tuple(columns), values, better, scores.source, system_runs)


def join_clusters(
    scores: Matrix, topic_clusters: GroupsLike | None, mean_over: MeanOver, first: ClusteredMatrix | None = None
) -> Matrix:
    """Join scores, of runs or not, and the clusters of their topics where there are any.

    Args:
        scores: by one measure.
        topic_clusters, mean_over: see ``cluster_topics``.
        first: scores of the same topics whose clusters are known already.

    Raises:
        InputError, UsageError: see ``cluster_topics``.
    """
    if topic_clusters is None:
        refuse_mean_over(mean_over)
        return scores
    clustered = (
        cluster_topics(scores, topic_clusters, mean_over)
        if first is None
        else ClusteredMatrix.from_matrix(scores, first.clusters)
    )
    if not isinstance(scores, SeededMatrix):
        return clustered
    facts = clustered.measure, clustered.topics, clustered.systems, clustered.values, clustered.larger_is_better
    return SeededClusteredMatrix(*facts, clustered.source, clustered.clusters, scores.runs)

"""What is resampled and what weighs the same: topics or clusters of them, and runs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cranfield.scores.system_runs import SystemRuns
    from cranfield.scores.topic_clusters import TopicClusters


@dataclass(frozen=True)
class Units:
    """The units of some scores.

    Args:
        clusters: of the topics; None where each topic is by itself.
        replicates: the runs of each system, whose means the scores are; None where each has one.
    """

    clusters: TopicClusters | None = None
    replicates: SystemRuns | None = None

    @property
    def weighs_clusters(self) -> bool:
        """Whether each cluster weighs the same; otherwise each topic does."""
        return self.clusters is not None and self.clusters.mean_over == "clusters"

    @property
    def settings(self) -> dict[str, Any]:
        """What settings and signature of an analysis say of them; nothing where there are only topics and runs."""
        parts = (self.clusters, self.replicates)
        return {name: value for part in parts if part is not None for name, value in part.settings.items()}

    def select_systems(self, columns: Sequence[int]) -> Units:
        """The units of these systems, in this order."""
        return self if self.replicates is None else replace(self, replicates=self.replicates.select(columns))


PLAIN = Units()
"""Each topic by itself, and one run of each system."""

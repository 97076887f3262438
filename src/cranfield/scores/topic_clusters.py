"""Clusters of topics, such as turns of a conversation or queries of a task: read, checked, and joined with scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, quoted, warn
from cranfield._typing import Ints
from cranfield._validation import word
from cranfield.errors import InputError, UsageError
from cranfield.scores.topic_groups import TopicGroups
from cranfield.scores.topic_weights import describe_weights
from cranfield.statistics.clustered_tests import FEW_DF, cluster_df

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike

MeanOver = Literal["topics", "clusters"]
LEAST = 5
"""Clusters below which nothing is said of other clusters."""
SINGLE = "1 topic each, as if there were none"
"""The remark on clusters that are all of one topic."""
ADDRESSES = ("tcp://", "tls://")


@dataclass(frozen=True)
class TopicClusters:
    """The cluster of each topic of some scores.

    Args:
        cluster: the number of each topic's cluster, by order of first topics, [topics].
        mean_over: what weighs the same in a mean, each of the ``topics`` or of the ``clusters``.
        source: the signature of the file.
    """

    cluster: Ints
    mean_over: MeanOver
    source: dict[str, str]

    @property
    def sizes(self) -> Ints:
        """The number of topics in each cluster, [clusters]."""
        return np.bincount(self.cluster)

    @property
    def count(self) -> int:
        """The number of clusters."""
        return len(self.sizes)

    @property
    def settings(self) -> dict[str, Any]:
        """Entries on the clusters in settings and signature of an analysis."""
        sizes = self.sizes
        return {
            "mean_over": self.mean_over,
            "topic_clusters": {
                **self.source,
                "clusters": len(sizes),
                "smallest": int(sizes.min()),
                "largest": int(sizes.max()),
            },
        }


def describe_clusters(settings: dict[str, Any]) -> str:
    """Describe the clusters and the estimand: ``in 10 clusters of 1 to 14 topics, each topic weighs the same``."""
    return f"in {describe_sizes(settings)}, each {settings['mean_over'][:-1]} weighs the same"


def describe_sizes(settings: dict[str, Any]) -> str:
    """Describe the clusters alone: ``10 clusters of 1 to 14 topics``."""
    clusters = settings["topic_clusters"]
    low, high = clusters["smallest"], clusters["largest"]
    size = counted(low, "topic") if low == high else f"{low:,} to {high:,} topics"
    return f"{clusters['clusters']:,} clusters of {SINGLE if high == 1 else size}"


def describe_units(settings: dict[str, Any]) -> str:
    """Describe weights and clusters of topics, before what else an analysis says; nothing where there are none."""
    weighted = f"topics {describe_weights(settings)}; " if "topic_weights" in settings else ""
    return weighted + (f"topics {describe_clusters(settings)}; " if "topic_clusters" in settings else "")


def read_clusters(source: GroupsLike, topics: Sequence[str], mean_over: MeanOver) -> TopicClusters:
    """Read the cluster of each topic; warn of lines for other topics.

    Args:
        source: topic -> cluster, a Series with topics in its index, or a file; see ``TopicGroups.from_source``.
        topics: of the scores.
        mean_over: see ``TopicClusters``.

    Raises:
        InputError: the file is refused, a topic is in two clusters or in none, or there are fewer than five clusters.
        UsageError: something that is not clusters.
    """
    word("mean_over", mean_over, get_args(MeanOver))
    if isinstance(source, str) and (source == "local" or source.startswith(ADDRESSES)):
        raise UsageError(
            f"{setting('topic_clusters', source)} is the address of a Dask cluster: name it by {setting('executor')}, "
            f"and a file of topics and their clusters by {setting('topic_clusters')}"
        )
    groups = TopicGroups.from_source(source, "cluster")
    without = [topic for topic in topics if topic not in groups.of_topic]
    if without:
        more = f" (and {len(without) - 3:,} more)" if len(without) > 3 else ""
        verb = "has" if len(without) == 1 else "have"
        raise InputError(
            f"topic{'s' * (len(without) > 1)} {', '.join(map(quoted, without[:3]))}{more} {verb} no cluster: give each "
            "topic of the scores one; a topic may be its own",
            groups.location,
            code="no-cluster",
        )
    unknown = len(groups.of_topic) - len(topics)
    if unknown:
        warn(f"{counted(unknown, 'topic')} with a cluster {'is' if unknown == 1 else 'are'} not in the scores: ignored")
    number: dict[str, int] = {}
    cluster = np.array([number.setdefault(groups.of_topic[topic], len(number)) for topic in topics], dtype=np.int64)
    if len(number) < LEAST:
        verb = "says" if len(number) == 1 else "say"
        raise InputError(
            f"{counted(len(number), 'cluster')} {verb} nothing of other clusters: at least {LEAST}", code="too-few"
        )
    if len(number) == len(topics):
        warn(f"{groups.location}: {len(number):,} clusters of {SINGLE}: is this the cluster of each topic?")
    return TopicClusters(cluster, mean_over, groups.signature())


def refuse_mean_over(mean_over: MeanOver) -> None:
    """Raises: UsageError: a mean over clusters, where there are none."""
    word("mean_over", mean_over, get_args(MeanOver))
    if mean_over == "clusters":
        raise UsageError(f"{setting('mean_over', 'clusters')} needs clusters: name them by {setting('topic_clusters')}")


def cluster_topics(topics: Sequence[str], source: GroupsLike, mean_over: MeanOver) -> TopicClusters:
    """Read the cluster of each topic; warn of few degrees of freedom, and of a cluster that holds most topics.

    Raises:
        InputError, UsageError: see ``read_clusters``.
    """
    clusters = read_clusters(source, topics, mean_over)
    sizes = clusters.sizes
    if 2 * sizes.max() > sizes.sum():
        warn(f"one cluster holds {int(sizes.max()):,} of {int(sizes.sum()):,} topics: what is said rests on it")
    df = cluster_df(sizes.astype(float)) if mean_over == "topics" else len(sizes) - 1.0
    instead = f"; with {setting('mean_over', 'clusters')} there are {len(sizes) - 1:,}"
    if df < FEW_DF:
        better = instead if mean_over == "topics" and len(sizes) - 1 >= FEW_DF else ""
        warn(f"{counted(len(sizes), 'cluster')} leave {df:.1f} degrees of freedom: tests are uncertain{better}")
    elif df < len(sizes) / 2:
        warn(
            f"{len(sizes):,} clusters of unequal sizes leave {df:.1f} degrees of freedom{instead}, and tests find more"
        )
    return clusters

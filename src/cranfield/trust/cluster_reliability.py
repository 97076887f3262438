"""How much of what separates systems' scores is the systems' own, where topics are in clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, warn
from cranfield._validation import above, several
from cranfield.errors import InputError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import make_matrix
from cranfield.scores.missing_scores import MissingScores, fill_gaps
from cranfield.scores.topic_clusters import cluster_topics
from cranfield.statistics.clustered_tests import Components, cluster_components

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

SOURCES = {
    "systems": "MSs",
    "clusters": "MSc",
    "topics": "MSq",
    "systems_clusters": "MSsc",
    "residual": "MSe",
}
"""Component -> its mean square."""


@dataclass(frozen=True, eq=False, repr=False)
class ClusterReliability(Result):
    """Variance components of scores on topics in clusters, and the reliability of other numbers of both.

    Args:
        components: the ``variance``, which may be below 0, and the ``mean_square`` of each ``source``: ``systems``,
            ``clusters``, ``topics`` in clusters, ``systems_clusters`` and ``residual``.
        curve: the reliability of the order of systems, ``Erho2``, and of their scores, ``Phi``, for each number of
            ``clusters`` and ``topics_in_each``, and the standard error ``se_of_difference`` of a difference of two
            systems.
        correlation: of differences between systems inside a cluster; NaN where they do not vary.
        best_topics_in_each: topics in each cluster that give most for their cost; infinite where clusters do not
            matter.
        sentence: whether more clusters, or more topics in each, make the order more reliable.
        measure: whose scores.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    components: pd.DataFrame
    curve: pd.DataFrame
    correlation: float
    best_topics_in_each: float
    sentence: str
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"curve": lambda: tidy(self.curve), "components": lambda: tidy(self.components)}


def estimate_cluster_reliability(
    scores: ScoresLike,
    topic_clusters: GroupsLike,
    *,
    clusters: Sequence[int] | None = None,
    topics_in_each: Sequence[int] | None = None,
    cluster_cost: float = 1.0,
    missing_scores: MissingScores | None = None,
) -> ClusterReliability:
    """More clusters, or more topics in each: what makes the order of systems more reliable?

    A score is mu + system + cluster + topic in its cluster + system x cluster + residual, all random. From mean squares
    of complete scores, without bias for clusters of any sizes, follow the variances v; with C clusters of k topics

        rel = v_sc / C + v_e / (C k),  abs = rel + v_c / C + v_q / (C k),
        Erho2 = v_s / (v_s + rel),  Phi = v_s / (v_s + abs).

    Topics without end leave v_sc / C: only more clusters reduce it. For clusters that cost as much as ``cluster_cost``
    topics, k = sqrt(cluster_cost v_e / v_sc) topics in each give most. A variance estimated below 0 counts as 0 in what
    follows from it, with a warning.

    Args:
        scores: of one measure, dims (topic, system), complete.
        topic_clusters: topic -> cluster; see ``cranfield.compare``.
        clusters: numbers of clusters to project to, each at least 1; by default 4, 8, 16, 32, those that there are, and
            twice as many.
        topics_in_each: numbers of topics in each, each at least 1; by default 1, 2, 4, 8, 16.
        cluster_cost: of a cluster, in topics, above 0.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        InputError: fewer than two systems or five clusters, each cluster with one topic, a topic without a cluster, or
            a missing score.
        UsageError: numbers outside their range.

    References:
        Brennan 2001, Generalizability Theory. doi:10.1007/978-1-4757-3456-0
        Searle, Casella & McCulloch 1992, Variance Components. doi:10.1002/9780470316856
    """
    above(0, cluster_cost=cluster_cost)
    several(clusters=clusters or [], topics_in_each=topics_in_each or [])
    matrix = cluster_topics(make_matrix(fill_gaps(scores, missing_scores)), topic_clusters, "topics")
    matrix.at_least(2, 2, "reliability")
    table, count = matrix.complete("reliability"), matrix.clusters.count
    if len(table) == count:
        raise InputError(
            "each cluster has one topic, so the effects of clusters and topics cannot be separated",
            code="too-few",
        )
    raw, mean_squares = cluster_components(table, matrix.clusters.cluster)
    for name, value in zip(SOURCES, raw, strict=True):
        if value < 0:
            warn(f"{matrix.called}: the variance of {name} is estimated below zero ({value:.3g}) and counts as 0")
    parts = Components(*(max(0.0, value) for value in raw))
    across = parts.systems_clusters + parts.residual
    correlation = parts.systems_clusters / across if across > 0 else math.nan
    best = math.sqrt(cluster_cost * parts.residual / parts.systems_clusters) if parts.systems_clusters else math.inf
    size = len(table) / count
    numbers = list(clusters or sorted({4, 8, 16, 32, count, 2 * count})), list(topics_in_each or (1, 2, 4, 8, 16))
    settings = {"clusters": numbers[0], "topics_in_each": numbers[1], "cluster_cost": cluster_cost}
    settings |= {"topic_clusters": matrix.clusters.settings["topic_clusters"]}
    return ClusterReliability(
        _tabulate_components(raw, mean_squares),
        _project(parts, *numbers),
        correlation,
        best,
        _answer(parts, count, size, best),
        matrix.measure,
        settings,
        matrix.signature("cluster reliability", **settings),
    )


def _tabulate_components(raw: Components, mean_squares: dict[str, float]) -> pd.DataFrame:
    import pandas as pd

    index = pd.Index(list(SOURCES), name="source", dtype=object)
    squares = [mean_squares[name] for name in SOURCES.values()]
    return pd.DataFrame({"variance": list(raw), "mean_square": squares}, index=index)


def _coefficients(parts: Components, clusters: float, topics: float) -> tuple[float, float, float]:
    """Erho2, Phi and the standard error of a difference; NaN where nothing varies."""
    relative = parts.systems_clusters / clusters + parts.residual / (clusters * topics)
    absolute = relative + parts.clusters / clusters + parts.topics / (clusters * topics)
    erho2, phi = (
        parts.systems / (parts.systems + error) if parts.systems + error > 0 else math.nan
        for error in (relative, absolute)
    )
    return erho2, phi, math.sqrt(2.0 * relative)


def _project(parts: Components, clusters: Sequence[int], topics_in_each: Sequence[int]) -> pd.DataFrame:
    import pandas as pd

    rows = [
        (count, size, *_coefficients(parts, count, size))
        for count in dict.fromkeys(clusters)
        for size in dict.fromkeys(topics_in_each)
    ]
    columns = ["clusters", "topics_in_each", "Erho2", "Phi", "se_of_difference"]
    return pd.DataFrame(rows, columns=columns).set_index(["clusters", "topics_in_each"])


def _answer(parts: Components, count: int, size: float, best: float) -> str:
    """Answer in a sentence whether more clusters, or more topics in each, are more reliable."""
    now, clusters, topics, without_end = (
        _coefficients(parts, *design)[0]
        for design in ((count, size), (2 * count, size), (count, 2 * size), (count, np.inf))
    )
    if math.isnan(now):
        return "all systems have equal scores, which leaves reliability undefined"
    if math.isinf(best):
        advice = "clusters do not matter: take topics wherever they are"
    else:
        advice = f"for their cost, {best:.1f} topics in each give most"
    return (
        f"Erho2 is {now:.3f} with {counted(count, 'cluster')} of {size:.1f} topics, {clusters:.3f} with twice the "
        f"clusters, {topics:.3f} with twice the topics in each and {without_end:.3f} with topics without end; {advice}"
    )

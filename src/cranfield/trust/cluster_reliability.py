"""Generalizability of systems' scores where topics are in clusters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from scipy.special import expit, stdtrit

from cranfield._text import counted, shown
from cranfield._typing import Floats, Ints
from cranfield.declarations.analysis import FromScores, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, MissingScoresOption, SeedOption, TopicClustersOption
from cranfield.errors import InputError
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, open_scores
from cranfield.scores.topic_clusters import describe_sizes
from cranfield.statistics.clustered_tests import Components, cluster_components, resample_components
from cranfield.statistics.generalizability import generalizability
from cranfield.trust.reliability import (
    COEFFICIENTS,
    ResamplesOption,
    compute_coefficients,
    tabulate_components,
    warn_of_negative,
)

if TYPE_CHECKING:
    import pandas as pd

SOURCES = {
    "systems": "MSs",
    "clusters": "MSc",
    "topics": "MSq",
    "systems_clusters": "MSsc",
    "residual": "MSe",
}
"""Component -> its mean square."""
ResampledUnits = Literal["both", "clusters"]
BOUNDS = ("Erho2_low", "Erho2_high", "Phi_low", "Phi_high")


@dataclass(frozen=True, eq=False, repr=False)
class ClusterReliability(Result):
    """Variance components of scores on topics in clusters, and the reliability of other numbers of both.

    Args:
        components: of each ``source``: ``systems``, ``clusters``, ``topics`` in clusters, ``systems_clusters`` and
            ``residual``.
        curve: of each number of ``clusters`` and of ``topics_in_each``.
        same_sizes: the same of means of each number of ``clusters`` of such sizes as these, first of as many as there
            are, with intervals by analysis of variance.
        correlation: of differences between systems inside a cluster; NaN where they do not vary.
        best_topics_in_each: topics in each cluster that give most for their cost; infinite where clusters do not
            matter.
        sentence: whether more clusters, or more topics in each, make the order more reliable.
        measure: whose scores.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "curve": (
            Column("clusters", "how many", integer=True),
            Column("topics_in_each", "how many topics each of them has", integer=True),
            Column("Erho2", "reliability of the order of systems by means over them"),
            Column("Phi", "reliability of the means themselves"),
            Column("se_of_difference", "standard error of a difference of two systems"),
            *(Column(name) for name in BOUNDS),
        ),
        "same_sizes": tuple(Column(name) for name in ("Erho2", "Phi", *BOUNDS)),
        "components": (
            Column("variance", "which may be estimated below 0"),
            Column("mean_square", "of the same source"),
        ),
    }
    components: pd.DataFrame
    curve: pd.DataFrame
    same_sizes: pd.DataFrame
    correlation: float
    best_topics_in_each: float
    sentence: str
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    @property
    def now(self) -> pd.Series[float]:
        """The row of ``same_sizes`` of as many clusters as there are."""
        row: pd.Series[float] = self.same_sizes.loc[self.settings["topic_clusters"]["clusters"]]
        return row

    def _tables(self) -> Tables:
        return {
            "curve": lambda: tidy(self.curve),
            "same_sizes": lambda: tidy(self.same_sizes),
            "components": lambda: tidy(self.components),
        }

    def answer(self, table: str) -> str:
        """Say whether more clusters, or more topics in each, make the order more reliable."""
        return f"{shown(self.measure)}: {self.sentence}"

    def caption(self, table: str) -> str:
        """The coefficients of these clusters, and what the bootstrap drew."""
        settings, now = self.settings, self.now
        drawn = "clusters and systems" if settings["resample"] == "both" else "clusters"
        return (
            f"{shown(self.measure)}, means of these {describe_sizes(settings)}: Erho2 {now['Erho2']:.3f} "
            f"({now['Erho2_low']:.3f} to {now['Erho2_high']:.3f}), Phi {now['Phi']:.3f} ({now['Phi_low']:.3f} to "
            f"{now['Phi_high']:.3f}), by analysis of variance\n"
            f"low to high: {settings['resamples']:,} resamples of {drawn}, seed {settings['seed']}"
        )


@analysis(
    "audit reliability",
    "",
    FromScores("each"),
    given=("topic_clusters",),
    views=(View("curve"), View("components", unused=("n_clusters", "topics_in_each"))),
)
def estimate_cluster_reliability(
    scores: ScoresLike,
    topic_clusters: TopicClustersOption,
    *,
    n_clusters: Annotated[
        Sequence[int] | None,
        Option("Number of clusters to project to.", low=1, default="4, 8, 16, 32, all of them, and twice as many"),
    ] = None,
    topics_in_each: Annotated[
        Sequence[int] | None, Option("Number of topics in each cluster.", low=1, default="1, 2, 4, 8, 16")
    ] = None,
    cluster_cost: Annotated[float, Option("Cost of a cluster, in topics.", low=0, open=True)] = 1.0,
    level: LevelOption = 0.95,
    resample: Annotated[ResampledUnits, Option("Resample clusters and systems, or clusters alone.")] = "both",
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
) -> ClusterReliability:
    """Estimate whether more clusters, or more topics in each, make the order of systems more reliable.

    A score is mu + system + cluster + topic in its cluster + system x cluster + residual, all random. From mean squares
    of complete scores, without bias for clusters of any sizes, follow the variances v; with C clusters of k topics

        rel = v_sc / C + v_e / (C k),  abs = rel + v_c / C + v_q / (C k),
        Erho2 = v_s / (v_s + rel),  Phi = v_s / (v_s + abs).

    Topics without end leave v_sc / C: only more clusters reduce it. For clusters that cost as much as ``cluster_cost``
    topics, k = sqrt(cluster_cost v_e / v_sc) topics in each give most. A variance estimated below 0 counts as 0 in what
    follows from it, with a warning.

    Intervals of numbers projected to are by bootstrap of clusters, and of systems where these are a sample of others:
    log(v_s / rel) -+ t times its standard deviation over resamples, and of abs likewise. Those of clusters of these
    sizes are Feldt's, and those of Arteaga and others, on the means of clusters, and take all effects as normal.

    Args:
        scores: of one measure, dims (topic, system), complete.

    Raises:
        InputError: fewer than two systems or five clusters, each cluster with one topic, a topic without a cluster, or
            a missing score.
        UsageError: numbers outside their range.

    References:
        Brennan 2001, Generalizability Theory. doi:10.1007/978-1-4757-3456-0
        Searle, Casella & McCulloch 1992, Variance Components. doi:10.1002/9780470316856
        Feldt 1965, The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty.
        Psychometrika 30.
    """
    needs = Needs("reliability", topics=2, systems=2, complete=True)
    matrix = open_scores(scores, needs, missing_scores=missing_scores, topic_clusters=topic_clusters)
    table, count, of_topic = matrix.values, matrix.unit_count, matrix.row_clusters
    assert of_topic is not None, "topics are in clusters"
    raw, mean_squares, parts = _estimate_components(matrix, table, of_topic)
    across = parts.systems_clusters + parts.residual
    correlation = parts.systems_clusters / across if across > 0 else math.nan
    best = math.sqrt(cluster_cost * parts.residual / parts.systems_clusters) if parts.systems_clusters else math.inf
    size = len(table) / count
    numbers = list(n_clusters or sorted({4, 8, 16, 32, count, 2 * count})), list(topics_in_each or (1, 2, 4, 8, 16))
    settings = record_options(
        estimate_cluster_reliability,
        locals(),
        n_clusters=numbers[0],
        topics_in_each=numbers[1],
        topic_clusters=matrix.units.settings["topic_clusters"],
    )
    drawn = _ClusteredComponents.from_scores(table, of_topic, resamples, seed, systems=resample == "both")
    return ClusterReliability(
        tabulate_components(SOURCES, raw, mean_squares),
        _project(parts, *numbers, drawn, level),
        _project_means(matrix.cluster_means, [count, *numbers[0]], level),
        correlation,
        best,
        _answer(parts, count, size, best),
        matrix.measure,
        settings,
        matrix.signature("cluster reliability", **settings),
    )


def _estimate_components(
    matrix: Scores, table: Floats, of_topic: Ints
) -> tuple[Components, dict[str, float], Components]:
    """Components as estimated, mean squares, and components of which none is below 0.

    Raises:
        InputError: each cluster has one topic.
    """
    if len(table) == matrix.unit_count:
        raise InputError(
            "each cluster has one topic, so the effects of clusters and topics cannot be separated",
            code="too-few",
        )
    raw, mean_squares = cluster_components(table, of_topic)
    warn_of_negative(matrix, SOURCES, raw)
    return raw, mean_squares, Components(*(max(0.0, value) for value in raw))


@dataclass(frozen=True)
class _ClusteredComponents:
    """Components of resamples, none below 0.

    Args:
        components: of each resample, [resamples].
        df: degrees of freedom of what was drawn least often.
    """

    components: tuple[Floats, ...]
    df: int

    @classmethod
    def from_scores(
        cls, table: Floats, cluster: Ints, resamples: int, seed: int, *, systems: bool
    ) -> _ClusteredComponents:
        """Draw clusters, and systems too; resamples without components are left out."""
        drawn = resample_components(table, cluster, resamples, np.random.default_rng(seed), systems=systems)
        units = min(int(cluster.max()) + 1, table.shape[1] if systems else len(table))
        return cls(tuple(np.maximum(drawn[~np.isnan(drawn[:, 0])], 0.0).T), units - 1)

    def interval(self, value: float, topics: float, level: float, *, absolute: bool) -> tuple[float, float]:
        """The interval of a coefficient whose value is known; see ``ResampledComponents.interval``."""
        systems, clusters, in_clusters, crossed, residual = self.components
        noise = crossed + residual / topics + (clusters + in_clusters / topics if absolute else 0.0)
        positive, tail = (systems > 0) & (noise > 0), (1.0 - level) / 2.0
        if not 0 < value < 1:
            return value, value
        if positive.sum() < 2:
            return 0.0, 1.0
        half = float(stdtrit(self.df, 1.0 - tail) * np.log(systems[positive] / noise[positive]).std(ddof=1))
        low, high = (float(expit(math.log(value / (1.0 - value)) + side * half)) for side in (-1.0, 1.0))
        return 0.0 if (systems == 0).mean() > tail else low, high


def _coefficients(parts: Components, clusters: float, topics: float) -> tuple[float, float, float]:
    """Erho2, Phi and the standard error of a difference; NaN where nothing varies."""
    relative = parts.systems_clusters / clusters + parts.residual / (clusters * topics)
    absolute = relative + parts.clusters / clusters + parts.topics / (clusters * topics)
    return compute_coefficients(parts.systems, relative, absolute)


def _project(
    parts: Components, clusters: Sequence[int], topics_in_each: Sequence[int], drawn: _ClusteredComponents, level: float
) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for count in dict.fromkeys(clusters):
        for size in dict.fromkeys(topics_in_each):
            erho2, phi, error = _coefficients(parts, count, size)
            ends = drawn.interval(erho2, size, level, absolute=False), drawn.interval(phi, size, level, absolute=True)
            rows.append((count, size, erho2, phi, error, *ends[0], *ends[1]))
    columns = ["clusters", "topics_in_each", "Erho2", "Phi", "se_of_difference", *BOUNDS]
    return pd.DataFrame(rows, columns=columns).set_index(["clusters", "topics_in_each"])


def _project_means(means: Floats, clusters: Sequence[int], level: float) -> pd.DataFrame:
    """Erho2 and Phi of means of numbers of clusters, with their intervals by analysis of variance."""
    import pandas as pd

    study, rows = generalizability(means), []
    for count in dict.fromkeys(clusters):
        values = (float(study.coefficient(which, float(count))) for which in COEFFICIENTS)
        ends = [end for which in COEFFICIENTS for end in study.interval(which, count, level)]
        rows.append((*values, *ends))
    index = pd.Index(list(dict.fromkeys(clusters)), name="clusters")
    return pd.DataFrame(rows, index=index, columns=[*COEFFICIENTS, *BOUNDS])


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

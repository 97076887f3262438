"""Error and tie rates: how often fewer topics lead to another conclusion on a pair of systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield._executor import each_on
from cranfield._typing import Floats, Ints
from cranfield._validation import between
from cranfield.declarations.analysis import FromScores, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.executor import ExecutorOption
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    MeanOverOption,
    MissingScoresOption,
    SeedOption,
    TopicClustersOption,
    TopicWeightsOption,
)
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, open_scores
from cranfield.scores.topic_clusters import describe_units
from cranfield.statistics.clustered_tests import cluster_sums
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.error_rates import Rates, row_counts, row_rates, row_winners, subset_rates, swap_rates
from cranfield.statistics.resampling import NestedSums, permutations
from cranfield.threads import Each

if TYPE_CHECKING:
    import pandas as pd

Unit = Literal["subset", "topic"]

PAIRS = 4096
"""Pairs of one task, where topics are counted."""


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Result):
    """Error and tie rates by number of topics.

    Args:
        rates: of each number of ``topics``, or of ``clusters`` of them (the index).
        measure: whose scores.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "rates": (
            Column("error_rate", "share of decisions in which the worse system of a pair wins"),
            Column("error_se", "its Monte Carlo standard error"),
            Column("tie_rate", "share of decisions that are ties"),
            Column("tie_se", "its Monte Carlo standard error"),
            Column("overlap", "mean share of topics that a subset shares with another; trust rates up to .5"),
        )
    }
    rates: pd.DataFrame
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """State the number of subsets, the fuzziness, the unit and the seed."""
        drawn = self.settings
        return (
            f"{describe_units(drawn)}{drawn['subsets']:,} subsets of each size, fuzziness {drawn['fuzziness']:g}, "
            f"unit={drawn['unit']}, seed {drawn['seed']}"
        )


@analysis(
    "audit stability",
    "Print error and tie rates by number of topics.",
    FromScores("each"),
    rules=(
        Rule(
            {"disjoint": True, "unit": "topic"},
            "{disjoint} compares the means of two subsets, and {unit=topic} takes no means: choose one",
        ),
        Rule(
            {"topic_weights": GIVEN, "unit": "topic"},
            "{unit=topic} takes each topic by itself: leave {topic_weights} out",
        ),
        Rule(
            {"topic_clusters": GIVEN, "unit": "topic", "mean_over": "topics"},
            "{unit=topic} takes each topic by itself: leave {topic_clusters} out, or take {mean_over=clusters}",
        ),
    ),
    words=("error_rate", "tie_rate"),
    examples=("qrels.txt runs/*.run -m AP -m P@10", "--scores scores.csv -n 25 -n 50"),
)
def estimate_stability(
    scores: ScoresLike,
    *,
    n_topics: Annotated[
        Sequence[int] | None,
        Option(
            "Number of topics of the subsets, up to all of them ({disjoint}: half of them)",
            low=1,
            default="5, 10, 15, ..., half and all of the topics",
            flags=("-n",),
        ),
    ] = None,
    subsets: Annotated[int, Option("Random subsets of each size.", low=2)] = 200,
    fuzziness: Annotated[float, Option("Largest relative difference that counts as a tie.", low=0)] = 0.05,
    unit: Annotated[Unit, Option("Count decisions by subset, or by topic within a subset.")] = "subset",
    disjoint: Annotated[bool, Option("Compare two subsets without a common topic (swap rate).")] = False,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    executor: ExecutorOption = None,
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
    topic_weights: TopicWeightsOption = None,
) -> Stability:
    """Does the better system win on any set of that many topics?

    Random subsets of m topics are drawn without replacement. On each, systems a and b tie if |a - b| <= fuzziness *
    max(|a|, |b|) of their means, else one wins. With W and T counted over subsets,

        error rate = sum over pairs of min(W_ab, W_ba) / sum over pairs of (W_ab + W_ba + T_ab),
        tie rate = sum of T_ab / the same.

    The error rate lies in [0, .5]. Subsets that share topics agree by construction: where ``overlap`` is 1 each of them
    is the whole set and the rate is 0, and above 0.5 it is too small to say what other topics would decide.

    ``unit="topic"`` counts W and T over the topics inside a subset instead, as the paper on negative labels words it;
    its expectation cannot fall with m, and it says how often topics disagree, not conclusions. ``disjoint=True`` draws
    two subsets without a common topic, and an error is a pair that they order in opposite ways (the swap rate).

    With ``topic_weights`` means over a subset are weighted; sizes count topics.
    With ``topic_clusters`` subsets are of whole clusters, and sizes count these.

    Args:
        scores: of one measure, dims (topic, system), complete.

    Raises:
        InputError: fewer than two systems or topics or five clusters, a topic without one, or a missing score.
        UsageError: an unknown word, two that exclude each other, or numbers outside their range.

    References:
        Buckley & Voorhees 2000, Evaluating evaluation measure stability. doi:10.1145/345508.345543
        Voorhees & Buckley 2002, The effect of topic set size on retrieval experiment error. doi:10.1145/564376.564432
        Gienapp, Fröbe, Hagen & Potthast 2020, The impact of negative relevance judgments on NDCG.
        doi:10.1145/3340531.3412123
    """
    needs = Needs("stability", topics=2, systems=2, complete=True)
    matrix = open_scores(
        scores,
        needs,
        missing_scores=missing_scores,
        topic_clusters=topic_clusters,
        mean_over=mean_over,
        topic_weights=topic_weights,
    )
    table, weights = _unit_sums(matrix)
    most = len(table) // 2 if disjoint else len(table)
    sizes = _sizes(most, len(table) // 2) if n_topics is None else list(dict.fromkeys(n_topics))
    for size in sizes:
        between(1, most, " (half of them)" if disjoint else "", n_topics=size)
    orders = permutations(len(table), subsets, np.random.default_rng(seed))
    with each_on(executor) as each:
        if unit == "topic":
            rates = _rates_by_topic(table, orders, sizes, fuzziness, each)
        else:
            decide = _Deciding(fuzziness, Contrasts.all_pairs(table.shape[1]))
            by_size = dict(each(decide, _means(table, weights, orders, sorted(sizes), disjoint=disjoint)))
            rates = [by_size[size] for size in sizes]
    settings = record_options(estimate_stability, locals(), n_topics=sizes, **matrix.units.settings)
    signature = matrix.signature("stability", **settings)
    rows = _table(sizes, rates, np.inf if disjoint else len(table))
    rows = rows if matrix.units.clusters is None else rows.rename_axis("clusters")
    return Stability(rows, matrix.measure, settings, signature)


def _unit_sums(matrix: Scores) -> tuple[Floats, Floats | None]:
    """The scores of topics or cluster means, [rows, systems]; or sums over clusters, and how many topics these have."""
    clusters = matrix.units.clusters
    if clusters is None or matrix.units.weighs_clusters:
        weights = matrix.row_weights
        return (matrix.rows, None) if weights is None else (matrix.rows * weights[:, None], weights[:, None])
    each = np.ones(matrix.topic_count) if matrix.row_weights is None else matrix.row_weights
    columns = np.column_stack([matrix.values * each[:, None], each])
    sums = cluster_sums(columns, clusters.cluster)
    return sums[:, :-1], sums[:, -1:]


def _sizes(most: int, half: int) -> list[int]:
    return sorted({*range(5, most + 1, 5), max(1, half), most})


@dataclass(frozen=True)
class _SubsetMeans:
    """The mean of each system over each subset, [subsets, systems], and over another one without common topics."""

    size: int
    first: Floats
    second: Floats | None

    @property
    def name(self) -> str:
        """The name by which messages of a Dask cluster call the task."""
        return f"subsets of {self.size:,} topics"


def _means(
    table: Floats, weights: Floats | None, orders: NDArray[np.int32], sizes: list[int], *, disjoint: bool
) -> Iterator[_SubsetMeans]:
    """From the smallest size on, so that every topic of a draw is looked up once.

    Args:
        table: [rows, systems].
        weights: topics of each row, [rows, 1]; None where each has one.
        orders: of rows, [subsets, rows].
        sizes: rows of subsets, ascending.
        disjoint: whether there is a second subset.
    """
    summed = table if weights is None else np.hstack([table, weights])
    first, both = NestedSums(summed, orders), NestedSums(summed, orders)

    def average(sums: Floats, size: int) -> Floats:
        return sums / size if weights is None else sums[:, :-1] / sums[:, -1:]

    for size in sizes:
        means = average(first.reach(size), size)
        if disjoint:
            both.reach(2 * size)
        yield _SubsetMeans(size, means, average(both.beyond(first), size) if disjoint else None)


@dataclass(frozen=True)
class _Deciding:
    """Every pair by the means over subsets of one size."""

    fuzziness: float
    pairs: Contrasts

    def __call__(self, means: _SubsetMeans) -> tuple[int, Rates]:
        if means.second is None:
            return means.size, subset_rates(means.first, self.pairs, self.fuzziness)
        return means.size, swap_rates(means.first, means.second, self.pairs, self.fuzziness)


@dataclass(frozen=True)
class _CountingTopics:
    """The topics of a chunk of pairs that the loser wins, and those that either wins, [2, sizes, subsets]."""

    table: Floats
    orders: NDArray[np.int32]
    sizes: list[int]
    fuzziness: float

    def __call__(self, pairs: Contrasts) -> Ints:
        won = row_winners(self.table, pairs, self.fuzziness)
        wins, losses = (NestedSums(won == sign, self.orders) for sign in (1, -1))
        counts = [row_counts(wins.reach(size), losses.reach(size)) for size in self.sizes]
        return np.array(counts).swapaxes(0, 1)


def _rates_by_topic(
    table: Floats, orders: NDArray[np.int32], sizes: list[int], fuzziness: float, each: Each
) -> list[Rates]:
    pairs, ordered = Contrasts.all_pairs(table.shape[1]), sorted(sizes)
    counted = each(_CountingTopics(table, orders, ordered, fuzziness), pairs.pieces(PAIRS))
    wrong, decided = sum(counted, np.zeros((2, len(sizes), len(orders)), dtype=np.int64))
    rates = {size: row_rates(wrong[at], decided[at], len(pairs) * size) for at, size in enumerate(ordered)}
    return [rates[size] for size in sizes]


def _table(sizes: list[int], rates: list[Rates], drawn_from: float) -> pd.DataFrame:
    """A row a size; another subset is drawn from ``drawn_from`` topics, infinitely many where it shares none."""
    import pandas as pd

    columns = {
        "error_rate": [rate.error for rate in rates],
        "error_se": [rate.error_se for rate in rates],
        "tie_rate": [rate.tie for rate in rates],
        "tie_se": [rate.tie_se for rate in rates],
        "overlap": [size / drawn_from for size in sizes],
    }
    return pd.DataFrame(columns, index=pd.Index(sizes, name="topics"))

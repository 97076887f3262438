"""Which measure to trust on a collection, and whether it has enough topics: a table of measures, and its meaning."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from cranfield._text import NAMED, counted, every_one, hearing, in_full, join_first, percent, shown, warn
from cranfield._typing import Floats, Mask
from cranfield.declarations.analysis import Derived, FromScores, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    AlphaOption,
    LevelOption,
    MeanOverOption,
    MissingScoresOption,
    SeedOption,
    TopicClustersOption,
    TopicWeightsOption,
)
from cranfield.errors import MeasureError, UsageError
from cranfield.measures import parse_measures
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import PLAIN, Scores, describe_directions
from cranfield.scores.measure_selection import is_effectiveness
from cranfield.scores.missing_scores import MissingScores
from cranfield.scores.opening import Needs, open_measures
from cranfield.scores.topic_clusters import describe_units
from cranfield.scores.topic_table import TopicTable
from cranfield.scores.topic_weights import count_effective
from cranfield.scoring import Evaluation, Progress
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.rank_correlation import tau_b
from cranfield.statistics.rounding import NOISE
from cranfield.trust.reliability import estimate_reliability
from cranfield.trust.sensitivity import Sensitivity, estimate_sensitivity
from cranfield.trust.stability import estimate_stability

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from cranfield.comparison.dominance_shares import DominanceShares


UNCORRECTED = "paired bootstrap, not corrected"
"""The test of the pairs that a measure separates."""
COLUMNS = (
    Column("Erho2", "reliability of the order of systems by all these topics: 1 is perfect"),
    Column("Erho2_low", "lower limit of its interval, which assumes normal effects", "never"),
    Column("Erho2_high", "upper limit of the same interval", "never"),
    Column("order_needed", "fewest topics whose order of systems reaches the target, by Erho2", integer=True),
    Column("order_low", "lower limit of the interval of order_needed", integer=True),
    Column("order_high", "upper limit of the interval of order_needed", integer=True),
    Column(
        "Phi",
        "reliability of the mean scores themselves, to be compared with those on other topics: 1 is perfect",
        "never",
    ),
    Column("Phi_low", "lower limit of its interval, which assumes normal effects", "never"),
    Column("Phi_high", "upper limit of the same interval", "never"),
    Column("scores_needed", "fewest topics whose mean scores reach the target, by Phi", "never", integer=True),
    Column("scores_low", "lower limit of the interval of scores_needed", "never", integer=True),
    Column("scores_high", "upper limit of the interval of scores_needed", "never", integer=True),
    Column(
        "swap_rate", "share of pairs of systems that two halves of the topics, which share none, order in opposite ways"
    ),
    Column("swap_se", "its Monte-Carlo standard error over the halvings", "never"),
    Column("power", f"share of pairs of systems that are significantly different ({UNCORRECTED})"),
    Column(
        "required_low",
        "estimated difference, significant in 95% of the pairs, less two Monte-Carlo standard errors",
        "never",
    ),
    Column("required_high", "the same, plus two Monte-Carlo standard errors", "never"),
    Column("agreement", "mean tau_b with the order of systems by each other measure", "never"),
    Column(
        "used", "share of the measure's scale that lies between the smallest and the largest mean of a system", "never"
    ),
    Column("tied", "share of all comparisons of two systems on one topic that end in a tie"),
    Column(
        "dominated",
        "share of the measure's differences on one topic where one list dominates the other: every consistent measure "
        "must give them",
        "never",
    ),
    Column(
        "robust",
        "share of its significant differences (paired t-test) that no strictly consistent measure can reverse",
    ),
)
"""The meaning of each column, in one clause; the last two are there where the lists are known."""
MEANING = {column.name: column.meaning for column in COLUMNS}
DOMINANCE = ("dominated", "robust")
WHOLE = tuple(column.name for column in COLUMNS if column.integer)
"""Columns of numbers of topics, which may be infinite."""


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Result):
    """Evidence on how far each measure can be trusted on a collection.

    Args:
        table: of each ``measure`` (the index).
        readings: measure -> its ``reading``, sentences that say what its row means.
        directions: measure -> which of its scores are better, where its name does not say.
        n_topics: how many topics there are.
        n_systems: how many systems.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {"table": COLUMNS}
    table: pd.DataFrame
    readings: dict[str, str]
    directions: dict[str, str]
    n_topics: int
    n_systems: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"table": lambda: tidy(self.table), "readings": self._sentences}

    def _sentences(self) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(list(self.readings.items()), columns=["measure", "reading"])

    def answer(self, table: str) -> str:
        """The measure to report, and why: of those whose order is reliable, the one that separates the most pairs."""
        if table != "table":
            return ""
        rows, target = self.table, self.settings["target"]
        ordered = rows[rows["Erho2"].notna()].sort_values("Erho2", ascending=False, kind="stable")
        if not len(ordered):
            return f"No measure here separates these {self.n_systems:,} systems: report none of them."
        reliable = ordered[ordered["Erho2"] >= target].sort_values("power", ascending=False, kind="stable")
        good = [f"{shown(str(name))} ({row['Erho2']:.3f})" for name, row in reliable.iterrows()]
        counts = ordered["order_needed"].items()
        needed = {name: f"{count:,.0f}" if math.isfinite(count) else "no number suffices" for name, count in counts}
        weak = [f"{shown(str(name))} ({needed[name]})" for name in ordered.index[ordered["Erho2"] < target]]
        size = f"{self.n_topics:,} topics", f"these {self.n_systems:,} systems"
        apart = [shown(str(name)) for name in ordered.index[ordered["power"] == 1.0]] if self.n_systems == 2 else []
        if not good and apart:
            return (
                f"{size[0]} separate {size[1]} by {_join(apart)}; topics needed for reliability {target:g} of their "
                f"order on other topics: {_join(weak)}."
            )
        if not good:
            return f"{size[0]} are too few to rank {size[1]} with reliability {target:g}; topics needed: {_join(weak)}."
        text = f"Report {good[0]}: {size[0]} rank {size[1]} with reliability {target:g} or more"
        if good[1:]:
            share, alpha = percent(reliable["power"].iloc[0]), f"{self.settings['alpha']:g}"
            text += (
                f" by {counted(len(good), 'measure')}, and of these it separates the most pairs of systems ({share} at "
                f"{alpha}; {UNCORRECTED}); then come {_join(good[1:])}"
            )
        return f"{text}; more topics are needed for {_join(weak)}." if weak else f"{text}."

    def caption(self, table: str) -> str:
        """Explain each row and each column, and state the draws, the seed and the level."""
        if table != "table":
            return ""
        settings, units = self.settings, describe_units(self.settings)
        readings = "\n".join(f"- {in_full(reading)}" for reading in self.readings.values())
        directions = "".join(f"\n{shown(name)}: {direction}" for name, direction in self.directions.items())
        explained = ("Erho2", "order_needed", "swap_rate", "power", "tied", "robust")
        columns = "\n".join(f"{name}: {MEANING[name]}" for name in explained if name in self.table)
        halved = "clusters, which are what is counted as topics above" if "topic_clusters" in settings else "topics"
        draws = f"{settings['resamples']:,} resamples, {settings['subsets']:,} halvings"
        drawn = f"{units}{draws} of the {halved}, seed {settings['seed']}"
        level = f"{100 * settings['level']:g}% intervals"
        return f"{readings}{directions}\n\n{columns}\n\n{drawn}; {level}; csv and json have all columns"


def _count_dominated(evaluation: Evaluation, options: Mapping[str, Any]) -> DominanceShares | None:
    """Count which differences of runs hold whatever the measure; None where their lists do not say.

    Args:
        evaluation: of the runs, with their lists.
        options: of the audit, of which ``alpha`` is the level of significance.
    """
    from cranfield.comparison.dominance_shares import DominanceShares

    policy = evaluation.policy
    if len(evaluation.systems) < 2 or policy.weighs_ties or policy.negative == "keep":
        return None
    return DominanceShares.from_evaluation(evaluation, alpha=options["alpha"])


@analysis(
    "audit",
    "Recommend measures, and say whether there are enough topics.",
    FromScores("all", default=(), preferences=("lexiprecision", "lexirecall"), directed=True),
    rules=(
        Rule(
            {"topic_weights": GIVEN, "topic_clusters": GIVEN},
            "reliability is of topics with weights, or of clusters: leave {topic_weights} or {topic_clusters} out",
        ),
    ),
    derived=(Derived("dominance", {}, "cranfield.trust.measure_audit:_count_dominated", of_lists=True),),
    progress="testing pairs",
    guide="Audit each measure: is it reliable here, and are there enough topics?\n\n"
    "One row per measure: reliability of the order of systems (Erho2), topics needed for it, swap rate, discriminative "
    "power and ties. Time and memory grow with pairs: half a minute for 2,000 systems; 4,400 are the most.",
    examples=("qrels.txt runs/*.run", "--scores scores.csv -m nDCG@10 -m AP"),
)
def audit(
    scores: ScoresLike,
    *,
    target: Annotated[
        float, Option("Reliability that the number of topics needed should reach.", low=0, high=1, open=True)
    ] = 0.95,
    alpha: AlphaOption = 0.05,
    level: LevelOption = 0.95,
    resamples: Annotated[int, Option("Bootstrap samples.", low=20)] = 1000,
    subsets: Annotated[int, Option("Random halvings of the topics.", low=2)] = 200,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    sensitivity: Sensitivity | None = None,
    dominance: DominanceShares | None = None,
    progress: Progress | None = None,
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
    topic_weights: TopicWeightsOption = None,
) -> Audit:
    """Estimate how far each measure can be trusted here, and whether there are enough topics.

    Of each measure: reliability at all topics and the topics needed for ``target``, both with intervals, for the order
    of systems (Erho2) and for the scores themselves (Phi; ``estimate_reliability``); the swap rate of two halves of the
    topics, where only equal means tie (``estimate_stability``); discriminative power, and the difference required for
    95% of the pairs with its Monte-Carlo error, under the paired bootstrap (``estimate_sensitivity``), all measures on
    the same resamples; mean tau_b with the other measures' orders of systems (NaN for one measure); the part of its
    scale that systems' means spread over (from 0 to 1 for a measure that is not ours; NaN where it has no ends); and
    the share of ties.

    With ``topic_weights`` means are weighted, topics are drawn and halved with their weights, and reliability is that
    of as many topics of equal weight as the weighted ones count for, (sum w)^2 / sum w^2, rounded; what is needed for
    ``target`` are topics of equal weight.

    With ``topic_clusters`` clusters are what is drawn, halved and counted: reliability, and what is needed for
    ``target``, are of means of clusters of such sizes.

    Args:
        scores: of one or several measures, dims (topic, system), complete. Measures that say nothing of how good a list
            is, such as Judged, are left out with a warning.
        sensitivity: of the same scores, with the same alpha, resamples and seed, where it is known already: it is what
            takes longest.
        dominance: of the same measures, runs and judgments, where lists are known: adds ``dominated`` and ``robust``.
        progress: called with (done, of all) while pairs are tested, which takes longest.

    Raises:
        InputError: fewer than two systems or four topics or five clusters, a topic without one, or a missing score.
        UsageError: numbers outside their range, no measure of effectiveness, or the sensitivity of something else.

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=6, n_topics=25)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, ["AP", "RR"])
    >>> result = cranfield.audit(scores)
    >>> result.table[["Erho2", "order_needed", "power", "tied"]].round(3)
             Erho2  order_needed  power   tied
    measure
    AP       0.991           5.0    1.0  0.000
    RR       0.903          51.0    0.6  0.461
    """
    clusters: dict[str, Any] = {
        "topic_clusters": topic_clusters,
        "mean_over": mean_over,
        "topic_weights": topic_weights,
    }
    matrices = _open_effective(scores, missing_scores, clusters)
    arrays = [matrix.labelled() for matrix in matrices]
    drawing: dict[str, Any] = {"alpha": alpha, "resamples": resamples, "seed": seed}
    sensitive = _sensitivity(arrays, sensitivity, progress, clusters, **drawing)
    orders = np.stack([matrix.comparable_means for matrix in matrices])
    rows, beyond = {}, {}
    for number, (matrix, array) in enumerate(zip(matrices, arrays, strict=True)):
        power = sensitive.table.iloc[number]
        levels = sensitive.asl.iloc[:, number].to_numpy()
        beyond[matrix.measure] = _beyond(matrix, levels >= alpha, float(power["required_95"]))
        rows[matrix.measure] = {
            **_reliability(matrix, target, level),
            **_swaps(array, matrix.unit_count // 2, subsets, seed, clusters),
            **{name: float(power[name]) for name in ("power", "required_low", "required_high")},
            "agreement": _agreement(orders, number),
            "used": float(np.ptp(matrix.means)) / _scale(matrix),
            "tied": _tied(matrix.values, matrix.row_weights),
            **_share_dominated(matrix.measure, dominance),
        }
    settings = record_options(audit, locals(), **matrices[0].units.settings, **describe_directions(matrices))
    signature = matrices[0].signature("audit", **settings) | {"measure": [matrix.measure for matrix in matrices]}
    sizes, unit = (matrices[0].unit_count, len(sensitive.asl)), "topics" if topic_clusters is None else "clusters"
    readings = {name: reading(name, row, *sizes, target, alpha, beyond[name], unit) for name, row in rows.items()}
    size = matrices[0].topic_count, len(matrices[0].systems)
    return Audit(_make_table(rows), readings, settings.get("directions", {}), *size, settings, signature)


def _make_table(rows: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """One row a measure, with the columns that all of them have."""
    import pandas as pd

    columns = [name for name in MEANING if all(name in row for row in rows.values())]
    return pd.DataFrame.from_dict(dict(rows), orient="index")[columns].rename_axis("measure")


def _open_effective(scores: ScoresLike, missing_scores: MissingScores | None, units: Mapping[str, Any]) -> list[Scores]:
    """The complete scores of the measures that an audit can judge, with the clusters of their topics.

    Raises:
        UsageError: there is no such measure.
    """
    opened = open_measures(scores, missing_scores=missing_scores)
    excluded = [matrix for matrix in opened if not is_effectiveness(matrix.measure)]
    if excluded:
        names = ", ".join(matrix.called for matrix in excluded)
        statement = f"{names} {'is not a measure' if len(excluded) == 1 else 'are not measures'} of effectiveness"
        if len(excluded) == len(opened):
            raise UsageError(f"{statement}, and an audit says how far one can be trusted: give one")
        warn(f"{statement} and left out of the audit")
    needs = Needs("an audit", topics=4, systems=2, complete=True)
    chosen = [matrix for matrix in opened if matrix not in excluded]
    return open_measures(chosen, needs, **units)


def _label_means(matrix: Scores) -> xr.DataArray:
    """The scores, or the means of clusters, labelled."""
    if matrix.units.clusters is None:
        return matrix.labelled()
    means = TopicTable(tuple(map(str, range(matrix.unit_count))), matrix.cluster_means)
    return replace(matrix, storage=means, units=PLAIN).labelled()


def _sensitivity(
    arrays: Sequence[xr.DataArray],
    known: Sensitivity | None,
    progress: Progress | None,
    clusters: Mapping[str, Any],
    *,
    alpha: float,
    resamples: int,
    seed: int,
) -> Sensitivity:
    """The sensitivity that is known, or a new one.

    Raises:
        UsageError: it is known of other measures, or with other settings.
    """
    if known is None:
        with hearing():  # no interval of power is shown
            dataset = _dataset(arrays)
            drawn: dict[str, Any] = {"alpha": alpha, "resamples": resamples, "seed": seed}
            return estimate_sensitivity(dataset, progress=progress, **drawn, **clusters)
    requested = {"test": "bootstrap", "alpha": alpha, "resamples": resamples, "seed": seed}
    # No seed is kept of what drew nothing.
    same = all(
        known.settings[name] in ((value, None) if name == "seed" else (value,)) for name, value in requested.items()
    )
    for unit in ("topic_clusters", "topic_weights"):
        same &= (unit in known.settings) == (clusters[unit] is not None)
    if not same or [str(name) for name in known.table.index] != [str(array.name) for array in arrays]:
        raise UsageError("the sensitivity is not of these measures with these alpha, resamples and seed")
    return known


def _beyond(matrix: Scores, alike: Mask, required: float) -> float:
    """Share of the pairs that lie as far apart as is required and are not distinguished.

    On few topics, or where systems differ on few, many resamples have no spread and an infinite t. Where such a one is
    the border, no difference passes it, and what its mean says is required is too little.
    """
    pairs = Contrasts.all_pairs(len(matrix.systems))
    separated = np.abs(matrix.means[pairs.left] - matrix.means[pairs.right])
    return float((alike & (separated >= required - 1e-12)).mean())


def _dataset(arrays: Sequence[xr.DataArray]) -> xr.Dataset:
    import xarray as xr

    return xr.Dataset({str(array.name): array for array in arrays})


def _reliability(matrix: Scores, target: float, level: float) -> dict[str, float]:
    with hearing():  # the reading says what is undefined
        weights = matrix.row_weights
        units = matrix.unit_count if weights is None else max(1, round(count_effective(weights)))
        reliability = estimate_reliability(_label_means(matrix), n_topics=[units], target=target, level=level)
    row: dict[str, float] = {}
    for which, question in (("Erho2", "order"), ("Phi", "scores")):
        for name in (which, f"{which}_low", f"{which}_high"):
            row[name] = float(reliability.curve[name].iloc[0])
        row[f"{question}_needed"] = reliability.needed[which]
        for end in ("low", "high"):
            row[f"{question}_{end}"] = float(reliability.needed_within[end][which])
    return row


def _swaps(array: xr.DataArray, half: int, subsets: int, seed: int, clusters: Mapping[str, Any]) -> dict[str, float]:
    drawn: dict[str, Any] = {"n_topics": [half], "subsets": subsets, "seed": seed}
    with hearing():  # clusters were warned of before
        stability = estimate_stability(array, fuzziness=0.0, disjoint=True, **drawn, **clusters)
    rates = stability.rates.iloc[0]
    return {"swap_rate": float(rates["error_rate"]), "swap_se": float(rates["error_se"])}


def _agreement(orders: Floats, number: int) -> float:
    remaining = np.delete(orders, number, axis=0)
    if not len(remaining):
        return math.nan
    correlations = tau_b(remaining, orders[number])
    defined = correlations[~np.isnan(correlations)]
    return float(defined.mean()) if len(defined) else math.nan


def _share_dominated(measure: str, dominance: DominanceShares | None) -> dict[str, float]:
    """The two columns of a measure; NaN where it is not known to be consistent."""
    if dominance is None:
        return {}
    own = dominance.table[dominance.table["measure"] == measure] if len(dominance.table) else dominance.table
    if not len(own):
        return dict.fromkeys(DOMINANCE, math.nan)
    significant = float(own["significant"].iloc[0])
    robust = float(own["robust"].iloc[0]) / significant if significant else math.nan
    return {"dominated": float(own["dominated"].iloc[0]), "robust": robust}


def _scale(matrix: Scores) -> float:
    """From the smallest to the largest value that a measure can have; NaN where there is no such value."""
    usual, widest = (0.0, 1.0), (-math.inf, math.inf)
    try:
        [measure] = parse_measures(matrix.measure)
        usual, widest = measure.declaration.usual_range, measure.range
    except (MeasureError, ValueError):
        pass
    inside = usual[0] <= matrix.values.min() and matrix.values.max() <= usual[1]
    low, high = usual if inside else widest
    return high - low if math.isfinite(high - low) else math.nan


def _tied(table: Floats, weights: Floats | None = None) -> float:
    """Share of ties among all pairs of systems on all topics, weighted where these are."""
    n, systems = table.shape
    if weights is not None:
        shares = [_tied(row[None, :]) for row in table]
        return float(np.average(shares, weights=weights))
    ordered = np.sort(table, axis=1)
    slack = NOISE * np.abs(table).max()
    fresh = np.concatenate([np.ones((n, 1), dtype=bool), np.diff(ordered, axis=1) > slack], axis=1)
    group = np.cumsum(fresh.ravel())
    sizes = np.bincount(group)
    return float((sizes * (sizes - 1)).sum() / (n * systems * (systems - 1)))


def _join(names: Sequence[str]) -> str:
    """Join the first names, and the number of the others."""
    return join_first(names) if len(names) > NAMED else every_one(names)


MOST = 0.05
"""Share of the pairs, above which those that do not differ belie the difference that is enough for the others."""


def reading(
    name: str,
    row: dict[str, float],
    topics: int,
    pairs: int,
    target: float,
    alpha: float,
    beyond: float = 0.0,
    unit: str = "topics",
) -> str:
    """Return what a row of the table means, in plain sentences.

    Args:
        name: of the measure.
        row: of the table.
        topics: how many there are.
        pairs: of systems.
        target: reliability.
        alpha: level of significance.
        beyond: share of the pairs whose means are as far apart as the row says to be enough, and which are not
            distinguished.
        unit: what is counted, ``topics`` or ``clusters`` of them.
    """
    if math.isnan(row["Phi"]):
        return f"{name} gives every system the same value on every topic and cannot compare them."
    distinguished = round(row["power"] * pairs)
    swapped = f"{percent(row['swap_rate'])} of system pairs (Monte Carlo error {percent(row['swap_se'])})"
    parts = [
        _describe_topics(name, row, topics, target, unit, apart=pairs == distinguished == 1),
        f"Two random halves of the {unit} disagree on the order of {swapped}.",
        f"It separates {distinguished:,} of {pairs:,} pairs at {alpha:g} ({percent(row['power'])}; {UNCORRECTED}); "
        f"{_enough(row['required_low'], row['required_high'], beyond)}.",
    ]
    if not math.isnan(row["agreement"]):
        parts.append(f"Mean tau_b with the order of systems by the other measures: {row['agreement']:.2f}.")
    if not math.isnan(row["used"]):
        parts.append(f"The means of the systems cover {percent(row['used'])} of its scale.")
    parts.append(f"It gives two systems the same value in {percent(row['tied'])} of comparisons on one topic.")
    if not math.isnan(row.get("robust", math.nan)):
        firm = percent(row["robust"])
        parts.append(f"{firm[0].upper()}{firm[1:]} of its significant differences hold whatever the measure.")
    return " ".join(parts)


def _describe_topics(
    name: str, row: dict[str, float], topics: int, target: float, unit: str, *, apart: bool = False
) -> str:
    """Describe whether topics, or clusters, suffice to rank systems, and to trust their means.

    Two systems of which one is significantly better are ``apart``: these topics are enough for that.
    """
    if math.isinf(row["scores_needed"]):
        return f"No number of {unit} would make {name} reliable: it does not separate systems."
    order, scores = (verdict(row, question, topics, unit) for question in ("order", "scores"))
    if apart:
        return (
            f"{name}: {topics:,} {unit} separate the two systems; the reliability of their order on other {unit} is "
            f"{row['Erho2']:.3f} ({target:g} needs {order[1]}), and of their means {row['Phi']:.3f} ({target:g} needs "
            f"{scores[1]})."
        )
    return (
        f"{name}: {topics:,} {unit} are {order[0]} to rank the systems (reliability {row['Erho2']:.3f}; {target:g} "
        f"needs {order[1]}) and {scores[0]} to trust the means (reliability {row['Phi']:.3f}; {target:g} needs "
        f"{scores[1]})."
    )


def verdict(row: dict[str, float], question: str, topics: int, unit: str = "topics") -> tuple[str, str]:
    """Describe whether topics, or clusters, suffice, and how many are needed with their interval."""
    needed, low, high = (row[f"{question}_{what}"] for what in ("needed", "low", "high"))
    sure = high <= topics or low > topics
    enough = "enough" if needed <= topics else "too few"
    end = "any number" if math.isinf(high) else f"{high:,.0f}"
    return f"{'' if sure else 'probably '}{enough}", f"{needed:,.0f} {unit}, interval {low:,.0f} to {end}"


def _enough(low: float, high: float, beyond: float) -> str:
    """Say which difference between means is significant for 95% of the pairs, or why none can be named.

    It is rounded to the digits that the width of its range supports, and to one digit at least.
    """
    middle, width = (low + high) / 2, high - low
    if math.isnan(middle):
        return "too few resamples were drawn to estimate which difference between means is significant"
    if beyond > MOST:
        return (
            "which difference between means is significant cannot be estimated, as "
            f"{percent(beyond)} of the pairs differ by as much as the estimate and are not separated"
        )
    first = -math.floor(math.log10(middle)) if middle else 0
    columns = max(first, min(first + 2, math.floor(-math.log10(width)))) if width else first + 2
    distance = f"{round(middle, columns):.{max(0, columns)}f}"
    return f"for 95% of the pairs, a difference of {distance} between means is significant"

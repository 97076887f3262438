"""Discriminative power: the share of pairs of systems that a measure distinguishes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from cranfield._executor import each_on
from cranfield._message import setting
from cranfield._text import drawn, warn
from cranfield._typing import Floats
from cranfield.declarations.analysis import FromScores, View, analysis
from cranfield.declarations.checks import GIVEN, Rule
from cranfield.declarations.executor import ExecutorOption
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
from cranfield.errors import UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import melted, sort_by_size, tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores, describe_directions
from cranfield.scores.opening import Needs, open_measures
from cranfield.scores.topic_clusters import describe_units
from cranfield.scoring import Progress
from cranfield.statistics.bootstrap import paired_bootstrap
from cranfield.statistics.clustered_draws import bootstrap_of_clusters, flips_of_clusters, significant_cluster_shares
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.discriminative_power import pair_share, significant_shares
from cranfield.statistics.resampling import bootstrap_counts, in_batches, is_exact, sign_flips
from cranfield.statistics.sign_flips import required_by_flips, sign_flip_test
from cranfield.statistics.simultaneous import null_ranges, randomized_tukey
from cranfield.statistics.test_names import TEST_RESAMPLES
from cranfield.threads import Each, Reporting

if TYPE_CHECKING:
    import pandas as pd


SensitivityTest = Literal["bootstrap", "permutation", "randomized-tukey"]
MOST = 0.95
"""Share of the pairs for which a required difference is enough, where it should not hang on a single pair."""
BATCHES = 10
"""Parts of the draws, whose spread is the Monte-Carlo error."""
TOPIC_DRAWS = 200
"""Samples of topics, whose spread is that of the power on other topics: known to a twentieth."""


@dataclass(frozen=True, eq=False, repr=False)
class Sensitivity(Result):
    """Discriminative power of one or several measures on the same resamples.

    Args:
        table: of each ``measure`` (the index).
        differences: of each two measures ``measure`` and ``other``; empty for one measure.
        asl: each ``asl``, achieved significance levels: one row a pair of systems (index ``system``, ``other``), a
            column a measure.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("power", "share of pairs with p < alpha"),
            Column("power_low"),
            Column("power_high"),
            Column("significant"),
            Column("pairs"),
            Column("required_difference", "Sakai's, enough for every pair; it varies with the seed"),
            Column("required_95", "enough for 95% of the pairs"),
            Column("required_low", "to required_high, its Monte Carlo interval"),
            Column("required_high"),
        ),
        "differences": (
            Column("difference", "of the power of measure and other"),
            Column("low", "to high, its interval"),
            Column("high"),
        ),
    }
    table: pd.DataFrame
    differences: pd.DataFrame
    asl: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "table": lambda: tidy(self.table),
            "differences": lambda: tidy(self.differences),
            "asl": lambda: melted(self.asl, "measure", "asl"),
        }

    def printed_rows(self, table: str) -> pd.DataFrame:
        """A table in the order in which it is printed: the largest differences first."""
        if table == "curve":
            return tidy(self.curve())
        if table != "differences":
            return self.to_frame(table)
        if self.differences.empty:
            raise UsageError(f"{setting('differences')} compares measures: name two or more")
        return sort_by_size(self.to_frame(table))

    def caption(self, table: str) -> str:
        """The test, and what intervals are over."""
        units = describe_units(self.settings)
        method = f"test={self.settings['test']}, alpha={self.settings['alpha']:g}{drawn(self.settings)}"
        lines = [f"{units}{method}; intervals: on other {'clusters' if units else 'topics'} and systems like these"]
        if len(self.asl) == 1:
            further = "the table of differences compares the measures" if len(self.table) > 1 else "name more runs"
            lines.append(f"two systems are one pair, whose power is 0 or 1, and its interval says little: {further}")
        return "\n".join(lines)

    def curve(self) -> pd.DataFrame:
        """ASL curves: each measure's levels, sorted, against the ``share`` of pairs up to there (the index)."""
        import pandas as pd

        ordered = np.sort(self.asl.to_numpy(), axis=0)
        share = np.arange(1, len(ordered) + 1) / len(ordered)
        return pd.DataFrame(ordered, columns=self.asl.columns, index=pd.Index(share, name="share"))


@dataclass(frozen=True)
class _MeasureTests:
    """The tests by one measure: p and the required difference of each pair, [pairs].

    The latter are also of parts of the draws:

    ``batches`` are [parts, pairs]; None where nothing was drawn at random.
    """

    p: Floats
    required: Floats
    batches: Floats | None


@analysis(
    "audit sensitivity",
    "Print the share of pairs of systems that each measure separates.",
    FromScores("all", default=()),
    views=(
        View("table"),
        View(
            "curve",
            "Print the curve of achieved significance levels (ASL).",
            ("--curve",),
            pairs="the smallest levels first",
            unused=("level",),
        ),
        View(
            "differences",
            "Print differences in power between measures.",
            ("--differences",),
            pairs="the largest differences first",
        ),
    ),
    rules=(
        Rule(
            {"test": "randomized-tukey", "topic_weights": GIVEN},
            "{test=randomized-tukey} counts topics alike: leave {topic_weights} out, or take another test",
        ),
        Rule(
            {"test": "randomized-tukey", "topic_clusters": GIVEN, "mean_over": "topics"},
            "{test=randomized-tukey} does not work with clusters: take {test=bootstrap}, {test=permutation} or "
            "{mean_over=clusters}",
        ),
    ),
    progress="testing pairs, in %",
    words=("asl", "discriminative_power", "swap_rate"),
    examples=("qrels.txt runs/*.run -m AP -m RR", "--scores scores.csv --differences"),
)
def estimate_sensitivity(
    scores: ScoresLike,
    *,
    test: Annotated[
        SensitivityTest, Option("Studentised paired bootstrap, sign flips, or one test of all systems.")
    ] = "bootstrap",
    alpha: AlphaOption = 0.05,
    resamples: Annotated[int | None, Option("Resamples.", low=1, default="1,000 for bootstrap, else 10,000")] = None,
    level: LevelOption = 0.95,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    executor: ExecutorOption = None,
    progress: Progress | None = None,
    topic_clusters: TopicClustersOption = None,
    mean_over: MeanOverOption = "topics",
    topic_weights: TopicWeightsOption = None,
) -> Sensitivity:
    """Which share of all pairs of systems does a measure find significantly different?

    The achieved significance level p of a pair by ``bootstrap`` is the share of resamples with |t_b| >= |t|, t =
    mean(z) / (sd(z) / sqrt(n)) of the differences z on n topics and t_b that of resamples of w = z - mean(z).
    Discriminative power = share of pairs with p < alpha, without correction for their number (``randomized-tukey``
    corrects by itself). Sakai's required difference estimates how far two means must lie apart to be significant: of
    each pair the |mean(w_b)| of the resample with the floor(B alpha)-th largest |t_b|, of all pairs the largest; under
    ``permutation`` the floor(B alpha)-th largest |mean| of the flips likewise, and under ``randomized-tukey`` the
    (1 - alpha) quantile of the largest difference. Being the largest of many, it moves by a tenth and more with the
    seed; ``required_95``, the 95% quantile over the pairs in place of the largest, moves by a few per cent.

    High power alone is not a merit: a measure can distinguish systems by something that does not matter.

    Intervals take systems and topics as samples of others: Student's, from the variance of the jackknife over systems
    and that of the bootstrap over topics. Those of a difference compare two measures on the same pairs, the same topics
    drawn and the same resamples, so that one without 0 is a claim on new topics and systems. NaN for two systems.

    With ``topic_weights`` means are weighted, and topics drawn, or their signs flipped, with their weights.
    With ``topic_clusters`` whole clusters are drawn, or their signs flipped, each resample has the standard error of
    clusters, and the required difference is the |mean| of the resample whose |t| has that rank.

    Args:
        scores: of one or several measures, dims (topic, system), complete.
        progress: called with (done, of all) while pairs are tested.

    Raises:
        InputError: fewer than two systems or topics or five clusters, a topic without one, or a missing score.
        UsageError: numbers outside their range, or a test that does not work with clusters.

    References:
        Sakai 2006, Evaluating evaluation metrics based on the bootstrap. doi:10.1145/1148170.1148261
    """
    count = TEST_RESAMPLES[test] if resamples is None else resamples
    if math.floor(count * alpha + 1e-9) < 1:
        raise UsageError(
            f"{setting('resamples', count)} are too few for {setting('alpha', alpha)}: take {math.ceil(1 / alpha)} or "
            "more"
        )
    needs = Needs("sensitivity", topics=2, systems=2, complete=True)
    matrices = open_measures(
        scores,
        needs,
        missing_scores=missing_scores,
        topic_clusters=topic_clusters,
        mean_over=mean_over,
        topic_weights=topic_weights,
    )
    if len(matrices[0].systems) == 2:
        warn("two systems make one pair, which leaves intervals over systems undefined")
    pairs = Contrasts.all_pairs(len(matrices[0].systems))
    with each_on(executor) as work:
        calls = (3 if test == "permutation" else 2) * len(matrices)
        each = work if progress is None else Reporting(work, progress, calls)
        tested = [_tested(matrix, pairs, test, alpha, count, seed, each) for matrix in matrices]
        redrawn = _on_other_topics(matrices, alpha, seed, each, simultaneous=test == "randomized-tukey")
    exact = test == "permutation" and is_exact(matrices[0].unit_count, count)
    drawn = {"resamples": count, "seed": None if exact else seed, "exact_pairs": len(pairs) if exact else 0}
    settings = record_options(estimate_sensitivity, locals(), **drawn, **matrices[0].units.settings)
    settings |= describe_directions(matrices) if len(matrices) > 1 else {}  # that of one measure is signed as it is
    signature = matrices[0].signature("sensitivity", **settings)
    signature["measure"] = [matrix.measure for matrix in matrices]
    decided = [_square(outcome.p < alpha, pairs, len(matrices[0].systems)) for outcome in tested]
    return Sensitivity(
        _table(matrices, tested, decided, redrawn, alpha, level),
        _differences(matrices, decided, redrawn, level),
        _levels(matrices, tested, pairs),
        settings,
        signature,
    )


def _tested(
    matrix: Scores, pairs: Contrasts, test: str, alpha: float, resamples: int, seed: int, each: Each
) -> _MeasureTests:
    rng, table = np.random.default_rng(seed), matrix.rows
    kth = math.floor(resamples * alpha + 1e-9)
    batches = min(BATCHES, kth)
    cluster, weights = matrix.row_clusters, matrix.row_weights
    if cluster is not None and test == "bootstrap":
        drawn = bootstrap_of_clusters(table, cluster, resamples, rng, kth, batches, each, weights)
        return _MeasureTests(drawn.asl, drawn.required, drawn.batches)
    if cluster is not None:
        drawn, exact = flips_of_clusters(table, cluster, resamples, rng, alpha, batches, each, weights)
        return _MeasureTests(drawn.asl, drawn.required, None if exact else drawn.batches)
    if test == "bootstrap":
        counts = bootstrap_counts(len(table), resamples, rng)
        bootstrapped = paired_bootstrap(table, counts, pairs, kth=kth, batches=batches, each=each)
        return _MeasureTests(bootstrapped.asl, bootstrapped.required, bootstrapped.batches)
    if test == "permutation":
        signs, exact = sign_flips(len(table), resamples, rng)
        p = sign_flip_test(table, signs, pairs, exact=exact, each=each)
        if exact:
            all_of_them = max(1, math.floor(len(signs) * alpha + 1e-9))
            return _MeasureTests(p, required_by_flips(table, signs, pairs, all_of_them, each=each)[0], None)
        return _MeasureTests(p, *required_by_flips(table, signs, pairs, kth, batches, each))
    ranges = null_ranges(table, resamples, rng, each)
    p = randomized_tukey(table, ranges, pairs)
    borders = [np.sort(ranges[rows])[-(kth // batches)] for rows in in_batches(resamples, batches)]
    every = np.ones(len(pairs))
    return _MeasureTests(p, np.sort(ranges)[-kth] * every, np.outer(borders, every))


def _most(tested: _MeasureTests) -> tuple[float, float]:
    """The 95% quantile of the required differences, and its Monte-Carlo error; NaN where too few were drawn."""
    value = float(np.quantile(tested.required, MOST))
    if tested.batches is None:
        return value, 0.0
    if len(tested.batches) < 2:
        return value, math.nan
    of_parts = np.quantile(tested.batches, MOST, axis=1)
    return value, float(of_parts.std(ddof=1) / math.sqrt(len(of_parts)))


def _square(significant: np.ndarray[Any, np.dtype[np.bool_]], pairs: Contrasts, systems: int) -> Floats:
    square = np.zeros((systems, systems))
    square[pairs.left, pairs.right] = significant
    return square + square.T


def _on_other_topics(matrices: Sequence[Scores], alpha: float, seed: int, each: Each, *, simultaneous: bool) -> Floats:
    """By each measure the share of significant pairs on topics, or clusters, drawn anew, the same for all.

    Shape: [measures, draws].
    """
    counts = bootstrap_counts(matrices[0].unit_count, TOPIC_DRAWS, np.random.default_rng(seed))
    cluster = matrices[0].row_clusters
    if cluster is not None:
        return np.stack(
            [
                significant_cluster_shares(values.values, cluster, counts, alpha, values.row_weights)
                for values in matrices
            ]
        )
    return np.stack(
        [significant_shares(values.rows, counts, alpha, simultaneous=simultaneous, each=each) for values in matrices]
    )


def _table(
    matrices: Sequence[Scores],
    tested: list[_MeasureTests],
    decided: list[Floats],
    redrawn: Floats,
    alpha: float,
    level: float,
) -> pd.DataFrame:
    import pandas as pd

    beside = redrawn.var(axis=1, ddof=1).tolist()
    shares = [pair_share(square, level, variance) for square, variance in zip(decided, beside, strict=True)]
    most = [_most(result) for result in tested]
    columns = {
        "power": [result.value for result in shares],
        "power_low": np.maximum(0.0, [result.low for result in shares]),
        "power_high": np.minimum(1.0, [result.high for result in shares]),
        "significant": [int((result.p < alpha).sum()) for result in tested],
        "pairs": [len(result.p) for result in tested],
        "required_difference": [float(result.required.max()) for result in tested],
        "required_95": [value for value, _ in most],
        "required_low": np.maximum(0.0, [value - 2 * error for value, error in most]),
        "required_high": [value + 2 * error for value, error in most],
    }
    return pd.DataFrame(columns, index=pd.Index([matrix.measure for matrix in matrices], name="measure", dtype=object))


def _differences(matrices: Sequence[Scores], decided: list[Floats], redrawn: Floats, level: float) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for left in range(len(matrices)):
        for right in range(left + 1, len(matrices)):
            beside = float((redrawn[left] - redrawn[right]).var(ddof=1))
            gap = pair_share(decided[left] - decided[right], level, beside)
            rows.append((matrices[left].measure, matrices[right].measure, *gap))
    return pd.DataFrame(rows, columns=["measure", "other", "difference", "low", "high"])


def _levels(matrices: Sequence[Scores], tested: list[_MeasureTests], pairs: Contrasts) -> pd.DataFrame:
    import pandas as pd

    names = np.array(matrices[0].systems, dtype=object)
    index = pd.MultiIndex.from_arrays([names[pairs.left], names[pairs.right]], names=["system", "other"])
    return pd.DataFrame({matrix.measure: level.p for matrix, level in zip(matrices, tested, strict=True)}, index=index)

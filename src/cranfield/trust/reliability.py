"""Generalizability theory: the shares of the variance of scores that systems, topics and the rest cause."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import listed, quoted, shown, warn
from cranfield._typing import Ints
from cranfield.declarations.analysis import FromScores, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, open_scores
from cranfield.scores.scale import best_first, comparable
from cranfield.statistics.generalizability import (
    Coefficient,
    Generalizability,
    ResampledComponents,
    conditions_within,
)

if TYPE_CHECKING:
    import pandas as pd

MissingInReliability = Literal["drop-topics", "drop-systems", "refuse", "zero"]
ResampledFactors = Literal["both", "topics"]
COEFFICIENTS: tuple[Coefficient, ...] = ("Erho2", "Phi")
COMPONENTS = ("systems", "topics", "residual")


NumbersOfTopicsOption: TypeAlias = Annotated[
    Sequence[int] | None,
    Option("Number of topics to project to.", low=1, default="from 5 to twice as many as there are", flags=("-n",)),
]
ResamplesOption: TypeAlias = Annotated[int, Option("Bootstrap samples.", low=2)]
ZERO_INSTEAD = (
    f"count it as 0 ({setting('missing_scores', 'zero')}, `cranfield audit reliability --missing-scores zero`)"
)
"""The advice where a system lacks a score."""


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Result):
    """Variance components of a matrix of scores, and what follows from them for any number of topics.

    Args:
        components: of each ``source``: ``systems``, ``topics`` and the ``residual`` (the interaction of both, with all
            else).
        curve: of each number of ``topics`` (the index).
        needed: fewest topics for the target by each ``coefficient``, ``Erho2`` and ``Phi``; infinite where systems do
            not differ.
        needed_within: of each ``coefficient`` (the index) both intervals of that number, ``low`` to ``high`` and
            ``boot_low`` to ``boot_high``.
        measure: whose scores.
        systems: each ``system`` that was kept.
        by_name: those left out by ``drop`` though one that was kept has the same mean: their names decided.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "curve": (
            Column("topics", "how many", integer=True),
            Column("Erho2", "reliability of the order of systems by means over this number of topics"),
            Column("Erho2_low", "to Erho2_high, its interval by analysis of variance, which assumes normal effects"),
            Column("Erho2_high"),
            Column("Erho2_boot_low", "to Erho2_boot_high, its interval by bootstrap"),
            Column("Erho2_boot_high"),
            Column("Phi", "reliability of the means themselves, with the same intervals"),
            *(Column(f"Phi_{end}") for end in ("low", "high", "boot_low", "boot_high")),
        ),
        "components": (
            Column("variance", "of systems, of topics, and of the residual"),
            Column("share", "of the sum of variances"),
            Column("mean_square", "from which the variance is estimated"),
        ),
        "needed": (
            Column("target", "coefficient that is to be reached"),
            Column("topics", "fewest that reach it", integer=True),
            Column("low", "to high, the interval of that number by analysis of variance", integer=True),
            Column("high", integer=True),
            Column("boot_low", "to boot_high, the interval by bootstrap", integer=True),
            Column("boot_high", integer=True),
        ),
    }
    components: pd.DataFrame
    curve: pd.DataFrame
    needed: dict[str, float]
    needed_within: pd.DataFrame
    measure: str
    systems: tuple[str, ...]
    by_name: tuple[str, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        import pandas as pd

        within = self.needed_within.reset_index(drop=True)
        numbers = [(which, self.settings["target"], count) for which, count in self.needed.items()]
        needed = pd.DataFrame(numbers, columns=["coefficient", "target", "topics"]).join(within)
        return {
            "curve": lambda: tidy(self.curve),
            "components": lambda: tidy(self.components),
            "needed": lambda: needed,
            "systems": lambda: pd.DataFrame({"system": self.systems}),
            "by_name": lambda: pd.DataFrame({"system": self.by_name}),
        }

    def caption(self, table: str) -> str:
        """State the shares of variance, the numbers of topics needed, and the draws of the bootstrap."""
        what, drawn = f"{shown(self.measure)}, {len(self.systems):,} systems", self.settings
        if self.components["share"].isna().all():
            return f"{what}: all scores are equal"
        shares = ", ".join(f"{name} {share:.1%}" for name, share in self.components["share"].items())
        needed = [
            f"{_format_topics(count)} for {which} {drawn['target']:g}{self._format_interval(which)}"
            for which, count in self.needed.items()
            if not math.isnan(count)
        ]
        by_name = f"; left out by name, of equal means: {', '.join(map(shown, self.by_name))}" if self.by_name else ""
        at_a_time = f", {drawn['drawn_at_a_time']:,} topics drawn at a time" if drawn.get("drawn_at_a_time") else ""
        units = "topics and systems" if drawn["resample"] == "both" else "topics"
        return (
            f"{what}: variance of {shares}; {', '.join(needed)}{by_name}\n"
            f"boot: {drawn['resamples']:,} resamples of {units}, seed {drawn['seed']}{at_a_time}"
        )

    def _format_interval(self, which: str) -> str:
        """Format the interval of a needed number of topics, in brackets; nothing where that is infinite."""
        if math.isinf(self.needed[which]):
            return ""
        low, high = self.needed_within["low"][which], self.needed_within["high"][which]
        return f" ({low:,.0f} to {'any number' if math.isinf(high) else f'{high:,.0f}'})"


def _format_topics(count: float) -> str:
    return "no number of topics" if math.isinf(count) else f"{count:,.0f} topics"


@analysis(
    "audit reliability",
    "Split the variance of scores into systems, topics and error.",
    FromScores("each", zero=True, streamed=True),
    views=(
        View("curve", "coefficients by number of topics."),
        View("components", "variances.", unused=("n_topics",)),
        View("needed", "topics for the target.", unused=("n_topics",)),
    ),
    guide="Split the variance of scores into systems, topics and residual, and estimate the reliability of means.\n\n"
    "Erho2 is the reliability of the order of systems, Phi that of their scores; intervals are by analysis of variance "
    "(low, high), which assumes normal effects, and by bootstrap (boot_low, boot_high). With --topic-clusters or "
    "--replicates, clusters or runs have a variance too: would more of them help more than more topics?",
    words=("anova", "phi", "erho2", "generalizability", "dependability"),
    examples=("qrels.txt runs/*.run -m nDCG@10", "--scores scores.csv --target 0.9"),
)
def estimate_reliability(
    scores: ScoresLike | Scores,
    *,
    n_topics: NumbersOfTopicsOption = None,
    drop: Annotated[float, Option("Leave out this share of the weakest systems.", low=0, high=1)] = 0.0,
    target: Annotated[
        float, Option("Coefficient that the topics needed should reach.", low=0, high=1, open=True)
    ] = 0.95,
    level: LevelOption = 0.95,
    resample: Annotated[
        ResampledFactors,
        Option("Resample topics and systems, or topics alone; clusters in place of topics that are in some."),
    ] = "both",
    resamples: ResamplesOption = 1000,
    seed: SeedOption = 1,
    missing_scores: Annotated[
        MissingInReliability | None,
        Option(
            "What to do where a system has no score on a topic: leave out such topics, or such systems, or refuse; or "
            "count it as 0.",
            default="refuse",
            shell=False,
        ),
    ] = None,
) -> Reliability:
    """Split the variance of scores into systems, topics and residual, and estimate the reliability of means.

    Erho2 is the reliability of the order of systems, Phi that of their scores: would they come out the same on other
    topics?

    A score is mu + system + topic + residual, all random. From the mean squares of the complete matrix

        var_s = (MS_s - MS_e) / topics,  var_t = (MS_t - MS_e) / systems,  var_e = MS_e,

    and of means over n topics Erho2 = var_s / (var_s + var_e / n) for the order of systems, and Phi = var_s / (var_s +
    (var_t + var_e) / n) for the scores themselves. A component estimated below zero counts as 0, with a warning. Phi is
    never the larger one, and neither changes when all scores x become a x + b. The topics needed are the fewest n with
    a coefficient of at least ``target``.

    Intervals by analysis of variance (Feldt's of Erho2, that of Arteaga and others of Phi) take all effects as normal.
    Where they are not, those by bootstrap hold better (docs/trust.md counts how often): of both systems and topics
    where systems are a sample of others, of the topics alone for these systems on other topics.

    Args:
        scores: of one measure, dims (topic, system). Of more than 131,072 topics without gaps, components come from
            exact sums, and the bootstrap draws 4,096 topics at a time, wherever the scores are.

    Raises:
        InputError: fewer than two systems or topics, or a missing score.
        UsageError: an unknown word, or numbers outside their range.

    References:
        Bodoff & Li 2007, Test theory for assessing IR test collections. doi:10.1145/1277741.1277805
        Urbano, Marrero & Martín 2013, On the measurement of test collection reliability. doi:10.1145/2484028.2484038
        Feldt 1965, The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty.
        Psychometrika 30.
        Arteaga, Jeyaratnam & Franklin 1982, Confidence intervals for proportions of total variance in the two-way cross
        component of variance model. Communications in Statistics 11.
    """
    if drop == 1:
        raise UsageError(f"{setting('drop', drop)} leaves no system: give a share below 1")
    filling = None if missing_scores == "zero" else missing_scores
    matrix = open_scores(scores, Needs("reliability", blockwise=True), missing_scores=filling)
    if missing_scores == "zero" and not matrix.is_complete:
        matrix = matrix.filled(0.0)
    matrix.require_complete("reliability", ZERO_INSTEAD)
    columns, by_name = _strongest(matrix, drop)
    count = matrix.topic_count
    if len(columns) < 2 or count < 2:
        raise InputError(f"reliability needs 2 systems and 2 topics, and has {len(columns)} and {count}")
    sizes = _sizes(count) if n_topics is None else list(dict.fromkeys(n_topics))
    rng = np.random.default_rng(seed)
    study, drawn = matrix.select_systems(columns.tolist()).variance_components(
        resamples, rng, systems=resample == "both"
    )
    _remark(matrix, study)
    settings = record_options(estimate_reliability, locals(), n_topics=sizes, **matrix.storage.resampling_settings)
    return Reliability(
        _components(study),
        _curve(study, drawn, sizes, level),
        {name: study.needed(name, target) for name in COEFFICIENTS},
        _needed_within(study, drawn, target, level),
        matrix.measure,
        tuple(matrix.systems[column] for column in columns),
        by_name,
        settings,
        matrix.signature("reliability", **settings),
    )


def _strongest(matrix: Scores, drop: float) -> tuple[Ints, tuple[str, ...]]:
    """Columns without the share of lowest means (highest, where small is good); and whom their names left out."""
    means = comparable(matrix.means, matrix.larger_is_better)
    order = best_first(means, matrix.systems)
    cut = len(order) - math.floor(drop * len(order) + 1e-9)
    columns, dropped = order[:cut], order[cut:]
    by_name = tuple(matrix.systems[column] for column in dropped if columns and means[column] == means[columns[-1]])
    if by_name:
        warn(
            f"{matrix.called}: drop={drop:g} meets equal means: {listed(by_name, 'system')} left out by name, with the "
            f"same mean as {quoted(matrix.systems[columns[-1]])}, which is kept"
        )
    return np.sort(columns), by_name


def _sizes(topics: int) -> list[int]:
    return sorted({*(size for size in (5, 10, 25, 50, 100, 200, 400) if size <= 2 * topics), topics, 2 * topics})


def _components(study: Generalizability) -> pd.DataFrame:
    import pandas as pd

    variance = np.array(study.components)
    total = variance.sum()
    mean_squares = (study.anova.ms_columns, study.anova.ms_rows, study.anova.ms_residual)
    shares = variance / total if total > 0 else np.full(3, np.nan)
    return pd.DataFrame(
        {"variance": variance, "share": shares, "mean_square": mean_squares},
        index=pd.Index(COMPONENTS, name="source", dtype=object),
    )


def _curve(study: Generalizability, drawn: ResampledComponents, sizes: list[int], level: float) -> pd.DataFrame:
    import pandas as pd

    columns: dict[str, list[float]] = {}
    for which in COEFFICIENTS:
        columns[which] = study.coefficient(which, np.array(sizes, dtype=np.float64)).tolist()
        for by, name in ((study, which), (drawn, f"{which}_boot")):
            bounds = [by.interval(which, size, level) for size in sizes]
            columns[f"{name}_low"] = [interval.low for interval in bounds]
            columns[f"{name}_high"] = [interval.high for interval in bounds]
    return pd.DataFrame(columns, index=pd.Index(sizes, name="topics"))


def _needed_within(study: Generalizability, drawn: ResampledComponents, target: float, level: float) -> pd.DataFrame:
    import pandas as pd

    rows = [
        [end for by in (study, drawn) for end in conditions_within(by.interval(which, 1, level), target)]
        for which in COEFFICIENTS
    ]
    index = pd.Index(COEFFICIENTS, name="coefficient", dtype=object)
    return pd.DataFrame(rows, index=index, columns=["low", "high", "boot_low", "boot_high"])


def _remark(matrix: Scores, study: Generalizability) -> None:
    """Warn where a component is a convention."""
    objects, conditions, residual = study.components
    if not any(study.raw):
        warn(f"{matrix.called}: all scores are equal, which leaves reliability undefined")
    elif objects == residual == 0 and conditions > 0:
        warn(f"{matrix.called}: systems have equal scores on every topic, which leaves Erho2 undefined")
    warn_of_negative(matrix, COMPONENTS, study.raw)


def warn_of_negative(matrix: Scores, sources: Iterable[str], variances: Sequence[float]) -> None:
    """Warn of variances that are estimated below zero."""
    for name, value in zip(sources, variances, strict=True):
        if value < 0:
            warn(f"{matrix.called}: the variance of {name} is estimated below zero ({value:.3g}) and counts as 0")


def tabulate_components(
    sources: Mapping[str, str], variances: Sequence[float], mean_squares: Mapping[str, float]
) -> pd.DataFrame:
    """A row for each ``source``: its ``variance``, which may be below 0, and the ``mean_square`` that it names."""
    import pandas as pd

    index = pd.Index(list(sources), name="source", dtype=object)
    squares = [mean_squares[name] for name in sources.values()]
    return pd.DataFrame({"variance": list(variances), "mean_square": squares}, index=index)


def compute_coefficients(systems: float, relative: float, absolute: float) -> tuple[float, float, float]:
    """Erho2, Phi and the standard error of a difference, from three variances; NaN where nothing varies.

    Args:
        systems: of systems.
        relative: of the error of their order.
        absolute: of the error of their scores.
    """
    erho2, phi = (systems / (systems + error) if systems + error > 0 else math.nan for error in (relative, absolute))
    return erho2, phi, math.sqrt(2.0 * relative)

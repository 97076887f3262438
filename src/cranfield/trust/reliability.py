"""How much of what separates systems' scores is the systems' own: generalizability theory."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from cranfield._message import name_value
from cranfield._text import listed, quoted, warn
from cranfield._typing import Ints
from cranfield._validation import check_integer, is_number, several, share, word
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import MeasureScores
from cranfield.scores.missing_scores import MissingScores
from cranfield.scores.scale import best_first, comparable
from cranfield.statistics.generalizability import (
    Coefficient,
    Generalizability,
    ResampledComponents,
    conditions_within,
)
from cranfield.streaming.scores import open_measure

if TYPE_CHECKING:
    import pandas as pd

Missing = Literal["error", "zero"]
Resampled = Literal["both", "topics"]
COEFFICIENTS: tuple[Coefficient, ...] = ("Erho2", "Phi")
COMPONENTS = ("systems", "topics", "residual")


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Result):
    """Variance components of a matrix of scores, and what follows from them for any number of topics.

    Args:
        components: ``variance``, its ``share`` of the sum, and ``mean_square`` of each ``source``: ``systems``,
            ``topics`` and the ``residual`` (the interaction of both, with all else).
        curve: of each number of ``topics`` (the index) ``Erho2`` and ``Phi`` with their intervals by analysis of
            variance, ``Erho2_low`` to ``Erho2_high`` and ``Phi_low`` to ``Phi_high``, and by bootstrap,
            ``Erho2_boot_low`` to ``Erho2_boot_high`` and ``Phi_boot_low`` to ``Phi_boot_high``.
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

    charts: ClassVar[tuple[str, ...]] = ("d_study",)
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
        needed = pd.DataFrame(list(self.needed.items()), columns=["coefficient", "topics"]).join(within)
        return {
            "curve": lambda: tidy(self.curve),
            "components": lambda: tidy(self.components),
            "needed": lambda: needed,
            "systems": lambda: pd.DataFrame({"system": self.systems}),
            "by_name": lambda: pd.DataFrame({"system": self.by_name}),
        }


def estimate_reliability(
    scores: ScoresLike | MeasureScores,
    *,
    n_topics: Sequence[int] | None = None,
    drop: float = 0.0,
    target: float = 0.95,
    level: float = 0.95,
    missing: Missing = "error",
    resample: Resampled = "both",
    resamples: int = 1000,
    seed: int = 1,
    missing_scores: MissingScores | None = None,
) -> Reliability:
    """Would the same systems come out the same on other topics?

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
        n_topics: numbers of topics to project to, each at least 1; by default from 5 to twice as many as there are.
        drop: share of the systems with the lowest means that is left out, in [0, 1): very bad ones make any collection
            look reliable. Of systems with equal means at the boundary, those whose names come last in the alphabet
            are left out, with a warning.
        target: coefficient for ``needed``, in (0, 1).
        level: coverage of the intervals, in (0, 1).
        missing: a missing score is an ``error``, or counts ``zero``.
        resample: what the bootstrap draws: ``both`` topics and systems, or ``topics``.
        resamples: of the bootstrap, at least 2.
        seed: at least 0; the same seed gives the same bits.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

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
    share(target=target, level=level)
    word("missing", missing, get_args(Missing))
    word("resample", resample, get_args(Resampled))
    check_integer(2, resamples=resamples)
    check_integer(0, seed=seed)
    if not is_number(drop) or not 0 <= drop < 1:
        raise UsageError(f"drop={name_value(drop)} should lie in [0, 1)")
    matrix = _complete(open_measure(scores, missing_scores), missing)
    columns, by_name = _strongest(matrix, drop)
    count = matrix.topic_count
    if len(columns) < 2 or count < 2:
        raise InputError(f"reliability needs 2 systems and 2 topics, and has {len(columns)} and {count}")
    several(n_topics=[] if n_topics is None else n_topics)
    sizes = _sizes(count) if n_topics is None else list(dict.fromkeys(n_topics))
    rng = np.random.default_rng(seed)
    study, drawn = matrix.select_systems(columns.tolist()).variance_components(
        resamples, rng, systems=resample == "both"
    )
    _remark(matrix, study)
    settings = {"n_topics": sizes, "drop": drop, "target": target, "level": level, "missing": missing}
    settings |= {"resample": resample, "resamples": resamples, "seed": seed, **matrix.resampling_settings}
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


def _complete(matrix: MeasureScores, missing: str) -> MeasureScores:
    if missing == "zero" and not matrix.is_complete:
        return matrix.in_memory().filled(0.0)
    matrix.require_complete(
        "reliability", "count it as 0 (missing='zero', `cranfield audit reliability --missing-scores zero`)"
    )
    return matrix


def _strongest(matrix: MeasureScores, drop: float) -> tuple[Ints, tuple[str, ...]]:
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


def _remark(matrix: MeasureScores, study: Generalizability) -> None:
    """Warn where a component is a convention."""
    objects, conditions, residual = study.components
    if not any(study.raw):
        warn(f"{matrix.called}: all scores are equal, which leaves reliability undefined")
    elif objects == residual == 0 and conditions > 0:
        warn(f"{matrix.called}: systems have equal scores on every topic, which leaves Erho2 undefined")
    warn_of_negative(matrix, COMPONENTS, study.raw)


def warn_of_negative(matrix: MeasureScores, sources: Iterable[str], variances: Sequence[float]) -> None:
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

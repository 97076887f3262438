"""Agreement of pairwise verdicts: of two judges with each other, and of a judge's strengths with scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield._text import counted, quoted
from cranfield._typing import Floats
from cranfield.declarations.analysis import FromVerdicts, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import InputError
from cranfield.pairwise.options import (
    CoverageOption,
    PairTiesOption,
    PriorOption,
    StrengthModel,
    StrengthResamplesOption,
    WeightsOption,
)
from cranfield.pairwise.order_effect import describe_ratio
from cranfield.pairwise.strengths import fit_judge, prepare
from cranfield.pairwise.verdicts import PairOutcomes, PairVerdicts, VerdictsLike, as_verdicts, pair_outcomes
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import open_scores
from cranfield.statistics.interrater import cohen_kappa
from cranfield.statistics.order_effects import Sums, estimate_ratio, sum_by_topic
from cranfield.statistics.paired_comparisons import NoFiniteStrengthsError, fit_theta, repeat_topics
from cranfield.statistics.rank_correlation import MIN_SYSTEMS, tau_ap_b, tau_b
from cranfield.statistics.rounding import NOISE

if TYPE_CHECKING:
    import pandas as pd

UNDEFINED = 0.1
"""With a larger share of resamples without finite strengths there is no interval."""
DECIMALS = 10
"""Strengths are rounded before they are ordered: those that are equal differ by rounding."""
MEASURED = ("pairs", "equal", "equal_low", "equal_high", "opposite", "kappa", "kappa_quadratic")
"""Columns of the agreement on common pairs."""
COEFFICIENTS = {"tau_b": tau_b, "tau_ap_b": tau_ap_b}


@dataclass(frozen=True, eq=False, repr=False)
class VerdictAgreement(Result):
    """Agreement of every two judges.

    Args:
        table: one row a pair of judges, ``reference`` and ``judge``.
        settings: the options.
        signature: all that changes these numbers.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("pairs", "of a topic, that both judged"),
            Column("equal", "share of them with the same outcome"),
            Column("equal_low", "lower end of its interval over topics"),
            Column("equal_high", "upper end"),
            Column("opposite", "share with opposite outcomes"),
            Column("kappa", "of outcomes -1, 0 and 1"),
            Column("kappa_quadratic", "with quadratic weights"),
            Column(
                "tau_b",
                "of their strengths on common systems; NaN where those are not finite, or systems fall into groups "
                "that never met",
            ),
        )
    }
    table: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe the verdicts and statistics that are compared."""
        return "pairs of a topic that both judged; tau_b: of strengths"

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The judges that have most in common first, of whom agreement says most."""
        return self.to_frame(table).sort_values("pairs", ascending=False, kind="stable", ignore_index=True)

    def name_rows(self, table: str) -> str:
        """Two judges are a row."""
        return "pairs of judges"


@analysis(
    "judges pairs",
    "",
    FromVerdicts(),
    views=(View("judges", "agreement of each two.", table="table", pairs="those with most in common first"),),
)
def compare_verdicts(
    verdicts: VerdictsLike,
    *,
    pair_ties: PairTiesOption = "half",
    weights: WeightsOption = "pairs",
    prior: PriorOption = None,
    alpha: CoverageOption = 0.05,
) -> VerdictAgreement:
    """Compare every two judges on the pairs that both judged, by the sign of the sum of their verdicts.

    Args:
        verdicts: of two or more judges.

    Raises:
        InputError: there is one judge only.
        UsageError: an unknown word, or a number outside its range.

    References:
        Cohen 1968, Weighted kappa. doi:10.1037/h0026256
    """
    import pandas as pd

    model = StrengthModel(pair_ties, weights=weights, prior=prior or 0.0)
    verdicts = as_verdicts(verdicts)
    if len(verdicts.judges) < 2:
        raise InputError("agreement needs two judges: there is one", verdicts.name, code="too-few")
    judges = dict(verdicts.by_judge())
    theta = {judge: _theta_by_system(own, judge, model) for judge, own in judges.items()}
    outcomes = {judge: pair_outcomes(own) for judge, own in judges.items()}
    size = len(verdicts.topics), len(verdicts.systems)
    rows = []
    for left, right in combinations(judges, 2):
        row: dict[str, Any] = {"reference": left, "judge": right} | _compare(
            outcomes[left], outcomes[right], size, alpha
        )
        common = [system for system in theta[left] if system in theta[right]]
        values = [np.array([theta[judge][system] for system in common]).round(DECIMALS) for judge in (left, right)]
        row["tau_b"] = float(tau_b(*values)) if len(common) > 1 else float("nan")
        rows.append(row)
    settings = record_options(compare_verdicts, locals())
    return VerdictAgreement(
        pd.DataFrame(rows),
        settings,
        signed("agreement of verdicts", settings, verdicts={"sha256": verdicts.digest}),
    )


def _theta_by_system(verdicts: PairVerdicts, judge: str, model: StrengthModel) -> dict[str, float]:
    """Strengths by system; none where they are not finite."""
    try:
        fitted = fit_judge(verdicts, judge, model)
    except InputError:
        return {}
    if len(fitted.island_topics) > 1:
        return {}
    return dict(zip(fitted.systems, map(float, fitted.fit.theta), strict=True))


def _compare(left: PairOutcomes, right: PairOutcomes, size: tuple[int, int], alpha: float) -> dict[str, float]:
    """Agreement on the pairs that both judged; of how many topics and systems is the ``size``."""
    topics, systems = size
    a, b = ((pairs.topic * systems + pairs.low) * systems + pairs.high for pairs in (left, right))
    _, at_left, at_right = np.intersect1d(a, b, assume_unique=True, return_indices=True)
    if not len(at_left):
        return dict.fromkeys(MEASURED, float("nan")) | {"pairs": 0}
    x, y, topic = left.sign[at_left], right.sign[at_right], left.topic[at_left]
    total = np.bincount(topic, minlength=topics).astype(float)
    equal = describe_ratio(estimate_ratio(Sums(sum_by_topic(topic, (x == y).astype(float), topics), total)), alpha)
    confusion = np.bincount((x + 1) * 3 + y + 1, minlength=9).reshape(3, 3)
    values = np.array([-1.0, 0.0, 1.0])
    return {
        "pairs": len(x),
        "equal": equal["value"],
        "equal_low": equal["low"],
        "equal_high": equal["high"],
        "opposite": float((x * y == -1).mean()),
        "kappa": cohen_kappa(confusion, values),
        "kappa_quadratic": cohen_kappa(confusion, values, "quadratic"),
    }


@dataclass(frozen=True, eq=False, repr=False)
class ScoreAgreement(Result):
    """Agreement of judges' strengths with mean scores.

    Args:
        table: one row a ``judge`` and ``statistic`` (``tau_b``, ``tau_ap_b``). There is no interval where more than a
            tenth of the resamples have no finite strengths, or groups of systems that never met, or where resamples do
            not differ.
        settings: the options.
        signature: all that changes these numbers.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("value", "correlation on the common systems and topics"),
            Column("low", "lower percentile over resampled topics"),
            Column("high", "upper percentile"),
            Column("systems", "common ones"),
            Column("topics", "common ones", integer=True),
            Column("undefined", "resamples without a correlation"),
        )
    }
    table: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe the quantities that are compared."""
        return "strengths by verdicts and mean scores"


@analysis(
    "judges pairs",
    "",
    FromVerdicts(scores="compared"),
    views=(View("scores", "agreement with scores.", table="table"),),
)
def compare_with_scores(
    verdicts: VerdictsLike,
    scores: ScoresLike,
    *,
    pair_ties: PairTiesOption = "half",
    weights: WeightsOption = "pairs",
    prior: PriorOption = None,
    alpha: CoverageOption = 0.05,
    resamples: StrengthResamplesOption = 1000,
    seed: SeedOption = 1,
) -> ScoreAgreement:
    """Correlate strengths by pairwise verdicts with mean scores, on the systems and topics that both have.

    Args:
        verdicts: of one or several judges, each compared by itself.
        scores: of one measure, dims (topic, system).

    Raises:
        InputError: fewer than three common systems, two common topics, or strengths that are not finite.
        UsageError: an unknown word, or a number outside its range.
    """
    import pandas as pd

    model = StrengthModel(pair_ties, weights=weights, prior=prior or 0.0)
    verdicts = as_verdicts(verdicts)
    matrix = open_scores(scores)
    table = pd.DataFrame(matrix.values if matrix.larger_is_better else -matrix.values)
    table.index, table.columns = list(matrix.topics), list(matrix.systems)
    rows = []
    for judge, own in verdicts.by_judge():
        rows += _correlate(own, judge, table, model, alpha, resamples, np.random.default_rng(seed))
    settings = record_options(compare_with_scores, locals(), measure=matrix.measure)
    signature = signed(
        "verdicts and scores",
        settings,
        verdicts={"sha256": verdicts.digest},
        scores=matrix.source,
    )
    return ScoreAgreement(pd.DataFrame(rows), settings, signature)


def _correlate(
    verdicts: PairVerdicts,
    judge: str,
    table: pd.DataFrame,
    model: StrengthModel,
    alpha: float,
    resamples: int,
    rng: np.random.Generator,
) -> list[dict[str, Any]]:
    own = _restrict(verdicts, judge, table)
    fitted = fit_judge(own, judge, model)
    names, topics = fitted.systems, fitted.topics
    if len(fitted.island_topics) > 1:
        groups = counted(len(fitted.island_topics), "group")
        text = f"judge {quoted(judge)}: systems with scores fall into {groups} that never met, and strengths of these "
        raise InputError(text + "cannot be compared: give verdicts between them", verdicts.name, code="separated")
    comparisons, _, _ = prepare(own, model)
    values = table.loc[topics, names].to_numpy(dtype=float)
    if np.isnan(values).any():
        raise InputError("a score is missing on a topic that both have", "the scores", code="missing-scores")

    def correlate(counts: Floats) -> tuple[float, ...]:
        drawn = repeat_topics(comparisons, counts)
        try:
            theta = fit_theta(drawn, len(names), davidson=model.ties == "davidson", order=False, prior=model.prior)
        except NoFiniteStrengthsError:
            return (float("nan"),) * len(COEFFICIENTS)
        means = counts @ values / counts.sum()
        return tuple(float(function(theta.round(DECIMALS), means)) for function in COEFFICIENTS.values())

    observed, count = correlate(np.ones(len(topics))), len(topics)
    samples = rng.integers(0, count, (resamples, count))
    draws = [correlate(np.bincount(sample, minlength=count).astype(float)) for sample in samples]
    rows = []
    for name, value, drawn in zip(COEFFICIENTS, observed, np.array(draws).T, strict=True):
        undefined = int(np.isnan(drawn).sum())
        row = {"judge": judge, "statistic": name, "value": value, "low": float("nan"), "high": float("nan")}
        if undefined <= UNDEFINED * resamples:
            low, high = np.nanquantile(drawn, [alpha / 2, 1 - alpha / 2]).tolist()
            if high - low > NOISE:
                row |= {"low": low, "high": high}
        rows.append(row | {"systems": len(names), "topics": count, "undefined": undefined})
    return rows


def _restrict(verdicts: PairVerdicts, judge: str, table: pd.DataFrame) -> PairVerdicts:
    """The verdicts on systems and topics that have scores.

    Raises:
        InputError: they are too few.
    """
    has_topic = np.array([topic in table.index for topic in verdicts.topics])
    has_system = np.array([system in table.columns for system in verdicts.systems])
    own = verdicts.select_rows(
        has_topic[verdicts.topic] & has_system[verdicts.left] & has_system[verdicts.right], verdicts.judges
    )
    systems, topics = len(np.unique([own.left, own.right])), len(np.unique(own.topic))
    if systems < MIN_SYSTEMS or topics < 2:
        text = f"judge {quoted(judge)} and the scores have {counted(systems, 'system')} and {counted(topics, 'topic')} "
        raise InputError(text + "in common: a correlation needs three systems and two topics", "the scores")
    return own

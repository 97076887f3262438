"""The risk of replacing a baseline: ``estimate_risk`` and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from cranfield._text import quoted, shown, warn
from cranfield._typing import Floats
from cranfield._validation import list_names
from cranfield.comparison.comparison_text import describe_scope
from cranfield.comparison.pair_choice import find_columns
from cranfield.declarations.analysis import FromScores, Groups, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, MissingScoresOption, SeedOption
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import warn_of_gaps
from cranfield.scores.opening import Needs, open_scores
from cranfield.statistics.contrasts import noise
from cranfield.statistics.multiple_testing import Correction, adjust
from cranfield.statistics.risk import (
    MAX_BCA_TOPICS,
    Deviation,
    RiskInterval,
    risk_against_all,
    risk_intervals,
    risk_of,
    weighed,
)
from cranfield.statistics.test_names import INTERVAL_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd

Combine = Literal["mean", "max"]
AT_RISK = -2.0
"""A topic's share of TRisk below which it is at risk, as the paper puts it."""
AMONG_ALL = ("zrisk", "zrisk_low", "zrisk_high", "georisk", "georisk_low", "georisk_high")
COLUMNS_AMONG_ALL = (
    Column("zrisk", "a system's departures from what its mean and the topics let expect, losses weighed more"),
    Column("zrisk_low", "to zrisk_high, its interval over topics", shown="never"),
    Column("zrisk_high", shown="never"),
    Column("georisk", "the geometric mean of its mean score and of zrisk put between 0 and 1"),
    Column("georisk_low", "to georisk_high, its interval over topics", shown="never"),
    Column("georisk_high", shown="never"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Risk(Result):
    """Risks of systems against a baseline.

    Args:
        systems: one row a ``system``, the largest URisk first.
        topics: one row a ``system`` and ``topic``.
        measure: its name.
        baseline: what systems are compared with, in words.
        settings: the options; ``across_groups`` where p was adjusted over the systems of several groups of topics.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("system"),
            Column("mean"),
            Column("urisk", "mean difference from the baseline, losses weighed 1 + loss_weight"),
            Column("low", "to high, its interval (Student's)"),
            Column("high"),
            Column(
                "urisk_equal",
                "what urisk would be on average if either score of each topic were as likely the system's as the "
                "baseline's",
            ),
            Column("trisk", "urisk in standard errors"),
            Column("p", "of the hypothesis that urisk is 0"),
            Column("p_adjusted", "by the correction"),
            Column("wins", "topics on which the system is better"),
            Column("ties"),
            Column("losses"),
            Column("at_risk", "topics with tri below -2"),
            Column("reward", "sum of the gains over the number of topics"),
            Column("risk", "sum of the losses over the number of topics"),
            *COLUMNS_AMONG_ALL,
            Column("topics"),
        ),
        "topics": (
            Column("system"),
            Column("topic"),
            Column("score"),
            Column("score_baseline"),
            Column("difference", "above 0 where the system is better"),
            Column("weighed", "the difference, losses weighed 1 + loss_weight"),
            Column("tri", "in standard deviations of the weighed differences"),
        ),
    }
    on_request: ClassVar[tuple[str, ...]] = ("against_all",)
    systems: pd.DataFrame
    topics: pd.DataFrame
    measure: str
    baseline: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    @classmethod
    def corrected_together(cls, results: Mapping[str, Risk]) -> dict[str, Risk]:
        """These results with p adjusted by Holm's method over the systems of all; see ``results.across``.

        Args:
            results: group -> its result.
        """
        p = np.concatenate([result.systems["p"].to_numpy(dtype=np.float64) for result in results.values()])
        adjusted = _adjusted(p, "holm")
        across = {"groups": len(results), "comparisons": int((~np.isnan(p)).sum())}
        ends = np.cumsum([len(result.systems) for result in results.values()])
        return {
            name: result._corrected(adjusted_part, across)
            for (name, result), adjusted_part in zip(results.items(), np.split(adjusted, ends[:-1]), strict=True)
        }

    def _corrected(self, adjusted: Floats, across: dict[str, int]) -> Risk:
        settings = self.settings | {"correction": "holm", "across_groups": across}
        systems = self.systems.assign(p_adjusted=adjusted)
        return replace(self, systems=systems, settings=settings, signature=self.signature | {"settings": settings})

    def _tables(self) -> Tables:
        return {
            "systems": lambda: tidy(self.systems),
            "topics": lambda: tidy(self.topics),
            "against_all": lambda: tidy(self._sorted_by_georisk()),
        }

    def _sorted_by_georisk(self) -> pd.DataFrame:
        """The systems with ZRisk and GeoRisk alone, the largest GeoRisk first."""
        table = self.systems[["system", "mean", *AMONG_ALL, "topics"]]
        return table.sort_values("georisk", ascending=False, kind="stable", ignore_index=True)

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """The columns that say something beside the others."""
        if table == "systems":
            needless = ["p_adjusted"] if self.settings["correction"] == "none" else []
            needless += ["urisk_equal"] if self.settings["loss_weight"] == 0 else []
            rows = rows.drop(columns=needless, errors="ignore")
        return super().for_people(table, rows)

    def caption(self, table: str) -> str:
        """Describe what is compared with what, how losses are weighted, and what the intervals and p refer to."""
        return {"topics": self._describe_topics, "against_all": self._describe_all}.get(table, self._describe_systems)()

    def _describe_weights(self, against: str) -> str:
        more = self.settings["loss_weight"]
        weight = f"{1 + more:g} times" if more else "as gains"
        return f"{shown(self.measure)} against {shown(against)}; losses weighed {weight} (loss weight {more:g})"

    def _describe_topics(self) -> str:
        weights = self._describe_weights(self.baseline)
        return f"{weights}; tri: weighed differences in standard deviations, below -2 at risk"

    def _describe_all(self) -> str:
        settings = self.settings
        lines = [self._describe_weights(f"what all {len(self.systems)} systems lead to expect")]
        if settings["resamples"]:
            drawn = f"{settings['interval']}, {settings['resamples']:,} samples of topics, seed {settings['seed']}"
            lines.append(f"{settings['level']:.0%} intervals over topics with the same systems ({drawn})")
        else:
            lines.append("no intervals: no samples of topics were drawn (see --resamples)")
        return "\n".join(lines)

    def _describe_systems(self) -> str:
        settings = self.settings
        weight, correction = settings["loss_weight"], settings["correction"]
        weights = self._describe_weights(self.baseline)
        lines = [f"{weights}; {settings['level']:.0%} intervals of urisk, for each system by itself"]
        adjusted = "not adjusted" if correction == "none" else f"p_adjusted: {correction}{describe_scope(settings)}"
        lines.append(f"p: that urisk is 0{'' if weight == 0 else ', not that systems are equal'}; {adjusted}")
        if weight:
            lines.append("urisk_equal: what urisk would be on average if the system and the baseline were equal")
        lines.append("zrisk, georisk: among all systems, whatever the baseline; with intervals: --against-all")
        return "\n".join(lines)


@analysis(
    "compare risk",
    "Weigh losses more than gains: URisk, TRisk, GeoRisk.",
    FromScores(directed=True),
    views=(
        View("systems"),
        View(
            "topics",
            "Print each system on each topic.",
            ("--by-topic", "-q"),
            unused=("level", "correction", "interval", "resamples", "seed"),
        ),
        View(
            "against_all",
            "Print ZRisk and GeoRisk among all systems.",
            ("--against-all",),
            unused=("baseline", "combine", "deviation", "correction"),
        ),
    ),
    groups=Groups(tested=True, across=True),
    words=("urisk", "trisk", "zrisk", "georisk"),
    examples=("qrels.txt runs/*.run --baseline bm25", "qrels.txt runs/*.run --against-all"),
    guide="""Compare systems with a baseline, penalizing per-topic losses more than rewarding gains.

TRisk is URisk in standard errors: below -2 URisk is significantly below 0, above 2 significantly above. Two equal
systems have a URisk below 0 if losses weigh more: see urisk_equal. ZRisk and GeoRisk compare each system with all
others at once.""",
)
def estimate_risk(
    scores: ScoresLike,
    baseline: Annotated[
        str | Sequence[str],
        Option(
            "Baseline; several are combined.",
            metavar="NAME",
            default="all systems, combined",
        ),
    ] = (),
    *,
    combine: Annotated[
        Combine, Option("Combine baselines on each topic by their mean, or by their best score (max).")
    ] = "mean",
    loss_weight: Annotated[float, Option("How much more a loss weighs than a gain.", low=0)] = 1.0,
    level: LevelOption = 0.95,
    deviation: Annotated[
        Deviation,
        Option("TRisk divides by topics - 1 (sample), or by topics (population, as a published tool does)."),
    ] = "sample",
    correction: Annotated[Correction, Option("Correction of p for the number of systems.")] = "none",
    interval: Annotated[
        RiskInterval, Option("Bootstrap interval of ZRisk and GeoRisk; that of URisk is Student's.")
    ] = "percentile",
    resamples: Annotated[
        int | None,
        Option("Bootstrap samples; 0 for no intervals.", low=0, default="2,000; 0 above 10,000 topics"),
    ] = None,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
) -> Risk:
    """Estimate how much systems gain on a baseline if every loss weighs more than a gain of the same size.

    With d_q a system's score on topic q minus the baseline's, w the ``loss_weight``, and x_q = d_q where d_q >= 0, else
    (1 + w) d_q: URisk = mean(x) and TRisk = URisk / (s / sqrt(c)) with s the standard deviation of x over c topics.
    With w 0 URisk is the difference of means, and TRisk the paired t. The paper calls a TRisk below -2 a real risk, and
    above 2 a real gain. For w above 0 that, and p, are about whether URisk is 0, and not about whether the systems are
    equal: since URisk = (1 + w / 2) mean(d) - w / 2 mean(|d|), it is below 0 for equal ones, and the more topics there
    are, the surer their TRisk lies below -2.

    ZRisk and GeoRisk compare each system with all others at once: how its scores depart from what its mean and the
    topics let expect. They depend on all systems given; they need a score of at least 0 of each on every topic. Their
    intervals are of the bootstrap over topics, which computes anew what is expected in each sample, with the same
    systems. Of nominal 95%, those of GeoRisk cover .89-.91 with 20 topics of DL 2019 and .92-.93 with 43, of ZRisk
    .85-.88 and .90-.91 (``percentile``; ``bca`` .91 and .94, and .84-.90 and .89-.93, the more the larger w).

    Args:
        scores: of one measure, dims (topic, system).

    Raises:
        UsageError: an unknown word or system, numbers outside their range, or ``bca`` of more than 10,000 topics.
        InputError: fewer than two systems or topics, or no score.

    References:
        Wang, Bennett & Collins-Thompson 2012, Robust ranking models via risk-sensitive optimization.
        doi:10.1145/2348283.2348385
        Dincer, Macdonald & Ounis 2014, Hypothesis testing for the risk-sensitive evaluation of retrieval systems.
        doi:10.1145/2600428.2609625
        Dincer, Macdonald & Ounis 2016, Risk-sensitive evaluation and learning to rank using multiple baselines.
        doi:10.1145/2911451.2911511
    """
    needs = Needs("an estimate of risk", topics=2, systems=2)
    matrix = open_scores(scores, needs, missing_scores=missing_scores)
    drawn = (INTERVAL_RESAMPLES if len(matrix.topics) <= MAX_BCA_TOPICS else 0) if resamples is None else resamples
    named = list_names(baseline=baseline)
    settings = record_options(estimate_risk, locals(), baseline=named, resamples=drawn)
    base, called = _baseline(matrix, named, combine)
    warn_of_gaps(matrix.called, matrix.values, matrix.topics, matrix.systems)
    systems, topics = _tables(matrix, base, loss_weight, level, deviation)
    systems.insert(list(systems).index("p") + 1, "p_adjusted", _adjusted(systems["p"].to_numpy(), correction))
    of_all = _against_all(matrix, loss_weight, level, interval, drawn, seed).loc[systems["system"]]
    for name in of_all:
        systems.insert(len(systems.columns) - 1, str(name), of_all[name].to_numpy())
    return Risk(systems, topics, matrix.measure, called, settings, matrix.signature("risk", **settings))


def _baseline(matrix: Scores, names: Sequence[str], combine: Combine) -> tuple[Floats, str]:
    """The baseline's score on every topic, NaN where one of its systems has none, and its name.

    Raises:
        UsageError: an unknown system.
    """
    columns = find_columns(matrix.systems, names) or list(range(len(matrix.systems)))
    values = matrix.values[:, columns]
    best = values.max(axis=1) if matrix.larger_is_better else values.min(axis=1)
    if len(columns) == 1:
        return values[:, 0], matrix.systems[columns[0]]
    of = f"all {len(columns)} systems" if not names else f"{len(columns)} systems"
    if combine == "mean":
        return values.mean(axis=1), f"mean of {of}"
    return best, f"best of {of} on each topic"


def _tables(
    matrix: Scores, baseline: Floats, loss_weight: float, level: float, deviation: Deviation
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The table of systems, and that of each on every topic."""
    import pandas as pd

    sign = 1.0 if matrix.larger_is_better else -1.0
    difference = sign * (matrix.values - baseline[:, None])
    # What rounding leaves of equal scores is neither a win nor a loss.
    slack = np.maximum(noise(np.nan_to_num(matrix.values)), noise(np.nan_to_num(baseline[:, None])))
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    x = weighed(difference, loss_weight)
    rows, tri = [], np.full(x.shape, np.nan)
    for column, system in enumerate(matrix.systems):
        known = ~np.isnan(difference[:, column])
        gaps = difference[known, column]
        risk = risk_of(gaps[:, None], loss_weight, level, deviation, slack[column : column + 1])
        if risk.deviation[0] > 0:
            tri[:, column] = x[:, column] / risk.deviation[0]
        count = len(gaps)
        rows.append(
            {"system": system, "mean": float(matrix.means[column]), "urisk": risk.urisk[0]}
            | {"low": risk.interval.low[0], "high": risk.interval.high[0]}
            | {"urisk_equal": 0.0 - loss_weight / 2.0 * float(np.abs(gaps).mean()) if count else np.nan}
            | {"trisk": risk.trisk[0], "p": risk.p[0]}
            | {"wins": int((gaps > 0).sum()), "ties": int((gaps == 0).sum()), "losses": int((gaps < 0).sum())}
            | {"at_risk": int((tri[known, column] < AT_RISK).sum())}
            | {"reward": gaps[gaps > 0].sum() / max(count, 1), "risk": -gaps[gaps < 0].sum() / max(count, 1)}
            | {"topics": count}
        )
    constant = [shown(str(row["system"])) for row in rows if row["urisk"] != 0 and np.isnan(row["trisk"])]
    if constant and len(matrix.topics) > 1:
        warn(
            f"{matrix.called}: {', '.join(constant[:3])}{', ...' if len(constant) > 3 else ''} gain or lose the same "
            "amount on every topic, which leaves no spread to judge by: no TRisk, no p"
        )
    systems = pd.DataFrame(rows).sort_values("urisk", ascending=False, kind="stable", ignore_index=True)
    by_topic = {"score": matrix.values, "score_baseline": np.broadcast_to(baseline[:, None], x.shape)}
    by_topic |= {"difference": difference, "weighed": x, "tri": tri}
    labels = {
        "system": np.repeat(np.array(matrix.systems, dtype=object), len(matrix.topics)),
        "topic": np.tile(np.array(matrix.topics, dtype=object), len(matrix.systems)),
    }
    return systems, pd.DataFrame(labels | {name: table.T.ravel() for name, table in by_topic.items()})


def _adjusted(p: Floats, correction: Correction) -> Floats:
    """p for the number of those that there are; NaN, as of the baseline itself, is none."""
    out, known = p.copy(), ~np.isnan(p)
    out[known] = adjust(p[known], correction)
    return out


def _against_all(
    matrix: Scores, loss_weight: float, level: float, interval: RiskInterval, resamples: int, seed: int
) -> pd.DataFrame:
    """ZRisk and GeoRisk of each system with their intervals; NaN, with a warning, where scores do not allow them."""
    import pandas as pd

    names = ("zrisk", "georisk")
    columns = [column for name in names for column in (name, f"{name}_low", f"{name}_high")]
    table = pd.DataFrame(np.nan, index=list(matrix.systems), columns=columns)
    reason = _unusable(matrix)
    if reason:
        needed = "scores of at least 0 on all topics, the larger the better"
        warn(f"{matrix.called}: ZRisk and GeoRisk need {needed}: {reason}")
        return table
    for name, values in zip(names, risk_against_all(matrix.values, loss_weight), strict=True):
        table[name] = values
    if resamples:
        options: dict[str, Any] = {"level": level, "interval": interval, "resamples": resamples, "seed": seed}
        for name, (low, high) in zip(names, risk_intervals(matrix.values, loss_weight, **options), strict=True):
            table[f"{name}_low"], table[f"{name}_high"] = low, high
    return table


def _unusable(matrix: Scores) -> str:
    """Why ZRisk and GeoRisk are undefined for these scores; empty where they are not."""
    if not matrix.larger_is_better:
        return "smaller is better"
    if np.isnan(matrix.values).any():
        topic, system = np.argwhere(np.isnan(matrix.values))[0]
        return f"{quoted(matrix.systems[system])} has no score on topic {quoted(matrix.topics[topic])}"
    if (matrix.values < 0).any():
        topic, system = np.argwhere(matrix.values < 0)[0]
        value = matrix.values[topic, system]
        return f"{quoted(matrix.systems[system])} has {value:g} on topic {quoted(matrix.topics[topic])}"
    return ""

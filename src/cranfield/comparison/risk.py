"""How risky it is to replace a baseline: ``estimate_risk`` and its result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

import numpy as np

from cranfield._text import quoted, warn
from cranfield._typing import Floats
from cranfield._validation import check_integer, list_names, not_negative, share, word
from cranfield.comparison.pairwise import find_columns
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, make_matrix
from cranfield.scores.missing_scores import MissingScores, fill_gaps, warn_of_gaps
from cranfield.statistics.contrasts import noise
from cranfield.statistics.multiple_testing import Correction, adjust
from cranfield.statistics.risk import (
    TURNS,
    Deviation,
    RiskInterval,
    risk_against_all,
    risk_intervals,
    risk_of,
    weighed,
)

if TYPE_CHECKING:
    import pandas as pd

Combine = Literal["mean", "max"]
RESAMPLES = 2_000
AT_RISK = -2.0
"""A topic's share of TRisk below which it is at risk, as the paper puts it."""


@dataclass(frozen=True, eq=False, repr=False)
class Risk(Result):
    """What systems risk against a baseline.

    Args:
        systems: one row a ``system``, the largest URisk first: its ``mean``; ``urisk``, the mean of its differences
            from the baseline with losses weighed 1 + alpha, with its interval ``low`` to ``high`` (Student's);
            ``urisk_equal``, what URisk would be on average if either score of each topic were as likely the system's as
            the baseline's; ``trisk``, URisk in standard errors, with its ``p`` of the hypothesis that URisk is 0, and
            ``p_adjusted`` by the correction; on how many topics it ``wins``, ``ties`` and ``losses``, and on how many
            of the last it is ``at_risk`` (``tri`` below -2); ``reward`` and ``risk``, the sums of its gains and of its
            losses over the number of topics; ``zrisk`` and ``georisk`` among all systems, NaN where undefined, with
            their intervals over topics, ``zrisk_low`` to ``zrisk_high`` and ``georisk_low`` to ``georisk_high``, NaN
            where none were drawn; ``topics``.
        topics: one row a ``system`` and ``topic``: ``score``, ``score_baseline``, their ``difference``, above 0 where
            the system is better, as ``weighed`` and as ``tri``, in standard deviations of the weighed differences.
        measure: its name.
        baseline: what systems are compared with, in words.
        settings: ``baselines``, ``combine``, ``alpha``, ``level``, ``deviation``, ``correction``; ``interval``,
            ``resamples`` and ``seed`` of ZRisk and GeoRisk; ``across_groups`` where p was adjusted over the systems of
            several groups of topics.
        signature: all that changes these numbers.
    """

    charts: ClassVar[tuple[str, ...]] = ("wins_and_losses",)
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
        return {"systems": lambda: tidy(self.systems), "topics": lambda: tidy(self.topics)}


def estimate_risk(
    scores: ScoresLike,
    baselines: str | Sequence[str] = (),
    *,
    combine: Combine = "mean",
    alpha: float = 1.0,
    level: float = 0.95,
    deviation: Deviation = "sample",
    correction: Correction = "none",
    interval: RiskInterval = "percentile",
    resamples: int | None = None,
    seed: int = 1,
    missing_scores: MissingScores | None = None,
) -> Risk:
    """How much systems gain on a baseline if every loss weighs more than a gain of the same size.

    With d_q a system's score on topic q less the baseline's, and x_q = d_q where it is not below 0, else (1 + alpha)
    d_q: URisk = mean(x) and TRisk = URisk / (s / sqrt(c)) with s the standard deviation of x over c topics. At alpha 0
    URisk is the difference of means, and TRisk the paired t. The paper calls a TRisk below -2 a real risk, and above 2
    a real gain. For alpha above 0 that, and p, are about whether URisk is 0, and not about whether the systems are
    equal: since URisk = (1 + alpha / 2) mean(d) - alpha / 2 mean(|d|), it is below 0 for equal ones, and the more
    topics there are, the surer their TRisk lies below -2.

    ZRisk and GeoRisk compare each system with all others at once: how its scores depart from what its mean and the
    topics let expect. They depend on all systems given; they need a score of at least 0 of each on every topic. Their
    intervals are of the bootstrap over topics, which computes anew what is expected in each sample, with the same
    systems. Of nominal 95%, those of GeoRisk cover .89-.91 with 20 topics of DL 2019 and .92-.93 with 43, of ZRisk
    .85-.88 and .90-.91 (``percentile``; ``bca`` .91 and .94, and .84-.90 and .89-.93, the more the larger alpha).

    Args:
        scores: of one measure, dims (topic, system).
        baselines: names of systems; all of them where none is named.
        combine: of several baselines, their ``mean`` or their largest score (``max``; the best one) on each topic.
        alpha: how much more a loss weighs than a gain, at least 0.
        level: coverage of the intervals, in (0, 1).
        deviation: s divides by c - 1 (``sample``), or by c (``population``, as a published tool does).
        correction: of p for the number of systems.
        interval: of ZRisk and GeoRisk, ``percentile`` or ``bca``; that of URisk is Student's.
        resamples: samples of topics for it; 2,000 by default, and 0, which gives no interval, for more than 10,000
            topics.
        seed: of the samples.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

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
    not_negative(alpha=alpha)
    share(level=level)
    word("combine", combine, get_args(Combine))
    word("deviation", deviation, get_args(Deviation))
    word("correction", correction, get_args(Correction))
    word("interval", interval, get_args(RiskInterval))
    check_integer(0, seed=seed, resamples=0 if resamples is None else resamples)
    matrix = make_matrix(fill_gaps(scores, missing_scores))
    matrix.at_least(2, 2, "an estimate of risk")
    drawn = (RESAMPLES if len(matrix.topics) <= TURNS else 0) if resamples is None else resamples
    named = list_names(baselines=baselines)
    settings: dict[str, Any] = {"baselines": named, "combine": combine, "alpha": alpha, "level": level}
    settings |= {"deviation": deviation, "correction": correction}
    settings |= {"interval": interval, "resamples": drawn, "seed": seed}
    baseline, called = _baseline(matrix, named, combine)
    warn_of_gaps(matrix.called, matrix.values, matrix.topics, matrix.systems)
    systems, topics = _tables(matrix, baseline, alpha, level, deviation)
    systems.insert(list(systems).index("p") + 1, "p_adjusted", _adjusted(systems["p"].to_numpy(), correction))
    of_all = _against_all(matrix, alpha, level, interval, drawn, seed).loc[systems["system"]]
    for name in of_all:
        systems.insert(len(systems.columns) - 1, str(name), of_all[name].to_numpy())
    return Risk(systems, topics, matrix.measure, called, settings, matrix.signature("risk", **settings))


def _baseline(matrix: Matrix, names: Sequence[str], combine: Combine) -> tuple[Floats, str]:
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
    matrix: Matrix, baseline: Floats, alpha: float, level: float, deviation: Deviation
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The table of systems, and that of each on every topic."""
    import pandas as pd

    sign = 1.0 if matrix.larger_is_better else -1.0
    difference = sign * (matrix.values - baseline[:, None])
    # What rounding leaves of equal scores is neither a win nor a loss.
    slack = np.maximum(noise(np.nan_to_num(matrix.values)), noise(np.nan_to_num(baseline[:, None])))
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    x = weighed(difference, alpha)
    rows, tri = [], np.full(x.shape, np.nan)
    for column, system in enumerate(matrix.systems):
        known = ~np.isnan(difference[:, column])
        gaps = difference[known, column]
        risk = risk_of(gaps[:, None], alpha, level, deviation, slack[column : column + 1])
        if risk.deviation[0] > 0:
            tri[:, column] = x[:, column] / risk.deviation[0]
        count = len(gaps)
        rows.append(
            {"system": system, "mean": float(matrix.means[column]), "urisk": risk.urisk[0]}
            | {"low": risk.interval.low[0], "high": risk.interval.high[0]}
            | {"urisk_equal": 0.0 - alpha / 2.0 * float(np.abs(gaps).mean()) if count else np.nan}
            | {"trisk": risk.trisk[0], "p": risk.p[0]}
            | {"wins": int((gaps > 0).sum()), "ties": int((gaps == 0).sum()), "losses": int((gaps < 0).sum())}
            | {"at_risk": int((tri[known, column] < AT_RISK).sum())}
            | {"reward": gaps[gaps > 0].sum() / max(count, 1), "risk": -gaps[gaps < 0].sum() / max(count, 1)}
            | {"topics": count}
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
    matrix: Matrix, alpha: float, level: float, interval: RiskInterval, resamples: int, seed: int
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
    for name, values in zip(names, risk_against_all(matrix.values, alpha), strict=True):
        table[name] = values
    if resamples:
        options: dict[str, Any] = {"level": level, "interval": interval, "resamples": resamples, "seed": seed}
        for name, (low, high) in zip(names, risk_intervals(matrix.values, alpha, **options), strict=True):
            table[f"{name}_low"], table[f"{name}_high"] = low, high
    return table


def _unusable(matrix: Matrix) -> str:
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

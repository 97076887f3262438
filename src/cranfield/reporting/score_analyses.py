"""The analyses that need scores alone."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import hearing
from cranfield.agreement.ranking_agreement import Agreement, compare_rankings
from cranfield.comparison.pairwise import compare
from cranfield.comparison.ranks import RankIntervals, estimate_ranks
from cranfield.comparison.result import Comparison
from cranfield.comparison.risk import Risk, estimate_risk
from cranfield.errors import InputError
from cranfield.information.tau import InformationTaus, compute_information_taus
from cranfield.reporting.leaders import Leading
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner, bounded
from cranfield.scores.matrix import matrix_of
from cranfield.standardization.factors import StandardizationFactors, standardize
from cranfield.threads import beside
from cranfield.trust.measure_audit import Audit, audit
from cranfield.trust.reliability import Reliability, estimate_reliability
from cranfield.trust.sensitivity import Sensitivity, estimate_sensitivity
from cranfield.trust.stability import Stability, estimate_stability

if TYPE_CHECKING:
    import xarray as xr

SIZES = 12
"""Numbers of topics for which error rates are estimated, about."""
MANY_SYSTEMS, MANY_TOPICS = 20, 20
"""Above which the ranks of systems are estimated beside the other analyses."""

MOST_PAIRS, MOST_RANKED = 2_000_000, 1_000_000
"""Pairs of systems times measures that measures are studied by, and pairs that systems are ranked by: seconds each."""
MOST_COMPARED = 5_000
"""Pairs of systems whose tests the page holds."""


@dataclass(frozen=True)
class ScoreAnalyses:
    """Answers from scores.

    Args:
        ranks: between which ranks each system lies by the first measure.
        pairs: every two systems by the first measure, paired t-tests; not asked of one system.
        leaders: the best system and the next that has other scores, paired t-test; not asked where none has.
        baselines: each system and each baseline, paired t-tests; not asked without baselines.
        risks: what systems risk against each baseline; not asked without baselines.
        standardized: scores on the scale of the factors given, else by the empirical distribution.
        audit: of every measure.
        reliability, stability: of every measure, one each.
        sensitivity: discriminative power of all measures.
        agreement: of the orders of systems; not asked of one measure.
        taus: conditional information tau; not asked of fewer than three measures.
    """

    ranks: AnalysisOutcome[RankIntervals]
    pairs: AnalysisOutcome[Comparison]
    leaders: AnalysisOutcome[Comparison]
    baselines: AnalysisOutcome[Comparison]
    risks: AnalysisOutcome[list[Risk]]
    standardized: AnalysisOutcome[xr.Dataset]
    audit: AnalysisOutcome[Audit]
    reliability: AnalysisOutcome[list[Reliability]]
    stability: AnalysisOutcome[list[Stability]]
    sensitivity: AnalysisOutcome[Sensitivity]
    agreement: AnalysisOutcome[Agreement]
    taus: AnalysisOutcome[InformationTaus]


def analyse_scores(
    desk: AnalysisRunner,
    scores: xr.Dataset,
    measures: Sequence[str],
    *,
    baselines: Sequence[str],
    factors: StandardizationFactors | None,
    seed: int,
) -> ScoreAnalyses:
    """Ask everything that scores answer.

    Args:
        desk: where analyses are asked.
        scores: of all measures.
        measures: those to analyse; systems are ordered by the first.
        baselines: systems that every other is compared with.
        factors: standardize by these.
        seed: of all random draws.
    """
    first, several = scores[measures[0]], scores[list(measures)]
    versus, risks = AnalysisOutcome[Comparison](), AnalysisOutcome[list[Risk]]()
    agreement, taus = AnalysisOutcome[Agreement](), AnalysisOutcome[InformationTaus]()
    systems, sizes = scores.sizes["system"], _sizes(scores.sizes["topic"])
    tested = functools.partial(bounded, systems, len(measures), MOST_PAIRS)
    # Beside everything else where it takes long: it needs no more than the scores, and warns of few topics alone.
    ranking = bounded(systems, 1, MOST_RANKED, lambda: estimate_ranks(first, marginal=False, seed=seed))
    long = systems > MANY_SYSTEMS and scores.sizes["topic"] > MANY_TOPICS
    ranked = beside(ranking) if long else None
    every, leaders = _every_pair(desk, first), _leaders(desk, first)
    if baselines:
        versus = desk.ask("comparing systems", lambda: compare(first, test="t", baselines=baselines))
        risks = desk.ask("weighing losses", lambda: [estimate_risk(first, name, resamples=0) for name in baselines])
    scale = standardize if factors is None else factors.apply
    scaled = desk.ask("standardizing scores", lambda: scale(several))
    sensitivity = desk.ask("estimating discriminative power", tested(lambda: estimate_sensitivity(several, seed=seed)))
    audited = desk.ask("auditing measures", tested(lambda: audit(several, seed=seed, sensitivity=sensitivity.result)))
    reliability = desk.ask("estimating reliability", lambda: [estimate_reliability(scores[name]) for name in measures])
    stability = desk.ask(
        "estimating error rates",
        tested(lambda: [estimate_stability(scores[name], topics=sizes, seed=seed) for name in measures]),
    )
    if len(measures) > 1:
        agreement = desk.ask("comparing measures", tested(lambda: compare_rankings(several, seed=seed)))
    if len(measures) > 2:
        taus = desk.ask("comparing measures", tested(lambda: _taus(several, seed)))
    ranks = desk.ask("ranking systems", ranking if ranked is None else ranked.result)
    return ScoreAnalyses(
        ranks, every, leaders, versus, risks, scaled, audited, reliability, stability, sensitivity, agreement, taus
    )


def _every_pair(desk: AnalysisRunner, scores: xr.DataArray) -> AnalysisOutcome[Comparison]:
    """All pairs, tested together. What it warns of single pairs stands on their own pages."""
    systems = scores.sizes["system"]

    def comparing() -> Comparison:
        with hearing():
            return compare(scores, test="t")

    return (
        desk.ask("comparing systems", bounded(systems, 1, MOST_COMPARED, comparing))
        if systems > 1
        else AnalysisOutcome()
    )


def _leaders(desk: AnalysisRunner, scores: xr.DataArray) -> AnalysisOutcome[Comparison]:
    """The best system and the next that has other scores."""
    leading = Leading.of(matrix_of(scores))
    if leading.following is None:
        return AnalysisOutcome()
    two = scores.isel(system=[leading.best[0], leading.following])
    return desk.ask("comparing systems", lambda: compare(two, test="t"))


def _taus(scores: xr.Dataset, seed: int) -> InformationTaus:
    """Of the measures that distinguish systems: one that ties all pairs would leave none to the others."""
    varying = [name for name, array in scores.items() if _distinguishes(array)]
    if len(varying) < 3:
        raise InputError(f"it needs three measures that distinguish systems, and there are {len(varying)}")
    return compute_information_taus(scores[varying], resamples=200, seed=seed)


def _distinguishes(scores: xr.DataArray) -> bool:
    """Whether two systems differ on some topic."""
    systems = scores.get_axis_num("system")
    largest, smallest = (extreme.reduce(scores.values, axis=systems) for extreme in (np.fmax, np.fmin))
    return bool((largest > smallest).any())


def _sizes(topics: int) -> list[int] | None:
    """Numbers of topics; None leaves the choice to the analysis, where there are few."""
    if topics <= 5 * SIZES:
        return None
    step = round(topics / SIZES)
    return sorted({*range(step, topics, step), topics // 2, topics})

"""All analyses of one evaluation, each run once; one that fails leaves its reason."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, hearing, shown, warn
from cranfield.agreement.ranking_agreement import Agreement, compare_rankings
from cranfield.checking.result import Findings
from cranfield.collection.rankings import Rankings
from cranfield.comparison.dominance_shares import DominanceShares
from cranfield.comparison.pairwise import compare
from cranfield.comparison.preference import TiesBroken, count_ties_broken
from cranfield.comparison.ranks import RankIntervals, estimate_ranks
from cranfield.comparison.result import Comparison
from cranfield.comparison.risk import Risk, estimate_risk
from cranfield.comparison.topic_set_size import TopicSetSize, estimate_topics_needed
from cranfield.errors import InputError, UsageError
from cranfield.holes.result import HoleScores
from cranfield.information.tau import InformationTaus, compute_information_taus
from cranfield.reporting.content import Retrieved
from cranfield.reporting.inputs import PageScores, ScoredRuns, collect_retrieved, load_scores, reads_intents, score_runs
from cranfield.reporting.leaders import Leaders
from cranfield.reporting.page_sections import find_shown
from cranfield.reporting.request import Request, RunsRequest, ScoresRequest
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner, Stage
from cranfield.scores.duplicates import DuplicatePair, find_duplicates
from cranfield.scores.opening import open_scores
from cranfield.scores.signature import fingerprint
from cranfield.scores.topic_groups import FEW
from cranfield.scoring import Evaluation, Progress
from cranfield.standardization.factors import standardize
from cranfield.threads import beside
from cranfield.topic_difficulty.estimation import Difficulty, compute_difficulty
from cranfield.trust.measure_audit import Audit, audit
from cranfield.trust.reliability import Reliability, estimate_reliability
from cranfield.trust.sensitivity import Sensitivity, estimate_sensitivity
from cranfield.trust.stability import Stability, estimate_stability

if TYPE_CHECKING:
    import xarray as xr

SUBSET_SIZES = 12
"""Numbers of topics for which error rates are estimated, about."""
MANY_SYSTEMS, MANY_TOPICS = 20, 20
"""Above which the ranks of systems are estimated on a thread of their own."""
MAX_STUDIED, MAX_RANKED = 2_000_000, 1_000_000
"""Pairs of systems times measures that measures are studied by, and pairs that systems are ranked by: seconds each."""
MAX_TESTED = 10_000
"""Pairs of systems whose tests the page holds: those of the largest shared tasks, in a third of a megabyte."""
MAX_DOMINANCE = 20_000
"""Pairs of systems whose lists are compared by what all measures say: seconds on fifty topics."""
EQUAL = 1e-9
"""The largest difference of means that counts as none."""
NOT_REQUESTED: AnalysisOutcome[Any] = AnalysisOutcome()


@dataclass(frozen=True)
class Analyses:
    """Everything that a page shows.

    Args:
        request: what the report is requested of.
        inputs: the scores, and what is known about them.
        groups: scores by groups of topics; None where no groups are requested.
        duplicates: runs whose scores are the same, or nearly.
        from_scores: the analyses of scores.
        from_rankings: the analyses of rankings.
        own: section -> what its own analyses returned; see ``cranfield.reporting.page_sections.PageSection``.
        retrieved: the first documents of the lists; None where the caller supplied scores.
        findings: of the file check; None for scores, and for data in memory or from standard input.
        remarks: warnings of analyses.
        option_files: kind, path and SHA-256 of the files besides qrels and runs.
        command: the command line, which the page repeats; empty where there is none.
    """

    request: Request
    inputs: PageScores
    groups: GroupScores | None
    duplicates: tuple[DuplicatePair, ...]
    from_scores: ScoreAnalyses
    from_rankings: RankingAnalyses
    own: Mapping[str, Any]
    retrieved: Retrieved | None
    findings: Findings | None
    remarks: tuple[str, ...]
    option_files: tuple[tuple[str, str, str], ...]
    command: str = ""


def analyse_runs(request: RunsRequest, *, stage: Stage = lambda _: None, progress: Progress | None = None) -> Analyses:
    """Read and score runs, and run every analysis that applies; see ``score_runs``."""
    option_files = request.read_options()
    option_files = (*(("judge", judge.name, fingerprint(judge)) for judge in request.loaded_judges), *option_files)
    keep_runs = any(section.keeps_runs for section in find_shown(request).values())
    inputs = score_runs(request, stage=stage, progress=progress, keep_runs=keep_runs)
    table = inputs.table
    _check_estimates(request.options["holes"], table.systems)
    groups = _split_groups(request, inputs)
    top_documents = inputs.top_documents
    runner, ranking_runner = (AnalysisRunner(stage, inputs.redact, public=request.options["public"]) for _ in range(2))
    with warnings.catch_warnings(record=True):  # of NumPy and others; the runners collect ours
        ranking_analyses = beside(lambda: _analyse_rankings(ranking_runner, inputs, request))
        from_scores, own = _analyse_scores(runner, inputs, request)
        # Done while rankings are still analysed.
        duplicates = find_duplicates([inputs.scores[name] for name in inputs.measures])
        retrieved = collect_retrieved(
            top_documents,
            table.systems,
            inputs.order,
            table.qrels,
            with_intents=reads_intents(table.measures, request.reading),
        )
        from_rankings, own_rankings = ranking_analyses.result()
    return Analyses(
        request,
        inputs,
        groups,
        duplicates,
        from_scores,
        from_rankings,
        own | own_rankings,
        retrieved=retrieved,
        findings=inputs.reader.list_findings(inputs.run_names),
        remarks=tuple(dict.fromkeys((*runner.remarks, *ranking_runner.remarks))),
        option_files=option_files,
    )


def _check_estimates(holes: HoleScores | None, systems: Sequence[str]) -> None:
    """Raise UsageError for estimates of other runs than those of the page."""
    if holes is None:
        return
    estimated = list(dict.fromkeys(holes.table.index.get_level_values("system").tolist()))
    different = sorted(set(estimated).symmetric_difference(systems))
    if different:
        where = "among the estimates alone" if different[0] in estimated else "without an estimate"
        raise UsageError(f"estimates are of the runs of the report: {shown(different[0])} is {where}")


def analyse_scores(request: ScoresRequest, *, stage: Stage) -> Analyses:
    """Read scores, and run every analysis that needs no rankings; see ``load_scores``."""
    option_files = request.read_options()
    stage("reading scores")
    inputs = load_scores(request)
    groups = _split_groups(request, inputs)
    runner = AnalysisRunner(stage, inputs.redact, public=request.options["public"])
    with warnings.catch_warnings(record=True):  # of NumPy and others; the runner collects ours
        from_scores, own = _analyse_scores(runner, inputs, request)
    return Analyses(
        request,
        inputs,
        groups,
        find_duplicates([inputs.scores[name] for name in inputs.measures]),
        from_scores,
        RankingAnalyses(),
        own,
        retrieved=None,
        findings=None,
        remarks=runner.remarks,
        option_files=option_files,
    )


@dataclass(frozen=True)
class GroupScores:
    """Scores by groups of topics.

    Args:
        scores: group -> its scores.
        remarks: on groups that are small or many, and on topics without a group.
    """

    scores: Mapping[str, xr.Dataset]
    remarks: tuple[str, ...]

    def note(self, name: str) -> str:
        """Return a caution about a small group; empty for others."""
        size = self.scores[name].sizes["topic"]
        return f"The group has {counted(size, 'topic')}: its means are uncertain." if size < FEW else ""


def _split_groups(request: Request, inputs: PageScores) -> GroupScores | None:
    """Split the scores by the requested groups; the remarks are warnings as well.

    Raises:
        InputError: no topic of the scores has a group.
    """
    groups = request.groups
    if groups is None:
        return None
    with hearing() as messages:
        scores_by_group = groups.split(inputs.scores[list(inputs.measures)])
    for message in messages:
        warn(message)
    return GroupScores(scores_by_group, tuple(line.removeprefix(f"{groups.location}: ") for line in messages))


@dataclass(frozen=True)
class ScoreAnalyses:
    """The analyses of scores.

    Args:
        ranks: intervals of each system's rank by the main measure.
        pairs: every two systems by the main measure, paired t-tests; not requested for one system.
        leaders: the best system and the next with other scores, paired t-test; not requested where none has others.
        baselines: each system and each baseline, paired t-tests; not requested without baselines.
        risks: risks of systems against each baseline; not requested without baselines.
        standardized: scores on the scale of the factors, else by the empirical distribution.
        audit: of every measure.
        reliability, stability: one for each measure.
        sensitivity: discriminative power of all measures.
        agreement: of the orders of systems; not requested for one measure.
        taus: conditional information tau; not requested for fewer than three measures.
        topics_needed: for the lead of the best system; not requested where ``leaders`` is not, or means are equal.
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
    topics_needed: AnalysisOutcome[TopicSetSize]


def _analyse_scores(
    runner: AnalysisRunner, inputs: PageScores, request: Request
) -> tuple[ScoreAnalyses, dict[str, Any]]:
    """Run the analyses of scores, and those of single sections."""
    scores, measures, baselines, seed = inputs.scores, inputs.measures, request.baseline, request.options["seed"]
    main, analysed = scores[inputs.main_measure], scores[list(measures)]
    versus, risks = NOT_REQUESTED, NOT_REQUESTED
    systems, topics = scores.sizes["system"], scores.sizes["topic"]
    sizes = _choose_sizes(topics)
    studied = functools.partial(runner.limit_pairs, systems, len(measures), MAX_STUDIED)
    ranking = runner.limit_pairs(
        systems, 1, MAX_RANKED, lambda: estimate_ranks(main, marginal=False, seed=seed), "compare --ranks"
    )
    # Where ranks take long, beside everything else: they need the scores alone, and warn of few topics alone.
    ranked = beside(ranking) if systems > MANY_SYSTEMS and topics > MANY_TOPICS else None
    pairs, leaders = _compare_all(runner, main), _compare_leaders(runner, main)
    if baselines:
        versus = runner.run("comparing systems", lambda: compare(main, test="t", baseline=baselines))
        risks = runner.run("weighing losses", lambda: [estimate_risk(main, name, resamples=0) for name in baselines])
    scale = standardize if request.loaded_factors is None else request.loaded_factors.apply
    scaled = runner.run("standardizing scores", lambda: scale(analysed))
    sensitivity = runner.run(
        "estimating discriminative power",
        studied(lambda: estimate_sensitivity(analysed, seed=seed), "audit sensitivity"),
    )
    audited = runner.run(
        "auditing measures", studied(lambda: audit(analysed, seed=seed, sensitivity=sensitivity.result), "audit")
    )
    reliability = runner.run(
        "estimating reliability", lambda: [estimate_reliability(scores[name]) for name in measures]
    )
    estimate_stabilities = studied(
        lambda: [estimate_stability(scores[name], n_topics=sizes, seed=seed) for name in measures], "audit stability"
    )
    stability = runner.run("estimating error rates", estimate_stabilities)
    agreement, taus = _compare_measures(runner, analysed, studied, seed)
    ranks = runner.run("ranking systems", ranking if ranked is None else ranked.result)
    own = {
        name: section.of_scores(runner, inputs, request)
        for name, section in find_shown(request).items()
        if section.of_scores is not None
    }
    studies = (reliability, stability, sensitivity, agreement, taus)
    needed = _plan_topics(runner, main, leaders)
    return ScoreAnalyses(ranks, pairs, leaders, versus, risks, scaled, audited, *studies, needed), own


def _plan_topics(
    runner: AnalysisRunner, scores: xr.DataArray, leaders: AnalysisOutcome[Comparison]
) -> AnalysisOutcome[TopicSetSize]:
    """Estimate how many topics would find the lead of the best system over the next."""
    if leaders.result is None:
        return NOT_REQUESTED
    [pair] = leaders.result.pairs.to_dict("records")
    lead = abs(pair["difference"])
    if not lead > EQUAL:
        return NOT_REQUESTED
    both = scores.sel(system=[pair["system"], pair["other"]])
    return runner.run("planning topics", lambda: estimate_topics_needed(both, lead))


def _compare_measures(
    runner: AnalysisRunner, scores: xr.Dataset, studied: Callable[..., Callable[[], Any]], seed: int
) -> tuple[AnalysisOutcome[Agreement], AnalysisOutcome[InformationTaus]]:
    """Compare the orders by two measures or more, and the information of three or more; ``studied`` limits both."""
    agreement, taus = NOT_REQUESTED, NOT_REQUESTED
    measures = len(scores.data_vars)
    if measures > 1:
        compared = studied(lambda: compare_rankings(scores, seed=seed), "judges --scores")
        agreement = runner.run("comparing measures", compared)
    if measures > 2:
        taus = runner.run("comparing measures", studied(lambda: _compute_taus(scores, seed), "information tau"))
    return agreement, taus


def _compare_all(runner: AnalysisRunner, scores: xr.DataArray) -> AnalysisOutcome[Comparison]:
    """Test all pairs together. Warnings about single pairs are dropped, as the pages of two systems show these."""
    systems = scores.sizes["system"]

    def compare_quietly() -> Comparison:
        with hearing():
            return compare(scores, test="t")

    if systems < 2:
        return NOT_REQUESTED
    return runner.run("comparing systems", runner.limit_pairs(systems, 1, MAX_TESTED, compare_quietly, "compare"))


def _compare_leaders(runner: AnalysisRunner, scores: xr.DataArray) -> AnalysisOutcome[Comparison]:
    """Test the best system against the next with other scores."""
    leaders = Leaders.find(open_scores(scores))
    if leaders.runner_up is None:
        return NOT_REQUESTED
    pair = scores.isel(system=[leaders.best[0], leaders.runner_up])
    return runner.run("comparing systems", lambda: compare(pair, test="t"))


def _compute_taus(scores: xr.Dataset, seed: int) -> InformationTaus:
    """Compare the measures that distinguish systems: one that ties all pairs would leave no pair to the others."""
    varying = [name for name, array in scores.items() if _distinguishes_systems(array)]
    if len(varying) < 3:
        raise InputError(f"it needs three measures that distinguish systems, and there are {len(varying)}")
    return compute_information_taus(scores[varying], resamples=200, seed=seed)


def _distinguishes_systems(scores: xr.DataArray) -> bool:
    """Return whether two systems differ on some topic."""
    systems = scores.get_axis_num("system")
    largest, smallest = (extreme.reduce(scores.values, axis=systems) for extreme in (np.fmax, np.fmin))
    return bool((largest > smallest).any())


def _choose_sizes(topics: int) -> list[int] | None:
    """Choose sizes of topic sets; None leaves the choice to the analysis, where topics are few."""
    if topics <= 5 * SUBSET_SIZES:
        return None
    step = round(topics / SUBSET_SIZES)
    return sorted({*range(step, topics, step), topics // 2, topics})


@dataclass(frozen=True)
class RankingAnalyses:
    """The analyses of rankings, none of which is requested for scores alone.

    Args:
        difficulty: of every topic.
        ties: of RR, and the number that a preference breaks; not requested for one system, or without RR.
        dominance: differences by the main measure that hold whatever the measure; not requested for one system, or
            where the main measure is not known to be consistent.
        holes: estimates of runs with unjudged documents, which the caller made; None without them.
    """

    difficulty: AnalysisOutcome[Difficulty] = NOT_REQUESTED
    ties: AnalysisOutcome[TiesBroken] = NOT_REQUESTED
    dominance: AnalysisOutcome[DominanceShares] = NOT_REQUESTED
    holes: HoleScores | None = None


def _analyse_rankings(
    runner: AnalysisRunner, inputs: ScoredRuns, request: RunsRequest
) -> tuple[RankingAnalyses, dict[str, Any]]:
    """Run the analyses of rankings, and those of single sections."""
    table, reading, ties = inputs.table, request.reading, NOT_REQUESTED
    difficulty = runner.run(
        "estimating topic difficulty",
        lambda: compute_difficulty(select_rankings(table), unjudged=reading.policy.unjudged),
    )
    if len(table.systems) > 1 and any(name.partition("(")[0] == "RR" for name in inputs.measures):
        ties = runner.run("counting ties", lambda: count_ties_broken(select_rankings(table), reading.level))
    own = {
        name: section.of_rankings(runner, inputs, request)
        for name, section in find_shown(request).items()
        if section.of_rankings is not None
    }
    dominance = _share_dominated(runner, table, inputs.main_measure)
    return RankingAnalyses(difficulty, ties, dominance, request.options["holes"]), own


def _share_dominated(runner: AnalysisRunner, table: Evaluation, main: str) -> AnalysisOutcome[DominanceShares]:
    """Count which differences by the main measure hold whatever the measure."""
    [measure] = [measure for measure in table.measures if str(measure) == main]
    if len(table.systems) < 2 or not measure.is_consistent or table.policy.negative == "keep":
        return NOT_REQUESTED
    if table.policy.weighs_ties or math.comb(len(table.systems), 2) > MAX_DOMINANCE:
        return NOT_REQUESTED
    number = table.measures.index(measure)
    own = replace(table, measures=(measure,), scales=(table.scales[number],), values=table.values[[number]])
    return runner.run("comparing lists whatever the measure", lambda: DominanceShares.from_evaluation(own))


def select_rankings(table: Evaluation) -> Rankings:
    """Return the rankings under the names of the leaderboard, which may be tags."""
    rankings = table.rankings
    assert rankings is not None
    if rankings.systems == table.systems:
        return rankings
    return replace(rankings, systems=tuple(table.systems))

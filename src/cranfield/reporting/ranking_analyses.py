"""The analyses that need rankings, or read runs again."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from cranfield._text import counted
from cranfield.agreement.judge_agreement import JudgeAgreement, compare_judges
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading
from cranfield.collection.run import Run
from cranfield.comparison.diversity_plane import DiversityPlane, map_diversity
from cranfield.comparison.preference import TiesBroken, count_ties_broken
from cranfield.fusion.fusion_inputs import FusibleSystems
from cranfield.fusion.headroom import Headroom
from cranfield.information.difference import InformationDifference, compute_information_difference
from cranfield.information.experiment import Experiment, prepare_experiment
from cranfield.information.joint import compute_joint_ric
from cranfield.io.loading import loaded_runs
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner, bounded
from cranfield.scoring import Evaluation
from cranfield.threads import beside
from cranfield.topic_difficulty.estimation import Difficulty, compute_difficulty

CANDIDATES = 10
"""Pairs that are fused: half of the usual."""
MOST_PAIRS = 100_000
"""Pairs of systems whose documents are compared: about half a minute on fifty topics."""
LEVEL = Reading().level
"""Of a relevant document, of which the information difference is asked."""
NOT_ASKED: AnalysisOutcome[Any] = AnalysisOutcome()


@dataclass(frozen=True)
class RankingAnalyses:
    """Answers from rankings.

    Args:
        difficulty: of every topic; none is asked where there are scores alone.
        ties: of RR, and how many of them a preference breaks; not asked of one system.
        difference: information difference of all systems; not asked of one system.
        headroom: of all systems; not asked of one system.
        diversity: not asked where no intents are read.
        judges: the same runs with other judges' labels; not asked without judges.
    """

    difficulty: AnalysisOutcome[Difficulty] = NOT_ASKED
    ties: AnalysisOutcome[TiesBroken] = NOT_ASKED
    difference: AnalysisOutcome[InformationDifference] = NOT_ASKED
    headroom: AnalysisOutcome[Headroom] = NOT_ASKED
    diversity: AnalysisOutcome[DiversityPlane] = NOT_ASKED
    judges: AnalysisOutcome[JudgeAgreement] = NOT_ASKED


def analyse_rankings(
    desk: AnalysisRunner,
    table: Evaluation,
    order: Sequence[str],
    measures: Sequence[str],
    kept: dict[str, Run],
    *,
    judges: Sequence[Qrels],
    reading: Reading,
    seed: int,
) -> RankingAnalyses:
    """Ask everything that rankings answer.

    Args:
        desk: where analyses are asked.
        table: the evaluation, with its rankings.
        order: systems, best first.
        measures: those to analyse; systems are ordered by the first.
        kept: the runs that are in memory, which are given up when they have become lists.
        judges: the same topics judged by others.
        reading: how runs are read.
        seed: of all random draws.
    """
    runs = {run.name: run.data for run in table.runs}
    ties, difference, headroom = (
        AnalysisOutcome[TiesBroken](),
        AnalysisOutcome[InformationDifference](),
        AnalysisOutcome[Headroom](),
    )
    diversity = AnalysisOutcome[DiversityPlane]()
    difficulty = desk.ask(
        "estimating topic difficulty",
        lambda: compute_difficulty(_rankings(table), unjudged=reading.policy.unjudged),
    )
    if len(order) > 1:
        ties = desk.ask("counting ties", lambda: count_ties_broken(_rankings(table), reading.level))
        difference, headroom = _of_pairs(desk, table, order, measures, kept, reading, seed)
    if reading.intent_weights is not None or any(measure.declaration.needs_intents for measure in table.measures):
        # The plane has a level of its own: an intent is covered by a document of label 1 or more.
        plane = replace(reading.weighed, rel=None)
        diversity = desk.ask("measuring intent coverage", lambda: map_diversity(runs, table.qrels, reading=plane))
    agreement = (
        _judges(desk, table, measures[0], judges, reading, seed) if judges else AnalysisOutcome[JudgeAgreement]()
    )
    return RankingAnalyses(difficulty, ties, difference, headroom, diversity, agreement)


def _of_pairs(
    desk: AnalysisRunner,
    table: Evaluation,
    order: Sequence[str],
    measures: Sequence[str],
    kept: dict[str, Run],
    reading: Reading,
    seed: int,
) -> tuple[AnalysisOutcome[InformationDifference], AnalysisOutcome[Headroom]]:
    """What pairs of documents tell of the systems, and what fusions reach: three things that take long, side by side.

    They are the joint RIC, the information differences, and the fusions. No core is idle while any of them is left.
    """
    runs = {run.name: run.data for run in table.runs}
    experiment = functools.cache(bounded(len(order), 1, MOST_PAIRS, lambda: _experiment(table, order)))
    comparing = f"comparing the information of {counted(len(order), 'system')}"
    desk.ask(comparing, experiment)  # made once, before two ask for it
    difference = desk.beside(comparing, lambda: compute_information_difference(experiment()))

    def counted_pairs() -> Experiment:
        difference.result()  # it has counted the pairs of systems, of which the best are fused
        return experiment()

    def fuse() -> Headroom:
        joint = beside(lambda: compute_joint_ric(experiment(), seed=seed)) if reading.level == LEVEL else None
        lists = loaded_runs({name: kept.pop(name, runs[name]) for name in order}, reading.weighed)
        systems = FusibleSystems.of(lists, table.qrels, measures, reading.weighed, scored=table)
        return Headroom.of(systems, candidates=CANDIDATES, seed=seed, get_experiment=counted_pairs, joint=joint)

    headroom = desk.ask(f"fusing {counted(len(order), 'system')}", bounded(len(order), 1, MOST_PAIRS, fuse))
    return difference.result(), headroom


def _judges(
    desk: AnalysisRunner, table: Evaluation, measure: str, judges: Sequence[Qrels], reading: Reading, seed: int
) -> AnalysisOutcome[JudgeAgreement]:
    """The same runs by other labels."""
    runs = {run.name: run.data for run in table.runs}
    # Judges have the level that the report asks them by; the weights of intents are those of the first judgments.
    unweighed = Reading(reading.policy, **reading.of_files)
    return desk.ask(
        "comparing judges",
        lambda: compare_judges(runs, [table.qrels, *judges], measure, reading=unweighed, seed=seed),
    )


def _experiment(table: Evaluation, order: Sequence[str]) -> Experiment:
    """Of all systems, which the information difference and headroom share."""
    return prepare_experiment(_rankings(table), table.qrels, rel=LEVEL).of_systems(list(order))


def _rankings(table: Evaluation) -> Rankings:
    """The lists under the names of the leaderboard, which may be tags."""
    rankings = table.rankings
    assert rankings is not None
    if rankings.systems == table.systems:
        return rankings
    return replace(rankings, systems=tuple(table.systems))

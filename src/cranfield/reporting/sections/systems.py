"""Systems: how the information in their rankings differs, and how much fusing them could gain."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield._text import counted, numeral, shown
from cranfield.charts.information import chart_headroom
from cranfield.charts.systems import chart_families, chart_system_map
from cranfield.collection.reading import InputOptions
from cranfield.fusion.fusion_inputs import FusibleSystems
from cranfield.fusion.headroom import Headroom
from cranfield.information.difference import InformationDifference, compute_information_difference
from cranfield.information.experiment import Experiment, prepare_experiment
from cranfield.information.joint import compute_joint_ric
from cranfield.io.loading import loaded_runs
from cranfield.reporting.analyses import NOT_REQUESTED, Analyses, select_rankings
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import Section, Table, kinds, make_table
from cranfield.reporting.inputs import ScoredRuns
from cranfield.reporting.page_sections import PageSection
from cranfield.reporting.request import RunsRequest
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner
from cranfield.scoring import Evaluation
from cranfield.threads import beside

MAX_READ = 100_000
"""Pairs of systems whose documents are compared: about half a minute on fifty topics."""
FUSED_PAIRS = 10
"""Pairs that are fused: half of the usual."""
RELEVANT = InputOptions().level
"""The label of a relevant document, for the information difference."""
MOST_SIMILAR = 20
"""Pairs of systems in a table."""
PAIR_KINDS = kinds("system", "system", "other")
SIMILARITY_MEANINGS = {
    "difference": "sum of the next two",
    "only_system": "information about relevance that only the first of the two carries, in bits",
    "only_other": "that only the second carries",
    "shared": "that both carry; below 0 where together they carry more than the sum",
}
FUSION_MEANINGS = {
    "joint": "joint RIC: what both rankings carry together about relevance, in bits beyond chance",
    "difference": "information difference of the two, in bits",
    "fused": "score of both fused",
    "better": "score of the better of the two",
    "gain": "fused less better",
}
"""Columns of pairs -> what they mean."""
OVERFITTING = 0.9
"""Bits that permuted labels give, above which hardly anything is left to tell."""
DISTANCES = (
    "Distances approximate information differences, in bits: the information about relevance that one of two rankings "
    "carries and the other lacks. Systems with equal means can still differ: distant systems are candidates for "
    "fusion, and nearly coinciding ones may be variants of one system."
)


@dataclass(frozen=True)
class _ComparedColumns:
    """The analyses of all systems by their documents, neither of which is requested for one system.

    Args:
        difference: information difference.
        headroom: of fusions.
    """

    difference: AnalysisOutcome[InformationDifference] = NOT_REQUESTED
    headroom: AnalysisOutcome[Headroom] = NOT_REQUESTED


def _compare_documents(runner: AnalysisRunner, inputs: ScoredRuns, request: RunsRequest) -> _ComparedColumns:
    """Compute the joint RIC, the information differences and the fusions, side by side, as each takes long.

    No core is idle while any of them is left. The runs in memory are dropped when they have become lists.
    """
    table, order, reading, seed = inputs.table, inputs.order, request.reading, request.options["seed"]
    cached_runs = inputs.take_runs()
    if len(order) < 2:
        return _ComparedColumns()
    runs = {run.name: run.data for run in table.runs}
    experiment = functools.cache(
        runner.limit_pairs(len(order), 1, MAX_READ, lambda: _prepare_experiment(table, order), "information difference")
    )
    comparing = f"comparing the information of {counted(len(order), 'system')}"
    runner.run(comparing, experiment)  # made once, before two analyses use it
    difference = runner.start(comparing, lambda: compute_information_difference(experiment()))

    def counted_experiment() -> Experiment:
        difference.result()  # it counts the pairs of systems, of which the best are fused
        return experiment()

    def fuse() -> Headroom:
        joint = beside(lambda: compute_joint_ric(experiment(), seed=seed)) if reading.level == RELEVANT else None
        lists = loaded_runs({name: cached_runs.pop(name, runs[name]) for name in order}, reading.weighed)
        systems = FusibleSystems.score(lists, table.qrels, inputs.measures, reading.weighed, scored=table)
        return Headroom.of(systems, candidates=FUSED_PAIRS, seed=seed, get_experiment=counted_experiment, joint=joint)

    headroom = runner.run(
        f"fusing {counted(len(order), 'system')}", runner.limit_pairs(len(order), 1, MAX_READ, fuse, "fuse headroom")
    )
    return _ComparedColumns(difference.result(), headroom)


def _prepare_experiment(table: Evaluation, order: Sequence[str]) -> Experiment:
    """Prepare all systems, for the information difference and the headroom."""
    return prepare_experiment(select_rankings(table), table.qrels, rel=RELEVANT).of_systems(list(order))


def _fill(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None for scores alone."""
    if analyses.retrieved is None:
        return None
    charts = SectionCharts(analyses.inputs.redact)
    if len(analyses.inputs.table.systems) < 2:
        charts.omit("Differences between systems", "there is only one system", warned=False)
        return charts.complete(section)
    numbers = analyses.inputs.numbers
    compared: _ComparedColumns = analyses.own["systems"]
    difference, headroom = compared.difference, compared.headroom
    charts.add(difference, "Map of systems", lambda found: make_figure("system-map", chart_system_map(found), numbers))
    charts.add(difference, "Tree of systems", lambda found: make_figure("dendrogram", chart_families(found), numbers))
    charts.add(
        headroom,
        "Headroom",
        lambda found: make_figure("headroom", chart_headroom(found, analyses.inputs.main_measure), numbers),
    )
    paragraphs: list[str] = []
    tables: list[Table] = []
    if difference.result is not None and not np.isnan(difference.result.ric.values).all():
        paragraphs.append(DISTANCES)
        tables.append(
            make_table(
                "similar",
                "Most similar systems by information difference, in bits",
                difference.result.pairs().head(MOST_SIMILAR),
                PAIR_KINDS,
                SIMILARITY_MEANINGS,
            )
        )
    if headroom.result is not None:
        paragraphs += describe_fusions(headroom.result)
        pairs = f"Fused pairs, by {_name_measure(headroom.result)}"
        tables += [
            make_table(
                "headroom-table",
                "Single systems, fusions and bounds",
                headroom.result.table,
                kinds("text", "kind", "name"),
            ),
            make_table("headroom-pairs", pairs, headroom.result.pairs, PAIR_KINDS, FUSION_MEANINGS),
        ]
    return charts.complete(section, paragraphs, tables)


def describe_fusions(headroom: Headroom) -> list[str]:
    """Describe what all rankings carry together, and the pairs that were fused."""
    joint = headroom.joint
    numbers = joint.normalized, joint.reachable, joint.value, joint.null
    normalized, reachable, value, null = (
        numeral(number, form) for number, form in zip(numbers, (".1%", ".4f", ".4f", ".4f"), strict=True)
    )
    systems = counted(len(headroom.singles), "system")
    subject = f"The joint RIC (relevance information correlation) of {systems}, what all their rankings tell together"
    remainder = "nothing is left that rankings could tell beyond it"
    if not math.isnan(joint.normalized):
        remainder = f"of the rest, the rankings tell {normalized}"
    estimate = (
        f"{subject} about relevance, is {value} bits of at most 1. Randomly permuted labels give {null}, which is "
        f"overfitting; {remainder}."
    )
    if not math.isnan(joint.reachable):
        estimate += (
            f" Weights learned on other topics reach {reachable} bits; this does not limit what a fusion can reach."
        )
    paragraphs = [f"{subject} about relevance, is undefined." if math.isnan(joint.value) else estimate]
    if joint.null > OVERFITTING and not math.isnan(joint.normalized):
        paragraphs[0] += " With so much overfitting, what is left says little."
    paragraphs[0] += " The bounds below are made with the judgments."
    if headroom.pairs["joint"].notna().any():
        paragraphs.append("The fused pairs below have the largest joint RIC.")
        if not math.isnan(headroom.held_out):
            paragraphs[-1] += (
                f" Choosing each topic's pair by {_name_measure(headroom)} on all other topics yields a mean of "
                f"{headroom.held_out:.4f}."
            )
    return paragraphs


def _name_measure(headroom: Headroom) -> str:
    """Name the measure by which pairs are compared."""
    return shown(str(headroom.table.columns[2]))


SECTION = PageSection(
    title="Systems",
    place=70,
    fill=_fill,
    needs="scores tell nothing of documents",
    of_rankings=_compare_documents,
    organisers=True,
    keeps_runs=True,
)

"""Systems: how the information in their rankings differs, and how much fusing them could gain."""

from __future__ import annotations

import math

import numpy as np

from cranfield._text import counted, numeral, shown
from cranfield.charts.information import chart_headroom
from cranfield.charts.systems import chart_families, chart_system_map
from cranfield.fusion.headroom import Headroom
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import Section, Table, kinds, make_table

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


def fill_systems(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None for scores alone."""
    if analyses.retrieved is None:
        return None
    charts = SectionCharts(analyses.inputs.redact)
    if len(analyses.inputs.table.systems) < 2:
        charts.omit("Differences between systems", "there is only one system", warned=False)
        return charts.complete(section)
    numbers = analyses.inputs.numbers
    difference, headroom = analyses.from_rankings.difference, analyses.from_rankings.headroom
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
        tables += _make_fusion_tables(headroom.result)
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


def _make_fusion_tables(headroom: Headroom) -> list[Table]:
    """Make the tables of all lists and of the fused pairs."""
    return [
        make_table(
            "headroom-table", "Single systems, fusions and bounds", headroom.table, kinds("text", "kind", "name")
        ),
        make_table(
            "headroom-pairs", f"Fused pairs, by {_name_measure(headroom)}", headroom.pairs, PAIR_KINDS, FUSION_MEANINGS
        ),
    ]


def _name_measure(headroom: Headroom) -> str:
    """Name the measure by which pairs are compared."""
    return shown(str(headroom.table.columns[2]))

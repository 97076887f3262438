"""Systems: how the information in their rankings differs, and how much fusing them could gain."""

from __future__ import annotations

import math

import numpy as np

from cranfield._text import counted, numeral, shown
from cranfield.charts.information import chart_headroom
from cranfield.fusion.headroom import Headroom
from cranfield.information.difference import InformationDifference
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, make_figure, points, tree
from cranfield.reporting.content import Figure, Section, Table, kinds, make_table
from cranfield.statistics.chart_statistics import brackets

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
EQUAL = 1e-9
"""The largest difference that counts as none."""
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
    charts.add(difference, "Map of systems", lambda result: _draw_map(result, numbers))
    charts.add(difference, "Tree of systems", lambda result: _draw_tree(result, numbers))
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


def _draw_map(result: InformationDifference, numbers: dict[str, int]) -> Figure:
    """Draw systems at distances that approximate their information differences."""
    positions, ric = result.map(2), result.ric.values
    distances = result.difference.values.copy()
    np.fill_diagonal(distances, np.inf)
    a, b = divmod(int(distances.argmin()), len(distances))
    points_of_systems = [
        (numbers[str(name)], *position, share)
        for name, position, share in zip(positions.index, positions.to_numpy().tolist(), ric.tolist(), strict=True)
    ]
    observation = f"{shown(positions.index[a])} and {shown(positions.index[b])} carry the most similar information."
    pairs = distances[np.triu_indices(len(distances), 1)]
    equal = int(np.isclose(pairs, pairs.min(), rtol=0, atol=EQUAL).sum())
    if equal == len(pairs) > 1:
        observation = f"Every two systems are {pairs.min():.3f} bits apart."
    elif equal > 1:
        observation = f"{equal:,} pairs of systems carry the most similar information, {pairs.min():.3f} bits apart."
    notes = (
        "Close systems carry similar information about relevance; those of a stronger colour carry more of it (RIC, "
        "in bits)."
    )
    return Figure(
        "system-map",
        "Map of systems by information difference",
        observation,
        notes,
        points("bits", "bits", points_of_systems, shade="RIC"),
    )


def _draw_tree(result: InformationDifference, numbers: dict[str, int]) -> Figure:
    """Draw the dendrogram of systems."""
    from scipy.cluster.hierarchy import leaves_list

    joints = result.linkage("average")
    names = [str(name) for name in result.ric["system"].values]
    order = leaves_list(joints).tolist()
    first = [shown(names[int(row)]) for row in joints[0][:2]]
    observation = f"{first[0]} and {first[1]} join first, {joints[0][2]:.3f} bits apart."
    notes = (
        "A join lies at the information difference of its two parts (average linkage): near 0, the same information."
    )
    form = tree("information difference, bits", [numbers[names[row]] for row in order], brackets(joints, order))
    return Figure("dendrogram", "Families of systems", observation, notes, form)


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

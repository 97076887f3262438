"""Section on systems: how the information in their rankings differs, and how much fusing them could gain."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cranfield._text import counted, numeral, shown
from cranfield.fusion.headroom import Headroom
from cranfield.information.difference import InformationDifference
from cranfield.reporting.charts import Drawings, points, strips, tree
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Figure, Section, Table
from cranfield.reporting.leaders import of_largest
from cranfield.reporting.tables import kinds, listed_names, table_of
from cranfield.statistics._numeric import finite
from cranfield.statistics.chart_statistics import brackets

MOST_SIMILAR = 20
PAIR = kinds("system", "system", "other")
OF_SIMILAR = {
    "difference": "sum of the next two",
    "only_system": "information about relevance that only the first of the two carries, in bits",
    "only_other": "that only the second carries",
    "shared": "that both carry; below 0 where together they carry more than the sum",
}
OF_FUSED = {
    "joint": "joint RIC: what both rankings carry together about relevance, in bits beyond chance",
    "difference": "information difference of the two, in bits",
    "fused": "score of both fused",
    "better": "score of the better of the two",
    "gain": "fused less better",
}
"""Columns of pairs, and what they mean."""
EQUAL = 1e-9
"""What is no difference."""
OVERFITTING = 0.9
"""Bits that permuted labels give, above which hardly anything is left to tell."""
KINDS = {"single": "single system", "fusion": "fusion", "bound": "bound (uses judgments)"}
BOUNDS = (
    "Bounds are lists made with the judgments, which no system can make. Naive orders the judged documents that these "
    "systems retrieve by their labels. Pareto puts one document before another where all systems have it so, otherwise "
    "by label. Majoritarian follows the majority of the systems and uses the labels only where there is none: where "
    "the majority is wrong, it can be below the best single system."
)


def systems(analyses: Analyses, empty: Section) -> Section | None:
    """What systems retrieve that others do not, and what fusing them could reach; no section of scores alone."""
    if analyses.retrieved is None:
        return None
    drawn = Drawings(analyses.public)
    if len(analyses.table.systems) < 2:
        drawn.leave_out("Differences between systems", "there is only one system", warned=False)
        return drawn.section(empty)
    number = {name: at for at, name in enumerate(analyses.table.systems)}
    difference, headroom = analyses.by_rankings.difference, analyses.by_rankings.headroom
    drawn.add(difference, "Map of systems", lambda found: _map(found, number))
    drawn.add(difference, "Tree of systems", lambda found: _tree(found, number))
    drawn.add(headroom, "Headroom", lambda found: _headroom(found, analyses.first, number))
    words: list[str] = []
    tables: list[Table] = []
    if difference.result is not None and not np.isnan(difference.result.ric.values).all():
        words += _distances()
        tables.append(
            table_of(
                "similar",
                "Most similar systems by information difference, in bits",
                difference.result.pairs().head(MOST_SIMILAR),
                PAIR,
                OF_SIMILAR,
            )
        )
    if headroom.result is not None:
        words += _fusions(headroom.result)
        tables += _fusion_tables(headroom.result)
    return drawn.section(empty, words, tables)


def _map(result: InformationDifference, number: dict[str, int]) -> Figure:
    places, ric = result.map(2), result.ric.values
    apart = result.difference.values.copy()
    np.fill_diagonal(apart, np.inf)
    one, other = divmod(int(apart.argmin()), len(apart))
    found = [
        (number[str(name)], *place, share)
        for name, place, share in zip(places.index, places.to_numpy().tolist(), ric.tolist(), strict=True)
    ]
    seen = f"{shown(places.index[one])} and {shown(places.index[other])} carry the most similar information."
    pairs = apart[np.triu_indices(len(apart), 1)]
    equal = int(np.isclose(pairs, pairs.min(), rtol=0, atol=EQUAL).sum())
    if equal == len(pairs) > 1:
        seen = f"Every two systems are {pairs.min():.3f} bits apart."
    elif equal > 1:
        seen = f"{equal:,} pairs of systems carry the most similar information, {pairs.min():.3f} bits apart."
    notes = (
        "Close systems carry similar information about relevance; those of a stronger colour carry more of it (RIC, "
        "in bits)."
    )
    return Figure(
        "system-map",
        "Map of systems by information difference",
        seen,
        notes,
        points("bits", "bits", found, shade="RIC"),
    )


def _tree(result: InformationDifference, number: dict[str, int]) -> Figure:
    from scipy.cluster.hierarchy import leaves_list

    joints = result.linkage("average")
    names = [str(name) for name in result.ric["system"].values]
    order = leaves_list(joints).tolist()
    alike = [shown(names[int(row)]) for row in joints[0][:2]]
    seen = f"{alike[0]} and {alike[1]} join first, {joints[0][2]:.3f} bits apart."
    notes = (
        "A join lies at the information difference of its two parts (average linkage): near 0, the same information."
    )
    form = tree("information difference, bits", [number[names[row]] for row in order], brackets(joints, order))
    return Figure("dendrogram", "Families of systems", seen, notes, form)


def _headroom(result: Headroom, measure: str, number: dict[str, int]) -> Figure:
    single = result.singles[measure]
    finite([*single, *result.table[measure]], f"{shown(measure)} is", "no system has a score")
    rows = [_row(str(kind), str(name)) for kind, name in zip(result.table["kind"], result.table["name"], strict=True)]
    kinds_of = list(KINDS.values())
    marks: list[tuple[object, ...]] = [(0, 0, value, None, None, number[str(name)]) for name, value in single.items()]
    for row, (kind, value) in enumerate(zip(result.table["kind"], result.table[measure], strict=True), 1):
        marks.append((row, list(KINDS).index(str(kind)), value))
    fused = result.table[result.table["kind"] == "fusion"]
    seen = "No fusion has a score."
    if fused[measure].notna().any():
        gains = (fused[measure] - single.max()).tolist()
        seen = _best_fusion([str(name) for name in fused["name"]], gains)
    notes = f"{counted(len(single), 'single system')} on the first line, fusions and bounds below. {BOUNDS}"
    form = strips(measure, ["all systems", *rows], kinds_of, marks, numbered=True)
    return Figure("headroom", f"What fusing the systems could gain, by {shown(measure)}", seen, notes, form)


def _best_fusion(names: Sequence[str], gains: Sequence[float]) -> str:
    """How far the best fusion is from the best single system, a sentence."""
    gain = max(one for one in gains if not math.isnan(one))
    if abs(gain) <= EQUAL:
        return "No fusion is better than every single system."
    best, where = of_largest(names, gains), "above" if gain > 0 else "below"
    apart = f"{abs(gain):.4f} {where} the best single system."
    if not best and len(names) > 1:
        return f"Each fusion is {apart}"
    if len(best) < 2:
        return f"The best fusion, {listed_names(best or names)}, is {apart}"
    return f"The best fusions, {listed_names(best)}, are {apart}"


def _row(kind: str, name: str) -> str:
    return f"{name} single" if kind == "single" else shown(name)


def _distances() -> list[str]:
    return [
        "Distances approximate information differences, in bits: the information about relevance that one of two "
        "rankings carries and the other lacks. Systems with equal means can still differ: distant systems are "
        "candidates for fusion, and nearly coinciding ones may be variants of one system."
    ]


def _fusions(headroom: Headroom) -> list[str]:
    joint = headroom.joint
    numbers = joint.normalized, joint.reachable, joint.value, joint.null
    normalized, reachable, value, null = (
        numeral(number, form) for number, form in zip(numbers, (".1%", ".4f", ".4f", ".4f"), strict=True)
    )
    systems = counted(len(headroom.singles), "system")
    told = f"The joint RIC (relevance information correlation) of {systems}, what all their rankings tell together"
    rest = "nothing is left that rankings could tell beyond it"
    if not math.isnan(joint.normalized):
        rest = f"of the rest, the rankings tell {normalized}"
    estimate = (
        f"{told} about relevance, is {value} bits of at most 1. Randomly permuted labels give {null}, which is "
        f"overfitting; {rest}."
    )
    if not math.isnan(joint.reachable):
        estimate += f" Weights learned on other topics reach {reachable} bits, which is no bound for a fusion."
    words = [f"{told} about relevance, is undefined." if math.isnan(joint.value) else estimate]
    if joint.null > OVERFITTING and not math.isnan(joint.normalized):
        words[0] += " With so much overfitting, what is left says little."
    words[0] += " The bounds below are made with the judgments."
    if headroom.pairs["joint"].notna().any():
        words.append("The fused pairs below have the largest joint RIC.")
        if not math.isnan(headroom.held_out):
            words[-1] += (
                f" Choosing each topic's pair by {_measure(headroom)} on all other topics yields a mean of "
                f"{headroom.held_out:.4f}."
            )
    return words


def _fusion_tables(headroom: Headroom) -> list[Table]:
    return [
        table_of("headroom-table", "Single systems, fusions and bounds", headroom.table, kinds("text", "kind", "name")),
        table_of("headroom-pairs", f"Fused pairs, by {_measure(headroom)}", headroom.pairs, PAIR, OF_FUSED),
    ]


def _measure(headroom: Headroom) -> str:
    """The measure by which pairs are compared."""
    return shown(str(headroom.table.columns[2]))

"""Section on systems: how the information in their rankings differs, and how much fusing them could gain."""

from __future__ import annotations

import math

from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Section, Table
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import kinds, table_of
from cranfield.synthesis.headroom import Headroom
from cranfield.wording import counted, numeral, shown

MOST_SIMILAR = 20
PAIR = kinds("system", "system", "other")


def systems(analyses: Analyses, empty: Section) -> Section:
    """What systems retrieve that others do not, and what fusing them could reach."""
    from cranfield import plot

    drawn = Drawings(analyses.public)
    if len(analyses.table.systems) < 2:
        drawn.leave_out("Differences between systems", "there is only one system", warned=False)
        return drawn.section(empty)
    difference, headroom = analyses.by_rankings.difference, analyses.by_rankings.headroom
    drawn.add("system-map", difference, "Map of systems", plot.system_map)
    drawn.add("dendrogram", difference, "Tree of systems", plot.dendrogram)
    drawn.add("headroom", headroom, "Headroom", lambda result: plot.headroom(result, analyses.first))
    words: list[str] = []
    tables: list[Table] = []
    if difference.result is not None and difference.result.ric.notnull().any():
        words += _distances()
        tables.append(
            table_of(
                "similar",
                "Most similar systems by information difference, in bits",
                difference.result.pairs().head(MOST_SIMILAR),
                PAIR,
            )
        )
    if headroom.result is not None:
        words += _fusions(headroom.result, len(analyses.table.systems))
        tables += _fusion_tables(headroom.result)
    return drawn.section(empty, words, tables)


def _distances() -> list[str]:
    return [
        "Distances approximate information differences, in bits: the information about relevance that one of two "
        "rankings carries and the other lacks. Systems with equal means can still differ: distant systems are "
        "candidates for fusion, and nearly coinciding ones may be variants of one system."
    ]


def _fusions(headroom: Headroom, systems: int) -> list[str]:
    joint = headroom.joint
    numbers = joint.normalized, joint.reachable, joint.value, joint.null
    normalized, reachable, value, null = (numeral(number, ".4f") for number in numbers)
    estimate = (
        f"{normalized} of what chance leaves (joint RIC {value} bits, with randomly permuted labels {null}); weights "
        f"learned on other topics reach {reachable} bits, which no fusion is bound by"
    )
    words = [
        f"Headroom is estimated for the best {len(headroom.singles)} of {counted(systems, 'system')}. "
        f"Together they tell {'nothing defined' if math.isnan(joint.value) else estimate}. The bounds are computed "
        "from the judgments; Naive is the ideal ranking of the judged documents that these systems retrieve."
    ]
    if headroom.pairs["joint"].notna().any():
        words.append(
            f"The fused pairs below have the largest joint RIC. Choosing each topic's pair by {_measure(headroom)} on "
            f"all other topics yields a mean of {numeral(headroom.held_out, '.4f')}."
        )
    return words


def _fusion_tables(headroom: Headroom) -> list[Table]:
    return [
        table_of("headroom-table", "Single systems, fusions and bounds", headroom.table, kinds("text", "kind", "name")),
        table_of("headroom-pairs", f"Fused pairs, by {_measure(headroom)}", headroom.pairs, PAIR),
    ]


def _measure(headroom: Headroom) -> str:
    """The measure by which pairs are compared."""
    return shown(str(headroom.table.columns[2]))

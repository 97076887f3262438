"""Sections on what systems retrieve: how they differ, what they could reach together, intents, and other judges."""

from __future__ import annotations

import math
from typing import Any

from cranfield.reporting.analyses import MOST_OF_FUSION, MOST_OF_PAIRS, Analyses
from cranfield.reporting.content import Section
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import table_of
from cranfield.wording import counted, numeral, shown

MOST_ALIKE = 20


def difference(of: Analyses, empty: Section) -> Section:
    """What systems tell of relevance that others do not, and what a fusion could reach."""
    from cranfield import plot

    drawn = Drawings(of)
    if len(of.table.systems) < 2:
        drawn.leave_out("Differences between systems", "there is one system", warned=False)
        return drawn.section(empty)
    drawn.add("system-map", "difference", "Map of systems", plot.system_map)
    drawn.add("dendrogram", "difference", "Tree of systems", plot.dendrogram)
    drawn.add("headroom", "headroom", "Headroom", lambda result: plot.headroom(result, of.first))
    words, tables = [], []
    found, reach = of.get("difference"), of.get("headroom")
    if found is not None and found.ric.notnull().any():
        kept = found.ric.sizes["system"]
        words.append(
            "Systems lie the closer, the less one tells of relevance that the other does not (information difference, "
            "bits). Equal means do not make equal systems: what lies far apart may be worth fusing, and what lies on "
            "one spot may be one system with other parameters."
        )
        if kept < len(of.table.systems):
            words.append(f"Map and tree show the best {MOST_OF_PAIRS} of {len(of.table.systems):,} systems.")
        pairs: Any = {"system": "system", "other": "system"}
        tables.append(table_of("alike", "Systems most alike, in bits", found.pairs().head(MOST_ALIKE), pairs))
    if reach is not None:
        joint = reach.joint
        value, null, normalized = (numeral(one, ".4f") for one in (joint.value, joint.null, joint.normalized))
        told = f"{value}; labels dealt at random would give {null}; normalized {normalized}"
        words.append(
            f"Headroom of the best {counted(len(reach.singles), 'system')} (at most {MOST_OF_FUSION}): their joint RIC "
            f"is {'undefined' if math.isnan(joint.value) else told}. Bounds know the judgments; Naive is the best that "
            "retrieving the same documents allows."
        )
        tables.append(
            table_of(
                "headroom-table", "Single systems, fusions and bounds", reach.table, {"kind": "text", "name": "text"}
            )
        )
        if reach.pairs["joint"].notna().any():
            words.append(
                "The pairs below are those of largest joint RIC. Where the best of them is chosen on other topics, its "
                f"{shown(str(reach.table.columns[2]))} is {numeral(reach.held_out, '.4f')}."
            )
        kinds: Any = {"system": "system", "other": "system"}
        tables.append(
            table_of("headroom-pairs", f"Pairs fused, by {shown(str(reach.table.columns[2]))}", reach.pairs, kinds)
        )
    return drawn.section(empty, words, tables)


def diversity(of: Analyses, empty: Section) -> Section | None:
    """Coverage of intents, where intents are given."""
    if of.get("diversity") is None and "diversity" not in of.refused:
        return None
    from cranfield import plot

    drawn = Drawings(of)
    drawn.add("diversity-plane", "diversity", "Coverage and relevance", plot.diversity_plane)
    drawn.add("intent-coverage", "diversity", "Coverage of intents", plot.intent_coverage)
    found = of.get("diversity")
    words, tables = [], []
    if found is not None:
        words.append(
            f"How systems trade coverage of intents for relevance, in the first {found.settings['cutoff']} ranks; on a "
            "contour, the combined measure is equal."
        )
        frame = found.systems.reset_index()
        kinds: Any = {"system": "system"}
        tables.append(table_of("diversity", "Systems by coverage and relevance", frame, kinds))
    return drawn.section(empty, words, tables)


def judges(of: Analyses, empty: Section) -> Section | None:
    """What would be concluded from other judges' labels, where some are given."""
    if of.get("judges") is None and "judges" not in of.refused:
        return None
    from cranfield import plot

    drawn = Drawings(of)
    drawn.add("judge-agreement", "judges", "Agreement of judges", plot.judge_agreement)
    found = of.get("judges")
    words, tables = [], []
    if found is not None:
        words.append(
            f"The same runs under the labels of other judges, by {of.first}, beside {shown(found.systems.reference)}."
        )
        labels = found.labels.table.reset_index()
        whole: Any = {"judge": "text", "documents": "whole", "judged": "whole"}
        tables.append(table_of("labels", "Labels of judges beside the reference's", labels, whole))
        systems = found.systems.table.reset_index()
        kinds: Any = {"source": "text", "largest_move": "whole"}
        tables.append(table_of("judge-systems", "What follows for systems", systems, kinds))
        for number, source in enumerate(found.systems.table.index, 1):
            movers = found.systems.movers(source).reset_index()
            kinds = {"system": "system", **dict.fromkeys(("reference", "rank", "gained"), "whole")}
            title = f"Systems that move furthest under {shown(str(source))}"
            tables.append(table_of(f"movers-{number}", title, movers, kinds))
    return drawn.section(empty, words, tables)

"""The charts of topics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._text import counted
from cranfield.charts.form import Axis, Box, Boxes
from cranfield.charts.sentences import find_largest, find_smallest, join_names
from cranfield.statistics.chart_statistics import box, outliers
from cranfield.topic_difficulty.ease import CLASSES
from cranfield.topic_difficulty.estimation import Difficulty

LOWEST_FLOOR = -1.5
"""The lowest end of the axis of NDCG_std: a few scores far below 0 would leave no room for all others."""
NO_EASE = "no ease"


def chart_difficulty(result: Difficulty) -> Boxes:
    """Scores of all systems on each topic as a box, easiest topic first, with its ease and its class."""
    values = result.values
    scores = values["ndcg_std"].transpose("topic", "system").to_numpy()
    ease, classes = values["ease"].to_numpy(), [str(name) or NO_EASE for name in values["class"].to_numpy().tolist()]
    systems, topics = ([str(name) for name in values[what].to_numpy()] for what in ("system", "topic"))
    medians = np.array([box(row)["median"] for row in scores])
    # Equal ease is ordered by the median score; topics without ease come last.
    order = np.lexsort((topics, -np.nan_to_num(medians, nan=-9.0), -np.nan_to_num(ease, nan=-9.0))).tolist()
    floor = max(LOWEST_FLOOR, float(min(0.0, np.nanmin(scores, initial=0.0))))
    present = [name for name in (*CLASSES[::-1], NO_EASE) if name in classes]
    cutoff, below = result.settings["cutoff"], int((scores < floor).sum())
    notes = [
        "Boxes: the middle half of the systems; diamonds: ease, the share above 0.",
        "At the line at 0 a system is as good as a random order of the judged documents.",
    ]
    if below:
        lowest = f"the lowest {np.nanmin(scores):.2f}"
        notes.append(
            f"{counted(below, 'score')} below {floor:g} {'is' if below == 1 else 'are'} drawn there, {lowest}."
        )
    of = f"{counted(len(topics), 'topic')}, {counted(len(systems), 'system')}"
    return Boxes(
        title=f"Topic difficulty by NDCG_std@{cutoff}",
        sentence=_name_hardest(topics, ease.tolist(), [f"{classes.count(name)} {name}" for name in present]),
        counts=f"{of}; unjudged={result.settings['unjudged']}",
        notes=tuple(notes),
        y=Axis(f"NDCG_std@{cutoff}"),
        floor=floor,
        classes=tuple(present),
        boxes=tuple(
            Box(
                topics[row],
                **box(scores[row]),
                ease=float(ease[row]),
                class_=present.index(classes[row]),
                beyond={systems[system]: float(scores[row, system]) for system in outliers(scores[row])},
            )
            for row in order
        ),
    )


def _name_hardest(topics: Sequence[str], ease: Sequence[float], counts: Sequence[str]) -> str:
    """Count the topics of each class, and name the hardest and the easiest."""
    said = ", ".join(counts)
    hardest, easiest = find_smallest(topics, ease), find_largest(topics, ease)
    defined = [value for value in ease if not np.isnan(value)]
    if hardest:
        verb = "is" if len(hardest) == 1 else "are"
        return f"{said}; the hardest {verb} {join_names(hardest)}, the easiest {join_names(easiest)}."
    return f"{said}; the ease of all is {defined[0]:.2f}." if len(defined) > 1 else f"{said}."

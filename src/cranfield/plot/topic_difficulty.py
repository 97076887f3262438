"""Figure 1 of Gienapp et al. 2020 on topic difficulty: scores of systems by topic, easiest topic first."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield._typing import Floats
from cranfield.plot.naming import label
from cranfield.plot.theme import WIDTH, layered, styled
from cranfield.plot.topic_boxes import Axes, box_layers, outlier_layer
from cranfield.statistics.boxes import box, outliers
from cranfield.topic_difficulty.ease import CLASSES
from cranfield.topic_difficulty.estimation import Difficulty

LEAST = -1.5
"""Where the axis ends at the latest: a few scores far below 0 would leave no room for all others."""
COLOURS = dict(zip((*CLASSES, "no ease"), ("#D55E00", "#E69F00", "#56B4E9", "#0072B2", "#bbbbbb"), strict=True))


def topic_difficulty(result: Difficulty, *, horizontal: bool = False) -> alt.LayerChart:
    """Box plots of NDCG_std by topic, easiest first, in the colours of the four classes; diamonds are the ease.

    Boxes hold the middle half of the systems, whiskers reach to the furthest system within 1.5 times its length, and
    circles are the systems beyond. Above the line at 0 a system is better than a random order of the pool.

    Args:
        result: of ``cranfield.topic_difficulty.compute_difficulty`` or ``estimate_difficulty``.
        horizontal: a line for each topic, for narrow pages and many topics.
    """
    values = result.values
    scores = values["ndcg_std"].transpose("topic", "system").to_numpy()
    systems = [label(system) for system in values["system"].to_numpy()]
    boxes, order = _boxes(result, scores)
    floor = max(LEAST, float(min(0.0, np.nanmin(scores, initial=0.0))))
    points = [
        {
            "topic": topic["topic"],
            "system": systems[system],
            "score": scores[row, system],
            "shown": max(floor, scores[row, system]),
            "below": bool(scores[row, system] < floor),
        }
        for topic, row in zip(boxes, order, strict=True)
        for system in outliers(scores[row])
    ]
    present = [name for name in reversed(COLOURS) if any(topic["class"] == name for topic in boxes)]
    axes = Axes([topic["topic"] for topic in boxes], floor, horizontal)
    layers = [*box_layers(boxes, {name: COLOURS[name] for name in present}, axes), outlier_layer(points, axes)]
    counts = ", ".join(f"{sum(topic['class'] == name for topic in boxes)} {name}" for name in present)
    title = f"Topic difficulty by NDCG_std@{result.settings['cutoff']}"
    notes = [
        f"{counted(len(boxes), 'topic')}, {counted(len(systems), 'system')}; unjudged={result.settings['unjudged']}",
        counts,
        "line at 0: a random ranking; diamonds: ease, the share of systems above 0",
    ]
    below = sum(point["below"] for point in points)
    if below:
        notes.append(f"triangles: {counted(below, 'score')} below {floor:g}, the lowest {np.nanmin(scores):.2f}")
    hardest = ", ".join(topic["topic"] for topic in boxes[::-1][:5])
    described = f"{title}: box plots of {counted(len(boxes), 'topic')}, easiest first: {counts}. Hardest: {hardest}."
    size: dict[str, Any] = {"height": alt.Step(13) if horizontal else 220, "width": WIDTH}
    return styled(layered(*layers), title, notes, described, **size)


def _boxes(result: Difficulty, scores: Floats) -> tuple[list[dict[str, Any]], list[int]]:
    """A box a topic, easiest first, and the topics' rows in that order."""
    values = result.values
    topics = [str(topic) for topic in values["topic"].to_numpy()]
    ease, classes = values["ease"].to_numpy(), values["class"].to_numpy()
    order = sorted(range(len(topics)), key=lambda row: _easiest_first(float(ease[row]), scores[row], topics[row]))
    boxes = [
        {
            "topic": label(topics[row]),
            "ease": ease[row],
            "class": str(classes[row]) or "no ease",
            **box(scores[row]),
        }
        for row in order
    ]
    return boxes, order


def _easiest_first(ease: float, scores: Floats, topic: str) -> tuple[float, float, str]:
    """Topics without ease come last; equal ease is ordered by the median score."""
    defined = scores[~np.isnan(scores)]
    return (-ease if not np.isnan(ease) else 2.0, -float(np.median(defined)) if len(defined) else 2.0, topic)

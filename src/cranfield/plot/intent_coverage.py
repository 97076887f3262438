"""Which intents the first ranks of each system reach."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.plot._data import inline
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice
from cranfield.plot._theme import SEQUENTIAL, WIDTH, styled
from cranfield.scores.scale import best_first

FACTS = ("probability", "relevant")


def intent_coverage(result: DiversityPlane) -> alt.Chart:
    """A cell for each system and topic: the share of the topic's intents with a relevant document in the first ranks.

    Args:
        result: of ``cranfield.comparison.map_diversity``.
    """
    covered = result.coverage.drop(columns=list(FACTS))
    by_topic = covered.groupby(level="topic", sort=False)
    shares, reached, intents = by_topic.mean(), by_topic.sum().to_numpy(), by_topic.size()
    systems, topics = [str(name) for name in shares.columns], [str(name) for name in shares.index]
    values = shares.to_numpy(dtype=np.float64)
    rows, columns = best_first(values.mean(axis=0), systems), best_first(values.mean(axis=1), topics)
    cells = [
        {
            "system": label(systems[system]),
            "topic": label(topics[topic]),
            "share": values[topic, system],
            "covered": int(reached[topic, system]),
            "intents": int(intents.iloc[topic]),
        }
        for system in rows
        for topic in columns
    ]
    cutoff = result.settings["cutoff"]
    title = f"Intents covered in the first {cutoff} ranks"
    missed = int((covered.to_numpy().sum(axis=1) == 0).sum())
    notes = [
        f"{counted(len(topics), 'topic')}, {counted(len(covered), 'intent')}, {counted(len(systems), 'system')}",
        f"no system covers {counted(missed, 'intent')}",
    ]
    hardest = describe_best(topics, values.mean(axis=1), larger_is_better=False)
    described = f"{title}: a heat map. Least covered topic: {hardest}. No system covers {counted(missed, 'intent')}."
    order = [label(systems[row]) for row in rows], [label(topics[row]) for row in columns]
    step = max(4.0, min(16.0, 1250 / len(systems)))
    return styled(_chart(cells, *order, step), title, notes, described, width=WIDTH, height=alt.Step(step))


def _chart(cells: list[dict[str, Any]], systems: list[str], topics: list[str], step: float) -> alt.Chart:
    system, topic = choice("system"), choice("topic")
    legend = alt.Legend(orient="top", gradientLength=160, gradientThickness=10, titleOrient="left", format="%")
    down = alt.Axis(labelFontSize=min(10.0, step), labelLimit=130, labelOverlap="greedy", labelSeparation=0, grid=False)
    along = alt.Axis(labelFontSize=8, labelAngle=-90, labelOverlap="greedy", labelSeparation=0, grid=False)
    chart: alt.Chart = (
        alt.Chart(inline(cells))
        .mark_rect()
        .encode(
            x=alt.X("topic:N", title="topic", scale=alt.Scale(domain=topics), axis=along),
            y=alt.Y("system:N", title=None, scale=alt.Scale(domain=systems), axis=down),
            color=alt.Color(
                "share:Q", title="covered", legend=legend, scale=alt.Scale(scheme=SEQUENTIAL, domain=[0, 1])
            ),
            opacity=alt.when(system, topic).then(alt.value(1)).otherwise(alt.value(0.25)),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("topic:N"),
                alt.Tooltip("covered:Q"),
                alt.Tooltip("intents:Q"),
                alt.Tooltip("share:Q", format=".0%"),
            ],
        )
        .add_params(system, topic)
    )
    return chart

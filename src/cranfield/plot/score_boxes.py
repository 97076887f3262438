"""Figure 1 of Urbano et al. 2019: scores of systems by topic, raw and standardized."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import BLACK, INK, PALETTE, WIDTH, layered, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, make_matrix
from cranfield.statistics.chart_statistics import box


def score_boxes(scores: ScoresLike | Mapping[str, ScoresLike]) -> alt.VConcatChart:
    """A panel for each set of scores, a box plot for each topic, in the order of the medians of the first set.

    Shows what standardization removes: differences between topics in level and in spread.

    Args:
        scores: of one measure, dims (topic, system), or several by name, such as ``{"raw": ..., "E": ...}``.
    """
    matrices: dict[str, Matrix] = {}
    # A Dataset is a Mapping too, of variables.
    if isinstance(scores, Mapping) and not hasattr(scores, "data_vars"):
        matrices |= {label(name): make_matrix(matrix) for name, matrix in scores.items()}
    else:
        matrix = make_matrix(cast("ScoresLike", scores))
        matrices[label(matrix.measure)] = matrix
    first = next(iter(matrices.values()))
    medians = np.array([box(row)["median"] for row in first.values])
    order = [first.topics[row] for row in np.argsort(medians, kind="stable")]  # without any score, last
    panels = [_panel(name, matrix, order, last=name == list(matrices)[-1]) for name, matrix in matrices.items()]
    title = f"Scores of systems by topic, {label(first.measure)}"
    names = ", ".join(matrices)
    notes = [
        f"{counted(len(first.topics), 'topic')}, {counted(len(first.systems), 'system')}",
        f"topics in the order of the medians of {next(iter(matrices))}",
    ]
    chart: alt.VConcatChart = alt.vconcat(*panels, spacing=8)
    return styled(chart, title, notes, f"{title}: box plots; panels from top to bottom: {names}.")


def _panel(name: str, matrix: Matrix, order: list[str], *, last: bool) -> alt.LayerChart:
    index = {topic: row for row, topic in enumerate(matrix.topics)}
    rows: list[dict[str, Any]] = [
        {"topic": label(topic), **box(matrix.values[index[topic]])} for topic in order if topic in index
    ]
    axis = alt.Axis(
        labels=last, ticks=last, labelAngle=-90, labelFontSize=7.5, labelSeparation=0, labelOverlap="greedy", grid=False
    )
    domain = [label(topic) for topic in order]
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("topic:N", title="topic" if last else None, scale=alt.Scale(domain=domain), axis=axis),
        tooltip=[
            alt.Tooltip("topic:N"),
            *(alt.Tooltip(f"{field}:Q", format=".3f") for field in ("low", "q1", "median", "q3", "high")),
        ],
    )
    size: Any = alt.RelativeBandSize(band=0.7)
    return layered(
        base.mark_rule(color=INK, strokeWidth=0.7, aria=False).encode(
            y=alt.Y("low:Q", title=name), y2=alt.Y2("high:Q")
        ),
        base.mark_bar(aria=False, color=PALETTE[5], stroke=INK, strokeWidth=0.4, width=size).encode(
            y=alt.Y("q1:Q"), y2=alt.Y2("q3:Q")
        ),
        base.mark_point(aria=False, shape="stroke", color=BLACK, size=16, strokeWidth=1.4).encode(y=alt.Y("median:Q")),
    ).properties(width=WIDTH, height=110)

"""How the scores of each system are distributed over topics."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import BLACK, INK, PALETTE, PAPER, layered, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, make_matrix
from cranfield.statistics.chart_statistics import box, outliers

WIDTH = 400


def system_boxes(scores: ScoresLike) -> alt.LayerChart:
    """A box plot of each system's scores over topics, best mean on top.

    Boxes hold the middle half of the topics, the line in them is the median and the diamond the mean; whiskers end at
    the last topic within one and a half boxes, and circles are topics beyond.

    Args:
        scores: of one measure, dims (topic, system).
    """
    matrix = make_matrix(scores)
    names = [label(matrix.systems[column]) for column in matrix.leaderboard]
    title = f"Scores of {counted(len(names), 'system')} over topics, {label(matrix.measure)}"
    notes = [
        f"{counted(len(matrix.topics), 'topic')}; best mean on top",
        "boxes: the middle half of the topics; lines: medians; diamonds: means; circles: topics beyond the whiskers",
    ]
    best = describe_best(matrix.systems, matrix.means, matrix.larger_is_better, most=3)
    described = f"{title}: box plots. Best mean: {best}."
    return styled(_chart(matrix, names), title, notes, described, width=WIDTH, height=row_height(len(names)))


def _chart(matrix: Matrix, names: list[str]) -> alt.LayerChart:
    boxes: list[dict[str, Any]] = []
    points: list[dict[str, Any]] = []
    for column, name in enumerate(matrix.systems):
        values = matrix.values[:, column]
        boxes.append({"system": label(name), "mean": matrix.means[column], **box(values)})
        points += [
            {"system": label(name), "topic": label(matrix.topics[row]), "score": values[row]}
            for row in outliers(values)
        ]
    system = choice("system")
    y = row_axis("system", names)
    fields = ("mean", "low", "q1", "median", "q3", "high")
    base = alt.Chart(inline(boxes)).encode(
        y=y,
        opacity=unless_chosen(system),
        tooltip=[alt.Tooltip("system:N"), *(alt.Tooltip(f"{name}:Q", format=".4f") for name in fields)],
    )
    x = alt.X("low:Q", title=label(matrix.measure))
    thickness: Any = alt.RelativeBandSize(band=0.66)
    layers = [
        base.mark_rule(color=INK, strokeWidth=0.8).encode(x=x, x2=alt.X2("high:Q")).add_params(system),
        base.mark_bar(color=PALETTE[5], stroke=INK, strokeWidth=0.5, height=thickness).encode(
            x=alt.X("q1:Q"), x2=alt.X2("q3:Q")
        ),
        base.mark_tick(color=BLACK, thickness=1.6, bandSize=9 if len(names) <= 50 else 6).encode(x=alt.X("median:Q")),
        base.mark_point(shape="diamond", filled=True, color=BLACK, stroke=PAPER, strokeWidth=0.7, size=26).encode(
            x=alt.X("mean:Q")
        ),
    ]
    if points:
        beyond = alt.Chart(inline(points)).mark_point(size=9, color=INK, strokeWidth=0.6)
        tooltip = [alt.Tooltip("system:N"), alt.Tooltip("topic:N"), alt.Tooltip("score:Q", format=".4f")]
        layers.append(beyond.encode(y=y, x=alt.X("score:Q"), opacity=unless_chosen(system, 0.7), tooltip=tooltip))
    return layered(*layers)

"""Figure 2 of Sakai et al. 2010: systems by several measures, in the order of one."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, quoted
from cranfield.errors import UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import WIDTH, layered, series, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import make_matrices


def measures_by_system(scores: ScoresLike, order: str | None = None) -> alt.LayerChart:
    """Mean scores of every system, a line for each measure; where a line rises, its measure contradicts the order.

    Args:
        scores: of several measures, dims (topic, system).
        order: the measure that orders systems, best first; the first where None.

    Raises:
        UsageError: a measure that is not there.
    """
    matrices = {matrix.measure: matrix for matrix in make_matrices(scores)}
    chosen = next(iter(matrices)) if order is None else order
    if chosen not in matrices:
        raise UsageError(f"there are no scores of {quoted(chosen)}; there are {', '.join(map(label, matrices))}")
    first = matrices[chosen]
    systems = [first.systems[system] for system in first.leaderboard]
    rows: list[dict[str, Any]] = [
        {"system": label(system), "measure": label(name), "mean": value}
        for name, matrix in matrices.items()
        for system, value in zip(matrix.systems, matrix.means.tolist(), strict=True)
    ]
    title = f"Systems by {counted(len(matrices), 'measure')}, in the order of {label(chosen)}"
    notes = [f"{counted(len(systems), 'system')}, {counted(len(first.topics), 'topic')}; means"]
    best = describe_best(first.systems, first.means, first.larger_is_better, most=3)
    names = [label(name) for name in matrices]
    look = series("measure", names, "measure", points=True)
    system = choice("system")
    axis = alt.Axis(labelAngle=-90, labelLimit=110, labelSeparation=0, labelOverlap="greedy", labelFontSize=8.5)
    labels = [label(name) for name in systems]
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("system:N", title=None, scale=alt.Scale(domain=labels), sort=labels, axis=axis),
        y=alt.Y("mean:Q", title="mean score"),
        color=look.color,
    )
    chart = layered(
        base.mark_line(strokeWidth=1.1).encode(strokeDash=look.dash),
        base.mark_point(filled=True)
        .encode(
            shape=look.shape,
            opacity=unless_chosen(system),
            tooltip=[alt.Tooltip("system:N"), alt.Tooltip("measure:N"), alt.Tooltip("mean:Q", format=".4f")],
        )
        .add_params(system),
    )
    return styled(chart, title, notes, f"{title}. Best: {best}.", width=WIDTH, height=240)

"""Means of systems with their intervals: the leaderboard as a picture."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral
from cranfield._validation import share
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import PALETTE, QUIET, layered, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, make_matrices
from cranfield.statistics.intervals import mean_interval

ONE, SEVERAL = 380, 190
"""Pixels across, of one measure and of each of several."""


def mean_intervals(scores: ScoresLike, level: float = 0.95) -> alt.HConcatChart:
    """Mean score of every system, best on top by the first measure, with the interval of each mean by itself.

    Intervals are Student's, over topics. They say how far a mean would move on other topics, and not whether two
    systems differ, since differences on the same topics vary less: for that see ``difference_intervals``.

    Args:
        scores: dims (topic, system); of several measures, a panel for each.
        level: probability with which an interval covers the mean over all topics like these, in (0, 1).
    """
    share(level=level)
    matrices = make_matrices(scores)
    first = matrices[0]
    names = [label(first.systems[row]) for row in first.leaderboard]
    width = ONE if len(matrices) == 1 else SEVERAL
    panels = [_panel(matrix, names, level, width, named=not number) for number, matrix in enumerate(matrices)]
    what = label(first.measure) if len(matrices) == 1 else counted(len(matrices), "measure")
    title = f"Means of {counted(len(names), 'system')} by {what}"
    notes = [f"{counted(len(first.topics), 'topic')}; lines: {level:.0%} intervals of each mean by itself"]
    if len(matrices) > 1:
        notes.append(f"in the order of {label(first.measure)}")
    best = describe_best(first.systems, first.means, first.larger_is_better, most=3)
    ends = " to ".join(numeral(first.means[first.leaderboard[at]], ".4f") for at in (0, -1))
    chart: alt.HConcatChart = alt.hconcat(*panels, spacing=14)
    return styled(chart, title, notes, f"{title}, from {ends}. Best by {label(first.measure)}: {best}.")


def _panel(matrix: Matrix, names: list[str], level: float, width: int, *, named: bool) -> alt.LayerChart:
    low, high = mean_interval(matrix.values, level)
    rows: list[dict[str, Any]] = [
        {"system": label(system), "measure": label(matrix.measure), "mean": mean, "low": low, "high": high}
        for system, mean, low, high in zip(
            matrix.systems, matrix.means.tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]
    system = choice("system")
    base = alt.Chart(inline(rows)).encode(
        y=row_axis("system", names, named=named),
        opacity=unless_chosen(system),
        tooltip=[
            alt.Tooltip("system:N"),
            alt.Tooltip("measure:N"),
            *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("mean", "low", "high")),
        ],
    )
    x = alt.X("low:Q", title=f"mean {label(matrix.measure)}", scale=alt.Scale(zero=False))
    lines = base.mark_rule(color=QUIET, strokeWidth=1.4).encode(x=x, x2=alt.X2("high:Q"))
    return layered(
        lines.add_params(system) if named else lines,  # one parameter, which all panels follow
        base.mark_point(color=PALETTE[0], filled=True, size=30, opacity=1).encode(x=alt.X("mean:Q")),
    ).properties(width=width, height=row_height(len(names)))

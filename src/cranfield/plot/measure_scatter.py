"""Figure 2 of Golbus & Aslam 2013: systems by two measures."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.errors import UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import PALETTE, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import make_matrices
from cranfield.statistics.rank_correlation import tau_b

SIDE = 320


def measure_scatter(scores: ScoresLike, across: str, up: str) -> alt.Chart:
    """A point for each system: its mean by one measure across, by another up; tau_b in the subtitle.

    Args:
        scores: of both measures, dims (topic, system).
        across: name of one.
        up: name of the other.

    Raises:
        UsageError: a measure that is not there.
    """
    matrices = {matrix.measure: matrix for matrix in make_matrices(scores)}
    for name in (across, up):
        if name not in matrices:
            raise UsageError(f"there are no scores of {quoted(name)}; there are {', '.join(map(label, matrices))}")
    x_matrix, y_matrix = matrices[across], matrices[up]
    columns = {system: row for row, system in enumerate(y_matrix.systems)}
    order = [columns[system] for system in x_matrix.systems]
    xs, ys = x_matrix.means, y_matrix.means[order]
    rows = [{"system": label(name), "x": x, "y": y} for name, x, y in zip(x_matrix.systems, xs, ys, strict=True)]
    tau = float(tau_b(x_matrix.comparable_means, y_matrix.comparable_means[order]))
    title = f"{label(up)} against {label(across)}"
    notes = [f"{counted(len(rows), 'system')}, {counted(len(x_matrix.topics), 'topic')}; tau_b = {numeral(tau, '.3f')}"]
    system = choice("system")
    zero: Any = alt.Scale(zero=False)
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(color=PALETTE[0])
        .encode(
            x=alt.X("x:Q", title=f"mean {label(across)}", scale=zero),
            y=alt.Y("y:Q", title=f"mean {label(up)}", scale=zero),
            opacity=unless_chosen(system),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("x:Q", title=label(across), format=".4f"),
                alt.Tooltip("y:Q", title=label(up), format=".4f"),
            ],
        )
        .add_params(system)
    )
    return styled(
        chart, title, notes, f"{title}: a point for each system; tau_b {numeral(tau, '.3f')}.", width=SIDE, height=SIDE
    )

"""Between which ranks each system lies."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted
from cranfield.boards.ranking import Board
from cranfield.comparison.ranks import RankIntervals
from cranfield.errors import UsageError
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import PALETTE, QUIET, layered, styled

WIDTH = 400
STEPS, TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500), 14
"""Ranks between the ticks of the axis, and how many ticks there are at most."""


def rank_intervals(result: RankIntervals | Board) -> alt.LayerChart:
    """A line from the best to the worst rank of each system, thick where it alone is looked at; points: ranks here.

    Args:
        result: of ``cranfield.comparison.estimate_ranks``, or of ``cranfield.board``, which may lack the thick lines.

    Raises:
        UsageError: it has no ranks of each system by itself; or, a board, no intervals at all.
    """
    is_board = isinstance(result, Board)
    if is_board and "low" not in result.table:
        raise UsageError("the chart shows ranks with intervals: values_only=True leaves them out")
    if not is_board and "marginal_low" not in result.table:
        raise UsageError("the chart also shows the ranks of each system by itself: estimate them with marginal=True")
    frame = result.table
    rows: list[dict[str, Any]] = [{"system": label(name), **facts} for name, facts in frame.astype(object).iterrows()]
    systems, level = len(rows), f"{1 - result.settings['alpha']:.0%}"
    title = f"Ranks of {counted(systems, 'system')} by {label(_ranked_by(result))}"
    sample = result.settings["unit"] if isinstance(result, Board) else "topics"
    notes = [f"points: ranks on these {sample}; lines: {level} intervals,"]
    thick = "; thick: one, chosen beforehand" if "marginal_low" in frame else ""
    notes.append(f"{'thin: ' if thick else ''}all systems together{thick}")
    may_be_best = len(result.among_best(1))
    told = "; ".join(f"{row['system']} {row['rank']} ({row['low']} to {row['high']})" for row in rows[:10])
    described = f"{title}. {counted(may_be_best, 'system')} may be the best. Ranks with intervals: {told}."
    return styled(_chart(rows), title, notes, described, width=WIDTH, height=row_height(systems))


def _ranked_by(result: RankIntervals | Board) -> str:
    return result.settings["aggregate"] if isinstance(result, Board) else result.measure


def _chart(rows: list[dict[str, Any]]) -> alt.LayerChart:
    system = choice("system")
    scale = alt.Scale(domain=[1, len(rows)], nice=False, padding=8)
    apart = next(step for step in STEPS if step * TICKS >= len(rows) or step == STEPS[-1])
    axis = alt.Axis(values=[1, *range(apart, len(rows) + 1, apart)][apart == 1 :], format="d")
    names = [row["system"] for row in rows]
    base = alt.Chart(inline(rows)).encode(
        y=row_axis("system", names),
        opacity=unless_chosen(system),
        tooltip=[
            alt.Tooltip("system:N"),
            alt.Tooltip(f"{'mean' if 'mean' in rows[0] else 'value'}:Q", format=".4f"),
            *(f"{name}:Q" for name in ("rank", "low", "high", "marginal_low", "marginal_high") if name in rows[0]),
        ],
    )
    together = base.mark_rule(color=QUIET, strokeWidth=1.2).encode(
        x=alt.X("low:Q", title="rank, 1 is the best", scale=scale, axis=axis), x2=alt.X2("high:Q")
    )
    alone = base.mark_rule(color=PALETTE[5], strokeWidth=4).encode(
        x=alt.X("marginal_low:Q"), x2=alt.X2("marginal_high:Q")
    )
    points = base.mark_point(color=PALETTE[0], filled=True, size=28).encode(x=alt.X("rank:Q"))
    lines = [alone] if "marginal_low" in rows[0] else []
    return layered(*lines, together.add_params(system), points)

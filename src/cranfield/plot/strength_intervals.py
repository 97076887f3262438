"""Strengths of systems by pairwise verdicts, with intervals over topics."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.errors import UsageError
from cranfield.pairwise.strengths import Strengths
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import label
from cranfield.plot._theme import INK, PALETTE, QUIET, layered, styled
from cranfield.statistics._numeric import finite

WIDTH = 400


def strength_intervals(result: Strengths, judge: str | None = None) -> alt.LayerChart:
    """The strength of each system by one judge with its interval over topics, the strongest on top.

    Args:
        result: of ``cranfield.pairwise.estimate_strengths``.
        judge: whose; the first one, where None.

    Raises:
        InputError: no strength is defined.
        UsageError: there is no such judge.
    """
    judges = list(dict.fromkeys(result.table["judge"]))
    chosen = judges[0] if judge is None else judge
    if chosen not in judges:
        raise UsageError(f"no judge is called {quoted(chosen)}")
    table = result.table[result.table["judge"] == chosen]
    finite(table["strength"], "strengths are", "they are not finite")
    rows: list[dict[str, Any]] = [
        {"system": label(row["system"]), "ranks": _describe_ranks(row["rank_low"], row["rank_high"])}
        | {name: row[name] for name in ("strength", "low", "high", "rank")}
        for row in table.to_dict("records")
    ]
    title = f"Strengths of {counted(len(rows), 'system')} by the verdicts of {label(chosen)}"
    level = f"{1 - result.settings['alpha']:.0%}"
    notes = [
        f"log odds by Bradley and Terry, where 1 more wins 73% of comparisons; lines: {level} over topics",
        f"right: the ranks that each may have, {level} for all systems together",
    ]
    told = "; ".join(
        f"{row['system']} {numeral(row['strength'], '+.2f')} ({numeral(row['low'], '+.2f')} to "
        f"{numeral(row['high'], '+.2f')}), rank {row['ranks']}"
        for row in rows[:10]
    )
    return styled(_chart(rows), title, notes, f"{title}: {told}.", width=WIDTH, height=row_height(len(rows)))


def _describe_ranks(low: int, high: int) -> str:
    return f"{low}" if low == high else f"{low} to {high}"


def _chart(rows: list[dict[str, Any]]) -> alt.LayerChart:
    numbers = [alt.Tooltip(f"{name}:Q", format="+.3f") for name in ("strength", "low", "high")]
    base = alt.Chart(inline(rows)).encode(
        y=row_axis("system", [row["system"] for row in rows]),
        tooltip=[alt.Tooltip("system:N"), *numbers, alt.Tooltip("rank:Q"), alt.Tooltip("ranks:N")],
    )
    line = base.mark_rule(color=QUIET, strokeWidth=1.4).encode(x=alt.X("low:Q", title="strength"), x2=alt.X2("high:Q"))
    points = base.mark_point(color=PALETTE[0], filled=True, size=36).encode(x=alt.X("strength:Q"))
    # Outside the frame, where no line crosses them.
    ranks = base.mark_text(align="left", dx=6, fontSize=9).encode(x=alt.value("width"), text=alt.Text("ranks:N"))
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("zero:Q"))
    return layered(zero, line, points, ranks)

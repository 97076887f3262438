"""Scores under holes: the interval that missing labels leave open, beside the interval over topics."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted
from cranfield._validation import word
from cranfield.holes.result import HoleScores
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, PALETTE, QUIET, layered, styled

WIDTH = 380
NUMBERS = ("estimate", "lower", "upper", "topics_lower", "topics_upper", "zero", "holes")


def hole_intervals(result: HoleScores, measure: str | None = None) -> alt.LayerChart:
    """The estimate of every run with two intervals, best on top: wide bars for missing labels, thin lines for topics.

    A tick is the score with holes as not relevant. Where wide bars overlap, unjudged documents may decide the order.

    Args:
        result: of ``estimate_holes(...).evaluate(...)``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: no such measure.
    """
    names = list(dict.fromkeys(result.table.index.get_level_values("measure")))
    measure = names[0] if measure is None else measure
    word("measure", measure, names)
    table = result.to_frame()
    table = table[table["measure"] == measure].sort_values("estimate", ascending=False, kind="stable")
    rows: list[dict[str, Any]] = [
        {"system": label(str(row["system"])), **{name: float(row[name]) for name in NUMBERS}}
        for row in table.to_dict("records")
    ]
    order = [row["system"] for row in rows]
    chosen = choice("system")
    base = alt.Chart(inline(rows)).encode(
        y=row_axis("system", order),
        opacity=unless_chosen(chosen),
        tooltip=[alt.Tooltip("system:N"), *(alt.Tooltip(f"{name}:Q", format=".4f") for name in NUMBERS)],
    )
    x = alt.X("topics_lower:Q", title=f"mean {label(measure)}", scale=alt.Scale(zero=False))
    topics = base.mark_rule(color=QUIET, strokeWidth=1.2).encode(x=x, x2=alt.X2("topics_upper:Q"))
    holes = base.mark_bar(color=PALETTE[0], height=6).encode(x=alt.X("lower:Q"), x2=alt.X2("upper:Q"))
    points = base.mark_point(color=INK, filled=True, size=24, opacity=1).encode(x=alt.X("estimate:Q"))
    zeros = base.mark_tick(color=PALETTE[1], thickness=2, size=12).encode(x=alt.X("zero:Q"))
    title = f"Estimated {label(measure)} of {counted(len(rows), 'run')} with unjudged documents"
    settings = result.settings
    of_measure = result.neighbours[result.neighbours["measure"] == measure]
    undecided = int(of_measure["open"].astype(bool).sum())
    notes = [
        f"bars: {settings['level']:.0%} intervals of missing labels; lines: of topics; ticks: holes as not relevant",
        f"holes leave the order open of {undecided:,} of {counted(len(of_measure), 'pair')} of neighbours",
        *result.caveats[:1],
    ]
    chart = layered(topics.add_params(chosen), holes, zeros, points).properties(
        width=WIDTH, height=row_height(len(rows))
    )
    best = order[0]
    return styled(chart, title, notes, f"{title}. The highest estimate is that of {best}.")

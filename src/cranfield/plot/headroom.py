"""What systems reach alone, fused, and as bounds computed from the judgments."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.errors import UsageError
from cranfield.fusion.headroom import Headroom
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, PALETTE, WIDTH, layered, styled
from cranfield.statistics._numeric import finite

KINDS = {"single": "single system", "fusion": "fusion", "bound": "bound (uses judgments)"}


def headroom(result: Headroom, measure: str | None = None) -> alt.LayerChart:
    """Single systems as ticks on one line; best, mean, fusions and bounds as points on lines of their own.

    Args:
        result: of ``cranfield.estimate_headroom``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: a measure that is not in it.
        InputError: no system has a score by it.
    """
    chosen = str(result.singles.columns[0]) if measure is None else measure
    if chosen not in result.singles.columns:
        there = ", ".join(map(str, result.singles.columns))
        raise UsageError(f"there is no measure {quoted(chosen)} in the result: {there}")
    rows = [
        {"name": _line(str(row["kind"]), str(row["name"])), "kind": KINDS[str(row["kind"])], "value": row[chosen]}
        for _, row in result.table.iterrows()
    ]
    singles = [{"system": label(name), "value": value} for name, value in result.singles[chosen].items()]
    finite([row["value"] for row in (*rows, *singles)], f"{label(chosen)} is", "no system has a score")
    joint = result.joint
    title = f"Headroom of {counted(len(singles), 'system')} by {label(chosen)}"
    topics = counted(joint.topics.sizes["topic"], "topic")
    notes = [
        f"{topics}; ticks: single systems",
        f"joint RIC {numeral(joint.value, '.3f')}, with permuted labels {numeral(joint.null, '.3f')}",
    ]
    scores = "; ".join(f"{row['name']} {numeral(row['value'], '.3f')}" for row in rows)
    return styled(_chart(rows, singles, chosen), title, notes, f"{title}: {scores}.", width=WIDTH, height=alt.Step(22))


def _line(kind: str, name: str) -> str:
    return f"{name} single" if kind == "single" else label(name)


def _chart(rows: list[dict[str, Any]], singles: list[dict[str, Any]], measure: str) -> alt.LayerChart:
    system = choice("system")
    lines = ["all systems", *(row["name"] for row in rows)]
    y = alt.Y("name:N", title=None, scale=alt.Scale(domain=lines), axis=alt.Axis(grid=True, labelOverlap=False))
    x = alt.X("value:Q", title=label(measure), scale=alt.Scale(zero=False, nice=False, padding=34))
    kinds = list(KINDS.values())
    colour = alt.Color(
        "kind:N", title=None, scale=alt.Scale(domain=kinds, range=[INK, PALETTE[0], PALETTE[1]]), legend=alt.Legend()
    )
    shape = alt.Shape("kind:N", title=None, scale=alt.Scale(domain=kinds, range=["circle", "square", "triangle-up"]))
    number = alt.Tooltip("value:Q", title=measure, format=".4f")
    marks = alt.Chart(inline(rows)).encode(x=x, y=y)
    return layered(
        alt.Chart(inline([{"name": lines[0], **row} for row in singles]))
        .mark_tick(thickness=1.2, size=14, color=INK)
        .encode(x=x, y=y, opacity=unless_chosen(system, 0.6), tooltip=[alt.Tooltip("system:N"), number])
        .add_params(system),
        marks.mark_point(filled=True, size=60, opacity=1).encode(
            color=colour, shape=shape, tooltip=[alt.Tooltip("name:N"), number]
        ),
        marks.transform_filter("isValid(datum.value)")
        .mark_text(align="left", dx=7, fontSize=9)
        .encode(text=alt.Text("value:Q", format=".3f")),
    )

"""How much of the agreement of two measures remains given a third."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield.information.tau import InformationTaus
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import BLACK, INK, PALETTE, PAPER, SHAPES, WIDTH, layered, styled
from cranfield.statistics._numeric import finite

NOTHING = "(nothing)"
TIED = "on every topic, every pair of systems is tied by one of the measures"


def conditional_tau(result: InformationTaus) -> alt.LayerChart:
    """A line for each two measures: information tau alone, with its interval, and given every third measure.

    The further left the mark of a third measure, the more of the agreement it explains; a mark to the right of the
    filled one means that the two share more information given the third than alone.

    Args:
        result: of ``cranfield.information.compute_information_taus``.

    Raises:
        InputError: no information tau is defined.
    """
    measures = [str(name) for name in result.value["measure"].to_numpy()]
    names = [label(name) for name in measures]
    values, low, high = (
        array.transpose("measure", "other", "given").to_numpy() for array in (result.value, result.low, result.high)
    )
    conditions = [str(name) for name in result.value["given"].to_numpy()]
    rows: list[dict[str, Any]] = []
    for a, b in combinations(range(len(names)), 2):
        for third, condition in enumerate(conditions):
            if condition not in (measures[a], measures[b]):
                what = label(condition) if condition else NOTHING
                rows.append({"pair": f"{names[a]} · {names[b]}", "given": what})
                rows[-1] |= {"bits": values[a, b, third]}
                rows[-1] |= {"low": low[a, b, third], "high": high[a, b, third]}
    alone = [row for row in rows if row["given"] == NOTHING]
    order = [row["pair"] for row in sorted(alone, key=lambda row: -np.nan_to_num(row["bits"], nan=-np.inf))]
    title = "Information tau of two measures, given a third"
    topics = counted(result.topics.sizes["topic"], "topic")
    notes = [f"{topics}, {counted(len(names), 'measure')}; bits; bars: {result.settings['level']:.0%} intervals"]
    bits = finite([row["bits"] for row in alone], "information tau is", TIED)
    described = f"{title}. Alone, from {bits.min():.2f} to {bits.max():.2f}."
    return styled(_chart(rows, order, names), title, notes, described, width=WIDTH, height=alt.Step(20))


def _chart(rows: list[dict[str, Any]], order: list[str], names: list[str]) -> alt.LayerChart:
    domain = [NOTHING, *names]
    colours = [BLACK, *(PALETTE[number % (len(PALETTE) - 1)] for number in range(len(names)))]
    shapes = ["circle", *(SHAPES[1:][number % (len(SHAPES) - 1)] for number in range(len(names)))]
    colour = alt.Color("given:N", title="given", scale=alt.Scale(domain=domain, range=colours), legend=alt.Legend())
    shape = alt.Shape("given:N", title="given", scale=alt.Scale(domain=domain, range=shapes), legend=alt.Legend())
    y = alt.Y(
        "pair:N",
        title=None,
        scale=alt.Scale(domain=order),
        axis=alt.Axis(labelLimit=170, labelOverlap=False, grid=True),
    )
    tooltip = [
        alt.Tooltip("pair:N"),
        alt.Tooltip("given:N"),
        *(alt.Tooltip(f"{name}:Q", format=".3f") for name in ("bits", "low", "high")),
    ]
    base = alt.Chart(inline(rows)).encode(y=y)
    bits = alt.X("bits:Q", title="information tau, bits", scale=alt.Scale(zero=True))
    fill: Any = alt.when(f"datum.given === '{NOTHING}'").then(alt.value(BLACK)).otherwise(alt.value(PAPER))
    return layered(
        base.transform_filter(f"datum.given === '{NOTHING}'")
        .mark_rule(color=INK, strokeWidth=1)
        .encode(x=alt.X("low:Q", title="information tau, bits"), x2=alt.X2("high:Q")),
        base.mark_point(size=34, opacity=0.95).encode(x=bits, color=colour, shape=shape, fill=fill, tooltip=tooltip),
    )

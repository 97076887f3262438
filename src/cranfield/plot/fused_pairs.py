"""Figure 3 of Golbus & Aslam 2013: the joint information of two systems, and the effectiveness of their fusion."""

from __future__ import annotations

import math

import altair as alt

from cranfield._text import counted
from cranfield.errors import UsageError
from cranfield.fusion.headroom import Headroom
from cranfield.information.difference import NO_LABELS
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import PALETTE, layered, styled
from cranfield.statistics._numeric import finite

SIDE = 320


def fused_pairs(result: Headroom) -> alt.LayerChart:
    """A point for each pair: joint RIC across; the fused list up, and hollow the better of the two systems.

    Args:
        result: of ``cranfield.estimate_headroom``.

    Raises:
        UsageError: no pairs were fused.
        InputError: no joint RIC is defined.
    """
    if not len(result.pairs):
        raise UsageError("no pairs were fused: estimate_headroom(..., candidates=20)")
    measure = label(result.singles.columns[0])
    rows = [
        {"pair": f"{label(row['system'])} + {label(row['other'])}", "joint": row["joint"], "what": what, "value": value}
        for row in result.pairs.to_dict("records")
        for what, value in (("fused", row["fused"]), ("better of the two", row["better"]))
    ]
    finite([row["joint"] for row in rows], "joint RIC is", NO_LABELS)
    ends = [
        {"joint": row["joint"], "value": row["better"], "fused": row["fused"]}
        for row in result.pairs.to_dict("records")
    ]
    gained = sum(row["gain"] > 0 for row in result.pairs.to_dict("records"))
    title = f"Fused pairs by {measure}, against joint RIC"
    elsewhere = "" if math.isnan(result.held_out) else f"; chosen on other topics: mean {result.held_out:.3f}"
    notes = [
        f"{counted(len(result.pairs), 'pair')} of largest joint RIC; {result.settings['pair_method']}; "
        f"{counted(result.joint.topics.sizes['topic'], 'topic')}",
        f"{gained} improve on the better system{elsewhere}",
    ]
    kinds = ["fused", "better of the two"]
    colour = alt.Color("what:N", title=None, scale=alt.Scale(domain=kinds, range=[PALETTE[0], PALETTE[1]]))
    shape = alt.Shape("what:N", title=None, scale=alt.Scale(domain=kinds, range=["square", "circle"]))
    x = alt.X("joint:Q", title="joint RIC, bits", scale=alt.Scale(zero=False))
    y = alt.Y("value:Q", title=measure, scale=alt.Scale(zero=False))
    told = [alt.Tooltip(field) for field in ("pair:N", "what:N", "joint:Q", "value:Q")]
    chart = layered(
        alt.Chart(inline(ends)).mark_rule(strokeWidth=0.8).encode(x=x, y=y, y2=alt.Y2("fused:Q")),
        alt.Chart(inline(rows)).mark_point(opacity=1).encode(x=x, y=y, color=colour, shape=shape, tooltip=told),
    )
    return styled(
        chart,
        title,
        notes,
        f"{title}: {gained} of {len(ends)} pairs improve on the better system.",
        width=SIDE,
        height=SIDE,
    )

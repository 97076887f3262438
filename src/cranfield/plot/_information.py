"""Charts of the information that rankings share, and of fusion."""

from __future__ import annotations

import math

from cranfield._text import counted
from cranfield.charts.information import chart_headroom, chart_taus
from cranfield.charts.systems import chart_system_map
from cranfield.errors import UsageError
from cranfield.fusion.headroom import Headroom
from cranfield.information.difference import NO_LABELS, InformationDifference
from cranfield.information.tau import InformationTaus
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline
from cranfield.plot._forms import draw_points, draw_strips
from cranfield.plot._names import label
from cranfield.plot._scatter import SIDE
from cranfield.plot._theme import (
    INK,
    PALETTE,
    WIDTH,
    layered,
    styled,
)
from cranfield.statistics.numeric import finite

# ---- How much of the agreement of two measures remains given a third.


def conditional_tau(result: InformationTaus) -> alt.LayerChart:
    """A line for each two measures: information tau alone, with its interval, and given every third measure.

    The further left the mark of a third measure, the more of the agreement it explains; a mark to the right of that
    given nothing means that the two share more information given the third than alone.

    Args:
        result: of ``cranfield.information.compute_information_taus``.

    Raises:
        InputError: no information tau is defined.
    """
    return draw_strips(chart_taus(result), alt.Scale(zero=True))


# ---- Figure 4 of Golbus & Aslam 2013 in numbers: information of one system only, of both, and of the other only.


PARTS = {"only_system": "#0072B2", "shared": "#bdbdbd", "only_other": "#E69F00"}


def information_shares(result: InformationDifference, system: str, other: str) -> alt.Chart:
    """A bar of the joint RIC of two systems, cut where one system's part ends; the outer parts are their difference.

    Args:
        result: of ``cranfield.information.compute_information_difference``.
        system: its name.
        other: of another.

    Raises:
        UsageError: an unknown system.
        InputError: their difference is undefined.
    """
    pair = result.between(system, other)
    first, second = label(system), label(other)
    names = {"only_system": f"only {first}", "shared": "both", "only_other": f"only {second}"}
    finite([sum(pair)], f"the information of {first} and {second} is", NO_LABELS)
    edge = min(0.0, pair.shared)
    rows = []
    for part in PARTS:
        bits = float(getattr(pair, part))
        rows.append({"part": names[part], "bits": bits, "from": edge, "to": edge + abs(bits), "line": "joint RIC"})
        edge += abs(bits)
    title = "Information of two systems about relevance"
    notes = [f"{first} and {second}", f"information difference {pair.difference:.3f} bits: the two outer parts"]
    shares = "; ".join(f"{row['part']} {row['bits']:.3f}" for row in rows)
    colours = alt.Scale(domain=list(names.values()), range=list(PARTS.values()))
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_bar(stroke=INK, strokeWidth=0.7)
        .encode(
            x=alt.X("from:Q", title="bits"),
            x2=alt.X2("to:Q"),
            y=alt.Y("line:N", title=None, axis=None),
            color=alt.Color("part:N", title=None, scale=colours, legend=alt.Legend(columns=1, labelLimit=260)),
            tooltip=[*hover("part:N"), *hover("bits:Q", form=".4f")],
        )
    )
    return styled(chart, title, notes, f"{title}, in bits: {shares}.", width=WIDTH, height=48)


# ---- Systems as points whose distances approximate their information differences.


def system_map(result: InformationDifference) -> alt.LayerChart:
    """Systems in the plane, close where they carry the same information about relevance; stronger for larger RIC.

    Args:
        result: of ``cranfield.information.compute_information_difference``.
    """
    return draw_points(chart_system_map(result))


# ---- What systems reach alone, fused, and as bounds computed from the judgments.


def headroom(result: Headroom, measure: str | None = None) -> alt.LayerChart:
    """Single systems as ticks on one line; best, mean, fusions and bounds as points on lines of their own.

    Args:
        result: of ``cranfield.estimate_headroom``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: a measure that is not in it.
        InputError: no system has a score by it.
    """
    return draw_strips(chart_headroom(result, measure), alt.Scale(zero=False, nice=False, padding=34))


# ---- Figure 3 of Golbus & Aslam 2013: the joint information of two systems, and the effectiveness of their fusion.


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
    pairs = result.pairs.to_dict("records")
    rows = [
        {"pair": f"{label(row['system'])} + {label(row['other'])}", "joint": row["joint"], "what": what, "value": value}
        for row in pairs
        for what, value in (("fused", row["fused"]), ("better of the two", row["better"]))
    ]
    finite([row["joint"] for row in rows], "joint RIC is", NO_LABELS)
    ends = [{"joint": row["joint"], "value": row["better"], "fused": row["fused"]} for row in pairs]
    gained = sum(row["gain"] > 0 for row in pairs)
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
    tooltip = hover("pair:N", "what:N", "joint:Q", "value:Q")
    chart = layered(
        alt.Chart(inline(ends)).mark_rule(strokeWidth=0.8).encode(x=x, y=y, y2=alt.Y2("fused:Q")),
        alt.Chart(inline(rows)).mark_point(opacity=1).encode(x=x, y=y, color=colour, shape=shape, tooltip=tooltip),
    )
    described = f"{title}: {gained} of {len(ends)} pairs improve on the better system."
    return styled(chart, title, notes, described, width=SIDE, height=SIDE)

"""Figure 4 of Golbus & Aslam 2013 in numbers: information of one system only, of both, and of the other only."""

from __future__ import annotations

import altair as alt

from cranfield.information.difference import NO_LABELS, InformationDifference
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import INK, WIDTH, styled
from cranfield.statistics._numeric import finite

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
            tooltip=[alt.Tooltip("part:N"), alt.Tooltip("bits:Q", format=".4f")],
        )
    )
    return styled(chart, title, notes, f"{title}, in bits: {shares}.", width=WIDTH, height=48)

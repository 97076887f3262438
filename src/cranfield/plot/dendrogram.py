"""Families of systems: a tree that joins them at their information difference."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted
from cranfield.information.difference import InformationDifference
from cranfield.plot._data import inline
from cranfield.plot._names import SLACK, join_equals, label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, WIDTH, layered, styled
from cranfield.statistics.chart_statistics import brackets


def dendrogram(result: InformationDifference, *, method: str = "average") -> alt.LayerChart:
    """Systems as leaves of a tree; each join lies at the information difference of its parts, in bits.

    Args:
        result: of ``cranfield.information.compute_information_difference``, two systems or more.
        method: average, complete or single.

    Raises:
        UsageError: another method, or one system.
    """
    from scipy.cluster.hierarchy import fcluster, leaves_list

    joints = result.linkage(method)
    names = [label(name) for name in result.ric["system"].to_numpy()]
    order = leaves_list(joints).tolist()
    leaves = [names[row] for row in order]
    lines = [
        {"place": y, "bits": x, "joint": row, "step": step}
        for row, arm in enumerate(brackets(joints, order))
        for step, (y, x) in enumerate(
            [(arm.one, arm.one_height), (arm.one, arm.height), (arm.other, arm.height), (arm.other, arm.other_height)]
        )
    ]
    title = "Families of systems by information difference"
    notes = [f"{counted(len(names), 'system')}, {method} linkage; joined near 0: same information"]
    first = joints[0]
    families: dict[int, list[str]] = {}
    for name, family in zip(names, fcluster(joints, first[2] + SLACK, "distance").tolist(), strict=True):
        families.setdefault(family, []).append(name)
    alike = "; ".join(sorted(join_equals(family) for family in families.values() if len(family) > 1))
    described = f"{title}: a tree. Most similar: {alike}, {first[2]:.3f} bits apart."
    step = max(8.0, min(15.0, 1300 / len(names)))
    return styled(_chart(lines, leaves, step), title, notes, described, width=WIDTH, height=step * len(names))


def _chart(lines: list[dict[str, Any]], leaves: list[str], step: float) -> alt.LayerChart:
    system = choice("system")
    last = len(leaves) - 0.5
    scale = alt.Scale(domain=[last, -0.5], nice=False, zero=False)
    bits = alt.X("bits:Q", title="information difference, bits", axis=alt.Axis(orient="bottom"))
    tree = (
        alt.Chart(inline(lines))
        .mark_line(color=INK, strokeWidth=1, strokeCap="square")
        .encode(
            x=bits, y=alt.Y("place:Q", scale=scale, axis=None), detail=alt.Detail("joint:N"), order=alt.Order("step:Q")
        )
    )
    rows = [{"system": name, "place": row} for row, name in enumerate(leaves)]
    names = (
        alt.Chart(inline(rows))
        .mark_text(align="right", dx=-6, fontSize=min(10.0, step), limit=120)
        .encode(
            x=alt.value(0),
            y=alt.Y("place:Q", scale=scale, axis=None),
            text=alt.Text("system:N"),
            opacity=unless_chosen(system),
            tooltip=alt.Tooltip("system:N"),
        )
        .add_params(system)
    )
    return layered(tree, names)

"""Systems as points whose distances come near to what each tells of relevance that the other does not."""

from __future__ import annotations

import altair as alt
import numpy as np

from cranfield.information.difference import InformationDifference
from cranfield.plot.choice import choice, unless_chosen
from cranfield.plot.inline import inline
from cranfield.plot.naming import label
from cranfield.plot.placing import framed, sides, written
from cranfield.plot.theme import SEQUENTIAL, WIDTH, layered, styled
from cranfield.wording import counted

NAMED = 24
"""Systems whose names are written: those furthest from any other. A pointer over the others tells theirs."""


def system_map(result: InformationDifference) -> alt.LayerChart:
    """Systems in the plane, near each other where they tell the same of relevance; brighter where RIC is larger.

    Args:
        result: of ``cranfield.information.compute_information_difference``.
    """
    places = result.map(2)
    ric = result.ric.to_numpy()
    difference = result.difference.to_numpy().copy()
    np.fill_diagonal(difference, np.inf)
    nearest = difference.min(axis=1)
    names = [label(name) for name in places.index]
    found = places.to_numpy()
    frame = framed(found[:, 0]), framed(found[:, 1])
    shares = np.stack([(found[:, at] - frame[at][0]) / (frame[at][1] - frame[at][0]) for at in (0, 1)], axis=1)
    where = sides(shares, names, np.argsort(-nearest, kind="stable").tolist(), NAMED)
    rows = [
        {
            "system": name,
            "x": places.iloc[at, 0],
            "y": places.iloc[at, 1],
            "RIC": ric[at],
            "nearest": names[int(difference[at].argmin())],
            "difference": nearest[at],
            "side": where[at],
        }
        for at, name in enumerate(names)
    ]
    spread = float(np.ptp(found, axis=0).max())
    title = "Information difference between systems"
    notes = [
        f"{counted(len(names), 'system')}; near: they tell the same of relevance",
        f"colour: RIC; axes in bits (the map is {spread:.2f} across)",
    ]
    close = int(np.argmin(nearest))
    described = f"{title}, as a map. The two most alike: {names[close]} and {rows[close]['nearest']}."
    system = choice("system")
    x = alt.X("x:Q", title="bits", axis=alt.Axis(tickCount=5), scale=alt.Scale(domain=frame[0], nice=False))
    y = alt.Y("y:Q", title="bits", scale=alt.Scale(domain=frame[1], nice=False))
    colour = alt.Color(
        "RIC:Q",
        legend=alt.Legend(orient="top", gradientLength=160, gradientThickness=10, titleOrient="left"),
        scale=alt.Scale(scheme=SEQUENTIAL),
    )
    tooltip = ["system:N", alt.Tooltip("RIC:Q", format=".3f"), "nearest:N", alt.Tooltip("difference:Q", format=".3f")]
    base = alt.Chart(inline(rows)).encode(x=x, y=y, opacity=unless_chosen(system))
    chart = layered(
        base.mark_point(filled=True, size=60, stroke="#444444", strokeWidth=0.5)
        .encode(color=colour, tooltip=tooltip)
        .add_params(system),
        *written(base),
    )
    return styled(chart, title, notes, described, width=WIDTH, height=400)

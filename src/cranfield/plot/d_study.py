"""How reliable scores would be with another number of topics: the curves of a D-study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import altair as alt

from cranfield._text import counted, numeral
from cranfield._validation import word
from cranfield.plot._data import inline, named
from cranfield.plot._names import label
from cranfield.plot._theme import QUIET, WIDTH, layered, series, styled
from cranfield.statistics._numeric import finite
from cranfield.trust.reliability import Reliability

COEFFICIENTS = {"Erho2": "of the order of systems", "Phi": "of the scores themselves"}


def d_study(
    results: Reliability | Mapping[str, Reliability] | Iterable[Reliability],
    *,
    coefficient: Literal["Erho2", "Phi"] = "Phi",
) -> alt.LayerChart:
    """Reliability by number of topics: of one measure Erho2 and Phi with their intervals, of several one coefficient.

    Args:
        results: of ``cranfield.trust.estimate_reliability``, one, or several by name or in a list.
        coefficient: of several results.

    Raises:
        UsageError: another coefficient, or no result.
        InputError: no coefficient is defined.
    """
    word("coefficient", coefficient, COEFFICIENTS)
    by_name = named(results)
    alone = len(by_name) == 1
    rows: list[dict[str, Any]] = []
    for name, result in by_name.items():
        for which in COEFFICIENTS if alone else (coefficient,):
            for topics, row in result.curve.iterrows():
                what = which if alone else label(name)
                rows.append({"series": what, "topics": topics, "value": row[which], "low": row[f"{which}_low"]})
                rows[-1]["high"] = row[f"{which}_high"]
    finite([row["value"] for row in rows], "reliability is", "systems have the same score on every topic")
    names = list(dict.fromkeys(row["series"] for row in rows))
    first = next(iter(by_name.values()))
    target = first.settings["target"]
    whose = label(next(iter(by_name))) if alone else coefficient
    title = f"Reliability of {whose} by number of topics" if alone else f"Reliability {whose} by number of topics"
    level = first.settings["level"]
    systems = counted(len(first.systems), "system")
    kind = "Erho2: of the order; Phi: of the scores" if alone else f"{coefficient}: {COEFFICIENTS[coefficient]}"
    notes = [f"{systems}; {kind}", f"dashed: target {target:g}" + (f"; bands: {level:.0%} intervals" if alone else "")]
    needed = [
        f"{label(name)}: {numeral(result.needed['Phi' if alone else coefficient], ',.0f')}"
        for name, result in by_name.items()
    ]
    described = f"{title}. Topics needed for {target:g}: {'; '.join(needed)}."
    return styled(_chart(rows, names, target, bands=alone), title, notes, described, width=WIDTH, height=230)


def _chart(rows: list[dict[str, Any]], names: list[str], target: float, *, bands: bool) -> alt.LayerChart:
    x = alt.X("topics:Q", title="topics", scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title="coefficient", scale=alt.Scale(zero=False))
    look = series("series", names, "coefficient" if bands else "measure", points=True)
    base = alt.Chart(inline(rows)).encode(x=x)
    layers: list[alt.Chart] = [
        alt.Chart(inline([{"target": target}])).mark_rule(color=QUIET, strokeDash=[4, 3]).encode(y=alt.Y("target:Q"))
    ]
    if bands:
        band = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", title="coefficient"), y2=alt.Y2("high:Q"))
        layers.append(band.encode(color=look.color))
    points = [
        alt.Tooltip("series:N"),
        alt.Tooltip("topics:Q"),
        *(alt.Tooltip(f"{n}:Q", format=".3f") for n in ("value", "low", "high")),
    ]
    layers.append(base.mark_line().encode(y=y, color=look.color, strokeDash=look.dash))
    marks = base.mark_point(size=30, filled=True, opacity=1)
    layers.append(marks.encode(y=y, color=look.color, shape=look.shape, tooltip=points))
    return layered(*layers)

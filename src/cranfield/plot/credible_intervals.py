"""What is known of differences of true means: credible intervals, and the probability of superiority."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral
from cranfield.comparison.posterior import Posterior
from cranfield.errors import UsageError
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, PALETTE, QUIET, layered, styled
from cranfield.statistics._numeric import finite

WIDTH = 380
MOST = 250
"""Pairs that are drawn."""


def credible_intervals(result: Posterior) -> alt.LayerChart:
    """The expected difference of each pair with its credible interval, the largest gain on top.

    Filled points are pairs of which one system is better with a probability above the level of the intervals. A margin
    is drawn as a band.

    Args:
        result: of ``cranfield.comparison.estimate_posterior``, best with ``baselines``.

    Raises:
        InputError: no difference is defined.
        UsageError: more pairs than can be read.
    """
    pairs, settings = result.pairs, result.settings
    if len(pairs) > MOST:
        raise UsageError(
            f"{counted(len(pairs), 'pair')} cannot be read in one chart: give baselines, at most {MOST} pairs"
        )
    finite(pairs["expected"], "differences are", "no pair has scores on the same topics")
    names = settings["baselines"]
    rows: list[dict[str, Any]] = [
        {
            "pair": label(row["system"]) if len(names) == 1 else f"{label(row['system'])} - {label(row['other'])}",
            "system": label(row["system"]),
            "sure": bool(max(row["prob_superior"], 1 - row["prob_superior"]) > settings["level"]),
        }
        | {name: row[name] for name in ("expected", "low", "high", "prob_superior")}
        for row in pairs.dropna().sort_values("expected", ascending=False, kind="stable").to_dict("records")
    ]
    against = f" from {label(names[0])}" if len(names) == 1 else ""
    title = f"True differences{against} by {label(result.measure)}"
    certain = f"{sum(row['sure'] for row in rows):,} of {counted(len(rows), 'pair')}"
    conclusion = f"in {certain} one system is better with a probability above {settings['level']:g}"
    band = "" if settings["margin"] is None else f"; band: differences below {settings['margin']:g}"
    notes = [
        f"{conclusion} (filled points)",
        f"lines: {settings['level']:.0%} credible intervals; prior {settings['prior']}{band}",
    ]
    told = "; ".join(
        f"{row['pair']} {row['expected']:+.4f} ({numeral(row['prob_superior'], '.3f')})" for row in rows[:5]
    )
    described = f"{title}: {conclusion}. The largest, with the probability of superiority: {told}."
    return styled(_chart(rows, settings["margin"]), title, notes, described, width=WIDTH, height=row_height(len(rows)))


def _chart(rows: list[dict[str, Any]], margin: float | None) -> alt.LayerChart:
    system = choice("system")
    numbers = [alt.Tooltip(f"{name}:Q", format="+.4f") for name in ("expected", "low", "high")]
    base = alt.Chart(inline(rows)).encode(
        y=row_axis("pair", [row["pair"] for row in rows]),
        opacity=unless_chosen(system),
        tooltip=[alt.Tooltip("pair:N"), *numbers, alt.Tooltip("prob_superior:Q", format=".4f")],
    )
    x = alt.X("low:Q", title="difference of true means")
    fill: Any = alt.when("datum.sure").then(alt.value(PALETTE[0])).otherwise(alt.value("white"))
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("zero:Q"))
    ends = inline([{"from": -(margin or 0.0), "to": margin or 0.0}])
    band = alt.Chart(ends).mark_rect(color=QUIET, opacity=0.2).encode(x=alt.X("from:Q"), x2=alt.X2("to:Q"))
    return layered(
        *([] if margin is None else [band]),
        zero,
        base.mark_rule(color=QUIET, strokeWidth=1.4).encode(x=x, x2=alt.X2("high:Q")).add_params(system),
        base.mark_point(stroke=PALETTE[0], filled=True, size=34, strokeWidth=1.2).encode(
            x=alt.X("expected:Q"), fill=fill
        ),
    )

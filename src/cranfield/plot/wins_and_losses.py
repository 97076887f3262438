"""Where a system wins and loses against a baseline, and what its losses weigh."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.comparison.risk import Risk
from cranfield.errors import UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import INK, PALETTE, WIDTH, layered, styled


def wins_and_losses(result: Risk, system: str | None = None) -> alt.LayerChart:
    """Score of a system minus the baseline's on every topic, largest gain first; losses also as alpha weighs them.

    Args:
        result: of ``cranfield.comparison.estimate_risk``.
        system: which; the one with the largest URisk that is not the baseline, where None.

    Raises:
        UsageError: there is no such system.
    """
    names = list(result.systems["system"])
    chosen = next((name for name in names if name != result.baseline), names[0]) if system is None else system
    if chosen not in names:
        raise UsageError(f"no system is called {quoted(chosen)}")
    facts = result.systems.iloc[names.index(chosen)]
    mine = result.topics[result.topics["system"] == chosen].dropna(subset=["difference"])
    ordered = mine.sort_values("difference", ascending=False, kind="stable")
    rows: list[dict[str, Any]] = [
        {
            "topic": label(row["topic"]),
            "difference": row["difference"],
            "weighed": row["weighed"],
            "outcome": "loss" if row["difference"] < 0 else "gain",
        }
        for row in ordered.to_dict("records")
    ]
    alpha = result.settings["alpha"]
    baseline = label(result.baseline)
    title = f"{label(chosen)} against {baseline}, by topic"
    notes = [
        f"{label(result.measure)}; wins {facts['wins']}, ties {facts['ties']}, losses {facts['losses']}; "
        f"URisk {numeral(facts['urisk'], '+.3f')}, TRisk {numeral(facts['trisk'], '+.2f')}",
        f"outlined: losses weighed {1 + alpha:g} times",
    ]
    described = (
        f"{title}: {int(facts['wins'])} wins and {int(facts['losses'])} losses on {counted(len(rows), 'topic')}."
    )
    drawn = _bars(rows, label(result.measure))
    return styled(drawn, title, notes, described, width=WIDTH, height=240)


def _bars(rows: list[dict[str, Any]], measure: str) -> alt.LayerChart:
    """A bar for each topic, and an outline of what a loss weighs."""
    axis = alt.Axis(labelAngle=-90, labelFontSize=8.5, labelSeparation=0, labelOverlap="greedy")
    x = alt.X("topic:N", title="topic", scale=alt.Scale(domain=[row["topic"] for row in rows]), axis=axis)
    outcomes = alt.Scale(domain=["gain", "loss"], range=[PALETTE[0], PALETTE[1]])
    topic = choice("topic")
    bars = (
        alt.Chart(inline(rows))
        .mark_bar()
        .encode(
            x=x,
            y=alt.Y("difference:Q", title=f"difference of {measure}"),
            color=alt.Color("outcome:N", scale=outcomes, title="difference from the baseline"),
            opacity=unless_chosen(topic),
            tooltip=[
                alt.Tooltip("topic:N"),
                alt.Tooltip("difference:Q", format="+.4f"),
                alt.Tooltip("weighed:Q", format="+.4f"),
            ],
        )
        .add_params(topic)
    )
    losses = [row for row in rows if row["outcome"] == "loss"]
    weighed = (
        alt.Chart(inline(losses)).mark_bar(filled=False, stroke=INK, strokeWidth=0.8).encode(x=x, y=alt.Y("weighed:Q"))
    )
    zero = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK).encode(y=alt.Y("zero:Q"))
    return layered(bars, weighed, zero)

"""How well systems are ordered by a number of judgments, in several orders of judging."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from cranfield._text import counted, numeral
from cranfield._validation import word
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import QUIET, WIDTH, layered, series, styled
from cranfield.pooling.budget import Budget
from cranfield.statistics._numeric import finite


def budget(result: Budget, measure: str | None = None) -> alt.LayerChart:
    """A line for each order of judging: tau with all judgments by the number of judgments of each topic.

    Args:
        result: of ``cranfield.pooling.estimate_budget``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: another measure.
        InputError: no tau is defined.
    """
    names = list(dict.fromkeys(result.curve["measure"].tolist()))
    chosen = names[0] if measure is None else measure
    word("measure", chosen, names)
    curve = result.curve[result.curve["measure"] == chosen]
    finite(curve["tau"].tolist(), "tau is", "all systems have the same score")
    rows = [
        {"order": order, "budget": size, "tau": tau, "found": relevant}
        for order, size, tau, relevant in zip(
            curve["order"], curve["budget"], curve["tau"], curve["found"], strict=True
        )
        if math.isfinite(tau)
    ]
    settings, target = result.settings, result.settings["target"]
    title = f"Order of systems by {label(chosen)} with fewer judgments"
    notes = [
        f"tau_b with the order by all {counted(result.judged, 'judged document')}; dashed: {target:g}",
        f"pool of the first {settings['depth']:,} of each run; {counted(settings['draws'], 'draw')} of each order",
    ]
    needed = result.needed[result.needed["measure"] == chosen]
    described = f"{title}; judgments of a topic for a tau of {target:g}: " + "; ".join(
        f"{order} {numeral(size, '.0f')}" for order, size in zip(needed["order"], needed["budget"], strict=True)
    )
    chart = _chart(rows, settings["orders"], target)
    return styled(chart, title, notes, f"{described}.", width=WIDTH, height=230)


def _chart(rows: list[dict[str, Any]], orders: list[str], target: float) -> alt.LayerChart:
    look = series("order", orders, "order of judging", points=True)
    x = alt.X("budget:Q", title="judgments of each topic", scale=alt.Scale(type="log", nice=False, padding=8))
    y = alt.Y("tau:Q", title="tau_b", scale=alt.Scale(zero=False))
    base = alt.Chart(inline(rows)).encode(x=x, y=y, color=look.color)
    tooltip = [
        alt.Tooltip("order:N"),
        alt.Tooltip("budget:Q"),
        alt.Tooltip("tau:Q", format=".3f"),
        alt.Tooltip("found:Q", format=".1%"),
    ]
    rule = alt.Chart(inline([{"tau": target}])).mark_rule(strokeDash=[6, 3], color=QUIET).encode(y=alt.Y("tau:Q"))
    return layered(
        rule,
        base.mark_line().encode(strokeDash=look.dash),
        base.mark_point(size=30, filled=True, opacity=1).encode(shape=look.shape, tooltip=tooltip),
    )

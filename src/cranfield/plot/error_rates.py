"""Figure 2e of Gienapp et al. 2020: how often fewer topics would have led to a different conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

import altair as alt

from cranfield._text import numeral
from cranfield._validation import word
from cranfield.plot._data import inline, named
from cranfield.plot._names import label
from cranfield.plot._theme import PAPER, WIDTH, layered, series, styled
from cranfield.trust.stability import Stability

MOST = 0.5
"""Largest overlap of subsets at which a rate is reliable."""
RATES = {"error_rate": ("error rate", "error_se"), "tie_rate": ("tie rate", "tie_se")}


def error_rates(
    results: Stability | Mapping[str, Stability] | Iterable[Stability],
    *,
    rate: Literal["error_rate", "tie_rate"] = "error_rate",
) -> alt.LayerChart:
    """Error rates by number of topics, with two Monte-Carlo standard errors; hollow where subsets overlap too much.

    Args:
        results: of ``cranfield.trust.estimate_stability``, one, or several by name or in a list.
        rate: which of the two.

    Raises:
        UsageError: another rate, or no result.
    """
    word("rate", rate, RATES)
    what, error = RATES[rate]
    by_name = named(results)
    rows: list[dict[str, Any]] = []
    for name, result in by_name.items():
        for topics, row in zip(result.rates.index.tolist(), result.rates.to_dict("records"), strict=True):
            value, se = float(row[rate]), float(row[error])
            rows.append({"measure": label(name), "topics": topics, "rate": value, "overlap": float(row["overlap"])})
            rows[-1] |= {"low": value - 2 * se, "high": value + 2 * se}
    names = list(dict.fromkeys(row["measure"] for row in rows))
    first = next(iter(by_name.values())).settings
    most = max(row["topics"] for row in rows)
    whose = f" of {names[0]}" if len(names) == 1 else ""
    unit = str(next(iter(by_name.values())).rates.index.name)
    title = f"{what.capitalize()}{whose} by number of {unit}"
    notes = [
        f"{first['subsets']:,} subsets of up to {most} {unit}; ties: differences to {first['fuzziness']:.0%}",
        "bars: two standard errors; hollow: subsets overlap too much",
    ]
    ends = [row for row in rows if row["overlap"] <= MOST] or rows
    last = {row["measure"]: row for row in ends}
    described = f"{title}: " + "; ".join(
        f"{name} {numeral(row['rate'], '.3f')} at {row['topics']} {unit}" for name, row in last.items()
    )
    return styled(_chart(rows, names, what), title, notes, f"{described}.", width=WIDTH, height=230)


def _chart(rows: list[dict[str, Any]], names: list[str], what: str) -> alt.LayerChart:
    x = alt.X("topics:Q", title="topics", scale=alt.Scale(nice=False, padding=8))
    y = alt.Y("rate:Q", title=what)
    look = series("measure", names, "measure", points=True)
    base = alt.Chart(inline(rows)).encode(x=x, color=look.color)
    tooltip = [
        alt.Tooltip("measure:N"),
        alt.Tooltip("topics:Q"),
        alt.Tooltip("rate:Q", format=".4f"),
        alt.Tooltip("overlap:Q", format=".2f"),
    ]
    fill: Any = alt.when(f"datum.overlap <= {MOST}").then(look.color).otherwise(alt.value(PAPER))
    return layered(
        base.mark_line().encode(y=y, strokeDash=look.dash),
        base.mark_rule(strokeWidth=1).encode(y=alt.Y("low:Q", title=what), y2=alt.Y2("high:Q")),
        base.mark_point(size=30, opacity=1).encode(y=y, shape=look.shape, fill=fill, tooltip=tooltip),
    )

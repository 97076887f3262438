"""Means of systems by the values of a measure, and by the ranks of these among all attainable ones."""

from __future__ import annotations

import math

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.errors import InputError, UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import PALETTE, styled
from cranfield.trust.interval_scale import ScaleComparison

SIDE = 320


def scale_scatter(result: ScaleComparison, measure: str | None = None) -> alt.Chart:
    """A point for each system: its mean by a measure's values across, by their ranks up.

    Where all points rise to the right, both order the systems alike; where one lies lower than another on its left, the
    scale decides which of the two is better.

    Args:
        result: of ``cranfield.trust.compare_scales``.
        measure: which; the first, where None.

    Raises:
        UsageError: there is no such measure.
        InputError: no system has both means.
    """
    facts = {str(row["measure"]): row for row in result.measures.to_dict("records")}
    chosen = next(iter(facts)) if measure is None else measure
    if chosen not in facts:
        raise UsageError(f"no measure is called {quoted(chosen)}, only {', '.join(map(quoted, facts))}")
    systems = result.systems[result.systems["measure"] == chosen].to_dict("records")
    rows = [
        {"system": label(row["system"])} | {name: row[name] for name in ("mean", "mean_ranked")}
        for row in systems
        if math.isfinite(row["mean"]) and math.isfinite(row["mean_ranked"])
    ]
    if not rows:
        raise InputError(f"no system has a mean by {quoted(chosen)} and by its ranks")
    row, name = facts[chosen], label(chosen)
    title = f"{name} by its values and by their ranks"
    size = f"{row['fewest']:,}" if row["fewest"] == row["most"] else f"{row['fewest']:,} to {row['most']:,}"
    reversed_ = f"{row['reversed']:,} of {counted(row['pairs'], 'pair')}"
    notes = [
        f"{counted(len(rows), 'system')}; {size} values on a topic",
        f"tau_b {numeral(row['tau_b'], '.3f')}; in opposite order: {reversed_}",
    ]
    described = f"{title}: tau_b {numeral(row['tau_b'], '.3f')}, {reversed_} in opposite order."
    system = choice("system")
    scale = alt.Scale(zero=False, nice=True, padding=6)
    points: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(color=PALETTE[0])
        .encode(
            x=alt.X("mean:Q", title=f"mean {name}", scale=scale),
            y=alt.Y("mean_ranked:Q", title="mean rank among attainable values, 0 to 1", scale=scale),
            opacity=unless_chosen(system),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("mean:Q", format=".4f"),
                alt.Tooltip("mean_ranked:Q", format=".4f"),
            ],
        )
        .add_params(system)
    )
    return styled(points, title, notes, described, width=SIDE, height=SIDE)

"""Figure 2c of Gienapp et al. 2020 on negative labels: the rank of each system by one source against another."""

from __future__ import annotations

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.agreement.ranking_agreement import Agreement
from cranfield.errors import UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import PALETTE, QUIET, layered, styled

SIDE = 320


def rank_scatter(result: Agreement, source: str) -> alt.LayerChart:
    """A point for each system: its rank by the reference across, by another source up; 1 is best.

    Args:
        result: of ``cranfield.compare_rankings``.
        source: one of its sources.

    Raises:
        UsageError: an unknown source.
    """
    if source not in result.ranks.columns:
        raise UsageError(f"no source is called {quoted(source)}")
    ours, theirs = result.ranks[result.reference], result.ranks[source]
    rows = [
        {"system": label(name), "reference": before, "rank": after, "moved": before - after}
        for name, before, after in zip(result.ranks.index, ours, theirs, strict=True)
    ]
    reference_name, source_name = label(result.reference), label(source)
    tau = float(result.tau_b[source][result.reference])
    moved = max(rows, key=lambda row: abs(row["moved"]))
    title = f"Ranks by {source_name} against {reference_name}"
    notes = [
        f"{counted(len(rows), 'system')}; tau_b = {numeral(tau, '.3f')}",
        f"largest change: {moved['system']}, {moved['moved']:+d}" if moved["moved"] else "no system changes its rank",
    ]
    system = choice("system")
    scale = alt.Scale(domain=[1, len(rows)], reverse=True, nice=False, padding=6)
    points = (
        alt.Chart(inline(rows))
        .mark_point(color=PALETTE[0])
        .encode(
            x=alt.X("reference:Q", title=f"rank by {reference_name}", scale=scale),
            y=alt.Y("rank:Q", title=f"rank by {source_name}", scale=scale),
            opacity=unless_chosen(system),
            tooltip=[
                alt.Tooltip("system:N"),
                alt.Tooltip("reference:Q"),
                alt.Tooltip("rank:Q"),
                alt.Tooltip("moved:Q"),
            ],
        )
        .add_params(system)
    )
    ends = inline([{"at": 1}, {"at": len(rows)}])
    diagonal = (
        alt.Chart(ends)
        .mark_line(color=QUIET, strokeDash=[4, 3], strokeWidth=1)
        .encode(x=alt.X("at:Q"), y=alt.Y("at:Q"))
    )
    change = f"{moved['system']} changes most, by {moved['moved']:+d} ranks" if moved["moved"] else notes[1]
    described = f"{title}: tau_b {numeral(tau, '.3f')}; {change}."
    return styled(layered(diagonal, points), title, notes, described, width=SIDE, height=SIDE)

"""What each run would score had its team not taken part in the pool."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral
from cranfield._validation import word
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import PALETTE, WIDTH, styled
from cranfield.pooling.reusability import Reusability
from cranfield.statistics._numeric import finite


def reusability(result: Reusability, measure: str | None = None) -> alt.Chart:
    """A point for each run in the line of its team: what it loses without the documents that only its team found.

    Args:
        result: of ``cranfield.pooling.estimate_reusability``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: another measure.
        InputError: no drop is defined.
    """
    chosen = result.measures["measure"].iloc[0] if measure is None else measure
    word("measure", chosen, result.measures["measure"].tolist())
    runs = result.runs[result.runs["measure"] == chosen]
    finite(runs["drop"].tolist(), "drop is", "every score is undefined")
    rows = [
        {"team": label(team), "run": label(run), "drop": drop, "place": rank, "place without": rank_without}
        for team, run, drop, rank, rank_without in zip(
            runs["team"], runs["run"], runs["drop"], runs["place"], runs["place_without"], strict=True
        )
    ]
    means = runs.groupby("team", sort=False)["drop"].mean().sort_values(ascending=False, kind="stable")
    order = [label(team) for team in means.index]
    depth = result.settings["depth"]
    summary = result.measures.set_index("measure").loc[chosen].to_dict()
    title = f"{label(str(chosen))} lost by runs whose team is left out of the pool"
    notes = [
        f"{counted(len(runs), 'run')} of {counted(len(order), 'team')}, pool of the first {depth:,}; "
        f"{result.unique:,} of {counted(result.judged, 'judged document')} of one team only",
        f"mean drop {numeral(summary['mean_drop'], '.4f')}; mean fall {numeral(summary['mean_fall'], '.1f')} places, "
        f"largest {summary['max_fall']}",
    ]
    described = f"{title}; mean drops: " + "; ".join(
        f"{label(team)} {numeral(drop, '.4f')}" for team, drop in means.items()
    )
    return styled(_chart(rows, order), title, notes, f"{described}.", width=WIDTH, height=alt.Step(16))


def _chart(rows: list[dict[str, Any]], order: list[str]) -> alt.Chart:
    axis = alt.Axis(grid=True, labelOverlap=False)
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(size=40, opacity=0.9, color=PALETTE[0])
        .encode(
            x=alt.X("drop:Q", title="drop (right: the run looks worse than it is)", scale=alt.Scale(zero=True)),
            y=alt.Y("team:N", title=None, scale=alt.Scale(domain=order), axis=axis),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("drop:Q", format=".4f"),
                alt.Tooltip("place:Q"),
                alt.Tooltip("place without:Q"),
            ],
        )
    )
    return chart

"""Which significant differences of a measure hold whatever the measure."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral
from cranfield.comparison.innate_shares import InnateShares
from cranfield.errors import InputError
from cranfield.plot._data import inline, row_axis, row_height
from cranfield.plot._names import label
from cranfield.plot._theme import PALETTE, styled

WIDTH = 400
CONCLUSIONS = {
    "unturnable": "no measure can turn it",
    "supported": "supported by innate verdicts",
    "own": "the measure's own",
    "opposed": "opposed by innate verdicts",
}


def innate_shares(result: InnateShares) -> alt.Chart:
    """A bar for each measure: its significant differences, by what every consistent measure says of them.

    Args:
        result: of ``cranfield.comparison.compute_innate_shares``.

    Raises:
        InputError: no measure has a significant difference.
    """
    counts = result.pairs.groupby(["measure", "conclusion"]).size()
    rows: list[dict[str, Any]] = [
        {
            "measure": label(measure),
            "conclusion": words,
            "pairs": int(counts.get((measure, conclusion), 0)),
            "part": part,
        }
        for measure in result.table["measure"]
        for part, (conclusion, words) in enumerate(CONCLUSIONS.items())
    ]
    if not any(row["pairs"] for row in rows):
        raise InputError("no measure has a significant difference between two systems", code="no-scores")
    facts = result.table.to_dict("records")
    title = "Differences that hold whatever the measure"
    notes = [
        f"significant differences of {counted(int(facts[0]['pairs']), 'pair')} of systems: paired t-test, "
        f"alpha={result.settings['alpha']:g}, not corrected",
        "each measure beside all consistent ones that read as many ranks",
    ]
    told = "; ".join(
        f"{label(row['measure'])} {row['unturnable']:,} of {row['significant']:,}, "
        f"innate share {numeral(row['innate'], '.2f')}"
        for row in facts[:10]
    )
    described = f"{title}. Measure, differences that no measure can turn, of all significant ones: {told}."
    return styled(_chart(rows), title, notes, described, width=WIDTH, height=row_height(len(facts)))


def _chart(rows: list[dict[str, Any]]) -> alt.Chart:
    domain = list(CONCLUSIONS.values())
    scale = alt.Scale(domain=domain, range=[PALETTE[0], PALETTE[5], "#d0d0d0", PALETTE[1]])
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_bar(stroke="white", strokeWidth=0.6)
        .encode(
            x=alt.X("pairs:Q", title="pairs of systems"),
            y=row_axis("measure", list(dict.fromkeys(row["measure"] for row in rows))),
            color=alt.Color("conclusion:N", title=None, scale=scale),
            order=alt.Order("part:Q"),
            tooltip=[alt.Tooltip("measure:N"), alt.Tooltip("conclusion:N"), alt.Tooltip("pairs:Q", format=",")],
        )
    )
    return chart

"""How far an effect was reproduced, absolutely and relatively."""

from __future__ import annotations

import math
from typing import Any

import altair as alt

from cranfield._text import counted
from cranfield.comparison.reproduction import Reproduction
from cranfield.errors import InputError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import INK, PALETTE, layered, styled

SIZE = 320


def reproduced_effects(result: Reproduction) -> alt.LayerChart:
    """Effect ratio by delta RI, a point a measure; a perfect reproduction of the effect lies where the lines cross.

    Right of the vertical line the effect is stronger than in the original, left of it weaker, and absent at 0 or less.
    Above the horizontal line the improvement is smaller relative to its baseline, below it larger.

    Args:
        result: of ``cranfield.comparison.compare_reproduction``.

    Raises:
        InputError: of no measure both numbers are defined.
    """
    effects = result.effects.to_dict("records")
    rows: list[dict[str, Any]] = [
        {"measure": label(row["measure"]), "effect_ratio": row["effect_ratio"], "delta_ri": row["delta_ri"]}
        for row in effects
        if math.isfinite(row["effect_ratio"]) and math.isfinite(row["delta_ri"])
    ]
    if not rows:
        raise InputError(
            "effect ratio and delta RI are defined for no measure: the original has no effect, or scores 0"
        )
    notes = ["where the lines cross: the effect of the original; at a ratio of 0 or less: none"]
    if len(rows) < len(effects):
        notes.append(f"not drawn: {counted(len(effects) - len(rows), 'measure')} for which one of both is undefined")
    title = "Has the effect been reproduced?"
    told = "; ".join(f"{row['measure']} {row['effect_ratio']:.3f} and {row['delta_ri']:+.3f}" for row in rows[:8])
    described = f"{title} Effect ratio and delta RI by measure: {told}."
    return styled(_chart(rows), title, notes, described, width=SIZE, height=SIZE)


def _chart(rows: list[dict[str, Any]]) -> alt.LayerChart:
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("effect_ratio:Q", title="effect ratio", scale=alt.Scale(zero=True, nice=True)),
        y=alt.Y("delta_ri:Q", title="delta RI (original less reproduction)", scale=alt.Scale(zero=True, nice=True)),
        tooltip=[
            alt.Tooltip("measure:N"),
            alt.Tooltip("effect_ratio:Q", format=".4f"),
            alt.Tooltip("delta_ri:Q", format="+.4f"),
        ],
    )
    same = alt.Chart(inline([{"ratio": 1.0, "delta": 0.0}]))
    return layered(
        same.mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("ratio:Q")),
        same.mark_rule(color=INK, strokeDash=[4, 2]).encode(y=alt.Y("delta:Q")),
        base.mark_point(stroke=PALETTE[0], fill=PALETTE[0], size=50),
        base.mark_text(align="left", dx=7, color=INK).encode(text=alt.Text("measure:N")),
    )

"""Figure 2f of Gienapp et al. 2020, Sakai's ASL curves: the share of pairs that is significant at each level."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._message import name_value
from cranfield._text import counted, drawn, numeral
from cranfield.errors import UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import QUIET, WIDTH, layered, series, styled
from cranfield.statistics.ecdf import steps
from cranfield.trust.sensitivity import Sensitivity


def asl_curves(result: Sensitivity, *, up_to: float = 0.2) -> alt.LayerChart:
    """Share of the pairs of systems whose achieved significance level is at most x: the higher, the more sensitive.

    The height of a curve at the dashed line, alpha, is the measure's discriminative power.

    Args:
        result: of ``cranfield.trust.estimate_sensitivity``.
        up_to: largest level shown, in (0, 1].

    Raises:
        UsageError: a level outside its range.
    """
    if not 0 < up_to <= 1:
        raise UsageError(f"up_to={name_value(up_to)} should lie in (0, 1]")
    names = [label(name) for name in result.asl.columns]
    rows = [
        {"measure": name, "asl": level, "share": share}
        for name, measure in zip(names, result.asl.columns, strict=True)
        for level, share in steps(result.asl[measure].to_numpy(), up_to)
    ]
    alpha, settings = result.settings["alpha"], result.settings
    pairs = len(result.asl)
    title = "Pairs of systems distinguished, by significance level"
    notes = [
        f"{counted(pairs, 'pair')}; test={settings['test']}{drawn(settings)}, uncorrected",
        f"dashed: alpha = {alpha:g}, where the height of a curve is discriminative power",
    ]
    power = "; ".join(f"{label(name)} {numeral(value, '.3f')}" for name, value in result.table["power"].items())
    described = f"{title}. Discriminative power at {alpha:g}: {power}."
    return styled(_chart(rows, names, alpha, up_to), title, notes, described, width=WIDTH, height=230)


def _chart(rows: list[dict[str, Any]], names: list[str], alpha: float, up_to: float) -> alt.LayerChart:
    look = series("measure", names, "measure", points=False)
    curves = (
        alt.Chart(inline(rows))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("asl:Q", title="achieved significance level", scale=alt.Scale(domain=[0, up_to])),
            y=alt.Y("share:Q", title="share of pairs", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
            tooltip=[
                alt.Tooltip("measure:N"),
                alt.Tooltip("asl:Q", format=".4f"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
            color=look.color,
            strokeDash=look.dash,
        )
    )
    line = alt.Chart(inline([{"alpha": alpha}])).mark_rule(color=QUIET, strokeDash=[4, 3]).encode(x=alt.X("alpha:Q"))
    return layered(line, curves)

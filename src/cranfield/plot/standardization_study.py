"""Figures 2 and 3 of Urbano et al. 2019: the effect of schemes on correlations and on tests."""

from __future__ import annotations

from typing import Any

import altair as alt
import numpy as np

from cranfield._text import numeral
from cranfield._typing import Floats
from cranfield.errors import InputError
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import QUIET, WIDTH, layered, series, styled
from cranfield.standardization.study import StandardizationStudy

BINS = 40
"""At most; fewer trials fill fewer."""
CORRELATIONS = {"tau_b": "tau_b", "tau_ap_b": "tau_ap,b"}
RATES = {"type_1": "Type I error rate", "power": "power"}


def standardization_study(result: StandardizationStudy) -> alt.VConcatChart:
    """Distributions of the correlations over trials with ticks at their means, then error rate and power by level.

    Within a collection correlations are those of standardized with raw scores, between collections those of the two
    collections under one scheme.

    Args:
        result: of ``cranfield.standardization.study_standardization``.

    Raises:
        InputError: nothing that it shows is defined.
    """
    names = [label(scheme) for scheme in result.schemes]
    summary = result.summary()
    panels: list[alt.LayerChart] = []
    for field, what in CORRELATIONS.items():
        varying = [scheme for scheme in range(len(names)) if not _constant(result.trials[field].to_numpy()[scheme])]
        if varying:
            panels.append(_density(result.trials[field].to_numpy(), names, varying, what))
    for field, what in RATES.items():
        if field in result.trials:
            rows = summary[summary["statistic"] == field].to_dict("records")
            if any(np.isfinite(row["mean"]) for row in rows):
                panels.append(_rates(rows, names, what, field == "type_1"))
    if not panels:
        raise InputError("correlations, error rate and power are undefined: systems do not differ in any trial")
    trials = result.trials.sizes["trial"]
    title = f"Standardization of {label(result.signature['measure'])} {result.design} collections"
    notes = [f"{trials:,} trials of {result.topics} topics, seed {result.seed}", "ticks: means over trials"]
    means = summary[summary["statistic"] == "tau_b"]
    taus = "; ".join(f"{label(row['scheme'])} {numeral(row['mean'], '.3f')}" for row in means.to_dict("records"))
    chart: alt.VConcatChart = alt.vconcat(*panels, spacing=18)
    return styled(chart, title, notes, f"{title}. Mean tau_b: {taus}.")


def _constant(values: Floats) -> bool:
    """Raw scores agree with themselves in every trial; where there is none, there is no distribution either."""
    defined = values[~np.isnan(values)]
    return not len(defined) or bool(defined.max() == defined.min())


def _density(values: Floats, names: list[str], varying: list[int], what: str) -> alt.LayerChart:
    """Shares of trials in bins of one width, as lines; ticks at the means."""
    drawn = values[varying]
    bins = min(BINS, max(8, round(drawn.shape[1] ** 0.5)))
    edges = np.linspace(np.nanmin(drawn), np.nanmax(drawn), bins + 1)
    rows: list[dict[str, Any]] = []
    for scheme in varying:
        row = values[scheme][~np.isnan(values[scheme])]
        share = np.histogram(row, edges)[0] / len(row)
        middles = (edges[:-1] + edges[1:]) / 2
        rows += [{"scheme": names[scheme], "value": x, "share": y} for x, y in zip(middles, share, strict=True)]
    means = [{"scheme": names[scheme], "value": float(np.nanmean(values[scheme]))} for scheme in varying]
    look = series("scheme", names, "scheme", points=False)
    x = alt.X("value:Q", title=what, scale=alt.Scale(zero=False, nice=False))
    lines = alt.Chart(inline(rows)).mark_line(strokeWidth=1.3)
    return layered(
        lines.encode(x=x, y=alt.Y("share:Q", title="share of trials"), color=look.color, strokeDash=look.dash),
        alt.Chart(inline(means))
        .mark_point(shape="stroke", angle=90, size=180, strokeWidth=2)
        .encode(
            x=x,
            y=alt.value(125),
            color=look.color,
            tooltip=[alt.Tooltip("scheme:N"), alt.Tooltip("value:Q", format=".4f")],
        ),
    ).properties(width=WIDTH, height=130)


def _rates(means: list[dict[Any, Any]], names: list[str], what: str, diagonal: bool) -> alt.LayerChart:
    rows = [{"scheme": label(row["scheme"]), "alpha": row["alpha"], "rate": row["mean"]} for row in means]
    look = series("scheme", names, "scheme", points=False)
    x, y = alt.X("alpha:Q", title="level alpha"), alt.Y("rate:Q", title=what, scale=alt.Scale(zero=diagonal))
    lines = alt.Chart(inline(rows)).mark_line(strokeWidth=1.4).encode(x=x, y=y, color=look.color, strokeDash=look.dash)
    layers: list[alt.Chart] = [
        lines.encode(tooltip=[alt.Tooltip("scheme:N"), alt.Tooltip("alpha:Q"), alt.Tooltip("rate:Q", format=".4f")])
    ]
    if diagonal:
        ends = inline([{"alpha": 0.0, "rate": 0.0}, {"alpha": 0.1, "rate": 0.1}])
        layers.insert(0, alt.Chart(ends).mark_line(color=QUIET, strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y))
    return layered(*layers).properties(width=WIDTH, height=130)

"""Charts of studies of measures and tests: reliability, power and errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from cranfield._message import name_value
from cranfield._text import counted, numeral
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.charts.measures import RATES, RELIABILITY, chart_reliability, chart_sensitivity, chart_stability
from cranfield.comparison.reproduction import Reproduction
from cranfield.errors import InputError, UsageError
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline, named
from cranfield.plot._forms import draw_lines
from cranfield.plot._names import label
from cranfield.plot._scatter import SIDE
from cranfield.plot._theme import INK, PALETTE, QUIET, WIDTH, layered, series, styled
from cranfield.standardization.study import StandardizationStudy
from cranfield.trust.reliability import Reliability
from cranfield.trust.sensitivity import Sensitivity
from cranfield.trust.stability import Stability

# ---- How reliable scores would be with another number of topics: the curves of a D-study.


def d_study(
    results: Reliability | Mapping[str, Reliability] | Iterable[Reliability],
    *,
    coefficient: Literal["Erho2", "Phi"] = "Phi",
) -> alt.LayerChart:
    """Reliability by number of topics: of one measure Erho2 and Phi with their intervals, of several one coefficient.

    Args:
        results: of ``cranfield.trust.estimate_reliability``, one, or several by name or in a list.
        coefficient: of several results.

    Raises:
        UsageError: another coefficient, or no result.
        InputError: no coefficient is defined.
    """
    word("coefficient", coefficient, RELIABILITY)
    form = chart_reliability(named(results), coefficient)
    return draw_lines(form, alt.Scale(nice=False), alt.Scale(zero=False))


# ---- Figure 2f of Gienapp et al. 2020, Sakai's ASL curves: the share of pairs that is significant at each level.


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
    return draw_lines(chart_sensitivity(result, up_to), alt.Scale(domain=[0, up_to]), alt.Scale(zero=False))


# ---- Figure 2e of Gienapp et al. 2020: how often fewer topics would have led to a different conclusion.


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
    return draw_lines(chart_stability(named(results), rate), alt.Scale(nice=False, zero=False, padding=8), alt.Scale())


# ---- Figures 2 and 3 of Urbano et al. 2019: the effect of schemes on correlations and on tests.


BINS = 40
"""At most; fewer trials fill fewer."""
CORRELATIONS = {"tau_b": "tau_b", "tau_ap_b": "tau_ap,b"}
TEST_RATES = {"type_1": "Type I error rate", "power": "power"}


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
    for field, what in TEST_RATES.items():
        if field in result.trials:
            rows = summary[summary["statistic"] == field].to_dict("records")
            if any(np.isfinite(row["mean"]) for row in rows):
                panels.append(_rates(rows, names, what, field == "type_1"))
    if not panels:
        raise InputError("correlations, error rate and power are undefined: systems do not differ in any trial")
    trials = result.trials.sizes["trial"]
    title = f"Standardization of {label(result.signature['measure'])} {result.design} collections"
    notes = [f"{trials:,} trials of {result.n_topics} topics, seed {result.seed}", "ticks: means over trials"]
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
            tooltip=[*hover("scheme:N"), *hover("value:Q", form=".4f")],
        ),
    ).properties(width=WIDTH, height=130)


def _rates(means: list[dict[Any, Any]], names: list[str], what: str, diagonal: bool) -> alt.LayerChart:
    rows = [{"scheme": label(row["scheme"]), "alpha": row["alpha"], "rate": row["mean"]} for row in means]
    look = series("scheme", names, "scheme", points=False)
    x, y = alt.X("alpha:Q", title="level alpha"), alt.Y("rate:Q", title=what, scale=alt.Scale(zero=diagonal))
    lines = alt.Chart(inline(rows)).mark_line(strokeWidth=1.4).encode(x=x, y=y, color=look.color, strokeDash=look.dash)
    layers: list[alt.Chart] = [lines.encode(tooltip=[*hover("scheme:N", "alpha:Q"), *hover("rate:Q", form=".4f")])]
    if diagonal:
        ends = inline([{"alpha": 0.0, "rate": 0.0}, {"alpha": 0.1, "rate": 0.1}])
        layers.insert(0, alt.Chart(ends).mark_line(color=QUIET, strokeDash=[4, 3], strokeWidth=1).encode(x=x, y=y))
    return layered(*layers).properties(width=WIDTH, height=130)


# ---- How far an effect was reproduced, absolutely and relatively.


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
    examples = "; ".join(f"{row['measure']} {row['effect_ratio']:.3f} and {row['delta_ri']:+.3f}" for row in rows[:8])
    described = f"{title} Effect ratio and delta RI by measure: {examples}."
    return styled(_draw_reproduced_effects(rows), title, notes, described, width=SIDE, height=SIDE)


def _draw_reproduced_effects(rows: list[dict[str, Any]]) -> alt.LayerChart:
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("effect_ratio:Q", title="effect ratio", scale=alt.Scale(zero=True, nice=True)),
        y=alt.Y("delta_ri:Q", title="delta RI (original minus reproduction)", scale=alt.Scale(zero=True, nice=True)),
        tooltip=[*hover("measure:N"), *hover("effect_ratio:Q", form=".4f"), *hover("delta_ri:Q", form="+.4f")],
    )
    same = alt.Chart(inline([{"ratio": 1.0, "delta": 0.0}]))
    return layered(
        same.mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("ratio:Q")),
        same.mark_rule(color=INK, strokeDash=[4, 2]).encode(y=alt.Y("delta:Q")),
        base.mark_point(stroke=PALETTE[0], fill=PALETTE[0], size=50),
        base.mark_text(align="left", dx=7, color=INK).encode(text=alt.Text("measure:N")),
    )

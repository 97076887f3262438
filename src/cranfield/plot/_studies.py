"""Charts of studies of measures and tests: reliability, power and errors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np

from cranfield._message import name_value
from cranfield._text import counted, drawn, numeral
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.comparison.reproduction import Reproduction
from cranfield.errors import InputError, UsageError
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline, named
from cranfield.plot._names import label
from cranfield.plot._scatter import SIDE
from cranfield.plot._theme import INK, PALETTE, PAPER, QUIET, WIDTH, layered, series, styled
from cranfield.standardization.study import StandardizationStudy
from cranfield.statistics.ecdf import steps
from cranfield.statistics.numeric import finite
from cranfield.trust.reliability import Reliability
from cranfield.trust.sensitivity import Sensitivity
from cranfield.trust.stability import Stability

# ---- How reliable scores would be with another number of topics: the curves of a D-study.


COEFFICIENTS = {"Erho2": "of the order of systems", "Phi": "of the scores themselves"}


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
    word("coefficient", coefficient, COEFFICIENTS)
    by_name = named(results)
    alone = len(by_name) == 1
    rows: list[dict[str, Any]] = []
    for name, result in by_name.items():
        for which in COEFFICIENTS if alone else (coefficient,):
            for topics, row in result.curve.iterrows():
                ends = {"low": row[f"{which}_low"], "high": row[f"{which}_high"]}
                rows.append({"series": which if alone else label(name), "topics": topics, "value": row[which]} | ends)
    finite([row["value"] for row in rows], "reliability is", "systems have the same score on every topic")
    names = list(dict.fromkeys(row["series"] for row in rows))
    first = next(iter(by_name.values()))
    target = first.settings["target"]
    whose = label(next(iter(by_name))) if alone else coefficient
    title = f"Reliability of {whose} by number of topics" if alone else f"Reliability {whose} by number of topics"
    level = first.settings["level"]
    systems = counted(len(first.systems), "system")
    kind = "Erho2: of the order; Phi: of the scores" if alone else f"{coefficient}: {COEFFICIENTS[coefficient]}"
    notes = [f"{systems}; {kind}", f"dashed: target {target:g}" + (f"; bands: {level:.0%} intervals" if alone else "")]
    needed = [
        f"{label(name)}: {numeral(result.needed['Phi' if alone else coefficient], ',.0f')}"
        for name, result in by_name.items()
    ]
    described = f"{title}. Topics needed for {target:g}: {'; '.join(needed)}."
    return styled(_draw_d_study(rows, names, target, bands=alone), title, notes, described, width=WIDTH, height=230)


def _draw_d_study(rows: list[dict[str, Any]], names: list[str], target: float, *, bands: bool) -> alt.LayerChart:
    x = alt.X("topics:Q", title="topics", scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title="coefficient", scale=alt.Scale(zero=False))
    look = series("series", names, "coefficient" if bands else "measure", points=True)
    base = alt.Chart(inline(rows)).encode(x=x)
    layers: list[alt.Chart] = [
        alt.Chart(inline([{"target": target}])).mark_rule(color=QUIET, strokeDash=[4, 3]).encode(y=alt.Y("target:Q"))
    ]
    if bands:
        band = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", title="coefficient"), y2=alt.Y2("high:Q"))
        layers.append(band.encode(color=look.color))
    tooltip = [*hover("series:N", "topics:Q"), *hover("value:Q", "low:Q", "high:Q", form=".3f")]
    layers.append(base.mark_line().encode(y=y, color=look.color, strokeDash=look.dash))
    marks = base.mark_point(size=30, filled=True, opacity=1)
    layers.append(marks.encode(y=y, color=look.color, shape=look.shape, tooltip=tooltip))
    return layered(*layers)


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
    return styled(_draw_asl_curves(rows, names, alpha, up_to), title, notes, described, width=WIDTH, height=230)


def _draw_asl_curves(rows: list[dict[str, Any]], names: list[str], alpha: float, up_to: float) -> alt.LayerChart:
    look = series("measure", names, "measure", points=False)
    curves = (
        alt.Chart(inline(rows))
        .mark_line(interpolate="step-after")
        .encode(
            x=alt.X("asl:Q", title="achieved significance level", scale=alt.Scale(domain=[0, up_to])),
            y=alt.Y("share:Q", title="share of pairs", axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
            tooltip=[*hover("measure:N"), *hover("asl:Q", form=".4f"), *hover("share:Q", form=".1%")],
            color=look.color,
            strokeDash=look.dash,
        )
    )
    line = alt.Chart(inline([{"alpha": alpha}])).mark_rule(color=QUIET, strokeDash=[4, 3]).encode(x=alt.X("alpha:Q"))
    return layered(line, curves)


# ---- Figure 2e of Gienapp et al. 2020: how often fewer topics would have led to a different conclusion.


MOST = 0.5
"""Largest overlap of subsets at which a rate is reliable."""
ERROR_RATES = {"error_rate": ("error rate", "error_se"), "tie_rate": ("tie rate", "tie_se")}


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
    word("rate", rate, ERROR_RATES)
    what, error = ERROR_RATES[rate]
    by_name = named(results)
    rows: list[dict[str, Any]] = []
    for name, result in by_name.items():
        for topics, row in zip(result.rates.index.tolist(), result.rates.to_dict("records"), strict=True):
            interval = {"low": row[rate] - 2 * row[error], "high": row[rate] + 2 * row[error]}
            facts = {"measure": label(name), "topics": topics, "rate": row[rate], "overlap": row["overlap"]}
            rows.append(facts | interval)
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
    return styled(_draw_error_rates(rows, names, what), title, notes, f"{described}.", width=WIDTH, height=230)


def _draw_error_rates(rows: list[dict[str, Any]], names: list[str], what: str) -> alt.LayerChart:
    x = alt.X("topics:Q", title="topics", scale=alt.Scale(nice=False, padding=8))
    y = alt.Y("rate:Q", title=what)
    look = series("measure", names, "measure", points=True)
    base = alt.Chart(inline(rows)).encode(x=x, color=look.color)
    tooltip = [*hover("measure:N", "topics:Q"), *hover("rate:Q", form=".4f"), *hover("overlap:Q", form=".2f")]
    fill: Any = alt.when(f"datum.overlap <= {MOST}").then(look.color).otherwise(alt.value(PAPER))
    return layered(
        base.mark_line().encode(y=y, strokeDash=look.dash),
        base.mark_rule(strokeWidth=1).encode(y=alt.Y("low:Q", title=what), y2=alt.Y2("high:Q")),
        base.mark_point(size=30, opacity=1).encode(y=y, shape=look.shape, fill=fill, tooltip=tooltip),
    )


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
        y=alt.Y("delta_ri:Q", title="delta RI (original less reproduction)", scale=alt.Scale(zero=True, nice=True)),
        tooltip=[*hover("measure:N"), *hover("effect_ratio:Q", form=".4f"), *hover("delta_ri:Q", form="+.4f")],
    )
    same = alt.Chart(inline([{"ratio": 1.0, "delta": 0.0}]))
    return layered(
        same.mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("ratio:Q")),
        same.mark_rule(color=INK, strokeDash=[4, 2]).encode(y=alt.Y("delta:Q")),
        base.mark_point(stroke=PALETTE[0], fill=PALETTE[0], size=50),
        base.mark_text(align="left", dx=7, color=INK).encode(text=alt.Text("measure:N")),
    )

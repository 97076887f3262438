"""Charts of pairs of systems: differences, and how sure they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cranfield._text import counted, listed, numeral, quoted, suggest
from cranfield.charts.pairs import chart_pair_bars, chart_topic_scatter
from cranfield.comparison.comparison_text import describe_scope
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.comparison.paper_table import CORRECTIONS, TESTS
from cranfield.comparison.posterior import Posterior
from cranfield.comparison.result import Comparison
from cranfield.comparison.risk import Risk
from cranfield.errors import InputError, UsageError
from cranfield.information.difference import InformationDifference
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline, row_axis, row_height, topic_axis
from cranfield.plot._forms import draw_bars, draw_points
from cranfield.plot._names import label
from cranfield.plot._scatter import SIDE
from cranfield.plot._theme import INK, PALETTE, PAPER, QUIET, WIDTH, choice, layered, series, styled, unless_chosen
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import open_scores
from cranfield.statistics.numeric import finite
from cranfield.statistics.test_names import SIMULTANEOUS

# ---- Differences of mean scores with the intervals of the test that was made.


PANEL_WIDTH = 380
MOST = 250
"""Pairs that are drawn."""
INTERVALS = {
    "simultaneous": "intervals that hold together, so that those without 0 are significant",
    "bonferroni": "intervals that hold together",
    "t": "intervals of each pair by itself",
    "percentile": "intervals of each pair by itself",
    "bca": "intervals of each pair by itself",
}


def difference_intervals(result: Comparison) -> alt.LayerChart:
    """The mean difference of each pair of a comparison with its interval, the largest gain on top.

    Compared with one baseline, a row is a system and a difference is its mean minus the baseline's. Filled points are
    significant, hollow ones are not.

    Args:
        result: of ``cranfield.compare``, best with ``baseline``.

    Raises:
        InputError: no difference is defined.
        UsageError: more pairs than can be read.
    """
    if len(result.pairs) > MOST:
        pairs = counted(len(result.pairs), "pair")
        raise UsageError(f"{pairs} cannot be read in one chart: compare with baselines, at most {MOST} pairs")
    baselines = result.settings["baseline"]
    finite(result.pairs["difference"], "differences are", "no pair has scores on the same topics")
    every = [_row(pair, baselines) for pair in result.pairs.to_dict("records")]
    rows = sorted((row for row in every if math.isfinite(row["difference"])), key=lambda row: -row["difference"])
    level, significant = f"{1 - result.settings['alpha']:.0%}", sum(row["significant"] for row in rows)
    against = f" from {label(baselines[0])}" if len(baselines) == 1 else ""
    title = f"Differences{against} by {label(result.measure)}"
    conclusion = f"{significant:,} of {counted(len(rows), 'difference')} significant"
    kind = INTERVALS[result.settings["interval"]]
    notes = [f"{conclusion} (filled points)", _test(result.settings), f"lines: {level} {kind}"]
    examples = "; ".join(
        f"{row['pair']} {row['difference']:+.4f} ({numeral(row['low'], '+.4f')} to {numeral(row['high'], '+.4f')})"
        for row in rows[:5]
    )
    described = f"{title}: {conclusion}. The largest: {examples}."
    fill = alt.when("datum.significant").then(alt.value(PALETTE[0])).otherwise(alt.value(PAPER))
    tooltip = [
        *hover("system:N", "other:N"),
        *hover("difference:Q", "low:Q", "high:Q", form="+.4f"),
        *hover("p_adjusted:Q", form=".4f"),
        *hover("significant:N"),
    ]
    chart = layered(*_draw_intervals(rows, "difference", "difference of means", fill, tooltip))
    return styled(chart, title, notes, described, width=PANEL_WIDTH, height=row_height(len(rows)))


def _test(settings: dict[str, Any]) -> str:
    corrected = (
        "" if settings["test"] in SIMULTANEOUS else f", {CORRECTIONS[settings['correction']]}{describe_scope(settings)}"
    )
    return f"{TESTS[settings['test']]}{corrected}"


def _row(pair: dict[Any, Any], baselines: list[str]) -> dict[str, Any]:
    """A pair as it is drawn: the baseline, where there is one, is what is subtracted."""
    swapped = len(baselines) > 0 and pair["system"] in baselines and pair["other"] not in baselines
    sign = -1.0 if swapped else 1.0
    system, other = (label(pair[name]) for name in (("other", "system") if swapped else ("system", "other")))
    ends = sorted((sign * pair["low"], sign * pair["high"]))
    return {
        "pair": system if len(baselines) == 1 else f"{system} - {other}",
        "system": system,
        "other": other,
        "difference": sign * pair["difference"],
        "low": ends[0],
        "high": ends[1],
        "p_adjusted": pair["p_adjusted"],
        "significant": bool(pair["significant"]),
    }


def _draw_intervals(
    rows: list[dict[str, Any]], point: str, title: str, fill: Any, tooltip: list[alt.Tooltip]
) -> list[alt.Chart]:
    """Return the layers of a row for each pair: a line at 0, the interval, and the point in it.

    Args:
        rows: with ``pair``, ``system``, ``low`` and ``high``.
        point: their field of the point.
        title: of the axis.
        fill: of the points, by what is sure.
        tooltip: fields that it shows.
    """
    system = choice("system")
    y = row_axis("pair", [row["pair"] for row in rows])
    base = alt.Chart(inline(rows)).encode(y=y, opacity=unless_chosen(system), tooltip=tooltip)
    x = alt.X("low:Q", title=title)
    points = base.mark_point(stroke=PALETTE[0], filled=True, size=34, strokeWidth=1.2)
    return [
        alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK, strokeDash=[4, 2]).encode(x=alt.X("zero:Q")),
        base.mark_rule(color=QUIET, strokeWidth=1.4).encode(x=x, x2=alt.X2("high:Q")).add_params(system),
        points.encode(x=alt.X(f"{point}:Q"), fill=fill),
    ]


# ---- Figure 5 of Golbus & Aslam 2013: systems with equal means can carry different information.


def difference_scatter(result: InformationDifference, scores: ScoresLike) -> alt.Chart:
    """A point for each pair of systems: the difference of their means across, their information difference up.

    Args:
        result: of ``cranfield.information.compute_information_difference``.
        scores: of one measure and the same systems, dims (topic, system).

    Raises:
        InputError: a system without scores, or no pair of which both differences are defined.
    """
    matrix = open_scores(scores)
    columns = {system: row for row, system in enumerate(matrix.systems)}
    pairs = result.pairs()
    absent = sorted((set(pairs["system"]) | set(pairs["other"])) - set(columns))
    if absent:
        raise InputError(f"{listed(absent, 'system')}: no scores")
    means = matrix.means
    left, right = ([columns[name] for name in pairs[side]] for side in ("system", "other"))
    distances = np.abs(means[left] - means[right])
    rows = [
        {"system": label(system), "other": label(partner), "apart": gap, "bits": bits}
        for system, partner, gap, bits in zip(
            pairs["system"], pairs["other"], distances, pairs["difference"], strict=True
        )
    ]
    measure = label(matrix.measure)
    title = f"Information difference against the difference in {measure}"
    notes = [f"{counted(len(rows), 'pair')} of {counted(len(result.ric), 'system')}"]
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(color=PALETTE[0], size=14 if len(rows) < 1500 else 5, opacity=0.55, strokeWidth=0.9)
        .encode(
            x=alt.X("apart:Q", title=f"difference of mean {measure}"),
            y=alt.Y("bits:Q", title="information difference, bits"),
            tooltip=[*hover("system:N", "other:N"), *hover("apart:Q", form=".4f"), *hover("bits:Q", form=".3f")],
        )
    )
    bits = pairs["difference"].to_numpy()
    both = np.isfinite(distances) & np.isfinite(bits)
    finite(bits[both], "the difference between systems is", "no pair of systems has both differences")
    widest = float(bits[both & (distances <= np.quantile(distances[both], 0.1))].max())
    described = f"{title}. Among the tenth of the pairs that are nearest by {measure}, up to {widest:.2f} bits."
    return styled(chart, title, notes, described, width=SIDE, height=SIDE)


# ---- Two systems topic by topic: where one is better than the other, and by how much.


def pair_bars(scores: ScoresLike, system: str, other: str) -> alt.LayerChart:
    """A bar for each topic: the score of one system minus that of the other, the largest difference on the left.

    Args:
        scores: of one measure, dims (topic, system).
        system: bars above 0 are topics on which its score is larger.
        other: the one that is subtracted.

    Raises:
        InputError: no topic has scores of both.
        UsageError: there is no such system, or only one is named.
    """
    return draw_bars(chart_pair_bars(scores, system, other))


def topic_scatter(scores: ScoresLike, system: str, other: str) -> alt.LayerChart:
    """A point for each topic: the score of one system across, that of the other up; those that differ most are named.

    Args:
        scores: of one measure, dims (topic, system).
        system: below the dashed line are topics on which its score is larger.
        other: above it are topics on which this one's is.

    Raises:
        InputError: no topic has scores of both.
        UsageError: there is no such system, or only one is named.
    """
    return draw_points(chart_topic_scatter(scores, system, other))


def _draw_topic_bars(
    rows: list[dict[str, Any]], x: alt.X, title: str, colour: alt.Color, tooltip: list[alt.Tooltip]
) -> alt.Chart:
    """Draw the difference of two systems on each topic as a bar."""
    topic = choice("topic")
    y = alt.Y("difference:Q", title=title)
    base = alt.Chart(inline(rows)).mark_bar().encode(x=x, y=y, color=colour, opacity=unless_chosen(topic))
    bars: alt.Chart = base.encode(tooltip=tooltip).add_params(topic)
    return bars


def _draw_zero() -> alt.Chart:
    """Draw a line across at 0."""
    zero: alt.Chart = alt.Chart(inline([{"zero": 0}])).mark_rule(color=INK).encode(y=alt.Y("zero:Q"))
    return zero


# ---- Where a system wins and loses against a baseline, and what its losses weigh.


def wins_and_losses(result: Risk, system: str | None = None) -> alt.LayerChart:
    """Score of a system minus the baseline's on every topic, largest gain first; losses also as they are weighed.

    Args:
        result: of ``cranfield.comparison.estimate_risk``.
        system: which; the one with the largest URisk that is not the baseline, where None.

    Raises:
        UsageError: there is no such system.
    """
    names = list(result.systems["system"])
    chosen = next((name for name in names if name != result.baseline), names[0]) if system is None else system
    if chosen not in names:
        raise UsageError(f"no system is called {quoted(chosen)}; {suggest(chosen, names)}")
    facts = result.systems.iloc[names.index(chosen)]
    topics = result.topics[result.topics["system"] == chosen].dropna(subset=["difference"])
    ordered = topics.sort_values("difference", ascending=False, kind="stable")
    rows: list[dict[str, Any]] = [
        {
            "topic": label(row["topic"]),
            "difference": row["difference"],
            "weighed": row["weighed"],
            "outcome": "loss" if row["difference"] < 0 else "gain",
        }
        for row in ordered.to_dict("records")
    ]
    weight = result.settings["loss_weight"]
    baseline = label(result.baseline)
    title = f"{label(chosen)} against {baseline}, by topic"
    notes = [
        f"{label(result.measure)}; wins {facts['wins']}, ties {facts['ties']}, losses {facts['losses']}; "
        f"URisk {numeral(facts['urisk'], '+.3f')}, TRisk {numeral(facts['trisk'], '+.2f')}",
        f"outlined: losses weighed {1 + weight:g} times",
    ]
    described = (
        f"{title}: {int(facts['wins'])} wins and {int(facts['losses'])} losses on {counted(len(rows), 'topic')}."
    )
    chart = _draw_wins_and_losses(rows, label(result.measure))
    return styled(chart, title, notes, described, width=WIDTH, height=240)


def _draw_wins_and_losses(rows: list[dict[str, Any]], measure: str) -> alt.LayerChart:
    """A bar for each topic, and an outline of what a loss weighs."""
    x = topic_axis([row["topic"] for row in rows])
    outcomes = alt.Scale(domain=["gain", "loss"], range=[PALETTE[0], PALETTE[1]])
    colour = alt.Color("outcome:N", scale=outcomes, title="difference from the baseline")
    tooltip = [*hover("topic:N"), *hover("difference:Q", "weighed:Q", form="+.4f")]
    bars = _draw_topic_bars(rows, x, f"difference of {measure}", colour, tooltip)
    losses = alt.Chart(inline([row for row in rows if row["outcome"] == "loss"]))
    weighed = losses.mark_bar(filled=False, stroke=INK, strokeWidth=0.8).encode(x=x, y=alt.Y("weighed:Q"))
    return layered(bars, weighed, _draw_zero())


# ---- Figure 3 of Sakai et al. 2010: where measures disagree on which of two runs is better.


def topic_differences(result: DiversityPlane) -> alt.LayerChart:
    """Score of the first run minus the second's on every topic, a mark for each measure, in the order of the first.

    Above 0 a measure prefers the first run; a topic with marks on both sides is one on which measures disagree.

    Args:
        result: of ``cranfield.comparison.map_diversity`` with a pair.

    Raises:
        UsageError: no pair was compared.
    """
    differences = result.differences
    if differences is None:
        raise UsageError("no pair of runs was compared: map_diversity(..., pair=(system, other))")
    first, second = (label(name) for name in result.settings["pair"])
    measures = [str(name) for name in differences.columns]
    ordered = differences.sort_values(measures[0], ascending=False, kind="stable")
    rows: list[dict[str, Any]] = [
        {"topic": label(topic), "measure": label(name), "difference": ordered[name][topic]}
        for name in measures
        for topic in ordered.index
    ]
    title = f"{first} minus {second}, by topic"
    agreed = result.agreed
    notes = [
        f"{counted(len(ordered), 'topic')}, {counted(len(measures), 'measure')}; all agree on {agreed}",
        f"above 0: {first} is better",
    ]
    topic = choice("topic")
    look = series("measure", [label(name) for name in measures], "measure", points=True)
    points = (
        alt.Chart(inline(rows))
        .mark_point(filled=True)
        .encode(
            x=topic_axis([label(name) for name in ordered.index]),
            y=alt.Y("difference:Q", title="difference of scores"),
            color=look.color,
            shape=look.shape,
            opacity=unless_chosen(topic),
            tooltip=[*hover("topic:N", "measure:N"), *hover("difference:Q", form="+.4f")],
        )
        .add_params(topic)
    )
    described = f"{title}: all {counted(len(measures), 'measure')} agree on {agreed} of {len(ordered)} topics."
    return styled(layered(_draw_zero(), points), title, notes, described, width=WIDTH, height=240)


# ---- What is known of differences of true means: credible intervals, and the probability of superiority.


def credible_intervals(result: Posterior) -> alt.LayerChart:
    """The expected difference of each pair with its credible interval, the largest gain on top.

    Filled points are pairs of which one system is better with a probability above the level of the intervals. A margin
    is drawn as a band.

    Args:
        result: of ``cranfield.comparison.estimate_posterior``, best with ``baseline``.

    Raises:
        InputError: no difference is defined.
        UsageError: more pairs than can be read.
    """
    pairs, settings = result.pairs, result.settings
    if len(pairs) > MOST:
        raise UsageError(
            f"{counted(len(pairs), 'pair')} cannot be read in one chart: give baselines, at most {MOST} pairs"
        )
    finite(pairs["expected"], "differences are", "no pair has scores on the same topics")
    names = settings["baseline"]
    rows: list[dict[str, Any]] = [
        {
            "pair": label(row["system"]) if len(names) == 1 else f"{label(row['system'])} - {label(row['other'])}",
            "system": label(row["system"]),
            "sure": bool(max(row["prob_superior"], 1 - row["prob_superior"]) > settings["level"]),
        }
        | {name: row[name] for name in ("expected", "low", "high", "prob_superior")}
        for row in pairs.dropna().sort_values("expected", ascending=False, kind="stable").to_dict("records")
    ]
    against = f" from {label(names[0])}" if len(names) == 1 else ""
    title = f"True differences{against} by {label(result.measure)}"
    certain = f"{sum(row['sure'] for row in rows):,} of {counted(len(rows), 'pair')}"
    conclusion = f"in {certain} one system is better with a probability above {settings['level']:g}"
    band = "" if settings["margin"] is None else f"; band: differences below {settings['margin']:g}"
    notes = [
        f"{conclusion} (filled points)",
        f"lines: {settings['level']:.0%} credible intervals; prior {settings['prior']}{band}",
    ]
    examples = "; ".join(
        f"{row['pair']} {row['expected']:+.4f} ({numeral(row['prob_superior'], '.3f')})" for row in rows[:5]
    )
    described = f"{title}: {conclusion}. The largest, with the probability of superiority: {examples}."
    chart = _draw_credible_intervals(rows, settings["margin"])
    return styled(chart, title, notes, described, width=PANEL_WIDTH, height=row_height(len(rows)))


def _draw_credible_intervals(rows: list[dict[str, Any]], margin: float | None) -> alt.LayerChart:
    numbers = hover("expected:Q", "low:Q", "high:Q", form="+.4f")
    tooltip = [*hover("pair:N"), *numbers, *hover("prob_superior:Q", form=".4f")]
    fill = alt.when("datum.sure").then(alt.value(PALETTE[0])).otherwise(alt.value("white"))
    layers = _draw_intervals(rows, "expected", "difference of true means", fill, tooltip)
    if margin is not None:
        band = alt.Chart(inline([{"from": -margin, "to": margin}])).mark_rect(color=QUIET, opacity=0.2)
        layers.insert(0, band.encode(x=alt.X("from:Q"), x2=alt.X2("to:Q")))
    return layered(*layers)

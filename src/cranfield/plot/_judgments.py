"""Charts of judgments: how many, penalties of harmful ones, reuse of a pool, scores under unjudged documents."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield._text import counted, numeral
from cranfield._validation import word
from cranfield.charts.holes import chart_holes
from cranfield.holes.result import HoleScores
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline, line_axis
from cranfield.plot._forms import draw_intervals
from cranfield.plot._names import label
from cranfield.plot._theme import PALETTE, QUIET, WIDTH, layered, series, styled
from cranfield.pooling.budget import Budget
from cranfield.pooling.reusability import Reusability
from cranfield.statistics.numeric import finite
from cranfield.trust.penalty import PenaltyChanges

# ---- How well systems are ordered by a number of judgments, in several orders of judging.


def budget(result: Budget, measure: str | None = None) -> alt.LayerChart:
    """A line for each order of judging: tau with all judgments by the number of judgments of each topic.

    Args:
        result: of ``cranfield.pooling.estimate_budget``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: another measure.
        InputError: no tau is defined.
    """
    names = list(dict.fromkeys(result.curve["measure"].tolist()))
    chosen = names[0] if measure is None else measure
    word("measure", chosen, names)
    curve = result.curve[result.curve["measure"] == chosen]
    finite(curve["tau"].tolist(), "tau is", "all systems have the same score")
    columns = curve[["order", "budget", "tau", "found"]]
    rows: list[dict[str, Any]] = columns[np.isfinite(columns["tau"])].to_dict("records")
    settings, target = result.settings, result.settings["target"]
    title = f"Order of systems by {label(chosen)} with fewer judgments"
    notes = [
        f"tau_b with the order by all {counted(result.judged, 'judged document')}; dashed: {target:g}",
        f"pool of the first {settings['depth']:,} of each run; {counted(settings['trials'], 'trial')} of each order",
    ]
    needed = result.needed[result.needed["measure"] == chosen]
    described = f"{title}; judgments of a topic for a tau of {target:g}: " + "; ".join(
        f"{order} {numeral(size, '.0f')}" for order, size in zip(needed["order"], needed["budget"], strict=True)
    )
    chart = _draw_budget(rows, settings["orders"], target)
    return styled(chart, title, notes, f"{described}.", width=WIDTH, height=230)


def _draw_budget(rows: list[dict[str, Any]], orders: list[str], target: float) -> alt.LayerChart:
    look = series("order", orders, "order of judging", points=True)
    x = alt.X("budget:Q", title="judgments of each topic", scale=alt.Scale(type="log", nice=False, padding=8))
    y = alt.Y("tau:Q", title="tau_b", scale=alt.Scale(zero=False))
    base = alt.Chart(inline(rows)).encode(x=x, y=y, color=look.color)
    tooltip = [*hover("order:N", "budget:Q"), *hover("tau:Q", form=".3f"), *hover("found:Q", form=".1%")]
    rule = alt.Chart(inline([{"tau": target}])).mark_rule(strokeDash=[6, 3], color=QUIET).encode(y=alt.Y("tau:Q"))
    return layered(
        rule,
        base.mark_line().encode(strokeDash=look.dash),
        base.mark_point(size=30, filled=True, opacity=1).encode(shape=look.shape, tooltip=tooltip),
    )


# ---- What a penalty of harmful documents does to systems.


def penalty_curves(result: PenaltyChanges) -> alt.LayerChart:
    """A line for each system: its mean by the penalty of the harmful label. Where lines cross, the order reverses.

    Args:
        result: of ``cranfield.trust.find_penalty_changes``.
    """
    settings = result.settings
    finite(result.curves["mean"].tolist(), "mean is", "scores are not known")
    curves = result.curves.assign(system=result.curves["system"].map(label))
    rows = [dict(zip(map(str, curves), row, strict=True)) for row in curves.itertuples(index=False, name=None)]
    names = [label(name) for name in result.systems["system"]]
    measure = f"NDCG_{settings['score_as']}@{settings['cutoff']}"
    title = f"{measure} by the penalty of label {settings['harmful']:g}"
    notes = [result.answer("changes"), f"dashed: the label's own penalty, {settings['own_penalty']:g}"]
    look = series("system", names, "system", points=False)
    lines = (
        alt.Chart(inline(rows))
        .mark_line()
        .encode(
            x=alt.X("penalty:Q", title="penalty p, for a gain of -p"),
            y=alt.Y("mean:Q", title=f"mean {measure}", scale=alt.Scale(zero=False)),
            color=look.color,
            strokeDash=look.dash,
            tooltip=[*hover("system:N"), *hover("penalty:Q", form=".3g"), *hover("mean:Q", form=".4f")],
        )
    )
    own = alt.Chart(inline([{"penalty": settings["own_penalty"]}]))
    rule = own.mark_rule(strokeDash=[6, 3], color=QUIET).encode(x=alt.X("penalty:Q"))
    described = f"{title}: a line for each of {counted(len(names), 'system')}. {result.answer('changes')}"
    return styled(layered(rule, lines), title, notes, described, width=WIDTH, height=260)


# ---- What each run would score had its team not taken part in the pool.


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
        {"team": label(row["team"]), "run": label(row["run"]), "drop": row["drop"], "rank": row["rank"]}
        | {"rank without": row["rank_without"]}
        for row in runs.to_dict("records")
    ]
    means = runs.groupby("team", sort=False)["drop"].mean().sort_values(ascending=False, kind="stable")
    order = [label(team) for team in means.index]
    depth = result.settings["depth"]
    summary = result.measures.set_index("measure").loc[chosen].to_dict()
    title = f"{label(str(chosen))} lost by runs whose team is left out of the pool"
    notes = [
        f"{counted(len(runs), 'run')} of {counted(len(order), 'team')}, pool of the first {depth:,}; "
        f"{result.unique:,} of {counted(result.judged, 'judged document')} of one team only",
        f"mean drop {numeral(summary['mean_drop'], '.4f')}; mean fall {numeral(summary['mean_fall'], '.1f')} ranks, "
        f"largest {summary['max_fall']}",
    ]
    described = f"{title}; mean drops: " + "; ".join(
        f"{label(team)} {numeral(drop, '.4f')}" for team, drop in means.items()
    )
    return styled(_draw_reusability(rows, order), title, notes, f"{described}.", width=WIDTH, height=alt.Step(16))


def _draw_reusability(rows: list[dict[str, Any]], order: list[str]) -> alt.Chart:
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(size=40, opacity=0.9, color=PALETTE[0])
        .encode(
            x=alt.X("drop:Q", title="drop (right: the run looks worse than it is)", scale=alt.Scale(zero=True)),
            y=line_axis("team", order),
            tooltip=[*hover("run:N"), *hover("drop:Q", form=".4f"), *hover("rank:Q", "rank without:Q")],
        )
    )
    return chart


# ---- Scores under holes: the interval that missing labels leave open, beside the interval over topics.


def hole_intervals(result: HoleScores, measure: str | None = None) -> alt.LayerChart:
    """The estimate of every run with two intervals, best on top: wide bars for missing labels, thin lines for topics.

    A tick is the score with holes as not relevant. Where wide bars overlap, unjudged documents may decide the order.

    Args:
        result: of ``estimate_holes(...).evaluate(...)``.
        measure: one of its measures; the first where None.

    Raises:
        UsageError: no such measure.
    """
    return draw_intervals(chart_holes(result, measure))

"""Charts of systems: their means, ranks, scores and places among other systems."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cranfield._text import counted, numeral, quoted
from cranfield._validation import list_names, share
from cranfield.boards.ranking import Board
from cranfield.charts.ranks import chart_ranks
from cranfield.charts.systems import chart_means
from cranfield.comparison.ranks import RankIntervals
from cranfield.comparison.team_ranks import TeamRanks
from cranfield.errors import InputError, UsageError
from cranfield.plot._altair import alt
from cranfield.plot._data import SUMMARY, hover, inline, row_axis, row_height, topic_axis
from cranfield.plot._forms import draw_interval_panel, draw_intervals, with_words
from cranfield.plot._names import describe_best, label
from cranfield.plot._theme import (
    BLACK,
    CONFIG,
    GRID,
    INK,
    PALETTE,
    PANEL_WIDTH,
    PAPER,
    WIDTH,
    choice,
    layered,
    series,
    styled,
    unless_chosen,
)
from cranfield.results.by_group import ByGroup
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_measures, open_scores
from cranfield.scores.signature import evaluations_in, unlike
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.chart_statistics import box, outliers

if TYPE_CHECKING:
    from cranfield.scores.dataset import ScoresLike
    from cranfield.scores.topic_groups import GroupsLike


# ---- Means of systems with their intervals: the leaderboard as a picture.


ONE, SEVERAL = 380, 190
"""Pixels across, of one measure and of each of several."""


def mean_intervals(scores: ScoresLike, level: float = 0.95) -> alt.HConcatChart:
    """Mean score of every system, best on top by the first measure, with the interval of each mean by itself.

    Intervals are Student's, over topics. They say how far a mean would move on other topics, and not whether two
    systems differ, since differences on the same topics vary less: for that see ``difference_intervals``.

    Args:
        scores: dims (topic, system); of several measures, a panel for each.
        level: probability with which an interval covers the mean over all topics like these, in (0, 1).
    """
    share(level=level)
    matrices = open_measures(scores)
    forms = [chart_means(matrix, level) for matrix in matrices]
    order = [label(row.system) for row in forms[0].rows]
    width = ONE if len(forms) == 1 else SEVERAL
    panels = [
        draw_interval_panel(form, order, named=not number).properties(width=width, height=row_height(len(order)))
        for number, form in enumerate(forms)
    ]
    chart: alt.HConcatChart = alt.hconcat(*panels, spacing=14)
    first = forms[0]
    if len(forms) > 1:
        title = f"Means of {counted(len(order), 'system')} by {counted(len(forms), 'measure')}"
        first = replace(first, title=title, notes=(*first.notes, f"In the order of {matrices[0].called}."))
    return with_words(chart, first)


# ---- Between which ranks each system lies.


def rank_intervals(result: RankIntervals | TeamRanks | Board) -> alt.LayerChart:
    """A row for each system or team: its rank here, and an interval of its rank; thin lines: all systems together.

    Args:
        result: of ``cranfield.comparison.estimate_ranks``, ``estimate_team_ranks`` or ``cranfield.board``. Where it has
            the ranks of each system by itself, these are the bars; otherwise the bars are of all systems together.

    Raises:
        UsageError: a board without intervals.
    """
    return draw_intervals(chart_ranks(result), PANEL_WIDTH)


# ---- Figure 1 of Urbano et al. 2019: scores of systems by topic, raw and standardized.


def score_boxes(scores: ScoresLike | Mapping[str, ScoresLike]) -> alt.VConcatChart:
    """A panel for each set of scores, a box plot for each topic, in the order of the medians of the first set.

    Shows what standardization removes: differences between topics in level and in spread.

    Args:
        scores: of one measure, dims (topic, system), or several by name, such as ``{"raw": ..., "E": ...}``.
    """
    matrices: dict[str, Scores] = {}
    # A Dataset is a Mapping too, of variables.
    if isinstance(scores, Mapping) and not hasattr(scores, "data_vars"):
        matrices |= {label(name): open_scores(matrix) for name, matrix in scores.items()}
    else:
        matrix = open_scores(cast("ScoresLike", scores))
        matrices[label(matrix.measure)] = matrix
    first = next(iter(matrices.values()))
    medians = np.array([box(row)["median"] for row in first.values])
    order = [first.topics[row] for row in np.argsort(medians, kind="stable")]  # without any score, last
    last = list(matrices)[-1]
    panels = [_draw_score_boxes_panel(name, matrix, order, last=name == last) for name, matrix in matrices.items()]
    title = f"Scores of systems by topic, {label(first.measure)}"
    names = ", ".join(matrices)
    notes = [
        f"{counted(len(first.topics), 'topic')}, {counted(len(first.systems), 'system')}",
        f"topics in the order of the medians of {next(iter(matrices))}",
    ]
    chart: alt.VConcatChart = alt.vconcat(*panels, spacing=8)
    return styled(chart, title, notes, f"{title}: box plots; panels from top to bottom: {names}.")


def _draw_score_boxes_panel(name: str, matrix: Scores, order: list[str], *, last: bool) -> alt.LayerChart:
    index = {topic: row for row, topic in enumerate(matrix.topics)}
    rows: list[dict[str, Any]] = [
        {"topic": label(topic), **box(matrix.values[index[topic]])} for topic in order if topic in index
    ]
    title = "topic" if last else None
    x = topic_axis([label(topic) for topic in order], size=7.5, title=title, labels=last, ticks=last, grid=False)
    base = alt.Chart(inline(rows)).encode(x=x, tooltip=[*hover("topic:N"), *hover(*SUMMARY, form=".3f")])
    size: Any = alt.RelativeBandSize(band=0.7)
    return layered(
        base.mark_rule(color=INK, strokeWidth=0.7, aria=False).encode(
            y=alt.Y("low:Q", title=name), y2=alt.Y2("high:Q")
        ),
        base.mark_bar(aria=False, color=PALETTE[5], stroke=INK, strokeWidth=0.4, width=size).encode(
            y=alt.Y("q1:Q"), y2=alt.Y2("q3:Q")
        ),
        base.mark_point(aria=False, shape="stroke", color=BLACK, size=16, strokeWidth=1.4).encode(y=alt.Y("median:Q")),
    ).properties(width=WIDTH, height=110)


# ---- How the scores of each system are distributed over topics.


def system_boxes(scores: ScoresLike) -> alt.LayerChart:
    """A box plot of each system's scores over topics, best mean on top.

    Boxes hold the middle half of the topics, the line in them is the median and the diamond the mean; whiskers end at
    the last topic within one and a half boxes, and circles are topics beyond.

    Args:
        scores: of one measure, dims (topic, system).
    """
    matrix = open_scores(scores)
    names = [label(matrix.systems[column]) for column in matrix.leaderboard]
    title = f"Scores of {counted(len(names), 'system')} over topics, {label(matrix.measure)}"
    notes = [
        f"{counted(len(matrix.topics), 'topic')}; best mean on top",
        "boxes: the middle half of the topics; lines: medians; diamonds: means; circles: topics beyond the whiskers",
    ]
    best = describe_best(matrix.systems, matrix.means, matrix.larger_is_better, most=3)
    described = f"{title}: box plots. Best mean: {best}."
    chart = _draw_system_boxes(matrix, names)
    return styled(chart, title, notes, described, width=PANEL_WIDTH, height=row_height(len(names)))


def _draw_system_boxes(matrix: Scores, names: list[str]) -> alt.LayerChart:
    boxes: list[dict[str, Any]] = []
    points: list[dict[str, Any]] = []
    for column, name in enumerate(matrix.systems):
        values = matrix.values[:, column]
        boxes.append({"system": label(name), "mean": matrix.means[column], **box(values)})
        points += [
            {"system": label(name), "topic": label(matrix.topics[row]), "score": values[row]}
            for row in outliers(values)
        ]
    system = choice("system")
    y = row_axis("system", names)
    base = alt.Chart(inline(boxes)).encode(
        y=y,
        opacity=unless_chosen(system),
        tooltip=[*hover("system:N"), *hover("mean:Q", *SUMMARY, form=".4f")],
    )
    x = alt.X("low:Q", title=label(matrix.measure))
    thickness: Any = alt.RelativeBandSize(band=0.66)
    layers = [
        base.mark_rule(color=INK, strokeWidth=0.8).encode(x=x, x2=alt.X2("high:Q")).add_params(system),
        base.mark_bar(color=PALETTE[5], stroke=INK, strokeWidth=0.5, height=thickness).encode(
            x=alt.X("q1:Q"), x2=alt.X2("q3:Q")
        ),
        base.mark_tick(color=BLACK, thickness=1.6, bandSize=9 if len(names) <= 50 else 6).encode(x=alt.X("median:Q")),
        base.mark_point(shape="diamond", filled=True, color=BLACK, stroke=PAPER, strokeWidth=0.7, size=26).encode(
            x=alt.X("mean:Q")
        ),
    ]
    if points:
        beyond = alt.Chart(inline(points)).mark_point(size=9, color=INK, strokeWidth=0.6)
        tooltip = [*hover("system:N", "topic:N"), *hover("score:Q", form=".4f")]
        layers.append(beyond.encode(y=y, x=alt.X("score:Q"), opacity=unless_chosen(system, 0.7), tooltip=tooltip))
    return layered(*layers)


# ---- The leaderboard over time: means of systems in several evaluations, in their order.


COLOURED = 7
"""Systems that have a colour where none are named: the best of the last evaluation."""


def score_history(
    evaluations: Mapping[str, ScoresLike], measure: str | None = None, systems: str | Sequence[str] = ()
) -> alt.LayerChart:
    """Mean scores of systems in several evaluations: a line for each system, from left to right in the order given.

    Labels that all are dates (2026-11-22) are placed on an axis of time. A system that an evaluation lacks has no point
    there.

    Args:
        evaluations: label or date -> scores, dims (topic, system), made with the same judgments and policies.
        measure: which one, where they hold several; the first of the first where None.
        systems: those that are coloured and named; the best of the last evaluation where none are. Others are grey.

    Raises:
        InputError: one was made with other judgments or policies than the first, or holds no scores by the measure.
        UsageError: no evaluation was given, or a system is in none of them.
    """
    tables = _tables(evaluations, measure)
    last = [*tables.values()][-1]
    every = list(dict.fromkeys(name for table in reversed(tables.values()) for name in table.systems))
    chosen = list_names(systems=systems)
    for name in chosen:
        if name not in every:
            raise UsageError(f"no evaluation holds a system {quoted(name)}")
    named = chosen or [last.systems[column] for column in last.leaderboard][:COLOURED]
    dates = _are_dates(tables)
    rows: list[dict[str, Any]] = [
        {"evaluation": at if dates else label(at), "system": label(name), "mean": mean, "topics": len(table.topics)}
        for at, table in tables.items()
        for name, mean in zip(table.systems, table.means.tolist(), strict=True)
    ]
    title = f"{label(last.measure)} over {counted(len(tables), 'evaluation')}"
    others = len(every) - len(named)
    notes = [
        f"means of {counted(len(every), 'system')}" + (f"; grey: {counted(others, 'other')}" if others > 0 else "")
    ]
    best = describe_best(last.systems, last.means, last.larger_is_better)
    highest = last.means[last.leaderboard[0]]
    described = f"{title}. Best in the last one, {label([*tables][-1])}: {best}, {numeral(highest, '.4f')}."
    chart = _draw_score_history(rows, [label(name) for name in named], [label(at) for at in tables], dates=dates)
    return styled(chart, title, notes, described, width=WIDTH, height=260)


def _tables(evaluations: Mapping[str, ScoresLike], measure: str | None) -> dict[str, Scores]:
    """One measure of each evaluation.

    Raises:
        InputError: one was made otherwise than the first, or lacks the measure.
        UsageError: there is none.
    """
    if not evaluations:
        raise UsageError("no evaluation was given: {'2026-11-01': scores, ...}")
    tables: dict[str, Scores] = {}
    for at, scores in evaluations.items():
        by_measure = {matrix.measure: matrix for matrix in open_measures(scores)}
        wanted = measure or next(iter(tables.values())).measure if tables or measure else next(iter(by_measure))
        if wanted not in by_measure:
            there = ", ".join(map(label, by_measure))
            raise InputError(f"{label(at)} holds no scores by {label(wanted)}, but by {there}", code="other-scores")
        tables[str(at)] = by_measure[wanted]
        first = next(iter(tables.values()))
        signed = all(evaluations_in(matrix.source) for matrix in (first, by_measure[wanted]))
        if signed and (differ := unlike(first.source, by_measure[wanted].source)):
            differences = "; ".join(differ)
            raise InputError(
                f"{label(at)} was scored otherwise than {label(next(iter(tables)))}: {differences}", code="other-scores"
            )
    return tables


def _are_dates(labels: Mapping[str, Any]) -> bool:
    try:
        return all(datetime.date.fromisoformat(text[:10]) and len(text) >= 10 for text in labels)
    except ValueError:
        return False


def _draw_score_history(
    rows: list[dict[str, Any]], named: list[str], labels: list[str], *, dates: bool
) -> alt.LayerChart:
    system = choice("system")
    if dates:
        axis = alt.Axis(labelAngle=0, format="%Y-%m-%d", labelOverlap="greedy", tickCount=6)
        x: Any = alt.X("evaluation:T", title="date", scale=alt.Scale(type="utc"), axis=axis)
    else:
        axis = alt.Axis(labelAngle=0 if len(labels) <= 8 else -90, labelLimit=110)
        x = alt.X(
            "evaluation:N", title="evaluation", sort=labels, scale=alt.Scale(type="point", padding=0.3), axis=axis
        )
    y = alt.Y("mean:Q", title="mean score", scale=alt.Scale(zero=False))
    fields = [*hover("system:N", "evaluation:N"), *hover("mean:Q", form=".4f"), *hover("topics:Q")]
    others = alt.Chart(inline([row for row in rows if row["system"] not in named]))
    chosen = alt.Chart(inline([row for row in rows if row["system"] in named]))
    look = series("system", named, "system", points=True)
    return layered(
        others.mark_line(color=GRID, strokeWidth=1.2).encode(x=x, y=y, detail=alt.Detail("system:N"), tooltip=fields),
        chosen.mark_line().encode(x=x, y=y, color=look.color, strokeDash=look.dash),
        chosen.mark_point(filled=True)
        .encode(x=x, y=y, color=look.color, shape=look.shape, opacity=unless_chosen(system), tooltip=fields)
        .add_params(system),
    )


# ---- Figure 2 of Sakai et al. 2010: systems by several measures, in the order of one.


def measures_by_system(scores: ScoresLike, order: str | None = None) -> alt.LayerChart:
    """Mean scores of every system, a line for each measure; where a line rises, its measure contradicts the order.

    Args:
        scores: of several measures, dims (topic, system).
        order: the measure that orders systems, best first; the first where None.

    Raises:
        UsageError: a measure that is not there.
    """
    matrices = {matrix.measure: matrix for matrix in open_measures(scores)}
    chosen = next(iter(matrices)) if order is None else order
    if chosen not in matrices:
        raise UsageError(f"{quoted(chosen)} has no scores here; these have: {', '.join(map(label, matrices))}")
    first = matrices[chosen]
    systems = [first.systems[system] for system in first.leaderboard]
    rows: list[dict[str, Any]] = [
        {"system": label(system), "measure": label(name), "mean": value}
        for name, matrix in matrices.items()
        for system, value in zip(matrix.systems, matrix.means.tolist(), strict=True)
    ]
    title = f"Systems by {counted(len(matrices), 'measure')}, in the order of {label(chosen)}"
    notes = [f"{counted(len(systems), 'system')}, {counted(len(first.topics), 'topic')}; means"]
    best = describe_best(first.systems, first.means, first.larger_is_better, most=3)
    names = [label(name) for name in matrices]
    look = series("measure", names, "measure", points=True)
    system = choice("system")
    axis = alt.Axis(labelAngle=-90, labelLimit=110, labelSeparation=0, labelOverlap="greedy", labelFontSize=8.5)
    labels = [label(name) for name in systems]
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("system:N", title=None, scale=alt.Scale(domain=labels), sort=labels, axis=axis),
        y=alt.Y("mean:Q", title="mean score"),
        color=look.color,
    )
    chart = layered(
        base.mark_line(strokeWidth=1.1).encode(strokeDash=look.dash),
        base.mark_point(filled=True)
        .encode(
            shape=look.shape,
            opacity=unless_chosen(system),
            tooltip=[*hover("system:N", "measure:N"), *hover("mean:Q", form=".4f")],
        )
        .add_params(system),
    )
    return styled(chart, title, notes, f"{title}. Best: {best}.", width=WIDTH, height=240)


# ---- The same chart for each group of topics, below each other.


def by_group(
    chart: Callable[..., Any], of: ByGroup | ScoresLike, groups: GroupsLike | None = None, **options: Any
) -> alt.VConcatChart:
    """A chart of each group of topics, in the order of the groups, with the group in its title.

    Args:
        chart: a function of this package, such as ``plot.difference_intervals`` or ``plot.mean_intervals``.
        of: what it draws: an analysis by ``cranfield.repeat_by_group``; or scores, dims (topic, system), and then
        groups: topic -> group, a Series, or a file of lines ``topic group``.
        options: of the chart.

    Raises:
        InputError, UsageError: as the chart and the groups do; or scores without groups, or groups beside an analysis.
    """
    if isinstance(of, ByGroup) != (groups is None):
        raise UsageError("give an analysis by repeat_by_group, or scores and groups=")
    if isinstance(of, ByGroup):
        sizes, parts = {name: int(of.sizes[name]) for name in of}, dict(of.results)
    else:
        split: Any = TopicGroups.from_source(groups).split(of)  # type: ignore[arg-type]
        sizes, parts = {name: part.sizes["topic"] for name, part in split.items()}, split
    panels, descriptions = [], []
    for group, part in parts.items():
        drawn = chart(part, **options).copy(deep=True)
        descriptions.append(f"{label(group)}: {drawn.description}")
        drawn.title.text = [f"{label(group)}, {counted(sizes[group], 'topic')}:", *drawn.title.text]
        # Only the whole chart has a configuration and a description.
        drawn.config = drawn.description = alt.Undefined
        panels.append(drawn)
    with warnings.catch_warnings():
        # A system that is clicked in one panel is chosen in all of them, as it should be.
        warnings.filterwarnings("ignore", message="Automatically deduplicated selection parameter")
        together: alt.VConcatChart = (
            alt.vconcat(*panels).properties(description=" ".join(descriptions)).configure(**CONFIG)
        )
    return together

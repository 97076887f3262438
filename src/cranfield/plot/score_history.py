"""The leaderboard over time: means of systems in several evaluations, in their order."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from cranfield._text import counted, numeral, quoted
from cranfield.errors import InputError, UsageError
from cranfield.plot._data import inline
from cranfield.plot._names import describe_best, label
from cranfield.plot._selection import choice, unless_chosen
from cranfield.plot._theme import GRID, WIDTH, layered, series, styled
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, make_matrices
from cranfield.scores.signature import evaluations_in, unlike

NAMED = 7
"""Systems that have a colour where none are named: the best of the last evaluation."""


def score_history(
    evaluations: Mapping[str, ScoresLike], measure: str | None = None, systems: Sequence[str] = ()
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
    for name in systems:
        if name not in every:
            raise UsageError(f"no evaluation holds a system {quoted(name)}")
    named = list(systems) or [last.systems[column] for column in last.leaderboard][:NAMED]
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
    chart = _chart(rows, [label(name) for name in named], [label(at) for at in tables], dates=dates)
    return styled(chart, title, notes, described, width=WIDTH, height=260)


def _tables(evaluations: Mapping[str, ScoresLike], measure: str | None) -> dict[str, Matrix]:
    """One measure of each evaluation.

    Raises:
        InputError: one was made otherwise than the first, or lacks the measure.
        UsageError: there is none.
    """
    if not evaluations:
        raise UsageError("no evaluation was given: {'2026-11-01': scores, ...}")
    tables: dict[str, Matrix] = {}
    for at, scores in evaluations.items():
        by_measure = {matrix.measure: matrix for matrix in make_matrices(scores)}
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


def _chart(rows: list[dict[str, Any]], named: list[str], labels: list[str], *, dates: bool) -> alt.LayerChart:
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
    fields: list[Any] = [
        alt.Tooltip("system:N"),
        alt.Tooltip("evaluation:N"),
        alt.Tooltip("mean:Q", format=".4f"),
        alt.Tooltip("topics:Q"),
    ]
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

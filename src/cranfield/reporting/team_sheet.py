"""A team's own sheet: its runs against the best, the median and the worst score of all runs, topic by topic.

It names no run of another team, so that it can be sent before the results are public.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield._text import counted, shown
from cranfield._typing import Floats
from cranfield.reporting.charts import ranges
from cranfield.reporting.content import Column, Content, Figure, Head, Section, Table
from cranfield.reporting.inputs import Scored
from cranfield.reporting.request import Request
from cranfield.reporting.tables import rows_of
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.scores.ordering import best_first, ranks


class Range(NamedTuple):
    """Scores of all runs, by topic or of their means."""

    best: Floats
    median: Floats
    worst: Floats


def sheet(read: Scored, question: Request, team: str, title: str | None) -> Content:
    """The sheet of one team.

    Args:
        read: scores, and whose the runs are.
        question: what was asked.
        team: whose sheet it is.
        title: of the evaluation; names the qrels where None.

    Raises:
        UsageError: no run is of this team.
    """
    own = [name for name in read.order if name in set(read.entries.systems_of(team))]
    table, origin = read.table, read.origin
    whole = title or read.public(origin.title)
    topics = counted(len(table.topics), "topic")
    judged = "" if origin.judgments is None else f" and {counted(origin.judgments, 'judgment')}"
    head = Head(
        question.track,
        question.date,
        f"{counted(len(own), 'run')} of {shown(team)} among {counted(len(table.systems), 'run')}, {topics}{judged}.",
    )
    signature = {**origin.of_systems(own, table.systems), "measures": list(read.measures), "seed": question.seed}
    sections = [_means(read, own), *(_run(read, name, number) for number, name in enumerate(own, 1))]
    return Content(f"{shown(team)}: {whole}", tuple(sections), (), table.topics, (), [], signature, head)


def _means(read: Scored, own: Sequence[str]) -> Section:
    """Means of the team's runs, among those of all runs."""
    columns: list[tuple[Column, Sequence[object]]] = [(Column("run", "text"), own)]
    types = [read.entries.by_system[name].type for name in own]
    if any(types):
        columns.append((Column("type", "text"), types))
    for measure in read.measures:
        matrix = matrix_of(read.scores[measure])
        places = [matrix.systems.index(name) for name in own]
        found = _range(matrix.means[None, :], matrix)
        columns.append((Column(measure), matrix.means[places].tolist()))
        columns.append((Column(f"rank by {measure}", "whole", "1 is the best"), matrix.ranks[places].tolist()))
        for what, value in zip(Range._fields, found, strict=True):
            meaning = f"{what} mean of all runs"
            columns.append((Column(f"{what} {measure}", "number", meaning), [float(value[0])] * len(own)))
    title = f"Means over {counted(len(read.table.topics), 'topic')}, among {counted(len(read.table.systems), 'run')}"
    words = (
        f"Best, median and worst are those of the means of all {len(read.table.systems):,} runs here, and of all "
        "scores on the topic below.",
    )
    rows = rows_of(values for _, values in columns)
    return Section("means", "Means", words, tables=(Table("means", title, tuple(one for one, _ in columns), rows),))


def _run(read: Scored, name: str, number: int) -> Section:
    """One run, topic by topic."""
    matrix = matrix_of(read.scores[read.measures[0]])
    own = matrix.values[:, matrix.systems.index(name)]
    found = _range(matrix.values, matrix)
    columns: list[tuple[Column, Sequence[object]]] = [(Column("topic", "text"), matrix.topics)]
    for measure in read.measures:
        each = matrix_of(read.scores[measure])
        place = each.systems.index(name)
        columns.append((Column(measure), each.values[:, place].tolist()))
        for what, values in zip(Range._fields, _range(each.values, each), strict=True):
            columns.append((Column(f"{what} {measure}"), values.tolist()))
    rank = [int(ranks(row, matrix.larger_is_better)[matrix.systems.index(name)]) for row in matrix.values]
    columns.append((Column(f"rank by {matrix.called}", "whole", "1 is the best"), rank))
    order = best_first(found.median, matrix.topics, matrix.larger_is_better)
    gains = (own - found.median) * (1 if matrix.larger_is_better else -1)
    seen = f"{shown(name)} is better than the median run on {int((gains > 0).sum()):,} of {counted(len(own), 'topic')}."
    form = ranges(matrix.called, order, [(own[at], *(values[at] for values in found)) for at in order])
    notes = "Topics by the median of all runs. A line reaches from the worst to the best run."
    figure = Figure(
        f"run-{number}",
        f"{shown(name)}: {matrix.called} by topic",
        seen,
        notes,
        form | {"still": True, "smaller": not matrix.larger_is_better},
    )
    rows = rows_of(values for _, values in columns)
    table = Table(f"topics-{number}", f"{shown(name)} by topic", tuple(one for one, _ in columns), rows)
    said = read.entries.by_system[name].description
    return Section(f"run-{number}", shown(name), (said,) if said else (), (figure,), (table,))


def _range(values: Floats, matrix: Matrix) -> Range:
    """Of each row the best, the median and the worst of what is there."""
    rows = [row[~np.isnan(row)] for row in values]
    low, middle, high = (
        np.array([of(row) if len(row) else np.nan for row in rows]) for of in (np.min, np.median, np.max)
    )
    return Range(high, middle, low) if matrix.larger_is_better else Range(low, middle, high)

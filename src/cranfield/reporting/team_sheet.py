"""A team's own sheet: its runs against the best, the median and the worst score of all runs, topic by topic.

It names no run of another team, so it can be sent before the results are public.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield._text import counted, shown
from cranfield._typing import Floats
from cranfield.charts.standings import Spread, chart_system_ranges, find_spread
from cranfield.reporting.charts import make_figure
from cranfield.reporting.content import Content, FilledColumns, Head, PageColumn, Section, join_columns
from cranfield.reporting.head import list_premises
from cranfield.reporting.inputs import PageScores
from cranfield.reporting.left_out import describe_for_team, notice_left_out
from cranfield.reporting.request import Request
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores
from cranfield.scores.scale import ranks


class AllRuns:
    """The scores of all runs, which the sheets of all teams are compared with.

    Args:
        inputs: scores, and the teams of runs.
    """

    def __init__(self, inputs: PageScores) -> None:
        self.inputs = inputs
        self.matrices = {measure: open_scores(inputs.scores[measure]) for measure in inputs.measures}
        self.of_means = {name: _find_spread(matrix.means[None, :], matrix) for name, matrix in self.matrices.items()}
        self.by_topic = {name: _find_spread(matrix.values, matrix) for name, matrix in self.matrices.items()}
        main = self.main
        self.ranks = np.array([ranks(row, main.larger_is_better) for row in main.values])
        self.order = inputs.order

    @property
    def main(self) -> Scores:
        """The scores by the first measure, which orders systems."""
        return self.matrices[self.inputs.main_measure]


def make_sheet(runs: AllRuns, request: Request, team: str) -> Content:
    """Make the sheet of one team.

    Args:
        runs: the scores of all runs, and their teams.
        request: what the report is requested of.
        team: whose sheet it is.

    Raises:
        UsageError: no run is of this team.
    """
    inputs = runs.inputs
    own_systems = set(inputs.entries.select_systems(team))
    own = [name for name in runs.order if name in own_systems]
    table, origin = inputs.table, inputs.origin
    evaluation = request.options["title"] or inputs.redact(origin.title)
    topics = counted(len(table.topics), "topic")
    judged = "" if origin.judgments is None else f" and {counted(origin.judgments, 'judgment')}"
    of_own = origin.sign_subset(own, table.systems)
    head = Head(
        request.options["track"],
        request.options["date"],
        f"{counted(len(own), 'run')} of {shown(team)} among {counted(len(table.systems), 'run')}, {topics}{judged}.",
        premises=list_premises(inputs, {**of_own, "labels": origin.signature.get("labels")}),
        notices=tuple(filter(None, [notice_left_out(inputs.left_out)])),
        footer=request.options["footer"],
    )
    left_out = describe_for_team(inputs.left_out, inputs.entries, team, inputs.redact)
    means = _show_means(runs, own) if own else Section("means", "Means")
    means = replace(means, paragraphs=(*left_out, *means.paragraphs))
    signature = {**of_own, "measures": list(inputs.measures), "seed": request.options["seed"]}
    sections = [means, *(_show_run(runs, name, number) for number, name in enumerate(own, 1))]
    return Content(f"{shown(team)}: {evaluation}", tuple(sections), (), table.topics, (), [], signature, head)


def _show_means(runs: AllRuns, own: Sequence[str]) -> Section:
    """Show the means of the team's runs among those of all runs."""
    inputs = runs.inputs
    columns: FilledColumns = [(PageColumn("run", "text"), own)]
    types = [inputs.entries.by_system[name].type for name in own]
    if any(types):
        columns.append((PageColumn("type", "text"), types))
    for measure, matrix in runs.matrices.items():
        systems = [matrix.systems.index(name) for name in own]
        columns.append((PageColumn(measure), matrix.means[systems].tolist()))
        columns.append((PageColumn(f"rank by {measure}", "whole", "1 is the best"), matrix.ranks[systems].tolist()))
        for what, value in zip(Spread._fields, runs.of_means[measure], strict=True):
            meaning = f"{what} mean of all runs"
            columns.append((PageColumn(f"{what} {measure}", "number", meaning), [float(value[0])] * len(own)))
    title = (
        f"Means over {counted(len(inputs.table.topics), 'topic')}, among {counted(len(inputs.table.systems), 'run')}"
    )
    paragraphs = (
        f"In this table, best, median and worst refer to the mean scores of all {len(inputs.table.systems):,} runs. In "
        "the charts below, they refer to scores on each topic.",
    )
    return Section("means", "Means", paragraphs, tables=(join_columns("means", title, columns),))


def _show_run(runs: AllRuns, name: str, number: int) -> Section:
    """Show one run, topic by topic."""
    matrix = runs.main
    columns: FilledColumns = [(PageColumn("topic", "text"), matrix.topics)]
    for measure, by_measure in runs.matrices.items():
        columns.append((PageColumn(measure), by_measure.values[:, by_measure.systems.index(name)].tolist()))
        for what, values in zip(Spread._fields, runs.by_topic[measure], strict=True):
            columns.append((PageColumn(f"{what} {measure}"), values.tolist()))
    rank = runs.ranks[:, matrix.systems.index(name)].astype(int).tolist()
    columns.append((PageColumn(f"rank by {matrix.called}", "whole", "1 is the best"), rank))
    topics = {topic: at for at, topic in enumerate(matrix.topics)}
    figure = make_figure(f"run-{number}", chart_system_ranges(matrix, name, noun="run"), topics=topics)
    figure = replace(figure, form=figure.form | {"still": True})
    table = join_columns(f"topics-{number}", f"{shown(name)} by topic", columns)
    description = runs.inputs.entries.by_system[name].description
    return Section(f"run-{number}", shown(name), (description,) if description else (), (figure,), (table,))


def _find_spread(values: Floats, matrix: Scores) -> Spread:
    return find_spread(values, larger_is_better=matrix.larger_is_better)

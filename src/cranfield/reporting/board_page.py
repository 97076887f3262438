"""The page of a board: systems with their rank intervals, groups of tasks, tasks, and what is missing."""

from __future__ import annotations

import contextlib
import math
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import scipy.stats

from cranfield._text import counted, hearing, join_first, shown
from cranfield._typing import Floats
from cranfield.boards.assembly import BoardTable
from cranfield.boards.ranking import Board, board
from cranfield.boards.sentences import describe_parts
from cranfield.boards.units import LEAST_TASKS
from cranfield.charts.ranks import chart_ranks
from cranfield.declarations.option import Option
from cranfield.errors import InputError
from cranfield.io.redaction import PathRedactor
from cranfield.reporting.charts import make_ranks
from cranfield.reporting.content import (
    Content,
    FilledColumns,
    Gap,
    Head,
    PageColumn,
    Picture,
    Section,
    Table,
    join_columns,
    make_rows,
)
from cranfield.reporting.options import DateOption, FooterOption, TrackOption
from cranfield.reporting.page import render_page
from cranfield.reporting.pair_tests import describe_pair_tests
from cranfield.reporting.report import Report
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.multiple_testing import adjust

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike

MEASURE = "score"
OF_THE_TABLE = ("missing_cells", "rows", "larger_is_better", "smaller_is_better", "tasks", "not_tasks", "add")
"""Options of ``board`` that are not about rank intervals."""
OF_INTERVALS = ("sampled", "standard_errors", "alpha", "resamples", "seed")
"""Those that are, and that the rankings by the tasks of a group share."""


def write_board_page(
    boards: Sequence[Board],
    table: BoardTable,
    options: Mapping[str, Any],
    paths: Sequence[str],
    *,
    title: Annotated[str | None, Option("Title.", default="the name of SCORES")] = None,
    track: TrackOption = "",
    date: DateOption = "",
    footer: FooterOption = "",
) -> str:
    """Make the page of a call of the command, as text, without the folders of this machine.

    Args:
        boards: of the table.
        table: what was ranked.
        options: of the call, with the ``groups`` of tasks.
        paths: that the call names.
        title, track, date, footer: as in ``make_board_page``; without a title, the name of the file.
    """
    public = PathRedactor(paths)
    command = shlex.join(["cranfield", *map(public.argument, sys.argv[1:])])
    named = Path(public(table.name)).name or public(table.name)
    return make_board_page(
        table,
        boards,
        options["groups"],
        title=title or named,
        track=track,
        date=date,
        footer=footer,
        command=command,
        options=options,
    ).html


def make_board_page(
    table: BoardTable,
    boards: Sequence[Board],
    groups: GroupsLike | None,
    *,
    title: str,
    track: str = "",
    date: str = "",
    footer: str = "",
    command: str = "",
    options: Mapping[str, Any] | None = None,
) -> Report:
    """Make the page of a board that was ranked by one aggregation or several; the first orders systems.

    Args:
        table: what was ranked.
        boards: of the table, at least one.
        groups: task -> group, for the means of each group; None without groups.
        title: of the page.
        track: the shared task or series, shown below the title.
        date: of the scores, shown as it is given.
        footer: last line of the page, shown as it is given.
        command: the command line, which the page repeats.
        options: of ``board``, by which the tasks of each group are ranked too.
    """
    first = boards[0]
    systems = tuple(str(name) for name in first.table.index)
    columns = {name: at for at, name in enumerate(table.systems)}
    negated = first.signature["smaller_is_better"]
    # The table may have been read as it was ranked, with the sign reversed already, or as the file has it.
    sign = np.where([(task in negated) != (task in table.negated) for task in table.tasks], -1.0, 1.0)
    scores = table.scores[:, [columns[name] for name in systems]] * sign[:, None]
    of_task = {} if groups is None else TopicGroups.from_source(groups).of_topic
    sections = [
        _make_ranking(boards, _rank_groups(table, first, groups, options)),
        *_make_groups(table.tasks, systems, scores, of_task),
        _make_tasks(table.tasks, systems, scores, of_task, negated),
        _make_missing(table, first),
        _make_provenance(boards, command),
    ]
    size = f"{counted(len(systems), 'system')} on {counted(len(table.tasks), 'task')}"
    answer = describe_parts(first)[: _count_answers(first)]
    signature = {**first.signature, "command": command}
    content = Content(
        title=title,
        head=Head(
            track=track,
            date=date,
            line=f"{size}, ranked by {first.settings['aggregate']}.",
            verdict=" ".join(map(_as_sentence, chain.from_iterable(answer))),
            footer=footer,
        ),
        sections=tuple(sections),
        systems=systems,
        topics=tuple(table.tasks),
        measures=(MEASURE,),
        unit="task",
        scores=[[[round(x, 6) if math.isfinite(x) else None for x in row] for row in scores.T.tolist()]],
        signature=signature,
        duplicates=dict(_describe_identical(first.identical)),
        pair_tests=_list_pair_tests(first, {name: number for number, name in enumerate(systems)}),
    )
    return Report(title, render_page(content), signature, ())


def _make_ranking(boards: Sequence[Board], groups: Mapping[str, Board]) -> Section:
    """Make the section of ranks: values, rank intervals, ranks by the other aggregations, and clean cuts."""
    first = boards[0]
    tables = [_tabulate_places(boards)]
    tables += [_tabulate_places([result], group=name) for name, result in groups.items()]
    # The first answers are the page's first sentences; what several aggregations rest on is said once.
    told = [tuple(line) for result in boards for line in describe_parts(result, with_directions=False)]
    sentences = tuple(" ".join(map(_as_sentence, line)) for line in dict.fromkeys(told))[_count_answers(first) :]
    missing = () if "low" in first.table else (Gap("Rank intervals", "values alone were requested", warned=False),)
    return Section("leaderboard", "Ranking", sentences, tables=tuple(tables), missing=missing)


def _count_answers(result: Board) -> int:
    """Count the lines that answer: where each system stands that was added, and who may be the best."""
    return len(result.settings.get("added", ())) + 1


def _as_sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _tabulate_places(boards: Sequence[Board], group: str = "") -> Table:
    """Make the table of the systems by rank, over all tasks or those of a group."""
    first, *others = boards
    frame = first.table
    columns: FilledColumns = [
        (PageColumn("rank", "whole"), frame["rank"].tolist()),
        (PageColumn("system", "system"), [str(name) for name in frame.index]),
        (PageColumn(first.settings["aggregate"]), frame["value"].tolist()),
    ]
    pictures: tuple[Picture, ...] = ()
    if "low" in frame:
        (_, *ends), picture = make_ranks(chart_ranks(first, alone=False), frame.index.tolist(), hidden=bool(others))
        columns += ends
        if "marginal_low" in frame:
            alone = "the same of this system by itself, chosen beforehand"
            columns.append((PageColumn("best rank by itself", "whole", alone), frame["marginal_low"].tolist()))
            columns.append((PageColumn("worst rank by itself", "whole", alone), frame["marginal_high"].tolist()))
        below = [bool(apart) for apart in first.adjacent["separable"]] + [False]
        columns.append((PageColumn("above the next", "truth", "whether it is better than the system below it"), below))
        pictures = (picture,)
    for other in others:
        ranks = other.table["rank"].reindex(frame.index)
        name = f"rank by {other.settings['aggregate']}"
        columns.append(
            (PageColumn(name, "whole"), [None if math.isnan(rank) else int(rank) for rank in ranks.tolist()])
        )
    alike = frame["tasks"].nunique() == 1
    columns.append((PageColumn("tasks", "whole", "on which it has a score", hidden=alike), frame["tasks"].tolist()))
    tasks = int(frame["tasks"].max())
    note = f"{counted(tasks, 'task')}{'' if 'low' in frame else ', too few for rank intervals'}" if group else ""
    title = f"Systems by {first.settings['aggregate']}{f', {shown(group)}' if group else ''}"
    id_ = f"leaderboard-{group}" if group else "leaderboard"
    return join_columns(id_, title, columns, pictures=pictures, group=group, note=note)


def _rank_groups(
    table: BoardTable, first: Board, groups: GroupsLike | None, options: Mapping[str, Any] | None
) -> dict[str, Board]:
    """Rank the systems by the tasks of each group; with fewer than six tasks, without intervals."""
    if groups is None or options is None or first.settings["group"]:
        return {}
    of_task = TopicGroups.from_source(groups).of_topic
    aggregate = "mean" if first.settings["aggregate"] == "group-mean" else first.settings["aggregate"]
    shared = {name: options[name] for name in OF_THE_TABLE} | {"aggregate": aggregate, "groups": groups}
    intervals = {name: options[name] for name in OF_INTERVALS}
    ranked: dict[str, Board] = {}
    for name in dict.fromkeys(of_task[task] for task in table.tasks):
        count = sum(of_task[task] == name for task in table.tasks)
        few = options["values_only"] or (count < LEAST_TASKS and options["sampled"] == "tasks")
        own = {"values_only": True} if few else intervals
        # A group of one task, or one that few systems have all tasks of, has no ranking.
        with hearing(), contextlib.suppress(InputError):
            ranked[name] = board(table, **shared, **own, group=name)
    return ranked


def _describe_identical(groups: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Name, for each system, those with the same score on every task."""
    for systems in groups:
        for system in systems:
            others = join_first([shown(other, 40) for other in systems if other != system], 3)
            yield system, f"same score as {others} on every task"


def _list_pair_tests(result: Board, numbers: Mapping[str, int]) -> dict[str, Any]:
    """Return the tests of every two systems; over tasks, the page's script makes them from the scores that it has."""
    alpha, pairs = result.settings["alpha"], result.pairs
    if not len(pairs):
        return describe_pair_tests(None, numbers, MEASURE, alpha)
    reach = scipy.stats.t.isf(alpha / 2 / len(pairs), pairs["df"]) * pairs["standard_error"]
    adjusted = adjust(pairs["p"].to_numpy())
    tested = pairs.reset_index().assign(
        low=(pairs["difference"] - reach).to_numpy(),
        high=(pairs["difference"] + reach).to_numpy(),
        p_adjusted=adjusted,
        significant=adjusted <= alpha,
        topics=result.table["tasks"].max(),
        d_pair=np.where(pairs["standard_error"] == 0, np.inf, 0.0),
    )
    return {**describe_pair_tests(tested, numbers, MEASURE, alpha), "test": "t-test over queries"}


def _make_groups(
    tasks: Sequence[str], systems: Sequence[str], scores: Floats, of_task: Mapping[str, str]
) -> Iterator[Section]:
    """Make the section of means over the tasks of each group; none without groups."""
    names = list(dict.fromkeys(of_task[task] for task in tasks if task in of_task))
    if not names:
        return
    columns: FilledColumns = [(PageColumn("system", "system"), systems)]
    for name in names:
        rows = scores[[of_task.get(task) == name for task in tasks]]
        complete = ~np.isnan(rows).any(axis=0)
        means = np.where(complete, np.where(np.isnan(rows), 0.0, rows).mean(axis=0), np.nan)
        columns.append((PageColumn(name, meaning=f"mean over {counted(len(rows), 'task')}"), means.tolist()))
    table = join_columns(
        "groups", "Mean of each system over the tasks of each group; empty where it lacks one of them", columns
    )
    yield Section("groups", "Groups of tasks", (), tables=(table,))


def _make_tasks(
    tasks: Sequence[str], systems: Sequence[str], scores: Floats, of_task: Mapping[str, str], negated: Sequence[str]
) -> Section:
    """Make the section of tasks: the best, the median and the worst score on each, and who is best."""
    rows: list[tuple[Any, ...]] = []
    for task, row in zip(tasks, scores, strict=True):
        known = row[~np.isnan(row)]
        if not len(known):
            rows.append((task, of_task.get(task, ""), 0, None, None, None, ""))
            continue
        leaders = [systems[int(at)] for at in np.flatnonzero(row == known.max())]
        best = leaders[0] if len(leaders) == 1 else f"{len(leaders):,} systems tied"
        facts = (float(known.max()), float(np.median(known)), float(known.min()))
        rows.append((task, of_task.get(task, ""), len(known), *facts, best))
    columns = (
        PageColumn("task", "topic"),
        PageColumn("group", "text", hidden=not of_task),
        PageColumn("systems", "whole", "that have a score", hidden=len({count for _, _, count, *_ in rows}) == 1),
        *(PageColumn(name) for name in ("best", "median", "worst")),
        PageColumn("best system", "text"),
    )
    table = Table("topics", "Tasks", columns, make_rows(zip(*rows, strict=True)))
    text = "Scores of the ranked systems on each task."
    text += (
        f" Less is better on {', '.join(map(shown, negated))}: the page shows these with a minus." if negated else ""
    )
    return Section("topics", "Tasks", (text,), tables=(table,))


def _make_missing(table: BoardTable, board: Board) -> Section:
    """Make the section of systems that lack tasks, ranked or not."""
    has = ~np.isnan(table.scores)
    lacking = [at for at in range(len(table.systems)) if not has[:, at].all()]
    if not lacking:
        return Section("missing", "What is missing", ("Nothing: every system has a score on every task.",))
    left_out = set(board.left_out)
    rows = []
    for at in lacking:
        tasks = [task for task, there in zip(table.tasks, has[:, at], strict=True) if not there]
        others = [task for task in table.tasks if task not in tasks]
        few = join_first(tasks, 3) if len(tasks) <= len(others) else f"all but {join_first(others, 3)}"
        rows.append((table.systems[at], table.systems[at] not in left_out, len(tasks), few))
    columns = (
        PageColumn("name", "text", "of the system"),
        PageColumn("ranked", "truth", hidden=len({ranked for _, ranked, *_ in rows}) == 1),
        PageColumn("missing", "whole", "number of tasks without a score"),
        PageColumn("tasks", "text", "without a score"),
    )
    one = len(lacking) == 1
    paragraph = f"{len(lacking):,} of {counted(len(table.systems), 'system')} {'lacks' if one else 'lack'} scores"
    if len(left_out) == len(lacking):
        paragraph += f" and {'is' if one else 'are'} not ranked."
    else:
        unranked = f"{len(left_out):,} of these {'is' if len(left_out) == 1 else 'are'} not" if left_out else "all are"
        paragraph += f"; {unranked} ranked (missing cells: {board.settings['missing_cells']})."
    rows.sort(key=lambda row: (-row[2], row[0]))
    table_ = Table("missing", "Systems that lack tasks", columns, make_rows(zip(*rows, strict=True)))
    return Section("missing", "What is missing", (paragraph,), tables=(table_,))


def _word_setting(value: object) -> str:
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_word_setting(each)}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _make_provenance(boards: Sequence[Board], command: str) -> Section:
    """Make the section of the settings behind every number, and the command."""
    signature = boards[0].signature
    rows = [("cranfield", str(signature["cranfield"]))]
    rows.append(("scores (SHA-256)", signature["scores"] if isinstance(signature["scores"], str) else "from memory"))
    for result in boards:
        settings = dict(result.settings)
        of = f"{settings.pop('aggregate')}: " if len(boards) > 1 else ""
        rows += [(f"{of}{key}", _word_setting(value)) for key, value in settings.items()]
    columns = (PageColumn("what", "text"), PageColumn("value", "text"))
    paragraph = "The same scores, version, settings and seed reproduce the same numbers."
    table = Table("settings", "Version and settings", columns, make_rows(zip(*rows, strict=True)))
    return Section("provenance", "Provenance", (paragraph,), tables=(table,), command=command, appendix=True)

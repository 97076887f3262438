"""The page of a board: places with their rank intervals, groups of tasks, tasks, and what is missing."""

from __future__ import annotations

import math
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, shown
from cranfield._typing import Floats
from cranfield.boards.assembly import BoardTable
from cranfield.boards.ranking import Board
from cranfield.boards.sentences import describe_board
from cranfield.reporting.content import (
    Column,
    Columns,
    Content,
    Gap,
    Head,
    Picture,
    Section,
    Table,
    join_columns,
    make_rows,
)
from cranfield.reporting.page import render_page
from cranfield.reporting.redaction import PathRedactor
from cranfield.reporting.report import Report
from cranfield.scores.topic_groups import TopicGroups

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike

MEASURE = "score"


def write_board_page(
    boards: Sequence[Board], table: BoardTable, options: Mapping[str, Any], paths: Sequence[str]
) -> str:
    """Make the page of a call of the command, as text, without the folders of this machine.

    Args:
        boards: of the table.
        table: what was ranked.
        options: of the call, with the ``groups`` of tasks.
        paths: that the call names.
    """
    public = PathRedactor(paths)
    command = shlex.join(["cranfield", *map(public.argument, sys.argv[1:])])
    return make_board_page(
        table, boards, options["groups"], title=f"Board of {public(table.name)}", command=command
    ).html


def make_board_page(
    table: BoardTable, boards: Sequence[Board], groups: GroupsLike | None, *, title: str, command: str = ""
) -> Report:
    """Make the page of a board that was ranked by one aggregation or several; the first orders systems.

    Args:
        table: what was ranked.
        boards: of the table, at least one.
        groups: task -> group, for the means of each group; None without groups.
        title: of the page.
        command: the command line, which the page repeats.
    """
    first = boards[0]
    systems = tuple(str(name) for name in first.table.index)
    columns = {name: at for at, name in enumerate(table.systems)}
    turned = first.signature["lower_is_better"]
    sign = np.where([task in turned for task in table.tasks], -1.0, 1.0)
    scores = table.scores[:, [columns[name] for name in systems]] * sign[:, None]
    of_task = {} if groups is None else TopicGroups.from_source(groups).of_topic
    sections = [
        _make_places(boards),
        *_make_groups(table.tasks, systems, scores, of_task),
        _make_tasks(table.tasks, systems, scores, of_task, turned),
        _make_missing(table, first),
        _make_provenance(boards, command),
    ]
    size = f"{counted(len(systems), 'system')} on {counted(len(table.tasks), 'task')}"
    answer = describe_board(first)[0]
    signature = {**first.signature, "command": command}
    content = Content(
        title=title,
        head=Head(
            line=f"{size}, ranked by {first.settings['aggregate']}.", verdict=f"{answer[0].upper()}{answer[1:]}."
        ),
        sections=tuple(sections),
        systems=systems,
        topics=tuple(table.tasks),
        measures=(MEASURE,),
        unit="task",
        scores=[[[round(x, 6) if math.isfinite(x) else None for x in row] for row in scores.T.tolist()]],
        signature=signature,
    )
    return Report(title, render_page(content), signature, ())


def _make_places(boards: Sequence[Board]) -> Section:
    """Make the section of places: values, rank intervals, ranks by the other aggregations, and clean cuts."""
    first, *others = boards
    frame = first.table
    ranked = "low" in frame
    columns: Columns = [
        (Column("rank", "whole"), frame["rank"].tolist()),
        (Column("system", "system"), [str(name) for name in frame.index]),
        (Column(first.settings["aggregate"]), frame["value"].tolist()),
    ]
    pictures: tuple[Picture, ...] = ()
    if ranked:
        meaning = "the system's rank lies between these, all systems together"
        columns.append((Column("best rank", "whole", meaning), frame["low"].tolist()))
        columns.append((Column("worst rank", "whole", meaning), frame["high"].tolist()))
        if "marginal_low" in frame:
            alone = "the same of this system by itself, chosen beforehand"
            columns.append((Column("best rank by itself", "whole", alone), frame["marginal_low"].tolist()))
            columns.append((Column("worst rank by itself", "whole", alone), frame["marginal_high"].tolist()))
        below = [bool(apart) for apart in first.adjacent["separable"]] + [False]
        columns.append((Column("above the next", "truth", "whether it is better than the system below it"), below))
        pictures = (Picture("rank, interval", ("rank", "best rank", "worst rank"), "best rank"),)
    for other in others:
        ranks = other.table["rank"].reindex(frame.index)
        name = f"rank by {other.settings['aggregate']}"
        columns.append((Column(name, "whole"), [None if math.isnan(rank) else int(rank) for rank in ranks.tolist()]))
    columns.append((Column("tasks", "whole", "on which it has a score"), frame["tasks"].tolist()))
    places = join_columns("leaderboard", f"Systems by {first.settings['aggregate']}", columns, pictures=pictures)
    # The first answer is the page's first sentence.
    lines = [line for result in boards for line in describe_board(result)][1:]
    sentences = tuple(f"{line[0].upper()}{line[1:]}." for line in lines)
    missing = () if ranked else (Gap("Rank intervals", "values alone were requested", warned=False),)
    return Section("leaderboard", "Places", sentences, tables=(places,), missing=missing)


def _make_groups(
    tasks: Sequence[str], systems: Sequence[str], scores: Floats, of_task: Mapping[str, str]
) -> Iterator[Section]:
    """Make the section of means over the tasks of each group; none without groups."""
    names = list(dict.fromkeys(of_task[task] for task in tasks if task in of_task))
    if not names:
        return
    columns: Columns = [(Column("system", "system"), systems)]
    for name in names:
        rows = scores[[of_task.get(task) == name for task in tasks]]
        complete = ~np.isnan(rows).any(axis=0)
        means = np.where(complete, np.where(np.isnan(rows), 0.0, rows).mean(axis=0), np.nan)
        columns.append((Column(name, meaning=f"mean over {counted(len(rows), 'task')}"), means.tolist()))
    table = join_columns(
        "groups", "Mean of each system over the tasks of each group; empty where it lacks one of them", columns
    )
    yield Section("groups", "Groups of tasks", (f"{counted(len(names), 'group')} of tasks.",), tables=(table,))


def _make_tasks(
    tasks: Sequence[str], systems: Sequence[str], scores: Floats, of_task: Mapping[str, str], turned: Sequence[str]
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
        Column("task", "topic"),
        Column("group", "text", hidden=not of_task),
        Column("systems", "whole", "that have a score"),
        *(Column(name) for name in ("best", "median", "worst")),
        Column("best system", "text"),
    )
    table = Table("topics", "Tasks", columns, make_rows(zip(*rows, strict=True)))
    text = "Scores of the ranked systems on each task."
    text += f" Less is better on {', '.join(map(shown, turned))}: the page shows these with a minus." if turned else ""
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
        text = ", ".join(tasks[:5]) + (", ..." if len(tasks) > 5 else "")
        rows.append((table.systems[at], table.systems[at] not in left_out, len(tasks), text))
    columns = (
        Column("name", "text", "of the system"),
        Column("ranked", "truth"),
        Column("missing", "whole", "number of tasks without a score"),
        Column("tasks", "text", "the first five"),
    )
    verb = "lacks" if len(lacking) == 1 else "lack"
    paragraph = (
        f"{counted(len(lacking), 'system')} of {len(table.systems):,} {verb} scores; "
        f"{counted(len(left_out), 'system')} not ranked (missing cells: {board.settings['missing_cells']})."
    )
    rows.sort(key=lambda row: (-row[2], row[0]))
    table_ = Table("missing", "Systems that lack tasks", columns, make_rows(zip(*rows, strict=True)))
    return Section("missing", "What is missing", (paragraph,), tables=(table_,))


def _make_provenance(boards: Sequence[Board], command: str) -> Section:
    """Make the section of the settings behind every number, and the command."""
    signature = boards[0].signature
    rows = [("cranfield", str(signature["cranfield"]))]
    rows.append(("scores (SHA-256)", signature["scores"] if isinstance(signature["scores"], str) else "from memory"))
    for board in boards:
        name = board.settings["aggregate"]
        rows += [(f"{name}: {key}", str(value)) for key, value in board.settings.items() if key != "aggregate"]
    columns = (Column("what", "text"), Column("value", "text"))
    paragraph = "The same scores, version, settings and seed reproduce the same numbers."
    table = Table("settings", "Version and settings", columns, make_rows(zip(*rows, strict=True)))
    return Section("provenance", "Provenance", (paragraph,), tables=(table,), command=command, appendix=True)

"""``cranfield board``: systems ranked by their scores on several tasks, and the ranks that each may have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._text import counted
from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import format_option, output_option, seed_option
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.boards import Board
    from cranfield.boards.assembly import BoardTable
    from cranfield.results.sheet import Sheet

AGGREGATES = ("mean", "group-mean", "borda", "mean-rank", "z", "wins")
TOP = 20
"""Systems, or pairs, that a table shows."""


class _Listed(click.Choice[str]):
    """Names, several of which commas may join."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text as it is: ``_parse_aggregates`` splits it."""
        return value


@click.command(cls=FoldedHelp)
@click.argument("scores", metavar="SCORES")
@click.option(
    "--aggregate",
    "aggregate",
    multiple=True,
    type=_Listed(AGGREGATES),
    metavar="NAME",
    help=f"How tasks become one value: {', '.join(AGGREGATES)}; repeat, or put commas between.  [default: mean]",
)
@click.option(
    "--groups",
    metavar="FILE",
    help="Lines `task group`, as MTEB's tasks.tsv, or FILE.csv#COLUMN; needed by group-mean.",
)
@click.option(
    "--missing-cells",
    type=click.Choice(["refuse", "complete", "fit", "zero", "pairwise"]),
    default="refuse",
    show_default=True,
    help="Systems without a score on a task: refuse; rank only complete systems; fill gaps by system + task (mean, "
    "group-mean, z); no points (borda, as MTEB); compare pairs on the tasks they share (wins).",
)
@click.option(
    "--unit",
    type=click.Choice(["tasks", "queries"]),
    default="tasks",
    show_default=True,
    help="What rank intervals generalize to: other tasks like these, or other queries of these tasks.",
)
@click.option("--errors", metavar="FILE", help="Standard errors of the scores, for --unit queries.")
@click.option("--rows", type=click.Choice(["systems", "tasks"]), help="What the rows of a matrix are.")
@click.option("--lower-is-better", multiple=True, metavar="TASK", help="A task on which lower is better; repeat.")
@click.option("--tasks", multiple=True, metavar="NAME", help="What is a task, and nothing else; repeat.")
@click.option("--not-tasks", multiple=True, metavar="NAME", help="What is not a task; repeat.")
@click.option("--min-tasks", type=click.IntRange(1), help="Leave out systems with fewer.  [default: 6]")
@click.option("--marginal", is_flag=True, help="Also ranks of each system by itself (slow).")
@click.option("--values-only", is_flag=True, help="No rank intervals.")
@click.option(
    "--show",
    type=click.Choice(["places", "pairs"]),
    default="places",
    show_default=True,
    help="places: systems by rank. pairs: tests of each two systems (--unit queries).",
)
@click.option("--top", type=click.IntRange(1), help="Print N rows only.  [default: 20 in a table]")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="1 - coverage of the rank intervals.")
@click.option(
    "--resamples", type=click.IntRange(1), default=10_000, show_default=True, help="Sign flips, or normal samples."
)
@seed_option
@format_option("latex", "markdown")
@output_option
def board(
    scores: str,
    aggregate: tuple[str, ...],
    show: str,
    top: int | None,
    format_: str,
    output: str | None,
    **options: Any,
) -> None:
    """Rank systems by their scores on several tasks, with an interval for each rank.

    SCORES is a long table (system, task, score; perhaps query, error), a matrix whose first column is called model or
    task, HELM's groups/json/*.json, or a folder of MTEB's results or inspect_ai's logs in JSON. Larger is better.
    -o FILE.html writes a page: places, tasks, systems, pairs, gaps.
    """
    from cranfield.cli._output import check_output_path, emit, present, warnings_to_stderr

    names = _parse_aggregates(aggregate)
    if options["groups"] is not None and "group-mean" not in names:
        raise UsageError("--groups is for --aggregate group-mean: name both, or none")
    if show == "pairs" and (options["unit"] != "queries" or options["values_only"] or len(names) > 1):
        raise UsageError("--show pairs prints tests over queries: it needs --unit queries and one --aggregate")
    is_page = output is not None and output.lower().endswith((".html", ".htm"))
    if is_page:
        _refuse_table_options()
    check_output_path(output, page=is_page)
    with warnings_to_stderr():
        table, boards = _rank(scores, names, options)
    if is_page:
        emit(
            _make_page(table, boards, [scores, options["groups"], options["errors"], output], options["groups"]), output
        )
    elif show == "pairs":
        present(_make_pairs(boards[0], format_, top), format_, output)
    else:
        present(_make_sheet(boards, format_, top), format_, output)


def _refuse_table_options() -> None:
    """Refuse the options of a printed table where a page is written, which shows all rows and no single table.

    Raises:
        UsageError: one is there.
    """
    context = click.get_current_context()
    for name, option in (("show", "--show"), ("top", "--top"), ("format_", "--format")):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise UsageError(f"{option} is for a table, and -o FILE.html writes a page of all rows: leave one out")


def _parse_aggregates(texts: Sequence[str]) -> list[str]:
    """Return the aggregations once each, in the order they are named.

    Raises:
        UsageError: there is none of that name.
    """
    names = list(dict.fromkeys(name.strip() for text in texts for name in text.split(","))) or ["mean"]
    unknown = next((name for name in names if name not in AGGREGATES), None)
    if unknown is not None:
        raise UsageError(f"--aggregate {unknown}: expected {', '.join(AGGREGATES)}")
    return names


def _rank(scores: str, names: Sequence[str], options: dict[str, Any]) -> tuple[BoardTable, list[Board]]:
    """Read the board, and rank it by each aggregation."""
    from cranfield.boards import board as rank_board
    from cranfield.boards import read_board

    chosen = {name: options.pop(name) for name in ("tasks", "not_tasks")}
    table, boards = read_board(scores, rows=options["rows"], **chosen), []
    for name in names:
        groups = options["groups"] if name == "group-mean" else None
        boards.append(rank_board(table, **(options | {"aggregate": name, "groups": groups})))
    return table, boards


def _make_page(table: BoardTable, boards: Sequence[Board], paths: Sequence[str | None], groups: str | None) -> str:
    """Make the page of the board, without the folders of this machine."""
    import shlex
    import sys

    from cranfield.reporting.board_page import make_board_page
    from cranfield.reporting.redaction import PathRedactor

    public = PathRedactor([path for path in paths if path is not None])
    command = shlex.join(["cranfield", *map(public.argument, sys.argv[1:])])
    return make_board_page(table, boards, groups, title=f"Board of {public(table.name)}", command=command).html


def _make_sheet(boards: Sequence[Board], format_: str, top: int | None) -> Sheet:
    """Make the table of places; several boards stand below each other, with the signature of each."""
    from pandas import concat

    from cranfield.boards.sentences import describe_board
    from cranfield.results.sheet import Sheet

    several = len(boards) > 1
    frames = [result.table.reset_index() for result in boards]
    if several:
        for result, frame in zip(boards, frames, strict=True):
            frame.insert(0, "aggregate", result.settings["aggregate"])
    limit = top if top is not None or format_ != "table" else TOP
    rows = concat([frame.head(limit) if limit else frame for frame in frames], ignore_index=True)
    total = sum(map(len, frames))
    caption = "\n".join(line for result in boards for line in describe_board(result))
    if len(rows) < total:
        caption = f"{len(rows):,} of {total:,} rows; --top, or -f csv, prints the others\n{caption}"
    if format_ == "table" and rows["tasks"].nunique() == 1:
        rows = rows.drop(columns="tasks")
    signature = boards[0].signature
    if several:
        signatures = {result.settings["aggregate"]: result.signature for result in boards}
        signature = {"cranfield": signature["cranfield"], "analysis": "boards", "boards": signatures}
    return Sheet.from_frame(rows, caption, signature)


def _make_pairs(result: Board, format_: str, top: int | None) -> Sheet:
    """Make the table of the tests of every two systems over queries."""
    from cranfield.boards.sentences import describe_spread
    from cranfield.results.sheet import Sheet

    rows = result.pairs.reset_index()
    limit = top if top is not None or format_ != "table" else TOP
    shown_rows = rows.head(limit) if limit else rows
    pairs = counted(len(rows), "pair")
    lines = [f"{result.settings['aggregate']}: {pairs}; p is two-sided, and not corrected for their number"]
    if len(shown_rows) < len(rows):
        lines.insert(0, f"{len(shown_rows):,} of {len(rows):,} pairs; --top, or -f csv, prints the others")
    return Sheet.from_frame(shown_rows, "\n".join([*lines, *describe_spread(result)]), result.signature)

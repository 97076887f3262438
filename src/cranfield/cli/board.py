"""``cranfield board``: systems ranked by their scores on several tasks, and the ranks that each may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._help import FoldedHelp
from cranfield.cli._options import format_option, output_option, seed_option
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.boards import Board

AGGREGATES = ("mean", "group-mean", "borda", "mean-rank", "z", "wins")
INTERVALS_OVER = {
    "tasks": "the tasks are taken as a sample of such tasks",
    "queries": "these tasks and no others; their queries are taken as samples",
}


@click.command(cls=FoldedHelp)
@click.argument("scores", metavar="SCORES")
@click.option(
    "--aggregate",
    "aggregate",
    multiple=True,
    metavar="NAME",
    help=f"How tasks become one value: {', '.join(AGGREGATES)}; repeat, or put commas between.  [default: mean]",
)
@click.option("--groups", metavar="FILE", help="Lines `task group`, or FILE.csv#COLUMN; needed by group-mean.")
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
    help="What the rank intervals are over: other tasks like these, or other queries of these tasks.",
)
@click.option("--errors", metavar="FILE", help="Standard errors of the scores, for --unit queries.")
@click.option("--rows", type=click.Choice(["systems", "tasks"]), help="What the rows of a matrix are.")
@click.option("--lower-is-better", multiple=True, metavar="TASK", help="A task on which less is better; repeat.")
@click.option("--min-tasks", type=click.IntRange(1), help="Leave out systems with fewer tasks.  [default: 6]")
@click.option("--marginal", is_flag=True, help="Also the ranks of each system by itself (three times the time).")
@click.option("--values-only", is_flag=True, help="No rank intervals.")
@click.option("--top", type=click.IntRange(1), help="Print the first N systems only.  [default: 20 in a table]")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="1 - coverage of the rank intervals.")
@click.option(
    "--resamples", type=click.IntRange(1), default=10_000, show_default=True, help="Sign flips, or normal samples."
)
@seed_option
@format_option("latex", "markdown")
@output_option
def board(
    scores: str, aggregate: tuple[str, ...], top: int | None, format_: str, output: str | None, **options: Any
) -> None:
    """Rank systems by their scores on several tasks, and print between which ranks each may lie.

    SCORES is a long table (system, task, score; perhaps query and error), a matrix (its first column is called model or
    task), or a folder of MTEB's results. Empty cells are missing; larger scores are better.
    """
    from cranfield.boards import board as rank_board
    from cranfield.cli._output import check_output_path, present, warnings_to_stderr
    from cranfield.results.sheet import Sheet

    names = [name.strip() for text in aggregate for name in text.split(",")] or ["mean"]
    unknown = [name for name in names if name not in AGGREGATES]
    if unknown:
        raise UsageError(f"--aggregate {unknown[0]}: expected {', '.join(AGGREGATES)}")
    check_output_path(output)
    with warnings_to_stderr():
        boards: list[Board] = []
        for name in names:
            own_groups = options["groups"] if name == "group-mean" else None
            boards.append(rank_board(scores, **(options | {"aggregate": name, "groups": own_groups})))
    first = boards[0]
    rows = first.table.reset_index()
    if len(boards) > 1:
        rows.insert(0, "aggregate", names[0])
        import pandas as pd

        others = [result.table.reset_index() for result in boards[1:]]
        for name, other in zip(names[1:], others, strict=True):
            other.insert(0, "aggregate", name)
        rows = pd.concat([rows, *others], ignore_index=True)
    shown = top if top is not None or format_ != "table" else 20
    caption = "\n".join(_caption(result) for result in boards)
    if shown is not None:
        keep = rows.groupby("aggregate").head(shown) if len(boards) > 1 else rows.head(shown)
        if len(keep) < len(rows):
            caption = f"{len(keep):,} of {len(rows):,} rows; --top, or -f csv, prints the others\n{caption}"
        rows = keep
    if format_ == "table" and "tasks" in rows and rows["tasks"].nunique() == 1:
        rows = rows.drop(columns="tasks")
    present(Sheet.of_frame(rows, caption, first.signature), format_, output)


def _caption(result: Board) -> str:
    """The answer in a sentence, then what the intervals are over, and what was left out."""
    from cranfield._text import counted, shown

    settings, table = result.settings, result.table
    best = table.index[0]
    lines = [f"{settings['aggregate']}: {counted(len(table), 'system')}"]
    if "low" in table:
        candidates = result.among_best(1)
        adjacent = int(result.adjacent["separable"].sum())
        best_text = f"{shown(best)} has the largest value"
        if len(candidates) > 1:
            best_text += f", but any of {len(candidates):,} systems may be the best"
        else:
            best_text += " and is the only one that may be the best"
        lines[0] += f". {best_text}; {100 * result.pairs_separated:.0f}% of pairs and {adjacent} of "
        lines[0] += f"{len(result.adjacent)} adjacent places are separated"
        cuts = result.cuts
        lines[0] += f", with a clean cut after rank {', '.join(map(str, cuts))}" if cuts else ""
        lines.append(
            f"low to high: ranks of all systems together, {100 * (1 - settings['alpha']):.4g}%; "
            f"{INTERVALS_OVER[settings['unit']]}"
        )
    if result.left_out:
        lines.append(
            f"{counted(len(result.left_out), 'system')} not ranked: too few tasks ({settings['missing_cells']})"
        )
    return "\n".join(lines)

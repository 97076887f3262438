"""What a board says, in sentences: who may be the best, what the intervals are over, and what was left out."""

from __future__ import annotations

from cranfield._text import counted, shown
from cranfield.boards.ranking import Board

INTERVALS_OVER = {
    "tasks": "the tasks are taken as a sample of such tasks",
    "queries": "these tasks and no others; their queries are taken as samples",
}
INDEPENDENT = "errors of two systems taken as independent; on shared queries they are cautious"


def describe_spread(result: Board) -> list[str]:
    """Say what stated errors leave out; nothing where queries are at hand."""
    return [INDEPENDENT] if result.settings.get("spread") == "errors" else []


def describe_board(result: Board) -> list[str]:
    """The answer in a sentence, then what the intervals are over, and what was left out."""
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
        lines += describe_spread(result)
    if result.left_out:
        lines.append(
            f"{counted(len(result.left_out), 'system')} not ranked: too few tasks ({settings['missing_cells']})"
        )
    return lines

"""What a board says, in sentences: who may be the best, what the intervals are over, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cranfield._text import counted, shown

INTERVALS_OVER = {
    "tasks": "the tasks are taken as a sample of such tasks",
    "queries": "these tasks and no others; their queries are taken as samples",
}
INDEPENDENT = "errors of two systems taken as independent; on shared queries they are cautious"


def describe_spread(result: Any) -> list[str]:
    """Say what stated errors leave out; nothing where queries are at hand."""
    return [INDEPENDENT] if result.settings.get("spread") == "errors" else []


def describe_directions(directions: Mapping[str, str]) -> str:
    """Say on which tasks smaller scores are better; nothing where there is none, and nothing is said."""
    smaller = [shown(task) for task, said in directions.items() if said == "smaller is better"]
    named = [shown(task) for task, said in directions.items() if said.endswith("by its name")]
    parts = [f"on {', '.join(smaller)}"] * bool(smaller) + [f"on {', '.join(named)}, by name"] * bool(named)
    if parts:
        return f"; smaller is better {' and '.join(parts)}, larger on the others"
    return "; larger is better on every task" if directions else ""


def describe_board(result: Any) -> list[str]:
    """The answer in a sentence, then what the intervals are over, and what was left out."""
    settings, table = result.settings, result.table
    count = counted(len(table), "system")
    if "low" not in table:
        lines = [f"by {settings['aggregate']}: {count}, {shown(table.index[0])} has the largest value"]
    else:
        lines = [_describe_leaders(result), _describe_intervals(settings), *describe_spread(result)]
    lines = [*_describe_added(result), *lines]
    lines[0] += describe_directions(settings.get("directions", {}))
    lines += [] if result.ranked is None else result.ranked.describe()
    if result.left_out:
        without = counted(len(result.left_out), "system")
        lacking = (
            "as each lacks a score on some task"
            if settings["missing_cells"] == "complete"
            else f"as each has scores on fewer than {settings['min_tasks']} tasks"
        )
        lines.append(f"{without} not ranked, {lacking}")
    return lines


def _describe_leaders(result: Any) -> str:
    candidates, separable = result.among_best(1), result.adjacent["separable"]
    text = f"by {result.settings['aggregate']}, {shown(result.table.index[0])} has the largest value"
    if len(candidates) > 1:
        text += f", but {len(candidates):,} of {counted(len(result.table), 'system')} may be the best"
    else:
        text += f" and is the only one of {counted(len(result.table), 'system')} that may be the best"
    text += f"; {100 * result.pairs_separated:.0f}% of pairs and {int(separable.sum())} of {len(separable)} adjacent "
    text += "ranks are separated"
    if result.cuts:
        text += f"; after rank {', '.join(map(str, result.cuts))}, all systems above are better than all below"
    return text


def _describe_added(result: Any) -> list[str]:
    """Say where each system stands that was added: its rank, and how many others are certainly better and worse."""
    settings, table = result.settings, result.table
    lines, count = [], len(table)
    for name in settings.get("added", ()):
        row = table.loc[name]
        text = f"by {settings['aggregate']}, {shown(name)} is at rank {int(row['rank']):,} of {count:,}"
        if "low" in row:
            better, worse = int(row["low"]) - 1, count - int(row["high"])
            text += (
                f": with {100 * (1 - settings['alpha']):.4g}% confidence {better:,} are better and {worse:,} worse, "
            )
            text += f"and {count - 1 - better - worse:,} are neither, as far as these tasks show"
        lines.append(text)
    return lines


def _describe_intervals(settings: Mapping[str, Any]) -> str:
    level = f"{100 * (1 - settings['alpha']):.4g}%"
    return f"interval: ranks of all systems together, {level}; {INTERVALS_OVER[settings['sampled']]}"

"""The sentences of a board: who may be the best, what the intervals are over, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cranfield._text import counted, every_one, join_first, shown

INTERVALS_OVER = {
    "tasks": "the tasks are taken as a sample of such tasks",
    "queries": "these tasks and no others; their queries are taken as samples",
}
UNSAID = "larger is better, as nothing says otherwise"
INDEPENDENT = "errors of two systems taken as independent; on shared queries they are cautious"


def describe_spread(result: Any) -> list[str]:
    """Say what stated errors leave out; nothing where queries are at hand."""
    return [INDEPENDENT] if result.settings.get("spread") == "errors" else []


def describe_directions(directions: Mapping[str, str]) -> str:
    """Say on which tasks smaller scores are better, and where nothing says it; nothing where larger is."""
    by_word = {
        word: [shown(task) for task, said in directions.items() if said == word]
        for word in ("smaller is better", "smaller is better, by its name", "larger is better")
    }
    smaller, named, larger = by_word.values()
    parts = [f"on {', '.join(smaller)}"] * bool(smaller) + [f"on {', '.join(named)}, by name"] * bool(named)
    unsaid = UNSAID in directions.values()
    others = f"on {', '.join(larger)} and on the others" if larger and unsaid else "on the others"
    why = ", as nothing says otherwise" if unsaid else ""
    if parts:
        return f"smaller is better {' and '.join(parts)}, larger {others}{why}"
    return f"larger is better {others if larger and unsaid else 'on every task'}{why}" if directions else ""


def describe_units(unlike: Sequence[str], aggregate: str) -> str:
    """Say that a mean adds scores in several units, and what does not depend on units."""
    named = join_first([shown(task) for task in unlike], 3)
    return (
        f"{aggregate} adds {named} to the other tasks as they are, though in another unit or direction: ranks by z, "
        "borda or wins do not depend on units"
    )


def describe_board(result: Any) -> list[str]:
    """The answer in a sentence, then what the intervals are over, and what was left out."""
    answer, *lines = describe_parts(result)
    return ["; ".join(answer), *map("; ".join, lines)]


def describe_parts(result: Any, *, with_directions: bool = True) -> list[list[str]]:
    """The lines of ``describe_board``, each in parts that are sentences."""
    settings, table = result.settings, result.table
    count = counted(len(table), "system")
    if "low" not in table:
        lines = [[f"by {settings['aggregate']}: {count}, {shown(table.index[0])} has the largest value"]]
    else:
        lines = [
            _describe_leaders(result),
            [_describe_intervals(settings)],
            *([line] for line in describe_spread(result)),
        ]
    if with_directions and (directions := describe_directions(settings.get("directions", {}))):
        lines[0].append(directions)
    lines = [*([line] for line in _describe_added(result)), *lines]
    if unlike := settings.get("other_units"):
        lines.append([describe_units(unlike, settings["aggregate"])])
    if result.identical:
        alike = [" = ".join(map(shown, systems)) for systems in result.identical]
        lines.append([f"the same score on every task: {join_first(alike, 3)}"])
    lines += [] if result.ranked is None else [[line] for line in result.ranked.describe()]
    if result.left_out:
        many = len(result.left_out) > 1
        without = counted(len(result.left_out), "system")
        lines.append([f"{without} not ranked, as {'each' if many else 'it'} {_describe_lack(settings)}"])
    return lines


def _describe_lack(settings: Mapping[str, Any]) -> str:
    """Say what a system lacks that is not ranked."""
    if settings["missing_cells"] == "complete":
        return "lacks a score on some task"
    least = settings["min_tasks"]
    return f"has scores on {'no task' if least == 1 else f'fewer than {least:,} tasks'}"


def _describe_leaders(result: Any) -> list[str]:
    """Say who may be the best, how many pairs are separated, and where all systems above are better than all below."""
    names, candidates, separable = result.table.index, result.among_best(1), result.adjacent["separable"]
    count = counted(len(names), "system")
    text = f"by {result.settings['aggregate']}, {shown(names[0])} has the largest value"
    if len(candidates) > 1:
        those = f"any of {count}" if len(candidates) == len(names) else f"{len(candidates):,} of {count}"
        text += f", but {those} may be the best"
    else:
        text += f" and is the only one of {count} that may be the best"
    if not result.pairs_separated:
        return [text, "no two systems are separated"]
    apart = int(separable.sum())
    share = f"{100 * result.pairs_separated:.0f}% of pairs of systems are separated"
    parts = [text, f"{share}, and {apart:,} of {counted(len(separable), 'pair')} of adjacent ranks"]
    cuts = [cut for cut in result.cuts if 1 < cut < len(names) - 1]
    if cuts and apart < len(separable):
        parts.append(f"all systems down to rank {' or '.join(map(str, cuts))} are better than all below")
    if len(names) > 2 and len(names) - 1 in result.cuts and apart < len(separable):
        parts.append(f"the last, {shown(names[-1])}, is worse than all others")
    return parts


def _describe_added(result: Any) -> list[str]:
    """Say where each system stands that was added: its rank, and how many others are certainly better and worse."""
    settings, table = result.settings, result.table
    lines, count = [], len(table)
    for name in settings.get("added", ()):
        if name in result.left_out:
            lack = _describe_lack(settings)
            lines.append(f"{shown(name)} is not ranked, as it {lack}: wins can compare it on the tasks that it has")
            continue
        row = table.loc[name]
        text = f"by {settings['aggregate']}, {shown(name)} is at rank {int(row['rank']):,} of {count:,}"
        if "low" in row:
            better, worse = int(row["low"]) - 1, count - int(row["high"])
            others = {"better": better, "worse": worse}
            others |= {"neither": neither} if (neither := count - 1 - better - worse) else {}
            told = [f"{f'{n:,}' if n else 'none'} {'are' if n > 1 else 'is'} {word}" for word, n in others.items()]
            text += (
                f": with {100 * (1 - settings['alpha']):.4g}% confidence {every_one(told)}, as far as these tasks show"
            )
        lines.append(text)
    return lines


def _describe_intervals(settings: Mapping[str, Any]) -> str:
    level = f"{100 * (1 - settings['alpha']):.4g}%"
    return f"interval: ranks of all systems together, {level}; {INTERVALS_OVER[settings['sampled']]}"

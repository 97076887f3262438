"""How often do rank sets on few topics, or few queries, err, and what do they find?

    python reproductions/few_topics/reproduce.py

writes ``tables.md`` beside this file in about three minutes of one core; README.md says what follows. ``--share``
makes more or fewer of each setting. Of many shares some are high by chance: one above .055 is counted again on five
times as many new draws, and that share is printed, with a star.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from simulated import Found, Setting, count_errors, count_newcomer_errors

from cranfield.boards import board
from cranfield.errors import CranfieldWarning

HERE = Path(__file__).parent
SIZES = ((4, 5), (6, 10), (10, 15), (20, 20), (6, 50))
"""Systems and topics."""
DESIGNS: dict[str, dict[str, Any]] = {
    "complete": {"prior": None},
    "complete, ties": {"prior": None, "ties": 0.3},
    "half": {"design": "half"},
    "half, ties": {"design": "half", "ties": 0.3},
    "uneven": {"design": "uneven"},
    "uneven, ties": {"design": "uneven", "ties": 0.3},
}
EQUAL = {name: DESIGNS[name] for name in ("complete", "complete, ties", "half, ties")} | {
    "topics differ": {"noise": 1.0}
}
DIFFER: dict[str, Any] = {"step": 0.7, "noise": 1.0}
UNEQUAL = {name: DESIGNS[name] | DIFFER for name in ("complete", "half, ties")}
QUERIES = ((4, 6, 4), (10, 3, 8), (20, 6, 4))
"""Systems, tasks and queries of each."""
KINDS = ("normal", "binary")
NEWCOMERS = (2, 3, 4, 6, 10)
"""Verdicts on a newcomer among five systems with twenty topics."""
AGAIN, TIMES = 0.055, 5
"""A share above this is counted again, on so many times as many draws."""
LEVEL = 20.0
"""Far from 0, where a board would ask whether one system is in percent among fractions."""
GAP = 0.5
"""Standard deviations of a score between two systems next to each other that differ."""

Floats = NDArray[np.float64]


def draw_scores(shape: tuple[int, int], kind: str, task: int, rng: np.random.Generator) -> Floats:
    """Draw scores of equal systems on the queries of a task, [queries, systems]."""
    if kind == "binary":
        return (rng.random(shape) < rng.beta(1, 1, size=(shape[0], 1))).astype(float)
    if kind == "beta":
        return np.asarray(rng.beta(0.5, 0.8, size=shape))
    return np.asarray(rng.normal(size=shape) * (1 if task or kind == "normal" else 4))


def count_board_errors(size: tuple[int, int, int], kind: str, boards: int, *, gap: float = 0.0, seed: int = 1) -> Found:
    """Share of boards over queries whose ranks leave out a true one, and of the true orders that are found.

    Systems are equal by twos; such pairs are ``gap`` apart, and where it is 0 all are equal.
    """
    systems, tasks, queries = size
    rng = np.random.default_rng([seed, *size])
    names = ["task", "query", "system"]
    frame = pd.MultiIndex.from_product([range(tasks), range(queries), range(systems)], names=names).to_frame(
        index=False
    )
    worth = -gap * (np.arange(systems) // 2)
    best = 1 + (worth[:, None] > worth).sum(axis=0)
    worst = (worth[:, None] >= worth).sum(axis=0)
    apart = (worth[:, None] > worth).sum()
    frame = frame.astype({"task": str, "system": str})
    wrong, found = 0, 0.0
    for _ in range(boards):
        scores = [LEVEL + draw_scores((queries, systems), kind, task, rng) + worth for task in range(tasks)]
        own = frame.assign(score=np.concatenate(scores).ravel())
        table = board(own, sampled="queries", resamples=1000).table
        at = table.index.astype(int).to_numpy()
        low, high = table["low"].to_numpy(), table["high"].to_numpy()
        wrong += bool((low > best[at]).any() or (high < worst[at]).any())
        found += (systems - 1 - (high - low)).sum() / 2 / apart if apart else 0.0
    return Found(wrong / boards, np.nan, found / boards, boards)


def count_surely(count: Callable[..., Found], boards: int) -> tuple[str, str]:
    """The share of wrong ones, counted again if it is high by chance, and the share of true orders that are found."""
    found, star = count(boards, seed=1), ""
    if found.wrong > AGAIN:
        found, star = count(TIMES * boards, seed=2), "*"
    return f"{found.wrong:.3f}{star}", f"{found.power:.2f}"


def equal_table(judges: int) -> Iterator[str]:
    """Lines of the table of equal systems, in Markdown."""
    yield f"## Equal systems: judges, of {judges}, whose rank sets leave out a rank, where .05 is meant\n"
    yield from _lines(EQUAL, _count_all(EQUAL, judges), 0)


def unequal_tables(judges: int) -> Iterator[str]:
    """Lines of the tables of systems that differ."""
    found = _count_all(UNEQUAL, judges)
    yield f"\n## Systems that differ: judges, of {judges}, whose rank sets leave out a true rank\n"
    yield from _lines(UNEQUAL, found, 0)
    yield "\n## Systems that differ: share of the true orders that are found\n"
    yield from _lines(UNEQUAL, found, 1)


def newcomer_table(judges: int) -> Iterator[str]:
    """Lines of the table of newcomers with few verdicts."""
    yield f"\n## A newcomer as good as five others: judges, of {judges}, that leave out one of its ranks\n"
    yield "| its verdicts | judges that leave out a rank | its pairs with p at most .05 |"
    yield "| --- | --- | --- |"
    for verdicts in NEWCOMERS:
        found = count_newcomer_errors(verdicts, judges)
        yield f"| {verdicts} | {found.wrong:.3f} | {found.wrong_pairs:.3f} |"


def board_table(boards: int) -> Iterator[str]:
    """Lines of the table of boards over queries."""
    yield f"\n## Boards over few queries of each task: boards, of {boards}, that leave out a rank, and what they find\n"
    yield from _board_lines(boards)


def _count_all(settings: Mapping[str, dict[str, Any]], boards: int) -> dict[tuple[int, int], list[tuple[str, str]]]:
    return {
        size: [count_surely(partial(count_errors, Setting(*size, **own)), boards) for own in settings.values()]
        for size in SIZES
    }


def _lines(names: Iterable[str], found: Mapping[tuple[int, int], list[tuple[str, str]]], number: int) -> Iterator[str]:
    heads = ["systems", "topics", *names]
    yield f"| {' | '.join(heads)} |"
    yield "| --- " * len(heads) + "|"
    for size, cells in found.items():
        yield f"| {' | '.join([*map(str, size), *(cell[number] for cell in cells)])} |"


def _board_lines(boards: int) -> Iterator[str]:
    heads = ["systems", "tasks", "queries of each", *KINDS, "normal, systems differ", "power"]
    yield f"| {' | '.join(heads)} |"
    yield "| --- " * len(heads) + "|"
    for size in QUERIES:
        cells = list(map(str, size))
        for kind, gap in (*((kind, 0.0) for kind in KINDS), ("normal", GAP)):
            wrong, power = count_surely(partial(count_board_errors, size, kind, gap=gap), boards)
            cells.append(wrong)
        yield f"| {' | '.join([*cells, power])} |"


@click.command()
@click.option("--share", default=1.0, help="Of the number of judges and boards.")
def main(share: float) -> None:
    """Write the tables."""
    warnings.simplefilter("ignore", CranfieldWarning)
    lines = [line for make, count in TABLES.items() for line in make(round(share * count))]
    (HERE / "tables.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


TABLES = {equal_table: 200, unequal_tables: 100, newcomer_table: 400, board_table: 150}
"""What writes each table, and of how many judges or boards."""

if __name__ == "__main__":
    main()

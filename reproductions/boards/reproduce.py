"""Do the ranks that a board states hold? On simulated boards whose true ranks are known.

    python reproductions/boards/reproduce.py

writes ``tables.md`` beside this file; README.md says what follows. ``--boards`` makes more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import rankdata

from cranfield.boards import Board, board

HERE = Path(__file__).parent
AGGREGATES = ("mean", "borda", "z", "group-mean", "wins")
SHAPES = ((40, 10), (40, 41), (200, 10), (200, 41))
"""Systems and tasks."""
FLIPS, BOOTSTRAPS, SEED, GROUPS = 499, 499, 20261126, 4
MANY_TASKS = 4000
"""Tasks from which the true order by an aggregation is taken."""
MANY_SYSTEMS = 100
"""From which on a tenth of the boards is made."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class World:
    """Systems whose true values are known, from which boards are drawn.

    Args:
        theta: what each system is worth on every task, [systems].
        interaction: how far each system's worth differs by task, [systems].
    """

    theta: Floats
    interaction: Floats

    @classmethod
    def draw(cls, systems: int, rng: np.random.Generator, *, spread: float) -> World:
        """Draw systems whose values have this standard deviation; 0: all are equal."""
        theta = spread * rng.standard_normal(systems)
        shares = rng.uniform(0.5, 1.5, systems) if spread else np.ones(systems)
        return cls(theta, 0.05 * shares)

    def draw_board(self, tasks: int, rng: np.random.Generator) -> Floats:
        """Draw scores on so many tasks, [tasks, systems]: of each task its level, scale and number of queries."""
        shape = (tasks, len(self.theta))
        level, scale = rng.uniform(0.3, 0.8, (tasks, 1)), np.exp(0.5 * rng.standard_normal((tasks, 1)))
        noise = 0.3 / np.sqrt(rng.integers(50, 1001, (tasks, 1))) * rng.standard_normal(shape)
        return np.asarray(level + scale * (self.theta + self.interaction * rng.standard_normal(shape)) + noise)

    def true_ranks(self, aggregate: str, rng: np.random.Generator) -> Floats:
        """Ranks by what an aggregation comes to on very many tasks; by the mean, those of the true values."""
        if aggregate in ("mean", "group-mean"):
            return rankdata(-self.theta)
        scores = self.draw_board(MANY_TASKS, rng)
        if aggregate == "z":
            scores = (scores - scores.mean(axis=1, keepdims=True)) / scores.std(axis=1, ddof=1, keepdims=True)
        else:
            scores = rankdata(scores, axis=1)
        return rankdata(-scores.mean(axis=0))


def rank(scores: Floats, aggregate: str) -> Board:
    """The board of these scores, its systems and tasks being called by numbers."""
    tasks, systems = scores.shape
    index = pd.Index([f"s{at:03}" for at in range(systems)], name="model")
    frame = pd.DataFrame(scores.T, index, [f"t{at}" for at in range(tasks)])
    groups = {f"t{at}": str(at % GROUPS) for at in range(tasks)} if aggregate == "group-mean" else None
    return board(frame, aggregate=aggregate, groups=groups, resamples=FLIPS)  # type: ignore[arg-type]


def bootstrap(scores: Floats, aggregate: str, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Percentile intervals of the rank of each system over drawn tasks."""
    values = rankdata(scores, axis=1) if aggregate == "borda" else scores
    drawn = rng.integers(0, len(scores), (BOOTSTRAPS, len(scores)))
    ranks = rankdata(-values[drawn].mean(axis=1), axis=1)
    low, high = np.percentile(ranks, [2.5, 97.5], axis=0)
    return low, high


def measure_spread(systems: int, tasks: int, boards: int, seed: int = SEED) -> dict[str, tuple[float, float]]:
    """Aggregation -> share of boards of which all true ranks are held, and the mean width."""
    held: dict[str, list[tuple[bool, float]]] = {}
    for number in range(boards):
        rng = np.random.default_rng([seed, systems, tasks, number])
        world = World.draw(systems, rng, spread=0.08)
        scores = world.draw_board(tasks, rng)
        for aggregate in AGGREGATES:
            true = world.true_ranks(aggregate, rng)
            table = rank(scores, aggregate).table.sort_index()
            low, high = table["low"].to_numpy(), table["high"].to_numpy()
            held.setdefault(aggregate, []).append(_compare(low, high, true))
            if aggregate in ("mean", "borda"):
                ends = bootstrap(scores, aggregate, rng)
                held.setdefault(f"bootstrap, {aggregate}", []).append(_compare(*ends, true))
    return {
        name: (float(np.mean([a for a, _ in rows])), float(np.mean([b for _, b in rows])))
        for name, rows in held.items()
    }


def _compare(low: Floats, high: Floats, true: Floats) -> tuple[bool, float]:
    return bool(((low <= true) & (true <= high)).all()), float(np.mean(high - low + 1))


def measure_equal(systems: int, tasks: int, boards: int, seed: int = SEED) -> dict[str, float]:
    """Aggregation -> share of boards of equal systems in which any is put above another."""
    wrong: dict[str, list[bool]] = {}
    for number in range(boards):
        rng = np.random.default_rng([seed, systems, tasks, number, 1])
        scores = World.draw(systems, rng, spread=0.0).draw_board(tasks, rng)
        for aggregate in AGGREGATES:
            wrong.setdefault(aggregate, []).append(rank(scores, aggregate).pairs_separated > 0)
    return {name: float(np.mean(rows)) for name, rows in wrong.items()}


def tables(boards: int) -> str:
    """Both tables, in Markdown."""
    return "\n".join([*_spread_lines(boards), "", *_equal_lines(boards), ""])


def _size(systems: int, boards: int) -> int:
    return boards if systems < MANY_SYSTEMS else max(1, boards // 10)


def _spread_lines(boards: int) -> Iterator[str]:
    yield "## Systems that differ: boards that hold all true ranks, and the mean width of the intervals"
    yield ""
    names = (*AGGREGATES, "bootstrap, mean", "bootstrap, borda")
    yield "| systems x tasks | boards | " + " | ".join(names) + " |"
    yield "| --- " * (len(names) + 2) + "|"
    for systems, tasks in SHAPES:
        count = _size(systems, boards)
        found = measure_spread(systems, tasks, count)
        cells = " | ".join(f"{found[name][0]:.2f}, {found[name][1]:.0f}" for name in names)
        yield f"| {systems} x {tasks} | {count} | {cells} |"


def _equal_lines(boards: int) -> Iterator[str]:
    yield "## Equal systems: boards in which any is put above another, where .05 is meant"
    yield ""
    yield "| systems x tasks | boards | " + " | ".join(AGGREGATES) + " |"
    yield "| --- " * (len(AGGREGATES) + 2) + "|"
    for systems, tasks in SHAPES:
        count = _size(systems, 2 * boards)
        found = measure_equal(systems, tasks, count)
        yield f"| {systems} x {tasks} | {count} | " + " | ".join(f"{found[name]:.3f}" for name in AGGREGATES) + " |"


@click.command()
@click.option("--boards", default=60, help="Boards of each size; a tenth of them where systems are many.")
def main(boards: int) -> None:
    """Write the tables."""
    (HERE / "tables.md").write_text(tables(boards), encoding="utf-8")


if __name__ == "__main__":
    main()

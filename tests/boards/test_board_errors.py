"""How often the rank sets of boards err where systems are equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from cranfield.boards import board

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::cranfield.errors.CranfieldWarning")]
BOARDS = 300
BOUND = 0.05 + 3 * (0.05 * 0.95 / BOARDS) ** 0.5
"""Three standard errors beyond .05."""


def errs(frame: pd.DataFrame, systems: int, **options: Any) -> bool:
    """Whether a system may not have each rank."""
    table = board(frame, resamples=1000, **options).table
    return bool((table["low"] > 1).any() or (table["high"] < systems).any())


def draw_scores(shape: tuple[int, int], kind: str, task: int, rng: np.random.Generator) -> NDArray[np.float64]:
    if kind == "binary":
        return (rng.random(shape) < rng.beta(1, 1, size=(shape[0], 1))).astype(float)
    if kind == "beta":
        return rng.beta(0.5, 0.8, size=shape)
    return rng.normal(size=shape) * (1 if task or kind == "normal" else 4)


@pytest.mark.parametrize("kind", ["normal", "unequal", "beta", "binary"])
@pytest.mark.parametrize(
    ("systems", "tasks", "queries"),
    [(4, 6, 4), *(pytest.param(*sizes, marks=pytest.mark.heavy) for sizes in [(20, 6, 4), (10, 3, 8), (10, 3, 40)])],
)
def test_few_queries_a_task(kind: str, systems: int, tasks: int, queries: int) -> None:
    rng = np.random.default_rng(systems + queries)
    labels = pd.MultiIndex.from_product(
        [range(tasks), range(queries), range(systems)], names=["task", "query", "system"]
    )
    frame = labels.to_frame(index=False).assign(task=lambda own: "t" + own["task"].astype(str))
    frame["system"] = "s" + frame["system"].astype(str)
    wrong = 0
    for _ in range(BOARDS):
        scores = [draw_scores((queries, systems), kind, task, rng).ravel() for task in range(tasks)]
        wrong += errs(frame.assign(score=np.concatenate(scores)), systems, sampled="queries")
    assert wrong / BOARDS <= BOUND


@pytest.mark.parametrize(("aggregate", "missing"), [("wins", "pairwise"), ("mean", "fit"), ("z", "fit")])
@pytest.mark.parametrize(
    ("systems", "tasks", "own"),
    [(3, 7, 2), *(pytest.param(*sizes, marks=pytest.mark.heavy) for sizes in [(3, 7, 4), (5, 10, 3), (10, 20, 4)])],
)
def test_few_tasks_of_one_system(aggregate: str, missing: str, systems: int, tasks: int, own: int) -> None:
    rng = np.random.default_rng(systems + own)
    index = pd.Index([f"s{at}" for at in range(systems)], name="model")
    wrong = 0
    for _ in range(BOARDS):
        scores = 0.5 + 0.05 * (rng.normal(size=(systems, tasks)) + rng.normal(size=tasks))
        scores[0, own:] = np.nan
        frame = pd.DataFrame(scores, index=index, columns=[f"t{at}" for at in range(tasks)])
        wrong += errs(frame, systems, aggregate=aggregate, missing_cells=missing, min_tasks=1)
    assert wrong / BOARDS <= BOUND

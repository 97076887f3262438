"""How often intervals hold, and tests of all ordered pairs err, on scores drawn from a known truth.

Heavy; the numbers in docs/trust.md are those that ``python tests/statistics/test_coverage.py`` prints.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from cranfield.statistics import rank_sets, resampled_components
from cranfield.statistics.generalizability import generalizability
from cranfield.statistics.rank_confidence_sets import RankProcedure, _rejected, _RowNull

Shape = Literal["normal", "skewed"]
SHAPES: tuple[Shape, ...] = ("normal", "skewed")
TOPICS, ALPHA = 50, 0.05
VARIANCES = {"systems": 0.01, "topics": 0.0169, "residual": 0.0225}


def noise(rng: np.random.Generator, size: tuple[int, ...], shape: Shape) -> NDArray[np.float64]:
    """Of mean 0 and variance 1: normal, or exponential."""
    return rng.standard_normal(size) if shape == "normal" else rng.exponential(size=size) - 1.0


def family_wise_error(systems: int, shape: Shape, method: RankProcedure, matrices: int) -> float:
    """Share of matrices of equal systems in which any system is said to be above another one."""
    left, right = np.triu_indices(systems, 1)
    wrong = 0
    for seed in range(matrices):
        rng = np.random.default_rng([seed, systems])
        table = rng.standard_normal((TOPICS, 1)) + noise(rng, (TOPICS, systems), shape)
        order = np.argsort(-table.mean(axis=0))
        null = _RowNull(table, method, 500, rng)
        wrong += bool(_rejected(null, order[left], order[right], ALPHA, stepdown=True).any())
    return wrong / matrices


def rank_coverage(systems: int, shape: Shape, method: RankProcedure, matrices: int) -> tuple[float, float]:
    """Share of matrices whose intervals hold the true ranks of all systems, and of one."""
    every = single = 0
    for seed in range(matrices):
        rng = np.random.default_rng([seed, systems])
        truth = 0.3 * rng.standard_normal(systems)
        table = truth + rng.standard_normal((TOPICS, 1)) + noise(rng, (TOPICS, systems), shape)
        rank = (truth[None, :] > truth[:, None]).sum(axis=1) + 1
        sets = rank_sets(table, ALPHA, method=method, resamples=500, rng=rng)
        held = (sets.simultaneous.low <= rank) & (rank <= sets.simultaneous.high)
        alone = (sets.marginal.low <= rank) & (rank <= sets.marginal.high)
        every, single = every + bool(held.all()), single + bool(alone[0])
    return every / matrices, single / matrices


def reliability_coverage(systems: int, shape: Shape, matrices: int) -> dict[str, tuple[float, float]]:
    """Of Erho2 and Phi the shares of matrices whose intervals hold the truth: by analysis of variance, by bootstrap.

    Where it is skewed, effects of systems are exponential, and topics differ in the spread of their residuals.
    """
    held = {which: np.zeros(2) for which in ("Erho2", "Phi")}
    spread = {name: value**0.5 for name, value in VARIANCES.items()}
    for seed in range(matrices):
        rng = np.random.default_rng([seed, systems])
        uneven = np.exp(0.5 * rng.standard_normal((TOPICS, 1)) - 0.25) if shape == "skewed" else 1.0
        table = spread["systems"] * noise(rng, (systems,), shape) + spread["topics"] * rng.standard_normal((TOPICS, 1))
        table = table + spread["residual"] * uneven * rng.standard_normal((TOPICS, systems))
        drawn = resampled_components(table, 500, rng, objects=True)
        for which, of_noise in (("Erho2", ("residual",)), ("Phi", ("topics", "residual"))):
            below = sum(VARIANCES[name] for name in of_noise) / TOPICS
            truth = VARIANCES["systems"] / (VARIANCES["systems"] + below)
            for at, by in enumerate((generalizability(table), drawn)):
                low, high = by.interval(which, TOPICS, 1 - ALPHA)  # type: ignore[attr-defined]
                held[which][at] += low <= truth <= high
    return {which: tuple(counts / matrices) for which, counts in held.items()}


def bound(matrices: int) -> float:
    return 3.5 * float(np.sqrt(ALPHA * (1 - ALPHA) / matrices))


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("systems", "matrices"), [(10, 1000), (37, 300), (126, 100)])
def test_sign_flips_hold_the_error_of_all_ordered_pairs(systems: int, matrices: int, shape: Shape) -> None:
    assert family_wise_error(systems, shape, "flips", matrices) <= ALPHA + bound(matrices)


@pytest.mark.heavy
def test_normal_samples_do_not_hold_it_for_many_systems() -> None:
    """Which is why they are not the default."""
    assert family_wise_error(37, "normal", "normal", 200) > ALPHA + bound(200)


@pytest.mark.heavy
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("systems", [10, 37])
def test_rank_intervals_cover(systems: int, shape: Shape) -> None:
    every, single = rank_coverage(systems, shape, "flips", 200)
    assert min(every, single) >= 1 - ALPHA - bound(200)


@pytest.mark.heavy
@pytest.mark.parametrize("systems", [37, 100])
def test_intervals_of_reliability_cover(systems: int) -> None:
    for found in reliability_coverage(systems, "normal", 300).values():
        assert min(found) >= 1 - ALPHA - bound(300)
    # The bootstrap is a little short of its level where few systems are skewed; analysis of variance is far from it.
    for anova, boot in reliability_coverage(systems, "skewed", 300).values():
        assert boot >= 0.88 and anova < 0.88


if __name__ == "__main__":
    for systems, matrices in ((10, 1000), (37, 300), (126, 100)):
        for shape in SHAPES:
            errors = {name: family_wise_error(systems, shape, name, matrices) for name in ("flips", "normal")}  # type: ignore[arg-type]
            print("family-wise error", systems, shape, matrices, errors, flush=True)
    for systems in (10, 37):
        for shape in SHAPES:
            print("rank coverage", systems, shape, 200, rank_coverage(systems, shape, "flips", 200), flush=True)
    for systems in (17, 37, 100):
        for shape in SHAPES:
            print("reliability coverage", systems, shape, 300, reliability_coverage(systems, shape, 300), flush=True)

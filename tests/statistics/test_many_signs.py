"""The best weighted sum of many signs: as Newton's method finds it, in its limits, and with each sign left out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from cranfield import reference_engine
from cranfield.engine.protocol import Engine
from cranfield.statistics.logistic import ManySigns, log_loss, sign_cross_entropy


def told(cells: int, predictors: int, seed: int, strength: float = 0.4) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Signs that know something of a sign, unequally often in each cell."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-1, 2, (cells, predictors)).astype(np.int8)
    x[:, -1] = x[:, 0]  # equal predictors have no single best weights
    often = rng.integers(1, 4, cells)
    toward = rng.binomial(often, 1 / (1 + np.exp(-x @ rng.normal(0, strength, predictors)))).astype(float)
    return x, toward, often - toward


@pytest.mark.parametrize(("cells", "predictors"), [(400, 12), (9000, 20), (3000, 60)])
def test_it_is_what_newtons_method_finds(cells: int, predictors: int) -> None:
    x, toward, against = told(cells, predictors, cells)
    expected = sign_cross_entropy(x.astype(float), toward, against)
    found = ManySigns.of(x, toward, against, reference_engine).cross_entropy
    assert expected - 1e-6 <= found <= expected + 2e-4
    assert expected < 0.95


@pytest.mark.parametrize(
    ("cells", "predictors", "noise", "within"),
    [(6000, 60, 1.0, 6e-5), (30_000, 126, 1.0, 6e-5), (1500, 100, 0.1, 6e-5)],
)
def test_steps_end_near_the_optimum(compiled: Engine, cells: int, predictors: int, noise: float, within: float) -> None:
    # Systems that know much of each other, as those of a track; the last are nearly separated.
    rng = np.random.default_rng(cells)
    truth = rng.normal(size=(cells, 1))
    seen = (
        truth
        + 2 * rng.normal(size=(cells, 5)) @ rng.normal(size=(5, predictors))
        + rng.normal(size=(cells, predictors))
    )
    x = (np.sign(seen) * (rng.random(seen.shape) < 0.7)).astype(np.int8)
    toward = (truth[:, 0] + noise * rng.normal(size=cells) > 0).astype(float)
    made = ManySigns.of(x, toward, 1 - toward, compiled)
    signs, sign = x.astype(float), toward / cells
    share = np.full(cells, 1 / cells)

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:  # type: ignore[type-arg]
        p = 1 / (1 + np.exp(-(signs @ b)))
        return float(log_loss(signs @ b, share, sign)), signs.T @ (share * p - sign)

    best = minimize(
        loss, made.weights, jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 9999}
    )
    above = made.cross_entropy * np.log(2) - best.fun
    assert -1e-7 <= above <= within
    assert loss(made.weights)[0] == pytest.approx(made.cross_entropy * np.log(2), abs=1e-6)
    assert 0.01 < best.fun < 0.65


def test_each_left_out_is_a_fit_without_it() -> None:
    x, toward, against = told(3000, 14, 3)
    found = ManySigns.of(x, toward, against, reference_engine).without_each
    for one in range(14):
        expected = sign_cross_entropy(np.delete(x, one, axis=1).astype(float), toward, against)
        assert found[one] == pytest.approx(expected, abs=2e-4)
    assert found[[0, 13]] == pytest.approx(
        ManySigns.of(x, toward, against, reference_engine).cross_entropy, abs=2e-4
    ), "each has its twin"
    assert found.max() > found.min() + 0.005


def test_signs_that_separate_leave_nothing_open() -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(-1, 2, (500, 12)).astype(np.int8)
    x[:, 5] = 1
    assert ManySigns.of(x, np.ones(500), np.zeros(500), reference_engine).cross_entropy == 0.0


def test_what_is_silent_beside_signs_that_separate_leaves_a_bit_open() -> None:
    x = np.random.default_rng(4).integers(-1, 2, (500, 12)).astype(np.int8)
    x[:, 5] = 1
    x[:50] = 0
    toward, against = np.ones(500), np.zeros(500)
    found = ManySigns.of(x, toward, against, reference_engine)
    assert found.cross_entropy == pytest.approx(0.1, abs=1e-12)
    assert found.cross_entropy == pytest.approx(sign_cross_entropy(x.astype(float), toward, against), abs=1e-6)
    # One that both signs have is never separated.
    against[-1] = 1.0
    assert ManySigns.of(x, toward, against, reference_engine).cross_entropy > 0.1


def test_both_engines_find_the_same(compiled: Engine) -> None:
    for cells, predictors in [(400, 12), (9000, 20)]:
        x, toward, against = told(cells, predictors, cells)
        one, other = (ManySigns.of(x, toward, against, engine) for engine in (compiled, reference_engine))
        assert one.cross_entropy == other.cross_entropy
        assert one.weights.tobytes() == other.weights.tobytes()


def test_signs_that_are_silent_tell_nothing() -> None:
    made = ManySigns.of(np.zeros((30, 11), dtype=np.int8), np.ones(30), np.ones(30), reference_engine)
    assert made.cross_entropy == pytest.approx(1.0)
    assert made.without_each == pytest.approx(np.ones(11))

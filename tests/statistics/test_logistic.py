"""Logistic regression on signs against SciPy and by hand: few signs, many signs, and the parts of the kernel."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from cranfield import reference_engine
from cranfield.engine import Engine
from cranfield.statistics import binary_entropy, log_loss, sign_cross_entropy
from cranfield.statistics.kernels.logistic import AGREEMENT
from cranfield.statistics.logistic import ManySigns
from effort import examples


def test_one_sign_is_predicted_as_well_as_its_table() -> None:
    found = sign_cross_entropy(np.array([[1.0]]), np.array([4.0]), np.array([3.0]))
    assert found == pytest.approx(binary_entropy(4 / 7), abs=1e-12)


def test_silence_costs_a_bit() -> None:
    x, toward, against = np.array([[0.0], [1.0]]), np.array([6.0, 1.0]), np.array([0.0, 1.0])
    assert sign_cross_entropy(x, toward, against) == pytest.approx(1.0)


def test_what_separates_costs_nothing_in_the_limit() -> None:
    x = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, -1.0]])
    assert sign_cross_entropy(x, np.array([5.0, 3.0, 2.0]), np.zeros(3)) == pytest.approx(0.0, abs=1e-10)


def test_equal_predictors_are_one() -> None:
    x = np.array([[1.0, 1.0, 1.0]])
    assert sign_cross_entropy(x, np.array([4.0]), np.array([3.0])) == pytest.approx(binary_entropy(4 / 7), abs=1e-12)


@examples(60)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_no_weights_do_better(seed: int, predictors: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(-1, 2, (12, predictors)).astype(float)
    toward, against = rng.integers(0, 9, 12) + 1.0, rng.integers(0, 9, 12) + 1.0  # nothing separates
    total = (toward + against).sum()

    def loss(b: np.ndarray) -> float:
        score = x @ b
        return float(toward @ np.logaddexp(0, -score) + against @ np.logaddexp(0, score)) / total / np.log(2)

    best = minimize(loss, np.zeros(predictors), method="BFGS", options={"gtol": 1e-9})
    assert sign_cross_entropy(x, toward, against) == pytest.approx(best.fun, abs=1e-9)


# ---- many signs


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
    found = ManySigns.pack(x, toward, against, reference_engine).cross_entropy
    assert expected - 1e-6 <= found <= expected + 2e-4
    assert expected < 0.95


@pytest.mark.slow
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
    made = ManySigns.pack(x, toward, 1 - toward, compiled)
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
    found = ManySigns.pack(x, toward, against, reference_engine).without_each
    for one in range(14):
        expected = sign_cross_entropy(np.delete(x, one, axis=1).astype(float), toward, against)
        assert found[one] == pytest.approx(expected, abs=2e-4)
    assert found[[0, 13]] == pytest.approx(
        ManySigns.pack(x, toward, against, reference_engine).cross_entropy, abs=2e-4
    ), "each has its twin"
    assert found.max() > found.min() + 0.005


def test_signs_that_separate_leave_nothing_open() -> None:
    rng = np.random.default_rng(4)
    x = rng.integers(-1, 2, (500, 12)).astype(np.int8)
    x[:, 5] = 1
    assert ManySigns.pack(x, np.ones(500), np.zeros(500), reference_engine).cross_entropy == 0.0


def test_what_is_silent_beside_signs_that_separate_leaves_a_bit_open() -> None:
    x = np.random.default_rng(4).integers(-1, 2, (500, 12)).astype(np.int8)
    x[:, 5] = 1
    x[:50] = 0
    toward, against = np.ones(500), np.zeros(500)
    found = ManySigns.pack(x, toward, against, reference_engine)
    assert found.cross_entropy == pytest.approx(0.1, abs=1e-12)
    assert found.cross_entropy == pytest.approx(sign_cross_entropy(x.astype(float), toward, against), abs=1e-6)
    # One that both signs have is never separated.
    against[-1] = 1.0
    assert ManySigns.pack(x, toward, against, reference_engine).cross_entropy > 0.1


def test_both_engines_find_the_same(compiled: Engine) -> None:
    for cells, predictors in [(400, 12), (9000, 20)]:
        x, toward, against = told(cells, predictors, cells)
        one, other = (ManySigns.pack(x, toward, against, engine) for engine in (compiled, reference_engine))
        assert one.cross_entropy == pytest.approx(other.cross_entropy, abs=AGREEMENT / np.log(2))
        assert one.without_each == pytest.approx(other.without_each, abs=2e-4)


def test_signs_that_are_silent_tell_nothing() -> None:
    made = ManySigns.pack(np.zeros((30, 11), dtype=np.int8), np.ones(30), np.ones(30), reference_engine)
    assert made.cross_entropy == pytest.approx(1.0)
    assert made.without_each == pytest.approx(np.ones(11))

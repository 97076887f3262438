"""The best weighted sum of signs, against SciPy's minimizer and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from cranfield.statistics.entropy import binary_entropy
from cranfield.statistics.logistic import sign_cross_entropy
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

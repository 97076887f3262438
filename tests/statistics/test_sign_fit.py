"""What the regression on signs is made of: sums, chances, curvatures and steps, beside those in double precision."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.statistics._kernels.logistic import (
    FEW,
    SUMMED,
    Curvature,
    chances,
    curvature_matrix,
    exponentials,
    in_lanes,
    over_cells,
    over_signs,
)
from cranfield.statistics._kernels.sign_codes import pack_signs


def test_sums_are_products_with_the_signs() -> None:
    rng = np.random.default_rng(1)
    for predictors in (1, 5, 12):
        signs = rng.integers(-1, 2, (SUMMED + 40, predictors)).astype(np.int8)
        weights, values = rng.normal(size=predictors), rng.normal(size=len(signs)).astype(np.float32)
        np.testing.assert_allclose(over_signs(pack_signs(signs), weights), signs @ weights, atol=4e-6)
        found = over_cells(pack_signs(signs), values, predictors)
        np.testing.assert_allclose(found, values.astype(np.float64) @ signs, atol=5e-5)  # single precision
        # Eighths are exact.
        weights, values = np.round(weights * 8) / 8, (np.round(values * 8) / 8).astype(np.float32)
        np.testing.assert_array_equal(over_signs(pack_signs(signs), weights), signs @ weights)
        np.testing.assert_array_equal(over_cells(pack_signs(signs), values, predictors), values.astype(float) @ signs)
    assert over_cells(np.zeros((0, 2), dtype=np.uint8), np.zeros(0, dtype=np.float32), 7).tolist() == [0.0] * 7


def test_chances_are_as_good_as_single_precision() -> None:
    x = np.linspace(-80, 80, 400_001).astype(np.float32)
    exact = np.exp(x.astype(np.float64))
    assert np.abs(exponentials(x) / exact - 1).max() < 1.2e-7
    np.testing.assert_allclose(chances(x), exact / (1 + exact), rtol=2.5e-7)
    assert chances(np.array([0.0, 1e9, -1e9], dtype=np.float32)).tolist() == pytest.approx(
        [0.5, 1.0, 1.8e-35], abs=1e-34
    )
    values = np.random.default_rng(2).normal(size=5003).astype(np.float32)
    assert in_lanes(values) == pytest.approx(float(values.astype(np.float64).sum()), abs=1e-4)


@pytest.mark.parametrize(("cells", "within"), [(FEW, 1e-3), (FEW + 1, 0.05), (40, 1e-5)])
def test_curvatures_are_weighted_products_of_the_signs(cells: int, within: float) -> None:
    rng = np.random.default_rng(cells)
    signs = rng.integers(-1, 2, (cells, 12)).astype(np.int8)
    weight = rng.exponential(size=cells).astype(np.float32)
    found = curvature_matrix(pack_signs(signs), 12, weight) / weight.sum(dtype=np.float64)
    expected = (signs.T * (weight / weight.sum(dtype=np.float64))) @ signs
    np.testing.assert_allclose(found, expected, atol=within)
    assert np.array_equal(found, found.T)
    assert not curvature_matrix(pack_signs(signs), 12, np.zeros(cells, dtype=np.float32)).any()


def test_steps_solve_the_curvature_and_take_what_a_move_showed() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(40, 9))
    bend, slope = x.T @ x, rng.normal(size=9)
    ridge = 1e-12 + 1e-3 * bend.diagonal().max()
    curvature = Curvature.of(bend)
    np.testing.assert_allclose((bend + ridge * np.eye(9)) @ curvature.step(slope), slope, atol=1e-9)
    # Where the slope changed so, a step for the change is the move (the secant condition); uphill is not learned from.
    move = rng.normal(size=9)
    curvature.learn(move, -move)
    assert not curvature.moves
    curvature.learn(move, bend @ move)
    np.testing.assert_allclose(curvature.step(bend @ move), move, atol=1e-9)
    for _ in range(8):
        curvature.learn(slope, bend @ slope)
    assert len(curvature.moves) == 8
    assert all(kept is slope for kept, _ in curvature.moves)

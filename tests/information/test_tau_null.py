"""Information tau by chance, against plain loops and the sizes that are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import cranfield
from cranfield import UsageError
from cranfield._typing import Floats
from cranfield.information import compute_information_tau, estimate_information_tau_null
from cranfield.statistics.information_tau import information_of_seconds, order_information


def order(values: Floats, name: str) -> xr.DataArray:
    labels = {"topic": [str(at) for at in range(len(values))], "system": [str(at) for at in range(values.shape[1])]}
    return xr.DataArray(values, labels, ("topic", "system"), name=name, attrs={"signature": '{"of": "a test"}'})


def orders(count: int, topics: int = 30, systems: int = 7) -> list[xr.DataArray]:
    rng = np.random.default_rng(4)
    return [order(rng.random((topics, systems)), f"m{at}") for at in range(count)]


def test_chance_is_the_mean_over_permutations_of_the_second_order() -> None:
    r, s, t = orders(3, topics=4)
    found = estimate_information_tau_null(r, s, [t], permutations=200, seed=5)
    rng = np.random.default_rng(5)
    drawn = np.array(
        [
            [compute_information_tau(r[q].values, rng.permutation(s[q].values), [t[q].values]) for _ in range(200)]
            for q in range(4)
        ]
    ).mean(axis=0)
    value = compute_information_tau(r, s, [t]).value
    assert found.value == value
    assert found.null == pytest.approx(drawn.mean(), rel=1e-12)
    assert found.null_95 == pytest.approx(np.quantile(drawn, 0.95), rel=1e-12)
    assert found.p == ((drawn >= value - 1e-12).sum() + 1) / 201


@pytest.mark.parametrize(
    ("n", "shape"),
    [(9, {"ties": "ternary"}), (9, {"tie_tol": 1.0}), (9, {"ties": "ternary", "tie_tol": 1.0}), (513, {})],
)
def test_permutations_counted_together_are_those_counted_one_by_one(n: int, shape: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    r, s, t, u = rng.integers(0, 6, (4, n)).astype(np.float64)
    seconds = rng.permuted(np.tile(s, (5 if n > 100 else 40, 1)), axis=1)
    for conditions, universe in (([], []), ([t], [u]), ([t, u], [])):
        together = information_of_seconds(r, seconds, conditions, universe, **{"ties": "drop", "tie_tol": 0.0, **shape})
        alone = [order_information(r, second, conditions, universe=universe, **shape) for second in seconds]
        np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize(("conditions", "bits"), [(0, 0.08), (1, 0.08), (2, 0.12)])
def test_seven_systems_agree_by_accident(conditions: int, bits: float) -> None:
    r, s, *given = orders(2 + conditions, topics=60)
    found = estimate_information_tau_null(r, s, given)
    assert found.null == pytest.approx(bits, abs=0.012)
    assert found.null < found.null_95
    # Both orders are random, so that the value is one of those by chance.
    assert found.value == pytest.approx(found.null, abs=0.04)
    assert found.p > 0.01


def test_equal_orders_are_no_chance_and_ties_say_nothing() -> None:
    r, s = orders(2)
    same = estimate_information_tau_null(r, r.rename("again"))
    assert (same.value, same.p) == (pytest.approx(1.0), 1 / 201)
    tied = estimate_information_tau_null(r, (0 * s).rename("tied"))
    assert np.isnan([tied.value, tied.null, tied.null_95, tied.p]).all()


def test_a_seed_fixes_the_bits_and_wrong_calls_are_refused() -> None:
    r, s = orders(2)
    assert estimate_information_tau_null(r, s, seed=3) == estimate_information_tau_null(r, s, seed=3)
    assert estimate_information_tau_null(r, s, seed=3).null != estimate_information_tau_null(r, s, seed=4).null
    with pytest.raises(UsageError, match="permutations=199 should be at least 200"):
        estimate_information_tau_null(r, s, permutations=199)
    with pytest.raises(UsageError, match="a null is of scores"):
        estimate_information_tau_null([1, 2, 3], [3, 2, 1])  # type: ignore[arg-type]
    assert "estimate_information_tau_null" in dir(cranfield.information)

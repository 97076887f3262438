"""Systems with the same scores are found, and no others; equal and missing means have one order."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from cranfield.scores.duplicates import DuplicatePair, find_duplicates
from cranfield.scores.scale import best_first, comparable, ranks


def scores(values: np.ndarray, name: str = "AP") -> xr.DataArray:
    names = {"topic": [str(row) for row in range(len(values))], "system": list("abcdefgh")[: values.shape[1]]}
    return xr.DataArray(values, dims=("topic", "system"), coords=names, name=name)


def table(topics: int = 20) -> np.ndarray:
    return np.random.default_rng(1).random((topics, 4))


def test_copies_and_near_copies_are_found() -> None:
    values = table()
    values[:, 2] = values[:, 0]
    values[:, 3] = values[:, 1]
    values[7, 3] += 0.1
    assert find_duplicates([scores(values)]) == (DuplicatePair("a", "c", 20, 20), DuplicatePair("b", "d", 19, 20))
    assert [pair.identical for pair in find_duplicates([scores(values)])] == [True, False]


def test_every_measure_must_agree() -> None:
    values, others = table(), table()
    values[:, 2] = values[:, 0]
    others[:, 2] = others[:, 0] + 0.1
    assert find_duplicates([scores(values), scores(others, "P@5")]) == ()
    others[:, 2] = others[:, 0]
    assert find_duplicates([scores(values), scores(others, "P@5")]) == (DuplicatePair("a", "c", 20, 20),)


@pytest.mark.parametrize("share", [0.9, 0.5])
def test_topics_on_which_both_fail_say_nothing(share: float) -> None:
    values = table()
    values[: int(20 * share)] = 0
    assert find_duplicates([scores(values)]) == ()


def test_missing_scores_are_the_same_where_both_miss() -> None:
    values = table()
    values[3, 0] = np.nan
    values[:, 2] = values[:, 0]
    assert find_duplicates([scores(values)]) == (DuplicatePair("a", "c", 20, 20),)
    values[3, 2] = 0.5
    assert find_duplicates([scores(values)]) == (DuplicatePair("a", "c", 19, 20),)


def test_one_system_is_like_none() -> None:
    assert find_duplicates([scores(table()[:, :1])]) == ()


# ---- order


def test_nan_is_last_and_small_is_good_where_it_is() -> None:
    means = np.array([0.5, np.nan, 0.5 + 1e-14, 0.75])
    names = ["c", "a", "b", "d"]
    assert best_first(means, names) == [3, 2, 0, 1]
    assert best_first(means, names, larger_is_better=False) == [2, 0, 3, 1]
    assert ranks(means).tolist() == [2, 4, 2, 1]
    assert ranks(means, larger_is_better=False).tolist() == [1, 4, 1, 3]


def test_the_largest_numbers_survive() -> None:
    assert comparable(np.array([1e308, -1e308, 1.0])).tolist() == [1e308, -1e308, 1.0]

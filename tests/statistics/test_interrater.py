"""Kappa against scikit-learn, alpha against Krippendorff's own example and another implementation."""

from __future__ import annotations

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from cranfield import UsageError
from cranfield.statistics import cohen_kappa, krippendorff_alpha

PUBLISHED = np.array(
    [  # Krippendorff 2011, four observers, twelve units, values 1 to 5, nan where an observer has none
        [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
        [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
    ]
)


def counts_of(ratings: np.ndarray, values: np.ndarray) -> np.ndarray:
    return np.stack([(ratings == value).sum(axis=0) for value in values], axis=1)


def test_krippendorffs_example() -> None:
    values = np.arange(1.0, 6.0)
    counts = counts_of(PUBLISHED, values)
    for level, published in (("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)):
        assert krippendorff_alpha(counts, values, level) == pytest.approx(published, abs=5e-4)  # type: ignore[arg-type]


labels = st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, 2.0, 3.0])] * 3), min_size=2, max_size=40)


@given(labels, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_equals_another_implementation(rated: list[tuple[float, ...]], level: str) -> None:
    ratings = np.array(rated).T
    values = np.unique(ratings)
    ours = krippendorff_alpha(counts_of(ratings, values), values, level)  # type: ignore[arg-type]
    if len(values) < 2:
        assert math.isnan(ours)
        return
    peer = krippendorff.alpha(reliability_data=ratings, level_of_measurement=level)
    assert ours == pytest.approx(peer, abs=1e-10)


@given(labels, st.sampled_from(["none", "linear", "quadratic"]))
def test_kappa_equals_scikit_learn(rated: list[tuple[float, ...]], weights: str) -> None:
    first, second = np.array(rated).T[:2]
    values = np.arange(4.0)
    confusion = np.array([[((first == a) & (second == b)).sum() for b in values] for a in values])
    ours = cohen_kappa(confusion, values, weights)  # type: ignore[arg-type]
    if len(set(first) | set(second)) == 1:
        assert math.isnan(ours)
        return
    peer = cohen_kappa_score(first, second, labels=values, weights=None if weights == "none" else weights)
    assert ours == pytest.approx(peer, abs=1e-12)


def test_nothing_to_agree_on_and_unknown_words() -> None:
    assert math.isnan(cohen_kappa(np.zeros((2, 2), dtype=np.int64), np.array([0.0, 1.0])))
    assert math.isnan(krippendorff_alpha(np.array([[1, 0], [0, 1]]), np.array([0.0, 1.0])))
    with pytest.raises(UsageError, match="weights='cubic'"):
        cohen_kappa(np.eye(2, dtype=np.int64), np.array([0.0, 1.0]), "cubic")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="level='ratio'"):
        krippendorff_alpha(np.eye(2, dtype=np.int64), np.array([0.0, 1.0]), "ratio")  # type: ignore[arg-type]

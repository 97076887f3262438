"""Rank-biased overlap against its definition by sets, over all orders of tied items, and by parts of items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from score_lists import Vector, orders, pairs_of_lists, untied_versions

from cranfield import UsageError
from cranfield.statistics.rank_correlation import rbo


def overlap_of_tops(x: Vector, y: Vector, p: float) -> float:
    """Webber's RBO of two untied lists, by sets; both hold the same items, so that it is 1 from the last depth on."""
    tops = [sorted(range(len(s)), key=lambda item, s=s: -s[item]) for s in (x, y)]
    shares = [len(set(tops[0][:depth]) & set(tops[1][:depth])) / depth for depth in range(1, len(x) + 1)]
    return (1 - p) * sum(p**at * share for at, share in enumerate(shares)) + p ** len(x)


@given(pairs_of_lists(3, high=5), st.sampled_from([0.3, 0.9, 0.99]))
def test_rbo_a_is_the_mean_over_all_orders_of_the_tied(lists: tuple[Vector, Vector], p: float) -> None:
    x, y = lists
    every = [overlap_of_tops(a, b, p) for a in untied_versions(x) for b in untied_versions(y)]
    assert rbo(x, y, p=p, ties="a") == pytest.approx(np.mean(every), abs=1e-13)


@given(pairs_of_lists(3), st.sampled_from([0.3, 0.9]))
def test_rbo_w_and_b_are_their_definitions(lists: tuple[Vector, Vector], p: float) -> None:
    x, y = lists
    n = len(x)
    w = b = 0.0
    for depth in range(1, n + 1):
        begun = [{i for i in range(n) if sum(s > z[i] for s in z) < depth} for z in (x, y)]
        w += p ** (depth - 1) * 2 * len(begun[0] & begun[1]) / (len(begun[0]) + len(begun[1]))
        parts = [[min(1, max(0, depth - sum(s > z[i] for s in z)) / z.count(z[i])) for i in range(n)] for z in (x, y)]
        b += p ** (depth - 1) * np.dot(*parts) / (np.linalg.norm(parts[0]) * np.linalg.norm(parts[1]))
    assert rbo(x, y, p=p, ties="w") == pytest.approx((1 - p) * w + p**n, abs=1e-13)
    assert rbo(x, y, p=p, ties="b") == pytest.approx((1 - p) * b + p**n, abs=1e-13)
    for ties in ("w", "b"):
        assert rbo(x, x, p=p, ties=ties) == pytest.approx(1, abs=1e-13)


@given(orders(), st.sampled_from(["a", "b", "w"]))
def test_rbo_without_ties(lists: tuple[Vector, Vector], ties: Any) -> None:
    assert rbo(*lists, ties=ties) == pytest.approx(overlap_of_tops(*lists, 0.9), abs=1e-13)


def test_rbo_arguments() -> None:
    for p in (0, 1, -1, 2, math.nan):
        with pytest.raises(UsageError, match="between 0 and 1"):
            rbo([1, 2], [1, 2], p=p)
    with pytest.raises(UsageError, match="ties='c' is not one of a, b, w"):
        rbo([1, 2], [1, 2], ties="c")  # type: ignore[arg-type]

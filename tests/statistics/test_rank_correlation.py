"""Rank correlations and rank-biased overlap against worked examples, SciPy, ircor and brute force."""

from __future__ import annotations

import doctest
import functools
import inspect
import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
import xarray as xr
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from score_lists import Vector, orders, pairs_of_lists, untied_versions

from cranfield import InputError, UsageError
from cranfield.statistics import (
    gamma,
    kendall_distance,
    pearson,
    rank_correlation,
    rbo,
    rmse,
    spearman,
    symmetric_tau_ap,
    tau_a,
    tau_ap,
    tau_ap_a,
    tau_ap_b,
    tau_b,
    tau_c,
)
from cranfield.statistics.concordance import _count_by_merging, _count_by_pairs, earlier, items_above

NAMES = [name for name in rank_correlation.__all__ if name != "rmse"]
NO_TIES = {"tau_ap", "symmetric_tau_ap", "tau_ap_a"}


# ---- bounds


@pytest.mark.parametrize("name", [name for name in NAMES if name != "kendall_distance"])
def test_bounds_hold_to_the_last_digit(name: str) -> None:
    correlation = getattr(rank_correlation, name)
    rng = np.random.default_rng(0)
    for length in (*range(2, 40), 300):
        scores = rng.random((20, length))
        assert (correlation(scores, scores) <= 1).all()
        assert (correlation(scores, -scores) >= (0 if name == "rbo" else -1)).all()
    for p in (0.5, 0.8, 0.9, 0.99):
        assert rank_correlation.rbo(scores, scores, p=p).max() <= 1


# ---- worked examples


@pytest.mark.parametrize(
    ("truth", "estimate", "expected"),
    [
        ([4, 3, 2, 1], [1, 4, 3, 2], {tau_a: 0, tau_b: 0, tau_ap_a: 1 / 3, tau_ap: 1 / 3, tau_ap_b: 1 / 18}),
        (
            [4, 3, 2, 1],
            [3, 2, 2, 1],
            {tau_a: 5 / 6, tau_b: 5 / math.sqrt(30), tau_ap_a: 5 / 6, tau_ap_b: 5 / 6, gamma: 1},
        ),
        (
            [5, 4, 3, 2, 1],
            [2, 3, 3, 1, 1],
            {tau_a: 0.4, tau_b: 4 / math.sqrt(80), tau_ap_a: 3 / 16, tau_ap_b: 5 / 48, kendall_distance: 0.3},
        ),
        ([3, 3, 2, 1], [2, 3, 1, 1], {tau_b: 0.8, tau_ap_b: 0.5}),
        ([3, 3, 2, 1, 1], [1, 2, 2, 3, 1], {tau_b: -0.25, tau_ap_b: -11 / 18}),
    ],
)
def test_worked_examples(truth: Vector, estimate: Vector, expected: dict[Callable[..., Any], float]) -> None:
    for correlation, value in expected.items():
        assert correlation(estimate=estimate, truth=truth) == pytest.approx(value, abs=1e-14)


# ircor 1.2, tests/testthat: truth, estimate, both with ties, and the values it checks to 4 digits.
IRCOR = [
    (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
        [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
        [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
        {"tau": 0.9111, "tau_a": 0.8889, "tau_b": 0.9398,
         "tau_ap": 0.8519, "ap_a": 0.7454, "sym": 0.8333, "ap_b": 0.7321},
    ),
    (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
        [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
        [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
        {"tau": 0.2889, "tau_a": 0.3333, "tau_b": 0.3765,
         "tau_ap": 0.2504, "ap_a": 0.2692, "sym": 0.2880, "ap_b": 0.297},
    ),
    (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
        [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
        [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
        {"tau": -0.6889, "tau_a": -0.6222, "tau_b": -0.651,
         "tau_ap": -0.6971, "ap_a": -0.5558, "sym": -0.668, "ap_b": -0.7047},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("x", "y", "x_ties", "y_ties", "theirs"), IRCOR)
def test_ircor_has_the_same(x: Vector, y: Vector, x_ties: Vector, y_ties: Vector, theirs: dict[str, float]) -> None:
    ours = {
        "tau": tau_b(y, x),
        "tau_a": tau_a(y_ties, x),
        "tau_b": tau_b(y_ties, x_ties),
        "tau_ap": tau_ap(y, x),
        "ap_a": tau_ap_a(y_ties, x),
        "sym": symmetric_tau_ap(y, x),
        "ap_b": tau_ap_b(y_ties, x_ties),
    }
    assert {name: round(float(value), 4) for name, value in ours.items()} == theirs


# ---- SciPy


@given(pairs_of_lists(6, high=30))
def test_scipy_has_the_same(lists: tuple[Vector, Vector]) -> None:
    x, y = lists
    for ours, theirs in (
        (tau_b, scipy.stats.kendalltau),
        (tau_c, functools.partial(scipy.stats.kendalltau, variant="c")),
        (spearman, scipy.stats.spearmanr),
        (pearson, scipy.stats.pearsonr),
    ):
        if len(set(x)) == 1 or len(set(y)) == 1:
            assert np.isnan(ours(x, y))
        else:
            assert ours(x, y) == pytest.approx(theirs(x, y).statistic, abs=1e-12)


# ---- brute force


def signs(x: Vector, y: Vector) -> list[tuple[float, float]]:
    """Of every pair of items, how each list orders it."""
    both = list(zip(x, y, strict=True))
    return [(np.sign(a - c), np.sign(b - d)) for (a, b), (c, d) in itertools.combinations(both, 2)]


@given(pairs_of_lists(4))
def test_the_kendall_family_counts_pairs(lists: tuple[Vector, Vector]) -> None:
    x, y = lists
    products = [a * b for a, b in signs(x, y)]
    surplus, untied = sum(products), sum(abs(product) for product in products)
    ordered = all(any(sign[which] for sign in signs(x, y)) for which in (0, 1))
    values = min(len(set(x)), len(set(y)))
    stuart = 2 * surplus * values / (len(x) ** 2 * (values - 1)) if ordered else np.nan
    assert_allclose(tau_c(x, y), stuart, atol=1e-14)
    assert_allclose(tau_a(x, y), surplus / len(products) if ordered else np.nan, atol=1e-14)
    assert_allclose(gamma(x, y), surplus / untied if untied else np.nan, atol=1e-14)
    opposite = sum(product < 0 for product in products) + sum(product == 0 for product in products) / 2
    assert_allclose(kendall_distance(x, y), opposite / len(products) if ordered else np.nan, atol=1e-14)


def tau_ap_by_hand(estimate: Vector, truth: Vector) -> float:
    """The definition: go down the estimate; which of the items above are above in truth?"""
    order = sorted(range(len(estimate)), key=lambda item: -estimate[item])
    shares = [
        sum(truth[above] > truth[item] for above in order[:place]) / place for place, item in enumerate(order) if place
    ]
    return 2 / (len(estimate) - 1) * sum(shares) - 1


@given(orders())
def test_ap_correlation_is_its_definition(lists: tuple[Vector, Vector]) -> None:
    estimate, truth = lists
    assert tau_ap(estimate, truth) == pytest.approx(tau_ap_by_hand(estimate, truth), abs=1e-14)
    both = (tau_ap_by_hand(estimate, truth) + tau_ap_by_hand(truth, estimate)) / 2
    assert symmetric_tau_ap(estimate, truth) == pytest.approx(both, abs=1e-14)
    assert tau_ap_a(estimate, truth) == pytest.approx(tau_ap(estimate, truth), abs=1e-14)
    assert tau_ap_b(estimate, truth) == pytest.approx(both, abs=1e-14)


def tied_and_not(n: int) -> st.SearchStrategy[tuple[Vector, Vector]]:
    tied = st.lists(st.integers(0, 3).map(float), min_size=n, max_size=n)
    return st.tuples(tied, st.permutations([float(i) for i in range(n)]))


@given(st.integers(2, 7).flatmap(tied_and_not))
def test_tau_ap_a_is_the_mean_over_all_orders_of_the_tied(lists: tuple[Vector, Vector]) -> None:
    estimate, truth = lists
    every = [tau_ap_by_hand(version, truth) for version in untied_versions(estimate)]
    assert tau_ap_a(estimate, truth) == pytest.approx(np.mean(every), abs=1e-13)


def one_way(x: Vector, y: Vector) -> float:
    shares = []
    for i in range(len(x)):
        above = [j for j in range(len(x)) if x[j] > x[i]]
        if above:
            shares.append(sum(y[j] > y[i] for j in above) / len(above))
    return 2 / len(shares) * sum(shares) - 1 if shares else math.nan


@given(pairs_of_lists(4))
def test_tau_ap_b_is_its_definition(lists: tuple[Vector, Vector]) -> None:
    x, y = lists
    assert_allclose(tau_ap_b(x, y), (one_way(x, y) + one_way(y, x)) / 2, atol=1e-14)


# ---- laws


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@given(lists=orders(low=2), data=st.data())
@example(lists=([0.0, 1.0], [1.0, 0.0]), data=None)
def test_laws_of_every_correlation(name: str, lists: tuple[Vector, Vector], data: st.DataObject | None) -> None:
    correlation = getattr(rank_correlation, name)
    x, y = (np.array(scores) for scores in lists)
    distance = name == "kendall_distance"
    best, worst = (0.0, 1.0) if distance else (1.0, 0.0 if name == "rbo" else -1.0)
    assert correlation(x, x) == pytest.approx(best, abs=1e-14)
    if name != "rbo":
        assert correlation(x, -x) == pytest.approx(worst, abs=1e-14)
    assert min(best, worst) - 1e-12 <= correlation(x, y) <= max(best, worst) + 1e-12
    if name not in ("tau_ap", "tau_ap_a"):
        assert correlation(x, y) == pytest.approx(correlation(y, x), abs=1e-14)
    if name != "pearson":
        assert correlation(np.exp(x), y**3) == correlation(x, y)
    if data is not None:
        order = np.array(data.draw(st.permutations(range(len(x)))))
        assert correlation(x[order], y[order]) == pytest.approx(correlation(x, y), abs=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_many_lists_at_once_are_each_by_itself(name: str) -> None:
    correlation = getattr(rank_correlation, name)
    rng = np.random.default_rng(1)
    for n in (1, 2, 5, 300):
        x = rng.permuted(np.tile(np.arange(n, dtype=float), (2, 3, 1)), axis=-1)
        y = rng.permuted(np.arange(n, dtype=float))
        if name not in NO_TIES:
            x, y = x // 2, y // 3
        together = correlation(x, y)
        assert together.shape == (2, 3)
        single = [[correlation(x[i, j], y) for j in range(3)] for i in range(2)]
        assert_array_equal(together, single)
        assert_array_equal(correlation(y, y), correlation(np.tile(y, (1, 1)), y)[0])
        if name not in ("tau_ap", "tau_ap_a"):
            assert_array_equal(together, correlation(y, x))


@pytest.mark.parametrize("n", [1, 2, 3, 8, 129, 257, 300])
@pytest.mark.parametrize("levels", [1, 4, 10**6])
def test_both_ways_of_counting_agree(n: int, levels: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, levels, (2, 30, n)).astype(float)
    above = x[:, None, :] > x[:, :, None], y[:, None, :] > y[:, :, None]
    codes = items_above(x), items_above(y)
    assert_array_equal(codes[0], above[0].sum(axis=-1))
    both = (above[0] & above[1]).sum(axis=-1)
    assert_array_equal(_count_by_pairs(*codes), both)
    assert_array_equal(_count_by_merging(*codes), both)


def test_long_lists() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=70_000)
    y = (x + rng.normal(size=x.size)).round(3)
    assert tau_b(y, x) == pytest.approx(scipy.stats.kendalltau(y, x).statistic, abs=1e-12)


# ---- what has no correlation, and what is refused


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scores", [[], [0.7]], ids=["none", "one"])
def test_fewer_than_two_items(name: str, scores: Vector) -> None:
    value = getattr(rank_correlation, name)(scores, scores)
    assert value == 1 if name == "rbo" and scores else np.isnan(value)


@pytest.mark.parametrize("name", sorted(set(NAMES) - NO_TIES - {"rbo"}))
def test_a_list_that_orders_nothing(name: str) -> None:
    correlation = getattr(rank_correlation, name)
    tenths = [0.1 + 0.2, 0.1 + 0.2, 0.1 + 0.2]
    for x, y in ((tenths, [1, 2, 3]), ([1, 2, 3], tenths), (tenths, tenths)):
        assert np.isnan(correlation(x, y))
    both = correlation([tenths, [1.0, 2.0, 3.0]], [1, 2, 3])
    assert np.isnan(both[0])
    assert both[1] == (0 if name == "kendall_distance" else 1)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_refused(name: str) -> None:
    correlation = getattr(rank_correlation, name)
    with pytest.raises(InputError, match=r"^truth\[1\] is nan: leave the item out"):
        correlation([1, 2], [1, math.nan])
    with pytest.raises(InputError, match=r"^estimate\[1, 0\] is nan"):
        correlation([[1, 2], [math.nan, 1]], [1, 2])
    with pytest.raises(UsageError, match="estimate has 2 scores and truth 3"):
        correlation([1, 2], [1, 2, 3])
    with pytest.raises(UsageError, match=r"shapes \(2, 2\) and \(3, 2\)"):
        correlation(np.arange(4).reshape(2, 2), np.arange(6).reshape(3, 2))
    with pytest.raises(UsageError, match="truth is one number"):
        correlation([1, 2], 3)
    with pytest.raises(UsageError, match="estimate is not an array of numbers"):
        correlation(["a", "b"], [1, 2])


def test_labels_are_compared_where_both_have_them() -> None:
    truth = pd.Series([3.0, 2.0, 1.0], index=["a", "b", "c"])
    turned = truth[::-1]
    for estimate in (turned, turned.to_frame().T, turned.to_xarray(), xr.Dataset({"x": turned.to_xarray()})["x"]):
        for one, other in ((estimate, truth), (truth, estimate)):
            with pytest.raises(UsageError, match=r"different labels \('.' where truth has '.'\): align them"):
                tau_b(one, other)
    assert tau_b(turned.reindex(truth.index), truth) == tau_b(turned.to_xarray().sel(index=list("abc")), truth) == 1
    assert tau_b(turned, truth.to_numpy()) == tau_b(xr.DataArray([1, 2, 3]), truth) == -1
    assert tau_b(pd.DataFrame([truth, truth]), truth).tolist() == [1, 1]


def test_ties_are_refused_where_the_correlation_has_none() -> None:
    tied, untied = [1, 2, 2.5, 2.5], [4, 3, 2, 1]
    for correlation, cases in (
        (tau_ap, {"estimate": (tied, untied), "truth": (untied, tied)}),
        (symmetric_tau_ap, {"estimate": (tied, untied), "truth": (untied, tied)}),
        (tau_ap_a, {"truth": (untied, tied)}),
    ):
        for which, (estimate, truth) in cases.items():
            with pytest.raises(InputError, match=rf"^{which} ties two items at 2.5, .*: use tau_ap_"):
                correlation(estimate=estimate, truth=truth)


def test_infinite_scores() -> None:
    lists = [math.inf, 1, -math.inf], [3, 2, 1]
    assert tau_b(*lists) == spearman(*lists) == tau_ap_b(*lists) == 1
    with pytest.raises(InputError, match="estimate holds an infinite score"):
        pearson(*lists)


@pytest.mark.parametrize("scale", [1e-320, 1e-200, 1.0, 1e200, 1.7e308])
def test_pearson_at_any_scale(scale: float) -> None:
    x = np.array([-1.0, 0.25, 0.5, 1.0])
    assert pearson(x * scale, [1, 2, 3, 5]) == pytest.approx(
        pearson(x, [1, 2, 3, 5]), rel=1e-3 if scale < 1e-300 else 1e-14
    )


def test_the_root_mean_square_error() -> None:
    assert rmse([0.1, 0.5], [0.4, 0.9]) == pytest.approx(math.sqrt((0.09 + 0.16) / 2))
    assert_allclose(rmse([[1, 2], [3, 4]], [1, 1]), [math.sqrt(0.5), math.sqrt(6.5)])
    assert np.isnan(rmse([], []))
    with pytest.raises(InputError, match="truth holds an infinite score"):
        rmse([1, 2], [1, math.inf])


def test_examples_of_the_docstrings() -> None:
    failed, tried = doctest.testmod(rank_correlation)
    assert (failed, tried > 0) == (0, True)


def test_no_correlation_is_left_out() -> None:
    defined = {
        name
        for name, value in vars(rank_correlation).items()
        if getattr(value, "__module__", "") == rank_correlation.__name__
        and list(inspect.signature(value).parameters)[:2] == ["estimate", "truth"]
    }
    assert defined == set(rank_correlation.__all__)


# ---- rank-biased overlap


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


# ---- items before an item that are smaller or larger


LISTS = st.lists(st.lists(st.integers(0, 9) | st.integers(0, 5000), max_size=12), max_size=5)


@given(LISTS)
def test_every_item_is_compared_with_those_before_it(lists: list[list[int]]) -> None:
    flat = np.array([value for values in lists for value in values], dtype=np.int64)
    starts = np.cumsum([0, *map(len, lists)])
    smaller, larger = earlier(flat, starts)
    expected = [
        (sum(other < value for other in values[:at]), sum(other > value for other in values[:at]))
        for values in lists
        for at, value in enumerate(values)
    ]
    assert list(zip(smaller.tolist(), larger.tolist(), strict=True)) == expected


def test_no_items_before_any() -> None:
    for starts in ([0], [0, 0, 0]):
        smaller, larger = earlier(np.zeros(0, dtype=np.int64), np.array(starts))
        assert len(smaller) == len(larger) == 0

"""The one rule of rounding, and of differences that do not vary: exact p, against counting and against SciPy."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield.statistics import (
    NOISE,
    cleared,
    exchange_p,
    is_noise,
    mean_interval,
    moments,
    run_spread,
    signs_p,
    units_needed,
)
from cranfield.statistics.rounding import find_common
from effort import examples


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_signs_are_those_of_all_flips(n: int) -> None:
    flips = list(product((-1, 1), repeat=n))
    assert signs_p(np.array(n)) == sum(sum(flip) >= n for flip in flips) / len(flips)


@pytest.mark.parametrize(("left", "right"), [(2, 2), (3, 2), (4, 4), (1, 5)])
def test_exchange_counts_all_ways_to_deal_runs(left: int, right: int) -> None:
    values = [1] * left + [0] * right
    ways = [sum(values[at] for at in chosen) for chosen in combinations(range(left + right), left)]
    assert exchange_p(np.array(left), np.array(right)) == pytest.approx(sum(way >= left for way in ways) / len(ways))


@given(st.floats(1e-6, 0.5))
@examples(50)
def test_the_units_that_are_needed_are_the_fewest(level: float) -> None:
    needed = units_needed(level)
    assert signs_p(np.array(needed)) < level <= signs_p(np.array(needed - 1))


@given(st.integers(0, 999), st.integers(1, 1000))
@examples(20)
def test_sums_in_another_order_differ_by_noise_alone(seed: int, terms: int) -> None:
    """What the tolerance is derived from: a score of a list of 1,000 documents, added in two orders."""
    parts = np.random.default_rng(seed).uniform(0, 1, terms)
    forward, backward = float(np.cumsum(parts)[-1]), float(np.cumsum(parts[::-1])[-1])
    assert is_noise(np.array(forward - backward), forward)
    assert cleared(np.array([1e-15, 1e-9]), 1.0).tolist() == [0.0, 1e-9]


@pytest.mark.parametrize("scale", [1e-60, 1e-3, 1.0, 1e60])
def test_runs_that_differ_by_rounding_alone_have_no_spread(scale: float) -> None:
    rng = np.random.default_rng(1)
    topics = rng.uniform(0.2, 0.8, 30)[:, None]
    runs = scale * topics * (1 + rng.uniform(-4e-16, 4e-16, (30, 3)))
    spread = run_spread([runs, runs * 1.0])
    assert spread.variance.tolist() == spread.interaction.tolist() == [0, 0]
    assert run_spread([scale * rng.uniform(size=(30, 3))]).variance[0] > 0


def test_a_constant_has_no_interval_of_its_mean_and_a_difference_of_two_exact_p() -> None:
    low, high = mean_interval(np.column_stack([np.full(7, 0.1 + 0.2), np.linspace(0, 1, 7), np.zeros(7)]), 0.95)
    assert np.isnan(low).tolist() == np.isnan(high).tolist() == [True, False, True]


def test_parts_of_topics_say_of_equal_differences_what_exact_signs_do() -> None:
    """The paired test of scores that were summed in parts."""
    qrels = {f"q{at}": {"a": 1} for at in range(6)}
    first = {topic: {"a": 1.0} for topic in qrels}
    second = {topic: {"b": 2.0, "a": 1.0} for topic in qrels}
    scorer = cranfield.Scorer(qrels, "RR")
    (test,) = scorer.result_of_runs(scorer.score_runs({"first": first, "second": second})).tests
    assert test.difference.p == test.p_adjusted == 2.0**-5
    assert np.isnan(test.difference.interval()).all()


def test_a_spread_of_noise_is_none_and_one_above_it_counts() -> None:
    z = 0.25 + NOISE * np.array([[0.1, 10.0], [-0.1, -10.0], [0.1, 10.0]])
    assert (moments(z, np.full(2, NOISE)).deviation > 0).tolist() == [False, True]


@given(st.lists(st.integers(-2, 2), max_size=45), st.integers(0, 40))
def test_the_value_that_nearly_all_share_is_the_one_counted(some: list[int], more: int) -> None:
    values = np.array([*some, *[1] * more], dtype=np.float64)
    few = max(1, len(values) // 10)
    common = [value for value in range(-2, 3) if (values == value).sum() >= len(values) - few]
    noisy = values + np.linspace(-4e-13, 4e-13, len(values))
    for given_, slack in ((values, 0.0), (noisy, 1e-12)):
        found = find_common(given_, slack)
        if len(values) < 3 or not common:
            assert np.isnan(found)
        else:
            assert found == pytest.approx(common[0], abs=1e-12)

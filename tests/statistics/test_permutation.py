"""Sign flips and the randomized Tukey test against enumeration, plain shuffling and each other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import matrix
from scipy import stats

from cranfield.statistics import Contrasts, Samples, null_ranges, randomized_tukey, sign_flip_test


def all_flips(n: int) -> Samples:
    """Every flip of n signs up to a common one, which no two-sided statistic sees."""
    return Samples.from_rows(np.array([(1.0, *rest) for rest in itertools.product((1.0, -1.0), repeat=n - 1)]))


def random_flips(n: int, count: int) -> np.ndarray:
    return np.random.default_rng(0).choice([-1.0, 1.0], size=(count, n))


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=9))
def test_exact_p_equals_enumeration(values: list[int]) -> None:
    z = np.array(values) * 0.1
    flips = np.array(list(itertools.product([1, -1], repeat=len(z))))
    whole = np.array(values)
    expected = (np.abs(flips @ whole) >= abs(whole.sum())).mean()
    table = np.column_stack([z + 0.3, np.full(len(z), 0.3)])
    assert sign_flip_test(table, all_flips(len(z)), Contrasts.all_pairs(2), exact=True)[0] == expected


def test_exact_p_equals_scipy() -> None:
    table = matrix(9, 4, 3)
    pairs = Contrasts.all_pairs(4)
    p = sign_flip_test(table, all_flips(9), pairs, exact=True)
    for at, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        z = table[:, left] - table[:, right]
        peer = stats.permutation_test((z,), np.mean, permutation_type="samples", n_resamples=np.inf)
        assert p[at] == pytest.approx(peer.pvalue, abs=1e-12)


def test_random_flips_equal_a_naive_loop_and_add_one() -> None:
    table = matrix(40, 5, 4)
    flips = random_flips(40, 777)
    pairs = Contrasts.all_pairs(5)
    p = sign_flip_test(table, Samples.from_rows(flips), pairs, exact=False)
    for at, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        z = table[:, left] - table[:, right]
        hits = (np.abs(flips @ z) >= abs(z.sum()) - 1e-12).sum()
        assert p[at] == (hits + 1) / 778


def test_identical_columns_have_p_1() -> None:
    table = np.column_stack([np.arange(20.0), np.arange(20.0), np.arange(20.0)[::-1]])
    signs = Samples.from_rows(random_flips(20, 99))
    assert sign_flip_test(table, signs, Contrasts.all_pairs(3), exact=False)[0] == 1.0


# ---- randomized Tukey


def test_ranges_have_the_distribution_of_independent_shuffles() -> None:
    table = matrix(12, 7, 1, spread=0.5)
    ours = null_ranges(table, 20_000, np.random.default_rng(1))
    rng = np.random.default_rng(2)
    shuffled = rng.permuted(np.broadcast_to(table, (20_000, 12, 7)).copy(), axis=2).mean(axis=1)
    theirs = shuffled.max(axis=1) - shuffled.min(axis=1)
    assert stats.ks_2samp(ours, theirs).pvalue > 0.001
    levels = [0.5, 0.9, 0.95, 0.99]
    assert np.quantile(ours, levels) == pytest.approx(np.quantile(theirs, levels), rel=0.02)


def test_two_columns_are_the_sign_flip_test() -> None:
    """Dealing two values anew is flipping their difference."""
    table = matrix(10, 2, 6)
    pairs = Contrasts.all_pairs(2)
    exact = sign_flip_test(table, all_flips(10), pairs, exact=True)[0]
    found = randomized_tukey(table, null_ranges(table, 40_000, np.random.default_rng(3)), pairs)[0]
    assert abs(found - exact) < 4 * np.sqrt(exact * (1 - exact) / 40_000) + 1e-4


def test_randomized_p_counts_ranges() -> None:
    table = matrix(8, 4, 2)
    ranges = null_ranges(table, 500, np.random.default_rng(0))
    pairs = Contrasts.all_pairs(4)
    means = table.mean(axis=0)
    expected = [
        ((ranges >= abs(means[left] - means[right]) - 1e-12).sum() + 1) / 501
        for left, right in zip(pairs.left, pairs.right, strict=True)
    ]
    assert randomized_tukey(table, ranges, pairs).tolist() == expected


def test_a_seed_fixes_the_bits() -> None:
    table = matrix(8, 4, 2)
    one, two = (null_ranges(table, 3000, np.random.default_rng(5)) for _ in range(2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, null_ranges(table, 3000, np.random.default_rng(6)))

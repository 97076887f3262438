"""The studentised paired bootstrap against its definition, one resample and one pair at a time."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import matrix, naive_bootstrap

from cranfield.statistics import Contrasts, Samples, bootstrap_counts, max_t_by_bootstrap, paired_bootstrap

WORKED = np.array([0.1, 0.1, -0.1, 0.1, 0.2])


def counts_of(indices: np.ndarray, n: int) -> np.ndarray:
    return np.stack([np.bincount(drawn, minlength=n) for drawn in indices]).astype(np.float64)


def two(z: np.ndarray) -> np.ndarray:
    return np.column_stack([z, np.zeros_like(z)])


def test_worked_example_by_enumeration() -> None:
    every = np.array(list(itertools.product(range(5), repeat=5)))
    found = paired_bootstrap(two(WORKED), Samples.from_rows(counts_of(every, 5)), Contrasts.all_pairs(2))
    assert found.asl[0] == pytest.approx(0.3632, abs=1e-12)
    _, statistics, _ = naive_bootstrap(WORKED, every)
    assert np.isinf(statistics).sum() == 245


def test_the_resamples_are_those_that_are_promised() -> None:
    indices = np.random.default_rng(20130728).integers(0, 7, size=(11, 7))
    ((_, counts),) = bootstrap_counts(7, 11, np.random.default_rng(20130728)).blocks()
    assert np.array_equal(counts, counts_of(indices, 7))


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "seed"), [(50, 12, 0), (7, 9, 1), (3, 6, 2), (120, 4, 3), (2, 5, 4)])
def test_counts_and_required_difference_equal_a_naive_loop(rows: int, columns: int, seed: int) -> None:
    table, resamples, kth = matrix(rows, columns, seed), 400, 20
    indices = np.random.default_rng(seed).integers(0, rows, size=(resamples, rows))
    pairs = Contrasts.all_pairs(columns)
    found = paired_bootstrap(table, Samples.from_rows(counts_of(indices, rows)), pairs, kth=kth)
    for at, (left, right) in enumerate(zip(pairs.left, pairs.right, strict=True)):
        observed, statistics, means = naive_bootstrap(table[:, left] - table[:, right], indices)
        clear = np.abs(statistics - observed) > 1e-9
        close = int((~clear).sum())
        beyond = round(found.asl[at] * resamples) - int((statistics[clear] >= observed).sum())
        assert 0 <= beyond <= close
        level = np.sort(statistics)[-kth]
        tied = np.isinf(statistics) if np.isinf(level) else np.abs(statistics - level) < 1e-9
        assert np.abs(means[tied] - found.required[at]).min() < 1e-12


@pytest.mark.slow
@given(
    st.lists(st.integers(-3, 3), min_size=2, max_size=12),
    st.integers(0, 10_000),
)
def test_discrete_scores_with_many_degenerate_resamples(values: list[int], seed: int) -> None:
    z = np.array(values) / 10.0
    indices = np.random.default_rng(seed).integers(0, len(z), size=(200, len(z)))
    counts = Samples.from_rows(counts_of(indices, len(z)))
    asl = paired_bootstrap(two(z), counts, Contrasts.all_pairs(2)).asl[0]
    assert max_t_by_bootstrap(two(z), counts, Contrasts.all_pairs(2)).raw[0] == round(200 * asl)
    if len(set(values)) == 1:
        assert asl == (1.0 if values[0] == 0 else 0.0)
        return
    observed, statistics, _ = naive_bootstrap(z, indices)
    lowest, highest = (statistics > observed + 1e-9).mean(), (statistics > observed - 1e-9).mean()
    assert lowest <= asl <= highest
    assert asl == pytest.approx(highest)  # what is equal counts, whatever rounding says


def test_nearly_identical_columns_lose_no_digits() -> None:
    table = matrix(30, 3, 5)
    table[:, 1] = table[:, 0] + 1e-7 * np.random.default_rng(1).normal(size=30)
    indices = np.random.default_rng(9).integers(0, 30, size=(500, 30))
    counts = Samples.from_rows(counts_of(indices, 30))
    asl = paired_bootstrap(table, counts, Contrasts.all_pairs(3)).asl[0]
    assert max_t_by_bootstrap(table, counts, Contrasts.all_pairs(3)).raw[0] == round(500 * asl)
    observed, statistics, _ = naive_bootstrap(table[:, 0] - table[:, 1], indices)
    assert asl == (statistics >= observed).mean()


def test_identical_and_constant_differences() -> None:
    base = np.linspace(0.1, 0.7, 10)
    table = np.column_stack([base, base, base + 0.1, base[::-1]])
    counts = bootstrap_counts(10, 300, np.random.default_rng(0))
    found = paired_bootstrap(table, counts, Contrasts.all_pairs(4), kth=15)
    assert found.asl[:2].tolist() == [1.0, 0.0]
    assert found.required[:2].tolist() == [0.0, 0.0]


def test_pairs_against_a_baseline_are_those_among_all() -> None:
    table = matrix(20, 6, 8)
    counts = bootstrap_counts(20, 500, np.random.default_rng(0))
    everything = Contrasts.all_pairs(6)
    every = dict(
        zip(
            zip(everything.left.tolist(), everything.right.tolist(), strict=True),
            paired_bootstrap(table, counts, everything).asl.tolist(),
            strict=True,
        )
    )
    some = Contrasts.against(6, [3, 1])
    assert len(some) == 5 + 4
    for left, right, asl in zip(some.left, some.right, paired_bootstrap(table, counts, some).asl, strict=True):
        assert asl == every[min(left, right), max(left, right)]


@pytest.mark.slow
def test_memory_does_not_grow_with_pairs_times_resamples() -> None:
    table, pairs = matrix(40, 150, 1), Contrasts.all_pairs(150)
    counts = bootstrap_counts(40, 1000, np.random.default_rng(0))
    tracemalloc.start()
    try:
        paired_bootstrap(table, counts, pairs, kth=50)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < len(pairs) * 1000 * 8 / 4

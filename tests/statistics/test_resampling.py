"""Samples that come in blocks are those of one call, again and again; what a sample says of all; exact intervals."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from scipy.stats import binomtest

from cranfield.statistics import bootstrap_counts, permutations, resampling, samples_needed
from cranfield.statistics.estimated_counts import LIMIT, estimate_counts
from cranfield.statistics.intervals import exact_interval
from cranfield.statistics.monte_carlo import least, most_hits, passes
from cranfield.statistics.resampling import NestedSums, sign_flips


@pytest.mark.parametrize(("n", "resamples"), [(7, 300), (50, 333), (1021, 97)])
def test_blocks_hold_what_one_call_draws(monkeypatch: pytest.MonkeyPatch, n: int, resamples: int) -> None:
    monkeypatch.setenv("CRANFIELD_MEMORY", "600000")
    monkeypatch.setattr(resampling, "CELLS", 1 << 12)
    monkeypatch.setattr(resampling, "DRAWN", 1 << 9)
    rng = np.random.default_rng
    signs, exact = sign_flips(n, resamples, rng(2))
    every = np.array([[1.0 - 2.0 * (row >> at & 1) for at in range(n)] for row in range(1 << 6)]) if exact else None
    flips = 1.0 - 2.0 * rng(2).integers(0, 2, size=(resamples, n), dtype=np.int8)
    counts = np.stack([np.bincount(drawn, minlength=n) for drawn in rng(1).integers(0, n, size=(resamples, n))])
    for samples, wanted in (
        (bootstrap_counts(n, resamples, rng(1)), counts),
        (signs, flips if every is None else every),
    ):
        assert len(samples) == len(wanted)
        for _ in range(2):
            blocks = list(samples.blocks())
            assert samples.held == (8 * wanted.size <= 150_000) == (len(blocks) == 1)
            assert [rows.start for rows, _ in blocks] == [0, *(rows.stop for rows, _ in blocks)][:-1]
            np.testing.assert_array_equal(np.concatenate([block for _, block in blocks]), wanted)


def test_what_draws_is_left_as_it_is() -> None:
    rng = np.random.default_rng(5)
    samples = bootstrap_counts(9, 20, rng)
    assert list(samples.blocks())
    assert rng.random() == np.random.default_rng(5).random()


def test_orders_are_those_of_the_generator() -> None:
    rng = np.random.default_rng(3)
    assert permutations(11, 4, np.random.default_rng(3)).tolist() == [rng.permutation(11).tolist() for _ in range(4)]


def test_nested_sums_lose_nothing_on_the_way() -> None:
    """One row at a time, of numbers that cancel: the last bit is that of the exact sum, or its neighbour."""
    rng = np.random.default_rng(0)
    table = rng.normal(size=(3000, 2)) * 10.0 ** rng.integers(-8, 8, size=(3000, 2))
    orders = permutations(3000, 3, rng)
    sums, further = NestedSums(table, orders), NestedSums(table, orders)
    for size in range(1, 1500):
        found = sums.reach(size)
        further.reach(2 * size)
    rest = further.beyond(sums)
    for at, order in enumerate(orders):
        for column in range(2):
            values = table[order[:2998], column]
            assert found[at, column] == pytest.approx(math.fsum(values[:1499]), rel=4e-16, abs=0)
            assert rest[at, column] == pytest.approx(math.fsum(values[1499:]), abs=1e-15 * np.abs(values).sum())


def test_nested_sums_in_long_steps() -> None:
    """What a step rounds away is a small part of what decisions take for rounding, however long it is."""
    rng = np.random.default_rng(0)
    table = rng.random((20_000, 2))
    orders = permutations(20_000, 2, rng)
    found = NestedSums(table, orders).reach(19_000)
    for at, order in enumerate(orders):
        assert found[at].tolist() == pytest.approx([math.fsum(row) for row in table[order[:19_000]].T], rel=1e-15)


def test_nested_counts() -> None:
    rng = np.random.default_rng(0)
    won, orders = rng.random((3000, 4)) > 0.3, permutations(3000, 3, rng)
    counted = NestedSums(won, orders)
    for size in (1, 40, 2000):
        assert counted.reach(size).tolist() == [won[order[:size]].sum(axis=0).tolist() for order in orders]


def test_what_samples_can_reach() -> None:
    for factor, alpha in ((1, 0.05), (666, 0.05), (7875, 0.01), (3, 0.5)):
        needed = samples_needed(factor, alpha)
        assert passes(least(needed, exact=False), factor, alpha)
        assert not passes(least(needed - 1, exact=False), factor, alpha) or needed == 1
    for samples in (1, 19, 20, 999, 1000):
        hits = most_hits(0.05, samples, exact=False)
        assert hits < 0 or (hits + 1) / (samples + 1) < 0.05
        assert (hits + 2) / (samples + 1) >= 0.05


def test_all_flips_are_taken_where_there_are_no_more() -> None:
    rng = np.random.default_rng(1)
    assert [sign_flips(7, resamples, rng)[1] for resamples in (63, 64)] == [False, True]


def test_samples_travel_without_their_rows() -> None:
    """A task on a cluster takes the generator along, and draws the same rows again."""
    samples = bootstrap_counts(7, 30, np.random.default_rng(1))
    rows = samples.sums(np.eye(7))
    copied = copy.copy(samples)
    assert [key for key, value in vars(copied).items() if isinstance(value, np.ndarray)] == []
    assert copied.sums(np.eye(7)).tolist() == rows.tolist()


@pytest.mark.parametrize(("count", "total"), [(0, 7), (1, 7), (3, 7), (7, 7), (63, 64)])
def test_exact_intervals_are_those_of_scipy(count: int, total: int) -> None:
    expected = binomtest(count, total).proportion_ci(0.9, method="exact")
    assert exact_interval(count, total, 0.9) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_a_topic_unlike_all_others_stays_so() -> None:
    """Half of the members of 19 topics count, and 2 of 40 of the last: its sample of 20 with 1 is not outvoted."""
    topics, members, half = 20, 40, 20
    counting = np.full(topics, 20)
    counting[-1] = 2
    member = np.tile(np.arange(members), topics)
    topic = np.repeat(np.arange(topics), members)
    counts = member < counting[topic]
    rows = np.flatnonzero(member % 2 == 0)  # half of those that count, and of the others
    predicted = np.full((topics * members, 1), 0.5)
    weight = np.full(len(rows), members / half)
    found = estimate_counts(counts[rows, None].astype(float), predicted, rows, topic, weight)
    assert found.seen[:, 0].tolist() == [10.0] * (topics - 1) + [1.0]
    assert found.mean[:-1, 0] == pytest.approx(10.0, rel=0.01)
    # Its own estimate is 1 of 20, with a standard error of (1 - 1/20) ** 0.5; all topics together say 10.
    assert 1.0 < found.mean[-1, 0] <= 1.0 + LIMIT * 0.95**0.5 + 1e-9

"""Dominance by counts is what swaps and replacements can reach, and what all additive measures agree on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from cranfield._typing import Mask
from cranfield.statistics.dominance import (
    convex_dominance,
    counts_by_rank,
    dominance,
    dominance_whatever_unjudged,
    positions,
)


def dominate(lists: np.ndarray, labels: int) -> Mask:
    """Whether list x is as good as y by counts, [x, y]."""
    count, length = lists.shape
    system, rank = np.repeat(np.arange(count), length), np.tile(np.arange(1, length + 1), count)
    return dominance(positions(system, rank, lists.ravel().astype(float), np.arange(1.0, labels), count))


def test_counts_decide_what_swaps_and_replacements_reach() -> None:
    for labels, length in ((2, 5), (3, 4), (4, 3)):
        every = list(itertools.product(range(labels), repeat=length))
        better = dominate(np.array(every), labels)
        for number, start in enumerate(every):
            reached, waiting = {start}, [start]
            while waiting:
                for following in improve(waiting.pop(), labels):
                    if following not in reached:
                        reached.add(following)
                        waiting.append(following)
            assert {every[at] for at in np.flatnonzero(better[:, number])} == reached, start


def improve(ranked: tuple[int, ...], labels: int) -> list[tuple[int, ...]]:
    """Every list that one replacement or one upward swap leads to."""
    following = [
        (*ranked[:at], label, *ranked[at + 1 :]) for at, own in enumerate(ranked) for label in range(own + 1, labels)
    ]
    for first, second in itertools.combinations(range(len(ranked)), 2):
        if ranked[second] > ranked[first]:
            swapped = list(ranked)
            swapped[first], swapped[second] = ranked[second], ranked[first]
            following.append(tuple(swapped))
    return following


def test_a_swap_of_neighbours_is_not_enough() -> None:
    lists = np.array([[1, 2, 0], [0, 2, 1]])
    assert dominate(lists, 3)[0, 1]


@pytest.mark.slow
def test_counts_decide_what_all_additive_measures_say() -> None:
    """The least difference over all discounts, for gains at each level and random ones, is 0 where counts dominate."""
    rng = np.random.default_rng(5)
    for _ in range(250):
        labels, length = int(rng.integers(2, 5)), int(rng.integers(2, 7))
        x, y = rng.integers(0, labels, (2, length))
        steps = [(np.arange(labels) >= level).astype(float) for level in range(1, labels)]
        gains = steps + [np.concatenate([[0.0], np.cumsum(rng.random(labels - 1))]) for _ in range(5)]
        assert dominate(np.array([x, y]), labels)[0, 1] == all(least(gain, x, y) >= -1e-9 for gain in gains)


def least(gain: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    """The least sum of d (u(x) - u(y)) over 1 >= d_1 >= ... >= d_n >= 0."""
    length = len(x)
    falling = np.eye(length, k=1)[:-1] - np.eye(length)[:-1]
    bound = linprog(gain[x] - gain[y], A_ub=falling, b_ub=np.zeros(length - 1), bounds=(0, 1)) if length > 1 else None
    return float(gain[x[0]] - gain[y[0]]) if bound is None else float(bound.fun)


def test_dominance_is_transitive_and_whole_lists_decide_shorter_ones() -> None:
    rng = np.random.default_rng(6)
    lists = rng.integers(0, 3, (60, 7))
    better = dominate(lists, 3)
    assert not ((better.astype(int) @ better.astype(int) > 0) & ~better).any()
    for depth in range(1, 7):
        assert not (better & ~dominate(lists[:, :depth], 3)).any()


def test_convex_discounts_decide_more() -> None:
    rng = np.random.default_rng(7)
    lists = rng.integers(0, 3, (40, 6))
    count, length = lists.shape
    system, rank = np.repeat(np.arange(count), length), np.tile(np.arange(1, length + 1), count)
    counts = counts_by_rank(system, rank, lists.ravel().astype(float), np.array([1.0, 2.0]), count, length)
    convex = convex_dominance(counts)
    assert not (dominate(lists, 3) & ~convex).any()
    discounts = [1 / np.log2(np.arange(2, length + 2)), 1 / np.arange(1, length + 1), 0.5 ** np.arange(length)]
    for discount, gain in itertools.product(discounts, ([0, 1, 1], [0, 0, 1], [0, 1, 3])):
        value = np.array(gain, dtype=float)[lists] @ discount
        assert (value[:, None] - value >= -1e-12)[convex].all()


def test_unjudged_documents_of_both_lists_have_one_label() -> None:
    counts = np.zeros((2, 1, 3), dtype=np.int64)
    same, first_only = np.array([[1, 9], [2, 9]]), np.array([[1, 9], [9, 9]])
    assert dominance_whatever_unjudged(counts, same).tolist() == [[True, True], [False, True]]
    assert dominance_whatever_unjudged(counts, first_only).tolist() == [[True, True], [False, True]]
    assert dominance_whatever_unjudged(counts, np.array([[1, 9], [9, 1]])).tolist() == [[True, False], [False, True]]

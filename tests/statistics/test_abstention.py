"""nAUC of abstention: by hand, against a brute-force twin, and as MTEB's own function computes it."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield import UsageError
from cranfield.statistics import abstention_curve, nauc
from effort import examples

POINTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=7)


def mean_over_orders(points: list[tuple[int, int]], out: int) -> Fraction:
    """Mean score of the topics kept, over all orders of equal confidence."""
    orders = [
        order
        for order in itertools.permutations(points)
        if [sure for sure, _ in order] == sorted(sure for sure, _ in points)
    ]
    means = [Fraction(sum(score for _, score in order[out:]), len(order) - out) for order in orders]
    return sum(means, Fraction(0)) / len(means)


def area(heights: list[Fraction]) -> Fraction:
    return sum(((one + two) / 20 for one, two in itertools.pairwise(heights)), Fraction(0))


@examples(25)
@given(points=POINTS)
def test_a_twin_over_all_orders_says_the_same(points: list[tuple[int, int]]) -> None:
    assume(len(points) < 7 or len(set(points)) > 3)
    n = len(points)
    outs = [min(round(0.1 * tenth * n), n - 1) for tenth in range(10)]
    curve = [mean_over_orders(points, out) for out in outs]
    assert abstention_curve(*zip(*points, strict=True)) == pytest.approx([float(mean) for mean in curve])
    oracle = area([mean_over_orders([(score, score) for _, score in points], out) for out in outs])
    flat = Fraction(9, 10) * Fraction(sum(score for _, score in points), n)
    found = nauc(*zip(*points, strict=True))
    if oracle == flat:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(float((area(curve) - flat) / (oracle - flat)))


def test_mteb_prints_the_same() -> None:
    # mteb 2.26.24: nauc(confidence, scores) of these numbers, printed with %r
    draw = np.random.default_rng(7)
    confidence, scores = draw.normal(size=23).round(1), draw.beta(1, 2, size=23).round(2)
    assert nauc(confidence, scores) == pytest.approx(0.31317213675345124, abs=1e-12)


def test_the_worst_first_is_1_and_the_best_first_is_below_0() -> None:
    scores = [0.1, 0.4, 0.35, 0.8, 0.9]
    assert nauc(scores, scores) == 1
    assert nauc([-score for score in scores], scores) < 0
    assert nauc([1.0] * 5, scores) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(
    ("confidence", "scores", "said"),
    [([], [], "at least one topic"), ([1.0], [1.0, 2.0], "one confidence and one score"), ([math.nan], [1.0], "NaN")],
)
def test_odd_lists_are_refused(confidence: list[float], scores: list[float], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        nauc(confidence, scores)

"""What parts of scores hold: sets of whole-number topics, as those of Python, in a few bytes; and exact sums."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.scoring.exact_sums import Moments
from cranfield.scoring.topic_id_sets import IntegerTopics, unite
from effort import examples

EDGES = st.sampled_from([-(1 << 63), -(1 << 63) + 1, (1 << 63) - 2, (1 << 63) - 1])
ids = st.sets(st.one_of(st.integers(-9, 9), st.integers(-300, 300), EDGES), max_size=30)


def topics(numbers: set[int]) -> IntegerTopics:
    return IntegerTopics(np.array(list(numbers), dtype=np.int64))


@examples(150)
@given(ids, ids)
def test_as_sets_of_python(one: set[int], other: set[int]) -> None:
    left, right = topics(one), topics(other)
    assert (set(left), len(left)) == ({str(number) for number in one}, len(one))
    both, twice = unite(left, right)
    assert isinstance(both, IntegerTopics)
    assert both == topics(one | other)
    assert hash(both) == hash(topics(one | other))
    assert len(both) == len(one | other)
    assert twice == (str(min(one & other)) if one & other else None)
    asked = np.array(sorted(one | other), dtype=np.int64)
    assert left.holds(asked).tolist() == [int(number) in one for number in asked]
    assert (left == right) == (one == other)
    assert pickle.loads(pickle.dumps(left)) == left
    assert left == {str(number) for number in one}


@pytest.mark.parametrize("text", ["7", "-3"])
def test_only_numbers_as_they_are_written_out_are_in_it(text: str) -> None:
    held = topics({7, -3})
    assert text in held
    for other in ("07", "+7", " 7", "7.0", "x", "8", str(1 << 70), None):
        assert other not in held


def test_runs_take_no_more_bytes_for_their_length() -> None:
    draw = np.random.default_rng(0)
    parts = [IntegerTopics(np.arange(start, start + 1000)) for start in draw.permutation(100) * 1000]
    whole = parts[0]
    for part in parts[1:]:
        whole, twice = whole.unite(part)
        assert twice is None
    assert len(whole) == 100_000
    assert len(pickle.dumps(whole)) < 400
    apart = pickle.dumps(IntegerTopics(np.arange(0, 300_000, 3)))
    assert len(apart) < 9.1 * 100_000
    assert whole.unite(IntegerTopics(np.array([99_999, 100_000])))[1] == "99999"


# ---- sums


numbers = st.lists(st.floats(-1e150, 1e150), max_size=20)


@examples(200)
@given(one=numbers, two=numbers)
def test_exact_sums_are_those_of_fractions(one: list[float], two: list[float]) -> None:
    together = one + two
    found = Moments.of(np.array(one)) + Moments.of(np.array(two))
    assert found == Moments.of(np.array(together))
    if together:
        assert found.sum == math.fsum(together)
    if len(together) > 1:
        exact = [Fraction(number) for number in together]
        mean = sum(exact) / len(exact)
        spread = sum((number - mean) ** 2 for number in exact) / (len(exact) - 1)
        assert found.variance == float(spread)

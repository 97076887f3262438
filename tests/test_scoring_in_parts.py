"""Scores that are computed in parts: sets of topics, exact sums, and blocks of runs with the scores of each alone."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield
from cranfield import InputOptions
from cranfield.collection import Policy
from cranfield.io.inputs import named_runs
from cranfield.io.judging import build_index, judge_run
from cranfield.measures import describe, registry
from cranfield.scoring import read_measures, score
from cranfield.scoring.compute import RunBlocks, compute_cells
from cranfield.scoring.topic_id_sets import IntegerTopics, unite
from cranfield.statistics.exact_sums import Moments
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


def test_sums_without_numbers_and_of_infinite_ones() -> None:
    """As ``math.fsum`` and a mean of them are; the variance of either is undefined."""
    nothing, infinite = (Moments.from_values(np.array(found)) for found in ([], [1.0, math.inf, 2.0]))
    assert math.isnan(nothing.sum)
    assert math.isnan(nothing.mean)
    assert math.isnan(nothing.variance)
    assert (infinite.sum, infinite.mean) == (math.inf, math.inf)
    assert math.isnan(infinite.variance)
    assert Moments.from_values(np.array([1.0, 2.0, 6.0])).mean == 3.0


numbers = st.lists(st.floats(-1e150, 1e150), max_size=20)


@examples(200)
@given(one=numbers, two=numbers)
def test_exact_sums_are_those_of_fractions(one: list[float], two: list[float]) -> None:
    together = one + two
    found = Moments.from_values(np.array(one)) + Moments.from_values(np.array(two))
    assert found == Moments.from_values(np.array(together))
    if together:
        assert found.sum == math.fsum(together)
    if len(together) > 1:
        exact = [Fraction(number) for number in together]
        mean = sum(exact) / len(exact)
        spread = sum((number - mean) ** 2 for number in exact) / (len(exact) - 1)
        assert found.variance == float(spread)


# ---- blocks


MADE = cranfield.simulation.simulate_runs(n_systems=5, n_topics=4, depth=40, seed=3)
ALL = [describe.example(known) for known in registry.values() if not known.needs_intents]


TREC, BY_ID = Policy(), Policy(ties="docid")


@pytest.mark.parametrize(("policy", "rows"), [(TREC, 1 << 16), (TREC, 150), (TREC, 0), (BY_ID, 150)])
def test_no_bit_depends_on_the_block(policy: Policy, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All measures of lists that are given to them alone, some at a time, and all at once."""
    monkeypatch.setattr("cranfield.scoring.loop.ROWS", rows)
    reading = InputOptions(**policy.as_dict())
    found = score(MADE.runs, MADE.qrels, ALL, **policy.as_dict())
    asked, index = read_measures(ALL, reading.rel), build_index(MADE.qrels)
    for number, run in enumerate(named_runs(MADE.runs, reading.names, reading.columns)):
        lists = judge_run(run, MADE.qrels, index, policy).rankings
        alone = compute_cells(asked, lists, policy, "none")[0]
        assert alone.tobytes() == np.ascontiguousarray(found.values[:, :, number]).tobytes()


def test_a_block_is_computed_when_it_is_full() -> None:
    reading = InputOptions.of(None, {})
    asked, index = read_measures("AP", reading.rel), build_index(MADE.qrels)
    runs = named_runs(MADE.runs, reading.names, reading.columns)
    lists = [judge_run(run, MADE.qrels, index, reading.policy).rankings for run in runs]
    rows = sum(len(part.length) + len(part.rank) for part in lists[:2])
    filled = RunBlocks(asked, reading.policy, "none", rows)
    waiting = [filled.add(part) for part in lists[:3]]
    assert [one.cells is not None for one in waiting] == [True, True, False]
    filled.finish()
    assert all(one.cells is not None and one.rankings is None and one.defined_everywhere for one in waiting)
    filled.finish()
    alone = RunBlocks(asked, reading.policy, "judgments", rows).add(lists[0])
    assert alone.cells is not None and len(alone.cells) == 3

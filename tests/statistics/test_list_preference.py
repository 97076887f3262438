"""Preferences between lists: laws, the definition in exact fractions, and the worked example."""

from __future__ import annotations

from fractions import Fraction
from math import inf, log2
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import UsageError
from cranfield.statistics import Contrasts, Preference, preferences
from effort import examples

PREFERENCES: tuple[Preference, ...] = get_args(Preference)
every = pytest.mark.parametrize("preference", PREFERENCES)
Ranks = list[float]
AVERAGED = ("rpp", "invrpp", "dcgrpp")
"""Preferences that are a mean over ranks."""


def lists(relevant: int) -> st.SearchStrategy[Ranks]:
    """The ranks of so many relevant items, of which some are not retrieved."""
    found = st.lists(st.integers(1, 12), unique=True, max_size=relevant)
    return found.map(lambda ranks: [*map(float, sorted(ranks)), *[inf] * (relevant - len(ranks))])


pairs_of_lists = st.integers(1, 6).flatmap(lambda relevant: st.tuples(lists(relevant), lists(relevant)))


def preferred(x: Ranks, y: Ranks, preference: Preference) -> float:
    return float(preferences(np.array([x, y]), Contrasts.all_pairs(2), preference)[0])


def twin(x: Ranks, y: Ranks, preference: Preference) -> float:
    """The definition, level by level."""
    sign = [(a < b) - (a > b) for a, b in zip(x, y, strict=True)]
    if preference in AVERAGED:
        numbers = range(1, len(x) + 1)
        weights = {
            "rpp": [Fraction(1)] * len(x),
            "invrpp": [Fraction(1, i) for i in numbers],
            "dcgrpp": [Fraction(1 / log2(i + 1)) for i in numbers],
        }[preference]
        return float(sum(w * s for w, s in zip(weights, sign, strict=True)) / sum(weights))
    different = [i for i, s in enumerate(sign) if s]
    if not different:
        return 0.0
    if preference == "rrlexiprecision":
        return 1 / x[different[0]] - 1 / y[different[0]]
    return float(sign[different[-1 if preference == "lexirecall" else 0]])


@pytest.mark.slow
@every
@examples(60)
@given(both=pairs_of_lists)
def test_they_are_what_their_definitions_say(both: tuple[Ranks, Ranks], preference: Preference) -> None:
    assert preferred(*both, preference) == pytest.approx(twin(*both, preference), abs=1e-12)


@pytest.mark.slow
@every
@examples(40)
@given(both=pairs_of_lists)
def test_they_are_antisymmetric_and_lie_between_minus_one_and_one(
    both: tuple[Ranks, Ranks], preference: Preference
) -> None:
    x, y = both
    assert preferred(x, y, preference) == -preferred(y, x, preference)
    assert preferred(x, x, preference) == 0
    assert abs(preferred(x, y, preference)) <= 1 + 1e-12


@every
@examples(40)
@given(both=pairs_of_lists, data=st.data())
def test_moving_a_relevant_item_up_never_lowers_the_preference(
    both: tuple[Ranks, Ranks], preference: Preference, data: st.DataObject
) -> None:
    x, y = both
    moved = data.draw(st.sampled_from(range(len(x))))
    free = [rank for rank in range(1, 13) if rank not in x and rank < x[moved]]
    if free:
        better = sorted([*x[:moved], float(data.draw(st.sampled_from(free))), *x[moved + 1 :]])
        before, after = preferred(x, y, preference), preferred(better, y, preference)
        if preference == "rrlexiprecision":
            # A small lead at an early rank takes the place of a larger one at a later rank: 3, 5 and 4, 5 against 4.
            before, after = np.sign(before), np.sign(after)
        assert after >= before - 1e-12


@pytest.mark.slow
@every
@examples(30)
@given(ranks=st.integers(1, 5).flatmap(lambda relevant: st.lists(lists(relevant), min_size=2, max_size=5)))
def test_a_pair_among_many_lists_is_the_pair_alone(ranks: list[Ranks], preference: Preference) -> None:
    """The levels that none of them reaches are cut, which must not change what a pair is divided by."""
    every_pair = Contrasts.all_pairs(len(ranks))
    found = preferences(np.array(ranks), every_pair, preference)
    alone = [preferred(ranks[i], ranks[j], preference) for i, j in zip(every_pair.left, every_pair.right, strict=True)]
    assert found == pytest.approx(alone, abs=1e-12)


@examples(60)
@given(both=pairs_of_lists)
def test_lexiprecision_refines_reciprocal_rank(both: tuple[Ranks, Ranks]) -> None:
    x, y = both
    if x[0] != y[0]:
        sign = 1 if x[0] < y[0] else -1
        assert preferred(x, y, "lexiprecision") == sign
        assert preferred(x, y, "rrlexiprecision") == 1 / x[0] - 1 / y[0]


@examples(40)
@given(both=pairs_of_lists)
def test_more_relevant_items_always_win_by_lexirecall(both: tuple[Ranks, Ranks]) -> None:
    x, y = both
    more = y.count(inf) - x.count(inf)
    if more:
        assert preferred(x, y, "lexirecall") == np.sign(more)


@every
@examples(20)
@given(x=lists(1), y=lists(1))
def test_of_one_relevant_item_all_agree_with_reciprocal_rank(x: Ranks, y: Ranks, preference: Preference) -> None:
    assert np.sign(preferred(x, y, preference)) == np.sign(1 / x[0] - 1 / y[0])


@pytest.mark.parametrize("preference", ["lexirecall", "lexiprecision"])
@examples(40)
@given(three=st.integers(1, 4).flatmap(lambda relevant: st.tuples(*[lists(relevant)] * 3)))
def test_the_lexicographic_ones_are_transitive(three: tuple[Ranks, Ranks, Ranks], preference: Preference) -> None:
    x, y, z = three
    if preferred(x, y, preference) >= 0 and preferred(y, z, preference) >= 0:
        assert preferred(x, z, preference) >= 0


def test_recall_paired_preference_has_cycles() -> None:
    cycle = [[1.0, 5.0, 9.0], [2.0, 3.0, 10.0], [3.0, 4.0, 5.0]]
    for one, other in ((0, 1), (1, 2), (2, 0)):
        assert preferred(cycle[one], cycle[other], "rpp") == pytest.approx(1 / 3)


def test_the_example_by_hand() -> None:
    found = {name: preferred([1, 7, inf], [2, 3, 9], name) for name in PREFERENCES if name != "dcgrpp"}
    by_hand = {"rpp": -1 / 3, "invrpp": 1 / 11, "lexirecall": -1, "lexiprecision": 1, "rrlexiprecision": 0.5}
    assert found == pytest.approx(by_hand)


def test_levels_that_outweigh_each_other_are_a_tie() -> None:
    """1 = 1/2 + 1/3 + 1/6 leaves nothing but rounding in floating point."""
    x, y = [1.0, 5.0, 6.0, 10.0, 11.0, 14.0], [2.0, 3.0, 4.0, 10.0, 11.0, 13.0]
    assert preferred(x, y, "invrpp") == 0


def test_without_relevant_items_nothing_is_preferred() -> None:
    for preference in PREFERENCES:
        assert np.isnan(preferences(np.empty((2, 0)), Contrasts.all_pairs(2), preference)).all()
        assert preferred([inf, inf], [inf, inf], preference) == 0


def test_an_unknown_word_is_refused() -> None:
    with pytest.raises(UsageError, match="preference='RPP' is not one of rpp, invrpp"):
        preferences(np.ones((2, 1)), Contrasts.all_pairs(2), "RPP")  # type: ignore[arg-type]

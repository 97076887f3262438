"""Reproduction measures: laws, pair counts as a twin, SciPy, and the paper's examples."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cranfield import InputError, UsageError
from cranfield.statistics import effects, list_agreement, nrmse, paired_difference, unpaired_difference
from effort import examples

lists = st.lists(st.sampled_from("abcdefghijklmnop"), unique=True, max_size=10)
depths = st.integers(1, 12)
seeds = st.integers(0, 10_000)


def ktu(original: list[str], again: list[str]) -> float:
    """Pairs of ranks in the second list, concordant less discordant in number."""
    length = min(len(original), len(again))
    original, again = original[:length], again[:length]
    number = {item: at for at, item in enumerate([*original, *(item for item in again if item not in original)])}
    pairs = list(combinations([number[item] for item in again], 2))
    return sum(1 if one < other else -1 for one, other in pairs) / len(pairs) if pairs else math.nan


def rbo(first: list[str], second: list[str], p: float) -> float:
    length = max(len(first), len(second))
    agreed = [len(set(first[:d]) & set(second[:d])) / d for d in range(1, length + 1)]
    weights = [p ** (d - 1) for d in range(1, length + 1)]
    return sum(w * a for w, a in zip(weights, agreed, strict=True)) / sum(weights) if length else math.nan


@examples(80)
@given(original=lists, again=lists, depth=depths, p=st.floats(0.1, 0.95))
def test_order_is_what_its_definitions_say(original: list[str], again: list[str], depth: int, p: float) -> None:
    found = list_agreement(original, again, depth, p)
    assert found.ktu == pytest.approx(ktu(original[:depth], again[:depth]), nan_ok=True)
    assert found.rbo == pytest.approx(rbo(original[:depth], again[:depth], p), nan_ok=True)


@examples(50)
@given(original=lists, again=lists, data=st.data())
def test_names_of_documents_do_not_matter(original: list[str], again: list[str], data: st.DataObject) -> None:
    names = dict(zip("abcdefghijklmnop", data.draw(st.permutations("abcdefghijklmnop")), strict=True))
    renamed = list_agreement([names[item] for item in original], [names[item] for item in again])
    assert renamed == pytest.approx(list_agreement(original, again), nan_ok=True)


@examples(30)
@given(original=lists)
def test_a_list_agrees_with_itself(original: list[str]) -> None:
    found = list_agreement(original, original)
    assert found == pytest.approx(
        (1 if len(original) > 1 else math.nan, *[1 if original else math.nan] * 2), nan_ok=True
    )


def test_the_examples_of_the_paper() -> None:
    assert list_agreement(["d1", "d2", "d3"], ["d1", "d2", "d4"]).ktu == 1
    assert list_agreement(["d1", "d2", "d3"], ["d2", "d5", "d3"]).ktu == pytest.approx(1 / 3)
    other = list_agreement(["a", "b", "c"], ["x", "y", "z"])
    assert (other.ktu, other.rbo, other.overlap) == (1, 0, 0), "why KTU is shown beside the overlap"


@examples(30)
@given(seed=seeds)
def test_effects_of_an_experiment_and_of_its_reproduction_exchanged(seed: int) -> None:
    table = np.random.default_rng(seed).beta(1, 2, (4, 9))
    original, again = (table[0], table[1]), (table[2], table[3])
    there, back = effects(original, again), effects(again, original)
    assert there.ratio * back.ratio == pytest.approx(1)
    assert there.delta_ri == pytest.approx(-back.delta_ri)
    assert effects(original, original) == (1, 0)
    b, a = original
    by_hand = (table[3].mean() - table[2].mean()) / (a.mean() - b.mean())
    assert there.ratio == pytest.approx(by_hand)


@examples(30)
@given(seed=seeds)
def test_p_values_are_those_of_scipy(seed: int) -> None:
    one, other = np.random.default_rng(seed).beta(1, 2, (2, 8))
    assert paired_difference(one, other).p == pytest.approx(stats.ttest_rel(one, other).pvalue)
    assert unpaired_difference(one, other[:5]).p == pytest.approx(stats.ttest_ind(one, other[:5]).pvalue)
    margin = 0.1
    lower = stats.ttest_1samp(one - other, -margin, alternative="greater").pvalue
    upper = stats.ttest_1samp(one - other, margin, alternative="less").pvalue
    assert paired_difference(one, other).p_equivalent(margin) == pytest.approx(max(lower, upper))


def test_undefined_effects() -> None:
    zero, some = np.zeros(3), np.array([0.1, 0.2, 0.3])
    assert math.isnan(effects((some, some), (some, some * 2)).ratio), "the original has no effect"
    assert math.isnan(effects((zero, some), (zero, some)).delta_ri), "a baseline of 0 has no relative improvement"
    assert (paired_difference(some, some).p, unpaired_difference(zero, zero).p) == (1, 1)
    constant = paired_difference(some, some + 0.5)
    assert (constant.p, constant.p_equivalent(0.6), constant.p_equivalent(0.5)) == (0.25, 0.125, 1)
    apart = unpaired_difference(np.full(4, 0.1 + 0.2), np.full(4, 0.7))
    assert apart.p == 2 / 70, "of the 70 ways to deal eight values to two sides, two are so extreme"
    assert math.isnan(paired_difference(some[:1], some[:1]).p)
    assert math.isnan(unpaired_difference(some[:1], some).p_equivalent(0.1))


def test_nrmse_is_1_where_nothing_could_be_further_off() -> None:
    scores = np.array([0.0, 0.25, 0.9])
    assert nrmse(scores, np.array([1.0, 1.0, 0.0])) == pytest.approx(1)
    assert nrmse(scores, scores) == 0
    with pytest.raises(InputError, match=r"nRMSE is defined for scores from 0 to 1, and one is 1\.5"):
        nrmse(scores, np.array([1.5, 0, 0]))


def test_numbers_outside_their_range_are_refused() -> None:
    with pytest.raises(UsageError, match="depth=0 should be at least 1"):
        list_agreement("ab", "ab", depth=0)
    with pytest.raises(UsageError, match="p=1 should lie between 0 and 1"):
        list_agreement("ab", "ab", p=1)

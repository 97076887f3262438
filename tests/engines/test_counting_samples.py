"""What both engines count over samples: the same, and what a second hand in plain Python counts."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest

from cranfield.engine import Engine


@pytest.mark.parametrize("width", [1, 2, 13])
@pytest.mark.parametrize("samples", [1, 8, 21, 400])
def test_large_statistics_are_found_alike(compiled: Engine, reference: Engine, width: int, samples: int) -> None:
    """The first of them, though many are equal; of all resamples, of some, and of a single one."""
    rng = np.random.default_rng(width)
    coarse = 4 if samples < 100 else 1000
    sums = rng.integers(0, coarse, (5, samples)) / 1.0
    left, right = rng.integers(0, 5, (2, width))
    squares = rng.integers(0, coarse, (samples, width)) / 1.0
    limit, floor = rng.integers(0, 3, width) / 1.0, rng.integers(0, 2, width) / 1.0
    third = (samples + 2) // 3
    parts = [(0, samples, 1), (0, samples, samples), (0, third, (third + 9) // 10), (samples - 1, samples, 1)]
    asked = [np.array(numbers, dtype=np.int64) for numbers in zip(*parts, strict=True)]
    found = []
    for each in (compiled, reference):
        hits, moments = each.largest_statistics(sums, left, right, squares, limit, floor, 5.0, *asked)
        assert moments.shape == (len(parts), width)
        found.append((hits.tolist(), moments.T.tolist()))
    for pair in range(width):
        moments = (sums[left[pair]] - sums[right[pair]]).tolist()
        hits, ratios = 0, []
        for moment, square in zip(moments, squares[:, pair].tolist(), strict=True):
            hits += moment**2 >= square * limit[pair] + floor[pair]
            ratios.append(min(5.0, moment**2 / square) if square > floor[pair] else 0.0)
        levels = [sorted(ratios[begin:end])[-kth] for begin, end, kth in parts]
        first = [moments[ratios.index(level, begin)] for (begin, _, _), level in zip(parts, levels, strict=True)]
        assert [(of[0][pair], of[1][pair]) for of in found] == [(hits, first)] * 2


@pytest.mark.parametrize("columns", [1, 2, 9, 40])
def test_pairs_apart_are_counted_alike(compiled: Engine, reference: Engine, columns: int) -> None:
    """By halves that are exact, so that some differences are just what they are to exceed, and errors zero."""
    rng = np.random.default_rng(columns)
    items = rng.integers(-1, 2, (5, columns)) / 1.0
    mean, products = rng.integers(0, 5, columns) / 2, items.T @ items
    expected = 0
    for one, other in combinations(range(columns), 2):
        error = float(((items[:, one] - items[:, other]) ** 2).sum()) / 4 / 5
        expected += (mean[one] - mean[other]) ** 2 > max(5.0 * error, 0.25)
    for each in (compiled, reference):
        assert each.count_apart(mean, products, 5.0, 5.0, 0.25) == expected


@pytest.mark.parametrize("samples", [1, 511, 1025])
@pytest.mark.parametrize("divisor", ["one", "squares", "rest"])
@pytest.mark.parametrize("signed", [False, True])
def test_samples_that_reach_a_level_are_counted_alike(
    compiled: Engine, reference: Engine, samples: int, divisor: str, signed: bool
) -> None:
    rng = np.random.default_rng(samples)
    sums = rng.standard_normal((4, samples))
    squares = rng.random((6, samples)) + 0.5 if divisor == "squares" else None
    across = rng.standard_normal((4, samples)) if divisor == "rest" else None
    left, right = np.triu_indices(4, 1)
    scale, levels, before = rng.random(6), 0.4 * rng.random(6), 0.1 * rng.random(samples)
    expected: list[tuple[int, int]] = []
    largest = before.tolist()
    for pair in range(6):
        apart = [x - y for x, y in zip(sums[left[pair]], sums[right[pair]], strict=True)]
        value = [one * one * scale[pair] for one in apart]
        if squares is not None:
            value = [one / square for one, square in zip(value, squares[pair], strict=True)]
        if across is not None:
            others = across[left[pair]] - across[right[pair]]
            rests = [1.0 - one * other * scale[pair] for one, other in zip(apart, others, strict=True)]
            value = [one / (one + (rest if rest > 1e-14 else 0.0)) for one, rest in zip(value, rests, strict=True)]
        if signed:
            value = [math.copysign(one, sign) for one, sign in zip(value, apart, strict=True)]
        largest = list(map(max, largest, value))
        expected.append((sum(one >= levels[pair] for one in value), sum(one >= levels[pair] for one in largest)))
    for each in (compiled, reference):
        found = each.count_reached(sums, left, right, signed, scale, squares, across, levels, before)
        assert list(zip(found["alone"].tolist(), found["together"].tolist(), strict=True)) == expected
        assert found["largest"].tolist() == largest


@pytest.mark.parametrize("subsets", [1, 2, 37, 300])
@pytest.mark.parametrize(("width", "fuzziness"), [(7, 0.0), (7, 0.05), (7, 2.0), (18, 0.0), (18, 2.0)])
def test_decisions_of_minorities_are_counted_alike(
    compiled: Engine, reference: Engine, subsets: int, width: int, fuzziness: float
) -> None:
    """Of more pairs and subsets, too, than a byte counts."""
    # Steps so coarse that ties, and pairs won equally often, occur; and columns below zero.
    columns = np.random.default_rng(subsets).integers(-3, 9, (width, subsets)) / 8
    left, right = np.triu_indices(width, 1)
    wrong, tied = [0] * subsets, [0] * subsets
    for one, other in zip(left, right, strict=True):
        pair = list(zip(columns[one].tolist(), columns[other].tolist(), strict=True))
        enough = [fuzziness * max(abs(x), abs(y)) + 1e-12 for x, y in pair]
        said = [(x - y > most) - (y - x > most) for (x, y), most in zip(pair, enough, strict=True)]
        for subset, sign in enumerate(said):
            tied[subset] += sign == 0
            wrong[subset] += sign != 0 and (1 if sum(said) == 0 else 2 * (sign * sum(said) < 0))
    for each in (compiled, reference):
        found = each.count_decisions(columns, left, right, fuzziness, 1e-12)
        assert [one.tolist() for one in found] == [wrong, tied]

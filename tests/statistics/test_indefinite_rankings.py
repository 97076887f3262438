"""Rank-biased overlap of rankings of different items: published values, sets, and what longer lists may change."""

from __future__ import annotations

import doctest
import itertools
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import InputError, UsageError
from cranfield.statistics import indefinite_rankings, rbo, rbo_of_rankings

lists = st.permutations(range(8)).flatmap(lambda order: st.integers(1, 6).map(lambda n: order[:n]))
persistence = st.sampled_from([0.2, 0.8, 0.97])
ties = st.sampled_from(["a", "b", "w"])

# Corsi & Urbano's own test values (github.com/julian-urbano/sigir2024-rbo, rbo/test.csv, MIT): extrapolated, lowest and
# highest of the readings w, a and b.
PUBLISHED = [
    (
        "(i5 i9 i13 i15 i16 i19 i20) (i3 i8)", "i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1", 0.958074765324023,
        {
            "w": (0.0816485573277354, 0.0370062754797617, 0.59493569657566),
            "a": (0.0808189832771587, 0.0354671825076603, 0.593396603603558),
            "b": (0.0813693619867344, 0.0356267307324464, 0.593556151828344),
        },
    ),
    (
        "i13 (i1 i4 i5 i6)", "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2", 0.92238320668128,
        {
            "w": (0.117578490431637, 0.0763135264223449, 0.53999366118093),
            "a": (0.114619469221414, 0.0733545052121218, 0.537945108035391),
            "b": (0.11474835409049, 0.0734833900811979, 0.538589532380772),
        },
    ),
    (
        "(i3 i6 i10 i14 i15)", "i6 (i3 i7 i10 i14) i8 i15 (i1 i2 i4)", 0.926466853612826,
        {
            "w": (0.826094305041388, 0.472435570943777, 0.886946365077668),
            "a": (0.756260643055255, 0.408427037876955, 0.819119845432353),
            "b": (0.828615638235269, 0.479991820201298, 0.891823302442912),
        },
    ),
    (
        "(i4 i14) i10 i9 i16 i1 (i11 i21) i7", "(i4 i7 i9 i10 i14 i16) i21 (i1 i11) (i3 i6 i17 i18)", 0.980350757903177,
        {
            "w": (0.95731778452095, 0.350742506261885, 0.95731778452095),
            "a": (0.939619367902257, 0.336112285552834, 0.939619367902257),
            "b": (0.96333114711547, 0.35963910728389, 0.96333114711547),
        },
    ),
    (
        "i21 i20 (i1 i16 i19) (i5 i10) i4", "(i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9",
        0.930074017489188,
        {
            "w": (0.0, 0.0, 0.389142712252727),
            "a": (0.0, 0.0, 0.38977330351866),
            "b": (0.0, 0.0, 0.390116806797613),
        },
    ),
    (
        "i4 (i2 i14) i7 i5 i3", "(i9 i13) (i6 i8) i1 i5 i10 i15 i11", 0.986650551181127,
        dict.fromkeys("wab", (0.155835200392091, 0.02839705430193, 0.89085092447296)),
    ),
    (
        "i5 (i1 i2 i3 i4 i6)", "i14 i11 (i1 i2 i3 i6 i8 i9 i10 i13)", 0.989677000181474,
        {
            "w": (0.582382777932075, 0.109321635629902, 0.947128961509598),
            "a": (0.506338899449639, 0.0951569037156836, 0.933510149185559),
            "b": (0.538239342563821, 0.0990949395707414, 0.938103744890412),
        },
    ),
]  # fmt: skip


@pytest.mark.parametrize(("x", "y", "p", "expected"), PUBLISHED)
def test_published_values(x: str, y: str, p: float, expected: dict[Any, tuple[float, float, float]]) -> None:
    for of, (extrapolated, lowest, highest) in expected.items():
        for pair in ((x, y), (y, x)):
            found = rbo_of_rankings(*map(ranking, pair), p=p, ties=of)
            assert found.extrapolated == pytest.approx(extrapolated, abs=1e-13)
            assert (found.lowest, found.highest) == pytest.approx((lowest, highest), abs=1e-13)
            assert found.residual == pytest.approx(highest - lowest, abs=1e-13)


def ranking(text: str) -> list[Any]:
    """``i1 (i2 i3)`` as a list."""
    groups = re.findall(r"\(([^)]*)\)|(\S+)", text)
    return [set(tied.split()) if tied else item for tied, item in groups]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=9), st.data(), persistence, ties)
def test_the_same_items_are_what_rbo_is_for(x: list[int], data: st.DataObject, p: float, of: Any) -> None:
    y = data.draw(st.lists(st.integers(0, 5), min_size=len(x), max_size=len(x)))
    found = rbo_of_rankings(dict(enumerate(x)), dict(enumerate(y)), p=p, ties=of)
    assert found.extrapolated == pytest.approx(float(rbo(x, y, p=p, ties=of)), abs=1e-13)


@given(lists, lists, persistence, ties)
def test_without_ties_it_is_counted_by_sets(x: list[int], y: list[int], p: float, of: Any) -> None:
    found = rbo_of_rankings(x, y, p=p, ties=of)
    short, long = sorted((x, y), key=len)
    # As unlike, and as like, as lists can go on that begin so.
    unlike = [short + [("x", i) for i in range(3000)], long + [("y", i) for i in range(3000)]]
    alike = [short + [i for i in long if i not in short], long + [i for i in short if i not in long]]
    assert found.lowest == pytest.approx(by_sets(*unlike, p=p, beyond=0), abs=1e-12)
    assert found.highest == pytest.approx(by_sets(*alike, p=p, beyond=1), abs=1e-12)
    # Webber et al., equation 32
    s, l = len(short), len(long)  # noqa: E741
    overlap = [0, *(len(set(short[:d]) & set(long[:d])) for d in range(1, l + 1))]
    total = sum(overlap[d] / d * p**d for d in range(1, l + 1))
    total += sum(overlap[s] * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    expected = (1 - p) / p * total + ((overlap[l] - overlap[s]) / l + overlap[s] / s) * p**l
    assert found.extrapolated == pytest.approx(expected, abs=1e-13)
    assert found.lowest - 1e-12 <= found.extrapolated <= found.highest + 1e-12


def by_sets(x: list[Any], y: list[Any], *, p: float, beyond: float) -> float:
    total, depth = 0.0, min(len(x), len(y), 3000)
    common: int = 0
    seen: set[Any] = set()
    for d in range(depth):
        for item in (x[d], y[d]):
            common += item in seen
            seen.add(item)
        total += (1 - p) * p**d * common / (d + 1)
    return total + beyond * p**depth


@given(lists, lists, persistence, st.data())
def test_what_is_seen_later_stays_between_the_bounds(x: list[int], y: list[int], p: float, data: st.DataObject) -> None:
    found = rbo_of_rankings(x, y, p=p)
    rest = [[i for i in data.draw(st.permutations(range(12))) if i not in known] for known in (x, y)]
    longer = rbo_of_rankings(x + rest[0][:3], y + rest[1][:4], p=p)
    assert found.lowest <= longer.lowest + 1e-12
    assert longer.highest <= found.highest + 1e-12


def test_forms_of_a_ranking() -> None:
    x, y = ["a", {"b", "c"}, "d"], ["c", "a"]
    found = rbo_of_rankings(x, y)
    assert rbo_of_rankings({"d": -1.0, "b": 2, "a": 7.5, "c": 2}, {"c": 1, "a": 0}) == found
    assert rbo_of_rankings(("a", frozenset("bc"), "d"), np.array(y)) == found


def test_an_empty_ranking_tells_nothing() -> None:
    for pair in (([], ["a", "b"]), (["a", "b"], {}), ([], [])):
        found = rbo_of_rankings(*pair)
        assert math.isnan(found.extrapolated)
        assert (found.lowest, found.highest) == (0, pytest.approx(1))


@pytest.mark.slow
def test_bounds_hold_to_the_last_digit() -> None:
    for length in (1, 2, 30, 100, 300, 3000):
        items = list(range(length))
        # The ranks beyond 300 weigh nothing where p is smaller.
        for p in (0.1, 0.8, 0.9, 0.99, 0.999) if length <= 300 else (0.99, 0.999):
            for other in (items, items[::-1], items[: length // 2 + 1]):
                found = rbo_of_rankings(items, other, p=p)
                assert 0 <= found.lowest <= found.extrapolated <= found.highest <= 1
                assert found.residual >= 0
            assert rbo_of_rankings(items, items, p=p).extrapolated == pytest.approx(1)


def test_a_is_the_mean_over_orders_of_lists_of_the_same_length_only() -> None:
    """Corsi & Urbano's code gives .4397393571 for these; the mean over the 24 orders is another number."""
    first, second = [{"N", "H"}, "M", {"A", "C", "F"}, "L"], ["C", "G", {"N", "A"}]
    of_orders = [
        rbo_of_rankings([*one, "M", *two, "L"], ["C", "G", *three]).extrapolated
        for one in itertools.permutations("NH")
        for two in itertools.permutations("ACF")
        for three in itertools.permutations("NA")
    ]
    assert rbo_of_rankings(first, second).extrapolated == pytest.approx(0.4397393571, abs=1e-10)
    assert (len(of_orders), np.mean(of_orders)) == (24, pytest.approx(0.4403468571, abs=1e-10))


def test_long_lists_are_worked_on_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    x, y = (dict(zip(rng.permutation(60)[:40].tolist(), rng.integers(0, 12, 40).tolist(), strict=True)) for _ in "xy")
    for of in ("a", "b", "w"):
        whole = rbo_of_rankings(x, y, ties=of)  # type: ignore[arg-type]
        with monkeypatch.context() as changed:
            changed.setattr(indefinite_rankings, "CELLS", 130)
            assert rbo_of_rankings(x, y, ties=of) == whole  # type: ignore[arg-type]


def test_arguments_that_are_refused() -> None:
    for p in (0, 1, -1, 2, math.nan):
        with pytest.raises(UsageError, match="between 0 and 1"):
            rbo_of_rankings("ab", ["a"], p=p)
    with pytest.raises(UsageError, match="ties='c' is not one of a, b, w"):
        rbo_of_rankings(["a"], ["a"], ties="c")  # type: ignore[arg-type]
    for given_ in ("ab", 3, None):
        with pytest.raises(UsageError, match="first should be a list of items, best first, or a score for each item"):
            rbo_of_rankings(given_, ["a"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="second: 'b' occurs twice in the ranking"):
        rbo_of_rankings(["a"], ["b", {"a", "b"}])
    with pytest.raises(UsageError, match="first: unhashable type: 'list': items that are tied stand in a set"):
        rbo_of_rankings(["a", ["b", "c"]], ["a"])  # type: ignore[list-item]
    for score, shown in ((math.nan, "nan"), ("10", "'10'"), (None, "None")):
        with pytest.raises(InputError, match=f"second: the score of 'b' is {shown}, not a number"):
            rbo_of_rankings(["a"], {"b": score})


def test_examples_of_the_docstrings() -> None:
    found = doctest.testmod(indefinite_rankings)
    assert (found.failed, found.attempted > 0) == (0, True)

"""Information tau against counting pair by pair, theorems of the paper, and corrections outcome by outcome."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from math import log, log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import InputError, UsageError
from cranfield.statistics import binary_entropy, gamma, order_information, sign_table_information, tau_a
from cranfield.statistics.information_tau import TauTies, all_triples, compute_informations
from effort import examples

R, S, T = [4, 3, 2, 1], [4, 3, 1, 2], [4, 2, 3, 1]
TIED = [4, 3, 1, 1]


def outcome(values: Sequence[float], one: int, other: int, tau_tolerance: float) -> int:
    difference = values[one] - values[other]
    return 0 if abs(difference) <= tau_tolerance else 1 if difference > 0 else -1


def by_counting(
    r: Sequence[float],
    s: Sequence[float],
    given_: Sequence[Sequence[float]] = (),
    tau_ties: str = "drop",
    tau_tolerance: float = 0.0,
    universe: Sequence[Sequence[float]] = (),
) -> float:
    """I(X; Y | Z) over all ordered pairs, outcome by outcome."""
    joint = Counter[tuple[int, int, tuple[int, ...]]]()
    for one, other in itertools.permutations(range(len(r)), 2):
        x, y, *z = (outcome(values, one, other, tau_tolerance) for values in (r, s, *given_))
        dropped = [outcome(values, one, other, tau_tolerance) for values in universe]
        if 0 in dropped or (tau_ties == "drop" and 0 in (x, y, *z)):
            continue
        joint[x, y, tuple(z)] += 1
    if not joint:
        return math.nan
    of_z, of_xz, of_yz = Counter[object](), Counter[object](), Counter[object]()
    for (x, y, z), count in joint.items():
        of_z[z] += count
        of_xz[x, z] += count
        of_yz[y, z] += count
    total = sum(joint.values())
    return math.fsum(
        count / total * math.log2(count * of_z[z] / (of_xz[x, z] * of_yz[y, z])) for (x, y, z), count in joint.items()
    )


def test_worked_examples() -> None:
    assert order_information(R, S) == pytest.approx(0.349978, abs=5e-7)
    assert order_information(R, S, [T]) == pytest.approx(0.316689, abs=5e-7)
    assert order_information(R, R, [T]) == pytest.approx(float(binary_entropy(5 / 6)), abs=1e-15)
    assert order_information(R, S, [T, S]) == 0
    assert order_information(R, TIED, tau_ties="ternary") == pytest.approx(0.833333, abs=5e-7)
    assert order_information(TIED, TIED, tau_ties="ternary") == pytest.approx(1.483356, abs=5e-7)
    assert order_information(R, TIED) == 1.0


ORDERS = st.integers(2, 7).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=5, max_size=5)
)
UNTIED = st.integers(2, 9).flatmap(lambda n: st.lists(st.permutations(range(n)), min_size=3, max_size=3))


@pytest.mark.slow
@pytest.mark.parametrize("tau_ties", ["drop", "ternary"])
@pytest.mark.parametrize("conditions", [0, 1, 2])
@examples(60)
@given(orders=ORDERS, tau_tolerance=st.sampled_from([0.0, 1.0]), universes=st.integers(0, 1))
def test_all_ordered_pairs_are_counted(
    tau_ties: str, conditions: int, orders: list[list[int]], tau_tolerance: float, universes: int
) -> None:
    r, s, *others = orders
    known, universe = others[:conditions], others[2 : 2 + universes]
    found = order_information(r, s, known, tau_ties=tau_ties, tau_tolerance=tau_tolerance, universe=universe)  # type: ignore[arg-type]
    expected = by_counting(r, s, known, tau_ties, tau_tolerance, universe)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(UNTIED)
def test_theorem_1(orders: list[list[int]]) -> None:
    r, s, _ = orders
    t = float(tau_a(r, s))
    terms = sum((1 + sign * t) * math.log2(1 + sign * t) for sign in (1, -1) if 1 + sign * t > 0)
    assert order_information(r, s) == pytest.approx(terms / 2, abs=1e-12)


@given(ORDERS)
def test_theorem_1_holds_for_untied_pairs(orders: list[list[int]]) -> None:
    r, s, *_ = orders
    found = order_information(r, s)
    t = float(gamma(r, s))
    assert math.isnan(found) == math.isnan(t)
    if not math.isnan(t):
        assert found == pytest.approx(1 - float(binary_entropy((1 - t) / 2)), abs=1e-12)


@given(UNTIED)
def test_one_condition_in_closed_form(orders: list[list[int]]) -> None:
    r, s, t = orders
    a, b, c = ((1 + float(tau_a(*pair))) / 2 for pair in ((r, t), (s, t), (r, s)))
    p11 = (a + b + c - 1) / 2
    cells = [p11, a - p11, b - p11, 1 - a - b + p11]
    entropy = -sum(p * math.log2(p) for p in cells if p > 1e-12)
    expected = float(binary_entropy(a)) + float(binary_entropy(b)) - entropy
    assert order_information(r, s, [t]) == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
@given(orders=ORDERS, tau_ties=st.sampled_from(["drop", "ternary"]))
def test_invariances(orders: list[list[int]], tau_ties: str) -> None:
    r, s, t, *_ = orders
    value = order_information(r, s, [t], tau_ties=tau_ties)  # type: ignore[arg-type]
    flip = [-x for x in r]
    stretched = [float(x) ** 3 + 2 for x in s]
    for again in (
        order_information(s, r, [t], tau_ties=tau_ties),  # type: ignore[arg-type]
        order_information(flip, s, [t], tau_ties=tau_ties),  # type: ignore[arg-type]
        order_information(r, stretched, [[-x for x in t]], tau_ties=tau_ties),  # type: ignore[arg-type]
        order_information(r[::-1], s[::-1], [t[::-1]], tau_ties=tau_ties),  # type: ignore[arg-type]
    ):
        assert again == pytest.approx(value, abs=1e-12, nan_ok=True)
    if not math.isnan(value):
        assert 0 <= value <= (1 if tau_ties == "drop" else math.log2(3))


@given(ORDERS)
def test_what_is_known_tells_nothing_more(orders: list[list[int]]) -> None:
    r, s, t, *_ = orders
    for known in ([r], [[-x for x in r]], [s], [t, r], [s, t]):
        found = order_information(r, s, known)
        assert math.isnan(found) or found == 0.0


@given(UNTIED)
def test_chain_rule(orders: list[list[int]]) -> None:
    """I(R; S, T) = I(R; T) + I(R; S | T) = I(R; S) + I(R; T | S)."""
    r, s, t = orders
    one = order_information(r, t) + order_information(r, s, [t])
    other = order_information(r, s) + order_information(r, t, [s])
    assert one == pytest.approx(other, abs=1e-12)


def test_known_orders_can_raise_the_value() -> None:
    """The difference is no part of the agreement: it can be negative."""
    raised = [
        orders
        for orders in itertools.product(itertools.permutations(range(4)), repeat=2)
        if order_information(range(4), orders[0], [orders[1]]) > order_information(range(4), orders[0]) + 0.1
    ]
    assert raised


def test_many_conditions_are_named_anew() -> None:
    rng = np.random.default_rng(0)
    orders = [rng.permutation(6).tolist() for _ in range(9)]
    r, s, *known = orders
    assert order_information(r, s, known) == pytest.approx(by_counting(r, s, known), abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("tau_ties", ["drop", "ternary"])
@pytest.mark.parametrize("common", [True, False])
@examples(8)
@given(orders=ORDERS)
def test_all_triples_are_single_values(tau_ties: str, common: bool, orders: list[list[int]]) -> None:
    table = all_triples(orders, tau_ties=tau_ties, common=common)  # type: ignore[arg-type]
    universe = orders if common and tau_ties == "drop" else []
    for first, second in itertools.product(range(5), repeat=2):
        for third in range(6):
            known = [] if third == 0 else [orders[third - 1]]
            one = order_information(orders[first], orders[second], known, tau_ties=tau_ties, universe=universe)  # type: ignore[arg-type]
            assert table[first, second, third] == pytest.approx(one, abs=1e-12, nan_ok=True)


def test_long_orders_are_counted_as_short_ones() -> None:
    rng = np.random.default_rng(5)
    r = rng.integers(0, 60, 700).astype(float)
    s = r + rng.normal(0, 20, 700).round()
    r[3], s[5] = np.inf, -np.inf
    alone = order_information(r, s)
    assert 0.05 < alone < 0.95
    # What ties nothing drops nothing, but leads pair by pair.
    assert alone == pytest.approx(order_information(r, s, universe=[np.arange(700)]), abs=1e-12)
    assert math.isnan(order_information(np.zeros(700), s))
    assert order_information(r, -r) == order_information(r, r) == 1.0


def test_undefined() -> None:
    for values in ([], [1], [2, 2, 2]):
        assert math.isnan(order_information(values, values))
    assert math.isnan(order_information([1], [1], tau_ties="ternary"))
    assert order_information([2, 2, 2], [1, 2, 3], tau_ties="ternary") == 0


def test_infinite_values_are_an_order_too() -> None:
    assert order_information([math.inf, 1, -math.inf], [3, 2, 1]) == 1
    assert order_information([math.inf, 1, -math.inf], [3, 2, 1], tau_tolerance=0.5) == 1


def test_refusals() -> None:
    with pytest.raises(InputError, match="item 2 has the value nan"):
        order_information([1, math.nan], [1, 2])
    for bad in ([1, 2, 3], [[1, 2]], ["a", "b"]):
        with pytest.raises(UsageError):
            order_information([1, 2], bad)
    with pytest.raises(UsageError, match="tau_ties='random' is not one of drop, ternary"):
        order_information([1, 2], [1, 2], tau_ties="random")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="tau_tolerance=-1"):
        order_information([1, 2], [1, 2], tau_tolerance=-1)


# ---- corrected for chance: outcomes of which mirror images are one, in plain Python


Outcome = tuple[int, ...]


def turned(outcome: Outcome) -> Outcome:
    return tuple(-sign for sign in outcome)


def one_of_two(outcome: Outcome) -> Outcome:
    return max(outcome, turned(outcome))


def outcomes(rows: list[list[int]], tau_ties: TauTies) -> list[Outcome]:
    """What the orders say of each pair, x, y and z in turn."""
    said = [
        tuple(int(row[i] > row[j]) - int(row[i] < row[j]) for row in rows)
        for i, j in combinations(range(len(rows[0])), 2)
    ]
    return [outcome for outcome in said if tau_ties == "ternary" or 0 not in outcome]


def information(p: dict[Outcome, float]) -> float:
    """I(X; Y | Z) of frequencies of outcomes in both directions."""
    xz, yz, z = Counter[Outcome](), Counter[Outcome](), Counter[Outcome]()
    for outcome, share in p.items():
        xz[outcome[:1] + outcome[2:]] += share  # type: ignore[assignment]
        yz[outcome[1:]] += share  # type: ignore[assignment]
        z[outcome[2:]] += share  # type: ignore[assignment]
    return sum(share * log2(share * z[o[2:]] / (xz[o[:1] + o[2:]] * yz[o[1:]])) for o, share in p.items() if share > 0)


def both_ways(p: dict[Outcome, float]) -> dict[Outcome, float]:
    found = Counter[Outcome]()
    for outcome, share in p.items():
        found[outcome] += share / 2  # type: ignore[assignment]
        found[turned(outcome)] += share / 2  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def by_hand(rows: list[list[int]], tau_ties: TauTies, estimator: str) -> float:
    counted = Counter(map(one_of_two, outcomes(rows, tau_ties)))
    n = sum(counted.values())
    p = {outcome: count / n for outcome, count in counted.items()}
    if estimator == "miller-madow":
        xz, yz = {one_of_two(o[:1] + o[2:]) for o in counted}, {one_of_two(o[1:]) for o in counted}
        more = len(xz) + len(yz) - len(counted) - len({one_of_two(o[2:]) for o in counted})
        return information(both_ways(p)) + more / (2 * n * log(2))
    every = list(product((-1, 1) if tau_ties == "drop" else (-1, 0, 1), repeat=len(rows)))
    t = {outcome: count / len(every) for outcome, count in Counter(map(one_of_two, every)).items()}
    apart = (n - 1) * sum((p.get(outcome, 0) - t[outcome]) ** 2 for outcome in t)
    share = min(1.0, (1 - sum(value**2 for value in p.values())) / apart)
    return information(both_ways({o: share * t[o] + (1 - share) * p.get(o, 0) for o in t}))


@pytest.mark.parametrize("tau_ties", ["drop", "ternary"])
@pytest.mark.parametrize("estimator", ["miller-madow", "shrinkage"])
@pytest.mark.parametrize("known", [0, 1, 2])
def test_it_is_what_each_outcome_gives(tau_ties: TauTies, estimator: str, known: int) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        first = rng.integers(0, 9, 8)
        rows = [(first + rng.integers(0, 5, 8)).tolist() for _ in range(2 + known)]
        found = order_information(rows[0], rows[1], rows[2:], tau_ties=tau_ties, estimator=estimator)  # type: ignore[arg-type]
        assert found == pytest.approx(by_hand(rows, tau_ties, estimator), abs=1e-12)


@pytest.mark.parametrize("estimator", ["miller-madow", "shrinkage"])
@pytest.mark.parametrize(("tau_ties", "common"), [("drop", True), ("drop", False), ("ternary", True)])
def test_all_triples_are_each_by_itself(estimator: str, tau_ties: TauTies, common: bool) -> None:
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 8, (3, 9))
    table = all_triples(rows, tau_ties=tau_ties, common=common, estimator=estimator)  # type: ignore[arg-type]
    universe = list(rows) if common and tau_ties == "drop" else []
    for left, right, third in product(range(3), range(3), range(-1, 3)):
        known = [] if third < 0 else [rows[third]]
        options = {"tau_ties": tau_ties, "universe": universe, "estimator": estimator}
        alone = order_information(rows[left], rows[right], known, **options)  # type: ignore[arg-type]
        assert table[left, right, third + 1] == pytest.approx(alone, abs=1e-6, nan_ok=True)


def test_two_orders_alone_are_a_table_of_two_cells() -> None:
    """Where both signs occur, so that one cell is free; by merging too."""
    rng = np.random.default_rng(2)
    for size in (12, 600):
        r = rng.permutation(size)
        s = r + rng.normal(0, size / 4, size)
        kept = sum(int((r[i] > r[j]) == (s[i] > s[j])) for i, j in combinations(range(size), 2))
        n = size * (size - 1) // 2
        for estimator in ("miller-madow", "shrinkage"):
            expected = sign_table_information(np.array([kept]), np.array([n - kept]), 0.0, 2.0, estimator)  # type: ignore[arg-type]
            assert order_information(r, s, estimator=estimator) == pytest.approx(expected, abs=1e-12)  # type: ignore[arg-type]


def test_the_same_order_and_no_pair() -> None:
    assert order_information([1, 2, 3, 4], [1, 2, 3, 4], estimator="miller-madow") == 1.0
    assert np.isnan(order_information([1, 1], [1, 2], estimator="shrinkage"))
    with pytest.raises(UsageError, match="plug-in, miller-madow"):
        order_information([1, 2], [1, 2], estimator="table")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("n", "shape"),
    [
        (9, {"tau_ties": "ternary"}),
        (9, {"tau_tolerance": 1.0}),
        (9, {"tau_ties": "ternary", "tau_tolerance": 1.0}),
        (513, {}),
    ],
)
def test_permutations_counted_together_are_those_counted_one_by_one(n: int, shape: dict[str, Any]) -> None:
    rng = np.random.default_rng(2)
    r, s, t, u = rng.integers(0, 6, (4, n)).astype(np.float64)
    seconds = rng.permuted(np.tile(s, (5 if n > 100 else 40, 1)), axis=1)
    for conditions, universe in (([], []), ([t], [u]), ([t, u], [])):
        together = compute_informations(
            r, seconds, conditions, universe, **{"tau_ties": "drop", "tau_tolerance": 0.0, **shape}
        )
        alone = [order_information(r, second, conditions, universe=universe, **shape) for second in seconds]
        np.testing.assert_array_equal(together, alone)

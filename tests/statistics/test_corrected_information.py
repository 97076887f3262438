"""Information tau corrected for chance: outcome by outcome, where mirror images are one, in plain Python."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import log, log2

import numpy as np
import pytest

from cranfield.errors import UsageError
from cranfield.statistics.entropy import sign_table_information
from cranfield.statistics.information_tau import Ties, all_triples, order_information

Outcome = tuple[int, ...]


def turned(outcome: Outcome) -> Outcome:
    return tuple(-sign for sign in outcome)


def one_of_two(outcome: Outcome) -> Outcome:
    return max(outcome, turned(outcome))


def outcomes(rows: list[list[int]], ties: Ties) -> list[Outcome]:
    """What the orders say of each pair, x, y and z in turn."""
    said = [
        tuple(int(row[i] > row[j]) - int(row[i] < row[j]) for row in rows)
        for i, j in combinations(range(len(rows[0])), 2)
    ]
    return [outcome for outcome in said if ties == "ternary" or 0 not in outcome]


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


def by_hand(rows: list[list[int]], ties: Ties, estimator: str) -> float:
    counted = Counter(map(one_of_two, outcomes(rows, ties)))
    n = sum(counted.values())
    p = {outcome: count / n for outcome, count in counted.items()}
    if estimator == "miller-madow":
        xz, yz = {one_of_two(o[:1] + o[2:]) for o in counted}, {one_of_two(o[1:]) for o in counted}
        more = len(xz) + len(yz) - len(counted) - len({one_of_two(o[2:]) for o in counted})
        return information(both_ways(p)) + more / (2 * n * log(2))
    every = list(product((-1, 1) if ties == "drop" else (-1, 0, 1), repeat=len(rows)))
    t = {outcome: count / len(every) for outcome, count in Counter(map(one_of_two, every)).items()}
    apart = (n - 1) * sum((p.get(outcome, 0) - t[outcome]) ** 2 for outcome in t)
    share = min(1.0, (1 - sum(value**2 for value in p.values())) / apart)
    return information(both_ways({o: share * t[o] + (1 - share) * p.get(o, 0) for o in t}))


@pytest.mark.parametrize("ties", ["drop", "ternary"])
@pytest.mark.parametrize("estimator", ["miller-madow", "shrinkage"])
@pytest.mark.parametrize("known", [0, 1, 2])
def test_it_is_what_each_outcome_gives(ties: Ties, estimator: str, known: int) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        first = rng.integers(0, 9, 8)
        rows = [(first + rng.integers(0, 5, 8)).tolist() for _ in range(2 + known)]
        found = order_information(rows[0], rows[1], rows[2:], ties=ties, estimator=estimator)  # type: ignore[arg-type]
        assert found == pytest.approx(by_hand(rows, ties, estimator), abs=1e-12)


@pytest.mark.parametrize("estimator", ["miller-madow", "shrinkage"])
@pytest.mark.parametrize(("ties", "common"), [("drop", True), ("drop", False), ("ternary", True)])
def test_all_triples_are_each_by_itself(estimator: str, ties: Ties, common: bool) -> None:
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 8, (3, 9))
    table = all_triples(rows, ties=ties, common=common, estimator=estimator)  # type: ignore[arg-type]
    universe = list(rows) if common and ties == "drop" else []
    for one, other, given in product(range(3), range(3), range(-1, 3)):
        known = [] if given < 0 else [rows[given]]
        how = {"ties": ties, "universe": universe, "estimator": estimator}
        alone = order_information(rows[one], rows[other], known, **how)  # type: ignore[arg-type]
        assert table[one, other, given + 1] == pytest.approx(alone, abs=1e-6, nan_ok=True)


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

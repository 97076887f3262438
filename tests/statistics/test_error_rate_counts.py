"""Error, tie and swap rates against counting in loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matrices import matrix

from cranfield.statistics import Contrasts, permutations, subset_rates, swap_rates
from cranfield.statistics.error_rates import row_counts, row_rates, row_winners
from cranfield.statistics.resampling import NestedSums
from effort import examples


def decision(a: float, b: float, fuzziness: float) -> int:
    return 0 if abs(a - b) <= fuzziness * max(abs(a), abs(b)) + 1e-12 else (1 if a > b else -1)


@given(st.integers(2, 12), st.integers(2, 5), st.integers(0, 99), st.sampled_from([0.0, 0.05, 0.3]))
@examples(40)
def test_rates_equal_counting(rows: int, columns: int, seed: int, fuzziness: float) -> None:
    table = np.round(matrix(rows, columns, seed) - 0.3, 1)  # ties, and values below zero
    size, draws = max(1, rows // 2), 9
    orders = permutations(rows, draws, np.random.default_rng(seed))
    by_subset = by_row = swaps = ties = row_ties = swap_ties = 0.0
    count = columns * (columns - 1) // 2
    for i in range(columns):
        for j in range(i + 1, columns):
            means = [table[order[:size]].mean(axis=0) for order in orders]
            others = [table[order[size : 2 * size]].mean(axis=0) for order in orders]
            said = [decision(m[i], m[j], fuzziness) for m in means]
            again = [decision(m[i], m[j], fuzziness) for m in others]
            by_subset += min(said.count(1), said.count(-1))
            ties += said.count(0)
            swaps += sum(one * two < 0 for one, two in zip(said, again, strict=True))
            swap_ties += sum(one * two == 0 for one, two in zip(said, again, strict=True))
            for order in orders:
                inside = [decision(table[t, i], table[t, j], fuzziness) for t in order[:size]]
                by_row += min(inside.count(1), inside.count(-1))
                row_ties += inside.count(0)
    pairs = Contrasts.all_pairs(columns)
    found = subset_rates(NestedSums(table, orders).reach(size) / size, pairs, fuzziness)
    assert (found.error, found.tie) == pytest.approx((by_subset / count / draws, ties / count / draws))
    counts = row_counts(
        *(NestedSums(row_winners(table, pairs, fuzziness) == sign, orders).reach(size) for sign in (1, -1))
    )
    found = row_rates(*counts, len(pairs) * size)
    total = count * draws * size
    assert (found.error, found.tie) == pytest.approx((by_row / total, row_ties / total))
    one, two = NestedSums(table, orders), NestedSums(table, orders)
    first = one.reach(size) / size
    two.reach(2 * size)
    found = swap_rates(first, two.beyond(one) / size, pairs, fuzziness)
    assert (found.error, found.tie) == pytest.approx((swaps / count / draws, swap_ties / count / draws))


def test_the_standard_error_is_that_of_repeated_draws() -> None:
    table = matrix(40, 12, 3)
    pairs = Contrasts.all_pairs(12)
    rng = np.random.default_rng(0)
    means = (NestedSums(table, permutations(40, 100, rng)).reach(10) / 10 for _ in range(150))
    found = [subset_rates(one, pairs, 0.05) for one in means]
    for rate in ("error", "tie"):
        spread = np.std([getattr(one, rate) for one in found], ddof=1)
        said = np.mean([getattr(one, f"{rate}_se") for one in found])
        assert said == pytest.approx(spread, rel=0.25)

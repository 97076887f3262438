"""Entropies by hand and against SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cranfield.statistics import binary_entropy, conditional_information, sign_information, sign_table_information
from cranfield.statistics.entropy import EntropyCorrection, corrected_pairs, entropy

COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=12)


def test_by_hand() -> None:
    assert entropy([1, 1]) == 1.0
    assert entropy([1, 1, 1, 1]) == 2.0
    assert entropy([2, 1, 1]) == 1.5
    assert entropy([5, 0]) == 0.0
    assert entropy([0, 0]) == 0.0
    assert binary_entropy(0.5) == 1.0
    assert binary_entropy([0.0, 1.0]).tolist() == [0.0, 0.0]
    assert binary_entropy(1 / 6) == pytest.approx(0.650022, abs=5e-7)
    assert sign_information([4, 0, 0, 1], [3, 0, 2, 1]).tolist() == pytest.approx([1 - 0.9852281, 0, 1, 0], abs=5e-8)


@given(COUNTS)
def test_entropy_is_scipys(counts: list[int]) -> None:
    if sum(counts):
        assert entropy(counts) == pytest.approx(scipy.stats.entropy(counts, base=2), abs=1e-12)


@given(COUNTS, st.randoms())
def test_order_and_empty_cells_do_not_move_the_last_bit(counts: list[int], random: object) -> None:
    shuffled = [*counts, 0, 0, 0]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert entropy(shuffled) == entropy(counts)


@given(st.lists(COUNTS.filter(sum), min_size=1, max_size=4))
def test_tables_are_taken_row_by_row(rows: list[list[int]]) -> None:
    width = max(map(len, rows))
    table = np.array([row + [0] * (width - len(row)) for row in rows])
    assert entropy(table).tolist() == [float(entropy(row)) for row in rows]


@given(st.lists(st.integers(0, 9), min_size=8, max_size=8).filter(sum))
def test_conditional_information_outcome_by_outcome(counts: list[int]) -> None:
    """I(X; Y | Z) = sum of p(x, y, z) log2 (p(x, y, z) p(z) / (p(x, z) p(y, z)))."""
    table = np.array(counts, dtype=float).reshape(2, 2, 2)  # z, x, y
    total = table.sum()
    expected = 0.0
    for z in range(2):
        for x in range(2):
            for y in range(2):
                if table[z, x, y]:
                    here = table[z, x, y] * table[z].sum() / (table[z, x].sum() * table[z, :, y].sum())
                    expected += table[z, x, y] / total * math.log2(here)
    found = conditional_information(
        table.sum(axis=2).ravel(), table.sum(axis=1).ravel(), table.ravel(), table.sum(axis=(1, 2))
    )
    assert found == pytest.approx(expected, abs=1e-12)
    assert found >= 0


def test_a_table_of_signs_by_hand() -> None:
    """Ten pairs: an outcome four times and once against, another three times, two silent; two systems, 9 outcomes."""
    toward, against = np.array([4.0, 3.0]), np.array([1.0, 0.0])
    plain = (5 * (1 - float(binary_entropy(0.2))) + 3) / 10
    assert sign_table_information(toward, against, 2.0, 9) == pytest.approx(plain)
    found = sign_table_information(toward, against, 2.0, 9, "miller-madow")
    assert found == pytest.approx(plain - 2 / (2 * 10 * math.log(2)))
    # p = .4, .1, .3, 0, .2: sum of squares .3; share of equal frequencies (1 - .3) / (9 (.3 - 1/9))
    share = 0.7 / (9 * (0.3 - 1 / 9))
    a, b, c, d = (share / 9 + (1 - share) * p for p in (0.4, 0.1, 0.3, 0.0))
    by_hand = (a + b) * (1 - float(binary_entropy(a / (a + b)))) + (c + d) * (1 - float(binary_entropy(c / (c + d))))
    assert sign_table_information(toward, against, 2.0, 9, "shrinkage") == pytest.approx(by_hand)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=4), st.integers(0, 20))
def test_shrinkage_is_that_of_the_whole_table(pairs: list[tuple[int, int]], silent: int) -> None:
    """All nine outcomes written out, those that never occur among them, and the information of the mixture."""
    cells = pairs + [(0, 0)] * (4 - len(pairs))
    counts = np.array([number for cell in cells for number in cell] + [silent], dtype=float)
    n = counts.sum()
    if n == 0:
        return
    p = counts / n
    apart = (n - 1) * ((p - 1 / 9) ** 2).sum()
    share = min(1.0, (1 - (p**2).sum()) / apart) if apart > 1e-12 else 1.0
    mixed = share / 9 + (1 - share) * p
    both = np.concatenate([mixed / 2, mixed[[1, 0, 3, 2, 5, 4, 7, 6, 8]] / 2])  # an outcome, and its mirror image
    of_outcome = both[:9] + both[9:]
    expected = entropy(of_outcome) + 1 - entropy(both)
    kept = np.array([cell for cell in pairs if sum(cell)], dtype=float).reshape(-1, 2)
    found = sign_table_information(kept[:, 0], kept[:, 1], float(silent), 9, "shrinkage")
    assert found == pytest.approx(float(expected), abs=1e-9)


@pytest.mark.parametrize("correction", ["miller-madow", "shrinkage"])
def test_two_signs_are_counted_cell_by_cell(correction: EntropyCorrection) -> None:
    """The row says what nine outcomes say of it, mixed with equal ones by the same share."""
    toward, against, silent = np.array([5.0, 2.0, 0.0, 1.0]), np.array([1.0, 3.0, 4.0, 0.0]), 2.0
    some = np.ones((2, 2))
    together, alone = corrected_pairs(
        *(sides[:, None, None] * some for sides in (toward, against)), silent * some, correction
    )
    assert together[0, 1] == pytest.approx(sign_table_information(toward, against, silent, 9.0, correction))
    row = float(toward[:3].sum()), float(against[:3].sum())
    if correction == "miller-madow":
        expected = sign_table_information(np.array(row[:1]), np.array(row[1:]), 3.0, 3.0, correction)
    else:
        p = np.array([*toward, *against, silent]) / 18
        share = min(1.0, (1 - (p**2).sum()) / (17 * ((p - 1 / 9) ** 2).sum()))
        plus, minus = (share / 3 + (1 - share) * side / 18 for side in row)
        expected = sign_table_information(np.array([plus]), np.array([minus]), 1 - plus - minus, 3.0)
    assert alone[0, 1] == pytest.approx(expected)

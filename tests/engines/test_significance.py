"""What both engines count of very many t tests: the same, and what NumPy counts with every critical value at hand."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.engine import Engine


@pytest.mark.parametrize("levels", [0, 1, 19])
@pytest.mark.parametrize("columns", [1, 2, 7])
def test_significant_tests_are_counted_alike(compiled: Engine, reference: Engine, columns: int, levels: int) -> None:
    rng = np.random.default_rng(columns)
    rows = 60
    # Steps so coarse that values equal a level, and that some have no spread.
    means, others = rng.integers(0, 9, (2, rows, columns)) / 4.0
    errors, theirs = rng.integers(0, 3, (2, rows, columns)) / 2.0
    low = np.sort(rng.integers(0, 40, levels) / 4.0)
    high = np.sort(low + rng.integers(0, 8, levels) / 4.0)
    curves = np.column_stack([(low + high) / 2, (high - low) / 3, rng.random(levels) / 8])
    square = (means[:, :, None] - others[:, None]) ** 2
    sums = errors[:, :, None] + theirs[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        place = 4 * (errors[:, :, None] ** 2 + theirs[:, None] ** 2) / sums**2 - 3
        square /= sums
    series = np.moveaxis(np.polynomial.chebyshev.chebval(place, curves.T), 0, -1)
    reached = (square[..., None] >= high) | ((square[..., None] >= low) & (square[..., None] >= series))
    reached &= sums[..., None] > 0
    same = np.eye(columns, dtype=bool)
    expected = [
        part.tolist()
        for which in (~same, same)
        for part in (reached[:, which].sum(axis=1), (sums > 0)[:, which].sum(axis=1))
    ]
    for each in (compiled, reference):
        found = each.count_welch_tests(means, errors, others, theirs, low, high, curves)
        assert [part.tolist() for which in found for part in which] == expected


def test_tests_that_do_not_fit_are_refused(compiled: Engine) -> None:
    one, two = np.ones((1, 1)), np.ones((1, 2))
    level, falling = np.ones(1), np.array([2.0, 1.0])
    for errors, low, high, curves in (
        (two, level, level, two),
        (one, falling, falling, np.ones((2, 2))),
        (one, level, falling, two),
        (one, level, level, one),
        (one, -level, level, two),
        (one, np.ones(101), np.ones(101), np.ones((101, 2))),
    ):
        with pytest.raises(ValueError, match="do not fit together"):
            compiled.count_welch_tests(one, errors, one, one, low, high, curves)

"""Two-way analysis of variance of a complete matrix, one value a cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats


@dataclass(frozen=True)
class TwoWay:
    """Mean squares of rows, columns and what is left.

    Args:
        rows: number of rows.
        columns: number of columns.
        ms_rows: columns * sum((row mean - mean)^2) / (rows - 1).
        ms_columns: rows * sum((column mean - mean)^2) / (columns - 1).
        ms_residual: sum of squared residuals / ((rows - 1)(columns - 1)).
    """

    rows: int
    columns: int
    ms_rows: float
    ms_columns: float
    ms_residual: float

    @property
    def df_rows(self) -> int:
        """Degrees of freedom of the rows."""
        return self.rows - 1

    @property
    def df_columns(self) -> int:
        """Degrees of freedom of the columns."""
        return self.columns - 1

    @property
    def df_residual(self) -> int:
        """Degrees of freedom of the residual."""
        return self.df_rows * self.df_columns


def two_way(table: Floats) -> TwoWay:
    """Analysis of variance of [rows, columns], without NaN, at least 2 x 2.

    Mean squares that rounding alone leaves of a constant count as zero.
    """
    rows, columns = table.shape
    shifted = table - table.mean()
    row, column = shifted.mean(axis=1), shifted.mean(axis=0)
    residual = shifted - row[:, None] - column
    squares = columns * (row**2).sum(), rows * (column**2).sum(), (residual**2).sum()
    floor = table.size * (1e-14 * np.abs(table).max()) ** 2
    of_rows, of_columns, rest = (float(value) if value > floor else 0.0 for value in squares)
    return TwoWay(rows, columns, of_rows / (rows - 1), of_columns / (columns - 1), rest / ((rows - 1) * (columns - 1)))

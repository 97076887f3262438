"""Two-way analysis of variance, one value a cell; with missing cells, its residual by least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield._typing import Floats
from cranfield.statistics.rounding import NOISE


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
    floor = table.size * (NOISE * np.abs(table).max()) ** 2
    ms_rows, ms_columns, ss_residual = (float(value) if value > floor else 0.0 for value in squares)
    return TwoWay(
        rows, columns, ms_rows / (rows - 1), ms_columns / (columns - 1), ss_residual / ((rows - 1) * (columns - 1))
    )


@dataclass(frozen=True)
class AdditiveResidual:
    """The residual of the additive model of topics and systems.

    Args:
        mean_square: sum of squared residuals / df; NaN where df is 0.
        df: degrees of freedom.
    """

    mean_square: float
    df: int


def residual_of(table: Floats) -> AdditiveResidual:
    """The residual of the additive model of rows and columns, fitted by least squares where cells are missing.

    Args:
        table: [rows, columns], NaN where there is no value; at least one value.
    """
    present = ~np.isnan(table)
    if present.all() and min(table.shape) >= 2:
        anova = two_way(table)
        return AdditiveResidual(anova.ms_residual, anova.df_residual)
    rows = present.sum(axis=1)
    indicator, used = present[rows > 0].astype(np.float64), rows[rows > 0]
    filled = np.where(present, table - np.nanmean(table), 0.0)[rows > 0]
    within = np.where(indicator > 0, filled - filled.sum(axis=1, keepdims=True) / used[:, None], 0.0)
    # Rows swept out: what is left of the normal equations is square in the columns.
    left = np.diag(indicator.sum(axis=0)) - indicator.T @ (indicator / used[:, None])
    right = (indicator * within).sum(axis=0)
    effects, _, rank, _ = np.linalg.lstsq(left, right, rcond=1e-10)
    df = int(indicator.sum()) - len(indicator) - int(rank)
    squares = float((within**2).sum() - effects @ right)
    floor = indicator.sum() * (NOISE * np.nanmax(np.abs(table))) ** 2
    return AdditiveResidual(
        (squares if squares > max(floor, 1e-15 * (within**2).sum()) else 0.0) / df if df > 0 else np.nan, df
    )

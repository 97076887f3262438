"""Generalizability theory of a matrix of measurements: objects in columns, conditions in rows, both random.

Every value is mu + object + condition + residual. The variance components say how much of the spread between values
comes from each; the coefficients say how much of the spread of means over n' conditions is the objects' own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import fdtri, gammaincinv

from cranfield._typing import Floats
from cranfield.statistics.two_way import TwoWay, two_way

Coefficient = Literal["Erho2", "Phi"]


class Bounds(NamedTuple):
    """An interval."""

    low: float
    high: float


@dataclass(frozen=True)
class Generalizability:
    """Variance components from the mean squares of a complete matrix.

    Args:
        anova: rows are conditions, columns objects.
    """

    anova: TwoWay

    @property
    def raw(self) -> tuple[float, float, float]:
        """Estimates of objects, conditions and residual, the first two negative where chance made them so."""
        mean_squares = self.anova
        return (
            _beyond(mean_squares.ms_columns, mean_squares.ms_residual) / mean_squares.rows,
            _beyond(mean_squares.ms_rows, mean_squares.ms_residual) / mean_squares.columns,
            mean_squares.ms_residual,
        )

    @property
    def components(self) -> tuple[float, float, float]:
        """The same, with 0 for negative ones."""
        of_objects, of_conditions, residual = self.raw
        return max(0.0, of_objects), max(0.0, of_conditions), residual

    def coefficient(self, which: Coefficient, n: Floats | float) -> Floats:
        """Of means over n conditions, in [0, 1]; NaN where nothing varies.

        Erho2 = var_o / (var_o + var_e / n) for relative, Phi = var_o / (var_o + (var_c + var_e) / n) for absolute
        decisions.
        """
        objects, noise = self.components[0], self._noise(which)
        n = np.asarray(n, dtype=np.float64)
        total = objects + noise / n
        share: Floats = np.divide(objects, total, out=np.full(n.shape, np.nan), where=total > 0)
        return share

    def needed(self, which: Coefficient, target: float) -> float:
        """Fewest conditions for a coefficient of at least ``target``, in (0, 1).

        ceil(target noise / (var_o (1 - target))); infinite where objects do not differ, NaN where nothing varies.
        """
        objects, noise = self.components[0], self._noise(which)
        if objects == 0:
            return math.nan if noise == 0 else math.inf
        exact = target * noise / (objects * (1.0 - target))
        return _whole(exact)

    def interval(self, which: Coefficient, n: float, level: float) -> Bounds:
        """Of a coefficient, by Feldt for Erho2 and by Arteaga and others for Phi, cut to [0, 1].

        Args:
            which: coefficient.
            n: conditions of the mean.
            level: coverage, in (0, 1), two-sided.

        References:
            Feldt 1965, The approximate sampling distribution of Kuder-Richardson reliability coefficient twenty.
            Psychometrika 30.
            Arteaga, Jeyaratnam & Franklin 1982, Confidence intervals for proportions of total variance in the two-way
            cross component of variance model. Comm. Statistics 11.
        """
        if math.isnan(float(self.coefficient(which, n))):
            return Bounds(math.nan, math.nan)
        if self.anova.ms_columns == 0:
            return Bounds(0.0, 0.0)
        bound = self._erho2_bound if which == "Erho2" else self._phi_bound
        tail = (1.0 - level) / 2.0
        low, high = (min(1.0, max(0.0, bound(p, n))) for p in (1.0 - tail, tail))
        return Bounds(low, high)

    def _noise(self, which: Coefficient) -> float:
        _, of_conditions, residual = self.components
        return residual if which == "Erho2" else of_conditions + residual

    def _erho2_bound(self, p: float, n: float) -> float:
        a = self.anova
        if a.ms_residual == 0:
            return 1.0
        one = (a.ms_columns / (a.ms_residual * fdtri(a.df_columns, a.df_residual, p)) - 1.0) / a.rows
        return _stepped(one, n)

    def _phi_bound(self, p: float, n: float) -> float:
        a, df = self.anova, self.anova.df_columns
        # Squares of mean squares may be no numbers; a power of two in them all changes no bit of their ratio.
        unit = 2.0 ** math.frexp(max(a.ms_rows, a.ms_columns, a.ms_residual))[1]
        rows, columns, rest = a.ms_rows / unit, a.ms_columns / unit, a.ms_residual / unit
        infinite = 2.0 * gammaincinv(df / 2.0, p) / df
        of_residual, of_rows = fdtri(df, a.df_residual, p), fdtri(df, a.df_rows, p)
        above = columns**2 - infinite * columns * rest + (infinite - of_residual) * of_residual * rest**2
        below = (a.columns - 1) * infinite * columns * rest + of_rows * columns * rows
        if below == 0:
            return 1.0
        share = a.columns * above / below
        if share <= 0:
            return 0.0
        phi = share / (share + a.rows)
        return float(n * phi / (1.0 + (n - 1.0) * phi))


def _beyond(one: float, other: float) -> float:
    """Their difference, 0 where rounding alone makes it."""
    return 0.0 if math.isclose(one, other, rel_tol=1e-12) else one - other


def conditions_within(single: Bounds, target: float) -> Bounds:
    """Fewest conditions for a coefficient of ``target``, from both ends of the coefficient of a single one."""

    def count(coefficient: float) -> float:
        if coefficient == 0 or math.isnan(coefficient):
            return math.inf if coefficient == 0 else math.nan
        return _whole(target / (1.0 - target) * (1.0 - coefficient) / coefficient)

    return Bounds(count(single.high), count(single.low))


def _whole(conditions: float) -> float:
    """Rounded up, at least 1; a whole number that rounding lifted must not become the next one."""
    return float(max(1, math.ceil(conditions * (1.0 - 1e-12))))


def _stepped(one: float, n: float) -> float:
    """n L / (1 + n L); a bound below zero stays there."""
    return float(n * one / (1.0 + n * one)) if one > 0 else 0.0


def generalizability(table: Floats) -> Generalizability:
    """Variance components of [conditions, objects], complete and at least 2 x 2."""
    return Generalizability(two_way(table))

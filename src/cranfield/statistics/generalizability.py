"""Generalizability theory of a matrix of measurements: objects in columns, conditions in rows, both random.

Every value is mu + object + condition + residual. The variance components divide the variance of the values between
these; the coefficients are the objects' share of the variance of means over n' conditions.

Components are resampled over conditions, and over objects on request. A row or column that is drawn twice is equal to
itself, which biases components of resamples by known factors; these are removed, so the mean over resamples is the
estimate itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import expit, fdtri, gammaincinv, stdtrit

from cranfield._typing import Floats
from cranfield.memory import require
from cranfield.statistics.anova import TwoWay, two_way
from cranfield.statistics.numeric import ROWS, product
from cranfield.statistics.resampling import CELLS, Samples, bootstrap_counts
from cranfield.statistics.rounding import NOISE

Coefficient = Literal["Erho2", "Phi"]
NO_COMPONENT = 1e-13
"""Components up to this share of the mean square are rounding, as where one object alone was drawn."""


class ComponentBounds(NamedTuple):
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
            _difference(mean_squares.ms_columns, mean_squares.ms_residual) / mean_squares.rows,
            _difference(mean_squares.ms_rows, mean_squares.ms_residual) / mean_squares.columns,
            mean_squares.ms_residual,
        )

    @property
    def components(self) -> tuple[float, float, float]:
        """The estimates of ``raw``, with 0 for negative ones."""
        objects, conditions, residual = self.raw
        return max(0.0, objects), max(0.0, conditions), residual

    def coefficient(self, which: Coefficient, n: Floats | float) -> Floats:
        """The coefficient of means over n conditions, in [0, 1]; NaN where nothing varies.

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
        return _round_up(exact)

    def interval(self, which: Coefficient, n: float, level: float) -> ComponentBounds:
        """The interval of a coefficient: Feldt's for Erho2, that of Arteaga et al. for Phi, cut to [0, 1].

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
            return ComponentBounds(math.nan, math.nan)
        if self.anova.ms_columns == 0:
            return ComponentBounds(0.0, 0.0)
        bound = self._erho2_bound if which == "Erho2" else self._phi_bound
        tail = (1.0 - level) / 2.0
        low, high = (min(1.0, max(0.0, bound(p, n))) for p in (1.0 - tail, tail))
        return ComponentBounds(low, high)

    def _noise(self, which: Coefficient) -> float:
        _, conditions, residual = self.components
        return residual if which == "Erho2" else conditions + residual

    def _erho2_bound(self, p: float, n: float) -> float:
        a = self.anova
        if a.ms_residual == 0:
            return 1.0
        single = (a.ms_columns / (a.ms_residual * fdtri(a.df_columns, a.df_residual, p)) - 1.0) / a.rows
        # A bound below zero counts as 0.
        return float(n * single / (1.0 + n * single)) if single > 0 else 0.0

    def _phi_bound(self, p: float, n: float) -> float:
        a, df = self.anova, self.anova.df_columns
        # Squares of mean squares may be no numbers; a power of two in them all changes no bit of their ratio.
        unit = 2.0 ** math.frexp(max(a.ms_rows, a.ms_columns, a.ms_residual))[1]
        rows, columns, residual = a.ms_rows / unit, a.ms_columns / unit, a.ms_residual / unit
        infinite = 2.0 * gammaincinv(df / 2.0, p) / df
        f_residual, f_rows = fdtri(df, a.df_residual, p), fdtri(df, a.df_rows, p)
        above = columns**2 - infinite * columns * residual + (infinite - f_residual) * f_residual * residual**2
        below = (a.columns - 1) * infinite * columns * residual + f_rows * columns * rows
        if below == 0:
            return 1.0
        share = a.columns * above / below
        if share <= 0:
            return 0.0
        phi = share / (share + a.rows)
        return float(n * phi / (1.0 + (n - 1.0) * phi))


def _difference(a: float, b: float) -> float:
    """a - b, and 0 where they differ by rounding alone."""
    return 0.0 if math.isclose(a, b, rel_tol=1e-12) else a - b


def conditions_within(single: ComponentBounds, target: float) -> ComponentBounds:
    """Fewest conditions for a coefficient of ``target``, from both ends of the coefficient of a single one."""

    def count(coefficient: float) -> float:
        if coefficient == 0 or math.isnan(coefficient):
            return math.inf if coefficient == 0 else math.nan
        return _round_up(target / (1.0 - target) * (1.0 - coefficient) / coefficient)

    return ComponentBounds(count(single.high), count(single.low))


def _round_up(conditions: float) -> float:
    """Round up, to at least 1; an integer that rounding lifted must not become the next one."""
    return float(max(1, math.ceil(conditions * (1.0 - 1e-12))))


def generalizability(table: Floats) -> Generalizability:
    """Variance components of [conditions, objects], complete and at least 2 x 2."""
    return Generalizability(two_way(table))


@dataclass(frozen=True)
class ResampledComponents:
    """Components of every resample, [resamples] each, and of the table itself; none is below zero.

    Args:
        objects: variance of the objects.
        conditions: of the conditions.
        residual: of the interaction.
        estimate: what was resampled.
        df: degrees of freedom of what was drawn least often, objects or conditions.
    """

    objects: Floats
    conditions: Floats
    residual: Floats
    estimate: Generalizability
    df: int

    def interval(self, which: Coefficient, n: float, level: float) -> ComponentBounds:
        """The interval of a coefficient of means over n conditions; NaN where nothing varies.

        log(var_o / noise) -+ t times its standard deviation over resamples. Its lower end is 0 where more resamples
        than fit into one tail have objects that do not vary.

        Args:
            which: coefficient.
            n: conditions of the mean.
            level: coverage, in (0, 1), two-sided.
        """
        tail = (1.0 - level) / 2.0
        noise = self.residual if which == "Erho2" else self.conditions + self.residual
        positive = (self.objects > 0) & (noise > 0)
        value = float(self.estimate.coefficient(which, 1.0))
        if not 0 < value < 1:
            return ComponentBounds(value, value)
        if positive.sum() < 2:
            return ComponentBounds(0.0, 1.0)
        half = float(stdtrit(self.df, 1.0 - tail) * np.log(self.objects[positive] / noise[positive]).std(ddof=1))
        centre = math.log(value / (1.0 - value) * n)
        low, high = (float(expit(centre + side * half)) for side in (-1.0, 1.0))
        return ComponentBounds(0.0 if (self.objects == 0).mean() > tail else low, high)


def resampled_components(
    table: Floats, resamples: int, rng: np.random.Generator, *, objects: bool
) -> ResampledComponents:
    """Resample the rows of [conditions, objects], and the columns too where ``objects`` are a sample of others.

    With n conditions and k objects, mean squares of a resample of both are expected to be

        MS_e (n - 1)(k - 1) / (n k),  (k - 1) / k (MS_o + (n - 1) / n MS_e),  (n - 1) / n (MS_c + (k - 1) / k MS_e),

    and of the conditions alone the same without the factors of k, and without MS_e in the last.

    Args:
        table: complete, at least 2 x 2.
        resamples: how many.
        rng: what draws.
        objects: whether objects are drawn too.

    References:
        Brennan, Harris & Hanson 1987, The bootstrap and other procedures for examining the variability of estimated
        variance components in testing contexts. ACT Research Report 87-7.
        Wiley 2001, Bootstrap strategies for variance component estimation: theoretical and empirical results.
    """
    n, k = table.shape
    condition_rng, object_rng = rng.spawn(2)
    columns = draw_columns(k, resamples, object_rng if objects else None)
    x = table - table.mean()
    squared, across = x**2, np.ascontiguousarray(x.T)
    column_means, (ss_rows, squares) = np.empty((resamples, k)), np.empty((2, resamples))
    for chunk, rows in _few_at_a_time(bootstrap_counts(n, resamples, condition_rng)):
        column_means[chunk], row_means = (
            product(rows, x) / n,
            product(columns[chunk], across) / k,
        )
        grand = (columns[chunk] * column_means[chunk]).sum(axis=1) / k
        ss_rows[chunk] = k * (rows * (row_means - grand[:, None]) ** 2).sum(axis=1)
        squares[chunk] = (product(rows, squared) * columns[chunk]).sum(axis=1)
    drawn = _ComponentResamples(columns, column_means, ss_rows, squares, objects)
    return _corrected(drawn, generalizability(table), float(np.abs(table).max()))


def draw_columns(k: int, resamples: int, rng: np.random.Generator | None) -> Floats:
    """Return how often each object is drawn, once each without a generator, [resamples, objects].

    Raises:
        InputError: these counts, the means beside them and their products do not fit.
    """
    require(4 * 8 * resamples * k, f"{resamples:,} resamples of {k:,} systems", "draw fewer, or leave out systems")
    if rng is None:
        return np.ones((resamples, k))
    return np.concatenate([block for _, block in bootstrap_counts(k, resamples, rng).blocks()])


def _few_at_a_time(samples: Samples) -> Iterator[tuple[slice, Floats]]:
    """``blocks`` cut so that working arrays stay small, where products have the same bits as of all: see ``ROWS``."""
    step = ROWS * max(1, CELLS // (ROWS * samples.n))
    for block_rows, block in samples.blocks():
        for begin in range(0, len(block), step):
            rows = block[begin : begin + step]
            yield slice(block_rows.start + begin, block_rows.start + begin + len(rows)), rows


def estimate_components(
    study: Generalizability, columns: Floats, sums: Floats, largest: float, *, objects: bool
) -> ResampledComponents:
    """The same from sums over the conditions of each resample, where these are too many to be held.

    Args:
        study: components of all values.
        columns: how often each object is drawn, [resamples, objects].
        sums: with x the values without their mean, sum x_j of each object and sum x_j x_l of each pair j <= l of
            objects, in the order of ``np.triu_indices``, [resamples, objects + pairs].
        largest: absolute value of the largest value.
        objects: whether objects are drawn.
    """
    n, k = study.anova.rows, study.anova.columns
    left, right = np.triu_indices(k)
    column_means, products = sums[:, :k] / n, sums[:, k:]
    grand = (columns * column_means).sum(axis=1) / k
    twice = np.where(left == right, 1.0, 2.0)
    row_squares = (products * twice * columns[:, left] * columns[:, right]).sum(axis=1)
    ss_rows = np.maximum(0.0, row_squares / k - n * k * grand**2)
    squares = (products[:, left == right] * columns).sum(axis=1)
    return _corrected(_ComponentResamples(columns, column_means, ss_rows, squares, objects), study, largest)


@dataclass(frozen=True)
class _ComponentResamples:
    """Resamples of values without their mean.

    Args:
        columns: how often each object was drawn, [resamples, objects].
        column_means: means of the objects, [resamples, objects].
        ss_rows: sum of squares of the conditions, [resamples].
        squares: sum of all squared values, [resamples].
        objects: whether objects were drawn.
    """

    columns: Floats
    column_means: Floats
    ss_rows: Floats
    squares: Floats
    objects: bool


def _corrected(drawn: _ComponentResamples, estimate: Generalizability, largest: float) -> ResampledComponents:
    """Components of all resamples, corrected for repeated draws."""
    n, k, columns, ss_rows = estimate.anova.rows, estimate.anova.columns, drawn.columns, drawn.ss_rows
    grand = (columns * drawn.column_means).sum(axis=1) / k
    ss_columns = n * (columns * (drawn.column_means - grand[:, None]) ** 2).sum(axis=1)
    total = drawn.squares - n * k * grand**2
    residual = np.maximum(0.0, total - ss_columns - ss_rows)
    row_factor, column_factor = (n - 1) / n, (k - 1) / k if drawn.objects else 1.0
    ms_e = residual / ((n - 1) * (k - 1)) / (row_factor * column_factor)
    ms_o = ss_columns / (k - 1) / column_factor - row_factor * ms_e
    ms_c = ss_rows / (n - 1) / row_factor - (column_factor * ms_e if drawn.objects else 0.0)
    floor = np.maximum((NOISE * largest) ** 2, NO_COMPONENT * drawn.squares / (n * k))
    objects, conditions, interaction = (
        np.where(value > floor, value, 0.0) for value in ((ms_o - ms_e) / n, (ms_c - ms_e) / k, ms_e)
    )
    return ResampledComponents(objects, conditions, interaction, estimate, (min(n, k) if drawn.objects else n) - 1)

"""Variance components of a matrix of measurements on resamples of its conditions, and of its objects if asked.

What is drawn twice is equal to itself, which makes components of resamples too small or too large by known factors:
they are taken back, so that the mean over resamples is the estimate itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, stdtrit

from cranfield.arrays import Floats
from cranfield.memory import require
from cranfield.statistics.generalizability import Bounds, Coefficient, Generalizability, generalizability
from cranfield.statistics.product import product
from cranfield.statistics.resampling import bootstrap_counts


@dataclass(frozen=True)
class ResampledComponents:
    """Components of every resample, [resamples] each, and of the table itself; none is below zero.

    Args:
        objects: variance of the objects.
        conditions: of the conditions.
        residual: of the interaction.
        whole: what was resampled.
        df: degrees of freedom of what was drawn least often, objects or conditions.
    """

    objects: Floats
    conditions: Floats
    residual: Floats
    whole: Generalizability
    df: int

    def interval(self, which: Coefficient, n: float, level: float) -> Bounds:
        """Of a coefficient of means over n conditions; NaN where nothing varies.

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
        value = float(self.whole.coefficient(which, 1.0))
        if not 0 < value < 1:
            return Bounds(value, value)
        if positive.sum() < 2:
            return Bounds(0.0, 1.0)
        half = float(stdtrit(self.df, 1.0 - tail) * np.log(self.objects[positive] / noise[positive]).std(ddof=1))
        centre = math.log(value / (1.0 - value) * n)
        low, high = (float(expit(centre + side * half)) for side in (-1.0, 1.0))
        return Bounds(0.0 if (self.objects == 0).mean() > tail else low, high)


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
    require(8 * 4 * resamples * (n + k), f"{resamples:,} resamples of {n:,} x {k:,} scores", "draw fewer")
    of_conditions, of_objects = rng.spawn(2)
    rows = np.concatenate([block for _, block in bootstrap_counts(n, resamples, of_conditions).blocks()])
    columns = np.ones((resamples, k))
    if objects:
        columns = np.concatenate([block for _, block in bootstrap_counts(k, resamples, of_objects).blocks()])
    x = table - table.mean()
    of_columns, of_rows = product(rows, x) / n, product(columns, np.ascontiguousarray(x.T)) / k
    grand = (columns * of_columns).sum(axis=1) / k
    ss_columns = n * (columns * (of_columns - grand[:, None]) ** 2).sum(axis=1)
    ss_rows = k * (rows * (of_rows - grand[:, None]) ** 2).sum(axis=1)
    total = (product(rows, x**2) * columns).sum(axis=1) - n * k * grand**2
    rest = np.maximum(0.0, total - ss_columns - ss_rows)
    kept_rows, kept_columns = (n - 1) / n, (k - 1) / k if objects else 1.0
    ms_e = rest / ((n - 1) * (k - 1)) / (kept_rows * kept_columns)
    ms_o = ss_columns / (k - 1) / kept_columns - kept_rows * ms_e
    ms_c = ss_rows / (n - 1) / kept_rows - (kept_columns * ms_e if objects else 0.0)
    floor = (1e-12 * np.abs(table).max()) ** 2
    of_o, of_c, of_e = (np.where(value > floor, value, 0.0) for value in ((ms_o - ms_e) / n, (ms_c - ms_e) / k, ms_e))
    return ResampledComponents(of_o, of_c, of_e, generalizability(table), (min(n, k) if objects else n) - 1)

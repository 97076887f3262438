"""How large differences are, in standard deviations that are named."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats
from cranfield.statistics.anova import Residual, residual_of
from cranfield.statistics.contrasts import Contrasts, noise
from cranfield.statistics.intervals import Interval
from cranfield.statistics.paired_tests import ratio
from cranfield.statistics.power import effect_interval


def effect_sizes(table: Floats, pairs: Contrasts, level: float) -> dict[str, Floats]:
    """Of each pair ``d_pair`` and ``d_residual`` with their intervals, left minus right, over the topics they share.

    - ``d_pair``: mean difference over the standard deviation of the pair's own differences. t = sqrt(n) d has n - 1
      degrees of freedom.
    - ``d_residual``: over the standard deviation of the residual of topics and systems, the same for all pairs. t =
      sqrt(n / 2) d has the residual's degrees of freedom.

    Intervals are of each pair by itself, from the noncentral t distribution. What cannot be computed is NaN; where the
    standard deviation is zero, d is 0 of equal means, else infinite.

    Args:
        table: [topics, systems], NaN where a score is missing.
        pairs: which to compare.
        level: coverage, in (0, 1).

    References:
        Cohen 1988, Statistical power analysis for the behavioral sciences, 2.3.5.
        Cumming & Finch 2001, A primer on the understanding, use, and calculation of confidence intervals that are
        based on central and noncentral distributions. doi:10.1177/0013164401614002
    """
    return effects_of(*_shared_moments(table, pairs), residual_of(table), level)


def effects_of(count: Floats, mean: Floats, deviation: Floats, residual: Residual, level: float) -> dict[str, Floats]:
    """The same from what is needed of the scores; see ``effect_sizes``.

    Args:
        count: topics that a pair shares, [pairs].
        mean: of its differences, [pairs].
        deviation: of its differences, [pairs].
        residual: of topics and systems.
        level: coverage, in (0, 1).
    """
    pairs = len(count)
    enough = count >= 2
    pair = np.where(enough, ratio(mean, deviation), np.nan)
    low, high = np.full((2, pairs), np.nan)
    for n in np.unique(count[enough]):
        some = count == n
        low[some], high[some] = effect_interval(np.sqrt(n) * pair[some], 1.0 / np.sqrt(n), n - 1.0, level)
    found = {"d_pair": pair, "d_pair_low": low, "d_pair_high": high}
    spread = np.full(pairs, np.sqrt(residual.mean_square))
    of_all, bounds = ratio(mean, spread), Interval(*np.full((2, pairs), np.nan))
    known = (count >= 1) & (residual.df >= 1)
    if known.any():
        n = count[known]
        inside = effect_interval(np.sqrt(n / 2.0) * of_all[known], np.sqrt(2.0 / n), residual.df, level)
        bounds.low[known], bounds.high[known] = inside
    of_all = np.where(known, of_all, np.nan)
    return found | {"d_residual": of_all, "d_residual_low": bounds.low, "d_residual_high": bounds.high}


def _shared_moments(table: Floats, pairs: Contrasts) -> tuple[Floats, Floats, Floats]:
    """Of each pair the number of topics that both have, and mean and standard deviation of the differences there."""
    known = ~np.isnan(table)
    filled = np.where(known, table, 0.0)
    of = noise(filled)
    facts = []
    for some in pairs.blocks(len(table)):
        both = known[:, some.left] & known[:, some.right]
        z = np.where(both, filled[:, some.left] - filled[:, some.right], 0.0)
        count = both.sum(axis=0).astype(np.float64)
        mean = z.sum(axis=0) / np.maximum(count, 1.0)
        deviation = np.sqrt((np.where(both, z - mean, 0.0) ** 2).sum(axis=0) / np.maximum(count - 1.0, 1.0))
        slack = np.maximum(of[some.left], of[some.right])
        deviation = np.where(deviation <= slack, 0.0, deviation)
        facts.append((count, np.where((deviation == 0) & (np.abs(mean) <= slack), 0.0, mean), deviation))
    count, mean, deviation = map(np.concatenate, zip(*facts, strict=True))
    return count, mean, deviation

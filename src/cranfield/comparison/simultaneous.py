"""Tests of all systems at once: Tukey's, the randomized one, and Dunnett's against one baseline."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield._typing import Floats
from cranfield.comparison.outcome import Outcome, Settings, agreeing, paired_outcome
from cranfield.statistics.contrasts import Contrasts, pair_noise
from cranfield.statistics.dunnett import dunnett_quantile, dunnett_survival
from cranfield.statistics.monte_carlo import most_hits
from cranfield.statistics.paired_tests import ratio
from cranfield.statistics.randomized_range import null_ranges, randomized_tukey
from cranfield.statistics.studentized_range import tukey_quantile, tukey_survival
from cranfield.statistics.two_way import two_way


def simultaneous_outcome(table: Floats, pairs: Contrasts, how: Settings) -> Outcome:
    """By the studentised range, by permutation within topics, or by the largest of many t with one control.

    Args:
        table: [topics, systems], without NaN: all of them are the family's, or share its residual variance.
        pairs: to be reported: any of all pairs by the Tukey tests, every system and one control by Dunnett's.
        how: of the test; its interval is simultaneous unless another one is asked for.
    """
    n, systems = table.shape
    slack = pair_noise(table, pairs)
    difference = np.concatenate([some.differences(table).mean(axis=0) for some in pairs.blocks(n)])
    difference = np.where(np.abs(difference) <= slack, 0.0, difference)
    anova = two_way(table)
    df = anova.df_residual
    if how.test == "randomized-tukey":
        ranges = null_ranges(table, how.resamples, how.rng(), how.each)
        statistic, p = np.abs(difference), randomized_tukey(table, ranges, pairs)
        most = most_hits(how.alpha, len(ranges), exact=False)
        half = (np.sort(ranges)[len(ranges) - 1 - most] if most >= 0 else np.inf) + slack
    elif how.test == "tukey":
        error = np.full(len(pairs), np.sqrt(anova.ms_residual / n))
        statistic = ratio(np.abs(difference), error)
        p = tukey_survival(statistic, systems, df)
        half = tukey_quantile(how.alpha, systems, df) * error
    else:
        error = np.full(len(pairs), np.sqrt(2.0 * anova.ms_residual / n))
        statistic = ratio(difference, error)
        p = dunnett_survival(np.abs(statistic), systems - 1, df)
        half = dunnett_quantile(how.alpha, systems - 1, df) * error
    alone = paired_outcome(table, pairs, replace(how, test="t"))
    interval = agreeing(difference, half, p < how.alpha) if how.interval is None else alone.interval
    return replace(alone, difference=difference, interval=interval, statistic=statistic, p=p, adjusted=p)

"""How alike the scores of an experiment and of its reproduction are: RMSE, effect ratio, relative improvement, t."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats
from cranfield.errors import InputError
from cranfield.statistics.paired_tests import moments, ratio, two_sided_t, within_margin


def nrmse(original: Floats, again: Floats) -> float:
    """sqrt(mean (M - M')^2) over the largest that it could be, sqrt(mean max(M, 1 - M)^2), of scores from 0 to 1.

    Args:
        original: of the original, [topics].
        again: of the reproduction, [topics].

    Raises:
        InputError: a score outside [0, 1].
    """
    outside = [score for score in (*original.tolist(), *again.tolist()) if not 0 <= score <= 1]
    if outside:
        raise InputError(f"nRMSE is defined for scores from 0 to 1, and one is {outside[0]:g}", code="score")
    if not len(original):
        return np.nan
    largest = np.maximum(original, 1 - original)
    return float(np.sqrt(((original - again) ** 2).mean() / (largest**2).mean()))


class Effects(NamedTuple):
    """Of an advanced run over its baseline, in the original and again; NaN where undefined."""

    ratio: float
    delta_ri: float


def effects(original: tuple[Floats, Floats], again: tuple[Floats, Floats]) -> Effects:
    """ER = mean(a' - b') / mean(a - b), and DeltaRI = RI - RI' with RI = (mean a - mean b) / mean b.

    Args:
        original: scores of the baseline b and of the advanced run a, [topics] each.
        again: those of their reproductions b' and a'; the topics may be others.

    Reference:
        Breuer et al. 2020, How to measure the reproducibility of system-oriented IR experiments.
        doi:10.1145/3397271.3401036

    >>> baseline = np.array([0.25, 0.5])
    >>> found = effects((baseline, baseline + 0.25), (baseline, baseline + 0.125))
    >>> found.ratio, round(found.delta_ri, 4)
    (0.5, 0.3333)
    """
    means = [[float(scores.mean()) if len(scores) else np.nan for scores in pair] for pair in (original, again)]
    (b, a), (b_again, a_again) = means
    effect, effect_again = _effect(*original), _effect(*again)
    improved = [
        (advanced - baseline) / baseline if baseline else np.nan for baseline, advanced in ((b, a), (b_again, a_again))
    ]
    return Effects(effect_again / effect if effect else np.nan, improved[0] - improved[1])


def _effect(baseline: Floats, advanced: Floats) -> float:
    return float((advanced - baseline).mean()) if len(baseline) else np.nan


class MeanDifference(NamedTuple):
    """Of two samples of scores, with its standard error and degrees of freedom; NaN below two topics."""

    mean: float
    error: float
    df: float

    @property
    def p(self) -> float:
        """Of the two-sided t-test; 1 where all differences are 0."""
        if np.isnan(self.error):
            return np.nan
        return float(two_sided_t(ratio(np.array([self.mean]), np.array([self.error])), np.array([self.df]))[0])

    def p_equivalent(self, margin: float) -> float:
        """Of two one-sided t-tests of the hypothesis that the means differ by the margin or more."""
        if np.isnan(self.error):
            return np.nan
        one = within_margin(np.array([self.mean]), np.array([self.error]), np.array([self.df]), margin)
        return float(one.p_equivalence[0])


UNKNOWN = MeanDifference(np.nan, np.nan, np.nan)


def paired_difference(original: Floats, again: Floats) -> MeanDifference:
    """Of scores on the same topics, [topics] each."""
    n = len(original)
    if n < 2:
        return UNKNOWN
    slack = np.array([1e-12 * max(np.abs(original).max(), np.abs(again).max())])
    mean, deviation = moments((original - again)[:, None], slack)
    return MeanDifference(float(mean[0]), float(deviation[0]) / np.sqrt(n), n - 1.0)


def unpaired_difference(original: Floats, again: Floats) -> MeanDifference:
    """Of scores on topics that may differ, as if both had one variance.

    Reference:
        Student 1908, The probable error of a mean. Biometrika 6.
    """
    n, m = len(original), len(again)
    if min(n, m) < 2:
        return UNKNOWN
    pooled = ((n - 1) * original.var(ddof=1) + (m - 1) * again.var(ddof=1)) / (n + m - 2)
    mean = float(original.mean() - again.mean())
    return MeanDifference(mean, float(np.sqrt(pooled * (1 / n + 1 / m))), n + m - 2.0)

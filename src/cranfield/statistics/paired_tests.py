"""Classical tests of many samples at once: t, Wilcoxon, sign and Welch, and tests against a margin.

Paired tests take differences z, [n, pairs]. ``slack`` is the size up to which a difference, or a spread of differences,
is rounding alone, [pairs]; see ``contrasts.pair_noise``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr, ndtr, stdtr, stdtrit

from cranfield._typing import Floats, Ints
from cranfield.statistics.concordance import mid_ranks
from cranfield.statistics.power import equivalence_power, one_sided_power
from cranfield.statistics.rounding import signs_p

EXACT = 50
"""Most differences without ties or zeros for which Wilcoxon's test is exact, as in SciPy."""
EXACT_TIED = 13
"""Most differences for which it is exact with ties and zeros too, by all sign flips, as in SciPy."""


class Tested(NamedTuple):
    """A statistic and its two-sided p, [pairs] each."""

    statistic: Floats
    p: Floats


class DifferenceMoments(NamedTuple):
    """Mean and standard deviation (n - 1) of differences, [pairs]; both exactly 0 where only rounding is left."""

    mean: Floats
    deviation: Floats


def moments(z: Floats, slack: Floats) -> DifferenceMoments:
    """Mean and standard deviation of differences, [n, pairs]; n >= 2."""
    return without_noise(z.mean(axis=0), z.std(axis=0, ddof=1), slack)


def weighted_moments(z: Floats, slack: Floats, weights: Floats | None) -> DifferenceMoments:
    """The weighted mean, and the root of the weighted mean square around it times n / (n - 1); [n, pairs], n >= 2."""
    if weights is None:
        return moments(z, slack)
    share, n = weights[:, None] / weights.sum(), len(z)
    mean = (share * z).sum(axis=0)
    return without_noise(mean, np.sqrt((share * (z - mean) ** 2).sum(axis=0) * (n / (n - 1.0))), slack)


def without_noise(mean: Floats, deviation: Floats, slack: Floats) -> DifferenceMoments:
    """The moments, with 0 for values that are rounding alone."""
    deviation = np.where(deviation <= slack, 0.0, deviation)
    return DifferenceMoments(np.where((deviation == 0) & (np.abs(mean) <= slack), 0.0, mean), deviation)


def paired_t(z: Floats, slack: Floats) -> Tested:
    """t = mean(z) / (sd(z) / sqrt(n)) on n - 1 degrees of freedom.

    Identical samples have t = 0 and p = 1; a constant difference has infinite t and the p of exact signs, 2^(1 - n).

    Reference:
        Student 1908, The probable error of a mean. Biometrika 6.
    """
    n = len(z)
    mean, deviation = moments(z, slack)
    return t_tested(mean, deviation / np.sqrt(n), np.full(len(mean), n - 1.0), signs_p(np.full(len(mean), n)))


def t_tested(mean: Floats, error: Floats, df: Floats, constant_p: Floats) -> Tested:
    """t = mean / error and its two-sided p; where the error is 0 and the mean is not, p of an exact test.

    Args:
        mean: of the differences, [pairs].
        error: its standard error, [pairs].
        df: degrees of freedom, [pairs].
        constant_p: one-sided p of the exact test, [pairs]; see ``statistics.rounding``.
    """
    statistic = ratio(mean, error)
    exact = np.minimum(1.0, 2.0 * constant_p)
    return Tested(statistic, np.where(np.isinf(statistic), exact, two_sided_t(statistic, df)))


def ratio(above: Floats, below: Floats) -> Floats:
    """above / below; 0 / 0 is 0, and anything else over 0 infinite."""
    infinite = np.where(above == 0, 0.0, np.copysign(np.inf, above))
    quotient: Floats = np.divide(above, below, out=infinite, where=below > 0)
    return quotient


def two_sided_t(statistic: Floats, df: Floats) -> Floats:
    """P(|T| >= |t|) of Student's distribution."""
    p: Floats = 2.0 * stdtr(df, -np.abs(statistic))
    return p


def sign_test(z: Floats, slack: Floats) -> Tested:
    """Wins minus losses, and p = min(1, 2 P(X <= fewer)) of a fair coin over both; ties are dropped.

    Reference:
        Dixon & Mood 1946, The statistical sign test. JASA 41.
    """
    return signs_tested((z > slack).sum(axis=0), (z < -slack).sum(axis=0))


def signs_tested(wins: Ints, losses: Ints) -> Tested:
    """The sign test from numbers of wins and losses, [pairs]; see ``sign_test``."""
    p = np.minimum(1.0, 2.0 * bdtr(np.minimum(wins, losses), wins + losses, 0.5))
    return Tested((wins - losses).astype(np.float64), p)


def least_sign_p(n: Ints) -> Floats:
    """The two-sided p of n signs that all agree, 2^(1 - n) and at most 1: the smallest that n signs can have."""
    return np.minimum(1.0, 2.0 * signs_p(n))


def wilcoxon(z: Floats, slack: Floats) -> Tested:
    """Wilcoxon's signed-rank test: T, the smaller of the sums of the ranks of |z| of either sign; zeros are left out.

    p is exact for at most 50 differences without ties and zeros, and for at most 13 with them; otherwise normal with
    the variance reduced for ties, and no continuity correction: SciPy's rules.

    Reference:
        Wilcoxon 1945, Individual comparisons by ranking methods. doi:10.2307/3001968
    """
    size = np.abs(z)
    # Equal differences that rounding parts would break a tie at random: ranks are of multiples of the slack.
    grain = np.where(slack > 0, slack, 1.0)
    size = np.where(slack > 0, np.round(size / grain), size)
    zero = size == 0
    ranks = mid_ranks(np.where(zero, np.inf, size).T).T
    ranks[zero] = 0.0
    count = (~zero).sum(axis=0)
    plus = (ranks * (z > 0)).sum(axis=0)
    minus = (ranks * (z < 0)).sum(axis=0)
    statistic = np.minimum(plus, minus)
    ordered = np.sort(np.where(zero, np.inf, size), axis=0)
    tied = ((ordered[1:] == ordered[:-1]) & np.isfinite(ordered[1:])).any(axis=0)
    spoiled = tied | zero.any(axis=0)
    p = _normal(plus, ranks, count)
    n = len(z)
    if n <= EXACT:
        p[~spoiled] = np.minimum(1.0, 2.0 * _rank_sums(n)[statistic[~spoiled].astype(np.int64)])
    if n <= EXACT_TIED:
        for pair in np.flatnonzero(spoiled):
            p[pair] = _all_flips(ranks[~zero[:, pair], pair], statistic[pair])
    p[count == 0] = 1.0
    return Tested(statistic, p)


def _normal(plus: Floats, ranks: Floats, count: Floats) -> Floats:
    """z = (T+ - n(n + 1) / 4) / sd; the variance with mid-ranks is a quarter of the sum of their squares."""
    deviation = np.sqrt((ranks**2).sum(axis=0)) / 2.0
    z = ratio(plus - count * (count + 1) / 4.0, deviation)
    p: Floats = 2.0 * ndtr(-np.abs(z))
    return p


@lru_cache(maxsize=8)
def _rank_sums(n: int) -> Floats:
    """P(T+ <= t) for t = 0..n(n + 1)/2."""
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        ways[rank:] = (ways[rank:] + ways[:-rank]) / 2.0
        ways[:rank] /= 2.0
    return np.cumsum(ways)


def _all_flips(ranks: Floats, statistic: float) -> float:
    """2 P(T+ <= t) over all signs of these mid-ranks, at most 1; sums of doubled ranks are whole numbers."""
    doubled = np.round(2.0 * ranks).astype(np.int64)
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled.tolist():
        moved = np.zeros_like(ways)
        moved[rank:] = ways[: len(ways) - rank]
        ways = (ways + moved) / 2.0
    return float(min(1.0, 2.0 * ways[: round(2.0 * statistic) + 1].sum()))


class Unpaired(NamedTuple):
    """The difference of two columns measured on rows of their own, [pairs] each."""

    difference: Floats
    error: Floats
    """Standard error of the difference."""
    df: Floats
    """Welch's degrees of freedom."""
    effect: Floats
    """Difference over the root mean of the two variances."""


def welch(mean: tuple[Floats, Floats], variance: tuple[Floats, Floats], count: tuple[Floats, Floats]) -> Unpaired:
    """Welch's difference of means with unequal variances.

    t = (m1 - m2) / sqrt(v1 / n1 + v2 / n2); df = (v1 / n1 + v2 / n2)^2 / (v1^2 / (n1^2 (n1 - 1)) + v2^2 / ...).
    With both variances zero, df is n1 + n2 - 2.

    Args:
        mean: of the left and of the right column, [pairs] each.
        variance: with n - 1, likewise.
        count: of values, at least 2, likewise.

    Reference:
        Welch 1947, The generalization of 'Student's' problem when several different population variances are
        involved. Biometrika 34.
    """
    first, second = variance[0] / count[0], variance[1] / count[1]
    below = first**2 / (count[0] - 1) + second**2 / (count[1] - 1)
    df = np.divide((first + second) ** 2, below, out=count[0] + count[1] - 2.0, where=below > 0)
    difference = mean[0] - mean[1]
    effect = ratio(difference, np.sqrt((variance[0] + variance[1]) / 2.0))
    return Unpaired(difference, np.sqrt(first + second), df, effect)


class WithinMargin(NamedTuple):
    """Two one-sided tests of each difference, [pairs] each.

    ``p_lower`` is of the hypothesis difference <= -margin: small where the first system is no worse than that.
    ``p_upper`` is of difference >= margin. Both reject where the systems are equivalent.
    """

    t_lower: Floats
    p_lower: Floats
    t_upper: Floats
    p_upper: Floats

    @property
    def p_equivalence(self) -> Floats:
        """The larger of both."""
        return np.maximum(self.p_lower, self.p_upper)


def within_margin(difference: Floats, error: Floats, df: Floats, margin: float) -> WithinMargin:
    """t_lower = (difference + margin) / error, p_lower = P(T >= t_lower); t_upper = (difference - margin) / error.

    Equivalence at alpha is the 1 - 2 alpha interval inside (-margin, margin). Where the error is zero the difference
    decides: p is 0 or 1, and .5 on the margin itself.

    Args:
        difference: means, larger being better, [pairs].
        error: their standard errors, [pairs].
        df: degrees of freedom, [pairs].
        margin: above 0, chosen before looking.

    Reference:
        Schuirmann 1987, A comparison of the two one-sided tests procedure and the power approach for assessing the
        equivalence of average bioavailability. doi:10.1007/BF01068419
    """
    lower, upper = ratio(difference + margin, error), ratio(difference - margin, error)
    return WithinMargin(lower, stdtr(df, -lower), upper, stdtr(df, upper))


class MarginPower(NamedTuple):
    """Probability of finding systems that are equal to be so, [pairs] each."""

    noninferiority: Floats
    equivalence: Floats


def margin_power(error: Floats, df: Floats, margin: float, alpha: float) -> MarginPower:
    """The power of these tests if there were no difference at all, with errors of this size.

    Args:
        error: standard errors of the differences, [pairs].
        df: degrees of freedom, [pairs].
        margin: above 0.
        alpha: level of the test, in (0, 1).
    """
    return MarginPower(*(_power(by, error, df, margin, alpha) for by in (one_sided_power, equivalence_power)))


def noninferiority_power(error: Floats, df: Floats, margin: float, alpha: float) -> Floats:
    """The first value of ``margin_power``, without the integral that equivalence needs, [pairs]."""
    return _power(one_sided_power, error, df, margin, alpha)


def _power(
    by: Callable[[Floats, float, float], Floats], error: Floats, df: Floats, margin: float, alpha: float
) -> Floats:
    power = np.ones(len(error))
    shift = margin / np.where(error > 0, error, 1.0)
    for freedom in np.unique(df):
        rows = (df == freedom) & (error > 0)
        power[rows] = by(shift[rows], float(freedom), -float(stdtrit(freedom, alpha)))
    return power

"""Power of tests: the noncentral t, the rows that a test needs for a difference, and the difference it can find.

T = (Z + shift) / s with Z normal and s = sqrt(chi2_df / df), so P(T <= t) = E Phi(t s - shift): a sum over the even
steps of ``simultaneous.deviations``, which needs no continued fractions and holds in the tails.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln, ndtr, ndtri, stdtrit

from cranfield._typing import Floats, Ints
from cranfield.errors import UsageError
from cranfield.statistics.intervals import PairIntervals
from cranfield.statistics.numeric import CELLS
from cranfield.statistics.simultaneous import deviations

KNOTS = 513
"""Knots of a spline through the bounds of many t with the same degrees of freedom."""
STEP, FINEST = 0.25, 64
"""Longest step in standard deviations, and the largest factor by which steps are shortened."""
POWER = 0.8
"""The usual power: below it, not having found a difference says little."""
STEPS = 100
"""Most steps; Newton's method takes about six."""
FARTHEST = 13.0
"""No bound is further from 0 than this multiple of t, plus this: deviations are never wrong by so large a factor."""
LARGEST = 10_000_000
"""Upper limit of an answer: no test collection has as many topics."""


def effect_interval(t: Floats, unit: Floats | float, df: float, level: float) -> PairIntervals:
    """Interval of a standardized difference: the shifts under which t is not extreme, in units of d.

    The bounds are the shifts with P(T >= t) = (1 - level) / 2 and P(T <= t) = (1 - level) / 2. An infinite t, of a
    difference that does not vary, is its own interval.

    Args:
        t: statistics, [pairs].
        unit: d of one t: sqrt(1 / n) for the differences of n pairs, sqrt(2 / n) for those of two means of n values.
        df: degrees of freedom, at least 1.
        level: coverage, in (0, 1).

    Reference:
        Cumming & Finch 2001, A primer on the understanding, use, and calculation of confidence intervals that are
        based on central and noncentral distributions. doi:10.1177/0013164401614002
    """
    tail = (1.0 - level) / 2.0
    low = np.where(np.isinf(t), t, find_shift(t, df, 1.0 - tail))
    high = np.where(np.isinf(t), t, find_shift(t, df, tail))
    return PairIntervals(low * unit, high * unit)


def find_shift(t: Floats, df: float, p: float) -> Floats:
    """The shift with P(T <= t) = p, [pairs]; anything for an infinite t."""
    finite = np.where(np.isfinite(t), t, 0.0)
    if len(t) <= KNOTS:
        return _solved(finite, df, p)
    from scipy.interpolate import CubicSpline

    # Even steps of asinh(t): close to each other where the bounds bend.
    positions = np.arcsinh(finite)
    knots = np.linspace(positions.min(), positions.max() + 1e-9, KNOTS)
    shift: Floats = CubicSpline(knots, _solved(np.sinh(knots), df, p))(positions)
    return shift


def _solved(t: Floats, df: float, p: float) -> Floats:
    """Newton's method on Phi^-1 of the probability, all but a straight line in the shift; halving where that strays."""
    aim = float(ndtri(p))
    low, high = np.minimum(0.0, FARTHEST * t) - FARTHEST, np.maximum(0.0, FARTHEST * t) + FARTHEST
    shift: Floats = t - aim * np.sqrt(1.0 + t * t / (2.0 * df))
    finer = _finer(t, df)
    for _ in range(STEPS):
        score, slope = _probit(t, shift, df, finer)
        low, high = np.where(score > aim, shift, low), np.where(score > aim, high, shift)
        with np.errstate(all="ignore"):
            there = shift - (score - aim) / slope
        slack = 1e-9 * (1.0 + np.abs(shift))
        inside = np.isfinite(there) & (there > low - slack) & (there < high + slack)
        step = np.where(inside, there, (low + high) / 2.0) - shift
        shift = shift + np.where(score == aim, 0.0, step)
        if np.all(np.abs(step) <= 1e-12 * (1.0 + np.abs(shift))):
            break
    return shift


def _probit(t: Floats, shift: Floats, df: float, finer: Ints) -> tuple[Floats, Floats]:
    """Phi^-1 of P(T <= t), and its slope in the shift."""
    score, slope = np.empty(len(t)), np.empty(len(t))
    for factor in np.unique(finer):
        s, weight = deviations(df, int(factor))
        alike = np.flatnonzero(finer == factor)
        for start in range(0, len(alike), size := max(1, CELLS // 2 // len(s))):
            block = alike[start : start + size]
            x = t[block, None] * s - shift[block, None]
            below, density = ndtr(x) @ weight, np.exp(-x * x / 2.0) @ weight
            score[block] = ndtri(below)
            if (upper := ~(below < 0.5)).any():
                score[block[upper]] = -ndtri((ndtr(-x) @ weight)[upper])
            with np.errstate(all="ignore"):
                slope[block] = -density / np.exp(-(score[block] ** 2) / 2.0)
    return score, slope


def _finer(t: Floats, df: float) -> Ints:
    """The factor, a power of two, by which steps are shortened so that t s moves by a fraction of a deviation."""
    s, _ = deviations(df)
    step = np.abs(t) * np.log(s[1] / s[0])
    factor: Ints = 2 ** np.ceil(np.log2(np.clip(step / STEP, 1.0, FINEST))).astype(np.int64)
    return factor


def one_sided_power(shift: Floats, df: float, critical: float) -> Floats:
    """P(T > critical), [pairs]."""
    s, weight = deviations(df, int(_finer(np.array([critical]), df)[0]))
    power: Floats = ndtr(np.asarray(shift)[:, None] - critical * s) @ weight
    return power


def two_sided_power(shift: float, df: float, critical: float) -> float:
    """P(|T| > critical)."""
    return float(one_sided_power(np.array([shift, -shift]), df, critical).sum())


def equivalence_power(shift: Floats, df: float, critical: float) -> Floats:
    """P of two one-sided t-tests at once, both margins ``shift`` standard errors from the true difference.

    E max(0, 2 Phi(shift - critical s) - 1), [pairs].
    """
    s, weight = deviations(df, FINEST)
    power: Floats = np.maximum(0.0, 2.0 * ndtr(np.asarray(shift)[:, None] - critical * s) - 1.0) @ weight
    return power


def t_power(n: int, difference: float, deviation: float, alpha: float = 0.05) -> float:
    """Probability that the paired t-test at alpha, two-sided, finds a true mean difference.

    P(|T'| > t) with T' noncentral t on n - 1 degrees of freedom, lambda = sqrt(n) difference / deviation.

    Args:
        n: pairs of values, at least 2.
        difference: true mean difference.
        deviation: standard deviation of the differences, positive.
        alpha: level of the test.
    """
    return two_sided_power(np.sqrt(n) * abs(difference) / deviation, n - 1.0, float(-stdtrit(n - 1.0, alpha / 2.0)))


def anova_power(n: int, systems: int, span: float, deviation: float, alpha: float = 0.05) -> float:
    """Probability that one-way ANOVA at alpha finds that the best of some systems exceeds the worst by ``span``.

    P(F' > f) with F' noncentral F on (m - 1, m (n - 1)), lambda = n span^2 / (2 deviation^2): the smallest lambda among
    all means with that span, the other systems lying half way.

    Args:
        n: values of each system, at least 2.
        systems: m, at least 2.
        span: largest less smallest true mean.
        deviation: standard deviation of a system's values, positive.
        alpha: level of the test.

    Reference:
        Sakai 2016, Topic set size design. doi:10.1007/s10791-015-9273-z
    """
    first, second = systems - 1, systems * (n - 1)
    from scipy.stats import f, ncf

    critical = f.isf(alpha, first, second)
    return float(ncf.sf(critical, first, second, n * span**2 / (2.0 * deviation**2)))


def interval_width(n: int, deviation: float, alpha: float = 0.05) -> float:
    """Expected full width of the 1 - alpha interval of a mean of n values.

    2 t deviation / sqrt(n) * c, with c = sqrt(2 / (n - 1)) Gamma(n / 2) / Gamma((n - 1) / 2) the expectation of the
    estimated over the true deviation.

    Reference:
        Sakai 2016, Topic set size design. doi:10.1007/s10791-015-9273-z
    """
    shrink = np.exp(gammaln(n / 2.0) - gammaln((n - 1) / 2.0)) * np.sqrt(2.0 / (n - 1))
    return float(-2.0 * stdtrit(n - 1, alpha / 2.0) * deviation / np.sqrt(n) * shrink)


def smallest(enough: Callable[[int], bool]) -> int:
    """The smallest n >= 2 that is enough, where more is enough too.

    Raises:
        UsageError: ten million are not enough.
    """
    high = 2
    while not enough(high):
        high *= 2
        if high > LARGEST:
            raise UsageError(f"more than {LARGEST:,} topics would be needed: ask for a larger difference")
    low = max(1, high // 2)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def smallest_effect(power: Callable[[float], float], wanted: float) -> float:
    """The smallest difference that a test finds with probability ``wanted``, its power growing with it."""
    from scipy.optimize import brentq

    high = 1.0
    while power(high) < wanted:
        high *= 2.0
    low = high
    while power(low) > wanted and low > 1e-12:
        low /= 2.0
    if low == high:
        return high
    return float(brentq(lambda difference: power(difference) - wanted, low, high, xtol=1e-12, rtol=1e-10))

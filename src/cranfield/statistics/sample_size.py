"""How many rows a test needs for a difference, and what difference so many rows can find."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln, stdtrit

from cranfield.errors import UsageError
from cranfield.statistics.noncentral import two_sided_power

LARGEST = 10_000_000
"""Upper limit of an answer: no test collection has so many topics."""


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

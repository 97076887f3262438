"""No worse than, and as good as: one-sided t-tests of a mean difference against a margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from cranfield._typing import Floats
from cranfield.statistics.noncentral import equivalence_power, one_sided_power
from cranfield.statistics.paired_tests import ratio


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
    """What these tests would have found if there were no difference at all, with errors as large as these.

    Args:
        error: standard errors of the differences, [pairs].
        df: degrees of freedom, [pairs].
        margin: above 0.
        alpha: level of the test, in (0, 1).
    """
    return MarginPower(*(_power(by, error, df, margin, alpha) for by in (one_sided_power, equivalence_power)))


def noninferiority_power(error: Floats, df: Floats, margin: float, alpha: float) -> Floats:
    """The first of ``margin_power`` alone, without the integral that equivalence needs, [pairs]."""
    return _power(one_sided_power, error, df, margin, alpha)


def _power(
    by: Callable[[Floats, float, float], Floats], error: Floats, df: Floats, margin: float, alpha: float
) -> Floats:
    power = np.ones(len(error))
    shift = margin / np.where(error > 0, error, 1.0)
    for freedom in np.unique(df):
        some = (df == freedom) & (error > 0)
        power[some] = by(shift[some], float(freedom), -float(stdtrit(freedom, alpha)))
    return power

"""Similarity of an experiment and its reproduction: scores (nRMSE, effect ratio, relative improvement, t) and lists."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats
from cranfield._validation import check_integer, share
from cranfield.errors import InputError
from cranfield.statistics.paired_tests import moments, t_tested, within_margin
from cranfield.statistics.rank_correlation import tau_a
from cranfield.statistics.rounding import NOISE, cleared, exchange_p, signs_p


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
    """Effects of an advanced run over its baseline, original against reproduction; NaN where undefined."""

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
    """The difference of two means, with its standard error and degrees of freedom; NaN below two topics."""

    mean: float
    error: float
    df: float
    constant_p: float = np.nan
    """One-sided p of an exact test, where the differences do not vary; see ``statistics.rounding``."""

    @property
    def p(self) -> float:
        """p of the two-sided t-test; 1 where all differences are 0, of an exact test where they are equal."""
        if np.isnan(self.error):
            return np.nan
        numbers = (np.array([number]) for number in (self.mean, self.error, self.df, self.constant_p))
        return float(t_tested(*numbers).p[0])

    def p_equivalent(self, margin: float) -> float:
        """p of two one-sided t-tests of the hypothesis that the means differ by the margin or more."""
        if np.isnan(self.error):
            return np.nan
        if self.error == 0 and self.mean != 0:
            return self.constant_p if abs(self.mean) < margin * (1.0 - NOISE) else 1.0
        tested = within_margin(np.array([self.mean]), np.array([self.error]), np.array([self.df]), margin)
        return float(tested.p_equivalence[0])


UNKNOWN = MeanDifference(np.nan, np.nan, np.nan)


def paired_difference(original: Floats, again: Floats) -> MeanDifference:
    """The mean difference of scores on the same topics, [topics] each."""
    n = len(original)
    if n < 2:
        return UNKNOWN
    slack = np.array([NOISE * _largest(original, again)])
    mean, deviation = moments((original - again)[:, None], slack)
    return MeanDifference(float(mean[0]), float(deviation[0]) / np.sqrt(n), n - 1.0, float(signs_p(np.array(n))))


def unpaired_difference(original: Floats, again: Floats) -> MeanDifference:
    """The mean difference of scores on topics that may differ, with one pooled variance.

    Reference:
        Student 1908, The probable error of a mean. Biometrika 6.
    """
    n, m = len(original), len(again)
    if min(n, m) < 2:
        return UNKNOWN
    pooled = ((n - 1) * original.var(ddof=1) + (m - 1) * again.var(ddof=1)) / (n + m - 2)
    largest = _largest(original, again)
    mean, deviation = (
        float(cleared(np.array(value), largest)) for value in (original.mean() - again.mean(), np.sqrt(pooled))
    )
    exact = float(exchange_p(np.array(n), np.array(m)))
    return MeanDifference(mean, deviation * float(np.sqrt(1 / n + 1 / m)), n + m - 2.0, exact)


def _largest(original: Floats, again: Floats) -> float:
    return float(max(np.abs(original).max(), np.abs(again).max()))


class ListAgreement(NamedTuple):
    """Agreement of a list with the list it is to reproduce; NaN where undefined."""

    ktu: float
    rbo: float
    overlap: float


def list_agreement(
    original: Sequence[Hashable], again: Sequence[Hashable], depth: int = 1000, p: float = 0.8
) -> ListAgreement:
    """Kendall's tau union, rank-biased overlap and the overlap of the first ``depth`` items of two lists.

    - **KTU**: both lists are cut to one length. The original's items are 1, 2, ... in its order; those of the other
      list alone get the next numbers in its order. KTU is Kendall's tau between the rank of an item in the other list
      and its number; undefined below two items. It is not symmetric, and is 1 for a list without any common item: look
      at the overlap beside it.
    - **RBO**: sum_d p^(d-1) A_d / sum_d p^(d-1) over d = 1..k, A_d the number of items that the first d ranks of both
      lists share over d, k the length of the longer list, at most ``depth``. It is 1 for equal lists; other readings
      extrapolate (see ``indefinite_rankings``).
    - **overlap**: the share of the original's first ``depth`` items that the other list has among its own.

    Args:
        original: different items, best first.
        again: the same.
        depth: items of either list that are looked at, at least 1.
        p: persistence of RBO, in (0, 1).

    Raises:
        UsageError: a depth below 1, or a p outside (0, 1).

    References:
        Breuer et al. 2020, How to measure the reproducibility of system-oriented IR experiments.
        doi:10.1145/3397271.3401036
        Webber, Moffat & Zobel 2010, A similarity measure for indefinite rankings. doi:10.1145/1852102.1852106

    >>> found = list_agreement(["d1", "d2", "d3"], ["d2", "d5", "d3"])
    >>> round(found.ktu, 4), round(found.rbo, 4), round(found.overlap, 4)
    (0.3333, 0.3388, 0.6667)
    """
    check_integer(1, depth=depth)
    share(p=p)
    first, second = list(original[:depth]), list(again[:depth])
    common = set(first) & set(second)
    overlap = len(common) / len(first) if first else np.nan
    return ListAgreement(_tau_union(first, second), _truncated_rbo(first, second, p), overlap)


def _tau_union(first: list[Hashable], second: list[Hashable]) -> float:
    length = min(len(first), len(second))
    if length < 2:
        return np.nan
    number = {item: rank for rank, item in enumerate(first[:length])}
    for item in second[:length]:
        number.setdefault(item, len(number))
    return float(tau_a([number[item] for item in second[:length]], np.arange(length)))


def _truncated_rbo(first: list[Hashable], second: list[Hashable], p: float) -> float:
    length = max(len(first), len(second))
    if not length:
        return np.nan
    depth = np.arange(1, length + 1)
    rank_in_first = {item: rank for rank, item in enumerate(first, 1)}
    # An item is common to both from the deeper of its ranks on.
    deeper = [max(rank_in_first[item], rank) for rank, item in enumerate(second, 1) if item in rank_in_first]
    shared = np.bincount(np.array(deeper, dtype=np.int64), minlength=length + 1)[1:].cumsum()
    weight = p ** (depth - 1.0)
    # Summed alike above and below, so that equal lists have exactly 1.
    return float((weight * (shared / depth)).sum() / weight.sum())

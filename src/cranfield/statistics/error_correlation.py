"""Correlation of judges' errors, and the number of independent judges that a panel is worth.

Shapes: N documents, m judges, G topics. Errors are [N, m]; ``topic`` and ``group`` are [N], numbers from 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from cranfield._typing import Floats, Ints


class ValueInterval(NamedTuple):
    """A value with the ends of its interval, which are NaN where there is none."""

    value: float
    low: float
    high: float


class EffectiveJudges(NamedTuple):
    """The worth of a panel of judges.

    Args:
        rho: the mean correlation of two judges' errors.
        n_eff: m / (1 + (m - 1) rho), the number of independent judges.
        participation: m^2 / sum of R_ij^2, the number of directions that errors have.
        n_variance: m tr(S) / sum of S_ij, the judges of mean variance that the panel's mean is worth.
    """

    rho: ValueInterval
    n_eff: ValueInterval
    participation: ValueInterval
    n_variance: float


class ErrorMoments(NamedTuple):
    """Sums of errors by topic and group: covariances with and without a topic follow from them.

    Args:
        counts: documents, [G, groups].
        left, right: sums of the errors by the first and by the second reference, [G, groups, m].
        products: sums of products of two judges' errors, symmetric, [G, groups, m, m].
    """

    counts: Floats
    left: Floats
    right: Floats
    products: Floats

    @classmethod
    def from_errors(cls, errors: Floats, topic: Ints, group: Ints, second: Floats | None = None) -> ErrorMoments:
        """Sum errors, by topic and by the group within which they will be centred.

        Args:
            errors: of each judge, [N, m].
            topic: of each document.
            group: of each document; zeros where errors are centred on one mean.
            second: errors by a second reference; the same as ``errors`` where there is one reference.
        """
        other = errors if second is None else second
        shape = int(topic.max()) + 1, int(group.max()) + 1
        judges = errors.shape[1]
        counts = np.zeros(shape)
        left, right = np.zeros((*shape, judges)), np.zeros((*shape, judges))
        products = np.zeros((*shape, judges, judges))
        cells = topic * shape[1] + group
        order = np.argsort(cells, kind="stable")
        for rows in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1):
            cell = int(topic[rows[0]]), int(group[rows[0]])
            counts[cell] = len(rows)
            left[cell], right[cell] = errors[rows].sum(axis=0), other[rows].sum(axis=0)
            product = errors[rows].T @ other[rows]
            products[cell] = (product + product.T) / 2.0
        return cls(counts, left, right, products)

    def covariance(self) -> Floats:
        """S over all documents, centred within groups, divisor N, [m, m]."""
        return np.asarray(self._centred(*(part.sum(axis=0, keepdims=True) for part in self))[0])

    def covariances_without(self) -> Floats:
        """S without each topic in turn, [G, m, m]."""
        return self._centred(*(part.sum(axis=0) - part for part in self))

    @staticmethod
    def _centred(counts: Floats, left: Floats, right: Floats, products: Floats) -> Floats:
        cross = left[:, :, :, None] * right[:, :, None, :]
        cross = (cross + cross.transpose(0, 1, 3, 2)) / 2.0
        with np.errstate(divide="ignore", invalid="ignore"):
            centred = products - np.where(counts > 0, 1.0 / counts, 0.0)[:, :, None, None] * cross
            scatter: Floats = centred.sum(axis=1) / counts.sum(axis=1)[:, None, None]
        # A variance that is rounding is none: constant errors have no correlation.
        size = products.sum(axis=1) / np.maximum(counts.sum(axis=1), 1.0)[:, None, None]
        small = np.einsum("tii->ti", scatter) <= 1e-12 * np.einsum("tii->ti", np.abs(size))
        judge = np.arange(scatter.shape[1])
        scatter[:, judge, judge] = np.where(small, 0.0, scatter[:, judge, judge])
        return scatter


def correlations(covariance: Floats) -> Floats:
    """R of each S, [..., m, m]; NaN for a judge without variance."""
    variance = np.einsum("...ii->...i", covariance)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.where(variance > 0, np.sqrt(np.abs(variance)), np.nan)
        return np.asarray(covariance / (deviation[..., :, None] * deviation[..., None, :]))


def mean_correlation(matrix: Floats) -> Floats:
    """The mean of the correlations of two judges, for each R, [...]; NaN with one judge."""
    judges = matrix.shape[-1]
    if judges < 2:
        return np.full(matrix.shape[:-2], np.nan)
    pairs = np.triu_indices(judges, 1)
    return np.asarray(matrix[..., pairs[0], pairs[1]].mean(axis=-1))


def effective_number(judges: int, rho: float) -> float:
    """Kish's m / (1 + (m - 1) rho); 1 for one judge, and NaN where the denominator is not above 0.

    References:
        Kish 1965, Survey Sampling (the design effect).

    >>> effective_number(9, 0.4375)
    2.0
    """
    if judges == 1:
        return 1.0
    denominator = 1.0 + (judges - 1) * rho
    return judges / denominator if denominator > 0 else float("nan")


def participation_number(matrix: Floats) -> Floats:
    """m^2 / sum of R_ij^2, for each R, [...]: the squared sum of eigenvalues over the sum of their squares."""
    return np.asarray(matrix.shape[-1] ** 2 / (matrix**2).sum(axis=(-2, -1)))


def estimate_effective_judges(moments: ErrorMoments, level: float = 0.95) -> EffectiveJudges:
    """Estimate the number of independent judges, with intervals from a jackknife over topics.

    rho's interval is made on z = artanh(rho): se^2 = (G - 1)/G sum over topics q of (z_(q) - mean)^2, z +- t_{G-1} se;
    the ends of n_eff are those of rho; the interval of the participation number is made on its logarithm.

    Args:
        moments: of the errors; judges without errors are to be left out before.
        level: of the intervals, in (0, 1).
    """
    scatter = moments.covariance()
    judges = len(scatter)
    matrix, without = correlations(scatter), correlations(moments.covariances_without())
    edge = 1.0 - 1e-15
    rho = float(mean_correlation(matrix))
    z = np.arctanh(np.clip(mean_correlation(without), -edge, edge))
    low, high = np.tanh(jackknife_interval(float(np.arctanh(np.clip(rho, -edge, edge))), z, level))
    # Where rho is 1 to a rounding, its transformation is cut off below it.
    low, high = np.minimum(low, rho), np.maximum(high, rho)
    number = [effective_number(judges, float(value)) for value in (rho, high, low)]
    participation = float(participation_number(matrix))
    reach = np.exp(jackknife_interval(np.log(participation), np.log(participation_number(without)), level))
    total = float(scatter.sum())
    variance = judges * float(np.trace(scatter)) / total if total > 0 else float("nan")
    return EffectiveJudges(
        ValueInterval(rho, float(low), float(high)),
        ValueInterval(*number),
        ValueInterval(participation, float(reach[0]), float(reach[1])),
        variance,
    )


def jackknife_interval(value: float, without: Floats, level: float) -> Floats:
    """value +- t_{G-1} se from the values without each of G topics; NaN with one topic."""
    topics = len(without)
    if topics < 2:
        return np.full(2, np.nan)
    error = np.sqrt((topics - 1) / topics * ((without - without.mean()) ** 2).sum())
    return np.asarray(value + np.array([-1.0, 1.0]) * stdtrit(topics - 1, (1.0 + level) / 2.0) * error)


def ratio_over_topics(sums: Floats, counts: Floats, level: float) -> ValueInterval:
    """A mean over documents whose unit is the topic: p = sum y_q / sum n_q, p +- t_{G-1} se.

    se^2 = G/(G - 1) sum of (y_q - p n_q)^2 / (sum n_q)^2. Ends are not clipped.

    Args:
        sums: y, the sum over the documents of each topic, [G].
        counts: n, the documents of each topic, [G]; topics without any are left out.
        level: of the interval.
    """
    sums, counts = sums[counts > 0], counts[counts > 0]
    topics = len(counts)
    if not topics:
        return ValueInterval(*[float("nan")] * 3)
    total = counts.sum()
    ratio = float(sums.sum() / total)
    if topics < 2:
        return ValueInterval(ratio, float("nan"), float("nan"))
    error = np.sqrt(topics / (topics - 1) * ((sums - ratio * counts) ** 2).sum()) / total
    reach = float(stdtrit(topics - 1, (1.0 + level) / 2.0) * error)
    return ValueInterval(ratio, ratio - reach, ratio + reach)

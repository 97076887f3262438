"""Tests of mean ranks: Friedman's, Iman and Davenport's, Nemenyi's, and Cochran's Q of yes/no values.

Rows are topics or tasks, columns systems. In each row systems are ranked, 1 for the largest value; equal ones share the
mean of their ranks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc, gammaln

from cranfield._typing import Floats, Ints
from cranfield.statistics.concordance import mid_ranks
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.rounding import NOISE, equalize
from cranfield.statistics.simultaneous import tukey_quantile, tukey_survival

ALIKE = 1e-9
"""Share of the largest chi-square that rounding may take."""


@dataclass(frozen=True)
class Omnibus:
    """A test of the hypothesis that all systems are equal."""

    name: str
    statistic: float
    df: float
    df_error: float
    """Degrees of freedom below the line of an F-test; NaN of a chi-square test."""
    p: float


def rank_rows(values: Floats) -> Floats:
    """The rank of each system in each row, 1 for the largest value, [rows, systems]; rounding does not part equals."""
    ordered = np.sort(values, axis=1)
    step = np.diff(ordered, axis=1)
    near = ((step > 0) & (step <= NOISE * np.abs(values).max(axis=1, keepdims=True))).any(axis=1)
    if near.any():
        values = values.copy()
        values[near] = np.apply_along_axis(equalize, 1, values[near])
    return mid_ranks(-values)


@dataclass(frozen=True)
class MeanRanks:
    """Mean ranks of systems over rows.

    Args:
        ranks: of each row, [rows, systems]; see ``rank_rows``.
    """

    ranks: Floats

    @classmethod
    def of(cls, values: Floats) -> MeanRanks:
        """Rank values of which larger are better, complete, [rows, systems]."""
        return cls(rank_rows(values))

    @property
    def means(self) -> Floats:
        """The mean rank of each system, [systems]."""
        means: Floats = self.ranks.mean(axis=0)
        return means

    def friedman(self) -> Omnibus:
        """chi2 = 12 n sum (R_j - (k + 1) / 2)^2 / (k (k + 1)), over 1 minus the share of ties, on k - 1 df.

        Ties are sum (t^3 - t) / (n (k^3 - k)). Where all systems are equal in every row, chi2 is 0 and p 1.

        Reference:
            Friedman 1937, The use of ranks to avoid the assumption of normality implicit in the analysis of variance.
            doi:10.1080/01621459.1937.10503522
        """
        n, k = self.ranks.shape
        spread = ((self.ranks - (k + 1) / 2.0) ** 2).sum() / (n * (k - 1))
        between = float(((self.means - (k + 1) / 2.0) ** 2).sum())
        chi2 = n * between / spread if spread > 0 else 0.0
        return Omnibus("Friedman", chi2, k - 1.0, np.nan, float(chdtrc(k - 1.0, chi2)))

    def iman_davenport(self) -> Omnibus:
        """F = (n - 1) chi2 / (n (k - 1) - chi2), on k - 1 and (k - 1) (n - 1) degrees of freedom.

        Where every row orders the systems alike, F is infinite and p exact: 1 / m^(n - 1), with m the number of
        different orders of a row.

        Reference:
            Iman & Davenport 1980, Approximations of the critical region of the Friedman statistic.
            doi:10.1080/03610928008827904
        """
        n, k = self.ranks.shape
        chi2, df = self.friedman().statistic, (k - 1.0) * (n - 1.0)
        rest = n * (k - 1.0) - chi2
        if chi2 == 0 or rest > ALIKE * n * (k - 1.0):
            statistic = (n - 1.0) * chi2 / rest
            return Omnibus("Iman-Davenport", statistic, k - 1.0, df, float(fdtrc(k - 1.0, df, statistic)))
        ties: Ints = np.unique(self.ranks[0], return_counts=True)[1]
        orders = gammaln(k + 1.0) - gammaln(ties + 1.0).sum()
        return Omnibus("Iman-Davenport", np.inf, k - 1.0, df, float(np.exp(-(n - 1.0) * orders)))

    @property
    def standard_error(self) -> float:
        """sqrt(k (k + 1) / (6 n)), that of a difference of two mean ranks without ties."""
        n, k = self.ranks.shape
        return float(np.sqrt(k * (k + 1.0) / (6.0 * n)))

    def nemenyi(self, pairs: Contrasts) -> tuple[Floats, Floats]:
        """The difference of mean ranks in standard errors, and its p among all pairs of systems, [pairs] each.

        p is that of the studentised range of k normal values, at sqrt(2) times the statistic.

        Reference:
            Nemenyi 1963, Distribution-free multiple comparisons. PhD thesis, Princeton University.
            Demsar 2006, Statistical comparisons of classifiers over multiple data sets. JMLR 7.
        """
        gap = np.abs(self.means[pairs.left] - self.means[pairs.right])
        statistic: Floats = np.where(gap <= NOISE * len(self.means), 0.0, gap / self.standard_error)
        return statistic, tukey_survival(np.sqrt(2.0) * statistic, len(self.means), np.inf)

    def critical_difference(self, alpha: float) -> float:
        """The difference of mean ranks whose p among all pairs is alpha: q_alpha / sqrt(2) standard errors."""
        return float(tukey_quantile(alpha, len(self.means), np.inf) / np.sqrt(2.0) * self.standard_error)


def is_yes_no(values: Floats) -> bool:
    """Return whether there are at most two different values, such as 0 and 1; NaN counts as none."""
    known = values[~np.isnan(values)]
    return not len(known) or bool(((known == known.min()) | (known == known.max())).all())


def cochran_q(values: Floats) -> Omnibus:
    """Cochran's Q of yes/no values, [rows, systems]: (k - 1) (k sum G_j^2 - N^2) / (k N - sum L_i^2), on k - 1 df.

    G_j is the number of yes of a system, L_i that of a row, N of all. Rows on which all agree do not count; where all
    rows are such, Q is 0 and p 1. It equals Friedman's chi-square, and with two systems McNemar's without correction.

    Args:
        values: complete, of at most two values; the larger is yes.

    Reference:
        Cochran 1950, The comparison of percentages in matched samples. doi:10.1093/biomet/37.3-4.256
    """
    k = values.shape[1]
    yes = (values == values.max()).astype(np.float64)
    of_systems, of_rows = yes.sum(axis=0), yes.sum(axis=1)
    total = yes.sum()
    below = k * total - (of_rows**2).sum()
    q = float((k - 1.0) * (k * (of_systems**2).sum() - total**2) / below) if below > 0 else 0.0
    return Omnibus("Cochran's Q", q, k - 1.0, np.nan, float(chdtrc(k - 1.0, q)))

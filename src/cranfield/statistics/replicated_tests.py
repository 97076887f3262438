"""Systems with several runs each, such as seeds: the error of a difference is that of topics and of runs together.

Shapes: n topics, or clusters of which each weighs the same; R runs of a system.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.paired_differences import BootstrapResamples, PairedDifferences, PairedResamples
from cranfield.statistics.paired_tests import DifferenceMoments, Tested, t_tested
from cranfield.statistics.rounding import NOISE, exchange_p
from cranfield.statistics.test_names import Test
from cranfield.threads import Each


class RunSpread(NamedTuple):
    """The variance of each system's mean that its runs make, [systems] each.

    Args:
        variance: V_A, that of the run means divided by R_A.
        interaction: E_A, the mean square of run x topic divided by n R_A, which both V_A and the topics' variance hold.
        df: of V_A, R_A - 1.
        rows: n.
    """

    variance: Floats
    interaction: Floats
    df: Floats
    rows: int


def run_spread(runs: Sequence[Floats]) -> RunSpread:
    """The variance that runs make.

    Args:
        runs: of each system the scores of its runs, complete, [n, R], R of 2 or more.
    """
    variance, interaction = np.array([_run_variance(table) for table in runs]).T
    return RunSpread(variance, interaction, np.array([table.shape[1] - 1.0 for table in runs]), len(runs[0]))


def combine_variances(
    topics: Floats, df: Floats | float, spread: RunSpread, left: Ints, right: Ints
) -> tuple[Floats, Floats]:
    """The variance of differences of systems' means and its degrees of freedom, [pairs] each.

    V = max(V_T + V_A + V_B - E_A - E_B, V_T, V_A + V_B),
    df = V^2 / [V_T^2 / df_T + sum V_A^2 / (R_A - 1) + sum E_A^2 / ((n - 1) (R_A - 1))].

    Args:
        topics: V_T, the variance of the mean over topics or clusters of the differences of run means, [pairs].
        df: df_T.
        spread: of the runs.
        left, right: systems of each pair.
    """
    v, e = (values[left] + values[right] for values in (spread.variance, spread.interaction))
    variance = np.maximum.reduce([topics + v - e, topics, v])
    # Shares of the variance, whose squares do not vanish however small the scores are.
    whole = np.where(variance > 0, variance, 1.0)
    below = (topics / whole) ** 2 / df
    for side in (left, right):
        below = below + (spread.variance[side] / whole) ** 2 / spread.df[side]
        below = below + (spread.interaction[side] / whole) ** 2 / ((spread.rows - 1) * spread.df[side])
    return variance, np.divide(1.0, below, out=np.full(len(variance), spread.rows - 1.0), where=below > 0)


@dataclass(frozen=True)
class ReplicatedDifferences(PairedDifferences):
    """The differences of systems' means over several runs.

    Args:
        means: the differences of run means by topic.
        spread: what runs add to their variance, by column.
        pairs: of columns.
    """

    means: PairedDifferences
    spread: RunSpread
    pairs: Contrasts

    @property
    def row_count(self) -> int:
        """Count the topics."""
        return self.means.row_count

    @property
    def cluster_count(self) -> int | None:
        """Count the clusters that the topics are in; None where each is by itself."""
        return self.means.cluster_count

    @property
    def df(self) -> Floats:
        """Degrees of freedom of each pair, [pairs]."""
        moments, _ = self.means.tested("t")
        return self._combine(moments)[1]

    def standard_error(self, moments: DifferenceMoments) -> Floats:
        """The standard error of topics and runs together, [pairs]."""
        error: Floats = np.sqrt(self._combine(moments)[0])
        return error

    def tested(self, test: Test) -> tuple[DifferenceMoments, Tested]:
        """Moments of run means over topics, and the t-test by the error of topics and runs."""
        moments, _ = self.means.tested("t")
        variance, df = self._combine(moments)
        return moments, t_tested(moments.mean, np.sqrt(variance), df, self.constant_p())

    def constant_p(self) -> Floats:
        """The larger of two exact p: of topics with one sign, and of runs of which all of one system are better."""
        runs = self.spread.df + 1.0
        return np.maximum(self.means.constant_p(), exchange_p(runs[self.pairs.left], runs[self.pairs.right]))

    def flip_signs(self, resamples: int, rng: np.random.Generator, each: Each) -> PairedResamples:
        """Runs of a system are not exchangeable with those of another one."""
        raise NotImplementedError("systems with several runs are tested by t")

    def bootstrap(self, resamples: int, rng: np.random.Generator, each: Each) -> BootstrapResamples:
        """Draws of topics hold nothing of how runs differ."""
        raise NotImplementedError("systems with several runs are tested by t")

    def _combine(self, moments: DifferenceMoments) -> tuple[Floats, Floats]:
        topics = self.means.standard_error(moments) ** 2
        return combine_variances(topics, self.means.df, self.spread, self.pairs.left, self.pairs.right)


def _run_variance(runs: Floats) -> tuple[float, float]:
    """The variance of the mean of run means, and what run x topic adds to it; 0 where runs differ by rounding alone."""
    n, count = runs.shape
    slack = NOISE * float(np.abs(runs).max())
    means = runs.mean(axis=0)
    rest = runs - runs.mean(axis=1, keepdims=True) - means + runs.mean()
    v = 0.0 if np.ptp(means) <= slack else float(means.var(ddof=1)) / count
    e = 0.0 if np.abs(rest).max() <= slack else float((rest**2).sum()) / ((n - 1) * (count - 1)) / (n * count)
    return v, e


class ReplicateComponents(NamedTuple):
    """Variance components of systems with several runs on the same topics; raw values, which may be below 0."""

    systems: float
    replicates: float
    topics: float
    systems_topics: float
    residual: float


def replicate_components(scores: Floats) -> tuple[ReplicateComponents, dict[str, float]]:
    """Components of systems s, seeds in systems r:s, topics t, s x t and the rest, of equally many runs.

    v_e = MS_e; v_st = (MS_st - MS_e) / R; v_r = (MS_r - MS_e) / n; v_t = (MS_t - MS_st) / (m R);
    v_s = (MS_s - MS_st - MS_r + MS_e) / (R n).

    Args:
        scores: complete, [n, systems, runs].

    Returns:
        The components; and the mean squares MSs, MSr, MSt, MSst, MSe.

    References:
        Brennan 2001, Generalizability Theory. doi:10.1007/978-1-4757-3456-0
    """
    n, m, count = scores.shape
    overall, topic = scores.mean(), scores.mean(axis=(1, 2))
    system, run, cell = scores.mean(axis=(0, 2)), scores.mean(axis=0), scores.mean(axis=2)
    interaction = cell - topic[:, None] - system + overall
    rest = scores - cell[:, :, None] - run + system[:, None]
    squares = {
        "MSs": n * count * float(((system - overall) ** 2).sum()) / (m - 1),
        "MSr": n * float(((run - system[:, None]) ** 2).sum()) / (m * (count - 1)),
        "MSt": m * count * float(((topic - overall) ** 2).sum()) / (n - 1),
        "MSst": count * float((interaction**2).sum()) / ((n - 1) * (m - 1)),
        "MSe": float((rest**2).sum()) / (m * (count - 1) * (n - 1)),
    }
    ms_s, ms_r, ms_t, ms_st, ms_e = squares.values()
    parts = ReplicateComponents(
        (ms_s - ms_st - ms_r + ms_e) / (count * n),
        (ms_r - ms_e) / n,
        (ms_t - ms_st) / (m * count),
        (ms_st - ms_e) / count,
        ms_e,
    )
    return parts, squares

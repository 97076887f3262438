"""Agreement of two judges when topics are resampled: labels and scores of one topic depend on each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from cranfield._typing import Floats, Ints
from cranfield.statistics.clustered_differences import ClusterSums
from cranfield.statistics.clustered_draws import t_of_draws
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.interrater import compute_alphas
from cranfield.statistics.resampling import bootstrap_counts
from cranfield.statistics.rounding import NOISE, cleared

LABEL_STATISTICS = ("kappa", "kappa_linear", "kappa_quadratic", "kappa_binary", "alpha")
SYSTEM_STATISTICS = ("tau_b", "kept", "lost")
SIGNIFICANT = "significant"
"""The number of pairs of which ``kept`` and ``lost`` are shares."""
BLOCK = 1 << 18
"""Numbers that a table of resamples holds at once."""


def labels_on_resampled_topics(
    labels: Floats, values: Floats, binary: Floats, *, resamples: int, seed: int
) -> dict[str, Floats]:
    """Agreement on labels where topics are drawn with replacement, [resamples]; the same topics for every judge.

    Args:
        labels: documents of each topic by the label of the one judge and of the other, [topics, labels, labels].
        values: those labels as numbers, ascending.
        binary: relevant or not by both, [topics, 2, 2].
        resamples: how many.
        seed: of the draws.
    """
    counts = bootstrap_counts(len(labels), resamples, np.random.default_rng(seed))
    tables = counts.sums(labels.reshape(len(labels), -1)).reshape(-1, len(values), len(values))
    relevant = counts.sums(binary.reshape(len(binary), -1)).reshape(-1, 2, 2)
    distance = np.abs(values[:, None] - values)
    return {
        "kappa": compute_kappas(tables, (distance > 0).astype(np.float64)),
        "kappa_linear": compute_kappas(tables, distance),
        "kappa_quadratic": compute_kappas(tables, distance**2),
        "kappa_binary": compute_kappas(relevant, 1.0 - np.eye(2)),
        "alpha": compute_alphas(tables + tables.transpose(0, 2, 1), values, "ordinal"),
    }


def systems_on_resampled_topics(
    reference: Floats, judge: Floats, *, alpha: float, resamples: int, seed: int, cluster: Ints | None = None
) -> dict[str, Floats]:
    """Agreement on systems where topics are drawn with replacement, [resamples]; the same topics for every judge.

    ``kept`` and ``lost`` are shares of the pairs that t-tests with Holm's correction call significant by the reference,
    which ``significant`` counts.

    Args:
        reference, judge: scores of systems by the labels of each, [topics, systems].
        alpha: level of those tests.
        resamples: how many.
        seed: of the draws.
        cluster: of each topic, whole clusters being drawn, and tests being those of clusters; None without clusters.
    """
    units = len(reference) if cluster is None else int(cluster.max()) + 1
    counts = bootstrap_counts(units, resamples, np.random.default_rng(seed)).sums(np.eye(units))
    return _compare_systems(reference, judge, counts, alpha, cluster)


def systems_on_these_topics(
    reference: Floats, judge: Floats, *, alpha: float, cluster: Ints | None = None
) -> dict[str, float]:
    """The statistics of ``systems_on_resampled_topics`` on the observed topics."""
    units = len(reference) if cluster is None else int(cluster.max()) + 1
    values = _compare_systems(reference, judge, np.ones((1, units)), alpha, cluster)
    return {name: float(statistic[0]) for name, statistic in values.items()}


def percentiles(draws: Floats, level: float) -> tuple[float, float]:
    """Ends of the percentile interval; NaN where more than one draw in ten is undefined."""
    defined = draws[~np.isnan(draws)]
    if len(defined) < 0.9 * len(draws):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def among_the_best(draws: Floats, values: Floats, level: float) -> list[bool]:
    """Judges that no other judge is significantly ahead of, by one-sided tests of all ordered pairs together.

    The critical value is the quantile of the largest studentized deviation of a difference from its value, over the
    same resamples of topics.

    Args:
        draws: a statistic on resampled topics, [resamples, judges].
        values: on the topics as they are, [judges].
        level: of the tests together.
    """
    apart = draws[:, :, None] - draws[:, None, :]
    observed = values[:, None] - values[None, :]
    spread = np.nanstd(apart, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        deviation = np.where(spread > 0, (apart - observed) / spread, 0.0)
        ahead = np.where(spread > 0, observed / spread, 0.0)
    critical = np.quantile(np.nan_to_num(deviation).max(axis=(1, 2)), level)
    return [not bool((column > critical).any()) for column in np.nan_to_num(ahead).T]


def compute_kappas(tables: Floats, cost: Floats) -> Floats:
    """Cohen's kappa of many tables, [tables, labels, labels]; NaN where both use one label."""
    total = tables.sum(axis=(1, 2))
    observed = (tables * cost).sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = np.einsum("ti,tj,ij->t", tables.sum(axis=2), tables.sum(axis=1), cost) / total
        kappa: Floats = np.where(chance > 0, 1.0 - observed / chance, np.nan)
    return kappa


def _compare_systems(
    reference: Floats, judge: Floats, counts: Floats, alpha: float, cluster: Ints | None
) -> dict[str, Floats]:
    """Compare orders and conclusions on each resample, in blocks of resamples."""
    tables: list[Floats] | list[ClusterSums] = [reference, judge]
    if cluster is not None:
        tables = [ClusterSums.from_topics(scores, cluster) for scores in (reference, judge)]
    at_once = max(1, BLOCK // max(reference.size, reference.shape[1] ** 2))
    parts = [
        _compare_block(tables, reference.shape[1], counts[start : start + at_once], alpha)
        for start in range(0, len(counts), at_once)
    ]
    return dict(zip((*SYSTEM_STATISTICS, SIGNIFICANT), np.concatenate(parts, axis=1), strict=True))


def _compare_block(tables: Sequence[Floats | ClusterSums], systems: int, counts: Floats, alpha: float) -> Floats:
    """``SYSTEM_STATISTICS`` and ``SIGNIFICANT`` on each resample of a block, [statistics, resamples]."""
    left, right = every_pair(systems)
    steps = alpha / np.arange(len(left), 0, -1) / 2
    signs, verdicts = [], []
    for scores in tables:
        if isinstance(scores, ClusterSums):
            mean, square, df = t_of_draws(scores, counts, left, right)
            mean = cleared(mean, 1.0)
            critical = -stdtrit(df[:, None], steps)
        else:
            mean, square = _differences(scores, counts, left, right)
            square, critical = square / len(scores), -stdtrit(len(scores) - 1, steps)
        signs.append(np.sign(mean))
        verdicts.append(_verdicts(mean, square, critical))
    untied = np.sqrt((signs[0] != 0).sum(axis=1) * (signs[1] != 0).sum(axis=1).astype(np.float64))
    significant = verdicts[0] != 0
    significant_count = significant.sum(axis=1)
    confirmed = (significant & (verdicts[1] == verdicts[0])).sum(axis=1)
    lost = (significant & (verdicts[1] == 0)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.array(
            [
                (signs[0] * signs[1]).sum(axis=1) / untied,
                confirmed / significant_count,
                lost / significant_count,
                significant_count,
            ]
        )


def _differences(scores: Floats, counts: Floats, left: Ints, right: Ints) -> tuple[Floats, Floats]:
    """Mean of every pair's differences, and their variance with n - 1, [resamples, pairs] both."""
    n = counts.sum(axis=1)[:, None, None]
    mean = counts[:, None, :] @ scores / n
    centred = scores - mean
    covariance = (centred * counts[:, :, None]).transpose(0, 2, 1) @ centred / (n - 1)
    spread = np.diagonal(covariance, axis1=1, axis2=2)
    shared = covariance.reshape(len(counts), -1).take(left * scores.shape[1] + right, axis=1)
    apart = mean[:, 0].take(left, axis=1) - mean[:, 0].take(right, axis=1)
    apart = cleared(apart, 1.0)
    return apart, np.maximum(spread.take(left, axis=1) + spread.take(right, axis=1) - 2 * shared, 0.0)


def _verdicts(mean: Floats, square: Floats, critical: Floats) -> Floats:
    """1 where the first of a pair is significantly better, -1 where worse, 0 where neither, by Holm's steps.

    Args:
        mean: of each pair, [resamples, pairs].
        square: its squared standard error.
        critical: |t| that the largest, the next, ... has to reach, [pairs] or [resamples, pairs].
    """
    error = np.sqrt(square)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > NOISE, np.abs(mean) / error, np.where(mean != 0, np.inf, 0.0))
    # How many steps reject, the largest |t| first. What equals the last rejected is rejected too: steps ask for less.
    falling = -np.sort(-np.where(t > critical.min(initial=np.inf), t, 0.0), axis=1)
    steps = np.logical_and.accumulate(falling > critical, axis=1).sum(axis=1, keepdims=True)
    least = np.take_along_axis(np.insert(falling, 0, np.inf, axis=1), steps, axis=1)
    return np.where(t >= least, np.sign(mean), 0.0)

"""Agreement of two judges on resampled topics: labels come in topics, and so do scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from cranfield.arrays import Floats, Ints
from cranfield.statistics.rating_agreement import alpha_of_pairs
from cranfield.statistics.resampling import bootstrap_counts

ROUNDING = 1e-12
"""Means of scores that differ by less are equal."""
STATISTICS = ("kappa_binary", "alpha", "tau_b", "kept", "lost")


@dataclass(frozen=True)
class JudgedTopics:
    """What two judges, the reference and another, say of the same topics.

    Args:
        binary: relevant or not by both, documents of each topic, [topics, 2, 2].
        labels: documents of each topic by the label of the one and of the other, [topics, labels, labels].
        values: those labels as numbers, ascending.
        reference, judge: scores of systems by the labels of each, [topics, systems].
    """

    binary: Floats
    labels: Floats
    values: Floats
    reference: Floats
    judge: Floats


def on_resampled_topics(given: JudgedTopics, *, alpha: float, resamples: int, seed: int) -> dict[str, Floats]:
    """Each statistic on topics drawn with replacement, [resamples]; draws are the same for every judge.

    ``kept`` and ``lost`` are shares of the pairs that t-tests with Holm's correction call significant by the reference.

    Args:
        given: topics of both judges.
        alpha: level of those tests.
        resamples: how many.
        seed: of the draws.
    """
    topics = len(given.reference)
    counts = bootstrap_counts(topics, resamples, np.random.default_rng(seed))
    binary = counts.sums(given.binary.reshape(topics, -1)).reshape(-1, 2, 2)
    labels = counts.sums(given.labels.reshape(topics, -1)).reshape(-1, len(given.values), len(given.values))
    out = {"kappa_binary": _kappa(binary)}
    out["alpha"] = np.array([alpha_of_pairs(one + one.T, given.values, "ordinal") for one in labels])
    out |= _of_systems(given, counts.sums(np.eye(topics)), alpha)
    return out


def on_these_topics(given: JudgedTopics, *, alpha: float) -> dict[str, float]:
    """Each statistic on the topics as they are; see ``on_resampled_topics``."""
    labels = given.labels.sum(axis=0)
    values = {
        "kappa_binary": float(_kappa(given.binary.sum(axis=0)[None])[0]),
        "alpha": alpha_of_pairs(labels + labels.T, given.values, "ordinal"),
    }
    systems = _of_systems(given, np.ones((1, len(given.reference))), alpha)
    return values | {name: float(one[0]) for name, one in systems.items()}


def percentiles(draws: Floats, level: float) -> tuple[float, float]:
    """Ends of the percentile interval; NaN where more than one draw in ten is undefined."""
    defined = draws[~np.isnan(draws)]
    if len(defined) < 0.9 * len(draws):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def among_the_best(draws: Floats, values: Floats, level: float) -> list[bool]:
    """Judges that no other is significantly ahead of, by one-sided tests of all ordered pairs together.

    The critical value is the quantile of the largest studentised deviation of a difference from its value, over the
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


def _kappa(tables: Floats) -> Floats:
    """Cohen's kappa of tables of two labels, [tables, 2, 2]; NaN where both use one label."""
    total = tables.sum(axis=(1, 2))
    apart = tables[:, 0, 1] + tables[:, 1, 0]
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = (rows[:, 0] * columns[:, 1] + rows[:, 1] * columns[:, 0]) / total
        kappa: Floats = np.where(chance > 0, 1.0 - apart / chance, np.nan)
    return kappa


def _of_systems(given: JudgedTopics, counts: Floats, alpha: float) -> dict[str, Floats]:
    """Order of systems and conclusions on each resample."""
    systems = given.reference.shape[1]
    one, other = np.triu_indices(systems, 1)
    topics = counts[0].sum()
    critical = stats.t.isf(alpha / np.arange(len(one), 0, -1) / 2, topics - 1)
    out = {name: np.full(len(counts), np.nan) for name in ("tau_b", "kept", "lost")}
    for row, times in enumerate(counts):
        signs, verdicts = [], []
        for scores in (given.reference, given.judge):
            mean, square = _differences(scores, times, one, other)
            signs.append(np.sign(mean))
            verdicts.append(_verdicts(mean, square / topics, critical))
        pairs = np.sqrt(float((signs[0] != 0).sum()) * float((signs[1] != 0).sum()))
        out["tau_b"][row] = float(signs[0] @ signs[1]) / pairs if pairs else np.nan
        significant = verdicts[0] != 0
        if significant.any():
            out["kept"][row] = (verdicts[1][significant] == verdicts[0][significant]).mean()
            out["lost"][row] = (verdicts[1][significant] == 0).mean()
    return out


def _differences(scores: Floats, times: Floats, one: Ints, other: Ints) -> tuple[Floats, Floats]:
    """Mean of every pair's differences, and their variance with n - 1."""
    n = times.sum()
    mean = times @ scores / n
    centred = scores - mean
    covariance = (centred * times[:, None]).T @ centred / (n - 1)
    spread = np.diag(covariance)
    apart = mean[one] - mean[other]
    apart = np.where(np.abs(apart) <= ROUNDING, 0.0, apart)
    return apart, np.maximum(spread[one] + spread[other] - 2 * covariance[one, other], 0.0)


def _verdicts(mean: Floats, square: Floats, critical: Floats) -> Floats:
    """1 where the first of a pair is significantly better, -1 where worse, 0 where neither, by Holm's steps.

    Args:
        mean: of each pair.
        square: its squared standard error.
        critical: |t| that the largest, the next, ... has to reach.
    """
    error = np.sqrt(square)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(error > ROUNDING, np.abs(mean) / error, np.where(mean != 0, np.inf, 0.0))
    order = np.argsort(-t, kind="stable")
    passed = t[order] > critical
    rejected = order[: len(order) if passed.all() else int(passed.argmin())]
    verdict = np.zeros(len(mean))
    verdict[rejected] = np.sign(mean[rejected])
    return verdict

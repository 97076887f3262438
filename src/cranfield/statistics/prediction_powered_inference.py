"""Prediction-powered means: people judge few topics, a model many, and the interval is valid for people's judgments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from cranfield._message import name_value
from cranfield._typing import Floats
from cranfield._validation import share
from cranfield.errors import InputError, UsageError

Tuning = float | Literal["tuned"]


@dataclass(frozen=True)
class PoweredMean:
    """A mean over the population of topics, as people would judge it.

    Args:
        estimate: of the mean.
        se: its standard error.
        low, high: ends of the interval.
        lambdas: how far the model's scores are trusted, of each stratum: 0 not at all, 1 fully.
    """

    estimate: float
    se: float
    low: float
    high: float
    lambdas: tuple[float, ...]


def powered_mean(
    human: Floats,
    model: Floats,
    unjudged: Floats,
    *,
    tuning: Tuning = "tuned",
    level: float = 0.95,
    ddof: int = 0,
) -> PoweredMean:
    """Mean human score of the population that n topics judged by both and N topics judged by the model are drawn from.

    theta = lambda mean(U) + mean(Y - lambda F), with se^2 = lambda^2 var(U) / N + var(Y - lambda F) / n. Lambda 0 is
    the mean of the human scores alone, 1 prediction-powered inference, and ``tuned`` the power-tuned lambda of PPI++,
    cov(Y, F) / ((1 + n/N) var(F and U together)) within [0, 1]; 0 where the model's scores do not vary.

    Args:
        human: Y, the human scores of n topics, or their differences between two systems, [n].
        model: F, the model's scores of the same topics, [n].
        unjudged: U, the model's scores of N other topics, [N].
        tuning: lambda in [0, 1], or ``"tuned"``.
        level: of the interval, in (0, 1).
        ddof: 0, normal quantiles and variances with divisor n, as the authors' package has them; 1, Student's with
            n - 1 degrees of freedom and divisors n - 1 and N - 1, which covers better below about 50 topics.

    Raises:
        InputError: fewer than two topics of either kind (N may be 0 with lambda 0).
        UsageError: a lambda or level outside its range.

    References:
        Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-powered inference. doi:10.1126/science.adi6000
        Angelopoulos, Duchi & Zrnic 2023, PPI++: Efficient prediction-powered inference. arXiv:2311.01453

    >>> made = powered_mean(np.array([.5, .3]), np.array([.4, .4]), np.array([.2, .4, .6, .8]), tuning=1)
    >>> round(made.estimate, 12), round(made.se**2, 12), round(made.high - made.estimate, 4)
    (0.5, 0.0175, 0.2593)
    """
    return powered_mean_of_strata([(human, model, unjudged)], None, tuning=tuning, level=level, ddof=ddof)


def powered_mean_of_strata(
    strata: Sequence[tuple[Floats, Floats, Floats]],
    weights: Floats | None = None,
    *,
    tuning: Tuning = "tuned",
    level: float = 0.95,
    ddof: int = 0,
) -> PoweredMean:
    """``powered_mean`` of a population in strata that were known before people judged.

    theta = sum w_k theta_k and se^2 = sum w_k^2 se_k^2, lambda tuned within each stratum.

    Args:
        strata: Y, F and U of each, see ``powered_mean``.
        weights: shares of the population, which sum to 1; the shares of all topics given where None.
        tuning, level, ddof: as in ``powered_mean``.

    Raises:
        InputError: fewer than two topics of either kind in a stratum.
        UsageError: a lambda or level outside its range.

    Reference:
        Fisch, Maynez, Hofer, Dhingra, Globerson & Cohen 2024, Stratified prediction-powered inference for hybrid
        language model evaluation. arXiv:2406.04291
    """
    share(level=level)
    sizes = np.array([len(human) + len(unjudged) for human, _, unjudged in strata], dtype=np.float64)
    shares = sizes / sizes.sum() if weights is None else np.asarray(weights, dtype=np.float64)
    parts = [_part(*stratum, tuning, ddof) for stratum in strata]
    estimate = float(sum(weight * mean for weight, (mean, _, _) in zip(shares, parts, strict=True)))
    se = float(np.sqrt(sum(weight**2 * square for weight, (_, square, _) in zip(shares, parts, strict=True))))
    tail = 0.5 + level / 2
    freedom = sum(len(human) - 1 for human, _, _ in strata)
    quantile = float(stats.t.ppf(tail, freedom)) if ddof else float(stats.norm.ppf(tail))
    reach = quantile * se
    return PoweredMean(estimate, se, estimate - reach, estimate + reach, tuple(trust for _, _, trust in parts))


def tuned_lambda(human: Floats, model: Floats, unjudged: Floats) -> float:
    """The lambda of least variance, within [0, 1]; see ``powered_mean``."""
    together = np.concatenate([model, unjudged])
    spread = float(together.var(ddof=1))
    if spread <= 0.0 or not len(unjudged):
        return 0.0
    covariance = float(np.mean((human - human.mean()) * (model - model.mean())))
    return float(np.clip(covariance / ((1 + len(human) / len(unjudged)) * spread), 0.0, 1.0))


def _part(human: Floats, model: Floats, unjudged: Floats, tuning: Tuning, ddof: int) -> tuple[float, float, float]:
    """Mean, its squared standard error and lambda of one stratum."""
    if len(human) != len(model):
        raise InputError(f"{len(human)} human scores stand beside {len(model)} of the model: they need the same topics")
    if len(human) < 2:
        raise InputError(f"{len(human)} topics were judged by people, of 2 needed")
    if tuning == "tuned":
        trust = tuned_lambda(human, model, unjudged)
    else:
        if isinstance(tuning, str) or not 0 <= tuning <= 1:
            raise UsageError(f"tuning={name_value(tuning)} should be 'tuned', or a number from 0 to 1")
        trust = float(tuning)
    gap = human - trust * model
    estimate, square = float(gap.mean()), float(gap.var(ddof=ddof)) / len(human)
    if trust > 0.0:
        if len(unjudged) < 2:
            raise InputError(f"{len(unjudged)} topics were judged by the model alone, of 2 needed")
        estimate += trust * float(unjudged.mean())
        square += trust**2 * float(unjudged.var(ddof=ddof)) / len(unjudged)
    return estimate, square, trust

"""Abstention on topics of low confidence: the curve of mean scores, and the normalised area under it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cranfield._typing import Floats
from cranfield.errors import UsageError

RATES = np.linspace(0.0, 1.0, 11)[:-1]
"""Shares of the topics that are abstained from: 0, .1, ..., .9."""


def abstention_curve(confidence: ArrayLike, scores: ArrayLike) -> Floats:
    """Mean score of the topics that are left at each of ``RATES``, the least confident left out first.

    Topics of equal confidence are alike: each has their mean score. Of n topics, the nearest whole number to rate * n
    (of two, the even one) is left out, and one is always left.

    Raises:
        UsageError: no topic, lists of different length, or a NaN.
    """
    sure, gained = np.asarray(confidence, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    if sure.ndim != 1 or sure.shape != gained.shape or not len(sure):
        raise UsageError("abstention needs one confidence and one score for each of at least one topic")
    if np.isnan(sure).any() or np.isnan(gained).any():
        raise UsageError("a confidence or a score is NaN: leave that topic out of both")
    _, group, size = np.unique(sure, return_inverse=True, return_counts=True)
    alike = (np.bincount(group, gained) / size)[group]
    ordered = alike[np.argsort(sure, kind="stable")]
    out = [min(round(rate * len(ordered)), len(ordered) - 1) for rate in RATES.tolist()]
    return np.array([ordered[first:].mean() for first in out])


def nauc(confidence: ArrayLike, scores: ArrayLike) -> float:
    """Normalised area under the abstention curve: 1 if the worst topics are left out first, 0 if it does not help.

    nAUC = (A - F) / (O - F), with A the area under the curve, F that of the constant mean score, and O that under the
    curve of an oracle, whose confidence is the score itself. Below 0 confidence misleads.

    Args:
        confidence: of each topic; larger is surer.
        scores: of the same topics, larger better.

    Returns:
        At most 1; NaN where all topics score alike.

    Raises:
        UsageError: see ``abstention_curve``.

    Reference:
        Gisserot-Boukhlef et al. 2024, Towards trustworthy reranking: a simple yet effective abstention mechanism.
        arXiv:2402.12997; as MTEB computes it.

    >>> round(nauc([0.1, 0.9, 0.5, 0.7], [0.0, 1.0, 0.5, 0.2]), 4)
    0.8331
    """
    curve, oracle = abstention_curve(confidence, scores), abstention_curve(scores, scores)
    if np.ptp(np.asarray(scores, dtype=np.float64)) == 0:
        return float("nan")
    flat = oracle[0] * (RATES[-1] - RATES[0])
    return float((_area(curve) - flat) / (_area(oracle) - flat))


def _area(curve: Floats) -> Floats:
    """The area under a curve by the trapezoidal rule."""
    area: Floats = (np.diff(RATES) * (curve[1:] + curve[:-1]) / 2).sum()
    return area

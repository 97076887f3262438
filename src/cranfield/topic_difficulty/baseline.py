"""Ease against a named baseline: the share of systems above it, and ease as a system of its ability would see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield._text import quoted, shown
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.statistics.rounding import NOISE


@dataclass(frozen=True, eq=False)
class BaselineEase:
    """Two estimates of the difficulty of T topics that refer to a named baseline.

    Args:
        above: share of the other systems whose NDCG_std is above that of the baseline, float64 [topics].
        anchored: probability that a system as good as the baseline beats chance on a topic, float64 [topics].
    """

    above: Floats
    anchored: Floats


def ease_against(scores: Floats, systems: Sequence[str], baseline: str) -> BaselineEase:
    """Compare the systems with one of them on every topic.

    Args:
        scores: NDCG_std, [topics, systems]; a topic without ease is NaN throughout.
        systems: their names.
        baseline: one of them.

    Raises:
        UsageError: there is no such system, or no other one.
        InputError: a system lacks a score on a topic that others have.
    """
    if baseline not in systems:
        raise UsageError(f"there is no system {quoted(baseline)}; there are {', '.join(map(shown, systems[:10]))}")
    if len(systems) < 2:
        raise UsageError("a baseline needs another system to compare with")
    known = ~np.isnan(scores).all(axis=1)
    if np.isnan(scores[known]).any():
        raise InputError("a baseline needs the scores of all systems on the same topics: leave missing='skip' out")
    own = list(systems).index(baseline)
    others = np.delete(scores, own, axis=1)
    above = np.full(len(scores), np.nan)
    above[known] = (others[known] > scores[known, own, None] + NOISE).mean(axis=1)
    anchored = np.full(len(scores), np.nan)
    anchored[known] = anchored_ease(scores[known], own)
    return BaselineEase(above, anchored)


def anchored_ease(scores: Floats, baseline: int) -> Floats:
    """Probability that a system of the baseline's ability beats chance on each topic, by a model of both.

    NDCG_std of system s on topic t is taken for m + a_t + b_s + e, with errors e of one normal distribution. Then
    the anchored ease of t is Phi((m + a_t + b_baseline) / sd(e)). Effects are those of the means (least squares), and
    sd(e)^2 is the residual sum of squares over (T - 1)(S - 1).

    Args:
        scores: [topics, systems], without gaps; two topics and two systems at least for a value.
        baseline: column of the baseline.

    Returns:
        float64 [topics]; NaN where nothing varies beyond the two effects.
    """
    from scipy.special import ndtr

    topics, systems = scores.shape
    by_topic, by_system = scores.mean(axis=1), scores.mean(axis=0)
    errors = scores - by_topic[:, None] - by_system + scores.mean()
    spread = math.sqrt(float(np.sum(errors**2)) / max((topics - 1) * (systems - 1), 1))
    if spread <= NOISE * float(np.abs(scores).max(initial=1.0)):
        return np.full(topics, np.nan)
    anchored: Floats = ndtr((by_topic + by_system[baseline] - by_system.mean()) / spread)
    return anchored

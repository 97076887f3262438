"""How many topics a collection needs, and what difference its topics can find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from cranfield.arguments import above, share, whole, word
from cranfield.errors import InputError, UsageError
from cranfield.results.result import Result, Tables
from cranfield.scores.labelled import ScoresLike
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.statistics.sample_size import anova_power, interval_width, smallest, smallest_effect, t_power
from cranfield.statistics.two_way import two_way

Design = Literal["t", "anova", "interval"]


@dataclass(frozen=True, eq=False, repr=False)
class TopicSetSize(Result):
    """What a number of topics can tell apart.

    Args:
        topics: how many.
        difference: the true difference of means that they find, or the width of the interval.
        deviation: standard deviation that was taken as known: of a pair's differences (``t``, ``interval``), or of a
            system's scores (``anova``).
        settings: design, power, alpha, number of systems.
        signature: all that changes these numbers.
    """

    topics: int
    difference: float
    deviation: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"values": self._values}


def estimate_topics_needed(
    scores: ScoresLike,
    difference: float,
    *,
    design: Design = "t",
    power: float = 0.8,
    alpha: float = 0.05,
    systems: int | None = None,
) -> TopicSetSize:
    """Fewest topics that find a true difference, planned from the spread of these scores.

    - ``t``: a paired t-test of two systems whose means differ by ``difference`` is significant with probability
      ``power``. The variance of a pair's differences is 2 MS_e of the two-way analysis of variance, which is its mean
      over all pairs of systems.
    - ``anova``: one-way analysis of variance of ``systems`` systems whose best and worst differ by ``difference``; the
      variance is that within systems.
    - ``interval``: the interval of a pair's mean difference, of coverage 1 - alpha, is expected to be no wider than
      ``difference``.

    Args:
        scores: of one measure, dims (topic, system), complete: a pilot, or last year's collection.
        difference: larger than 0, in units of the measure.
        design: which.
        power: in (0, 1); not used by ``interval``.
        alpha: level of the test, in (0, 1).
        systems: compared in ``anova``; as many as the scores have, by default.

    Raises:
        InputError: fewer than two systems or topics, a missing score, or scores that do not vary.
        UsageError: numbers outside their range.

    Reference:
        Sakai 2016, Topic set size design. doi:10.1007/s10791-015-9273-z
    """
    above(0, difference=difference)
    matrix, count, deviation = _planned(scores, design, power, alpha, systems)
    if design == "t":
        n = smallest(lambda n: t_power(n, difference, deviation, alpha) >= power)
    elif design == "anova":
        n = smallest(lambda n: anova_power(n, count, difference, deviation, alpha) >= power)
    else:
        n = smallest(lambda n: interval_width(n, deviation, alpha) <= difference)
    return _result(matrix, n, difference, deviation, design, power, alpha, count)


def estimate_detectable_difference(
    scores: ScoresLike,
    topics: int | None = None,
    *,
    design: Design = "t",
    power: float = 0.8,
    alpha: float = 0.05,
    systems: int | None = None,
) -> TopicSetSize:
    """Smallest true difference that so many topics find, or the expected width of the interval; see ``topics_needed``.

    Args:
        scores: of one measure, dims (topic, system), complete.
        topics: at least 2; as many as the scores have, by default.
        design: ``t``, ``anova`` or ``interval``.
        power: in (0, 1).
        alpha: level of the test, in (0, 1).
        systems: compared in ``anova``.

    Raises:
        InputError: fewer than two systems or topics, a missing score, or scores that do not vary.
        UsageError: numbers outside their range.
    """
    matrix, count, deviation = _planned(scores, design, power, alpha, systems)
    n = len(matrix.topics) if topics is None else topics
    whole(2, topics=n)
    if design == "t":
        found = smallest_effect(lambda size: t_power(n, size, deviation, alpha), power)
    elif design == "anova":
        found = smallest_effect(lambda size: anova_power(n, count, size, deviation, alpha), power)
    else:
        found = interval_width(n, deviation, alpha)
    return _result(matrix, n, found, deviation, design, power, alpha, count)


def _planned(
    scores: ScoresLike, design: str, power: float, alpha: float, systems: int | None
) -> tuple[Matrix, int, float]:
    word("design", design, get_args(Design))
    share(power=power, alpha=alpha)
    if power <= alpha:
        raise UsageError(f"power={power} should be larger than alpha={alpha}")
    matrix = matrix_of(scores)
    matrix.at_least(2, 2, "planning")
    table = matrix.complete("planning", "leave the topic out, or evaluate with missing='empty'")
    count = len(matrix.systems) if systems is None else systems
    whole(2, systems=count)
    variance = table.var(axis=0, ddof=1).mean() if design == "anova" else 2.0 * two_way(table).ms_residual
    if variance <= (1e-12 * np.abs(table).max()) ** 2:
        raise InputError(f"{matrix.called} does not vary over topics: any number of topics finds any difference")
    return matrix, count, float(np.sqrt(variance))


def _result(
    matrix: Matrix, n: int, difference: float, deviation: float, design: str, power: float, alpha: float, systems: int
) -> TopicSetSize:
    settings = {"design": design, "power": None if design == "interval" else power, "alpha": alpha}
    settings |= {"systems": systems if design == "anova" else 2}
    signature = matrix.signature("topic set size", **settings, difference=difference, topics=n)
    return TopicSetSize(n, difference, deviation, settings, signature)

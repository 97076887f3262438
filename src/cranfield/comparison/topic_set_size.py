"""How many topics a collection needs, and what difference its topics can find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from cranfield._validation import above, share, whole, word
from cranfield.comparison.critical import Family, family_of
from cranfield.comparison.outcome import MAX_T, Adjustment
from cranfield.comparison.verdicts import correction_of
from cranfield.errors import InputError, UsageError
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, Standing
from cranfield.scores.missing_scores import MissingScores
from cranfield.scoring.streamed_scores import LongScores, filled, long_or_held
from cranfield.statistics.sample_size import anova_power, interval_width, smallest, smallest_effect
from cranfield.statistics.tests_by_name import Test
from cranfield.statistics.two_way import two_way

Design = Literal["t", "anova", "interval"]


@dataclass(frozen=True, eq=False, repr=False)
class TopicSetSize(Result):
    """What a number of topics can distinguish.

    Args:
        topics: how many.
        difference: the true difference of means that they find, or the width of the interval.
        deviation: standard deviation that was taken as known: of a pair's differences (``t``, ``interval``), or of a
            system's scores (``anova``).
        settings: design, power, alpha, number of systems; of the designs ``t`` and ``interval`` the ``test``, its
            ``correction`` and the number of ``pairs`` that it is for.
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
    scores: ScoresLike | LongScores,
    difference: float,
    *,
    design: Design = "t",
    power: float = 0.8,
    alpha: float = 0.05,
    systems: int | None = None,
    test: Test = "t",
    correction: Adjustment | None = None,
    baselines: str | Sequence[str] = (),
    missing_scores: MissingScores | None = None,
) -> TopicSetSize:
    """Fewest topics that find a true difference, planned from the spread of these scores.

    - ``t``: ``compare`` with the same test, correction and baselines finds two systems whose means differ by
      ``difference`` with probability ``power``, by a paired t-test. The variance of a pair's differences is 2 MS_e of
      the two-way analysis of variance, which is its mean over all pairs of systems.
    - ``anova``: one-way analysis of variance of ``systems`` systems whose best and worst differ by ``difference``; the
      variance is that within systems.
    - ``interval``: the interval of a pair's mean difference, of coverage 1 - alpha, is expected to be no wider than
      ``difference``: the pair's own, or Bonferroni's where ``compare`` would give that.

    The critical value is the one that ``compare`` would use: Holm's, BH's and Bonferroni's at alpha over the number of
    pairs (the first step, so that more differences make it easier), Tukey's and Dunnett's own, and for max-t the one of
    as many independent comparisons as 2,000 sign flips of these scores amount to, more of them in proportion to the
    pairs where more systems are planned than these scores have.

    Args:
        scores: of one measure, dims (topic, system), complete: a pilot, or last year's collection.
        difference: larger than 0, in units of the measure.
        design: which.
        power: in (0, 1); not used by ``interval``.
        alpha: level of the test, in (0, 1).
        systems: that will be compared; as many as the scores have, by default.
        test: of the comparison; planned as t-tests unless it is one of all systems at once.
        correction: for the number of pairs; the test's default where None, ``none`` for one pair that was chosen
            before looking.
        baselines: as in ``compare``.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        InputError: fewer than two systems or topics, a missing score, or scores that do not vary.
        UsageError: numbers outside their range, or a wrong word.

    Reference:
        Sakai 2016, Topic set size design. doi:10.1007/s10791-015-9273-z
    """
    above(0, difference=difference)
    sums_do = design != "anova" and correction_of(test, correction) not in MAX_T
    matrix, count, deviation = _planned(filled(scores, missing_scores), design, power, alpha, systems, sums_do=sums_do)
    family = family_of(matrix, baselines, count, test, correction, alpha)
    if design == "t":
        n = smallest(lambda n: family.power(n, difference, deviation) >= power)
    elif design == "anova":
        n = smallest(lambda n: anova_power(n, count, difference, deviation, alpha) >= power)
    else:
        n = smallest(lambda n: interval_width(n, deviation, family.each) <= difference)
    return _result(matrix, n, difference, deviation, design, power, alpha, family)


def estimate_detectable_difference(
    scores: ScoresLike | LongScores,
    topics: int | None = None,
    *,
    design: Design = "t",
    power: float = 0.8,
    alpha: float = 0.05,
    systems: int | None = None,
    test: Test = "t",
    correction: Adjustment | None = None,
    baselines: str | Sequence[str] = (),
    missing_scores: MissingScores | None = None,
) -> TopicSetSize:
    """Smallest true difference that so many topics find, or the expected width of the interval; see
    ``estimate_topics_needed``.

    Args:
        scores: of one measure, dims (topic, system), complete.
        topics: at least 2; as many as the scores have, by default.
        design: ``t``, ``anova`` or ``interval``.
        power: in (0, 1).
        alpha: level of the test, in (0, 1).
        systems: that will be compared; as many as the scores have, by default.
        test: as in ``estimate_topics_needed``.
        correction: likewise.
        baselines: likewise.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        InputError: fewer than two systems or topics, a missing score, or scores that do not vary.
        UsageError: numbers outside their range, or a wrong word.
    """
    sums_do = design != "anova" and correction_of(test, correction) not in MAX_T
    matrix, count, deviation = _planned(filled(scores, missing_scores), design, power, alpha, systems, sums_do=sums_do)
    family = family_of(matrix, baselines, count, test, correction, alpha)
    n = len(matrix.topics) if topics is None else topics
    whole(2, topics=n)
    if design == "t":
        found = smallest_effect(lambda size: family.power(n, size, deviation), power)
    elif design == "anova":
        found = smallest_effect(lambda size: anova_power(n, count, size, deviation, alpha), power)
    else:
        found = interval_width(n, deviation, family.each)
    return _result(matrix, n, found, deviation, design, power, alpha, family)


def _planned(
    scores: ScoresLike | LongScores, design: str, power: float, alpha: float, systems: int | None, *, sums_do: bool
) -> tuple[Matrix | LongScores, int, float]:
    word("design", design, get_args(Design))
    share(power=power, alpha=alpha)
    if power <= alpha:
        raise UsageError(f"power={power} should be larger than alpha={alpha}")
    matrix = long_or_held(scores, sums_do=sums_do)
    matrix.at_least(2, 2, "planning")
    count = len(matrix.systems) if systems is None else systems
    whole(2, systems=count)
    if isinstance(matrix, LongScores):
        variance, largest = 2.0 * matrix.residual.mean_square, matrix.largest
    else:
        table = matrix.complete("planning")
        largest = float(np.abs(table).max())
        variance = table.var(axis=0, ddof=1).mean() if design == "anova" else 2.0 * two_way(table).ms_residual
    if variance <= (1e-12 * largest) ** 2:
        raise InputError(f"{matrix.called} does not vary over topics: any number of topics finds any difference")
    return matrix, count, float(np.sqrt(variance))


def _result(
    matrix: Standing,
    n: int,
    difference: float,
    deviation: float,
    design: str,
    power: float,
    alpha: float,
    family: Family,
) -> TopicSetSize:
    settings: dict[str, Any] = {"design": design, "power": None if design == "interval" else power, "alpha": alpha}
    settings["systems"] = family.systems
    if design != "anova":
        settings |= {"test": family.test, "correction": family.correction, "pairs": family.pairs}
    signature = matrix.signature("topic set size", **settings, difference=difference, topics=n)
    return TopicSetSize(n, difference, deviation, settings, signature)

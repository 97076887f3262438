"""The number of topics that a collection needs, and the difference that its topics can find, by the tests used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from scipy.special import stdtr

from cranfield._message import setting
from cranfield._text import counted
from cranfield._validation import above, check_integer, share, word
from cranfield.comparison.outcome import MAX_T, Adjustment, choose_correction
from cranfield.comparison.pair_choice import choose_pairs, list_baselines
from cranfield.errors import InputError, UsageError
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.missing_scores import MissingScores
from cranfield.scores.opening import Needs, open_scores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.max_t import max_t_by_flips
from cranfield.statistics.monte_carlo import most_hits
from cranfield.statistics.power import (
    POWER,
    anova_power,
    interval_width,
    smallest,
    smallest_effect,
    t_power,
    two_sided_power,
)
from cranfield.statistics.resampling import sign_flips
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.simultaneous import dunnett_quantile, tukey_quantile
from cranfield.statistics.test_names import SIMULTANEOUS, Test

SizeDesign = Literal["t", "anova", "interval"]
SpreadOfPairs = Literal["mean", "largest"]
"""Whose spread a plan is made for: the mean of the pairs that are compared, or the pair whose differences vary most."""


@dataclass(frozen=True, eq=False, repr=False)
class TopicSetSize(Result):
    """The difference that a number of topics can distinguish.

    Args:
        topics: how many.
        difference: the true difference of means that they find, or the width of the interval.
        deviation: standard deviation that was taken as known: of a pair's differences (``t``, ``interval``), or of a
            system's scores (``anova``).
        settings: design, power, alpha, number of systems; of the designs ``t`` and ``interval`` the ``test``, its
            ``correction``, the number of ``pairs`` that it is for, the ``baseline`` where there is one, and the
            ``spread``.
        signature: all that changes these numbers.
    """

    topics: int
    difference: float
    deviation: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"values": self._values}

    def answer(self, table: str) -> str:
        """Say how large a difference these topics find."""
        topics, settings = counted(self.topics, "topic"), self.settings
        if settings["design"] == "interval":
            return (
                f"With {topics}, the {1 - settings['alpha']:.4g} interval of a difference is expected to be "
                f"{self.difference:.4f} wide at most."
            )
        what = f"a true difference of {self.difference:.4f}"
        if settings["design"] == "anova":
            systems = counted(settings["n_systems"], "system")
            what = f"that means differ of {systems}, the best and worst {self.difference:.4f} apart"
        found = "finds" if self.topics == 1 else "find"
        return f"{topics} {found} {what} with probability {settings['power']:g} at {settings['alpha']:g}."

    def caption(self, table: str) -> str:
        """Name the pairs whose spread was taken, and how many are tested together."""
        settings = self.settings
        if settings["design"] == "anova":
            return f"deviation: {self.deviation:.4f}, of the scores of a system"
        pairs = counted(settings["pairs"], "pair")
        whose = "of the pair" if settings["pairs"] == 1 else f"of {pairs} on average: others that vary more need more"
        if settings["test"] in SIMULTANEOUS:
            whose = f"one for all {pairs}"
        elif settings["spread"] == "largest":
            whose = f"of that of {pairs} that varies most, which is enough for any"
        tested = f"test={settings['test']}, correction={settings['correction']}"
        return f"deviation of differences: {self.deviation:.4f}, {whose}; {tested}"


def estimate_topics_needed(
    scores: ScoresLike | Scores,
    difference: float,
    *,
    design: SizeDesign = "t",
    power: float = POWER,
    alpha: float = 0.05,
    n_systems: int | None = None,
    test: Test = "t",
    correction: Adjustment | None = None,
    baseline: str | Sequence[str] = (),
    spread: SpreadOfPairs = "mean",
    missing_scores: MissingScores | None = None,
) -> TopicSetSize:
    """Fewest topics that find a true difference, planned from the spread of these scores.

    - ``t``: ``compare`` with the same test, correction and baseline finds two systems whose means differ by
      ``difference`` with probability ``power``, by a paired t-test. The variance of a pair's differences is the mean
      over the pairs that are compared, 2 MS_e of the two-way analysis of variance where these are all pairs; with
      ``spread="largest"`` it is that of the pair that varies most, so that it is enough for any pair.
    - ``anova``: one-way analysis of variance of ``n_systems`` systems whose best and worst differ by ``difference``;
      the variance is that within systems.
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
        n_systems: that will be compared; as many as the scores have, by default.
        test: of the comparison; planned as t-tests unless it is one of all systems at once.
        correction: for the number of pairs; the test's default where None, ``none`` for one pair that was chosen
            before looking.
        baseline: as in ``compare``: the spread, too, is that of its pairs.
        spread: ``mean`` or ``largest``, of the pairs' variances; tests of all systems at once have one for all pairs.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        InputError: fewer than two systems or topics, a missing score, or scores that do not vary.
        UsageError: numbers outside their range, or a wrong word.

    Reference:
        Sakai 2016, Topic set size design. doi:10.1007/s10791-015-9273-z
    """
    above(0, difference=difference)
    matrix = _open_pilot(scores, missing_scores, design, test, correction)
    count = _planned(matrix, design, power, alpha, n_systems)
    family = _plan_family(matrix, baseline, count, test, correction, alpha)
    deviation = _choose_deviation(matrix, design, family, baseline, spread)
    if design == "t":
        n = smallest(lambda n: family.power(n, difference, deviation) >= power)
    elif design == "anova":
        n = smallest(lambda n: anova_power(n, count, difference, deviation, alpha) >= power)
    else:
        n = smallest(lambda n: interval_width(n, deviation, family.pair_alpha) <= difference)
    return _result(matrix, n, difference, deviation, design, power, alpha, family, baseline, spread)


def estimate_detectable_difference(
    scores: ScoresLike | Scores,
    n_topics: int | None = None,
    *,
    design: SizeDesign = "t",
    power: float = POWER,
    alpha: float = 0.05,
    n_systems: int | None = None,
    test: Test = "t",
    correction: Adjustment | None = None,
    baseline: str | Sequence[str] = (),
    spread: SpreadOfPairs = "mean",
    missing_scores: MissingScores | None = None,
) -> TopicSetSize:
    """Smallest true difference that this number of topics finds, or the expected width of the interval; see
    ``estimate_topics_needed``.

    Args:
        scores: of one measure, dims (topic, system), complete.
        n_topics: at least 2; as many as the scores have, by default.
        design: ``t``, ``anova`` or ``interval``.
        power: in (0, 1).
        alpha: level of the test, in (0, 1).
        n_systems: that will be compared; as many as the scores have, by default.
        test: as in ``estimate_topics_needed``.
        correction: likewise.
        baseline: likewise.
        spread: likewise.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        InputError: fewer than two systems or topics, a missing score, or scores that do not vary.
        UsageError: numbers outside their range, or a wrong word.
    """
    matrix = _open_pilot(scores, missing_scores, design, test, correction)
    count = _planned(matrix, design, power, alpha, n_systems)
    family = _plan_family(matrix, baseline, count, test, correction, alpha)
    deviation = _choose_deviation(matrix, design, family, baseline, spread)
    n = matrix.topic_count if n_topics is None else n_topics
    check_integer(2, n_topics=n)
    if design == "t":
        smallest_difference = smallest_effect(lambda size: family.power(n, size, deviation), power)
    elif design == "anova":
        smallest_difference = smallest_effect(lambda size: anova_power(n, count, size, deviation, alpha), power)
    else:
        smallest_difference = interval_width(n, deviation, family.pair_alpha)
    return _result(matrix, n, smallest_difference, deviation, design, power, alpha, family, baseline, spread)


def _open_pilot(
    scores: ScoresLike | Scores,
    missing_scores: MissingScores | None,
    design: SizeDesign,
    test: Test,
    correction: Adjustment | None,
) -> Scores:
    blockwise = design != "anova" and choose_correction(test, correction) not in MAX_T
    needs = Needs("planning", topics=2, systems=2, complete=True, blockwise=blockwise)
    return open_scores(scores, needs, missing_scores=missing_scores)


def _planned(matrix: Scores, design: str, power: float, alpha: float, systems: int | None) -> int:
    word("design", design, get_args(SizeDesign))
    share(power=power, alpha=alpha)
    if power <= alpha:
        raise UsageError(f"power={power} should be larger than alpha={alpha}")
    count = len(matrix.systems) if systems is None else systems
    check_integer(2, n_systems=count)
    return count


def _choose_deviation(
    matrix: Scores, design: SizeDesign, family: Family, baseline: str | Sequence[str], spread: SpreadOfPairs
) -> float:
    """Return the standard deviation of a pair's differences, or, for ANOVA, of a system's scores.

    Raises:
        InputError: there is none.
        UsageError: a wrong word.
    """
    word("spread", spread, get_args(SpreadOfPairs))
    against = list_baselines(family.test, baseline)
    if design == "anova":
        variance = matrix.values.var(axis=0, ddof=1).mean()
    elif family.test in SIMULTANEOUS or (spread == "mean" and not against):
        variance = 2.0 * matrix.two_way.ms_residual
    else:
        variances = matrix.differences(choose_pairs(matrix, against)).tested("t")[0].deviation ** 2
        variance = variances.max() if spread == "largest" else variances.mean()
    if variance <= (NOISE * matrix.largest) ** 2:
        raise InputError(f"{matrix.called} does not vary over topics: any number of topics finds any difference")
    return float(np.sqrt(variance))


def _result(
    matrix: Scores,
    n: int,
    difference: float,
    deviation: float,
    design: str,
    power: float,
    alpha: float,
    family: Family,
    baseline: str | Sequence[str],
    spread: SpreadOfPairs,
) -> TopicSetSize:
    settings: dict[str, Any] = {"design": design, "power": None if design == "interval" else power, "alpha": alpha}
    settings["n_systems"] = family.systems
    if design != "anova":
        settings |= {"test": family.test, "correction": family.correction, "pairs": family.pairs}
        settings |= {"spread": spread} | ({"baseline": list_baselines(family.test, baseline)} if baseline else {})
    signature = matrix.signature("topic set size", **settings, difference=difference, topics=n)
    return TopicSetSize(n, difference, deviation, settings, signature)


FLIPS = 2000
"""Sign flips of the scores that a plan is made from."""


@dataclass(frozen=True)
class Family:
    """Pairs that are tested together.

    Args:
        systems: how many.
        pairs: of them that are compared.
        test: of the pairs.
        correction: for their number.
        alpha: level of the family.
        pair_alpha: the level at which a test of a single pair is as strict.
    """

    systems: int
    pairs: int
    test: Test
    correction: Adjustment
    alpha: float
    pair_alpha: float

    def power(self, topics: int, difference: float, deviation: float) -> float:
        """Probability of finding a true mean difference.

        Args:
            topics: at least 2.
            difference: true mean difference.
            deviation: standard deviation of the pair's differences, positive.
        """
        if self.test not in SIMULTANEOUS:
            return t_power(topics, difference, deviation, self.pair_alpha)
        df = float((topics - 1) * (self.systems - 1))
        if self.test == "dunnett":
            critical = dunnett_quantile(self.alpha, self.systems - 1, df)
        else:
            critical = tukey_quantile(self.alpha, self.systems, df) / np.sqrt(2.0)
        return two_sided_power(np.sqrt(topics) * abs(difference) / deviation, df, float(critical))


def _plan_family(
    matrix: Scores,
    baseline: str | Sequence[str],
    systems: int,
    test: Test,
    correction: Adjustment | None,
    alpha: float,
) -> Family:
    """The family that ``compare`` would test.

    Args:
        matrix: scores of a pilot, complete.
        baseline: as in ``compare``.
        systems: how many will be compared.
        test: likewise.
        correction: likewise.
        alpha: level of the family.

    Raises:
        UsageError: an unknown word or system, or more baselines than systems.
    """
    chosen = choose_correction(test, correction)
    against = list(dict.fromkeys(list_baselines(test, baseline)))
    pilot = choose_pairs(matrix, against)
    if against and len(against) >= systems:
        raise UsageError(f"{setting('n_systems', systems)} should be more than the {len(against)} baselines among them")
    columns = range(len(against))
    pairs = len(Contrasts.against(systems, columns) if against else Contrasts.all_pairs(systems))
    if chosen == "none":
        pair_alpha = alpha
    elif chosen in MAX_T:
        # A part of the family needs a smaller critical value, a larger one at most a value larger in proportion.
        amount = _count_independent(matrix, pilot, alpha) * max(1.0, pairs / len(pilot))
        pair_alpha = alpha / min(float(pairs), amount)
    else:
        pair_alpha = alpha / pairs
    return Family(systems, pairs, test, chosen, alpha, pair_alpha)


def _count_independent(matrix: Scores, pairs: Contrasts, alpha: float) -> float:
    """The number of independent comparisons for which Bonferroni's critical value is that of max-t over these pairs."""
    n = len(matrix.topics)
    signs, exact = sign_flips(n, FLIPS, np.random.default_rng(1))
    family = max_t_by_flips(matrix.values, signs, pairs)
    critical = family.critical(most_hits(alpha, len(signs), exact=exact))
    if np.isinf(critical):
        return float(len(pairs))
    return max(1.0, alpha / (2.0 * float(stdtr(n - 1.0, -critical))))

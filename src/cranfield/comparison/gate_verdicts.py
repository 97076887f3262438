"""Is a new system worse than its baseline by more than a margin, is it surely not, or can these topics not say?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from cranfield._typing import Floats
from cranfield.statistics.equivalence import noninferiority_power, within_margin

Verdict = Literal["no regression", "regression", "cannot tell"]
PASSED, FAILED, OPEN = get_args(Verdict)
ENOUGH = 0.8
"""Power at which topics are enough to show a margin."""
MOST_TOPICS = 1 << 20
"""No collection has more."""


@dataclass(frozen=True)
class GateTests:
    """What the tests of a gate are made of, [..., systems, measures].

    Args:
        gain: means of the new systems less those of the baseline, larger being better.
        error: their standard errors; where one is zero, the gain itself decides.
        df: their degrees of freedom.
        margin: the loss that is put up with, above 0, [measures].
    """

    gain: Floats
    error: Floats
    df: Floats
    margin: Floats

    def p(self) -> tuple[Floats, Floats]:
        """Of the hypotheses that the loss is the margin or more, and that it is the margin or less; not corrected."""
        # Each measure has a margin of its own, in units of which gains and errors are.
        found = within_margin(self.gain / self.margin, self.error / self.margin, self.df, 1.0)
        return found.p_lower, stdtr(self.df, found.t_lower)


@dataclass(frozen=True)
class Judged:
    """Of each system by each measure, [..., systems, measures].

    Args:
        low: lower limit of the gain, of all systems together; above -margin exactly where there is no regression.
        high: upper limit, of all systems and measures together; below -margin exactly where there is a regression.
        p_no_regression: of the hypothesis that the loss is the margin or more, corrected for the number of systems.
        p_regression: of the hypothesis that it is the margin or less, corrected for those of systems and measures.
        verdicts: ``Verdict`` of each.
        passing: level at which no regression was decided.
    """

    low: Floats
    high: Floats
    p_no_regression: Floats
    p_regression: Floats
    verdicts: NDArray[np.object_]
    passing: float

    def of_difference(self, system: int, measure: int, larger_is_better: bool) -> tuple[float, float]:
        """Both limits as those of the difference of means, new less baseline."""
        low, high = float(self.low[system, measure]), float(self.high[system, measure])
        return (low, high) if larger_is_better else (0.0 - high, 0.0 - low)


def judge(tests: GateTests, alpha: float) -> Judged:
    """One-sided t-tests of each mean gain against -margin, in both directions.

    All measures must show that a system is no regression, for which measures need no correction (the test of a union
    of hypotheses is the intersection of their tests), and systems Bonferroni's. One measure is enough for a
    regression, so that both are corrected for. Hence the probability that any system is wrongly called no regression is
    at most alpha, and so is the probability that any is wrongly called a regression.

    Args:
        tests: what is tested.
        alpha: level of each kind of verdict, in (0, .5).

    References:
        Berger 1982, Multiparameter hypothesis testing and acceptance sampling. doi:10.1080/00401706.1982.10487790
        Piaggio et al. 2012, Reporting of noninferiority and equivalence randomized trials.
        doi:10.1001/jama.2012.87802
    """
    systems, rows = tests.gain.shape[-2], tests.gain.shape[-2] * tests.gain.shape[-1]
    superior, inferior = tests.p()
    corrected = np.minimum(1.0, systems * superior), np.minimum(1.0, rows * inferior)
    return judged_at(tests, (alpha / systems, alpha / rows), corrected)


def judged_at(tests: GateTests, levels: tuple[float, float], corrected: tuple[Floats, Floats]) -> Judged:
    """Verdicts at given levels.

    Args:
        tests: what is tested.
        levels: at which no regression, and a regression, is decided.
        corrected: p of the two, corrected for as much as the levels are.
    """
    passing, failing = levels
    superior, inferior = tests.p()
    verdicts = np.full(tests.gain.shape, OPEN, dtype=object)
    verdicts[superior < passing], verdicts[inferior < failing] = PASSED, FAILED
    low, high = (sign * stdtrit(tests.df, level) * tests.error for sign, level in ((1, passing), (-1, failing)))
    return Judged(tests.gain + low, tests.gain + high, *corrected, verdicts, passing)


def topics_needed(deviation: float, margin: float, level: float) -> float:
    """The smallest number of topics that shows the margin in 80% of cases if both systems are equal.

    Args:
        deviation: standard deviation of the differences.
        margin: above 0.
        level: of the test.

    Returns:
        At least 2; infinite where no collection has so many.
    """

    def enough(topics: int) -> bool:
        error = np.array([deviation / np.sqrt(topics)])
        return bool(noninferiority_power(error, np.array([topics - 1.0]), margin, level)[0] >= ENOUGH)

    if not enough(MOST_TOPICS):
        return np.inf
    # By quantiles of t it is found to within a few topics, so that the integral is asked for few numbers.
    ratio = deviation / margin
    low = 1 + _topics_by(ratio, ndtri(level) - ndtri(ENOUGH))
    low = max(1, _topics_by(ratio, stdtrit(low, level) - stdtrit(low, ENOUGH)) - 2)
    step = 1
    while low > 1 and enough(low):
        low, step = max(1, low - step), 2 * step
    high, step = low + 1, 1
    while not enough(high):
        low, high, step = high, high + step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


def _topics_by(ratio: float, quantile: float) -> int:
    """How many topics bring a mean as many standard errors away from the margin."""
    return int(min((ratio * quantile) ** 2, MOST_TOPICS))


def overall(verdicts: list[str]) -> Verdict:
    """Of several: a regression where one is, no regression where all are none."""
    if FAILED in verdicts:
        return "regression"
    return "cannot tell" if OPEN in verdicts else "no regression"

"""Is a new system worse than its baseline by more than a margin, is it surely not, or can these topics not say?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from cranfield.arrays import Floats
from cranfield.statistics.equivalence import margin_power, within_margin

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
        found = margin_power(error, np.array([topics - 1.0]), margin, level).noninferiority[0]
        return bool(found >= ENOUGH)

    if not enough(MOST_TOPICS):
        return np.inf
    from cranfield.statistics.sample_size import smallest

    return float(smallest(enough))


def overall(verdicts: list[str]) -> Verdict:
    """Of several: a regression where one is, no regression where all are none."""
    if FAILED in verdicts:
        return "regression"
    return "cannot tell" if OPEN in verdicts else "no regression"

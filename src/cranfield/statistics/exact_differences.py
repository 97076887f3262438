"""The difference of two columns on the same rows as exact sums: its interval and tests without the rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from cranfield._typing import Floats
from cranfield.statistics.exact_sums import Moments
from cranfield.statistics.rounding import NOISE


@dataclass(frozen=True, slots=True)
class Difference:
    """Scores of one system minus those of another by one measure, over the topics that both have scores of.

    Args:
        moments: exact sums of the differences, each rounded once, as ``compare`` takes them.
        largest: size of the largest score of both, of which 1e-12 is rounding and no difference.
    """

    moments: Moments = field(default_factory=Moments)
    largest: float = 0.0

    @classmethod
    def subtract(cls, left: Floats, right: Floats) -> Difference:
        """Subtract the scores of two systems on the same topics; NaN where there is none."""
        z = left - right
        sizes = np.maximum(np.abs(left), np.abs(right))[~np.isnan(z)]
        return cls(Moments.from_values(z), float(sizes.max(initial=0.0)))

    def __add__(self, other: Difference) -> Difference:
        return Difference(self.moments + other.moments, max(self.largest, other.largest))

    @property
    def topics(self) -> int:
        """On which both have scores."""
        return self.moments.count

    @property
    def mean(self) -> float:
        """The mean difference."""
        return self._cleared[0]

    @property
    def deviation(self) -> float:
        """Their standard deviation; NaN of fewer than two topics."""
        return self._cleared[1]

    @property
    def error(self) -> float:
        """The standard error of the mean; NaN of fewer than two topics."""
        return self._cleared[1] / math.sqrt(max(self.topics, 1))

    @property
    def _cleared(self) -> tuple[float, float]:
        """Mean and standard deviation, 0 where only rounding is left."""
        from cranfield.statistics.paired_tests import without_noise

        mean, deviation = (np.array([value]) for value in (self.moments.mean, math.sqrt(self.moments.variance)))
        moments = without_noise(mean, deviation, np.array([self.largest * NOISE]))
        return float(moments.mean[0]), float(moments.deviation[0])

    @property
    def statistic(self) -> float:
        """Student's t of the paired test; infinite where the difference is the same on every topic."""
        from cranfield.statistics.paired_tests import ratio

        return float(ratio(np.array([self.mean]), np.array([self.error]))[0]) if self.topics > 1 else math.nan

    @property
    def p(self) -> float:
        """Two-sided p of the paired t-test; of exact signs where the difference is the same, not 0, on every topic.

        NaN of fewer than two topics.
        """
        from cranfield.statistics.paired_tests import t_tested
        from cranfield.statistics.rounding import signs_p

        if self.topics < 2:
            return math.nan
        mean, error, df = (np.array([number]) for number in (self.mean, self.error, self.topics - 1.0))
        return float(t_tested(mean, error, df, signs_p(np.array([self.topics]))).p[0])

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Student's interval of the mean difference by itself.

        NaN of fewer than two topics, and where the difference is the same, not 0, on every topic.
        """
        if self.error == 0 and self.mean != 0:
            return math.nan, math.nan
        return student(self.mean, self.error, self.topics, level)

    def negated(self) -> Difference:
        """Right minus left."""
        moments = self.moments
        return Difference(Moments(moments.count, -moments.total, moments.squares, 0.0 - moments.infinite), self.largest)


def student(mean: float, error: float, topics: int, level: float) -> tuple[float, float]:
    """Student's interval of a mean over that many topics; NaN of fewer than two."""
    from cranfield.statistics.intervals import t_interval

    if topics < 2:
        return math.nan, math.nan
    low, high = t_interval(np.array([mean]), np.array([error]), topics - 1.0, level)
    return float(low[0]), float(high[0])

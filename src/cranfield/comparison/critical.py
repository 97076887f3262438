"""How large a t has to be to be found, on any number of topics, by the test and correction of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from cranfield import engine
from cranfield.comparison.compared_pairs import contrasts_of
from cranfield.comparison.outcome import MAX_T, SIMULTANEOUS, Adjustment
from cranfield.comparison.verdicts import correction_of
from cranfield.errors import UsageError
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.scoring.streamed_scores import LongScores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.dunnett import dunnett_quantile
from cranfield.statistics.max_t import max_t_by_flips
from cranfield.statistics.monte_carlo import most_hits
from cranfield.statistics.noncentral import two_sided_power
from cranfield.statistics.resampling import sign_flips
from cranfield.statistics.sample_size import t_power
from cranfield.statistics.studentized_range import tukey_quantile
from cranfield.statistics.tests_by_name import Test

FLIPS = 2000
"""Of the scores that a plan is made from."""


@dataclass(frozen=True)
class Family:
    """Pairs that are tested together.

    Args:
        systems: how many.
        pairs: of them that are compared.
        test: of the pairs.
        correction: for their number.
        alpha: level of the family.
        each: the level at which a pair by itself would be tested alike.
    """

    systems: int
    pairs: int
    test: Test
    correction: Adjustment
    alpha: float
    each: float

    def power(self, topics: int, difference: float, deviation: float) -> float:
        """Probability of finding a true mean difference.

        Args:
            topics: at least 2.
            difference: true mean difference.
            deviation: standard deviation of the pair's differences, positive.
        """
        if self.test not in SIMULTANEOUS:
            return t_power(topics, difference, deviation, self.each)
        df = float((topics - 1) * (self.systems - 1))
        if self.test == "dunnett":
            critical = dunnett_quantile(self.alpha, self.systems - 1, df)
        else:
            critical = tukey_quantile(self.alpha, self.systems, df) / np.sqrt(2.0)
        return two_sided_power(np.sqrt(topics) * abs(difference) / deviation, df, float(critical))


def family_of(
    matrix: Matrix | LongScores,
    baselines: str | Sequence[str],
    systems: int,
    test: Test,
    correction: Adjustment | None,
    alpha: float,
) -> Family:
    """The family that ``compare`` would test.

    Args:
        matrix: scores of a pilot, complete.
        baselines: as in ``compare``.
        systems: that will be compared.
        test: likewise.
        correction: likewise.
        alpha: level of the family.

    Raises:
        UsageError: an unknown word or system, or more baselines than systems.
    """
    chosen = correction_of(test, correction)
    against = [baselines] if isinstance(baselines, str) else list(dict.fromkeys(baselines))
    if test == "dunnett" and len(against) != 1:
        raise UsageError("test='dunnett' compares every system with one baseline: name one with baselines=")
    pilot = contrasts_of(matrix, against)
    if against and len(against) >= systems:
        raise UsageError(f"systems={systems} should be more than the {len(against)} baselines among them")
    places = range(len(against))
    pairs = len(Contrasts.against(systems, places) if against else Contrasts.all_pairs(systems))
    if chosen == "none":
        each = alpha
    elif chosen in MAX_T:
        # A part of the family asks for less, and a larger one at most for more in proportion.
        held = matrix if isinstance(matrix, Matrix) else matrix_of(matrix.load())
        amount = _independent(held, pilot, alpha) * max(1.0, pairs / len(pilot))
        each = alpha / min(float(pairs), amount)
    else:
        each = alpha / pairs
    return Family(systems, pairs, test, chosen, alpha, each)


def _independent(matrix: Matrix, pairs: Contrasts, alpha: float) -> float:
    """As many independent comparisons as max-t over these pairs amounts to: Bonferroni's critical value is the same."""
    n = len(matrix.topics)
    signs, exact = sign_flips(n, FLIPS, np.random.default_rng(1))
    found = max_t_by_flips(matrix.values, signs, pairs, engine.current().count_reached)
    critical = found.critical(most_hits(alpha, len(signs), exact=exact))
    if np.isinf(critical):
        return float(len(pairs))
    return max(1.0, alpha / (2.0 * float(stdtr(n - 1.0, -critical))))

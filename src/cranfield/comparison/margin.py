"""Is a system no worse than another, or as good, by a margin chosen before looking?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, warn
from cranfield.comparison.outcome import MAX_T, SIMULTANEOUS, Outcome, Settings, flat_pairs
from cranfield.comparison.tables import named_pairs
from cranfield.scores.matrix import Standing
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.equivalence import margin_power, within_margin
from cranfield.statistics.intervals import t_interval
from cranfield.statistics.multiplicity import Correction, adjust

if TYPE_CHECKING:
    import pandas as pd

ENOUGH = 0.8
"""Power below which not having found a margin says little."""


def correction_of_margins(how: Settings) -> Correction:
    """That of the test, where it is one of single p-values; else Holm's."""
    if how.correction in MAX_T or how.test in SIMULTANEOUS:
        return "holm"
    return how.correction  # type: ignore[return-value]


def margin_table(
    matrix: Standing, pairs: Contrasts, outcome: Outcome, how: Settings, alpha: float, margin: float
) -> pd.DataFrame:
    """One-sided t-tests of each pair's mean difference against a margin, whatever the test of the difference was.

    Args:
        matrix: whose scores; says which direction is better.
        pairs: left the systems that are to be no worse, right what they are compared with.
        outcome: of these pairs: topics, differences, standard errors.
        how: of the comparison; its correction is that of these p-values too, or Holm's where it has none of its own.
        alpha: level of the one-sided tests, in (0, 1).
        margin: above 0, in units of the measure.

    Returns:
        One row a pair: ``system``, ``other``, ``difference`` and its interval ``low`` to ``high``, of coverage
        1 - 2 alpha (Bonferroni's where p is corrected): inside the margins only where both are equivalent;
        ``p_noninferior`` of the hypothesis that the system is worse by the margin or more, ``p_equivalent`` of the one
        that they differ by the margin or more, both corrected; ``noninferior`` and ``equivalent`` where these lie
        below alpha, never where a pair differs by the same amount, not 0, on every topic, which has no p;
        ``power_noninferior`` and ``power_equivalent``: with what probability so many topics would have found it if the
        systems were equal; ``topics``.
    """
    import pandas as pd

    sign = 1.0 if matrix.larger_is_better else -1.0
    chosen = correction_of_margins(how)
    each = alpha if chosen == "none" else alpha / max(1, len(pairs))
    found = within_margin(sign * outcome.difference, outcome.error, outcome.df, margin)
    power = margin_power(outcome.error, outcome.df, margin, each)
    interval = t_interval(outcome.difference, outcome.error, outcome.df, 1.0 - 2.0 * each)
    flat = flat_pairs(outcome)
    low, high = (np.where(flat, np.nan, end) for end in interval)
    p_noninferior, p_equivalent = (
        adjust(np.where(flat, np.nan, p), chosen) for p in (found.p_lower, found.p_equivalence)
    )
    for what, of, missed in (
        ("non-inferiority by", power.noninferiority, p_noninferior >= alpha),
        ("equivalence within", power.equivalence, p_equivalent >= alpha),
    ):
        weak = int((missed & (of < ENOUGH)).sum())
        if weak:
            warn(
                f"{matrix.called}: {weak:,} of {counted(len(pairs), 'pair')}: even if the systems were equal, "
                f"{max(outcome.topics):,} topics would show {what} {margin:g} in fewer than {ENOUGH:.0%} of cases"
            )
    return pd.DataFrame(
        named_pairs(matrix, pairs)
        | {
            "difference": outcome.difference,
            "low": low,
            "high": high,
            "p_noninferior": p_noninferior,
            "noninferior": np.asarray(p_noninferior < alpha),
            "p_equivalent": p_equivalent,
            "equivalent": np.asarray(p_equivalent < alpha),
            "power_noninferior": power.noninferiority,
            "power_equivalent": power.equivalence,
            "topics": outcome.topics,
        }
    )

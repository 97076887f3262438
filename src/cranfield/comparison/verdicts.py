"""p-values of a family of pairs: adjusted, with their Monte Carlo error, and refused where none can be small enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from cranfield._text import counted, warn
from cranfield._typing import Floats, Ints
from cranfield._validation import word
from cranfield.comparison.outcome import FOR_MAX_T, MAX_T, RESAMPLES, SIMULTANEOUS, Adjustment, Outcome, Settings
from cranfield.errors import UsageError
from cranfield.statistics.monte_carlo import least, passes, samples_needed, standard_error
from cranfield.statistics.multiplicity import adjust
from cranfield.statistics.resampling import is_exact
from cranfield.statistics.tests_by_name import Test

ERRORS = 2.0
"""Monte Carlo standard errors within which a verdict hangs on the seed."""


def correction_of(test: Test, asked: str | None) -> Adjustment:
    """What a test is corrected by, where nothing else is asked for.

    Raises:
        UsageError: an unknown word, or one that the test has not.
    """
    if asked is None:
        return "none" if test in SIMULTANEOUS else "max-t" if test in FOR_MAX_T else "holm"
    word("correction", asked, get_args(Adjustment))
    if test in SIMULTANEOUS and asked != "none":
        raise UsageError(f"test={test!r} adjusts for all pairs itself: leave correction={asked!r} out")
    if asked in MAX_T and test not in FOR_MAX_T:
        tests = " or ".join(f"test={name!r}" for name in FOR_MAX_T)
        raise UsageError(f"correction={asked!r} needs resamples of all pairs together: take {tests}, or 'holm'")
    return asked  # type: ignore[return-value]


def refuse_unattainable(how: Settings, alpha: float, topics: Ints) -> None:
    """Refuse a call in which no pair can be significant, whatever the scores; warn where no number of samples helps.

    Args:
        how: of the test.
        alpha: level of significance.
        topics: of each pair, [pairs].

    Raises:
        UsageError: the correction cannot be passed; the message names how many resamples would do.
    """
    if how.test not in RESAMPLES or not len(topics):
        return
    factor = len(topics) if how.correction in ("holm", "bonferroni") else 1
    flips = [1 << (int(n) - 1) for n in topics if how.test == "permutation" and is_exact(int(n), how.resamples)]
    smallest = least(max(flips), exact=True) if flips else 1.0
    if len(flips) < len(topics):
        smallest = min(smallest, least(how.resamples, exact=False))
    if passes(smallest, factor, alpha):
        return
    over = f"{how.correction} over {factor:,} pairs" if factor > 1 else ""
    instead = "correction='max-t', which asks no more of many pairs than of one"
    if len(flips) == len(topics):
        few = f"{max(topics):,} topics have {max(flips):,} different sign flips"
        if factor > 1 and passes(smallest, 1, alpha):
            raise UsageError(f"{few}, of which no p passes {over} at {alpha:g}: take {instead}")
        warn(f"{few}: p is at least {smallest:g}, and nothing can be significant at {alpha:g}")
        return
    enough = f"resamples={samples_needed(factor, alpha)}"
    if factor > 1:
        raise UsageError(
            f"no p of {how.resamples:,} resamples passes {over} at {alpha:g}: take {enough} or more, or {instead}"
        )
    raise UsageError(f"no p of {how.resamples:,} resamples lies below {alpha:g}: take {enough} or more")


@dataclass(frozen=True)
class Verdicts:
    """Of each pair, [pairs].

    Args:
        p_error: Monte Carlo standard error of p; 0 where nothing was drawn for it.
        adjusted: p for the number of pairs.
        adjusted_error: its Monte Carlo standard error.
        significant: adjusted < alpha.
        unsettled: adjusted lies within two Monte Carlo standard errors of alpha.
    """

    p_error: Floats
    adjusted: Floats
    adjusted_error: Floats
    significant: NDArray[np.bool_]
    unsettled: NDArray[np.bool_]


def verdicts_of(outcome: Outcome, how: Settings, alpha: float) -> Verdicts:
    """Adjust p for the number of pairs; warn of the verdicts that hang on the seed."""
    p, drawn = outcome.p, how.test in RESAMPLES
    exact = exact_pairs(outcome.topics, how)
    error = np.where(exact, 0.0, standard_error(p, how.resamples, exact=False)) if drawn else np.zeros(len(p))
    if outcome.adjusted is None:
        adjusted = adjust(p, how.correction)  # type: ignore[arg-type]
        of_adjusted = error * np.divide(adjusted, p, out=np.ones(len(p)), where=p > 0)
    else:
        adjusted = outcome.adjusted
        of_adjusted = np.zeros(len(p))
        if drawn:
            of_adjusted = np.where(exact, 0.0, standard_error(adjusted, how.resamples, exact=False))
    unsettled = (of_adjusted > 0) & (np.abs(adjusted - alpha) <= ERRORS * of_adjusted)
    if unsettled.any():
        warn(
            f"{int(unsettled.sum()):,} of {counted(len(p), 'pair')} may change sides with another seed, their adjusted "
            f"p being within two Monte Carlo standard errors of alpha: take more resamples than {how.resamples:,}"
        )
    return Verdicts(error, adjusted, of_adjusted, adjusted < alpha, unsettled)


def warn_of_wild_pairs(how: Settings, differing: Any, topics: int) -> None:
    """Warn of pairs that the bootstrap's max-T leaves out; see ``outcome.wild_pairs``.

    Args:
        how: of the test.
        differing: on how many topics the systems of each pair differ, [pairs].
        topics: of the test.
    """
    few = int(((differing > 0) & (2 * differing < topics)).sum())
    if how.test == "bootstrap" and how.correction in MAX_T and few:
        warn(
            f"{few:,} of {counted(len(differing), 'pair')} differ on fewer than half of the topics: their bootstrapped "
            "|t| is no guide, and they are left out of max-T with an adjusted p of 1; test='permutation' judges them"
        )


def exact_pairs(topics: Ints, how: Settings) -> NDArray[np.bool_]:
    """Of which pairs p is from all sign flips, [pairs]."""
    known: dict[int, Any] = {int(n): is_exact(int(n), how.resamples) for n in np.unique(topics)}
    return np.array([how.test == "permutation" and known[int(n)] for n in topics], dtype=np.bool_)

"""Margins of loss: one for each measure, tests of them, and warnings of those that no mean could lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, quoted, shown, warn
from cranfield._typing import Floats
from cranfield._validation import above
from cranfield.comparison.outcome import MAX_T, PairedOutcome, Procedure, find_flat
from cranfield.comparison.result import named_pairs
from cranfield.errors import MeasureError, UsageError
from cranfield.measures import parse_measures
from cranfield.scores.measure_scores import Scores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.intervals import t_interval
from cranfield.statistics.multiple_testing import Correction, adjust
from cranfield.statistics.paired_tests import margin_power, within_margin
from cranfield.statistics.power import POWER
from cranfield.statistics.rounding import NOISE
from cranfield.statistics.test_names import SIMULTANEOUS

if TYPE_CHECKING:
    import pandas as pd


def resolve_margins(margin: float | Mapping[str, float], matrices: Sequence[Scores]) -> dict[str, float]:
    """The margin of each measure, in their order, with a warning where no system could lose so much.

    Args:
        margin: one for all, or of each.
        matrices: the scores by each.

    Raises:
        UsageError: a margin is missing, is for no measure, or is not above 0.
    """
    names = [scores.measure for scores in matrices]
    margins = dict(margin) if isinstance(margin, Mapping) else dict.fromkeys(names, margin)
    for name in margins:
        if name not in names:
            raise UsageError(f"margin: {quoted(name)} is none of the measures {', '.join(map(shown, names))}")
    for name in names:
        if name not in margins:
            raise UsageError(f"margin: there is none for {shown(name)}: give one, or one for all measures")
        above(0, margin=margins[name])
    for scores in matrices:
        warn_of_vain(scores, float(margins[scores.measure]), "none can be a regression")
    return {name: float(margins[name]) for name in names}


def warn_of_vain(table: Scores, margin: float, outcome: str) -> None:
    """Warn where no mean can lose more than the margin, which makes everything pass.

    Args:
        table: scores.
        margin: of their measure.
        outcome: what then holds whatever the scores are.
    """
    lowest, highest = _usual_range(table.measure)
    if margin < highest - lowest:
        return
    means = table.means[~np.isnan(table.means)]
    # Scores of another scale, such as percentages, are only called like a measure of ours.
    if bool(((means >= lowest) & (means <= highest)).all()):
        warn(
            f"the margin of {shown(table.measure)} is {margin:g}, and its values lie between {lowest:g} and "
            f"{highest:g}: no mean loses more, so that {outcome}; choose a smaller one"
        )


def find_range(measure: str, evaluations: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """The smallest and the largest value that a measure can have; infinite where it is not one of ours.

    Args:
        measure: its name, with its parameters.
        evaluations: signatures of what made its scores: labels below zero widen the range only where they are kept.
    """
    try:
        (parsed,) = parse_measures(measure)
    except (MeasureError, ValueError):
        return -np.inf, np.inf
    declaration = parsed.declaration
    defaults = {name: parameter.default for name, parameter in declaration.parameters.items()}
    own = {name for name, value in parsed.parameters.items() if value != defaults[name]} - {declaration.at}
    is_default = all(made.get("negative") == "zero" and made.get("compat") == "none" for made in evaluations)
    return declaration.usual_range if is_default and not own else parsed.range


def _usual_range(measure: str) -> tuple[float, float]:
    """The usual range of a measure, or that of its parameters; infinite where it is not one of ours."""
    try:
        (parsed,) = parse_measures(measure)
    except (MeasureError, ValueError):
        return -np.inf, np.inf
    usual, widest = parsed.declaration.usual_range, parsed.range
    return usual if widest == parsed.declaration.range else widest


def choose_margin_correction(procedure: Procedure) -> Correction:
    """The test's own correction, where it is one of single p-values; else Holm's."""
    if procedure.correction in MAX_T or procedure.test in SIMULTANEOUS:
        return "holm"
    return procedure.correction  # type: ignore[return-value]


def margin_table(
    scores: Scores, pairs: Contrasts, outcome: PairedOutcome, procedure: Procedure, alpha: float, margin: float
) -> pd.DataFrame:
    """One-sided t-tests of each pair's mean difference against a margin, whatever the test of the difference was.

    Warns where no mean could lose as much, and where topics are too few to show it.

    Args:
        scores: whose direction says which system is better.
        pairs: left the systems that are to be no worse, right what they are compared with.
        outcome: of these pairs: topics, differences, standard errors.
        procedure: of the comparison; its correction is that of these p-values too, or Holm's where it has none of its
            own.
        alpha: level of the one-sided tests, in (0, 1).
        margin: above 0, in units of the measure.

    Returns:
        One row a pair: ``system``, ``other``, ``difference`` and its interval ``low`` to ``high``, of coverage
        1 - 2 alpha (Bonferroni's where p is corrected): inside the margins only where both are equivalent;
        ``p_noninferior`` of the hypothesis that the system is worse by the margin or more, ``p_equivalent`` of the one
        that they differ by the margin or more, both corrected; ``noninferior`` and ``equivalent`` where these lie
        below alpha; where a pair differs by the same amount, not 0, on every topic, there is no interval, and p is that
        of exact signs, as in ``gate``;
        ``power_noninferior``, ``power_equivalent``: the probability that this number of topics would have found it if
        the systems were equal; ``topics``.
    """
    import pandas as pd

    warn_of_vain(scores, margin, "every system is no worse than any other by so much")
    sign = 1.0 if scores.larger_is_better else -1.0
    correction = choose_margin_correction(procedure)
    pair_alpha = alpha if correction == "none" else alpha / max(1, len(pairs))
    tests = within_margin(sign * outcome.difference, outcome.error, outcome.df, margin)
    power = margin_power(outcome.error, outcome.df, margin, pair_alpha)
    interval = t_interval(outcome.difference, outcome.error, outcome.df, 1.0 - 2.0 * pair_alpha)
    flat = find_flat(outcome)
    low, high = (np.where(flat, np.nan, end) for end in interval)
    exact = _exact_margins(scores, sign * outcome.difference, outcome, margin)
    p_noninferior, p_equivalent = (
        adjust(np.where(flat, by_signs, p), correction)
        for by_signs, p in zip(exact, (tests.p_lower, tests.p_equivalence), strict=True)
    )
    for what, powers, missed in (
        ("non-inferiority by", power.noninferiority, p_noninferior >= alpha),
        ("equivalence within", power.equivalence, p_equivalent >= alpha),
    ):
        weak = int((missed & (powers < POWER)).sum())
        if weak:
            warn(
                f"{scores.called}: {weak:,} of {counted(len(pairs), 'pair')}: even if the systems were equal, "
                f"{max(outcome.topics):,} topics would show {what} {margin:g} in fewer than {POWER:.0%} of cases"
            )
    return pd.DataFrame(
        named_pairs(scores, pairs)
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


def _exact_margins(scores: Scores, gain: Floats, outcome: PairedOutcome, margin: float) -> tuple[Floats, Floats]:
    """p of no worse than a margin, and of within it, of pairs whose differences do not vary, [pairs] each."""
    if outcome.constant_p is None:
        return np.full(len(gain), np.nan), np.full(len(gain), np.nan)
    slack = NOISE * scores.largest
    return (
        np.where(gain + margin > slack, outcome.constant_p, 1.0),
        np.where(margin - np.abs(gain) > slack, outcome.constant_p, 1.0),
    )

"""The values of measures on rankings, their summaries, and the intervals that hold the values they could have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.engine.kernels import kernel
from cranfield.errors import MeasureError
from cranfield.measures._declaration import registry
from cranfield.measures._intervals import IntervalRequest, TooManyError
from cranfield.measures._measure import Measure
from cranfield.measures._registry import PACKAGE
from cranfield.measures.gain import label_gain

OURS = f"{PACKAGE}."
"""Prefix of the modules whose measures must not overflow or give invalid numbers; others may divide as they like."""


def values(measure: Measure, rankings: Rankings) -> PerRanking:
    """The value of a measure on each segment, before undefined values are filled, float64 [segments].

    Raises:
        MeasureError: ``ties="expected"`` asks for a mean that this measure does not give.
    """
    value: PerRanking = each_value((measure,), rankings)[0]
    return value


def each_value(measures: Sequence[Measure], rankings: Rankings) -> Floats:
    """The values of several measures, float64 [measures, segments]; they share intermediate results.

    Raises:
        MeasureError: see ``values``.
    """
    out = np.empty((len(measures), len(rankings.length)))
    for number, measure in enumerate(measures):
        seen = seen_by(measure, rankings)
        if seen.policy.ties == "expected":
            _check_expected(measure)
        else:
            seen = seen.in_order()
        out[number] = compute(measure, seen)
    return out


def extremes(measure: Measure, rankings: Rankings) -> tuple[PerRanking, PerRanking]:
    """The smallest and the largest value that an order of equal scores gives, float64 [segments] each.

    Raises:
        MeasureError: a better document further up can hurt (the measure declines the law ``swap``), so nobody
            knows which order is best.
    """
    reason = measure.declines.get("swap")
    if reason is not None:
        raise MeasureError(f"{measure} has no known best order of equal scores ({setting('ties=bounds')}): {reason}")
    rel = measure.parameters.get("rel")
    if "gains" in measure.parameters and rel is not None and rel <= 0:
        raise MeasureError(
            f"{measure} has no known best order of equal scores ({setting('ties=bounds')}): a document that is "
            "relevant by a label "
            "of 0 or less has no gain; give it a rel above 0"
        )
    seen = seen_by(measure, rankings)
    worth = compute_worth(measure, seen, seen.grade)
    ends = [compute(measure, seen.in_order(worth, best=best)) for best in (False, True)]
    return np.minimum(*ends), np.maximum(*ends)


def interval(measure: Measure, rankings: Rankings, among: Mask | None = None) -> tuple[PerRanking, PerRanking]:
    """The smallest and the largest value that judging the unjudged documents could give, [segments] each.

    The interval holds the value itself. See ``_intervals`` for which judgments are possible.

    Args:
        measure: whose values they are.
        rankings: lists of one system.
        among: of all retrieved documents, lists one after the other, those that may be judged; all where None.

    Raises:
        MeasureError: a measure about judgments, one without a known best labelling, or too many labellings.
    """
    from cranfield.measures._intervals.completion import Completion
    from cranfield.measures._intervals.labelling import MOST, by_labelling

    solver = measure.declaration.interval or by_labelling
    if isinstance(solver, str):
        raise MeasureError(f"{measure} has no interval from missing judgments ({setting('bounds', True)}): {solver}")
    seen = seen_by(measure, rankings)
    completion = Completion(seen, measure.parameters.get("cutoff"), among)
    try:
        low, high = solver(completion, _levels(measure, seen), _interval_request(measure))
    except TooManyError:
        raise MeasureError(
            f"{measure}: more than {MOST:,} labellings of the unjudged documents of one list would have to be tried; "
            "give the measure a smaller cutoff"
        ) from None
    value = compute(measure, seen)
    low = np.fmin(low, value)
    # Where only documents below the cutoff could make it defined, nothing above adds to it.
    return low, np.fmax(np.fmax(high, value), low)


def _interval_request(measure: Measure) -> IntervalRequest:
    def value(rankings: Rankings, **changed: Any) -> PerRanking:
        return compute(measure(**changed) if changed else measure, rankings)

    in_order = not {"swap", "exchange"} & measure.declines.keys()
    return IntervalRequest(str(measure), measure.parameters, in_order, value)


def _levels(measure: Measure, rankings: Rankings) -> Floats:
    """Labels that an unjudged document may turn out to have, by rising worth, one of each worth."""
    labels = np.unique(np.append(rankings.pool.grade, 0.0))
    if (measure.parameters.get("negative") or rankings.policy.negative) == "zero":
        labels = labels[labels >= 0]
    if "gains" not in measure.parameters and "rel" in measure.parameters and measure.parameters["rel"] is not None:
        return labels[[0, -1]] if len(labels) > 1 else labels
    worth = compute_worth(measure, rankings, labels)
    _, first = np.unique(worth, return_index=True)
    return labels[first]


def compute_worth(measure: Measure, rankings: Rankings, grade: Floats) -> Floats:
    """The worth of documents with these labels to a measure, relative to an unjudged document at 0."""
    parameters = measure.parameters
    if "gains" in parameters:
        return label_gain(rankings, "log2", parameters["gains"], parameters.get("negative")).of(grade)
    if parameters.get("rel") is not None:
        relevant: Floats = (grade >= parameters["rel"]).astype(np.float64)
        return relevant
    return np.maximum(grade, 0.0)


def _check_expected(measure: Measure) -> None:
    if not measure.expected:
        able = ", ".join(name for name, declaration in registry.items() if declaration.expected)
        instead = "" if "swap" in measure.declines else f"; {setting('ties=bounds')} gives the range"
        raise MeasureError(
            f"{measure} has no closed form of its mean over orders of equal scores ({setting('ties=expected')}); "
            f"these have: {able}{instead}"
        )


def seen_by(measure: Measure, rankings: Rankings) -> Rankings:
    """The rankings as policies let a measure see them.

    Raises:
        MeasureError: the measure has no reading of ``unjudged="mean"``, or of judgments of a sample.
    """
    whole = measure.declaration.whole
    if rankings.pool.strata is not None and not (measure.declaration.sampled or whole):
        sampled = [name for name, declaration in registry.items() if declaration.sampled]
        raise MeasureError(
            f"{measure} would take documents that were not sampled for documents that are not relevant: by judgments "
            f"of a sample, score {' and '.join(sampled)}"
        )
    if rankings.policy.unjudged == "mean" and not whole and "mean_gain" not in measure.declaration.parameters:
        raise MeasureError(
            f"{measure} cannot give unjudged documents a mean gain ({setting('unjudged', 'mean')}): NDCG_std can"
        )
    if rankings.policy.hides_negative and not measure.sees_negative:
        rankings = rankings.without_negatives
    return rankings.condensed if rankings.policy.unjudged == "condense" and not whole else rankings


def compute(measure: Measure, rankings: Rankings) -> PerRanking:
    """The value on each segment of rankings as the measure sees them, see ``seen_by``."""
    function = measure.declaration.function
    strict = {"over": "raise", "invalid": "raise"} if function.__module__.startswith(OURS) else {}
    try:
        with np.errstate(**strict):  # type: ignore[arg-type]
            out = np.asarray(function(rankings, **measure.parameters), dtype=np.float64)
    except (FloatingPointError, OverflowError):
        raise MeasureError(
            f"{measure}: numbers become too large to calculate with; choose smaller parameters or labels"
        ) from None
    if out.shape != rankings.length.shape:
        raise MeasureError(f"{measure} gave values of shape {out.shape}, expected one a list, {rankings.length.shape}")
    return out


def summary(kind: str, block: Floats) -> Floats:
    """One value of each system, [systems, topics] -> [systems]; NaN cells are left out, NaN if none is left.

    Sums are exact before they are rounded, so that neither the order of the topics nor the other systems matter.
    """
    block = averaged(kind, block)
    known = np.count_nonzero(~np.isnan(block), axis=1)
    sums = exact_sums(np.ravel(block), np.arange(len(block) + 1) * block.shape[1])  # of each row, without its NaN
    total = np.where(known > 0, sums, np.nan)
    if kind == "sum":
        return total
    mean: Floats = total / np.maximum(known, 1)
    return np.exp(mean) if kind == "geometric mean" else mean


def averaged(kind: str, values: Floats) -> Floats:
    """Return what of the values is averaged: their logarithms for a geometric mean."""
    return np.log(np.maximum(values, 1e-5)) if kind == "geometric mean" else values


@kernel
def exact_sums(values: Floats, starts: Ints) -> Floats:
    """Sum over each list without its NaN, rounded once."""
    rows = np.split(values, starts[1:-1]) if len(starts) > 1 else []
    return np.array(
        [_sum([value for value in row.tolist() if not math.isnan(value)]) for row in rows], dtype=np.float64
    )


def _sum(values: list[float]) -> float:
    try:
        return math.fsum(values)
    except (OverflowError, ValueError):  # a sum on the way is too large, or both infinities are among them
        return sum(values)

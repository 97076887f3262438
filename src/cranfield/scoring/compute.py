"""Every measure's value on every list, under the policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats, Mask
from cranfield.collection.policy import Policy
from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.measures import Measure, extremes, interval
from cranfield.measures._compute import each_value

Bounds = Literal["none", "order", "judgments"]
"""The source of each value's interval: the order of ties, or missing judgments."""


def bounds_of(policy: Policy, judgments: bool) -> Bounds:
    """The intervals to compute.

    Raises:
        UsageError: intervals of two kinds at once, or of judgments where unjudged documents are dropped.
    """
    if not judgments:
        return "order" if policy.ties == "bounds" else "none"
    if policy.weighs_ties:
        raise UsageError(
            f"bounds=True wants one order of documents, not {setting('ties', policy.ties)}: choose trec, or no bounds"
        )
    if policy.unjudged != "zero":
        raise UsageError(
            f"bounds=True asks what unjudged documents could be; {setting('unjudged', policy.unjudged)} drops them"
        )
    return "judgments"


def cells_of(asked: Sequence[Measure], rankings: Rankings, policy: Policy, bounds: Bounds) -> Floats:
    """Every measure of each list, float64 [1, measures, lists]; NaN where skipped, or undefined and kept so.

    With bounds, float64 [3, measures, lists]: values, least, greatest.
    """
    return under_policy(asked, values_of(asked, rankings, bounds), rankings, policy)


def values_of(asked: Sequence[Measure], rankings: Rankings, bounds: Bounds) -> Floats:
    """The same before the policies are applied: NaN where a measure is undefined."""
    out = np.empty((1 if bounds == "none" else 3, len(asked), len(rankings.length)))
    out[0] = each_value(asked, rankings)
    if bounds != "none":
        for number, measure in enumerate(asked):
            out[1:, number] = (extremes if bounds == "order" else interval)(measure, rankings)
    return out


def under_policy(asked: Sequence[Measure], out: Floats, rankings: Rankings, policy: Policy) -> Floats:
    """Values under the policies; they are written over."""
    if policy.undefined == "declared":
        somewhere: Mask = np.logical_or.reduce(np.isnan(out), axis=(0, 2))
        for number, measure in enumerate(asked):
            cells = out[:, number]
            if not somewhere[number] and len(cells) == 1:
                continue
            unknown = np.isnan(cells)
            cells[unknown] = measure.declaration.peer_undefined.get(policy.compat, measure.undefined)
            if len(cells) > 1:
                cells[1], cells[2] = np.fmin(cells[0], cells[1]), np.fmax(cells[0], cells[2])
    if policy.missing == "skip":
        out[:, :, rankings.length == 0] = np.nan
    if policy.compat == "gdeval":
        out[:, :, rankings.per_topic(rankings.pool.count(low=np.nextafter(0, 1))) == 0] = np.nan
    return out

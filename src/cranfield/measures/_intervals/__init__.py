"""Intervals from missing judgments: what a measure could be if the unjudged documents of a list were judged.

Each retrieved document without a judgment may turn out to have any label of the scale, the labels that the qrels hold
(those below zero only where they count). What it turns out to be also joins the topic's judgments: a document found
relevant makes the ideal list better. The interval holds the smallest and the largest value over all such labellings,
exactly. They are not all tried. Where two documents that change places never hurt if the larger gain moves up (the
laws ``swap`` and ``exchange``), of all labellings with the same labels the best has them falling down the list, and
the worst rising. Documents below the cutoff can only raise what the value is divided by.

Solvers that serve many measures are in ``labelling``; one for a single measure or family is beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings

if TYPE_CHECKING:
    from cranfield.measures._intervals.completion import Completion

Ends = tuple[PerRanking, PerRanking]
"""Smallest and largest value, float64 [segments] each."""


class VariedValue(Protocol):
    """The value of a measure, computed with its parameters or with some of them changed."""

    def __call__(self, rankings: Rankings, **changed: Any) -> PerRanking: ...


@dataclass(frozen=True)
class IntervalRequest:
    """The measure whose interval is wanted.

    Args:
        name: how it prints.
        parameters: name -> value.
        in_order: whether it obeys the laws ``swap`` and ``exchange``, so that the best labels belong at the top.
        value: how it is computed.
    """

    name: str
    parameters: Mapping[str, Any]
    in_order: bool
    value: VariedValue


Solver = Callable[["Completion", Floats, IntervalRequest], Ends]
"""Lists with unknown labels, the labels they may turn out to have by rising worth, and the measure -> the interval."""


class TooManyError(Exception):
    """More labellings would have to be tried than anyone wants to wait for."""

"""Neighbours whose order judging the unjudged documents could turn: no model is needed, only what labels could be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from cranfield._text import percent, shown
from cranfield.collection.policy import Policy
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.measures import parse_measure
from cranfield.scoring.compute import compute_cells

MEASURE = "nDCG@10"


@dataclass(frozen=True)
class ScoreRange:
    """The mean score of a run, and between what it could lie if its unjudged documents were judged.

    Args:
        holes: share of the first ten documents that are unjudged.
        score: with these as not relevant.
        low: by the worst labels, each topic by itself.
        high: by the best labels.
    """

    holes: float
    score: float
    low: float
    high: float

    @classmethod
    def find(cls, rankings: Rankings, holes: float) -> ScoreRange | None:
        """Return the range of a run; None where its score is not defined or labellings are too many to be tried."""
        try:
            score, low, high = compute_cells([parse_measure(MEASURE)], rankings, Policy(), "judgments")[:, 0]
        except MeasureError:
            return None
        defined = ~np.isnan(score)
        if not defined.any():
            return None
        return cls(holes, *(float(values[defined].mean()) for values in (score, low, high)))

    def describe(self, name: str) -> str:
        """Name the run, its score and what that could be."""
        could = f"{self.score:.4f}, could be {self.low:.4f} to {self.high:.4f}"
        return f"{shown(name)} ({could}; {percent(self.holes)} unjudged)"


def find_open_orders(ranges: Mapping[str, ScoreRange]) -> dict[str, Any] | None:
    """Return how many neighbours have overlapping ranges, and the first of them; None where there are none.

    Ranges are each run's own. Two runs with the same unjudged documents share their labels, so that fewer orders may be
    open; none that is open is left out.
    """
    order = sorted(ranges, key=lambda name: (-ranges[name].score, name))
    pairs = list(pairwise(order))
    is_open = [
        (better, other)
        for better, other in pairs
        if ranges[other].high > ranges[better].low and ranges[better] != ranges[other]
    ]
    if not is_open:
        return None
    better, other = (ranges[name].describe(name) for name in is_open[0])
    return {"count": len(is_open), "neighbours": len(pairs), "better": better, "other": other}

"""Systems whose scores are the same, or nearly: copies of a run, and variants that hardly differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cranfield._typing import Mask
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import open_measures
from cranfield.statistics.rounding import NOISE

NEARLY = 0.9
"""Share of the topics on which two systems have the same scores, above which they are worth a look."""


class DuplicatePair(NamedTuple):
    """Two systems, the earlier one first.

    Args:
        system, other: names.
        same: topics on which all measures are equal.
        topics: all of them.
    """

    system: str
    other: str
    same: int
    topics: int

    @property
    def identical(self) -> bool:
        """True if the two are equal on every topic."""
        return self.same == self.topics


def find_duplicates(scores: Sequence[ScoresLike]) -> tuple[DuplicatePair, ...]:
    """Pairs of systems with the same scores by every measure, on all topics or on more than nine of ten.

    Topics on which both score 0 by every measure say nothing of two systems and are not counted as the same.

    Args:
        scores: of measures, dims (topic, system), topics and systems in the same order.
    """
    matrices = [matrix for dataset in scores for matrix in open_measures(dataset)]
    systems, topics = matrices[0].systems, len(matrices[0].topics)
    tables = np.stack([np.ascontiguousarray(matrix.values.T) for matrix in matrices], axis=2)
    pairs = []
    for left in range(len(systems) - 1):
        first: Mask = equal_scores(tables[left + 1 :, :, 0], tables[left, :, 0])
        near = left + 1 + np.flatnonzero(first.sum(axis=1) > NEARLY * topics)
        for right in near.tolist():
            same = equal_scores(tables[right], tables[left]).all(axis=1)
            telling = same & (np.nan_to_num(tables[left]) != 0).any(axis=1)
            identical = bool(same.all()) and bool(telling.any())
            if identical or telling.sum() > NEARLY * topics:
                pairs.append(DuplicatePair(systems[left], systems[right], int(same.sum()), topics))
    return tuple(pairs)


def equal_scores(left: np.ndarray, right: np.ndarray) -> Mask:
    """Mark the cells whose scores are the same; two missing scores are the same too."""
    equal: Mask = (np.abs(left - right) <= NOISE) | (np.isnan(left) & np.isnan(right))
    return equal

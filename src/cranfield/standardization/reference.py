"""Parameters learnt from the reference systems: the mean, standard deviation and ordered scores of each topic."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield._typing import Floats, Ints

ROUNDED = 1e-9
"""Share of the largest deviation up to which what rounding takes from a mean is nothing."""


@dataclass(frozen=True)
class Reference:
    """Scores of the reference systems by one measure.

    Args:
        topics: their names.
        ordered: scores of each topic in ascending order, float64 [topics, systems]; NaN after the known ones.
        mean: of each topic, [topics].
        sd: with n - 1, [topics]; 0 for equal scores, NaN for a single one.
        low: the rounding error of the mean, [topics]; 0 where it is negligible against the sd.
    """

    topics: tuple[str, ...]
    ordered: Floats
    mean: Floats
    sd: Floats
    low: Floats

    @cached_property
    def count(self) -> Ints:
        """Known scores of each topic, [topics]."""
        scored: Ints = (~np.isnan(self.ordered)).sum(axis=1)
        return scored

    def z(self, scores: Floats) -> Floats:
        """(x - mean) / sd, [topics, systems]; scores as they are where all reference scores are equal."""
        equal = self.sd == 0
        mean, sd = np.where(equal, 0.0, self.mean), np.where(equal, 1.0, self.sd)
        z: Floats = scores - mean[:, None]
        z -= np.where(equal, 0.0, self.low)[:, None]
        z /= sd[:, None]
        return z

    def take(self, topics: tuple[str, ...], rows: Ints) -> Reference:
        """The factors of a subset of the topics."""
        return Reference(topics, self.ordered[rows], self.mean[rows], self.sd[rows], self.low[rows])


def learn(topics: tuple[str, ...], scores: Floats) -> Reference:
    """Reference from scores [topics, systems], NaN cells left out; every topic has a score."""
    # Sums depend in their last bit on how numbers lie in memory: the same scores should give the same bits.
    ordered = np.sort(np.ascontiguousarray(scores), axis=1)
    scored = ~np.isnan(ordered)
    count = scored.sum(axis=1)
    deviations = np.where(scored, ordered, 0.0)
    mean = deviations.sum(axis=1) / count
    deviations -= mean[:, None]
    deviations *= scored
    low = deviations.sum(axis=1) / count
    low = np.where(np.abs(low) > ROUNDED * np.abs(deviations).max(axis=1), low, 0.0)
    deviations -= low[:, None]
    deviations *= scored
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(np.einsum("ij,ij->i", deviations, deviations) / (count - 1))
    # Equal scores differ from their mean by what its sum was rounded.
    equal = (ordered[:, 0] == np.take_along_axis(ordered, count[:, None] - 1, axis=1)[:, 0]) & (count > 1)
    return Reference(
        topics, ordered, np.where(equal, ordered[:, 0], mean), np.where(equal, 0.0, sd), np.where(equal, 0.0, low)
    )

"""Gain discounted by rank, and that of the best ranking, of the worst, and of random orders of the judged documents."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._gain import Gain
from cranfield.statistics._numeric import ratio

MARGIN = 1e-12
"""Sums that are equal in exact arithmetic are often a rounding apart, relative to their terms."""


class RandomOrder(NamedTuple):
    """DCG of random orders of the judged documents of each list's topic, float64 [segments] each."""

    depth: Floats
    """Ranks that are looked at: min(k, m) of m judged documents."""
    mean: Floats
    """Mean gain of the judged documents, NaN without any."""
    expected: Floats
    """Mean DCG of all their orders: the mean gain times the sum of the discounts."""
    best: Floats
    """DCG of their best order, whatever the gains in it."""
    scale: Floats
    """Size of the terms that these are sums of; differences are known to ``MARGIN`` times that."""

    @property
    def room(self) -> Floats:
        """How far the best order is above the expected one, float64 [segments].

        NaN where no order is better than another: all gains are equal, or all ranks count alike and all are looked at.
        """
        room = self.best - self.expected
        usable: Floats = np.where(room > MARGIN * self.scale, room, np.nan)
        return usable


@dataclass(frozen=True)
class Discounting:
    """A gain, a discount and a cutoff: all that a discounted cumulated gain depends on but the ranking.

    Args:
        gain: of a label.
        discount: ``log2`` or ``jk``, see ``DCG``.
        b: base of ``jk``.
        cutoff: ranks that are looked at, all where None.
    """

    gain: Gain
    discount: str = "log2"
    b: float = 2
    cutoff: int | None = None

    def divisor(self, rank: Floats) -> Floats:
        """The divisor of a gain at each rank."""
        jk = self.discount == "jk"
        divisor: Floats = np.maximum(np.log(rank) / np.log(self.b), 1.0) if jk else np.log2(rank + 1.0)
        return divisor

    def on(self, view: Rankings) -> Floats:
        """Gain of each judged document over the discount of its rank, float64 [rows]."""
        value: Floats = view.shared(
            ("DCG", self.gain.key, self.discount, self.b), lambda: self.gain.on(view) / view.at_rank(self.divisor)
        )
        return value

    def running(self, view: Rankings) -> Floats:
        """The sum of discounted gains down to each row, float64 [rows]."""
        total: Floats = view.shared(
            ("running DCG", self.gain.key, self.discount, self.b), lambda: view.running_sum(self.on(view))
        )
        return total

    def summed(self, view: Rankings) -> PerRanking:
        """The sum of discounted gains over each list, float64 [segments]."""
        total: PerRanking = view.shared(
            ("sum of DCG", self.gain.key, self.discount, self.b), lambda: view.sum(self.on(view))
        )
        return total

    def total(self, rankings: Rankings, *, judged_only: bool = False) -> PerRanking:
        """DCG of each list to the cutoff; its mean where the order of equal scores is open."""
        if rankings.first is not None:
            view = self.gain.rows(rankings.view(judged_only=judged_only))
            return view.sum(self.gain.on(view) * view.mean_weight(lambda rank: 1 / self.divisor(rank), self.cutoff))
        return self.summed(rankings.only(self.gain.least, judged_only=judged_only).top(self.cutoff))

    def best(self, rankings: Rankings) -> PerRanking:
        """DCG of the best ranking of each list's topic; documents without gain exist without limit."""
        return rankings.ideal(self._name("best"), self.gain.of, self.total)

    def worst(self, rankings: Rankings) -> PerRanking:
        """DCG of the worst ranking: gains below zero only, the lowest first; never above 0."""
        return rankings.ideal(self._name("worst"), lambda grade: -self.gain.of(grade), self.total)

    def random_order(self, rankings: Rankings) -> RandomOrder:
        """What random orders of the judged documents alone are worth; nothing unjudged stands among them."""

        def facts(lists: Rankings) -> Floats:
            gains, cut, size = self.gain.on(lists), lists.top(self.cutoff), lists.length.astype(np.float64)
            mean, magnitude = ratio(lists.sum(gains), size), ratio(lists.sum(np.abs(gains)), size)
            weights = cut.sum(cut.at_rank(lambda rank: 1 / self.divisor(rank)))
            terms = self.on(cut)
            scale = magnitude * weights + cut.sum(np.abs(terms))
            return np.stack([cut.length.astype(np.float64), mean, mean * weights, cut.sum(terms), scale])

        return RandomOrder(*rankings.ideal(self._name("random"), lambda grade: _ranks(self.gain.of(grade)), facts))

    def worst_judged(self, rankings: Rankings) -> PerRanking:
        """DCG of the worst order of the judged documents alone, to rank min(k, m): the lowest gains first."""

        def total(lists: Rankings) -> PerRanking:
            cut = lists.top(self.cutoff)
            return cut.sum(self.on(cut))

        return rankings.ideal(self._name("worst judged"), lambda grade: _ranks(-self.gain.of(grade)), total)

    def _name(self, what: str) -> Hashable:
        return f"{what} DCG", self.gain.key, self.discount, self.b, self.cutoff


def _ranks(gains: Floats) -> Floats:
    """Rank of each value among the distinct ones, from 1, so that gains below zero order documents too."""
    ranks: Floats = np.unique(gains, return_inverse=True)[1].astype(np.float64) + 1
    return ranks

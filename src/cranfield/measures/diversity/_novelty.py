"""The gain of novelty: what a document adds for an intent shrinks by 1 - alpha with each one seen before it.

NG(r) = sum over intents of J_i(r) (1 - alpha)^(C_i(r-1)), with J_i(r) whether the document at rank r is relevant to
intent i, and C_i(r-1) how many above it are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cranfield._text import listed
from cranfield._typing import Floats, Ints
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.measure_notices import notice
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.collection.rankings.ideal import Orders
from cranfield.collection.rankings.segments import places
from cranfield.measures.diversity._gains import GainRule, weights_of
from cranfield.measures.diversity._ideal import Groups, exact, greedy

Discount = Callable[[Floats | Ints], Floats]
"""Rank -> weight of the rank."""


AT_LEAST = 64
"""Ranks of a greedy list that are picked at once; most cutoffs are smaller."""


def by_log(rank: Floats | Ints) -> Floats:
    """1 / log2(r + 1)."""
    discount: Floats = 1 / np.log2(rank + 1.0)
    return discount


def by_rank(rank: Floats | Ints) -> Floats:
    """1 / r."""
    discount: Floats = 1 / np.asarray(rank, dtype=np.float64)
    return discount


@dataclass(frozen=True, slots=True)
class Novelty:
    """One way to add up the gain of novelty.

    Args:
        rule: which documents are relevant to which intents.
        alpha: what a document takes from the gain of the next one.
        discount: weight of each rank, and a name for it.
        weighted: whether intents count by P(i|q), or all alike.
        cutoff: ranks that are looked at.
        given: weight of each intent where it is none of these.
    """

    rule: GainRule
    alpha: float
    discount: tuple[object, Discount]
    weighted: bool = False
    cutoff: int | None = None
    given: Floats | None = None

    def total(self, rankings: Rankings) -> PerRanking:
        """Sum over ranks of discount times NG, float64 [segments]."""
        view = self.rule.view(rankings)
        segment, rank, gain = self._gain(view)
        table = self.discount[1](np.arange(1.0, view.longest + 1))
        if self.cutoff is not None:
            table[self.cutoff :] = 0.0
        return np.bincount(segment, gain * table[rank - 1], minlength=len(view.length)).astype(np.float64, copy=False)

    def _gain(self, view: Rankings) -> tuple[Ints, Ints, Floats]:
        """(segment, rank, NG) of each relevant document."""
        weights = self.weights(view)

        def make() -> tuple[Ints, Ints, Floats]:
            lists, row = by_intent(view, self.rule.measure)
            seen = lists.shared(("seen", self.rule.rel), lambda: lists.running_count(lists.relevant(self.rule.rel)))
            factor = np.power(1 - self.alpha, np.arange(float(seen.max(initial=1))))
            intent = self.rule.intents(view).intent[lists.document]
            each = lists.relevant(self.rule.rel) * weights[intent] * factor[np.maximum(seen - 1, 0)]
            gain: Floats = np.bincount(row, each, minlength=len(view.rank)).astype(np.float64, copy=False)
            useful = np.flatnonzero(gain)
            return view.segment[useful], view.rank[useful], gain[useful]

        key = ("novelty", self.rule.rel, self.alpha, weights.tobytes())
        gains: tuple[Ints, Ints, Floats] = view.shared(key, make)
        return gains

    def largest(self, rankings: Rankings) -> Floats:
        """Largest P(i|q) of each topic; ``weights`` are relative to it, float64 [topics]."""
        intents = self.rule.intents(rankings)
        largest = np.zeros(len(intents.topics))
        np.maximum.at(largest, intents.topic, weights_of(rankings, intents, self.rule.rel))
        return largest

    def weights(self, rankings: Rankings) -> Floats:
        """Weight of each intent that counts: 1, or its P(i|q) as a share of the topic's largest, float64 [intents]."""
        intents = self.rule.intents(rankings)
        if self.given is not None:
            return self.given
        if not self.weighted:
            alike: Floats = intents.counted(self.rule.rel).astype(np.float64)
            return alike
        whole = self.largest(rankings)[intents.topic]
        weights = weights_of(rankings, intents, self.rule.rel)
        return np.divide(weights, whole, out=np.zeros(len(whole)), where=whole > 0)

    def best(self, rankings: Rankings, ideal: str) -> PerRanking:
        """The same sum over the ideal list of each list's topic, float64 [segments]; computed once for a topic."""
        key = (*self._key(rankings), self.discount[0], self.cutoff, ideal)
        best, given_up = rankings.pool.shared(key, lambda: self._best(rankings, ideal))
        if given_up:
            name = self.rule.measure
            notice(f"{name}: the best list of {listed(given_up)} could not be found, the greedy one stands for it")
        value: PerRanking = rankings.per_topic(best)
        return value

    def _key(self, rankings: Rankings) -> tuple[object, ...]:
        return "novelty", self.rule.rel, self.alpha, self.weights(rankings).tobytes()

    def _best(self, rankings: Rankings, ideal: str) -> tuple[Floats, list[str]]:
        """The sum for each topic, and the topics for which the greedy list stands for the best."""
        pool = rankings.pool
        relevant = int(pool.size.max(initial=0))
        depth = min(relevant, self.cutoff or self._reach(rankings))
        plain = replace(self, rule=replace(self.rule, judged_only=False))
        best = plain.total(self._greedy_lists(rankings, depth))
        if ideal == "greedy":
            return best, []
        weight = self.discount[1](np.arange(1.0, min(relevant, self.cutoff or relevant) + 1))
        best, given_up = exact(self._groups(rankings), self.alpha, weight, best)
        topics = self.rule.intents(rankings).topics
        return best, [topics[number] for number in given_up]

    def _reach(self, rankings: Rankings) -> int:
        """The rank below which no gain is large enough to change a sum of at least 1 in its last bit."""
        number = len(self.rule.intents(rankings).topic)
        rank, depth = np.arange(1.0, 4097), int(rankings.pool.size.max(initial=0))
        enough = np.flatnonzero(self.discount[1](rank) * number < 2.0**-54)
        return int(enough[0]) if len(enough) else depth

    def _groups(self, rankings: Rankings) -> Groups:
        def grouped() -> Groups:
            intents = self.rule.intents(rankings)
            return Groups.of(rankings.pool, intents, self.rule.rel, self.weights(rankings))

        groups: Groups = rankings.pool.shared(("groups", *self._key(rankings)), grouped)
        return groups

    def _greedy_lists(self, rankings: Rankings, depth: int) -> Rankings:
        """One list for each topic, its documents picked one by one; the same for all discounts and cutoffs."""
        pool = rankings.pool
        # Few depths, so that most cutoffs share a list.
        depth = max(AT_LEAST, 1 << max(depth - 1, 0).bit_length())

        def pick() -> Rankings:
            topic, document = greedy(self._groups(rankings), self.alpha, depth)
            length = np.bincount(topic, minlength=len(pool.size))
            starts = np.concatenate([[0], np.cumsum(length)])
            orders = Orders(length, starts, places(starts), document)
            return Rankings.in_orders("ideal", pool, orders, rankings.policy)

        lists: Rankings = pool.shared(("greedy", *self._key(rankings), depth), pick)
        return lists

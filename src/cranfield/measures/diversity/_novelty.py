"""The gain of novelty: what a document adds for an intent shrinks by 1 - alpha with each one seen before it.

NG(r) = sum over intents of J_i(r) (1 - alpha)^(C_i(r-1)), with J_i(r) whether the document at rank r is relevant to
intent i, and C_i(r-1) how many above it are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collection.intent_lists import by_intent
from cranfield.collection.notices import notice
from cranfield.collection.pool import Floats, Ints
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures.diversity._gains import Reading, over_intents, weights_of
from cranfield.measures.diversity._ideal import Topic, exact, greedy
from cranfield.wording import listed

Discount = Callable[[NDArray[Any]], Floats]
"""Rank -> weight of the rank."""


def by_log(rank: NDArray[Any]) -> Floats:
    """1 / log2(r + 1)."""
    discount: Floats = 1 / np.log2(rank + 1.0)
    return discount


def by_rank(rank: NDArray[Any]) -> Floats:
    """1 / r."""
    discount: Floats = 1 / np.asarray(rank, dtype=np.float64)
    return discount


@dataclass(frozen=True, slots=True)
class Novelty:
    """One way to add up the gain of novelty.

    Args:
        reading: which documents are relevant to which intents.
        alpha: what a document takes from the gain of the next one.
        discount: weight of each rank, and a name for it.
        weighted: whether intents count by P(i|q), or all alike.
        cutoff: ranks that are looked at.
    """

    reading: Reading
    alpha: float
    discount: tuple[object, Discount]
    weighted: bool = False
    cutoff: int | None = None

    def by_intent(self, rankings: Rankings) -> Floats:
        """Sum over ranks of discount times gain for each intent, without its weight, [systems * intents]."""
        lists, _ = by_intent(self.reading.view(rankings), self.reading.measure)
        lists = lists.top(self.cutoff)
        relevant = lists.relevant(self.reading.rel)
        seen = lists.running_count(relevant) - 1.0
        return lists.sum(relevant * np.power(1 - self.alpha, np.maximum(seen, 0.0)) * self.discount[1](lists.rank))

    def weights(self, rankings: Rankings) -> Floats:
        """Weight of each intent: 1, or its P(i|q) as a share of the topic's largest, float64 [intents]."""
        intents = self.reading.intents(rankings)
        if not self.weighted:
            return np.ones(len(intents.topic))
        weights = weights_of(rankings, intents, self.reading.rel)
        largest = np.zeros(len(intents.topics))
        np.maximum.at(largest, intents.topic, weights)
        whole = largest[intents.topic]
        return np.divide(weights, whole, out=np.zeros(len(whole)), where=whole > 0)

    def total(self, rankings: Rankings) -> PerRanking:
        """Sum over ranks of discount times NG, float64 [segments]."""
        values = self.by_intent(rankings)
        return over_intents(rankings, self.reading.intents(rankings), values, self.weights(rankings))

    def best(self, rankings: Rankings, ideal: str) -> PerRanking:
        """The same sum over the ideal list of each list's topic, float64 [segments]; computed once for a topic."""
        memo = rankings.pool.memo
        key = ("novelty", self.reading.rel, self.alpha, self.discount[0], self.weights(rankings).tobytes())
        whole = (*key, self.cutoff, ideal)
        if whole not in memo:
            memo[whole] = self._best(rankings, ideal)
        best, given_up = memo[whole]
        if given_up:
            name = self.reading.measure
            notice(f"{name}: the best list of {listed(given_up)} could not be found, the greedy one stands for it")
        value: PerRanking = rankings.per_topic(best)
        return value

    def _best(self, rankings: Rankings, ideal: str) -> tuple[Floats, list[str]]:
        """The sum for each topic, and the topics for which the greedy list stands for the best."""
        plain = Novelty(Reading(self.reading.measure, self.reading.rel), *self._rule)
        best = plain.total(self._greedy_lists(rankings))
        given_up: list[str] = []
        if ideal == "exact":
            depth = self.cutoff or int(rankings.pool.size.max(initial=0))
            weight = self.discount[1](np.arange(1.0, depth + 1))
            for number, topic in self._topics(rankings).items():
                found = exact(topic, self.alpha, weight, float(best[number]))
                if found is None:
                    given_up.append(self.reading.intents(rankings).topics[number])
                else:
                    best[number] = found
        return best, given_up

    @property
    def _rule(self) -> tuple[float, tuple[object, Discount], bool, int | None]:
        return self.alpha, self.discount, self.weighted, self.cutoff

    def _greedy_lists(self, rankings: Rankings) -> Rankings:
        """One list for each topic, its documents picked one by one; the same for all discounts and cutoffs."""
        pool = rankings.pool
        key = ("greedy", self.reading.rel, self.alpha, self.weights(rankings).tobytes())
        if key not in pool.memo:
            lists = {number: greedy(topic, self.alpha) for number, topic in self._topics(rankings).items()}
            length = np.array([len(lists.get(number, ())) for number in range(len(pool.size))], dtype=np.int64)
            document = np.concatenate([np.zeros(0, dtype=np.int64), *(lists[number] for number in sorted(lists))])
            starts = np.concatenate([[0], np.cumsum(length)])
            rank = np.arange(len(document)) - np.repeat(starts[:-1], length) + 1
            facts = length, starts, rank, document, pool.grade[document]
            pool.memo[key] = Rankings(("ideal",), pool, *facts, rankings.policy)
        found: Rankings = pool.memo[key]
        return found

    def _topics(self, rankings: Rankings) -> dict[int, Topic]:
        """Topic -> its relevant documents, by the intents that they are relevant to."""
        intents, weights = self.reading.intents(rankings), self.weights(rankings)
        useful = intents.label >= self.reading.rel
        document, intent = intents.document[useful], intents.intent[useful]
        order = np.lexsort((intent, document))
        document, intent = document[order], intent[order]
        first = np.flatnonzero(np.diff(document, prepend=-1))
        topics: dict[int, dict[tuple[int, ...], list[int]]] = {}
        rows: Ints = document[first]
        of_row = np.split(intent, first[1:]) if len(first) else []
        for row, number, of in zip(rows.tolist(), rankings.pool.topic[rows].tolist(), of_row, strict=True):
            topics.setdefault(number, {}).setdefault(tuple(of.tolist()), []).append(row)
        return {number: Topic(groups, weights) for number, groups in topics.items()}

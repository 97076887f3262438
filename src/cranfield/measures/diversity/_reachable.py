"""The most that one list reaches of intent recall and another measure together, for each topic.

Each can be 1, but not always by the same list: intents want a document each, and the other measure wants those of the
largest gain. Here the other measure is a sum of gains weighted by rank, with weights that never grow, so that the best
order of given documents is by gain, and a topic is a choice of documents. All but a few of them are those of the
largest gain: a document below these is chosen for an intent that nothing above it covers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np

from cranfield._text import listed
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.measure_notices import notice
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures.diversity._gains import GainRule, global_gains
from cranfield.measures.diversity._set_cover import EXACT

Weigh = Callable[[Floats], tuple[Floats, float]]
"""Gains of a topic's documents, largest first -> the weight of each rank that is looked at, and what is added."""


@dataclass(frozen=True)
class Reach:
    """A measure whose best list is looked for.

    Args:
        rule: how labels become gains.
        rel: labels from which on a document covers an intent.
        weigh: what the measure makes of gains.
        key: a name for all that ``weigh`` depends on.
    """

    rule: GainRule
    rel: float
    weigh: Weigh
    key: Hashable

    def most(self, rankings: Rankings, gamma: Floats) -> PerRanking:
        """The most of gamma I-rec + (1 - gamma) times the measure, float64 [segments]; of gamma [topics]."""
        pool = global_gains(rankings, self.rule).pool
        key = ("reachable", self.rel, self.key, gamma.tobytes())
        most, bounded = pool.shared(key, lambda: self._most(rankings, pool, gamma))
        if bounded:
            notice(
                f"{self.rule.measure}: the reachable maximum of {listed(bounded)} is an upper bound: "
                f"more than {EXACT} intents"
            )
        value: PerRanking = rankings.per_topic(most)
        return value

    def _most(self, rankings: Rankings, pool: Pool, gamma: Floats) -> tuple[Floats, list[str]]:
        """The most for each topic, and the topics for which it is a bound."""
        intents = self.rule.intents(rankings)
        useful = intents.label >= self.rel
        document, intent = intents.document[useful], intents.intent[useful]
        order = np.argsort(document, kind="stable")
        document, intent = document[order], intent[order]
        number = intents.number(self.rel)
        most, bounded = np.zeros(len(pool.size)), []
        for topic, name in enumerate(intents.topics):
            start, end = pool.starts[topic], pool.starts[topic + 1]
            entries = slice(*np.searchsorted(document, (start, end)))
            known, column = np.unique(intent[entries], return_inverse=True)
            covers = np.zeros((end - start, len(known)), dtype=bool)
            covers[document[entries] - start, column] = True
            gain = pool.grade[start:end]
            kept = (gain > 0) | covers.any(axis=1)
            rows = np.flatnonzero(kept)[np.argsort(-gain[kept], kind="stable")]
            weight, added = self.weigh(gain[rows])
            share = gamma[topic]
            bonus = share / number[topic] if len(known) else 0.0
            best, exact = find_best(covers[rows], gain[rows], (1 - share) * weight, bonus)
            most[topic] = best + (1 - share) * added
            bounded += [] if exact else [name]
        return most, bounded


def find_best(covers: Mask, gain: Floats, weight: Floats, bonus: float) -> tuple[float, bool]:
    """The largest sum of weighted gains plus a bonus for each covered intent, and whether it is exact or a bound.

    Args:
        covers: which document covers which intent, [documents, intents].
        gain: of each document, largest first.
        weight: of each rank, largest first; no more than there are documents.
        bonus: of an intent.
    """
    top = covers[: len(weight)]
    largest = float(gain[: len(weight)] @ weight)
    if bonus == 0 or top.any(axis=0).all():
        return largest + bonus * covers.shape[1], True
    if covers.shape[1] <= EXACT:
        return _search(covers, gain, weight, bonus), True
    # Intents with many documents count as covered, and none of the others can be covered by more than is listed.
    rare = np.argsort(covers.sum(axis=0), kind="stable")[:EXACT]
    bound = _search(covers[:, rare], gain, weight, bonus) + bonus * (covers.shape[1] - EXACT)
    reach = int(np.sort(covers.sum(axis=1))[::-1][: len(weight)].sum())
    return min(bound, largest + bonus * min(reach, covers.shape[1])), False


def _search(covers: Mask, gain: Floats, weight: Floats, bonus: float) -> float:
    """The best choice, document by document from the largest gain on.

    A state is how many documents of the first ``len(weight)`` are left out, and which intents are covered.
    """
    places, intents = len(weight), covers.shape[1]
    mask = covers @ (1 << np.arange(intents))
    size, rows = 1 << intents, min(intents, places) + 1
    every, skipped = np.arange(size), np.arange(rows)[:, None]
    value = np.full((rows, size), -np.inf)
    value[0, 0] = 0.0
    for place in range(places):
        following = np.full_like(value, -np.inf)
        following[1:] = value[:-1]
        rank = place - skipped
        gained = np.where(rank >= 0, value + gain[place] * weight[rank], -np.inf)
        _raise(following, skipped * size + (every | mask[place]), gained)
        value = following
    for row in _first_of_each(mask, places):
        following = value.copy()
        gained = value[1:] + gain[row] * weight[places - skipped[1:]]
        _raise(following, skipped[:-1] * size + (every | mask[row]), gained)
        value = following
    covered = (every[:, None] >> np.arange(intents) & 1).sum(axis=1)
    return float((value + bonus * covered).max())


def _raise(value: Floats, cell: Ints, to: Floats) -> None:
    np.maximum.at(value.reshape(-1), cell.ravel(), to.ravel())


def _first_of_each(mask: Ints, places: int) -> Ints:
    """Documents below the first ``places`` that cover an intent, the first of those that cover the same."""
    below, first = np.unique(mask[places:], return_index=True)
    return np.sort(first[below > 0]) + places

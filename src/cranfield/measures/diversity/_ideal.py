"""The best order of a topic's documents for measures of novelty: greedy, or exact where that can be found.

Documents relevant to the same intents are alike, so that a list is told by how many of each kind it holds so far.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cranfield.collection.pool import Floats, Ints

STATES = 20_000
"""Partial lists that the exact search looks at before it gives up."""


class Topic:
    """The relevant documents of one topic.

    Args:
        groups: intents -> pool rows of the documents relevant to these and no others, ascending.
        weights: of every intent of the judgments.
    """

    def __init__(self, groups: Mapping[tuple[int, ...], list[int]], weights: Floats) -> None:
        intents = sorted({intent for key in groups for intent in key})
        place = {intent: number for number, intent in enumerate(intents)}
        self.weight = [float(weights[intent]) for intent in intents]
        self.intents = [[place[intent] for intent in key] for key in groups]
        self.rows = [sorted(rows) for rows in groups.values()]

    def gain(self, group: int, left: list[float]) -> float:
        """What one more document of a group adds, where ``left`` is what each intent still gives."""
        total = 0.0
        for intent in self.intents[group]:  # in this order, so that equal gains are equal to the last bit
            total += left[intent]
        return total


def greedy(topic: Topic, alpha: float) -> Ints:
    """Pool rows picked one by one, each time the largest gain, and of equal ones the largest id; int64 [relevant]."""
    rows = [list(of) for of in topic.rows]
    left = list(topic.weight)
    gains = [topic.gain(group, left) for group in range(len(rows))]
    touched = [
        [other for other, of in enumerate(topic.intents) if not set(of).isdisjoint(mine)] for mine in topic.intents
    ]
    picked = []
    open_ = list(range(len(rows)))
    while open_:
        best = max(open_, key=lambda group: (gains[group], rows[group][-1]))
        picked.append(rows[best].pop())
        if not rows[best]:
            open_.remove(best)
        for intent in topic.intents[best]:
            left[intent] *= 1 - alpha
        for group in touched[best]:
            gains[group] = topic.gain(group, left)
    return np.array(picked, dtype=np.int64)


def exact(topic: Topic, alpha: float, weight: Floats, known: float) -> float | None:
    """Largest sum of weight(r) NG(r) over lists as long as ``weight``; None where too many would have to be looked at.

    Lists that hold the same documents differ only in what they have gained, so the best of them goes on, unless even
    the gains that are left, all at once and largest first, could not lift it above ``known``, which a list reaches.
    """
    sizes = [len(of) for of in topic.rows]
    layer: dict[tuple[int, ...], float] = {(0,) * len(sizes): 0.0}
    best, seen = known, 0
    for rank in range(min(len(weight), sum(sizes))):
        following: dict[tuple[int, ...], float] = {}
        for counts, value in layer.items():
            left = _left(topic, counts, alpha)
            gains = [topic.gain(group, left) for group in range(len(sizes))]
            if value + _most(gains, counts, sizes, weight[rank:]) <= best * (1 + 1e-15):
                continue
            seen += 1
            if seen > STATES:
                return None
            for group, gain in enumerate(gains):
                if counts[group] < sizes[group]:
                    more = (*counts[:group], counts[group] + 1, *counts[group + 1 :])
                    gained = value + gain * float(weight[rank])
                    following[more] = max(following.get(more, 0.0), gained)
        best = max([best, *following.values()])
        layer = following
    return best


def _left(topic: Topic, counts: tuple[int, ...], alpha: float) -> list[float]:
    seen = [0] * len(topic.weight)
    for group, count in enumerate(counts):
        for intent in topic.intents[group]:
            seen[intent] += count
    return [weight * (1 - alpha) ** times for weight, times in zip(topic.weight, seen, strict=True)]


def _most(gains: list[float], counts: tuple[int, ...], sizes: list[int], weight: Floats) -> float:
    """More than any order of the documents that are left can add: gains never grow."""
    total, at = 0.0, 0
    for gain, many in sorted(((gain, sizes[g] - counts[g]) for g, gain in enumerate(gains)), reverse=True):
        total += gain * float(weight[at : at + many].sum())
        at += many
    return total

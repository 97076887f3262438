"""The best order of a topic's documents for measures of novelty: greedy, or exact where that can be found.

Documents relevant to the same intents are alike, so a topic is a table of such groups, and a list is told by how many
documents of each group it holds so far.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.collection.intents import Intents
from cranfield.collection.pool import Floats, Ints, Pool
from cranfield.collection.sorting import stable_order

STEPS = 100_000
"""Documents of a topic that the exact search puts below partial lists before it gives up."""

CELLS = 1 << 22
"""Cells of the tables of topics that are looked at together."""


@dataclass(frozen=True, slots=True)
class Groups:
    """Relevant documents of all topics, those of a topic that are relevant to the same intents together.

    Args:
        topic: of each group, ascending, int64 [groups].
        has: whether the group's documents are relevant to each intent of its topic, by number, bool [groups, intents].
        weight: of the intents of each group's topic, float64 [groups, intents]; 0 where a topic has fewer.
        starts: group g holds the documents ``starts[g]:starts[g + 1]``, int64 [groups + 1].
        document: pool rows, ascending inside a group, int64.
    """

    topic: Ints
    has: NDArray[np.bool_]
    weight: Floats
    starts: Ints
    document: Ints

    @classmethod
    def of(cls, pool: Pool, intents: Intents, rel: float, weights: Floats) -> Groups:
        """The groups of all topics that have a relevant document."""
        useful = intents.label >= rel
        document, intent = intents.document[useful], intents.intent[useful]
        first = np.searchsorted(intents.topic, np.arange(len(intents.topics) + 1))
        widest = int(np.diff(first).max(initial=0))
        table = np.zeros((len(pool.grade), widest), dtype=bool)
        table[document, intent - first[pool.topic[document]]] = True
        rows = np.flatnonzero(table.any(axis=1))
        group = _alike(pool.topic[rows], table[rows])
        order = stable_order(group)
        starts = np.concatenate([np.flatnonzero(np.diff(group[order], prepend=-1)), [len(rows)]])
        leaders = rows[order[starts[:-1]]]
        topic = pool.topic[leaders]
        column = np.arange(widest)
        known = column < np.diff(first)[topic][:, None]
        weight = np.where(known, weights[np.minimum(first[topic][:, None] + column, len(weights) - 1)], 0.0)
        return cls(topic, table[leaders], weight, starts, rows[order])

    def blocks(self) -> Iterator[Block]:
        """The groups of as many topics at a time as have ``CELLS`` cells, in tables."""
        topics, place = np.unique(self.topic, return_inverse=True)
        counts = np.bincount(place)
        step = max(1, CELLS // max(1, int(counts.max(initial=0)) * self.has.shape[1]))
        for begin in range(0, len(topics), step):
            mine = np.flatnonzero((place >= begin) & (place < begin + step))
            yield Block(self, topics[begin : begin + step], place[mine] - begin, mine)


def _alike(topic: Ints, has: NDArray[np.bool_]) -> Ints:
    """A number for each document, the same for those of one topic that have the same, by topic."""
    widest = has.shape[1]
    if widest + int(topic.max(initial=0)).bit_length() <= 40:
        alike: Ints = topic << widest | has @ (1 << np.arange(widest))
        return alike
    _, group = np.unique(np.column_stack([topic, has]), axis=0, return_inverse=True)
    return group.ravel()


class Block:
    """Groups of some topics in tables, [topics, groups of the topic that has most]."""

    def __init__(self, groups: Groups, topics: Ints, row: Ints, mine: Ints) -> None:
        column = np.arange(len(mine)) - np.searchsorted(row, row)
        shape = len(topics), int(column.max(initial=-1)) + 1
        self.topics = topics
        self.document = groups.document
        self.has = np.zeros((groups.has.shape[1], *shape))
        self.has[:, row, column] = groups.has[mine].T
        self.left = np.zeros((shape[0], groups.has.shape[1]))
        self.left[row] = groups.weight[mine]
        self.begin = np.zeros(shape, dtype=np.int64)
        self.begin[row, column] = groups.starts[mine]
        self.number = np.zeros(shape, dtype=np.int64)
        self.number[row, column] = np.diff(groups.starts)[mine]


def greedy(groups: Groups, alpha: float, depth: int) -> tuple[Ints, Ints]:
    """(topic, document) picked one by one, each time the largest gain, of equal ones the largest id; ``depth`` a topic.

    Gains are added intent by intent, so that equal ones are equal to the last bit.
    """
    topics, documents = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for block in groups.blocks():
        picked = np.array(list(_picks(block, alpha, depth)), dtype=np.int64).reshape(-1, len(block.topics)).T
        topics.append(np.repeat(block.topics, (picked >= 0).sum(axis=1)))
        documents.append(picked[picked >= 0])
    return np.concatenate(topics), np.concatenate(documents)


def _picks(block: Block, alpha: float, depth: int) -> Iterator[Ints]:
    """The next document of every topic, -1 where none is left, [topics]."""
    left, number = block.left.copy(), block.number.copy()
    every = np.arange(len(block.topics))
    gain = np.empty(number.shape)
    part = np.empty(number.shape)
    last = block.document[np.maximum(block.begin + number - 1, 0)]
    for _ in range(min(depth, int(number.sum(axis=1).max(initial=0)))):
        gain[:] = 0.0
        for intent, has in enumerate(block.has):
            np.multiply(has, left[:, intent, None], out=part)
            np.add(gain, part, out=gain)
        gain[number == 0] = -1.0
        tied = gain == gain.max(axis=1, keepdims=True)
        best = np.where(tied, last, -1).argmax(axis=1)
        some = number[every, best] > 0
        yield np.where(some, last[every, best], -1)
        number[every, best] -= some
        last[every, best] = block.document[np.maximum(block.begin[every, best] + number[every, best] - 1, 0)]
        left *= np.where(block.has[:, every, best].T > 0, 1 - alpha, 1.0)


def exact(groups: Groups, alpha: float, weight: Floats, known: Floats) -> tuple[Floats, list[int]]:
    """Largest sum of weight(r) NG(r) over lists as long as ``weight``, [topics], and topics where that is out of reach.

    Args:
        groups: the documents.
        alpha: as in ``greedy``.
        weight: of each rank.
        known: a sum that some list of each topic reaches, [topics].
    """
    best, given_up = known.copy(), []
    for topic in np.unique(groups.topic).tolist():
        of = groups.topic == topic
        found = _exact(groups.has[of], groups.weight[of][0], np.diff(groups.starts)[of], alpha, weight, known[topic])
        if found is None:
            given_up.append(topic)
        else:
            best[topic] = found
    return best, given_up


def _exact(has: Any, intents: Floats, sizes: Ints, alpha: float, weight: Floats, known: float) -> float | None:
    """Layer by layer over all lists of a length; of those that hold the same documents the best goes on.

    One is dropped if even the gains that are left, all at once and largest first, could not lift it above what is
    known: gains never grow.
    """
    layer: dict[tuple[int, ...], float] = {(0,) * len(sizes): 0.0}
    best, seen = float(known), 0
    for rank in range(min(len(weight), int(sizes.sum()))):
        following: dict[tuple[int, ...], float] = {}
        for counts, value in layer.items():
            gains = has @ (intents * np.power(1 - alpha, np.array(counts) @ has))
            if value + _most(gains, sizes - counts, weight[rank:]) <= best * (1 + 1e-15):
                continue
            open_ = np.flatnonzero(sizes > counts).tolist()
            seen += len(open_)
            if seen > STEPS:
                return None
            for group in open_:
                more = (*counts[:group], counts[group] + 1, *counts[group + 1 :])
                gained = value + float(gains[group] * weight[rank])
                following[more] = max(following.get(more, 0.0), gained)
        best = max([best, *following.values()])
        layer = following
    return best


def _most(gains: Floats, many: Ints, weight: Floats) -> float:
    """More than any order of the documents that are left can add."""
    order = np.argsort(-gains)
    ends = np.minimum(np.cumsum(many[order]), len(weight))
    whole = np.concatenate([[0.0], np.cumsum(weight)])[np.concatenate([[0], ends])]
    return float(gains[order] @ np.diff(whole))

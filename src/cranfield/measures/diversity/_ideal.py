"""The best order of a topic's documents for measures of novelty: greedy, or exact where that can be found.

Documents relevant to the same intents are alike, so a topic is a table of such groups, and a list is told by how many
documents of each group it holds so far.

The gain of novelty: what a document adds for an intent shrinks by 1 - alpha with each one seen before it.

NG(r) = sum over intents of J_i(r) (1 - alpha)^(C_i(r-1)), with J_i(r) whether the document at rank r is relevant to
intent i, and C_i(r-1) how many above it are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield._text import listed
from cranfield._typing import Floats, Ints
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.intents import Intents
from cranfield.collection.measure_notices import notice
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Orders, PerRanking, Rankings
from cranfield.collection.segments import list_positions, stable_order
from cranfield.measures.diversity._gains import GainRule, get_weights
from cranfield.statistics.numeric import sum_ascending

STEPS = 100_000
"""Documents of a topic that the exact search puts below partial lists before it gives up."""

COUNTS = 1 << 26
"""Numbers that it keeps of partial lists, one for each group of documents, before it gives up."""

CELLS = 1 << 22
"""Cells of the tables of topics that are looked at together."""


@dataclass(frozen=True, slots=True)
class DocumentGroups:
    """Relevant documents of all topics, those of a topic that are relevant to the same intents together.

    Args:
        topic: of each group, ascending, int64 [groups].
        first: group g is relevant to the intents ``intent[first[g]:first[g + 1]]``, int64 [groups + 1].
        intent: ascending inside a group, int64.
        weight: of every intent, float64 [intents].
        starts: group g holds the documents ``starts[g]:starts[g + 1]``, int64 [groups + 1].
        document: pool rows, ascending inside a group, int64.
    """

    topic: Ints
    first: Ints
    intent: Ints
    weight: Floats
    starts: Ints
    document: Ints

    @classmethod
    def from_pool(cls, pool: Pool, intents: Intents, rel: float, weights: Floats) -> DocumentGroups:
        """The groups of all topics that have a relevant document."""
        useful = np.flatnonzero(intents.label >= rel)
        useful = useful[np.lexsort((intents.intent[useful], intents.document[useful]))]
        document, intent = intents.document[useful], intents.intent[useful]
        first = np.append(np.flatnonzero(np.diff(document, prepend=-1)), len(document))
        rows = document[first[:-1]]
        group = _alike(pool.topic[rows], first, intent - np.searchsorted(intents.topic, pool.topic[document]))
        order = stable_order(group)
        starts = np.concatenate([np.flatnonzero(np.diff(group[order], prepend=-1)), [len(rows)]])
        leaders = order[starts[:-1]]
        entries, ends = _ranges(first[leaders], np.diff(first)[leaders])
        return cls(pool.topic[rows[leaders]], ends, intent[entries], weights, starts, rows[order])

    def blocks(self) -> Iterator[TopicBlock]:
        """The groups of as many topics at a time as have ``CELLS`` cells, in tables."""
        topics, row = np.unique(self.topic, return_inverse=True)
        counts = np.bincount(row)
        step = max(1, CELLS // max(1, int(counts.max(initial=0))))
        for begin in range(0, len(topics), step):
            members = np.flatnonzero((row >= begin) & (row < begin + step))
            yield TopicBlock(self, topics[begin : begin + step], row[members] - begin, members)

    def table(self, topic: int) -> tuple[Any, Floats, Ints]:
        """Relevance of each group of a topic to each intent, [groups, intents]; weights, and sizes of groups.

        Intents to which nothing is relevant are left out of both.
        """
        groups = np.flatnonzero(self.topic == topic)
        entries, ends = _ranges(self.first[groups], np.diff(self.first)[groups])
        intents, column = np.unique(self.intent[entries], return_inverse=True)
        row = np.repeat(np.arange(len(groups)), np.diff(ends))
        shape = len(groups), len(intents)
        if shape[0] * shape[1] > CELLS:
            from scipy.sparse import csr_array

            has: Any = csr_array((np.ones(len(row)), (row, column)), shape=shape)
        else:
            has = np.zeros(shape, dtype=bool)
            has[row, column] = True
        return has, self.weight[intents], np.diff(self.starts)[groups]


def _ranges(begin: Ints, count: Ints) -> tuple[Ints, Ints]:
    """The numbers of several ranges, one range after the other, and where each begins among them and the last ends."""
    ends = np.concatenate([[0], np.cumsum(count)])
    return np.repeat(begin - ends[:-1], count) + np.arange(ends[-1]), ends


def _alike(topic: Ints, first: Ints, intent: Ints) -> Ints:
    """A number for each document, the same for those of one topic that have the same intents, by topic.

    Args:
        topic: of each document, ascending.
        first: document d has the intents ``intent[first[d]:first[d + 1]]``.
        intent: its number in the topic, ascending for each document.
    """
    widest = int(intent.max(initial=-1)) + 1
    if widest + int(topic.max(initial=0)).bit_length() <= 40:
        return topic << widest | np.add.reduceat(1 << intent, first[:-1]) if len(topic) else topic
    numbers: dict[tuple[int, bytes], int] = {}
    ends = zip(topic.tolist(), first[:-1].tolist(), first[1:].tolist(), strict=True)
    return np.array([numbers.setdefault((group, intent[a:b].tobytes()), len(numbers)) for group, a, b in ends])


class TopicBlock:
    """Groups of some topics in tables, [topics, groups of the topic that has most]."""

    def __init__(self, groups: DocumentGroups, topics: Ints, row: Ints, members: Ints) -> None:
        column = np.arange(len(members)) - np.searchsorted(row, row)
        shape = len(topics), int(column.max(initial=-1)) + 1
        self.topics = topics
        self.document = groups.document
        self.weight = groups.weight
        self.begin = np.zeros(shape, dtype=np.int64)
        self.begin[row, column] = groups.starts[members]
        self.number = np.zeros(shape, dtype=np.int64)
        self.number[row, column] = np.diff(groups.starts)[members]
        entries, ends = _ranges(groups.first[members], np.diff(groups.first)[members])
        self.intent = groups.intent[entries]
        self.cell = np.repeat(row * shape[1] + column, np.diff(ends))
        self.first = np.zeros(shape, dtype=np.int64)
        self.first[row, column] = ends[:-1]
        self.has = np.zeros(shape, dtype=np.int64)
        self.has[row, column] = np.diff(ends)


def greedy(groups: DocumentGroups, alpha: float, depth: int) -> tuple[Ints, Ints]:
    """(topic, document) picked one by one, each time the largest gain, of equal ones the largest id; ``depth`` a topic.

    Gains are added from the smallest on, so that neither the names nor the order of intents change which are equal.
    """
    topics, documents = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for block in groups.blocks():
        picked = np.array(list(_picks(block, alpha, depth)), dtype=np.int64).reshape(-1, len(block.topics)).T
        topics.append(np.repeat(block.topics, (picked >= 0).sum(axis=1)))
        documents.append(picked[picked >= 0])
    return np.concatenate(topics), np.concatenate(documents)


def _picks(block: TopicBlock, alpha: float, depth: int) -> Iterator[Ints]:
    """The next document of every topic, -1 where none is left, [topics]."""
    left, number = block.weight.copy(), block.number.copy()
    every = np.arange(len(block.topics))
    last = block.document[np.maximum(block.begin + number - 1, 0)]
    for _ in range(min(depth, int(number.sum(axis=1).max(initial=0)))):
        gain = sum_ascending(block.cell, left[block.intent], number.size).reshape(number.shape)
        gain[number == 0] = -1.0
        tied = gain == gain.max(axis=1, keepdims=True)
        best = np.where(tied, last, -1).argmax(axis=1)
        available = number[every, best] > 0
        yield np.where(available, last[every, best], -1)
        number[every, best] -= available
        last[every, best] = block.document[np.maximum(block.begin[every, best] + number[every, best] - 1, 0)]
        seen, _ = _ranges(block.first[every, best], block.has[every, best])
        left[block.intent[seen]] *= 1 - alpha


def exact(groups: DocumentGroups, alpha: float, weight: Floats, known: Floats) -> tuple[Floats, list[int]]:
    """Largest sum of weight(r) NG(r) over lists as long as ``weight``, [topics], and topics where that is out of reach.

    Args:
        groups: the documents.
        alpha: as in ``greedy``.
        weight: of each rank.
        known: a sum that some list of each topic reaches, [topics].
    """
    best, unsolved = known.copy(), []
    for topic in np.unique(groups.topic).tolist():
        solution = _exact(*groups.table(topic), alpha, weight, known[topic])
        if solution is None:
            unsolved.append(topic)
        else:
            best[topic] = solution
    return best, unsolved


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
            if seen > STEPS or (len(following) + len(open_)) * len(sizes) > COUNTS:
                return None
            for group in open_:
                extended = (*counts[:group], counts[group] + 1, *counts[group + 1 :])
                gained = value + float(gains[group] * weight[rank])
                following[extended] = max(following.get(extended, 0.0), gained)
        best = max([best, *following.values()])
        layer = following
    return best


def _most(gains: Floats, sizes: Ints, weight: Floats) -> float:
    """More than any order of the documents that are left can add."""
    order = np.argsort(-gains)
    ends = np.minimum(np.cumsum(sizes[order]), len(weight))
    sums = np.concatenate([[0.0], np.cumsum(weight)])[np.concatenate([[0], ends])]
    return float(gains[order] @ np.diff(sums))


RankDiscount = Callable[[Floats | Ints], Floats]
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
        fixed_weights: weight of each intent where it is none of these.
    """

    rule: GainRule
    alpha: float
    discount: tuple[object, RankDiscount]
    weighted: bool = False
    cutoff: int | None = None
    fixed_weights: Floats | None = None

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
        np.maximum.at(largest, intents.topic, get_weights(rankings, intents, self.rule.rel))
        return largest

    def weights(self, rankings: Rankings) -> Floats:
        """Weight of each intent that counts: 1, or its P(i|q) as a share of the topic's largest, float64 [intents]."""
        intents = self.rule.intents(rankings)
        if self.fixed_weights is not None:
            return self.fixed_weights
        if not self.weighted:
            alike: Floats = intents.counted(self.rule.rel).astype(np.float64)
            return alike
        whole = self.largest(rankings)[intents.topic]
        weights = get_weights(rankings, intents, self.rule.rel)
        return np.divide(weights, whole, out=np.zeros(len(whole)), where=whole > 0)

    def best(self, rankings: Rankings, ideal: str) -> PerRanking:
        """The same sum over the ideal list of each list's topic, float64 [segments]; computed once for a topic."""
        key = (*self._key(rankings), self.discount[0], self.cutoff, ideal)
        best, unsolved = rankings.pool.shared(key, lambda: self._best(rankings, ideal))
        if unsolved:
            name = self.rule.measure
            notice(f"{name}: the best list of {listed(unsolved)} could not be found, the greedy one stands for it")
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
        best, unsolved = exact(self._groups(rankings), self.alpha, weight, best)
        topics = self.rule.intents(rankings).topics
        return best, [topics[number] for number in unsolved]

    def _reach(self, rankings: Rankings) -> int:
        """The rank below which no gain is large enough to change a sum of at least 1 in its last bit."""
        number = len(self.rule.intents(rankings).topic)
        rank, depth = np.arange(1.0, 4097), int(rankings.pool.size.max(initial=0))
        enough = np.flatnonzero(self.discount[1](rank) * number < 2.0**-54)
        return int(enough[0]) if len(enough) else depth

    def _groups(self, rankings: Rankings) -> DocumentGroups:
        def grouped() -> DocumentGroups:
            intents = self.rule.intents(rankings)
            return DocumentGroups.from_pool(rankings.pool, intents, self.rule.rel, self.weights(rankings))

        groups: DocumentGroups = rankings.pool.shared(("groups", *self._key(rankings)), grouped)
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
            orders = Orders(length, starts, list_positions(starts), document)
            return Rankings.in_orders("ideal", pool, orders, rankings.policy)

        lists: Rankings = pool.shared(("greedy", *self._key(rankings), depth), pick)
        return lists

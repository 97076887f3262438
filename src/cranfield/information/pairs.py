"""Pairs of documents of a topic of which one is better, and the positions of the documents in the lists of systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cranfield._frozen import Frozen
from cranfield._typing import Floats, Ints, Mask, Scalar
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError

PairWeight = Literal["uniform", "geometric"] | Callable[[Floats, Floats], Floats]
"""Weight of a pair: uniform; p^(i - 1), i the better position of either; or a function of both positions from 1."""


BLOCKS = 16
"""Most different labels for which positions are compared label by label; beyond, pair by pair."""
SmallInts = NDArray[np.signedinteger]
"""Positions of documents, in the smallest integers that hold them."""


class Pairs(Frozen):
    """The pairs of one topic, each in the order (better, worse).

    Args:
        size: how many.
        order: documents by label descending, where pairs are those of documents with different labels; else None.
        cuts: in that order, where each label begins, and the end.
        named: the better and the worse document of every pair, where they are not given by labels.
        evidence: which of the sources prefer the better one, as a number for each combination; None for one source.
    """

    def __init__(
        self,
        size: int,
        *,
        order: Ints | None = None,
        cuts: tuple[int, ...] = (),
        named: tuple[Ints, Ints] | None = None,
        evidence: Ints | None = None,
    ) -> None:
        self.size = size
        self.order = order
        self.cuts = cuts
        self.named = named
        self.evidence = evidence
        for array in (order, *(named or ()), evidence):
            if array is not None:
                array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"Pairs({self.size:,})"

    @classmethod
    def from_labels(cls, label: Floats) -> Pairs:
        """Documents with different labels."""
        order = np.argsort(-label, kind="stable")
        cuts = (*np.flatnonzero(np.diff(label[order], prepend=np.nan) != 0).tolist(), len(label))
        if len(cuts) - 1 > BLOCKS:
            better, worse = np.triu_indices(len(label), 1)
            unequal = label[order[better]] > label[order[worse]]
            return cls.from_documents(order[better[unequal]], order[worse[unequal]])
        size = sum((end - begin) * (len(label) - end) for begin, end in pairwise(cuts))
        return cls(size, order=order, cuts=cuts)

    @classmethod
    def from_documents(cls, better: Ints, worse: Ints, evidence: Ints | None = None) -> Pairs:
        """Pairs by name."""
        return cls(len(better), named=(better, worse), evidence=evidence)

    def chosen(self, number: Ints) -> Pairs:
        """A subset of the pairs, by their numbers in the order of ``sides``."""
        if self.named is not None:
            better, worse = self.named
            return Pairs.from_documents(
                better[number], worse[number], None if self.evidence is None else self.evidence[number]
            )
        assert self.order is not None
        begin, end = np.array(self.cuts[:-2], dtype=np.int64), np.array(self.cuts[1:-1], dtype=np.int64)
        width = len(self.order) - end
        first = np.concatenate([[0], np.cumsum((end - begin) * width)])
        block = np.searchsorted(first, number, side="right") - 1
        row, column = np.divmod(number - first[block], width[block])
        return Pairs.from_documents(self.order[begin[block] + row], self.order[end[block] + column])

    def sides(self, value: NDArray[Scalar]) -> Iterator[tuple[NDArray[Scalar], NDArray[Scalar]]]:
        """Values of the better and of the worse document, in blocks that broadcast and hold all pairs in turn.

        ``value`` is [documents] or [..., documents]; a block's last axis, or last two, are its pairs.
        """
        if self.named is not None:
            better, worse = self.named
            yield value[..., better], value[..., worse]
        elif self.order is not None:
            value = value[..., self.order]
            for begin, end in pairwise(self.cuts[:-1]):
                yield value[..., begin:end, None], value[..., None, end:]

    def outcomes(self, position: SmallInts) -> NDArray[np.uint8]:
        """The outcome of each pair in a list: 2 better document first, 0 worse document first, 1 neither retrieved."""
        out = np.empty(self.size, dtype=np.uint8)
        begun = 0
        for first, second in self.sides(position):
            shape = np.broadcast_shapes(first.shape, second.shape)
            block = out[begun : begun + math.prod(shape)].reshape(shape)
            # Neither rank is the smaller where both are absent.
            np.less(first, second, out=block.view(np.bool_))
            block += np.less_equal(first, second).view(np.uint8)
            begun += block.size
        return out

    def weights(self, positions: SmallInts, weight: PairWeight, p: float) -> Floats | None:
        """Compute the weight of each pair, float64 [pairs]; None where all count alike.

        Where several systems look, a pair counts what it counts to the one that looks most at it.

        Args:
            positions: [systems, documents].
            weight: see ``PairWeight``.
            p: of the geometric weight.

        Raises:
            UsageError: the function gave something else than one finite number of at least 0 a pair.
        """
        if isinstance(weight, str):
            return None if weight == "uniform" else self._by_attention(positions, p)
        total = np.zeros(self.size)
        for position in positions:
            from_one = np.where(position == np.iinfo(position.dtype).max, np.inf, position + 1.0)
            sides = [np.broadcast_arrays(*block) for block in self.sides(from_one)]
            better, worse = (np.concatenate([[], *(pair[side].ravel() for pair in sides)]) for side in (0, 1))
            attention = np.asarray(weight(better, worse), dtype=np.float64)
            if attention.shape != total.shape or not np.isfinite(attention).all() or (attention < 0).any():
                raise UsageError(
                    "pair_weight should give one finite number of at least 0 for each pair of ranks "
                    "(arrays, inf for a document that is not retrieved)"
                )
            np.maximum(total, attention, out=total)
        return total

    def _by_attention(self, positions: SmallInts, p: float) -> Floats:
        nearest = positions.min(axis=0)
        absent = nearest == np.iinfo(nearest.dtype).max
        attention = np.where(absent, 0.0, float(p) ** np.where(absent, 0, nearest))
        blocks = (np.maximum(first, second).ravel() for first, second in self.sides(attention))
        return np.concatenate([[], *blocks])


class Positions(Frozen):
    """Positions of all judged documents in the lists of all systems, unjudged documents dropped.

    Args:
        systems: names, S of them.
        pool: the judgments of all T topics.
        position: from 0; ``absent`` where a document is not retrieved. [S, pool rows]
        rank: rank in the list with its unjudged documents, from 1; ``absent`` likewise. [S, pool rows]
        useful: a list ends after its last document that is useful, bool [pool rows].
        present: whether a system answered a topic, bool [S, T]; all True where an empty list is an answer too.
    """

    def __init__(
        self, systems: tuple[str, ...], pool: Pool, position: SmallInts, rank: SmallInts, useful: Mask, present: Mask
    ) -> None:
        self.systems = systems
        self.pool = pool
        self.position = position
        self.rank = rank
        self.useful = useful
        self.present = present
        for array in (position, rank, useful, present):
            array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"Positions({len(self.systems)} systems x {len(self.pool.size)} topics)"

    @classmethod
    def from_rankings(
        cls, rankings: Rankings, systems: tuple[str, ...], rel: float, cutoff: int | None = None
    ) -> Positions:
        """Positions in lists, by their systems' names, that are cut after rank ``cutoff`` before they are condensed."""
        if rankings.policy.hides_negative:
            rankings = rankings.without_negatives
        if rankings.policy.unjudged == "condense":
            rankings = rankings.condensed
        answered = (rankings.length > 0) | (rankings.policy.missing != "skip")
        rankings = rankings.top(cutoff)
        pool = rankings.pool
        depth = int(rankings.rank.max(initial=0))
        kind: type[np.int16 | np.int32] = np.int16 if depth < np.iinfo(np.int16).max else np.int32
        position: SmallInts = np.full((len(systems), len(pool.grade)), np.iinfo(kind).max, dtype=kind)
        row = np.arange(len(rankings.rank)) - rankings.starts[rankings.segment]
        position[rankings.segment // len(pool.size), rankings.document] = row
        rank = position.copy()
        rank[rankings.segment // len(pool.size), rankings.document] = rankings.rank
        return cls(systems, pool, position, rank, pool.grade >= rel, answered.reshape(len(systems), -1))

    def select_systems(self, chosen: Ints | list[int]) -> Positions:
        """The positions in the lists of a subset of systems, in the order of their numbers."""
        names = tuple(self.systems[number] for number in chosen)
        return Positions(names, self.pool, self.position[chosen], self.rank[chosen], self.useful, self.present[chosen])

    def rows(self, topic: int) -> slice:
        """The judged documents of a topic."""
        return slice(int(self.pool.starts[topic]), int(self.pool.starts[topic + 1]))

    def labels(self, topic: int) -> Floats:
        """The labels of the judged documents of a topic."""
        return self.pool.grade[self.rows(topic)]

    def ended(self, topic: int, order: Ints | None = None, depth: int | None = None) -> SmallInts:
        """Positions in lists that end after their last useful document, [S, documents of the topic].

        ``order`` deals the documents anew: document i gets what the systems made of document ``order[i]``, and lists
        end where they then end. With a random order nothing can be told from a rank. Lists are cut after rank
        ``depth`` before they are ended.
        """
        useful = np.flatnonzero(self.useful[self.rows(topic)])
        position, absent = self._dealt(self.position, topic, order), np.iinfo(self.position.dtype).max
        if depth is not None:
            position = np.where(self._dealt(self.rank, topic, order) <= depth, position, absent)
        # One more than a rank; what is absent wraps around to the least number there is.
        last = (position.take(useful, axis=1) + 1).max(axis=1, initial=0) - 1
        return np.where(position <= last[:, None], position, absent)

    def lists(self, policy: Policy) -> Rankings:
        """The lists that hold these documents at their ranks, what lies below the last of them being unknown."""
        system, document = np.nonzero(self.rank != np.iinfo(self.rank.dtype).max)
        segment, rank = system * len(self.pool.size) + self.pool.topic[document], self.rank[system, document]
        order = np.lexsort((rank, segment))
        rank, document = rank[order].astype(np.int64), document[order]
        length = np.zeros(len(self.systems) * len(self.pool.size), dtype=np.int64)
        np.maximum.at(length, segment[order], rank)
        return Rankings(
            systems=self.systems,
            pool=self.pool,
            length=length,
            starts=np.searchsorted(segment[order], np.arange(len(length) + 1)),
            rank=rank,
            document=document,
            grade=self.pool.grade[document],
            policy=policy,
        )

    def useful_ranks(self, topic: int, order: Ints | None = None) -> Ints:
        """The ranks at which any system retrieves a useful document, ascending: between them no ended list changes."""
        ranks: Ints = np.unique(self._dealt(self.rank, topic, order)[:, self.useful[self.rows(topic)]]).astype(np.int64)
        retrieved: Ints = ranks[ranks != np.iinfo(self.rank.dtype).max]
        return retrieved

    def _dealt(self, numbers: SmallInts, topic: int, order: Ints | None) -> SmallInts:
        """Positions or ranks of a topic, [S, documents]; see ``ended`` for ``order``."""
        here: SmallInts = numbers[:, self.rows(topic)]
        return here if order is None else here[:, order]

"""Orders in which the documents of a pool are judged, topic by topic.

A run is an arm of a bandit: to pull it is to judge its next document that has no label yet, and a relevant one is a
reward. Orders differ in how they value a run after the judgments so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints, Mask

Random = np.random.Generator
Worth = Callable[[Floats, Floats, Random], Floats]
"""(rewards, pulls) of each run, and random numbers -> its worth; the run of largest worth is next."""


class Pooled(NamedTuple):
    """The pool of one topic.

    Args:
        lists: documents of each run, best first, as numbers from 0.
        ranks: of each of them in its run.
        relevant: of each document.
    """

    lists: Sequence[Ints]
    ranks: Sequence[Ints]
    relevant: Mask


SelectionOrder = Callable[[Pooled, int, Random], Ints]
"""(pool, most documents, random numbers) -> the documents that are judged, in order."""


def by_depth(pool: Pooled, most: int, rng: Random) -> Ints:
    """Pools of growing depth: first the first document of every run, then the second; at random within a depth."""
    best = np.full(len(pool.relevant), np.iinfo(np.int64).max)
    for documents, ranks in zip(pool.lists, pool.ranks, strict=True):
        best[documents] = np.minimum(best[documents], ranks)
    shuffled = _shuffled(pool, rng)
    order: Ints = shuffled[np.argsort(best[shuffled], kind="stable")]
    return order[:most]


def at_random(pool: Pooled, most: int, rng: Random) -> Ints:
    """A random sample of the pool."""
    return _shuffled(pool, rng)[:most]


def _shuffled(pool: Pooled, rng: Random) -> Ints:
    """All documents that some run has, at random."""
    shuffled: Ints = rng.permutation(np.unique(np.concatenate(pool.lists)))
    return shuffled


def by_bandit(worth: Worth, memory: float = 1.0) -> SelectionOrder:
    """Judge the next document of the run that is worth most.

    Of several, the one whose last document was relevant goes on, and otherwise one is drawn.

    Args:
        worth: of runs.
        memory: what earlier rewards and pulls of a run are multiplied by when it is pulled again: 1 keeps them, 0
            looks at the last one alone.
    """

    def order(pool: Pooled, most: int, rng: Random) -> Ints:
        arms, relevant = [documents.tolist() for documents in pool.lists], pool.relevant.tolist()
        next_index, judged = [0] * len(arms), [False] * len(relevant)
        chosen: list[int] = []
        hits, pulls, closed = np.zeros(len(arms)), np.zeros(len(arms)), np.zeros(len(arms))
        arm, reward = 0, False
        while len(chosen) < most and np.isfinite(closed).any():
            values = worth(hits, pulls, rng) + closed
            best = np.flatnonzero(values == values.max())
            if not (reward and arm in best):
                arm = int(best[rng.integers(len(best))])
            documents, index = arms[arm], next_index[arm]
            while index < len(documents) and judged[documents[index]]:
                index += 1
            next_index[arm] = index + 1
            if index >= len(documents):
                closed[arm], reward = -np.inf, False
                continue
            document = documents[index]
            judged[document], reward = True, relevant[document]
            chosen.append(document)
            hits[arm] = memory * hits[arm] + reward
            pulls[arm] = memory * pulls[arm] + 1.0
        return np.array(chosen, dtype=np.int64)

    return order


def _fewest_misses(hits: Floats, pulls: Floats, _: Random) -> Floats:
    """A run stays in front until a document of it is not relevant."""
    return hits - pulls


def _mean(hits: Floats, pulls: Floats, _: Random) -> Floats:
    """Mean of the Beta distribution of its share of relevant documents, uniform before any is judged."""
    return (hits + 1.0) / (pulls + 2.0)


def _thompson(hits: Floats, pulls: Floats, rng: Random) -> Floats:
    """A draw from that distribution."""
    drawn: Floats = rng.beta(hits + 1.0, pulls - hits + 1.0)
    return drawn


OrderName = Literal["random", "depth", "mtf", "thompson", "max-mean", "max-mean-ns"]
ORDERS: dict[str, SelectionOrder] = {
    "random": at_random,
    "depth": by_depth,
    "mtf": by_bandit(_fewest_misses),
    "thompson": by_bandit(_thompson),
    "max-mean": by_bandit(_mean),
    "max-mean-ns": by_bandit(_mean, memory=0.0),
}
"""Name -> order: a random sample, growing depth, move to front (Cormack, Palmer & Clarke 1998,
doi:10.1145/290941.291009), and the bandits of Losada, Parapar & Barreiro 2016 (doi:10.1145/2851613.2851692): Thompson
sampling, the largest mean, and the same for runs whose relevant documents run out (non-stationary), where the last
document alone decides."""

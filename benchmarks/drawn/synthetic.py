"""Runs and judgments drawn from a seed, as arrays.

Every tool breaks tied scores in its own way, so ties are only drawn between two unjudged neighbours: they cost what
ties cost and move no measure, and the values of all tools stay comparable. Distinct scores are at least 0.0001 apart,
which single precision (trec_eval 9) still tells apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

POOL = 1_500
LABEL_SHARES = (0.75, 0.12, 0.08, 0.05)
PASSAGES = 8_841_823
LARGEST_TOPIC_ID = 1_200_000
SMALLEST_STEP = 100  # millionths of a score
MEAN_STEP = 20_000
TIES = 0.05
AT_ONCE = 10_000_000  # rows of a sparse run that are drawn together; more would not fit the memory of a small machine


@dataclass(frozen=True)
class Judgments:
    """One judgment a row."""

    topic: Ints
    document: Ints
    label: Ints


@dataclass(frozen=True)
class Ranked:
    """One run: topic ids [topic], document numbers and scores in millionths [topic, rank]."""

    topic: Ints
    document: Ints
    score: Ints


def sparse(topics: int, depth: int, seed: int) -> Iterator[tuple[Judgments, Ranked]]:
    """One run in the manner of MS MARCO: numeric ids, one or two relevant passages a topic, most of them retrieved.

    Drawn as a whole, or, of more rows than are drawn together, some topics at a time.
    """
    rng = np.random.default_rng([seed, depth])
    topic = rng.choice(LARGEST_TOPIC_ID, size=topics, replace=False) + 1
    share = max(1, AT_ONCE // depth)
    for first in range(0, topics, share):
        yield _sparse(rng, topic[first : first + share], depth)


def _sparse(rng: np.random.Generator, topic: Ints, depth: int) -> tuple[Judgments, Ranked]:
    topics = len(topic)
    documents = _distinct(rng, topics, depth + 2, max(PASSAGES, 2 * depth))
    # Ranks of the relevant passages are log-uniform and often past the end, where a spare document stands for them.
    place = np.exp(rng.random((topics, 2)) * np.log(1_500)).astype(np.int64) - 1
    spare = np.arange(depth, depth + 2)
    place = np.where(place < depth, place, spare)
    place[:, 1] = np.where(place[:, 1] == place[:, 0], depth + 1, place[:, 1])
    judged = np.zeros((topics, depth + 2), dtype=np.bool_)
    np.put_along_axis(judged, place, True, axis=1)
    exists = np.column_stack([np.ones(topics, dtype=np.bool_), rng.random(topics) < 0.1])
    judgments = Judgments(
        topic=np.broadcast_to(topic[:, None], (topics, 2))[exists],
        document=np.take_along_axis(documents, place, axis=1)[exists],
        label=np.ones(int(exists.sum()), dtype=np.int64),
    )
    return judgments, Ranked(topic, documents[:, :depth], _scores(rng, judged[:, :depth]))


def pooled(runs: int, topics: int, depth: int, seed: int) -> tuple[Judgments, Iterator[Ranked]]:
    """Runs in the manner of a TREC track: deep pools, labels 0 to 3, about 60 % of the first 1,000 judged."""
    rng = np.random.default_rng([seed, 0])
    topic = np.arange(1, topics + 1)
    documents = _distinct(rng, topics, 2 * POOL, 200 * POOL)
    label = rng.choice(len(LABEL_SHARES), size=(topics, POOL), p=LABEL_SHARES)
    judgments = Judgments(
        topic=np.repeat(topic, POOL),
        document=documents[:, :POOL].ravel(),
        label=label.ravel(),
    )

    def draw() -> Iterator[Ranked]:
        # What a system believes of a document: noise, and something of its label; what was pooled looked good to many.
        pooled_bonus = np.where(np.arange(2 * POOL) < POOL, 0.3, 0.0)
        worth = np.pad(label, ((0, 0), (0, POOL)))
        for run in range(1, runs + 1):
            rng = np.random.default_rng([seed, run])
            belief = pooled_bonus + worth * rng.uniform(0.1, 0.6) + rng.standard_normal(worth.shape)
            order = np.argsort(-belief, axis=1)[:, :depth]
            yield Ranked(topic, np.take_along_axis(documents, order, axis=1), _scores(rng, order < POOL))

    return judgments, draw()


def judged(topics: int, judgments: int, depth: int, seed: int) -> Iterator[tuple[Judgments, Ranked]]:
    """Many judgments a topic, half of them of label 0, and a run that retrieves some; a thousand topics at a time."""
    for first in range(1, topics + 1, 1_000):
        rng = np.random.default_rng([seed, first])
        topic = np.arange(first, min(first + 1_000, topics + 1))
        documents = _distinct(rng, len(topic), judgments, PASSAGES)
        label = np.maximum(rng.integers(-3, 4, documents.shape), 0)
        judgment = Judgments(topic.repeat(judgments), documents.ravel(), label.ravel())
        retrieved = documents[:, :depth]
        yield judgment, Ranked(topic, retrieved, _scores(rng, np.ones(retrieved.shape, dtype=np.bool_)))


def ranks(topics: int, depth: int) -> Ints:
    """1 to `depth` for every topic [topic x rank]."""
    return np.tile(np.arange(1, depth + 1), topics)


def shuffled_within_topics(topics: int, depth: int, seed: int) -> Ints:
    """Line order [topic x rank] that keeps the topics together and mixes each one's lines."""
    rng = np.random.default_rng([seed, topics, depth])
    return rng.permuted(np.arange(topics * depth).reshape(topics, depth), axis=1).ravel()


def interleaved(topics: int, depth: int) -> Ints:
    """Line order [topic x rank] that takes one line of each topic in turn."""
    return np.arange(topics * depth).reshape(topics, depth).T.ravel()


def _distinct(rng: np.random.Generator, rows: int, columns: int, population: int) -> Ints:
    """Numbers below `population` [rows, columns] in random order, no two equal in a row: one from each stratum."""
    stratum = population // columns
    numbers = np.arange(columns) * stratum + rng.integers(stratum, size=(rows, columns))
    return rng.permuted(numbers, axis=1)


def _scores(rng: np.random.Generator, judged: Bools) -> Ints:
    """Descending scores in millionths [topic, rank], with a few ties between unjudged neighbours."""
    step = SMALLEST_STEP + rng.exponential(MEAN_STEP, size=judged.shape).astype(np.int64)
    neither = ~judged[:, :-1] & ~judged[:, 1:]
    step[:, :-1][neither & (rng.random(neither.shape) < TIES)] = 0
    return np.cumsum(step[:, ::-1], axis=1)[:, ::-1]

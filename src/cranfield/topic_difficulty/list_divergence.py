"""Divergence of the lists of several systems for one topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from cranfield import engine
from cranfield._typing import Floats
from cranfield.collection.policy import Policy
from cranfield.collection.run import Run


def jensen_shannon(distributions: Sequence[Mapping[bytes, float]]) -> float:
    """Jensen-Shannon divergence in bits: H(mean of the distributions) - mean of H; 0 for equal ones, log2(n) at most.

    NaN for fewer than two: they cannot differ.
    """
    if len(distributions) < 2:
        return float("nan")
    shared: dict[bytes, float] = {}
    for distribution in distributions:
        for outcome, probability in distribution.items():
            shared[outcome] = shared.get(outcome, 0.0) + probability / len(distributions)
    own = sum(entropy(np.array(list(each.values()))) for each in distributions) / len(distributions)
    return max(0.0, entropy(np.array(list(shared.values()))) - own)


def entropy(probabilities: Floats) -> float:
    """Entropy in bits of probabilities above 0."""
    return -float(np.sum(probabilities * np.log2(probabilities)))


def weights(length: int) -> Floats:
    """Probability of each rank of a list, proportional to 1 / log2(r + 1), float64 [length]."""
    weight = 1 / np.log2(np.arange(length) + 2.0)
    share: Floats = weight / weight.sum()
    return share


@dataclass(frozen=True)
class TopList:
    """One list of a run.

    Args:
        documents: its first documents.
        scores: theirs, float64 [documents].
        all_scores: the scores of the whole list, [ranks].
    """

    documents: list[bytes]
    scores: Floats
    all_scores: Floats


def top_lists(run: Run, depth: int, policy: Policy) -> dict[str, TopList]:
    """The first ``depth`` documents of each topic in the order of the tie policy, and their scores.

    The engine alone knows the order: it judges the run by the documents that the run itself holds.
    """
    in_use, topics = engine.current(), list(run.topics)
    columns = run.starts, run.documents.data, run.documents.offsets
    index = in_use.index(topics, *columns)
    (judged,) = in_use.judge_run(topics, *columns, run.score, run.rank, index, [policy.ties], policy.on_duplicate)
    rows = [judged["document"][a:b] for a, b in pairwise(judged["starts"].tolist())]
    firsts = [topic_rows[:depth] for topic_rows in rows]
    texts = run.documents.take(np.concatenate(firsts)).tobytes()
    score = run.score if len(judged["document"]) == len(run) else _largest(run)
    lists, offset = {}, 0
    for topic, first, topic_rows in zip(topics, firsts, rows, strict=True):
        lists[topic] = TopList(texts[offset : offset + len(first)], score[first], score[topic_rows])
        offset += len(first)
    return lists


def _largest(run: Run) -> Floats:
    """The largest score of each row's document in its topic, for runs in which documents occur twice."""
    texts = run.documents.tobytes()
    largest = run.score.copy()
    for a, b in pairwise(run.starts.tolist()):
        best: dict[bytes, float] = {}
        for row in range(a, b):
            best[texts[row]] = max(best.get(texts[row], -np.inf), run.score[row])
        largest[a:b] = [best[text] for text in texts[a:b]]
    return largest

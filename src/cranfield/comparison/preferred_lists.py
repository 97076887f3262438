"""Which lists are preferred, topic by topic, from rankings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import Rankings
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.list_preference import Preference, preferences


def preferences_by_topic(
    rankings: Rankings, pairs: Contrasts, preference: Preference, rel: float, *, graded: bool
) -> Floats:
    """How far the left system of each pair is preferred on each topic, float64 [topics, pairs].

    NaN on topics without a relevant document, and, where missing topics are skipped, of pairs of which a list is
    missing.

    Args:
        rankings: of all systems, in one order.
        pairs: of systems.
        preference: which.
        rel: smallest relevant label.
        graded: whether every positive label of a topic is a level of its own, in place of ``rel``: the mean of the
            preferences at all levels, weighed by their relevant documents.
    """
    if graded:
        values = _graded(rankings, pairs, preference)
    else:
        values = np.stack([preferences(ranks, pairs, preference) for ranks in relevant_ranks(rankings, rel)])
    if rankings.policy.missing == "skip":
        absent = (rankings.length == 0).reshape(len(rankings.systems), -1).T
        values[absent[:, pairs.left] | absent[:, pairs.right]] = np.nan
    return values


def relevant_ranks(rankings: Rankings, low: float) -> Iterator[Floats]:
    """Of each topic the ranks of its documents of at least this label, ascending, float64 [systems, documents].

    Those that a list does not hold stand at its end, at infinity.
    """
    kept = rankings.only(low)
    topics = len(kept.pool.size)
    # `only` keeps everything where every label is high enough, and also where none is.
    rows = np.flatnonzero(kept.relevant(low))
    system, topic = np.divmod(kept.segment[rows], topics)
    order = np.argsort(topic, kind="stable")
    bounds = np.searchsorted(topic[order], np.arange(topics + 1))
    for number, count in enumerate(kept.pool.count(low=low).astype(np.int64).tolist()):
        mine = order[bounds[number] : bounds[number + 1]]
        ranks = np.full((len(kept.systems), count), np.inf)
        ranks[system[mine], kept.position[rows[mine]] - 1] = kept.rank[rows[mine]]
        yield ranks


def _graded(rankings: Rankings, pairs: Contrasts, preference: Preference) -> Floats:
    """The mean over the levels that occur in a topic, [topics, pairs]."""
    pool = rankings.pool
    total, weight = np.zeros((len(pool.size), len(pairs))), np.zeros((len(pool.size), 1))
    for label in pool.labels[pool.labels > 0].tolist():
        occurs = pool.tally(pool.grade == label) > 0
        for topic, ranks in enumerate(relevant_ranks(rankings, label)):
            if occurs[topic]:
                total[topic] += ranks.shape[1] * preferences(ranks, pairs, preference)
                weight[topic] += ranks.shape[1]
    mean: Floats = np.divide(total, weight, out=np.full(total.shape, np.nan), where=weight > 0)
    return mean

"""Covering intents with as few documents as possible: exact for topics of few intents, greedy for others."""

from __future__ import annotations

import numpy as np

from cranfield._text import listed
from cranfield._typing import Floats, Ints
from cranfield.collection.intents import Intents
from cranfield.collection.measure_notices import notice
from cranfield.collection.pool import Pool

EXACT = 12
"""Intents of the largest topic whose 2^n sets of covered intents are all looked at."""


def smallest(pool: Pool, intents: Intents, rel: float, recall: float = 1.0, a: float = 0.0, b: float = 1.0) -> Floats:
    """Least cost of documents that cover a share ``recall`` of each topic's intents, float64 [topics].

    A document costs b, and a more for each intent that it is relevant to. NaN where a topic has no relevant document.
    """
    key = ("cover", rel, recall, a, b)
    cost: Floats
    cost, greedy = pool.shared(key, lambda: _smallest(pool, intents, rel, recall, a, b))
    if greedy:
        notice(f"smallest covers of the intents of {listed(greedy)} are greedy: more than {EXACT} intents")
    return cost


def wanted(number: Floats, recall: float) -> Ints:
    """Intents that make up a share ``recall`` of ``number``, at least one, int64."""
    # A hair below, so that a third of three intents is one, whatever its last digit.
    return np.maximum(np.ceil(recall * number - 1e-9), 1).astype(np.int64)


def _smallest(pool: Pool, intents: Intents, rel: float, recall: float, a: float, b: float) -> tuple[Floats, list[str]]:
    """The costs, and the topics whose are greedy."""
    useful = intents.label >= rel
    document, intent = intents.document[useful], intents.intent[useful]
    topic = pool.topic[document]
    out = np.full(len(intents.topics), np.nan)
    greedy = []
    for number in np.unique(topic):
        in_topic = topic == number
        _, columns = np.unique(intent[in_topic], return_inverse=True)
        _, rows = np.unique(document[in_topic], return_inverse=True)
        table = np.zeros((rows.max() + 1, columns.max() + 1), dtype=bool)
        table[rows, columns] = True
        table = np.unique(table, axis=0)
        need = int(wanted(np.array(table.shape[1]), recall))
        if table.shape[1] <= EXACT:
            out[number] = _exact(table, need, a, b)
        else:
            out[number] = _greedy(table, need, a, b)
            greedy.append(intents.topics[number])
    return out, greedy


def _exact(table: Ints, need: int, a: float, b: float) -> float:
    """Least cost over all sets of documents, through the least cost of each set of covered intents."""
    bits = 1 << np.arange(table.shape[1])
    every = np.arange(1 << table.shape[1])
    cost = np.full(len(every), np.inf)
    cost[0] = 0.0
    for row in table:
        np.minimum.at(cost, every | int(bits[row].sum()), cost + b + a * row.sum())
    covered = np.array([int(mask).bit_count() for mask in every])
    return float(cost[covered >= need].min())


def _greedy(table: Ints, need: int, a: float, b: float) -> float:
    """Cost of the documents picked one by one: most new intents for the cost."""
    open_, total = np.ones(table.shape[1], dtype=bool), 0.0
    while int((~open_).sum()) < need:
        new = (table & open_).sum(axis=1)
        cost = b + a * table.sum(axis=1)
        # Two numbers compared without division: a document may cost nothing.
        best = max(range(len(table)), key=lambda row: (new[row] / cost[row] if cost[row] else np.inf * new[row], -row))
        total += float(cost[best])
        open_ &= ~table[best]
    return total

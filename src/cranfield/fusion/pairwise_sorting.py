"""Documents in order by a relation between two of them, which may have cycles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield._typing import Ints
from cranfield.statistics.merge_sort import merge_sort

Relation = Callable[[Ints, Ints], NDArray[np.signedinteger[Any]]]
"""1, 0, -1 as the first document of each pair beats the second, neither does, or is beaten; arrays that broadcast."""

Cycles = Literal["sort", "components"]
"""What decides where the relation has cycles: the textbook's merge sort, or the components of the relation."""


def ordered(starts: Ints, relation: Relation, cycles: Cycles = "sort") -> Ints:
    """Documents of every topic in order, int64 [documents].

    ``sort`` is the published practice: top-down merge sort from the order in which the documents are given, of which
    the outcome depends on that order where the relation has cycles or indifference. ``components`` asks the relation
    alone: no document stands before one that beats it unless they are on a cycle; on a cycle those that beat more of it
    come first; what is still open is decided by the order given. It compares all documents: n^2 steps a topic.

    Args:
        starts: topic t has the documents ``starts[t]:starts[t + 1]``, int64 [topics + 1].
        relation: between documents.
        cycles: what decides where it has cycles.
    """
    if cycles == "sort":
        return merge_sort(starts, lambda left, right: relation(left, right) >= 0)
    parts = [
        begin + by_components(relation(rows[:, None], rows[None, :]) > 0)
        for begin, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
        for rows in (np.arange(begin, end),)
    ]
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def by_components(beats: NDArray[np.bool_]) -> Ints:
    """Order of one topic's documents from who beats whom, bool [documents, documents]."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    size = len(beats)
    if size == 0:
        return np.zeros(0, dtype=np.int64)
    count, component = connected_components(csr_matrix(beats), connection="strong")
    wins = (beats & (component[:, None] == component[None, :])).sum(axis=1)
    inside = np.lexsort((np.arange(size), -wins, component))
    first = np.full(count, size)
    np.minimum.at(first, component, np.arange(size))
    reaches = np.zeros((count, count), dtype=np.bool_)
    one, other = np.nonzero(beats)
    reaches[component[one], component[other]] = True
    np.fill_diagonal(reaches, False)
    turn = np.empty(count, dtype=np.int64)
    waits = reaches.sum(axis=0).astype(np.int64)
    for place in range(count):
        # Of the components that nothing left beats, the one whose first document comes first.
        free = np.where(waits == 0, first, size + 1)
        chosen = int(free.argmin())
        turn[chosen] = place
        waits -= reaches[chosen]
        waits[chosen] = -1
    order: Ints = inside[np.argsort(turn[component[inside]], kind="stable")]
    return order

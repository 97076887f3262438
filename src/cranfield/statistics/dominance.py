"""Lists that are better than others by every consistent measure: dominance of counts of relevant documents."""

from __future__ import annotations

import numpy as np

from cranfield._typing import Floats, Ints, Mask, NDArray

NEVER = np.iinfo(np.int32).max
"""The rank of a document that a list does not have."""


def positions(system: Ints, rank: Ints, grade: Floats, levels: Floats, systems: int) -> NDArray[np.int32]:
    """Ranks of the m-th document that reaches each level, all levels side by side, [systems, levels x m].

    Args:
        system: of each row, ascending, [rows].
        rank: of each, ascending inside a system, [rows].
        grade: of each, [rows].
        levels: thresholds.
        systems: their number.
    """
    tables = []
    for level in levels:
        reaches = grade >= level
        own, ranks = system[reaches], rank[reaches]
        counts = np.bincount(own, minlength=systems)
        table = np.full((systems, int(counts.max(initial=0))), NEVER, dtype=np.int32)
        nth = np.arange(len(own)) - np.repeat(np.cumsum(counts) - counts, counts)
        table[own, nth] = ranks
        tables.append(table)
    return np.concatenate(tables, axis=1) if tables else np.zeros((systems, 0), dtype=np.int32)


def dominance(table: NDArray[np.int32]) -> Mask:
    """Return whether no entry of system x is larger than that of system y, [x, y].

    Args:
        table: smaller is better, [systems, entries].
    """
    result = np.empty((len(table), len(table)), dtype=bool)
    for row, entries in enumerate(table):
        result[row] = (entries <= table).all(axis=1)
    return result


def counts_by_rank(system: Ints, rank: Ints, grade: Floats, levels: Floats, systems: int, depth: int) -> Ints:
    """C(t, r): documents that reach each level in the first r ranks, [systems, levels, depth].

    Ranks are as in ``positions``, from 1 to ``depth``.
    """
    marks = np.zeros((systems, len(levels), depth), dtype=np.int64)
    for number, level in enumerate(levels):
        reaches = grade >= level
        marks[system[reaches], number, rank[reaches] - 1] = 1
    return np.asarray(np.cumsum(marks, axis=2))


def convex_dominance(counts: Ints) -> Mask:
    """Return whether x is as good as y by every gain and every discount that is convex too, [x, y].

    Args:
        counts: C(t, r), [systems, levels, depth]; compared are C(t, 1) + ... + C(t, j) for j < depth, and C(t, depth).
    """
    sums = np.cumsum(counts, axis=2)
    sums[:, :, -1] = counts[:, :, -1]
    flat = -sums.reshape(len(sums), -1)
    return dominance(flat.astype(np.int32))


def dominance_whatever_unjudged(counts: Ints, unjudged: Ints) -> Mask:
    """Return whether x is as good as y for every labelling of the unjudged documents, [x, y].

    D(t, r) - b(r) >= 0 for all t and r, with D = C_x - C_y of judged documents and b(r) the unjudged documents in the
    first r ranks of y but not of x.

    Args:
        counts: C(t, r) of judged documents, [systems, levels, depth].
        unjudged: rank of each unjudged document in each list, larger than depth where it is not there,
            [systems, documents].
    """
    systems, _, depth = counts.shape
    result = np.empty((systems, systems), dtype=bool)
    within_y = _documents_by_rank(unjudged, depth)
    for x, ranks in enumerate(unjudged):
        in_x = ranks <= depth
        # A document is among the first r ranks of both lists where it is among those of the list that has it later.
        within_both = _documents_by_rank(np.maximum(ranks[in_x], unjudged[:, in_x]), depth)
        result[x] = (counts[x] - counts >= (within_y - within_both)[:, None, :]).all(axis=(1, 2))
    return result


def _documents_by_rank(ranks: Ints, depth: int) -> Ints:
    """Count the documents within the first r ranks, [systems, documents] -> [systems, depth]."""
    systems = len(ranks)
    cells = np.minimum(ranks, depth + 1) - 1 + np.arange(systems)[:, None] * (depth + 1)
    counts = np.bincount(cells.ravel(), minlength=systems * (depth + 1)).reshape(systems, depth + 1)
    return np.asarray(np.cumsum(counts[:, :depth], axis=1))

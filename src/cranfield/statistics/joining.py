"""Hierarchical clustering: the two closest groups are joined, again and again, until one is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from cranfield.arrays import Floats

Update = Callable[[Floats, Floats, float, float], Floats]
"""Distances of all others to one part and to the other, and the sizes of these -> distances to both together."""


def _average(one: Floats, other: Floats, size: float, size_other: float) -> Floats:
    return (size * one + size_other * other) / (size + size_other)


def _complete(one: Floats, other: Floats, _: float, __: float) -> Floats:
    return np.maximum(one, other)


UPDATES: Mapping[str, Update] = {"average": _average, "complete": _complete}
METHODS = ("average", "complete", "single")
"""How far two groups are apart: the mean of all distances between them, the largest, or the smallest."""


def joined(distances: Floats, method: str) -> Floats:
    """The joins of ``scipy.cluster.hierarchy.linkage``, nearest first: two groups, their distance, how many it holds.

    Groups are numbered: leaves from 0, joins after them. Chains of nearest neighbours (Murtagh 1983,
    https://doi.org/10.1093/comjnl/26.4.354) end in two groups that are each other's nearest, and cost the square of the
    number of leaves in all; for ``single`` they are the shortest tree that connects all (Prim 1957,
    https://doi.org/10.1002/j.1538-7305.1957.tb01515.x).

    To import SciPy's own takes fifty times as long as to join a hundred leaves here.

    Args:
        distances: [leaves, leaves], symmetric and finite, of two leaves or more.
        method: one of ``METHODS``.
    """
    found = _shortest_tree(distances) if method == "single" else _chained(distances, UPDATES[method])
    return _numbered(found[np.argsort(found[:, 2], kind="stable")])


def leaves_in_order(joins: Floats) -> list[int]:
    """Leaves as the tree is drawn without crossing lines, the first part of each join first."""
    count = len(joins) + 1
    parts = joins[:, :2].astype(np.int64).tolist()
    order, waiting = [], [2 * count - 2]
    while waiting:
        group = waiting.pop()
        if group < count:
            order.append(group)
        else:
            waiting += reversed(parts[group - count])
    return order


def _chained(distances: Floats, update: Update) -> Floats:
    """Joins in the order in which they are found, each group named by one of its leaves."""
    count = len(distances)
    apart = distances.copy()
    np.fill_diagonal(apart, np.inf)
    size = np.ones(count)
    found = np.empty((count - 1, 4))
    chain: list[int] = []
    for row in range(count - 1):
        if not chain:
            chain.append(int(np.argmax(size > 0)))
        while True:
            last = chain[-1]
            nearest = int(np.argmin(apart[last]))
            # Of equally near ones the one before, so that a chain ends.
            if len(chain) > 1 and apart[last, chain[-2]] <= apart[last, nearest]:
                break
            chain.append(nearest)
        one, other = sorted((chain.pop(), chain.pop()))
        found[row] = one, other, apart[one, other], size[one] + size[other]
        # Infinite for what was joined before, and for the two themselves.
        rest = update(apart[one], apart[other], size[one], size[other])
        apart[one], apart[:, one] = np.inf, np.inf
        apart[other], apart[:, other] = rest, rest
        size[one], size[other] = 0, size[one] + size[other]
    return found


def _shortest_tree(distances: Floats) -> Floats:
    """The same of the tree that connects all leaves by the shortest lines."""
    count = len(distances)
    found = np.empty((count - 1, 4))
    near = np.full(count, np.inf)
    left = np.ones(count, bool)
    at = 0
    for row in range(count - 1):
        left[at] = False
        near = np.minimum(near, distances[at])
        following = int(np.argmin(np.where(left, near, np.inf)))
        found[row] = at, following, near[following], 0
        at = following
    return found


def _numbered(found: Floats) -> Floats:
    """Joins in their order, by the numbers of the groups, the smaller first, and with their sizes."""
    count = len(found) + 1
    above = list(range(2 * count - 1))
    size = [1] * count

    def group(leaf: int) -> int:
        while above[leaf] != leaf:
            above[leaf] = above[above[leaf]]
            leaf = above[leaf]
        return leaf

    joins = np.empty_like(found)
    for row, (one, other, at, _) in enumerate(found.tolist()):
        a, b = sorted((group(int(one)), group(int(other))))
        size.append(size[a] + size[b])
        above[a] = above[b] = count + row
        joins[row] = a, b, at, size[-1]
    return joins

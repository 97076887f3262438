"""Lists of scores to correlate, with and without ties."""

from __future__ import annotations

import itertools

from hypothesis import strategies as st

Vector = list[float]


def pairs_of_lists(largest: int, low: int = 2, high: int = 9) -> st.SearchStrategy[tuple[Vector, Vector]]:
    """Two lists of equal length with few different values, so that ties are frequent."""
    value = st.integers(0, largest).map(lambda number: number / 2)
    return st.integers(low, high).flatmap(
        lambda n: st.tuples(st.lists(value, min_size=n, max_size=n), st.lists(value, min_size=n, max_size=n))
    )


def orders(low: int = 2, high: int = 9) -> st.SearchStrategy[tuple[Vector, Vector]]:
    """Two lists without ties."""
    return st.integers(low, high).flatmap(
        lambda n: st.tuples(
            st.permutations([float(i) for i in range(n)]), st.permutations([float(i) for i in range(n)])
        )
    )


def untied_versions(scores: Vector) -> list[Vector]:
    """Every list without ties that orders the items as this one does."""
    groups = [[i for i, score in enumerate(scores) if score == value] for value in sorted(set(scores))]
    versions = []
    for choice in itertools.product(*(itertools.permutations(group) for group in groups)):
        places = {item: float(place) for place, item in enumerate(itertools.chain(*choice))}
        versions.append([places[item] for item in range(len(scores))])
    return versions

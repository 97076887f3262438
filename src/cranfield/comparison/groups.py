"""Letters for a leaderboard: systems that share one do not differ significantly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import UsageError

LETTERS = 20
"""Systems whose letters can still be read."""
MOST = 2
"""Groups for each item. Tests by one yardstick need no more than one; of others the number can grow without bound."""


def letters(different: NDArray[np.bool_]) -> list[str]:
    """Letters such that two items share one exactly if they are not different, with as few groups as absorption finds.

    Each pair that differs splits every group that holds both; groups inside others are dropped.

    Args:
        different: symmetric, [items, items].

    Returns:
        Of each item its letters, ``a`` for the group of the first item; after ``z`` come ``aa``, ``ab``, ...

    Raises:
        UsageError: more than twice as many groups as items, which no reader follows.

    Reference:
        Piepho 2004, An algorithm for a letter-based representation of all-pairwise comparisons.
        doi:10.1198/1061860043515
    """
    items = len(different)
    groups = {(1 << items) - 1} if items else set()
    for one in range(items):
        against = sum(1 << other for other in range(one + 1, items) if different[one, other])
        if not against:
            continue
        holding = {group for group in groups if group >> one & 1 and group & against}
        groups = _absorbed(
            (groups - holding) | {group & ~(1 << one) for group in holding} | {group & ~against for group in holding}
        )
        most = MOST * max(items, 26)
        if len(groups) > most:
            raise UsageError(
                f"{items:,} systems fall into more than {most:,} groups, which nobody could read: take test='tukey', "
                "whose yardstick is the same for all pairs, or fewer systems"
            )
    ordered = sorted(groups, key=lambda group: [at for at in range(items) if group >> at & 1])
    names = [_name(at) for at in range(len(ordered))]
    separator = "" if len(names) <= 26 else " "
    return [
        separator.join(name for name, group in zip(names, ordered, strict=True) if group >> at & 1)
        for at in range(items)
    ]


def _absorbed(groups: set[int]) -> set[int]:
    """Without those that lie inside another."""
    kept: list[int] = []
    for group in sorted(groups, key=lambda group: (-group.bit_count(), group)):
        if not any(group & larger == group for larger in kept):
            kept.append(group)
    return set(kept)


def _name(at: int) -> str:
    name = chr(97 + at % 26)
    return name if at < 26 else _name(at // 26 - 1) + name

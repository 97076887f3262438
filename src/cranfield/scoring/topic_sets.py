"""Sets of whole-number topics, a few bytes each."""

from __future__ import annotations

from collections.abc import Iterator, Set

import numpy as np

from cranfield.arrays import Ints


class WholeTopics(Set[str]):
    """The ids of topics that are whole numbers, as a set of their text.

    Args:
        ids: in any order, each once, int64 [topics].
    """

    __slots__ = ("ids",)

    def __init__(self, ids: Ints) -> None:
        self.ids = ids if len(ids) < 2 or (ids[1:] > ids[:-1]).all() else np.sort(ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[str]:
        return map(str, self.ids.tolist())

    def __contains__(self, topic: object) -> bool:
        try:
            number = int(topic)  # type: ignore[call-overload]
        except (TypeError, ValueError):
            return False
        at = int(np.searchsorted(self.ids, number)) if abs(number) < 1 << 63 else len(self.ids)
        return at < len(self.ids) and str(self.ids[at]) == str(topic)

    def __hash__(self) -> int:
        return hash(self.ids.tobytes())

    def with_all(self, other: WholeTopics) -> tuple[WholeTopics, str | None]:
        """Those of both, and the first one that is in both, if there is one."""
        ids = np.sort(np.concatenate([self.ids, other.ids]), kind="stable")
        twice = np.flatnonzero(ids[1:] == ids[:-1])
        return WholeTopics(np.unique(ids) if len(twice) else ids), str(ids[twice[0]]) if len(twice) else None


Topics = frozenset[str] | WholeTopics


def united(one: Topics, other: Topics) -> tuple[Topics, str | None]:
    """Those of both, and the first one that is in both, if there is one."""
    if isinstance(one, WholeTopics) and isinstance(other, WholeTopics):
        return one.with_all(other)
    named = frozenset(one), frozenset(other)
    return named[0] | named[1], min(named[0] & named[1], default=None)

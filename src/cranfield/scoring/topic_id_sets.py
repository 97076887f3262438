"""Sets of integer topics: a few bytes for each run of consecutive ids, however long it is."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from cranfield._typing import Ints, Mask

PIECE = 1 << 16
"""Runs that are written out at a time."""


class IntegerTopics(Set[str]):
    """The ids of topics that are integers, as a set of their text.

    It holds runs of consecutive ids: numbered users, or a part of them, are one run. An id far from the others takes 9
    bytes.

    Args:
        ids: in any order, each once, int64 [topics].
    """

    __slots__ = ("further", "starts")

    starts: Ints
    """First id of each run, ascending, int64 [runs]."""
    further: Any
    """The number of ids that follow it, of the smallest unsigned type, [runs]."""

    def __init__(self, ids: Ints) -> None:
        ordered = ids if len(ids) < 2 or (ids[1:] > ids[:-1]).all() else np.sort(ids)
        ends = np.flatnonzero(np.diff(ordered) != 1)
        self._hold(
            ordered[np.concatenate([[0], ends + 1])[: len(ordered)]],
            ordered[np.concatenate([ends, [-1]])[: len(ordered)]],
        )

    def _hold(self, starts: Ints, lasts: Ints) -> None:
        further = lasts - starts
        self.starts, self.further = starts, further.astype(np.min_scalar_type(int(further.max(initial=0))))

    @property
    def lasts(self) -> Ints:
        """Last id of each run, int64 [runs]."""
        lasts: Ints = self.starts + self.further.astype(np.int64)
        return lasts

    def __len__(self) -> int:
        return len(self.starts) + int(self.further.sum(dtype=np.int64))

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self.starts), PIECE):
            piece = slice(start, start + PIECE)
            for first, further in zip(self.starts[piece].tolist(), self.further[piece].tolist(), strict=True):
                yield from map(str, range(first, first + further + 1))

    def __contains__(self, topic: object) -> bool:
        try:
            number = int(topic)  # type: ignore[call-overload]
        except (TypeError, ValueError):
            return False
        if str(number) != str(topic) or not -(1 << 63) <= number < 1 << 63:
            return False
        return bool(self.holds(np.array([number]))[0])

    def holds(self, ids: Ints) -> Mask:
        """Return which of these ids are in the set, [ids]."""
        if not len(self.starts):
            return np.zeros(len(ids), dtype=np.bool_)
        at = np.searchsorted(self.starts, ids, side="right") - 1
        inside: Mask = (at >= 0) & (ids <= self.lasts[at])
        return inside

    def __eq__(self, other: object) -> bool:
        if isinstance(other, IntegerTopics):
            return np.array_equal(self.starts, other.starts) and np.array_equal(self.further, other.further)
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash((self.starts.tobytes(), self.lasts.tobytes()))

    def unite(self, other: IntegerTopics) -> tuple[IntegerTopics, str | None]:
        """The union, and the first id that is in both, if there is one."""
        starts = np.concatenate([self.starts, other.starts])
        order = np.argsort(starts, kind="stable")
        starts, lasts = starts[order], np.concatenate([self.lasts, other.lasts])[order]
        # The last id so far: a run that starts right behind it goes on, and one that starts later is a new run.
        reached = np.maximum.accumulate(lasts)
        twice = np.flatnonzero(starts[1:] <= reached[:-1])
        anew = np.flatnonzero((starts[1:] > reached[:-1]) & (starts[1:] - 1 > reached[:-1]))
        both = IntegerTopics(np.empty(0, dtype=np.int64))
        begin, end = np.concatenate([[0], anew + 1])[: len(starts)], np.concatenate([anew, [-1]])[: len(starts)]
        both._hold(starts[begin], reached[end])
        return both, str(starts[twice[0] + 1]) if len(twice) else None


Topics = frozenset[str] | IntegerTopics


def unite(left: Topics, right: Topics) -> tuple[Topics, str | None]:
    """The union, and the first id that is in both, if there is one."""
    if isinstance(left, IntegerTopics) and isinstance(right, IntegerTopics):
        return left.unite(right)
    named = frozenset(left), frozenset(right)
    return named[0] | named[1], min(named[0] & named[1], default=None)

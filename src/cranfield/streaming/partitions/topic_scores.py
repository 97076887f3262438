"""Scores of topics that parts send back, for comparisons of runs and for groups of topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield._optional import pa, pc
from cranfield._typing import Floats, Ints
from cranfield.collection.ids import count_ids, joined, taken
from cranfield.engine.protocol import IdColumn
from cranfield.streaming.partitions.parts import Part


@dataclass(frozen=True, slots=True)
class TopicScores:
    """Ids of topics and their scores, [measures, topics]."""

    topics: IdColumn
    values: Floats

    def __len__(self) -> int:
        return count_ids(self.topics)

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        ids = sum(part.nbytes for part in self.topics) if isinstance(self.topics, tuple) else self.topics.nbytes
        return int(ids + self.values.nbytes)


@dataclass(slots=True)
class Collected:
    """Receives the scores of one part's topics, a few at a time.

    Args:
        ids: of all topics, by number.
    """

    ids: IdColumn
    parts: list[TopicScores] = field(default_factory=list)

    def __call__(self, numbers: Ints, values: Floats) -> None:
        """Scores of the topics with these numbers."""
        self.parts.append(TopicScores(taken(self.ids, numbers), values))

    def joined(self) -> TopicScores | None:
        """All topics that were received; None where there are none."""
        return _concatenate(self.parts) if self.parts else None


class RunScores:
    """Scores of all topics of one run, in the order in which parts send them.

    Args:
        most: bytes that they may take; more are dropped, and ``dropped`` says how many bytes there were.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._parts: list[TopicScores] = []
        self.size = 0

    def add(self, scores: TopicScores | None) -> None:
        """Add the scores of a part."""
        if scores is None:
            return
        self.size += scores.size
        self._parts = [] if self.dropped else [*self._parts, scores]

    def __call__(self, part: Part | None, topics: IdColumn, scores: Floats) -> None:
        """Scores of topics that are in no part."""
        self.add(TopicScores(topics, scores))

    @property
    def dropped(self) -> int:
        """Bytes that would have been needed so far; 0 where there was room for all."""
        return self.size if self.size > self._most else 0

    def clear(self) -> None:
        """Forget all, as the run is scored anew."""
        self._parts, self.size = [], 0

    def joined(self) -> TopicScores | None:
        """All scores; None where there are none, or there was no room."""
        return _concatenate(self._parts) if self._parts else None


def _concatenate(parts: list[TopicScores]) -> TopicScores:
    return TopicScores(joined([part.topics for part in parts]), np.concatenate([part.values for part in parts], axis=1))


def arrow_ids(topics: IdColumn) -> Any:
    """Ids as an array of PyArrow's, which shares the memory."""
    if not isinstance(topics, tuple):
        return pa.array(topics)
    data, offsets = (np.ascontiguousarray(part) for part in topics)
    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))


def aligned(runs: Mapping[str, TopicScores]) -> dict[str, Floats]:
    """The scores of each run on the topics that all of them have, in one order, [measures, topics]."""
    ids = {name: arrow_ids(run.topics) for name, run in runs.items()}
    shared = next(iter(ids.values()))
    for further in list(ids.values())[1:]:
        shared = shared.filter(pc.is_in(shared, value_set=further))
    indices = {name: pc.index_in(shared, value_set=run).to_numpy() for name, run in ids.items()}
    return {name: runs[name].values[:, index] for name, index in indices.items()}

"""Documents that are twice in a topic whose rows are in several files, with a judgment or without.

Each row has a hash of its topic and document. Equal hashes are looked up, so that only what is twice indeed is refused.
Hashes take 8 bytes a row: where those of all rows have no room, they are gathered in shares, each by a pass of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from secrets import randbits
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cranfield._text import cut, quoted
from cranfield.collection.ids import text_at
from cranfield.engine.protocol import IdColumn
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.streaming.partitions.batches import Kinds, batches
from cranfield.streaming.partitions.parts import Part
from cranfield.streaming.partitions.qrels import JudgedTopics

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, kw_only=True)
class HashPass:
    """Hashes rows of judged topics. It may be sent to other processes.

    Args:
        judged: the judgments.
        kinds: of the ids.
        rows: read at a time.
        shares: into which all hashes are cut.
        share: the number of this one.
        key: of the hashes, random, so that nobody can write ids whose hashes are equal.
    """

    does: ClassVar = "looking for repeated documents"
    judged: JudgedTopics
    kinds: Kinds
    rows: int
    shares: int
    share: int = 0
    key: tuple[int, int] = field(default_factory=lambda: (randbits(64), randbits(64)))

    def __call__(self, part: Part) -> Hashes:
        """Those of a part."""
        read = (batch for fragment in part.run for batch in batches(fragment, self.kinds, self.rows))
        return joined([self.of(batch.topics, batch.documents) for batch in read])

    def of(self, topics: IdColumn, documents: IdColumn) -> Hashes:
        """Those of a batch that are in this share."""
        hashes = self.hash_all(topics, documents)
        wanted = hashes != 0
        if self.shares > 1:
            wanted &= hashes % np.uint64(self.shares) == self.share
        chosen: Hashes = hashes[wanted]
        return chosen

    def hash_all(self, topics: IdColumn, documents: IdColumn) -> Hashes:
        """The hash of each row, 0 where its topic is not judged."""
        return self.judged.pools.hash_rows(topics, documents, self.key)

    def next_shares(self) -> Iterator[HashPass]:
        """Passes over the other shares."""
        return (replace(self, share=share) for share in range(self.share + 1, self.shares))


def joined(hashes: Sequence[Hashes]) -> Hashes:
    """The hashes of several batches or parts."""
    return np.concatenate(hashes) if hashes else np.empty(0, dtype=np.uint64)


def find_equal(hashes: list[Hashes]) -> Hashes:
    """The hashes that occur twice, in their order; the list is emptied."""
    every = joined(hashes)
    hashes.clear()
    every.sort()
    return np.unique(every[1:][every[1:] == every[:-1]])


def refuse_repeated(
    hashed: HashPass,
    hashes: list[Hashes],
    parts: Sequence[Part],
    each: Callable[[Callable[[Part], Any]], Iterator[Any]],
) -> None:
    """Refuse a run of which a document is twice in a topic.

    Args:
        hashed: the pass over the first share.
        hashes: of its rows, by part; the list is emptied.
        parts: of the run.
        each: does a task with every part.

    Raises:
        InputError: a document is twice; the second row is the first such one in the order of the files.
    """
    equal = [find_equal(hashes)]
    equal += [find_equal(list(each(share))) for share in hashed.next_shares()]
    suspected = np.sort(joined(equal))
    while len(suspected):
        wanted = _first_again(hashed, suspected, parts)
        met: dict[tuple[str, str], Location] = {}
        for document, topic, location in _rows_with(hashed, wanted, parts):
            if (document, topic) in met:
                raise twice(document, topic, met[document, topic], location)
            met[document, topic] = location
        suspected = suspected[suspected != np.uint64(wanted)]


def _in_order(hashed: HashPass, parts: Sequence[Part]) -> Iterator[tuple[Any, Any, Hashes]]:
    """Every batch of every part, with the file and the hashes of its rows."""
    for part in sorted(parts, key=lambda part: part.number):
        for fragment in part.run:
            for batch in batches(fragment, hashed.kinds, hashed.rows):
                yield fragment, batch, hashed.hash_all(batch.topics, batch.documents)


def _first_again(hashed: HashPass, suspected: Hashes, parts: Sequence[Part]) -> int:
    """The hash of the first row, in the order of the files, whose hash an earlier row has; only those suspected."""
    seen = np.zeros(len(suspected), dtype=bool)
    for _, _, hashes in _in_order(hashed, parts):
        at = np.minimum(np.searchsorted(suspected, hashes), len(suspected) - 1)
        number = at[suspected[at] == hashes]
        first = np.unique(number, return_index=True)[1]
        again = seen[number]
        again[np.setdiff1d(np.arange(len(number)), first)] = True
        if again.any():
            return int(suspected[number[int(np.argmax(again))]])
        seen[number] = True
    text = "no longer has the rows that were read before: read it again when nothing writes to it"
    raise InputError(text, parts[0].location, code="changed")


def _rows_with(hashed: HashPass, wanted: int, parts: Sequence[Part]) -> Iterator[tuple[str, str, Location]]:
    """Document, topic and location of each row of this hash."""
    for fragment, batch, hashes in _in_order(hashed, parts):
        for at in np.flatnonzero(hashes == np.uint64(wanted)).tolist():
            yield text_at(batch.documents, at), text_at(batch.topics, at), fragment.where(batch.first + at)


def twice(document: str, topic: str, earlier: Location, later: Location) -> InputError:
    """The error for a document in two rows of a topic."""
    text = f"document {quoted(document)} occurs twice in topic {quoted(topic)}, also in {earlier}; keep one of its rows"
    return InputError(text, later, code="duplicate", value=cut(document))

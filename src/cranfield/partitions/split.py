"""Topics whose rows are in several files: two passes over the run, and nothing is moved from one file to another.

The first finds the scores of the judged documents, the second counts what is above each of them. Counts add up over
files, so that every list is known as if it had been in one. What is not seen is a document without a judgment that is
in two files of one topic: it is counted twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.collection.id_columns import text_at
from cranfield.column_contract import DocumentsStanding, Lists
from cranfield.errors import EngineError, InputError, UsageError
from cranfield.findings.place import Place
from cranfield.partitions.columns import Kinds
from cranfield.partitions.fragments import Fragment
from cranfield.partitions.gathered import Collected
from cranfield.partitions.judged import JudgedTopics
from cranfield.partitions.listing import worded
from cranfield.partitions.parts import Part
from cranfield.partitions.planning import Plan
from cranfield.partitions.reading import batches
from cranfield.partitions.work import Found, Work
from cranfield.scoring.lists import TOPICS
from cranfield.scoring.partial import Partial
from cranfield.wording import cut, quoted

Counts = list[NDArray[np.uint32]]
Ranked = tuple[Ints, Ints, Ints, Ints, Ints]
"""See ``DocumentsStanding.ranks``."""
Each = Callable[[Callable[[Part], Any]], Iterator[Any]]
"""Does a task with every part, and gives what each comes to."""


@dataclass(frozen=True, slots=True)
class Met:
    """What the first pass found in a part.

    Args:
        part: its number.
        length: rows of each topic, int64 [topics].
        document: pool rows of judged documents.
        score: theirs.
        row: where each is in the file, from 0.
        rows: that were read.
    """

    part: int
    length: Ints
    document: Ints
    score: Floats
    row: Ints
    rows: int


@dataclass(frozen=True, kw_only=True)
class FirstPass:
    """Finds the judged documents of a part. It may be sent to other processes."""

    judged: JudgedTopics
    kinds: Kinds
    rows: int

    def __call__(self, part: Part) -> Met:
        """What is in the files of a part."""
        (fragment,) = part.run
        length, rows = np.zeros(self.judged.count, dtype=np.int64), 0
        found: list[tuple[Ints, Floats, Ints]] = []
        for topics, documents, score, first in batches(fragment, self.kinds, self.rows):
            try:
                topic, count, document, value, row = self.judged.pools.met(topics, documents, score)
            except EngineError as error:
                raise worded(error, fragment, first) from None
            np.add.at(length, topic, count)
            found.append((document, value, row + first))
            rows += len(score)
        none = np.empty(0, dtype=np.int64)
        document, value, row = (np.concatenate(parts) for parts in zip((none, np.empty(0), none), *found, strict=True))
        return Met(part.number, length, document, value, row, rows)


@dataclass(frozen=True, kw_only=True)
class SecondPass:
    """Counts what is above each judged document in a part. It may be sent to other processes.

    Args:
        judged: the judgments.
        kinds: of the ids.
        rows: read at a time.
        score: of each pool row, NaN where it was not retrieved.
        ties: how equal scores are ordered.
        groups: whether equal scores are counted too.
    """

    judged: JudgedTopics
    kinds: Kinds
    rows: int
    score: Floats = field(repr=False)
    ties: str
    groups: bool

    @cached_property
    def standing(self) -> DocumentsStanding:
        """Judged documents in their order."""
        return self.judged.pools.standing(self.score, self.ties)

    def none(self) -> Counts:
        """Counts of nothing."""
        size = len(self.standing)
        return [np.zeros(size if number == 0 or self.groups else 0, dtype=np.uint32) for number in range(3)]

    def __call__(self, part: Part) -> tuple[int, Counts]:
        """The number of a part and its counts."""
        counts = self.none()
        for fragment in part.run:
            for topics, documents, score, _ in batches(fragment, self.kinds, self.rows):
                self.standing.count(self.judged.pools, topics, documents, score, counts)
        return part.number, counts

    def __reduce__(self) -> tuple[Any, ...]:
        from functools import partial

        how: dict[str, Any] = {"score": self.score, "ties": self.ties, "groups": self.groups}
        return partial(SecondPass, judged=self.judged, kinds=self.kinds, rows=self.rows, **how), ()


def check_splittable(ties: str, on_duplicate: str, fragments: Sequence[Fragment]) -> None:
    """Refuse what cannot be known of topics in several files.

    Raises:
        UsageError: an order by the file, or a document kept of two, or text.
    """
    if ties == "file":
        raise UsageError("ties='file' has no meaning for topics in several files: choose trec or docid")
    if on_duplicate == "first":
        raise UsageError("on_duplicate='first' cannot be had of topics in several files: leave it out")
    if fragments and fragments[0].form == "trec":
        text = "topics='split' reads Parquet and Arrow files: put the rows of each topic into one file of text"
        raise UsageError(text)


class Gathering:
    """What all parts found in the first pass: where each judged document is, and how long each list is."""

    def __init__(self, judged: JudgedTopics, parts: int, place_of: Callable[[int, int], Place]) -> None:
        self._judged = judged
        self._place_of = place_of
        size = len(judged.judgments.grade)
        self.score = np.full(size, np.nan)
        self.length = np.zeros(judged.count, dtype=np.int64)
        self._part = np.full(size, -1, dtype=np.min_scalar_type(-parts - 1))
        self.rows = 0

    def add(self, met: Met) -> None:
        """Documents of a part.

        Raises:
            InputError: one is in another part too, or twice in this one; both places are named.
        """
        self.length += met.length
        self.rows += met.rows
        before = self._part[met.document]
        again = np.flatnonzero(before >= 0)
        if len(again):
            raise self._twice(met, int(again[0]), int(before[again[0]]))
        ordered = np.sort(met.document)
        if (ordered[1:] == ordered[:-1]).any():
            last = np.full(len(self.score), -1, dtype=np.int64)
            last[met.document] = np.arange(len(met.document))
            at = np.flatnonzero(last[met.document] != np.arange(len(met.document)))[0]
            raise self._twice(met, int(at), -1)
        self.score[met.document] = met.score
        self._part[met.document] = met.part

    def _twice(self, met: Met, at: int, part: int) -> InputError:
        document = int(met.document[at])
        topic = int(np.searchsorted(self._judged.judgments.starts, document, side="right")) - 1
        name = text_at(self._judged.pools.documents(), document)
        other = int(met.row[np.flatnonzero(met.document == document)[-1]])
        earlier = self._place_of(met.part, other) if part < 0 else self._place_of(part, -1)
        text = (
            f"document {quoted(name)} occurs twice in topic {quoted(self._judged.name(topic))}, also in {earlier}; "
            "keep one of its rows"
        )
        return InputError(text, self._place_of(met.part, int(met.row[at])), code="duplicate", value=cut(name))


def lists_of(ranked: Ranked, length: Ints, topics: int) -> Iterator[Lists]:
    """Lists of all topics of which something was retrieved, so many topics at a time."""
    starts, document, rank, first, last = ranked
    met = np.flatnonzero(length)
    for begin in range(0, len(met), topics):
        some = met[begin : begin + topics]
        sizes = starts[some + 1] - starts[some]
        own = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        # Topics without a row have no document either: those of some topics are next to each other.
        rows = slice(int(starts[some[0]]), int(starts[some[-1] + 1]))
        yield {
            "topic": some,
            "row": np.zeros(len(some), dtype=np.int64),
            "length": length[some],
            "starts": own,
            "rank": rank[rows],
            "document": document[rows],
            "first": first[rows],
            "last": last[rows],
            "facts": {},
        }


def scored_split(work: Work, plan: Plan, each: Each) -> Found:
    """What all files together come to.

    Args:
        work: what is done with lists.
        plan: the files and the judgments, which are held in memory.
        each: does a task with every part, and gives what each comes to.

    Raises:
        InputError: a file cannot be read, or a judged document is in two.
    """
    judged = plan.judged
    assert judged is not None
    check_splittable(work.policy.ties, work.policy.on_duplicate, [one for part in plan.parts for one in part.run])
    ranked, length, rows = _ranked(work, plan, judged, each)
    collected = Collected(judged.topics) if work.collect else None
    scorer = work.scorer(plan.parts[0], judged, collected)
    for lists in lists_of(ranked, length, TOPICS):
        scorer.add(lists)
    partial = Partial(work.digest, work.names, judged.names(np.flatnonzero(length)), scorer.finish())
    scores = None if collected is None else collected.whole()
    return Found(0, partial, 0, rows, {"rows": rows, "lacks": work.lacks(scorer, judged)}, scores)


def _ranked(work: Work, plan: Plan, judged: JudgedTopics, each: Each) -> tuple[Ranked, Ints, int]:
    """Ranks of judged documents by both passes, rows of each topic, and of all; no more than these stays in memory."""
    score, length, rows = _met(work, plan, judged, each)
    ties, groups = work.policy.ties, work.policy.weighs_ties
    second = SecondPass(judged=judged, kinds=work.kinds, rows=work.rows, score=score, ties=ties, groups=groups)
    total: Counts = []
    for _, counts in each(second):
        if total:
            for sums, more in zip(total, counts, strict=True):
                np.add(sums, more, out=sums)
        total = total or counts
    return second.standing.ranks(total), length, rows


def _met(work: Work, plan: Plan, judged: JudgedTopics, each: Each) -> tuple[Floats, Ints, int]:
    """The score of each judged document, NaN where it was not retrieved, rows of each topic, and of all."""
    numbered = {part.number: part.run[0] for part in plan.parts}

    def place_of(part: int, row: int) -> Place:
        return numbered[part].place if row < 0 else numbered[part].where(row)

    met = Gathering(judged, max(numbered), place_of)
    for one in each(FirstPass(judged=judged, kinds=work.kinds, rows=work.rows)):
        met.add(one)
    return met.score, met.length, met.rows

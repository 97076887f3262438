"""Topics whose rows are in several files: two passes over the run, without moving rows.

The first finds the scores of the judged documents, the second counts what is above each of them. Counts add up over
files, so that every list is known as if it had been in one. The first also hashes topic and document of each row, by
which a document is found that is in two files of one topic (``repeats``).

The second pass does not read documents, unless the first one met equal scores. If it counts more rows of the score of
some judged document than there are judged documents, there are equal scores after all, and it is made again with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._typing import Floats, Ints
from cranfield.collection.ids import text_at
from cranfield.engine.protocol import Lists, RankCounter
from cranfield.errors import EngineError, InputError, UsageError
from cranfield.findings.location import Location
from cranfield.scoring.list_scorer import TOPICS
from cranfield.scoring.partial_sums import Partial
from cranfield.streaming.partitions.batches import Kinds, batches, topics_and_numbers
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.lists import worded
from cranfield.streaming.partitions.part_scoring import PartResult, Work
from cranfield.streaming.partitions.parts import Part
from cranfield.streaming.partitions.plan import Plan
from cranfield.streaming.partitions.qrels import JudgedTopics
from cranfield.streaming.partitions.repeats import Hashes, HashPass, joined, refuse_repeated, twice
from cranfield.streaming.partitions.topic_scores import Collected

Each = Callable[[Callable[[Part], Any]], Iterator[Any]]
"""Does a task with every part, and gives what each comes to."""


def check_splittable(ties: str, on_duplicate: str, fragments: Sequence[Fragment]) -> None:
    """Refuse what cannot be computed for topics in several files.

    Raises:
        UsageError: an order by the file, or a document kept of two, or text.
    """
    if ties == "file":
        raise UsageError(f"{setting('ties', 'file')} has no meaning for topics in several files: choose trec or docid")
    if on_duplicate == "first":
        raise UsageError(f"{setting('on_duplicate', 'first')} cannot be had of topics in several files: leave it out")
    if fragments and fragments[0].form == "trec":
        text = f"{setting('topic_layout', 'split')} reads Parquet and Arrow files: put the rows of each topic into one "
        text += "file of text"
        raise UsageError(text)


class Gathering:
    """The result of the first pass over all parts: where each judged document is, and how long each list is."""

    def __init__(self, judged: JudgedTopics, parts: int, locate: Callable[[int, int], list[Location]]) -> None:
        self._judged = judged
        self._locate = locate
        size = len(judged.judgments.grade)
        self.score = np.full(size, np.nan)
        self.length = np.zeros(judged.count, dtype=np.int64)
        self._part = np.full(size, -1, dtype=np.min_scalar_type(-parts - 1))
        self.rows = 0
        self.tied = False
        self.hashes: list[Hashes] = []

    def add(self, met: Met) -> None:
        """Documents of a part.

        Raises:
            InputError: one is in another part too, or twice in this one; both locations are named.
        """
        self.length += met.length
        self.rows += met.rows
        self.tied |= met.tied
        self.hashes.append(met.hashes)
        before = self._part[met.document]
        if (before >= 0).any():
            at = int(np.argmax(before >= 0))
            raise self._twice(met, at, int(before[at]))
        ordered = np.sort(met.document)
        if (ordered[1:] == ordered[:-1]).any():
            last = np.full(len(self.score), -1, dtype=np.int64)
            last[met.document] = np.arange(len(met.document))
            at = np.flatnonzero(last[met.document] != np.arange(len(met.document)))[0]
            raise self._twice(met, int(at), met.part)
        self.score[met.document] = met.score
        self._part[met.document] = met.part

    def _twice(self, met: Met, at: int, part: int) -> InputError:
        document = int(met.document[at])
        topic = int(np.searchsorted(self._judged.judgments.starts, document, side="right")) - 1
        name = text_at(self._judged.pools.documents(), document)
        locations = self._locate(met.part, document)
        earlier = locations[-1] if part == met.part else self._locate(part, document)[0]
        return twice(name, self._judged.name(topic), earlier, locations[0])


def group_rows(counter: RankCounter, counts: Counts, length: Ints, topics: int) -> Iterator[Lists]:
    """Lists of all topics with a retrieved document, ``topics`` at a time."""
    met = np.flatnonzero(length)
    for begin in range(0, len(met), topics):
        rows = met[begin : begin + topics]
        low = int(rows[0])
        # Topics without a row have no document either: those of some topics are next to each other.
        starts, document, rank, first, last = counter.ranks(counts, low, int(rows[-1]) + 1)
        yield {
            "topic": rows,
            "row": np.zeros(len(rows), dtype=np.int64),
            "length": length[rows],
            "starts": np.append(starts[rows - low], starts[-1:]),
            "rank": rank,
            "document": document,
            "first": first,
            "last": last,
            "facts": {},
        }


def scored_split(work: Work, plan: Plan, each: Each) -> PartResult:
    """The result of all files together.

    Args:
        work: what is done with lists.
        plan: the files and the judgments, which are held in memory.
        each: does a task with every part, and gives what each comes to.

    Raises:
        InputError: a file cannot be read, or a judged document is in two.
    """
    judged = plan.judged
    assert judged is not None
    check_splittable(work.policy.ties, work.policy.on_duplicate, [file for part in plan.parts for file in part.run])
    counter, counts, length, rows = _counted(work, plan, judged, each)
    collected = Collected(judged.topics) if work.collect else None
    scorer = work.scorer(plan.parts[0], judged, collected)
    for lists in group_rows(counter, counts, length, TOPICS):
        scorer.add(lists)
    partial = Partial(work.digest, work.names, judged.names(np.flatnonzero(length)), scorer.finish())
    scores = None if collected is None else collected.joined()
    return PartResult(0, partial, 0, rows, {"rows": rows, "lacks": work.lacks(scorer, judged)}, scores)


def _counted(work: Work, plan: Plan, judged: JudgedTopics, each: Each) -> tuple[RankCounter, Counts, Ints, int]:
    """Judged documents and how many are above each, rows of each topic, and of all; scores are dropped."""
    met = _met(work, plan, judged, each)
    ties, groups = work.policy.ties, work.policy.weighs_ties
    counter = judged.pools.rank_counter(met.score, ties)
    length, rows, blind = met.length, met.rows, not met.tied
    del met
    second = SecondPass(
        judged=judged, kinds=work.kinds, rows=work.rows, counter=counter, ties=ties, groups=groups, blind=blind
    )
    counts, equal = _summed(second, each)
    if blind and equal != len(counter):
        second = replace(second, blind=False)
        counts, _ = _summed(second, each)
    return counter, second.settled(counts) if second.blind else counts, length, rows


def _summed(second: SecondPass, each: Each) -> tuple[Counts, int]:
    """Counts of all parts together."""
    total, equal = second.none(), 0
    for counts, more in each(second):
        for sums, lists in zip(total, counts, strict=True):
            np.add(sums, lists, out=sums)
        equal += more
    return total, equal


def _met(work: Work, plan: Plan, judged: JudgedTopics, each: Each) -> Gathering:
    """The score of each judged document, NaN where it was not retrieved, rows of each topic, and of all."""
    numbered = {part.number: part.run[0] for part in plan.parts}
    shares = max(1, -(-sum(file.rows for file in numbered.values()) // work.hashed))
    hashed = HashPass(judged=judged, kinds=work.kinds, rows=work.rows, shares=shares)
    first = FirstPass(judged=judged, kinds=work.kinds, rows=work.rows, hashed=hashed)

    def locate(part: int, document: int) -> list[Location]:
        return [numbered[part].where(row) for row in first.find_rows(numbered[part], document)]

    met = Gathering(judged, max(numbered), locate)
    for rows in each(first):
        met.add(rows)
    refuse_repeated(hashed, met.hashes, plan.parts, each)
    return met


Counts = list[NDArray[np.uint32]]


@dataclass(frozen=True, slots=True)
class Met:
    """The result of the first pass over a part.

    Args:
        part: its number.
        length: rows of each topic, uint32 [topics].
        document: pool rows of judged documents, uint32 [documents].
        score: theirs.
        rows: that were read.
        tied: whether scores of judged documents were seen to be those of other rows, too.
        hashes: of rows of judged topics, the first share.
    """

    part: int
    length: NDArray[np.uint32]
    document: NDArray[np.uint32]
    score: Floats
    rows: int
    tied: bool
    hashes: Hashes


@dataclass(frozen=True, kw_only=True)
class FirstPass:
    """Finds the judged documents of a part. It may be sent to other processes."""

    does: ClassVar = "finding judged documents"
    judged: JudgedTopics
    kinds: Kinds
    rows: int
    hashed: HashPass

    def __call__(self, part: Part) -> Met:
        """Read the files of a part."""
        (fragment,) = part.run
        length, rows, seen = np.zeros(self.judged.count, dtype=np.uint32), 0, False
        result: list[tuple[NDArray[np.uint32], Floats]] = []
        hashes: list[Hashes] = []
        for topics, documents, score, first in batches(fragment, self.kinds, self.rows):
            try:
                topic, count, document, value, _, tied = self.judged.pools.find_judged_rows(topics, documents, score)
            except EngineError as error:
                raise worded(error, fragment, first) from None
            np.add.at(length, topic, count.astype(np.uint32))
            result.append((document, value))
            hashes.append(self.hashed.of(topics, documents))
            rows, seen = rows + len(score), seen or tied
        none = np.empty(0, dtype=np.uint32)
        document, value = (np.concatenate(parts) for parts in zip((none, np.empty(0)), *result, strict=True))
        return Met(part.number, length, document, value, rows, seen, joined(hashes))

    def find_rows(self, fragment: Fragment, wanted: int) -> list[int]:
        """Where the document of a pool row is in a file, which is read again, for a message."""
        at: list[int] = []
        for topics, documents, score, first in batches(fragment, self.kinds, self.rows):
            _, _, document, _, row, _ = self.judged.pools.find_judged_rows(topics, documents, score)
            at += (row[document == wanted].astype(np.int64) + first).tolist()
        return at


@dataclass(frozen=True, kw_only=True)
class SecondPass:
    """Counts the documents above each judged one in a part. It may be sent to other processes.

    Args:
        judged: the judgments.
        kinds: of the ids.
        rows: read at a time.
        counter: judged documents in their order.
        ties: how equal scores are ordered.
        groups: whether equal scores are counted too.
        blind: whether documents are not read.
    """

    does: ClassVar = "counting what is above"
    judged: JudgedTopics
    kinds: Kinds
    rows: int
    counter: RankCounter = field(repr=False)
    ties: str
    groups: bool
    blind: bool

    def none(self) -> Counts:
        """Counts of no documents."""
        size = len(self.counter)
        return [
            np.zeros(size if is_counted else 0, dtype=np.uint32)
            for is_counted in (True, *[self.groups and not self.blind] * 2)
        ]

    def __call__(self, part: Part) -> tuple[Counts, int]:
        """The counts of a part, and how many of its rows have the score of a judged document of their topic."""
        counts, equal = self.none(), 0
        pools, count = self.judged.pools, self.counter.count
        for fragment in part.run:
            if self.blind:
                for topics, score in topics_and_numbers(fragment, self.kinds, self.rows):
                    equal += count(pools, topics, None, score, counts)
            else:
                for topics, documents, score, _ in batches(fragment, self.kinds, self.rows):
                    equal += count(pools, topics, documents, score, counts)
        return [count.astype(np.min_scalar_type(count.max(initial=0))) for count in counts], equal

    def settled(self, counts: Counts) -> Counts:
        """What counts without documents come to, where no scores are equal but those of judged documents."""
        groups = len(self.counter) if self.groups else 0
        counts = [counts[0], *(np.zeros(groups, dtype=np.uint32) for _ in range(2))]
        self.counter.resolve_ties(counts)
        return counts

    def __reduce__(self) -> tuple[Any, ...]:
        options = {name: getattr(self, name) for name in ("judged", "kinds", "rows", "ties", "groups", "blind")}
        return _rebuild, (self.counter.scores(len(self.judged.judgments.grade)), options)


def _rebuild(score: Floats, options: dict[str, Any]) -> SecondPass:
    return SecondPass(counter=options["judged"].pools.rank_counter(score, options["ties"]), **options)

"""The plan of an evaluation: where topics are, which judgments are held in memory, and which parts there are.

Rows are moved in two cases only: topics that are split over files, and judgments that are out of order and larger than
memory. Both are sorted by topic once (``sorted_copy``); the scores, and so the sums, are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cranfield._message import setting
from cranfield._typing import Floats
from cranfield.collection.ids import encode_ids
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.memory import size_in_words
from cranfield.scoring.partial_sums import Partial
from cranfield.streaming.partitions.batches import IntegerIds, first_topics
from cranfield.streaming.partitions.dataset import Dataset
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.parts import (
    Part,
    TopicLayout,
    beside,
    in_order,
    sorted_topics,
    without_unjudged,
)
from cranfield.streaming.partitions.qrels import JudgedTopics, from_fragments, from_qrels, read_labels
from cranfield.streaming.partitions.sorted_copy import Scratch, cut_sorted, sort_by_topic
from cranfield.threads import cpus

ROWS = 131_072
"""Rows read at a time, where memory has room for them."""
BYTES_PER_ROW = 400
"""Bytes that a row takes while it is read, all copies counted."""
OF_JUDGMENT = {True: 40, False: 90}
"""Bytes that a judgment takes while judgments are gathered, with document ids that are whole numbers, or text."""
SHARES = 4
"""Parts of a sorted copy for each processor; the judgments of a part take up to a worker's memory divided by this."""
ALWAYS_HELD = 4096
"""Judgments of a part that are held whatever the memory allowed: they are of two row groups as small as can be."""
OF_HELD = 48
"""Bytes of a row that is held until all rows of its topic are there."""


@dataclass(frozen=True)
class Limits:
    """Limits on rows and judgments that are held at a time, from the memory that may be used.

    Args:
        memory: bytes of everything.
    """

    memory: int

    @property
    def rows(self) -> int:
        """Rows that are read at a time."""
        return min(ROWS, max(1024, self.memory // (8 * BYTES_PER_ROW)))

    @property
    def held(self) -> int:
        """Rows of scattered topics that a part holds."""
        return max(ROWS, self.memory // (2 * cpus() * OF_HELD))

    def holds(self, judgments: int, entire: bool) -> bool:
        """Tell whether that many judgments can be held for all parts."""
        return judgments * OF_JUDGMENT[entire] <= self.memory


def find_kinds(runs: Sequence[Sequence[Fragment]], qrels: Sequence[Fragment] | None) -> IntegerIds:
    """Integers where all files have them; text otherwise."""
    files = [fragment[0] for fragment in runs] + ([qrels[0]] if qrels else [])
    return IntegerIds(
        *(all(fragment.integer_ids.get(role, False) for fragment in files) for role in ("topic", "document"))
    )


@dataclass(frozen=True)
class Plan:
    """Parts of one run, and the judgments of all of them, or their labels.

    Args:
        parts: of the run.
        judged: judgments that are held for all parts; None where each part reads its own.
        labels: that occur in the whole of the judgments.
        kinds: of the ids.
        topics: how topics lie in the files; where that is ``auto``, each part finds out.
        scratch: temporary files, which live as long as the plan.
    """

    parts: list[Part]
    judged: JudgedTopics | None
    labels: Floats
    kinds: IntegerIds
    topics: TopicLayout
    scratch: Scratch | None = None

    def met(self, total: Partial, missing: int) -> int:
        """Topics with a retrieved document: those in the sums, or all but the missing ones of each part."""
        return len(total.topics) - (missing if self.judged is None else 0)

    @property
    def may_be_split(self) -> bool:
        """True if a topic may turn out to be in two files that can be sorted: nobody said that none is."""
        return self.topics == "auto" and self.judged is not None and self.parts[0].run[0].form != "trec"

    def close(self) -> None:
        """Remove temporary files."""
        if self.scratch is not None:
            self.scratch.close()

    def sort(self, policy: Policy, limits: Limits, *, shared: bool) -> Plan:
        """The plan for topics that are split over files: those of a copy that is sorted by topic.

        Args:
            policy: how odd cases are read.
            limits: what memory has room for.
            shared: whether other machines may do the work, which do not see temporary files of this one.

        Raises:
            UsageError: an order by the file, a document kept of two, text, or a cluster.
            InputError: a file cannot be read, or there is no room for temporary files.
        """
        files = [file for part in self.parts for file in part.run]
        check_sortable(policy, files, shared=shared)
        scratch = Scratch(files, self.kinds)
        try:
            copy = sort_by_topic(files, "score", self.kinds, limits.rows, limits.memory, scratch)
        except BaseException:
            scratch.close()
            raise
        return replace(self, parts=cut_sorted(copy, None, SHARES * cpus()), topics="together", scratch=scratch)


def check_sortable(policy: Policy, files: Sequence[Fragment], *, shared: bool) -> None:
    """Refuse what cannot be computed of topics in several files.

    Raises:
        UsageError: see ``Plan.sort``.
    """
    if policy.ties == "file":
        raise UsageError(f"{setting('ties', 'file')} has no meaning for topics in several files: choose trec or docid")
    if policy.on_duplicate == "first":
        raise UsageError(f"{setting('on_duplicate', 'first')} cannot be had of topics in several files: leave it out")
    split = setting("topic_layout", "split")
    if files and files[0].form == "trec":
        raise UsageError(f"{split} reads Parquet and Arrow files: put the rows of each topic into one file of text")
    if shared:
        raise UsageError(
            f"{split} sorts the rows on this machine, which the workers of a cluster do not see: write the run sorted "
            "by topic once, with Dask, Spark or DuckDB (docs/cluster.md)"
        )


def planned(
    runs: Sequence[Sequence[Fragment]], qrels: Dataset | Qrels, topics: TopicLayout, limits: Limits
) -> list[Plan]:
    """A plan for each run.

    Raises:
        InputError: the judgments cannot be read, or are too many to be held in memory, not in order, and there is no
            room for temporary files.
    """
    if isinstance(qrels, Qrels):
        judged = from_qrels(qrels, find_kinds(runs, None))
        return [_held(run, judged, topics) for run in runs]
    files = qrels.fragments("label")
    kinds = find_kinds(runs, files)
    cut = [None if topics == "split" else beside(run, files) for run in runs]
    if all(parts is not None and limits.holds(_most_judgments(parts), kinds.document) for parts in cut):
        labels = read_labels(files, limits.rows)
        return [Plan(parts, None, labels, kinds, topics) for run, parts in zip(runs, cut, strict=True) if parts]
    judgments = sum(file.rows for file in files)
    if not limits.holds(judgments, kinds.document):
        return _sorted_copies(runs, files, kinds, limits, qrels)
    judged = from_fragments(files, kinds, limits.rows)
    return [_held(run, judged, topics) for run in runs]


def _most_judgments(parts: Sequence[Part]) -> int:
    """Judgments that one part reads."""
    return max((sum(file.rows for file in part.qrels or ()) for part in parts), default=0)


def _held(run: Sequence[Fragment], judged: JudgedTopics, topics: TopicLayout) -> Plan:
    share = sorted_topics(judged.topics)
    files = [without_unjudged(file, share) for file in run]
    lie: TopicLayout = "split" if topics == "auto" and _are_split(run, judged.kinds) else topics
    parts = [Part(number, (file,)) for number, file in enumerate(files)]
    return Plan(parts, judged, judged.judgments.labels, judged.kinds, lie)


def _are_split(run: Sequence[Fragment], kinds: IntegerIds) -> bool:
    """Tell whether the first rows of two files share a topic, which otherwise shows only when all parts are scored."""
    if len(run) < 2 or run[0].form == "trec" or in_order(run) is not None:
        return False
    edges = []
    for fragment in run[:2]:
        try:
            ids = first_topics(fragment, kinds, ROWS)
        except (InputError, OSError):
            return False  # the part is refused, or tried again, when it is read
        edges.append(set(encode_ids(ids)) if isinstance(ids, tuple) else set(ids.tolist()))
    return not edges[0].isdisjoint(edges[1])


def _sorted_copies(
    runs: Sequence[Sequence[Fragment]], files: Sequence[Fragment], kinds: IntegerIds, limits: Limits, qrels: Dataset
) -> list[Plan]:
    """Plans for judgments that have no room: they and the runs are sorted by topic, so that each part reads its own.

    Raises:
        InputError: there is no room for temporary files, or judgments are too many for that too.
    """
    judgments = sum(file.rows for file in files)
    size = judgments * OF_JUDGMENT[kinds.document]
    if any(run and run[0].form == "trec" for run in runs):
        raise _refuse_size(judgments, size, limits, qrels)
    scratch = Scratch([*files, *(file for run in runs for file in run)], kinds)
    try:
        judged = sort_by_topic(files, "label", kinds, limits.rows, limits.memory, scratch)
        labels = read_labels([judged], limits.rows)
        plans = []
        for run in runs:
            copy = sort_by_topic(run, "score", kinds, limits.rows, limits.memory, scratch)
            parts = cut_sorted(copy, judged, -(-size * SHARES * cpus() // limits.memory))
            most = _most_judgments(parts)
            if most > ALWAYS_HELD and not limits.holds(most, kinds.document):
                raise _refuse_size(judgments, size, limits, qrels)
            plans.append(Plan(parts, None, labels, kinds, "together", scratch))
    except BaseException:
        scratch.close()
        raise
    return plans


def _refuse_size(judgments: int, size: int, limits: Limits, qrels: Dataset) -> InputError:
    text = (
        f"{judgments:,} judgments would take {size_in_words(size)} of memory, of {size_in_words(limits.memory)} "
        "allowed: write run and judgments sorted by topic, so that each part reads its own, or allow more (--memory)"
    )
    return InputError(text, qrels.location, code="memory")

"""What is to be done: where topics are, what of the judgments is held in memory, and which parts there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cranfield._typing import Floats
from cranfield.collection.ids import texts_of
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError
from cranfield.memory import size_in_words
from cranfield.partitions.columns import Kinds
from cranfield.partitions.dataset import Dataset
from cranfield.partitions.fragments import Fragment
from cranfield.partitions.hashing import BYTES_PER_SCRATCH_ROW, MOST, Scratch, folder_of, hashed, side_by_side
from cranfield.partitions.judged import JudgedTopics, labels_of, of_fragments, of_qrels
from cranfield.partitions.parts import Part, Topics, beside, in_order, of_files, sorted_topics, without_unjudged
from cranfield.partitions.reading import first_topics
from cranfield.scoring.partial_sums import Partial
from cranfield.threads import cpus

ROWS = 131_072
"""Rows read at a time, where memory has room for them."""
BYTES_PER_ROW = 400
"""Bytes that a row takes while it is read, all copies counted."""
OF_JUDGMENT = {True: 40, False: 90}
"""Bytes that a judgment takes while judgments are gathered, with document ids that are whole numbers, or text."""
SHARES = 4
"""The judgments of a part that is cut by a hash take up to one of so many parts of a worker's memory."""
OF_HELD = 48
"""Bytes of a row that is held until all rows of its topic are there."""


@dataclass(frozen=True)
class Limits:
    """What memory has room for.

    Args:
        memory: bytes of everything.
    """

    memory: int

    @property
    def rows(self) -> int:
        """Read at a time."""
        return min(ROWS, max(1024, self.memory // (8 * BYTES_PER_ROW)))

    @property
    def held(self) -> int:
        """Rows of scattered topics that a part holds."""
        return max(ROWS, self.memory // (2 * cpus() * OF_HELD))

    def holds(self, judgments: int, whole: bool) -> bool:
        """Whether so many judgments can be held for all parts."""
        return judgments * OF_JUDGMENT[whole] <= self.memory


def kinds_of(runs: Sequence[Sequence[Fragment]], qrels: Sequence[Fragment] | None) -> Kinds:
    """Whole numbers where all files have them; text otherwise."""
    files = [one[0] for one in runs] + ([qrels[0]] if qrels else [])
    return Kinds(*(all(one.whole.get(role, False) for one in files) for role in ("topic", "document")))


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
    kinds: Kinds
    topics: Topics
    scratch: Scratch | None = None

    def met(self, total: Partial, missing: int) -> int:
        """Topics of which something was retrieved: those in the sums, or all but the missing ones of each part."""
        return len(total.topics) - (missing if self.judged is None else 0)

    @property
    def may_be_split(self) -> bool:
        """Whether nobody said that no topic is in two files, and both passes can be made."""
        return self.topics == "auto" and self.judged is not None and self.parts[0].run[0].form != "trec"


def planned(runs: Sequence[Sequence[Fragment]], qrels: Dataset | Qrels, topics: Topics, limits: Limits) -> list[Plan]:
    """A plan for each run.

    Raises:
        InputError: the judgments cannot be read, or are too many to be held in memory, not in order, and there is no
            room for temporary files.
    """
    if isinstance(qrels, Qrels):
        judged = of_qrels(qrels, kinds_of(runs, None))
        return [_held(run, judged, topics) for run in runs]
    files = qrels.fragments("label")
    kinds = kinds_of(runs, files)
    cut = [None if topics == "split" else beside(run, files) for run in runs]
    if all(parts is not None and limits.holds(_most_judgments(parts), kinds.document) for parts in cut):
        labels = labels_of(files, limits.rows)
        return [Plan(parts, None, labels, kinds, topics) for run, parts in zip(runs, cut, strict=True) if parts]
    judgments = sum(one.rows for one in files)
    if not limits.holds(judgments, kinds.document):
        return _by_hash(runs, files, kinds, limits, qrels)
    judged = of_fragments(files, kinds, limits.rows)
    return [_held(run, judged, topics) for run in runs]


def _most_judgments(parts: Sequence[Part]) -> int:
    """Judgments that one part reads."""
    return max((sum(one.rows for one in part.qrels or ()) for part in parts), default=0)


def _held(run: Sequence[Fragment], judged: JudgedTopics, topics: Topics) -> Plan:
    wanted = sorted_topics(judged.topics)
    files = [without_unjudged(one, wanted) for one in run]
    lie: Topics = "split" if topics == "auto" and _are_split(run, judged.kinds) else topics
    return Plan(of_files(files), judged, judged.judgments.labels, judged.kinds, lie)


def _are_split(run: Sequence[Fragment], kinds: Kinds) -> bool:
    """Whether the first rows of two files share a topic, which would else be found out when all parts are scored."""
    if len(run) < 2 or run[0].form == "trec" or in_order(run) is not None:
        return False
    found = []
    for fragment in run[:2]:
        try:
            ids = first_topics(fragment, kinds, ROWS)
        except (InputError, OSError):
            return False  # the part is refused, or tried again, when it is read
        found.append(set(texts_of(ids)) if isinstance(ids, tuple) else set(ids.tolist()))
    return not found[0].isdisjoint(found[1])


def _by_hash(
    runs: Sequence[Sequence[Fragment]], files: Sequence[Fragment], kinds: Kinds, limits: Limits, qrels: Dataset
) -> list[Plan]:
    """Plans for judgments that have no room: all rows are put into temporary files by a hash of their topics.

    Raises:
        InputError: there is no room for temporary files, or judgments are too many for that too.
    """
    judgments = sum(one.rows for one in files)
    size = judgments * OF_JUDGMENT[kinds.document]
    parts = -(-size * SHARES * cpus() // limits.memory)
    if parts > MOST or any(run and run[0].form == "trec" for run in runs):
        raise _too_many(judgments, size, limits, qrels)
    rows = min(limits.rows, max(1024, limits.memory // (SHARES * BYTES_PER_ROW)))
    scratch = Scratch(
        (judgments + sum(one.rows for run in runs for one in run)) * BYTES_PER_SCRATCH_ROW[kinds.document]
    )
    named = [("label", files), *(("score", run) for run in runs)]
    found = []
    try:
        for number, (kind, some) in enumerate(named):
            folder = scratch.path / str(number)
            folder.mkdir()
            found.append(hashed(some, kind, folder_of(some), kinds, parts, rows, folder))
    except BaseException:
        scratch.close()
        raise
    (judged, labels), *of_runs = found
    return [Plan(side_by_side(run, judged), None, labels, kinds, "complete", scratch) for run, _ in of_runs]


def _too_many(judgments: int, size: int, limits: Limits, qrels: Dataset) -> InputError:
    text = (
        f"{judgments:,} judgments would take {size_in_words(size)} of memory, of {size_in_words(limits.memory)} "
        "allowed: write run and judgments sorted by topic, so that each part reads its own, or allow more (--memory)"
    )
    return InputError(text, qrels.place, code="memory")

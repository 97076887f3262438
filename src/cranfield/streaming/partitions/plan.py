"""The plan of an evaluation: where topics are, which judgments are held in memory, and which parts there are.

Judgments that are out of order and larger than memory are cut into parts by a hash of the topic, as is the run: both
are written to temporary files once, so that each part has all rows of its topics and their judgments. This is the only
case in which rows are moved; the scores, and so the sums, are the same.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
import zlib
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cranfield._optional import fs, pa
from cranfield._typing import Floats, Ints
from cranfield.collection.ids import encode_ids
from cranfield.collection.qrels import Qrels
from cranfield.collection.segments import distinct
from cranfield.engine.protocol import IdColumn
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.memory import size_in_words
from cranfield.scoring.partial_sums import Partial
from cranfield.streaming.partitions.batches import Kinds, batches, first_topics
from cranfield.streaming.partitions.dataset import Dataset
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.parts import (
    Part,
    Topics,
    beside,
    in_order,
    make_file_parts,
    sorted_topics,
    without_unjudged,
)
from cranfield.streaming.partitions.qrels import JudgedTopics, from_fragments, from_qrels, read_labels
from cranfield.streaming.partitions.topic_scores import arrow_ids
from cranfield.threads import cpus

ROWS = 131_072
"""Rows read at a time, where memory has room for them."""
BYTES_PER_ROW = 400
"""Bytes that a row takes while it is read, all copies counted."""
OF_JUDGMENT = {True: 40, False: 90}
"""Bytes that a judgment takes while judgments are gathered, with document ids that are whole numbers, or text."""
SHARES = 4
"""The judgments of a part that is cut by a hash take up to a worker's memory divided by this."""
OF_HELD = 48
"""Bytes of a row that is held until all rows of its topic are there."""
OF_HASH = 16
"""Bytes of a row's hash while those of all rows are put in order."""


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

    @property
    def hashed(self) -> int:
        """Rows of split topics whose hashes are held."""
        return max(ROWS, self.memory // (4 * OF_HASH))

    def holds(self, judgments: int, entire: bool) -> bool:
        """Whether that many judgments can be held for all parts."""
        return judgments * OF_JUDGMENT[entire] <= self.memory


def find_kinds(runs: Sequence[Sequence[Fragment]], qrels: Sequence[Fragment] | None) -> Kinds:
    """Integers where all files have them; text otherwise."""
    files = [fragment[0] for fragment in runs] + ([qrels[0]] if qrels else [])
    return Kinds(*(all(fragment.integer_ids.get(role, False) for fragment in files) for role in ("topic", "document")))


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
        """Topics with a retrieved document: those in the sums, or all but the missing ones of each part."""
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
        return _plan_by_hash(runs, files, kinds, limits, qrels)
    judged = from_fragments(files, kinds, limits.rows)
    return [_held(run, judged, topics) for run in runs]


def _most_judgments(parts: Sequence[Part]) -> int:
    """Judgments that one part reads."""
    return max((sum(file.rows for file in part.qrels or ()) for part in parts), default=0)


def _held(run: Sequence[Fragment], judged: JudgedTopics, topics: Topics) -> Plan:
    share = sorted_topics(judged.topics)
    files = [without_unjudged(part, share) for part in run]
    lie: Topics = "split" if topics == "auto" and _are_split(run, judged.kinds) else topics
    return Plan(make_file_parts(files), judged, judged.judgments.labels, judged.kinds, lie)


def _are_split(run: Sequence[Fragment], kinds: Kinds) -> bool:
    """Whether the first rows of two files share a topic, which otherwise shows only when all parts are scored."""
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


def _plan_by_hash(
    runs: Sequence[Sequence[Fragment]], files: Sequence[Fragment], kinds: Kinds, limits: Limits, qrels: Dataset
) -> list[Plan]:
    """Plans for judgments that have no room: all rows are put into temporary files by a hash of their topics.

    Raises:
        InputError: there is no room for temporary files, or judgments are too many for that too.
    """
    judgments = sum(file.rows for file in files)
    size = judgments * OF_JUDGMENT[kinds.document]
    parts = -(-size * SHARES * cpus() // limits.memory)
    if parts > MOST or any(run and run[0].form == "trec" for run in runs):
        raise _refuse_size(judgments, size, limits, qrels)
    rows = min(limits.rows, max(1024, limits.memory // (SHARES * BYTES_PER_ROW)))
    scratch = Scratch(
        (judgments + sum(file.rows for run in runs for file in run)) * BYTES_PER_SCRATCH_ROW[kinds.document]
    )
    named = [("label", files), *(("score", run) for run in runs)]
    hashed_files = []
    try:
        for number, (kind, files_of_kind) in enumerate(named):
            folder = scratch.path / str(number)
            folder.mkdir()
            hashed_files.append(hashed(files_of_kind, kind, describe_folder(files_of_kind), kinds, parts, rows, folder))
    except BaseException:
        scratch.close()
        raise
    (judged, labels), *of_runs = hashed_files
    return [Plan(side_by_side(run, judged), None, labels, kinds, "complete", scratch) for run, _ in of_runs]


def _refuse_size(judgments: int, size: int, limits: Limits, qrels: Dataset) -> InputError:
    text = (
        f"{judgments:,} judgments would take {size_in_words(size)} of memory, of {size_in_words(limits.memory)} "
        "allowed: write run and judgments sorted by topic, so that each part reads its own, or allow more (--memory)"
    )
    return InputError(text, qrels.location, code="memory")


MOST = 512
"""The largest number of parts, each of which is a file that is open while all are written."""
BYTES_PER_SCRATCH_ROW = {True: 24, False: 64}
"""Bytes that a row takes in a temporary file, with document ids that are whole numbers, or text."""
ODD = np.uint64(0x9E3779B97F4A7C15)
"""Spreads whole numbers; the fraction of the golden ratio, times 2^64."""


class Scratch:
    """A folder of temporary files, removed with this object or at the end of the process.

    Raises:
        InputError: there is no room for that many bytes.
    """

    def __init__(self, needed: int) -> None:
        folder = tempfile.gettempdir()
        free = shutil.disk_usage(folder).free
        if needed > free:
            text = (
                f"run and judgments are not sorted by topic, and would take {size_in_words(needed)} of temporary "
                f"files, of {size_in_words(free)} free: set TMPDIR to a larger disk, allow more memory (--memory), or "
                "write them sorted by topic"
            )
            raise InputError(text, Location(folder), code="disk")
        self.path = Path(tempfile.mkdtemp(prefix="cranfield-"))
        self._end = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def close(self) -> None:
        """Remove the files."""
        self._end()


def hash_topics(topics: IdColumn, parts: int) -> Ints:
    """The part of each topic, by a hash that is the same for all files."""
    if not isinstance(topics, tuple):
        spread = topics.view(np.uint64) * ODD
        return ((spread >> np.uint64(32)) % np.uint64(parts)).astype(np.int64)
    encoded = arrow_ids(topics).dictionary_encode()
    hashes = np.array([zlib.crc32(text.encode()) % parts for text in encoded.dictionary.to_pylist()], dtype=np.int64)
    buckets: Ints = hashes[encoded.indices.to_numpy()]
    return buckets


def hashed(
    files: Sequence[Fragment], kind: str, name: str, kinds: Kinds, parts: int, rows: int, folder: Path
) -> tuple[list[Fragment], Floats]:
    """The rows of all files by the hash of their topics, in temporary files, and the labels or scores that occur.

    Args:
        files: of a run or of the judgments.
        kind: ``score`` or ``label``.
        name: of the data set, for messages.
        kinds: of the ids.
        parts: how many.
        rows: read at a time.
        folder: to write to.

    Raises:
        InputError: a file cannot be read, or the disk is full.
    """
    counts = np.zeros(parts, dtype=np.int64)
    met: list[Floats] = []
    ids = [pa.int64() if is_integer else pa.large_string() for is_integer in kinds]
    schema = pa.schema([("topic", ids[0]), ("document", ids[1]), (kind, pa.float64())])
    paths = [folder / f"{number}.arrow" for number in range(parts)]
    with ExitStack() as opened:
        try:
            writers = [opened.enter_context(pa.ipc.new_file(str(path), schema)) for path in paths]
            for fragment in files:
                for topics, documents, number, _ in batches(fragment, kinds, rows):
                    batch = pa.record_batch([arrow_ids(topics), arrow_ids(documents), pa.array(number)], schema=schema)
                    counts += _put(batch, hash_topics(topics, parts), writers)
                    if kind == "label":
                        met = [distinct(np.concatenate([*met, number]))]
        except OSError as error:
            text = f"temporary files cannot be written: {error}; set TMPDIR to a larger disk"
            raise InputError(text, Location(str(folder)), code="unwritable") from None
    integer_ids = {"topic": kinds.topic, "document": kinds.document}
    fragments = [
        _fragment(path, f"{name} (part {n + 1} of {parts})", kind, integer_ids) for n, path in enumerate(paths)
    ]
    sized = [fragment.sized(int(count)) for fragment, count in zip(fragments, counts, strict=True)]
    return sized, met[0] if met else np.empty(0)


def _put(batch: Any, bucket: Ints, writers: Sequence[Any]) -> Ints:
    """Write each row to the file of its part, in order; how many each got."""
    ordered = batch.take(pa.array(np.argsort(bucket, kind="stable")))
    counts = np.bincount(bucket, minlength=len(writers))
    ends = np.cumsum(counts)
    for part in np.flatnonzero(counts).tolist():
        writers[part].write_batch(ordered.slice(int(ends[part] - counts[part]), int(counts[part])))
    return counts


def _fragment(path: Path, name: str, kind: str, integer: dict[str, bool]) -> Fragment:
    roles = {role: role for role in ("topic", "document", kind)}
    system = fs.LocalFileSystem()
    return Fragment(
        path=str(path), name=name, system=system, form="ipc", roles=roles, constants={}, integer_ids=integer
    )


def side_by_side(run: Sequence[Fragment], qrels: Sequence[Fragment]) -> list[Part]:
    """A part for each hash, with its judgments."""
    return [Part(number, (file,), (judged,)) for number, (file, judged) in enumerate(zip(run, qrels, strict=True))]


def describe_folder(files: Sequence[Fragment]) -> str:
    """The name of a data set in messages: its only file, or the folder of the first."""
    return files[0].name if len(files) == 1 else files[0].name.rpartition("/")[0] or files[0].name

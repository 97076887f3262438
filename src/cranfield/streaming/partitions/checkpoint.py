"""The folder of scores of an evaluation part by part: each part writes a file, and a later call can resume it."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import Any, ClassVar

import numpy as np

from cranfield._optional import pq
from cranfield._text import counted, warn
from cranfield._typing import Floats, PathLike
from cranfield.collection.ids import TextColumn, encode_ids
from cranfield.engine.protocol import IdColumn
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.filesystem import is_address
from cranfield.io.source import as_text
from cranfield.scores.parquet_write import ENDING, TOPIC, description, write_rows
from cranfield.scores.scale import Scale
from cranfield.scoring.partial_sums import Partial
from cranfield.scoring.topic_id_sets import IntegerTopics, Topics
from cranfield.statistics.exact_sums import Moments
from cranfield.streaming.partitions.part_scoring import PartResult, PartWork
from cranfield.streaming.partitions.parts import Part
from cranfield.streaming.partitions.qrels import JudgedTopics
from cranfield.streaming.partitions.storage import AddressTarget, LocalStorage, LocalTarget, RemoteStorage, Storage
from cranfield.streaming.partitions.topic_scores import TopicScores

GO_ON = "go on with them (resume=True, --resume) once the cause is gone"


@contextlib.contextmanager
def keep_aside(store: Store | None) -> Iterator[None]:
    """Keep the parts that are done, by name, where an evaluation fails."""
    try:
        yield
    except BaseException:
        if store is not None:
            store.leave()
        raise


class Store:
    """Scores of topics, written part by part into ``PATH.unfinished``, which becomes ``PATH`` when all are there.

    Args:
        path: of the folder, or its address.
        resume: whether parts that an earlier call wrote are taken over where nothing has changed.
        signature: of the evaluation.
        options: what fsspec is told of an address.

    Raises:
        InputError: it cannot be written, holds something else, or parts are there and ``resume`` is not set.
    """

    def __init__(
        self, path: PathLike, signature: dict[str, Any], *, resume: bool, options: Mapping[str, Any] | None = None
    ) -> None:
        name, self._options = as_text(path), dict(options or {})
        self._target = AddressTarget(name, self._options) if is_address(name) else LocalTarget(name)
        self.storage = self._target.begin(resume=resume)
        self._signature = signature
        self._works: list[StoringWork] = []

    def work(self, work: PartWork, number: int, system: str, scales: Sequence[Scale]) -> StoringWork:
        """The work on each part of a run."""
        more = {"judgments": digest_judgments(work.judged), **self._target.metadata}
        about = description(tuple(scales), self._signature, more)
        storing = StoringWork(
            work=work, folder=self.storage.name, run=number, system=system, about=about, options=self._options
        )
        self._works.append(storing)
        return storing

    def leave(self) -> None:
        """The evaluation has failed: say where parts are kept that are done; a folder without any is removed."""
        parts = self.storage.parts()
        if parts:
            warn(f"the scores of {counted(len(parts), 'part')} are in {self.storage.name}; {GO_ON}")
        else:
            self._target.abandon()

    def finish(self, failed: int) -> None:
        """Rename the folder to its final path; if parts failed, it is left aside for a later call, with a warning."""
        if failed:
            warn(f"{counted(failed, 'part')} failed: the scores of the others are in {self.storage.name}; {GO_ON}")
            return
        written = {file for work in self._works for file in work.files}
        for file in self.storage.files():
            if file not in written:
                self.storage.remove(file)
        try:
            self._target.put(sorted(written))
        except BaseException:
            self.leave()
            raise


UNCOVERED = "rest"
"""The file of topics that are in no part, or in several."""


@dataclass
class CheckpointRows:
    """Receives the scores of a part's topics; those of a trial that failed are dropped by ``begin``."""

    topics: list[str] = field(default_factory=list)
    scores: list[Floats] = field(default_factory=list)

    def begin(self) -> None:
        """Drop the scores of an earlier trial."""
        self.topics.clear()
        self.scores.clear()

    def __call__(self, part: Part | None, topics: IdColumn, scores: Floats) -> None:
        """Receive topics and their scores, [measures, topics]."""
        self.topics += [text.decode() for text in encode_ids(topics)]
        self.scores.append(scores.copy())

    def batch(self, system: str, measures: int) -> list[Any]:
        """The columns of the topics that were received."""
        values = np.concatenate([np.empty((measures, 0)), *self.scores], axis=1)
        return [[system] * len(self.topics), self.topics, *values]


@dataclass(frozen=True, kw_only=True)
class StoringWork:
    """Work on each part of one run that also writes the scores of its topics. It may be sent to other processes.

    Args:
        work: that is done.
        folder: to write to, which all workers see; or an address.
        run: number of the run.
        system: its name.
        about: what the metadata of every file say.
        uncovered: receives the scores of topics that are in no part.
        files: that belong to the run, once it is done.
        options: what fsspec is told of an address.
    """

    does: ClassVar = "scoring and storing"
    work: PartWork
    folder: str
    run: int
    system: str
    about: dict[str, Any]
    uncovered: CheckpointRows = field(default_factory=CheckpointRows)
    files: set[str] = field(default_factory=set)
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def storage(self) -> Storage:
        """The storage of the files."""
        remote = is_address(self.folder)
        return RemoteStorage(self.folder, dict(self.options)) if remote else LocalStorage(self.folder)

    def __call__(self, part: Part) -> PartResult:
        """Score a part and write its scores."""
        rows, sources = CheckpointRows(), describe_sources(part)
        result = replace(self.work, keep=rows)(part)
        self.write(self.part_file(part.number), rows, {"found": _as_json(result), "sources": sources})
        return result

    def done(self, results: Sequence[PartResult]) -> None:
        """Finish a run whose parts are all done: scores of topics that are in none of them get a file of their own.

        Raises:
            InputError: a worker wrote somewhere else.
        """
        self.files.update(self.part_file(result.part) for result in results)
        storage = self.storage
        lost = min(self.files.difference(storage.files()), default=None)
        if lost is not None:
            text = "a worker wrote its part, and it is not here: name a folder that all workers share"
            raise InputError(text, Location(storage.locate(lost)), code="unwritable")
        if self.uncovered.topics:
            self.files.add(self.part_file(UNCOVERED))
            self.write(self.part_file(UNCOVERED), self.uncovered, {})

    def write(self, file: str, rows: CheckpointRows, more: dict[str, Any]) -> None:
        """Write a file, completely or not at all."""
        stream = BytesIO()
        write_rows(stream, self.about | more, iter([rows.batch(self.system, len(self.work.names))]))
        self.storage.write(file, stream.getvalue())

    def part_file(self, part: int | str) -> str:
        """The file of a part."""
        number = f"{part:06d}" if isinstance(part, int) else part
        return f"part-{self.run:03d}-{number}{ENDING}"

    def known(self, parts: Sequence[Part]) -> Iterator[PartResult]:
        """Results of an earlier call for parts whose files have not changed since."""
        storage = self.storage
        there = set(storage.files())
        for part in parts:
            file = self.part_file(part.number)
            metadata = storage.metadata(file) if file in there else None
            if metadata is None or any(metadata.get(name) != value for name, value in _plain(self.about).items()):
                continue
            if metadata.get("sources") == _plain(describe_sources(part)):
                yield self._restore(part.number, metadata["found"], file)

    def _restore(self, number: int, metadata: dict[str, Any], file: str) -> PartResult:
        names = [TOPIC, *(self.work.names if self.work.collect else ())]
        with self.storage.open(file) as stream:
            table = pq.read_table(stream, columns=names)
        texts = table[TOPIC].to_pylist()
        integer = self.work.kinds.topic
        numbers = np.array(texts if integer else [], dtype=np.int64)
        topics: Topics = IntegerTopics(numbers) if integer else frozenset(texts)
        scores = None
        if self.work.collect and texts:
            column = TextColumn.from_bytes([text.encode() for text in texts])
            ids: IdColumn = numbers if integer else (column.data, column.offsets)
            scores = TopicScores(ids, np.array([table[name].to_numpy() for name in self.work.names]))
        moments = tuple(Moments(row[0], int(row[1], 16), int(row[2], 16), row[3]) for row in metadata["moments"])
        partial = Partial(self.work.digest, self.work.names, topics, moments)
        return PartResult(number, partial, metadata["missing"], metadata["rows"], metadata["facts"], scores)


def describe_sources(part: Part) -> list[list[Any]]:
    """Name, size and time of every file that a part reads.

    Raises:
        InputError: one is not there.
    """
    from cranfield.io.filesystem import unreachable

    sources: list[list[Any]] = []
    fragments = (*part.run, *(part.qrels or ()))
    if any(fragment.copy_of for fragment in fragments):  # the same rows are in each copy, and in no part twice
        sources.append(list(part.between))
    for fragment in (file for one in fragments for file in one.copy_of or (one,)):
        try:
            info = fragment.system.get_file_info(fragment.path)
        except OSError as error:
            raise unreachable(fragment.name, error) from None
        groups = [group.number for group in fragment.groups or ()]
        sources.append([fragment.path, info.size, info.mtime_ns, groups])
    return sources


def digest_judgments(judged: JudgedTopics | None) -> str:
    """SHA-256 of judgments that are held for all parts; empty where each part reads its own."""
    if judged is None:
        return ""
    digest = hashlib.sha256()
    judgments = judged.judgments
    for array in (judgments.starts, judgments.grade, *_arrays(judged.topics), *_arrays(judged.pools.documents())):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _arrays(ids: IdColumn) -> tuple[Any, ...]:
    return ids if isinstance(ids, tuple) else (ids,)


def _as_json(result: PartResult) -> dict[str, Any]:
    sums = [
        [moments.count, f"{moments.total:x}", f"{moments.squares:x}", moments.infinite]
        for moments in result.partial.moments
    ]
    return {"moments": sums, "missing": result.missing, "rows": result.rows, "facts": result.facts}


def _plain(value: Any) -> Any:
    """The value as it comes back from JSON."""
    return json.loads(json.dumps(value))

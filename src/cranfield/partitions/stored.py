"""Scores of topics that each part writes as it is done, and of which a later call goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.collection.id_columns import texts_of
from cranfield.collection.text import TextColumn
from cranfield.column_contract import IdColumn
from cranfield.errors import InputError
from cranfield.findings.place import Place
from cranfield.io.whole_file import write_bytes
from cranfield.partitions.gathered import TopicScores
from cranfield.partitions.judged import JudgedTopics
from cranfield.partitions.parts import Part
from cranfield.partitions.work import Found, Work
from cranfield.scores.parquet import TOPIC, UNFINISHED, described, write_rows
from cranfield.scoring.exact import Moments
from cranfield.scoring.partial import Partial
from cranfield.scoring.topic_sets import Topics, WholeTopics

REST = "rest"
"""The file of topics that are in no part, or in several."""


@dataclass
class Rows:
    """Receives the scores of a part's topics; those of a trial that failed are dropped by ``begin``."""

    topics: list[str] = field(default_factory=list)
    scores: list[Floats] = field(default_factory=list)

    def begin(self) -> None:
        """A trial begins."""
        self.topics.clear()
        self.scores.clear()

    def __call__(self, part: Part | None, topics: IdColumn, scores: Floats) -> None:
        """Some topics and their scores, [measures, topics]."""
        self.topics += [text.decode() for text in texts_of(topics)]
        self.scores.append(scores.copy())

    def batch(self, system: str, measures: int) -> list[Any]:
        """Columns of what was received."""
        values = np.concatenate([np.empty((measures, 0)), *self.scores], axis=1)
        return [[system] * len(self.topics), self.topics, *values]


@dataclass(frozen=True, kw_only=True)
class StoringWork:
    """Work on each part of one run that also writes the scores of its topics. It may be sent to other processes.

    Args:
        work: that is done.
        folder: to write to, which all workers see.
        run: number of the run.
        system: its name.
        about: what the metadata of every file say.
        rest: receives the scores of topics that are in no part.
        files: that belong to the run, once it is done.
    """

    work: Work
    folder: str
    run: int
    system: str
    about: dict[str, Any]
    rest: Rows = field(default_factory=Rows)
    files: set[Path] = field(default_factory=set)

    def __call__(self, part: Part) -> Found:
        """What was found, once its scores are written."""
        rows, sources = Rows(), sources_of(part)
        found = replace(self.work, keep=rows)(part)
        self.write(self.place_of(part.number), rows, {"found": _as_json(found), "sources": sources})
        return found

    def done(self, found: Sequence[Found]) -> None:
        """All parts of the run are done; scores of topics that are in none of them get a file of their own.

        Raises:
            InputError: a worker wrote somewhere else.
        """
        self.files.update(self.place_of(one.part) for one in found)
        lost = next((file for file in sorted(self.files) if not file.is_file()), None)
        if lost is not None:
            text = "a worker wrote its part, and it is not here: name a folder that all workers share"
            raise InputError(text, Place(str(lost)), code="unwritable")
        if self.rest.topics:
            self.files.add(self.place_of(REST))
            self.write(self.place_of(REST), self.rest, {})

    def write(self, path: Path, rows: Rows, more: dict[str, Any]) -> None:
        """One file, whole or not at all."""
        stream = BytesIO()
        write_rows(stream, self.about | more, iter([rows.batch(self.system, len(self.work.names))]))
        write_bytes(path, stream.getvalue())

    def place_of(self, part: int | str) -> Path:
        """The file of a part."""
        number = f"{part:06d}" if isinstance(part, int) else part
        return Path(self.folder) / f"part-{self.run:03d}-{number}.parquet"

    def known(self, parts: Sequence[Part]) -> Iterator[Found]:
        """What an earlier call found in parts whose files have not changed since."""
        for part in parts:
            path = self.place_of(part.number)
            said = described(path) if path.is_file() else None
            if said is None or any(said.get(name) != value for name, value in _plain(self.about).items()):
                continue
            if said.get("sources") == _plain(sources_of(part)):
                yield self._again(part.number, said["found"], path)

    def _again(self, number: int, said: dict[str, Any], path: Path) -> Found:
        import pyarrow.parquet as pq

        names = [TOPIC, *(self.work.names if self.work.collect else ())]
        table = pq.read_table(path, columns=names)
        texts = table[TOPIC].to_pylist()
        whole = self.work.kinds.topic
        numbers = np.array(texts if whole else [], dtype=np.int64)
        topics: Topics = WholeTopics(numbers) if whole else frozenset(texts)
        scores = None
        if self.work.collect and texts:
            column = TextColumn.of_bytes([text.encode() for text in texts])
            ids: IdColumn = numbers if whole else (column.data, column.offsets)
            scores = TopicScores(ids, np.array([table[name].to_numpy() for name in self.work.names]))
        moments = tuple(Moments(one[0], int(one[1], 16), int(one[2], 16), one[3]) for one in said["moments"])
        partial = Partial(self.work.digest, self.work.names, topics, moments)
        return Found(number, partial, said["missing"], said["rows"], said["facts"], scores)


def sources_of(part: Part) -> list[list[Any]]:
    """Name, size and time of every file that a part reads.

    Raises:
        InputError: one is not there.
    """
    from cranfield.io.places import unreachable

    found = []
    for fragment in (*part.run, *(part.qrels or ())):
        try:
            info = fragment.system.get_file_info(fragment.path)
        except OSError as error:
            raise unreachable(fragment.name, error) from None
        groups = [group.number for group in fragment.groups or ()]
        found.append([fragment.path, info.size, info.mtime_ns, groups])
    return found


def digest_of(judged: JudgedTopics | None) -> str:
    """SHA-256 of judgments that are held for all parts; empty where each part reads its own."""
    if judged is None:
        return ""
    digest = hashlib.sha256()
    held = judged.judgments
    for array in (held.starts, held.grade, *_arrays(judged.topics), *_arrays(judged.pools.documents())):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _arrays(ids: IdColumn) -> tuple[Any, ...]:
    return ids if isinstance(ids, tuple) else (ids,)


def _as_json(found: Found) -> dict[str, Any]:
    sums = [[one.count, f"{one.total:x}", f"{one.squares:x}", one.infinite] for one in found.partial.moments]
    return {"moments": sums, "missing": found.missing, "rows": found.rows, "facts": found.facts}


def _plain(value: Any) -> Any:
    """As it comes back from JSON."""
    return json.loads(json.dumps(value))


def unfinished(path: Path) -> Path:
    """Where parts are written until all are there."""
    return path.with_name(f"{path.name}{UNFINISHED}")


def begin(path: Path, *, resume: bool) -> Path:
    """The folder for parts; it is empty, unless they are gone on with.

    Raises:
        InputError: an earlier call left parts, and nothing was said of them; or it cannot be written.
    """
    folder = unfinished(path)
    if not resume and folder.is_dir() and any(folder.iterdir()):
        text = "holds parts that an earlier run left: go on with them (resume=True, --resume), or remove the folder"
        raise InputError(text, Place(str(folder)), code="unfinished")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(str(folder)), code="unwritable") from None
    return folder.absolute()

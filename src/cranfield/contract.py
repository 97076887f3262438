"""The engine's contract: what it is given and what it gives back.

An engine turns bytes into arrays and nothing else: it unpacks, splits lines, reads numbers, orders documents and
looks them up in the judgments. ``cranfield._engine`` (Rust) and ``cranfield.reference_engine`` (Python) both keep it.
"""

from __future__ import annotations

from typing import Any, Protocol, TypedDict

from cranfield.arrays import Bytes, Floats, Ints

Source = str | bytes
"""A path, or the bytes themselves."""


class Noticed(TypedDict, total=False):
    """A fact about the data that a careful user should know; only the parts of its finding's sentence are here."""

    count: int
    """How many there are of its kind; the other parts are the first one's."""
    line: int
    """From 1."""
    topic: str
    document: str
    value: str
    """As in the file; of a long one the first 80 characters."""
    first: str
    """The value from which this one differs."""
    names: list[str]
    """Of the first five."""
    differing: int
    """How many of them contradict each other."""


class Facts(TypedDict, total=False):
    """What a reader counted and noticed."""

    rows: int
    tag: str
    """The tag of a run; absent for judgments."""
    skipped: int
    """Blank lines and comments."""
    noticed: dict[str, Noticed]
    """Code of a finding (``cranfield.findings.table``) -> the fact; only what was noticed. ``judge_file`` does not say
    that topics are scattered."""


class RunColumns(TypedDict):
    """A run: rows grouped by topic in order of first appearance, in file order within a topic."""

    topics: list[str]
    starts: Ints
    data: Bytes
    offsets: Ints
    score: Floats
    rank: Ints | None
    facts: Facts
    sha256: str
    """Of the bytes that were read, before they were unpacked."""


class QrelsColumns(TypedDict):
    """Judgments: topics in order of first appearance, documents of a topic in id byte order."""

    topics: list[str]
    starts: Ints
    data: Bytes
    offsets: Ints
    grade: Floats
    """Of each pool row, its largest label over field 2."""
    document: Ints
    """Of each judgment, its pool row."""
    iteration: Ints
    """Of each judgment, its index in ``iterations``."""
    label: Floats
    iterations: list[str]
    facts: Facts
    sha256: str
    """Of the bytes that were read, before they were unpacked."""


class Judged(TypedDict):
    """One run seen through the qrels: T lists in the order of the qrels' topics."""

    length: Ints
    """Retrieved documents of each topic, int64 [T]."""
    starts: Ints
    """Rows of topic t: ``starts[t]:starts[t + 1]``, int64 [T + 1]."""
    rank: Ints
    """Rank of each judged document, from 1."""
    document: Ints
    """Its pool row."""
    first: Ints
    """First rank of the documents with the same score; empty unless ties are ``expected`` or ``bounds``."""
    last: Ints
    """Last rank of them."""
    facts: Facts


class JudgedFile(Judged):
    """The same straight from a file."""

    sha256: str
    """Of the bytes that were read, before they were unpacked; empty where it was not asked for."""


class Engine(Protocol):
    """What ``cranfield._engine`` and ``cranfield.reference_engine`` both provide. All raise ``EngineError``."""

    NAME: str

    def read_run(self, source: Source, layout: str, max_unpacked: int, on_duplicate: str) -> RunColumns:
        """Read a whole run; ``on_duplicate="first"`` keeps the line of largest score of a document."""
        ...

    def read_qrels(self, source: Source, layout: str, max_unpacked: int) -> QrelsColumns:
        """Read judgments."""
        ...

    def index(self, topics: list[str], starts: Ints, data: Bytes, offsets: Ints) -> Any:
        """Tables to look topics and documents up in; opaque, immutable, used by many threads at once."""
        ...

    def judge_file(
        self,
        source: Source,
        layout: str,
        max_unpacked: int,
        index: Any,
        ties: str,
        on_duplicate: str,
        threads: int,
        sign: bool,
    ) -> JudgedFile:
        """From file bytes straight to judged ranks, without building a run; hashed while read where ``sign`` is set."""
        ...

    def judge_run(
        self,
        topics: list[str],
        starts: Ints,
        data: Bytes,
        offsets: Ints,
        score: Floats,
        rank: Ints | None,
        index: Any,
        ties: str,
        on_duplicate: str,
    ) -> Judged:
        """The same from a run in memory; gives the same bits."""
        ...

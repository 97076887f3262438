"""The engine's contract: what it is given and what it gives back.

An engine turns bytes into arrays and nothing else: it unpacks, splits lines, reads numbers, orders documents and
looks them up in the judgments. ``cranfield._engine`` (Rust) and ``cranfield.reference_engine`` (Python) both keep it.
"""

from __future__ import annotations

from typing import Any, Protocol, TypedDict

from cranfield.arrays import Bytes, Floats, Ints

Source = str | bytes
"""A path, or the bytes themselves."""


class Facts(TypedDict, total=False):
    """What a reader noticed; lines count from 1, and every key but the first two is present only if it happened."""

    rows: int
    tag: str
    skipped: int
    """Blank lines and comments."""
    other_tag: tuple[int, str]
    """(line, tag) of the first line whose tag differs from the first line's."""
    rank_text: tuple[int, int, str]
    """(lines, first line, its value): ranks that are not whole numbers of at most 18 digits."""
    rank_contradicts: tuple[int, str]
    """(topics, first topic) in which a document of larger score has a larger rank number."""
    unjudged_topics: tuple[int, list[str]]
    """(topics, the first five) that the qrels do not hold."""
    repeated: tuple[int, int, str, str]
    """(lines, first line, topic, document): dropped because the document stands twice."""
    returns: tuple[int, int, str]
    """(times, line and topic of the first): a topic goes on after another began; only ``read_run`` says so."""
    fractional: tuple[int, int, str]
    """(lines, first line, its value): labels that are not whole numbers."""
    several: tuple[int, int, str, str]
    """(documents, those with different labels, topic and document of the first): judged under several values of field
    2."""


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
        """From file bytes straight to judged ranks, never building a run; hashed on the way where they ``sign``."""
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

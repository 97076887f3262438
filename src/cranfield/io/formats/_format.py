"""The declaration of a format of files, the file that its reader gets, and the table of all formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from cranfield.collection.policy import OnDuplicate
from cranfield.collection.word_labels import WordLabels, with_numbers
from cranfield.engine.protocol import Facts
from cranfield.findings.location import Location
from cranfield.io.formats import all_formats
from cranfield.io.source import FileKind

Loaded: TypeAlias = tuple[Any, Facts]
"""A run or judgments, and what was noticed in reading them."""
NUMBER: dict[FileKind, Literal["score", "label"]] = {"run": "score", "qrels": "label"}
"""Kinds of files -> the names of their numbers."""


@dataclass(frozen=True, kw_only=True)
class File:
    """A file that holds a run or judgments, read and unpacked.

    Args:
        location: where messages say that it is.
        name: of the system or the judgments.
        kind: what it is read as.
        text: its bytes, unpacked.
        sha256: of the bytes that were read, before they were unpacked.
        columns: what is called otherwise than usual: role -> column.
        packed: how many bytes were read, before they were unpacked.
        part: of several in the file, behind ``#`` in its name.
        on_duplicate: what to do about a document twice in a topic of a run.
        labels: the numbers of labels in words.
        several: whether a run's column of systems, where its rows are of several, separates runs.
    """

    location: Location
    name: str
    kind: FileKind
    text: bytes
    sha256: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    packed: int = 0
    part: str = ""
    on_duplicate: OnDuplicate = "error"
    labels: WordLabels = None
    several: bool = False

    def with_numbers(self, layout: str) -> bytes:
        """The text with numbers in the place of labels in words, for an engine."""
        return with_numbers(self.text, layout, self.labels) if self.labels else self.text

    @property
    def number(self) -> Literal["score", "label"]:
        """Return what its numbers are."""
        return NUMBER[self.kind]

    @cached_property
    def first_object(self) -> dict[str, Any]:
        """The object of JSON that the first line is; empty where it is none."""
        if not self.first_line.startswith(b"{"):
            return {}
        import json

        try:
            value = json.loads(self.first_line)
        except (ValueError, RecursionError):
            value = {}
        return value if isinstance(value, dict) else {}

    @cached_property
    def first_line(self) -> bytes:
        """The first line that holds anything, without blanks at either end."""
        return self.bare_text.partition(b"\n")[0].rstrip()

    @property
    def has_more_objects(self) -> bool:
        """Return whether a line that begins an object of JSON follows the first one."""
        return self.bare_text.partition(b"\n")[2].lstrip().startswith(b"{")

    @property
    def bare_text(self) -> bytes:
        """The text without a byte order mark and blanks at its head."""
        return self.text.removeprefix(b"\xef\xbb\xbf").lstrip()


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format of files.

    Args:
        holds: what it is, for the documentation: whose files, and what is in them.
        recognized_by: what of its content it is recognized by, for the documentation; empty where it must be asked for.
        example: arguments of a command that reads such a file, for the documentation.
        is_here: whether a file holds it, by its content.
        last: whether it is asked after all others, being what is left.
        run: reads a run; None where the format has no runs.
        qrels: reads judgments; None where the format has none.
        layout: of runs and of judgments, the layout by which engines split their lines, instead of a reader.
        parts: whether ``FILE#PART`` names one of several runs in a file.
    """

    holds: str
    recognized_by: str
    example: str
    is_here: Callable[[File], bool] = lambda file: False
    last: bool = False
    run: Callable[[File], Loaded] | None = None
    qrels: Callable[[File], Loaded] | None = None
    layout: Mapping[FileKind, str] = field(default_factory=dict)
    parts: bool = False

    def reader(self, kind: FileKind) -> Callable[[File], Loaded] | None:
        """The reader of files of this kind; None where engines read them, or nothing does."""
        return self.run if kind == "run" else self.qrels


HEAD = "| format | what it is | recognized by | example |\n| --- | --- | --- | --- |\n"


def markdown() -> str:
    """Every format, how it is recognised, and a command that reads it."""
    rows = (
        (f"`{name}`", form.holds, form.recognized_by or "not: ask for it", f"`cranfield {form.example}`")
        for name, form in all_formats().items()
    )
    return HEAD + "".join(f"| {' | '.join(row)} |\n" for row in rows)

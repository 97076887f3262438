"""The location of an error or a finding: a file or data in memory, and the part of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cranfield._text import in_full

STDIN = "-"
"""The name of standard input on a command line."""


@dataclass(frozen=True, slots=True)
class Location:
    """A file, or data in memory, and what part of it; printed as ``FILE``, ``FILE:LINE`` or its name.

    Args:
        path: of the file as it was named, ``-`` for standard input; empty for data in memory.
        line: from 1; None where it is not a single line.
        topic: its id; empty where it is not a single topic.
        document: its id; empty where it is not a single document.
        name: what messages call data in memory.
        part: of a file that is not made of lines, such as ``row 3``; printed behind it.
    """

    path: str = ""
    line: int | None = None
    topic: str = ""
    document: str = ""
    name: str = ""
    part: str = ""

    @property
    def file(self) -> str:
        """The file or the data, safe to print."""
        return in_full(display_name(self.path) if self.path else self.name)

    def __str__(self) -> str:
        text = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{text}: {self.part}" if self.part else text

    def at(self, line: int | None = None, topic: str = "", document: str = "") -> Location:
        """The location of a line, a topic or a document in this one."""
        return replace(self, line=line, topic=topic, document=document)

    def within(self, part: str) -> Location:
        """A part of a file that is not made of lines, in the part that it is of already."""
        return replace(self, part=f"{self.part}: {part}" if self.part else part)


def display_name(path: str) -> str:
    """The name of a file in messages."""
    return "standard input" if path == STDIN else path

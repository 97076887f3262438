"""A table for people: columns aligned, a rule below the head, sections apart, bold on a terminal."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Collection, Sequence

GAP = "   "


class Grid:
    """Rows of texts that are safe to show.

    Written by hand, as a library for tables takes longer to import than most files take to score.

    Args:
        columns: title -> whether it is aligned to the right, as numbers are.
    """

    def __init__(self, columns: Sequence[tuple[str, bool]]) -> None:
        self.right = [right for _, right in columns]
        self.head = [title for title, _ in columns]
        self.rows: list[tuple[Sequence[str], Collection[int]]] = []
        self.ends: set[int] = set()

    def add(self, *cells: str, bold: Collection[int] = (), ends: bool = False) -> None:
        """A row; the columns of its bold cells; whether a section ends with it."""
        self.rows.append((cells, bold))
        if ends:
            self.ends.add(len(self.rows))

    def text(self, *, plain: bool) -> str:
        """All lines, as wide as they are. ``plain`` is for files: bold is for terminals that know it."""
        stressed = not plain and _stresses()
        sizes = [[_width(cell) for cell in cells] for cells in (self.head, *(cells for cells, _ in self.rows))]
        widths = [max(column) for column in zip(*sizes, strict=True)]
        head = self._line(self.head, sizes[0], widths, ())
        lines = [_bold(head) if stressed else head, "─" * (sum(widths) + len(GAP) * (len(widths) - 1))]
        for number, (cells, bold) in enumerate(self.rows, 1):
            lines.append(self._line(cells, sizes[number], widths, bold if stressed else ()))
            if number in self.ends and number < len(self.rows):
                lines.append("")
        return "\n".join(lines)

    def _line(self, cells: Sequence[str], sizes: Sequence[int], widths: Sequence[int], bold: Collection[int]) -> str:
        parts = []
        for number, (cell, size, width) in enumerate(zip(cells, sizes, widths, strict=True)):
            text, blanks = _bold(cell) if number in bold else cell, " " * (width - size)
            parts.append(blanks + text if self.right[number] else text + blanks)
        return GAP.join(parts).rstrip()


def _stresses() -> bool:
    """Whether standard output is a terminal that shows bold."""
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("dumb", "unknown")


def _bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m"


def _width(text: str) -> int:
    """Cells that a text takes on a terminal: two for wide letters, none for marks on others."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.category(char) in ("Mn", "Me") for char in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(char) in "WF" for char in text)

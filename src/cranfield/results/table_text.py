"""A table for people: aligned columns, a rule below the head, sections apart; on a terminal bold, and no wider.

What fits a terminal: its width, the cells that texts take, names cut in the middle, and wrapped paragraphs.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Collection, Sequence

from cranfield._message import printable, remove_credentials

GAP, NARROW = "   ", "  "
"""Between columns, and where a terminal has no room for it."""
WORD = 12
"""Cells of a head that are not broken."""
SHORTEST = 8
"""Cells that a name keeps."""
BREAKS = "_ ,(=-"
"""Letters of a head behind which it may go on in the next line."""


class Grid:
    """Rows of texts, in which whatever is invisible is written out.

    Written by hand, as a library for tables takes longer to import than most files take to score.

    Args:
        columns: title -> whether it is aligned to the right, as numbers are.
    """

    def __init__(self, columns: Sequence[tuple[str, bool]]) -> None:
        self.right = [right for _, right in columns]
        self.head = [printable(title) for title, _ in columns]
        self.rows: list[tuple[Sequence[str], Collection[int]]] = []
        self.ends: set[int] = set()

    def add(self, *cells: str, bold: Collection[int] = (), ends: bool = False) -> None:
        """A row; the columns of its bold cells; whether a section ends with it."""
        self.rows.append(([printable(cell) for cell in cells], bold))
        if ends:
            self.ends.add(len(self.rows))

    def page(self, caption: str, *, plain: bool, answer: str = "") -> str:
        """An answer, the table and its caption, with a line end."""

        def wrap(text: str) -> str:
            return wrapped(printable(remove_credentials(text), keep="\n"), None if plain else columns())

        parts = [wrap(answer), self.text(plain=plain), wrap(caption)]
        return "\n\n".join(filter(None, parts)) + "\n"

    def markdown(self) -> str:
        """All lines as a table of GitHub's Markdown, without bold."""
        from cranfield import escaping

        align = ["--:" if right else ":--" for right in self.right]
        rows = [
            [escaping.markdown(cell, 4096) for cell in cells] for cells in (self.head, *(row for row, _ in self.rows))
        ]
        return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], align, *rows[1:]))

    def text(self, *, plain: bool) -> str:
        """All lines. ``plain`` is for files: as wide as they are, without bold, which is for terminals that know it.

        On a terminal that is too narrow, heads break, names lose their middle, and columns that still find no room
        follow below, behind those that name the row.
        """
        room = None if plain else columns()
        stressed = not plain and shows_bold()
        widths = [max(map(width, column)) for column in self._columns()]
        if room is None or _total(widths, GAP) <= room:
            return "\n".join(self._lines(range(len(widths)), widths, GAP, stressed=stressed))
        if _total(widths, NARROW) > room:
            widths = self._narrowed(room)
        names_cut = any(
            width(cells[number]) > size
            for cells, _ in self.rows
            for number, size in enumerate(widths)
            if not self.right[number]
        )
        blocks = self._blocks(widths, room)
        texts = ["\n".join(self._lines(block, widths, NARROW, stressed=stressed)) for block in blocks]
        if names_cut:
            note = f"names are cut to fit {room} columns: a wider terminal, or a file (-o), has them whole"
            texts.append(wrapped(note, room))
        return "\n\n".join(texts)

    def _columns(self) -> list[list[str]]:
        return [[title, *(cells[number] for cells, _ in self.rows)] for number, title in enumerate(self.head)]

    def _names(self) -> int:
        """Return how many columns, from the left, say what a row is about."""
        count = 0
        while count < len(self.head) and (not self.right[count] or not self.head[count]):
            count += 1
        return count if 0 < count < len(self.head) else 1

    def _narrowed(self, room: int) -> list[int]:
        """Widths with broken heads, then with names no longer than they must be."""
        sizes = [max((width(cells[number]) for cells, _ in self.rows), default=0) for number in range(len(self.head))]
        heads = [min(WORD, max(map(width, pieces(title, WORD, BREAKS)))) for title in self.head]
        widths = [max(size, head) for size, head in zip(sizes, heads, strict=True)]
        names = [number for number, right in enumerate(self.right) if not right]
        leading = range(self._names())
        # Where not even one column would follow the names, they give way; where all do, only as much as is over.
        widest = max((widths[number] for number in range(len(widths)) if number not in leading), default=0)
        while names and _total(widths, NARROW) > room:
            longest = max(names, key=lambda number: widths[number])
            keeps = max(SHORTEST, heads[longest])
            alone = _total([*(widths[number] for number in leading), widest], NARROW)
            least = keeps if alone > room or longest not in leading else max(keeps, room // (3 * len(leading)))
            if widths[longest] <= least:
                names.remove(longest)
            else:
                widths[longest] -= 1
        return widths

    def _blocks(self, widths: Sequence[int], room: int) -> list[list[int]]:
        """Columns that go beside each other, each time behind those that name the row."""
        leading = list(range(self._names()))
        blocks = [list(leading)]
        for number in range(len(leading), len(widths)):
            beside = [widths[column] for column in (*blocks[-1], number)]
            if _total(beside, NARROW) > room and len(blocks[-1]) > len(leading):
                blocks.append(list(leading))
            blocks[-1].append(number)
        return blocks

    def _lines(self, block: Sequence[int], widths: Sequence[int], gap: str, *, stressed: bool) -> list[str]:
        """Head, rule and rows of some columns."""
        heads = [pieces(self.head[number], widths[number], BREAKS) for number in block]
        tallest = max(map(len, heads))
        heads = [[""] * (tallest - len(head)) + head for head in heads]
        lines = []
        for row in zip(*heads, strict=True):
            line = self._line(row, block, widths, gap, ())
            lines.append(bold(line) if stressed else line)
        lines.append("─" * _total([widths[number] for number in block], gap))
        for row_number, (cells, strong) in enumerate(self.rows, 1):
            shown = [cut(cells[number], widths[number]) for number in block]
            lines.append(self._line(shown, block, widths, gap, strong if stressed else ()))
            if row_number in self.ends and row_number < len(self.rows):
                lines.append("")
        return lines

    def _line(
        self, cells: Sequence[str], block: Sequence[int], widths: Sequence[int], gap: str, strong: Collection[int]
    ) -> str:
        parts = []
        for number, cell in zip(block, cells, strict=True):
            text, blanks = bold(cell) if number in strong else cell, " " * (widths[number] - width(cell))
            parts.append(blanks + text if self.right[number] else text + blanks)
        return gap.join(parts).rstrip()


def _total(widths: Sequence[int], gap: str) -> int:
    """Cells of a line."""
    return sum(widths) + len(gap) * (len(widths) - 1)


CUT = "…"


def columns() -> int | None:
    """Cells in a line of the terminal that standard output is; None where it is none, and nothing need fit."""
    if not _is_terminal():
        return None
    import shutil  # here, since it brings what packs files, for which a short call does not wait

    return shutil.get_terminal_size().columns


def measure_error_columns() -> int | None:
    """The same of standard error, which may be a terminal while standard output is piped."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        own = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # no device of the system: what a notebook or a test puts in its place
        own = 0
    return int(os.environ.get("COLUMNS", "")) if os.environ.get("COLUMNS", "").isdecimal() else own or None


def shows_bold() -> bool:
    """Tell if standard output is a terminal that shows bold: on Windows, Windows Terminal, which says so."""
    if sys.platform == "win32" and "WT_SESSION" not in os.environ:
        return False
    return _is_terminal() and os.environ.get("TERM", "") not in ("dumb", "unknown")


def bold(text: str) -> str:
    """The text between the codes for bold."""
    return f"\x1b[1m{text}\x1b[0m"


def width(text: str) -> int:
    """Cells that a text takes on a terminal: two for wide letters, none for marks on others."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.category(char) in ("Mn", "Me") for char in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(char) in "WF" for char in text)


def cut(text: str, cells: int) -> str:
    """A name in at most ``cells`` cells: what is too long loses its middle, as systems differ at either end."""
    if width(text) <= cells:
        return text
    room = max(cells - 1, 0)
    return _start(text, room - room // 2) + CUT + _start(text[::-1], room // 2)[::-1]


def pieces(text: str, cells: int, after: str = " ") -> list[str]:
    """A text in lines of at most ``cells`` cells, broken after one of some letters, elsewhere only where it must be.

    Args:
        text: one line.
        cells: at most in a line, 1 or more.
        after: letters behind which a line may end; blanks there go away.
    """
    lines = [""]
    for part in _parts(text, after):
        remaining = part
        if width((lines[-1] + remaining).rstrip()) > cells and lines[-1]:
            lines.append("")
        while width(remaining.rstrip()) > cells:
            # A letter of two cells does not fit into one: it stands there all the same.
            head = _start(remaining, cells) or remaining[:1]
            lines[-1:] = [head, ""]
            remaining = remaining[len(head) :]
        lines[-1] += remaining
    return [line.rstrip() for line in lines if line.strip()] or [""]


def wrapped(text: str, cells: int | None) -> str:
    """Paragraphs of a line each in lines of ``cells`` cells; the items of a list hang. None leaves them as they are."""
    if cells is None:
        return text
    lines: list[str] = []
    for paragraph in text.splitlines():
        bare = paragraph.lstrip()
        blanks = paragraph[: len(paragraph) - len(bare)] + ("  " if bare.startswith("- ") else "")
        if width(paragraph) <= cells or len(blanks) >= cells:
            lines.append(paragraph)
            continue
        first, *following = pieces(paragraph[len(blanks) :], cells - len(blanks))
        lines += [paragraph[: len(blanks)] + first, *(blanks + line for line in following)]
    return "\n".join(lines)


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _start(text: str, cells: int) -> str:
    """The longest start of a text that ``cells`` cells hold."""
    end = min(len(text), cells)
    while width(text[:end]) > cells:
        end -= 1
    return text[:end]


def _parts(text: str, after: str) -> list[str]:
    """A text cut behind each of some letters."""
    parts = [""]
    for index, char in enumerate(text):
        parts[-1] += char
        if char in after and text[index + 1 : index + 2] not in (" ", ""):
            parts.append("")
    return parts

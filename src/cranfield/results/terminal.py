"""What fits a terminal: its width, the cells that texts take, names cut in the middle, and wrapped paragraphs."""

from __future__ import annotations

import os
import sys
import unicodedata

CUT = "…"


def columns() -> int | None:
    """Cells in a line of the terminal that standard output is; None where it is none, and nothing need fit."""
    if not _is_terminal():
        return None
    import shutil  # here, since it brings what packs files, for which a short call does not wait

    return shutil.get_terminal_size().columns


def columns_of_errors() -> int | None:
    """The same of standard error, which may be a terminal while standard output is piped."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        own = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # no device of the system: what a notebook or a test puts in its place
        own = 0
    return int(os.environ.get("COLUMNS", "")) if os.environ.get("COLUMNS", "").isdecimal() else own or None


def shows_bold() -> bool:
    """Whether standard output is a terminal that shows bold."""
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
    """A name in so many cells at most: what is too long loses its middle, as systems differ at either end."""
    if width(text) <= cells:
        return text
    room = max(cells - 1, 0)
    return _start(text, room - room // 2) + CUT + _start(text[::-1], room // 2)[::-1]


def pieces(text: str, cells: int, after: str = " ") -> list[str]:
    """A text in lines of so many cells at most, broken after one of some letters, and elsewhere only where it must be.

    Args:
        text: one line.
        cells: at most in a line, 1 or more.
        after: letters behind which a line may end; blanks there go away.
    """
    lines = [""]
    for part in _parts(text, after):
        rest = part
        if width((lines[-1] + rest).rstrip()) > cells and lines[-1]:
            lines.append("")
        while width(rest.rstrip()) > cells:
            # A letter of two cells does not fit into one: it stands there all the same.
            head = _start(rest, cells) or rest[:1]
            lines[-1:] = [head, ""]
            rest = rest[len(head) :]
        lines[-1] += rest
    return [line.rstrip() for line in lines if line.strip()] or [""]


def wrapped(text: str, cells: int | None) -> str:
    """Paragraphs of a line each in lines of so many cells; the items of a list hang. None leaves them as they are."""
    if cells is None:
        return text
    lines: list[str] = []
    for paragraph in text.splitlines():
        bare = paragraph.lstrip()
        blanks = paragraph[: len(paragraph) - len(bare)] + ("  " if bare.startswith("- ") else "")
        if width(paragraph) <= cells or len(blanks) >= cells:
            lines.append(paragraph)
            continue
        first, *rest = pieces(paragraph[len(blanks) :], cells - len(blanks))
        lines += [paragraph[: len(blanks)] + first, *(blanks + line for line in rest)]
    return "\n".join(lines)


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _start(text: str, cells: int) -> str:
    """As much of a text's start as so many cells hold."""
    end = min(len(text), cells)
    while width(text[:end]) > cells:
        end -= 1
    return text[:end]


def _parts(text: str, after: str) -> list[str]:
    """A text cut behind each of some letters."""
    parts = [""]
    for place, char in enumerate(text):
        parts[-1] += char
        if char in after and text[place + 1 : place + 2] not in (" ", ""):
            parts.append("")
    return parts

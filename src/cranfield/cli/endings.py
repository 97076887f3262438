"""Names of outputs whose ending promises a format that is not written under it."""

from __future__ import annotations

import os

import click

from cranfield._text import in_full
from cranfield.cli.options import ENDINGS
from cranfield.errors import UsageError

FOREIGN = (".xlsx", ".xls", ".ods", ".docx", ".pdf", ".png", ".svg", ".html", ".htm")
"""Endings that nobody gives to a text of rows."""
PAGE = (".html", ".htm")
"""What a page may end in."""


def check_ending(output: str, *, page: bool) -> None:
    """Refuse a name such as ``scores.xlsx``; other endings, and none, are free.

    Args:
        output: the name.
        page: whether a page of HTML is written.

    Raises:
        UsageError: a program that goes by the ending could not open the file.
    """
    from pathlib import PurePath

    from cranfield.io.compression import is_packed

    *_, before, last = ("", "", *PurePath(output).suffixes)
    ending = (before if is_packed(last) else last).lower()
    if output.endswith(("/", os.sep)) or ending not in (*FOREIGN, *ENDINGS):
        return
    if page:
        if ending not in PAGE:
            raise UsageError(f"{in_full(output)}: a page is HTML, not {ending[1:]}: let the name end in .html")
        return
    written = _formats()
    if ending in FOREIGN and ENDINGS.get(ending) not in written:
        known = [known for known, format_ in ENDINGS.items() if format_ in written]
        instead = f"let the name end in {', '.join(known[:-1])} or {known[-1]}" if known[1:] else "give another ending"
        pages = "; `cranfield report` makes a page" if ending in (*PAGE, ".pdf") else ""
        raise UsageError(f"{in_full(output)}: this command does not write {ending[1:]}: {instead}{pages}")


def _formats() -> tuple[str, ...]:
    """What the command that is called can print, by its ``--format``."""
    context = click.get_current_context(silent=True)
    for option in context.command.params if context is not None else ():
        if option.name == "format_" and isinstance(option.type, click.Choice):
            return tuple(option.type.choices)
    return ()

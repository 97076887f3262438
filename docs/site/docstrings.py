"""Docstrings as they are written here, plain text with formulas indented, as reStructuredText."""

from __future__ import annotations

import re
from typing import Any

SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes|References):$")
REFERENCE = re.compile(r"^(Reference|Source):$")
LITERAL = re.compile(r"(``[^`]+``)")
SPECIAL = re.compile(r"[\\*|`@]|(?<=\w)_(?!\w)|(?<!http)(?<!https)://")
"""What markup is made of, and the signs that make links of ``nDCG@10`` and ``tcp://host:8786``."""


def plain_to_rst(app: Any, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    """Escape what reStructuredText would read as markup, and keep indented formulas as they stand."""
    out: list[str] = []
    section = literal = example = False
    for line in (REFERENCE.sub("References:", line) for line in lines):
        indented = line.startswith("    ")
        if SECTION.match(line):
            section = True
        elif line and not indented:
            section = False
        if not line:
            example = False
        elif line.lstrip().startswith(">>>"):
            example = True
        if indented and not section and not example:
            if not literal:
                out += ["::", ""]
            literal = True
        elif line:
            literal = False
        out.append(line if literal or example else _escaped(line))
    lines[:] = out


def _escaped(line: str) -> str:
    parts = LITERAL.split(line)
    return "".join(part if part.startswith("``") else SPECIAL.sub(r"\\\g<0>", part) for part in parts)

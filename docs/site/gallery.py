"""The figures that reproductions have drawn, below the table that lists them."""

from __future__ import annotations

import html
import re
from pathlib import Path

TITLE = re.compile(r"""aria-label="Title text '([^"]*)'""")


def gallery(page: Path) -> str:
    """The figures of the folders beside a page, each leading to its folder's page; nothing where there are none."""
    cards = []
    for readme in sorted(page.parent.glob("*/README.md")):
        figures = sorted(readme.parent.glob("*.svg"))
        if figures:
            cards.append(f"### {_heading(readme)}\n")
            cards += [f"[![{_words(figure)}]({_from(page, figure)})]({_from(page, readme)})" for figure in figures]
            cards.append("")
    return "\n## Figures\n\n" + "\n".join(cards) if cards else ""


def _heading(readme: Path) -> str:
    return readme.read_text().partition("\n")[0].removeprefix("# ")


def _words(figure: Path) -> str:
    name = figure.stem.replace("_", " ").replace("-", " ").capitalize()
    title = TITLE.search(figure.read_text())
    return f"{name}: {html.unescape(title[1])}".replace("[", "(").replace("]", ")") if title else name


def _from(page: Path, other: Path) -> str:
    return other.relative_to(page.parent).as_posix()

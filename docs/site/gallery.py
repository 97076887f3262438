"""The figures of the reproductions, below the table that lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

FIGURE = re.compile(r"!\[(?P<text>[^\]]*)\]\((?P<path>[^)\s]+)\)")


def gallery(page: Path, below: Iterable[Path]) -> str:
    """Every figure that the pages below show, each leading to its page; nothing where there are none."""
    cards = []
    for other in below:
        for figure in FIGURE.finditer(other.read_text()):
            place = (other.parent / figure["path"]).relative_to(page.parent).as_posix()
            cards.append(f"[![{figure['text']}]({place})]({other.relative_to(page.parent).as_posix()})\n")
    return "\n## Figures\n\n" + "\n".join(cards) if cards else ""

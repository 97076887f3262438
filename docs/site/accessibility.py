"""What the theme's pages lack for keyboards and screen readers."""

from __future__ import annotations

import re
from pathlib import Path

MISSING = {
    '<p class="caption" role="heading"': '<p class="caption" role="heading" aria-level="2"',
    '<aside class="sidebar-drawer"': '<aside class="sidebar-drawer" aria-label="All pages"',
    '<aside class="toc-drawer': '<aside aria-label="This page" class="toc-drawer',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<div id="search-results"></div>': '<h1>Search</h1><div id="search-results"></div>',
    "<div class='output'": "<div tabindex=\"0\" class='output'",
    '<th class="head"><p></p></th>': '<td class="head"></td>',
    "<th></th>": "<td></td>",
}
"""A page needs a heading, headings a level, landmarks a name, and what scrolls sideways must be reachable by keys. A
cell without words is no head of a column."""
PARAMETERS = re.compile(r"<dl>\s*(<dd>.*?)</dl>", re.DOTALL)
"""A signature of several lines: a list of definitions without terms."""


def complete(site: Path) -> None:
    """Add it to every built page."""
    for path in site.rglob("*.html"):
        text = path.read_text()
        for found, better in MISSING.items():
            text = text.replace(found, better)
        text = PARAMETERS.sub(_list_parameters, text)
        path.write_text(text)


def _list_parameters(signature: re.Match[str]) -> str:
    """Write each parameter as a line of its own, in no list."""
    return re.sub(r"<dd>(.*?)</dd>", r'<span class="parameter">\1</span>', signature[1], flags=re.DOTALL)

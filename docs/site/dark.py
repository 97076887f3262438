"""Charts on dark pages: each picture of ours twice, and the theme of the site shows one of the two."""

from __future__ import annotations

import re
from pathlib import Path

from cranfield.plot._export import DARK
from cranfield.plot._theme import PAPER

IMAGE = re.compile(r'<img (?P<rest>[^>]*?src="(?P<source>[^":]+\.svg)"[^>]*?)\s*/?>')
ELEMENT = re.compile(r'<\w+(?:"[^"]*"|[^">])*>')
COLOUR = re.compile(r'(?P<what>(?:fill|stroke)=")(?P<colour>[^"]+)"')


def complete(site: Path) -> int:
    """Set a dark chart beside every light one; returns how many pictures were drawn.

    Args:
        site: the built pages, which are changed.
    """
    drawn: set[Path] = set()
    for page in sorted(site.rglob("*.html")):
        text = page.read_text()
        paired = IMAGE.sub(lambda image, page=page: _pair(image, page, drawn), text)  # type: ignore[misc]
        if paired != text:
            page.write_text(paired)
    return len(drawn)


def darkened(svg: str) -> str:
    """The picture with the colours of a dark page; those of systems and measures stay."""
    return ELEMENT.sub(lambda element: COLOUR.sub(lambda found: _dark(found, element[0]), element[0]), svg)


def _dark(found: re.Match[str], element: str) -> str:
    """A colour of a dark page; white text is written on a mark, whose own colour stays."""
    ground = found["colour"] == "white" and not element.startswith("<text")
    return f'{found["what"]}{DARK.get(PAPER if ground else found["colour"], found["colour"])}"'


def _pair(image: re.Match[str], page: Path, drawn: set[Path]) -> str:
    """The picture for light pages and the one for dark pages."""
    light = page.parent / image["source"]
    dark = light.with_name(f"{light.stem}-dark.svg")
    if dark not in drawn:
        dark.write_text(darkened(light.read_text()))
        drawn.add(dark)
    other = image["rest"].replace(image["source"], image["source"].removesuffix(".svg") + "-dark.svg")
    return _of(image["rest"], "only-light") + _of(other, "only-dark")


def _of(attributes: str, theme: str) -> str:
    """An image that Furo shows in one theme alone."""
    named = attributes.replace('class="', f'class="{theme} ', 1)
    return f"<img {named} />" if named != attributes else f'<img class="{theme}" {attributes} />'

"""What is wrong with built pages: links that lead nowhere, and things loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "link": "href"}
"""Tags whose attribute makes a browser load something, unasked."""
TOLERATED = {"canonical", "search", "index", "next", "prev", "author", "copyright", "help"}
"""Relations of <link> that load nothing."""


class Page(HTMLParser):
    """The anchors of a page, where it links to, and what it loads."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loads: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what matters of one tag."""
        given = {name: value or "" for name, value in attributes}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        if tag in LOADED and LOADED[tag] in given and given.get("rel") not in TOLERATED:
            self.loads.add(given[LOADED[tag]])


def problems(site: Path) -> Iterator[str]:
    """One line each."""
    pages = {path.resolve(): _read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        for link in sorted(page.loads):
            if urlsplit(link).scheme not in ("", "data") or link.startswith("//"):
                yield f"{where}: loads {link}"
        for link in sorted(page.links | page.loads):
            if problem := _dead(link, path, pages):
                yield f"{where}: {problem}"
    for path in sorted(site.rglob("*.css")):
        if "url(http" in path.read_text() or "@import" in path.read_text():
            yield f"{path.relative_to(site)}: loads something from elsewhere"


def _read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text())
    return page


def _dead(link: str, page: Path, pages: dict[Path, Page]) -> str:
    parts = urlsplit(link)
    if parts.scheme not in ("", "http", "https"):
        return f"takes {unquote(link.removeprefix('mailto:'))} for an address"
    if parts.scheme or parts.netloc:
        return ""
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    target = target / "index.html" if target.is_dir() else target
    if not target.exists():
        return f"there is no {link}"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors and anchor != "top":
        return f"there is no anchor {link}"
    return ""

"""The pages of the site in one folder: those of ``docs/`` at its top, others of the project where they are.

A link from one page to another is rewritten for where both now stand; a link to another file of the project brings that
file along; a link to nothing is an error, with page and line.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import navigation
from address import fill_in, read_project
from api import api_pages
from charts import pictures
from commands import INDEX, command_pages
from cranfield.findings import markdown as findings_tables
from cranfield.io.formats._format import markdown as formats_table
from cranfield.measures import registry
from cranfield.measures.describe import alphabetical
from cranfield.measures.describe import markdown as measures_table
from gallery import gallery
from measures import measure_page, properties_page
from notebook import as_markdown

ROOT = Path(__file__).resolve().parents[2]
GENERATED = {
    "measure-reference.md": measure_page,
    "measure-properties.md": properties_page,
}
TABLES: dict[str, Callable[[], str]] = {
    "docs/measures-table.md": lambda: measures_table(alphabetical(registry.values())),
    "docs/check.md": findings_tables,
    "docs/formats.md": formats_table,
}
"""Page -> what follows it on the site, and is printed by a command everywhere else."""
MADE = ("api.rst", INDEX)
"""Lists of references in pages of their own."""
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^ {0,3}(```|~~~)")


class BrokenLinkError(Exception):
    """A page links to a file that the project does not have."""


def gather(to: Path) -> None:
    """Write all pages, and the files they link to, into a new folder.

    Raises:
        BrokenLinkError: a page links to a file that the project does not have.
    """
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for name, generate in GENERATED.items():
        (to / name).write_text(generate())
    for name, text in (api_pages() | command_pages()).items():
        (to / name).parent.mkdir(exist_ok=True)
        (to / name).write_text(text)
    pages, project = list(_pages()), read_project()
    for page in pages:
        text = as_markdown(page) if page.suffix == ".ipynb" else page.read_text()
        text = _titled(text, page) + (gallery(page) if page == ROOT / navigation.GALLERY else "")
        text = _relinked(text, page, to, frozenset(pages)) + pictures(page)
        place = to / place_of(page)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(fill_in(text, project) + _ending(page))


def sections() -> dict[str, tuple[str, ...]]:
    """Caption -> pages: those of the navigation, then what it does not name."""
    named = {name for names in navigation.SECTIONS.values() for name in names}
    carried = {page for name in navigation.BELOW for page in _below(ROOT / name)}
    pages = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page not in carried]
    others = tuple(name for page in pages if (name := page.relative_to(ROOT).as_posix()) not in named)
    return navigation.SECTIONS | ({navigation.OTHERS: others} if others else {})


def place_of(page: Path) -> Path:
    """Where a file of the project stands in the site's sources."""
    inside = page.relative_to(ROOT)
    inside = inside.relative_to("docs") if inside.is_relative_to("docs") else inside
    return inside.with_suffix(".md") if inside.suffix == ".ipynb" else inside


def _pages() -> Iterator[Path]:
    for names in sections().values():
        for name in names:
            if name not in (*GENERATED, *MADE):
                yield ROOT / name
            if name in navigation.BELOW:
                yield from _below(ROOT / name)


def _below(page: Path) -> list[Path]:
    return sorted((other for other in page.parent.rglob("*.md") if other != page), key=_reading_order)


def _reading_order(page: Path) -> tuple[Path, bool, str]:
    return page.parent, page.name != "README.md", page.name


def _titled(text: str, page: Path) -> str:
    """Generated tables begin with no title of their own."""
    if re.search(r"^# ", text, re.MULTILINE):
        return text
    title = page.stem.replace("-", " ").replace("_", " ").capitalize()
    if page.parent != ROOT / "docs":
        title += f" ({page.parent.name})"
    return f"# {title}\n\n{text}"


def _ending(page: Path) -> str:
    name = page.relative_to(ROOT).as_posix()
    if name == navigation.HOME:
        trees = [_tree([_entry(name) for name in names], caption) for caption, names in sections().items()]
        return "\n" + "\n".join(trees)
    if name in navigation.BELOW:
        return "\n" + _tree([other.relative_to(page.parent).as_posix() for other in _below(page)])
    if name in TABLES:
        return "\n" + TABLES[name]()
    return ""


def _entry(name: str) -> str:
    if name == navigation.HOME:
        return "Start here <self>"
    return name if name in (*GENERATED, *MADE) else place_of(ROOT / name).as_posix()


def _tree(entries: list[str], caption: str = "") -> str:
    head = [":hidden:", *([f":caption: {caption}"] if caption else []), ""]
    return "\n".join(["```{toctree}", *head, *entries, "```", ""])


def _relinked(text: str, page: Path, to: Path, pages: frozenset[Path]) -> str:
    out, fenced = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
            if not fenced and not out[-1]:
                out.pop()  # the end of an example, to doctest
        out.append(line if fenced else LINK.sub(lambda match, at=number: _link(match, page, at, to, pages), line))
    return "\n".join(out)


def _link(match: re.Match[str], page: Path, line: int, to: Path, pages: frozenset[Path]) -> str:
    path, mark, anchor = match["target"].partition("#")
    if not path or "://" in path or path.startswith("mailto:"):
        return match[0]
    target = Path(os.path.normpath(page.parent / path))
    if target.is_dir() and (target / "README.md") in pages:
        target /= "README.md"
    if not (target.is_file() and target.is_relative_to(ROOT)):
        raise BrokenLinkError(f"{page.relative_to(ROOT)}:{line}: there is no {path}")
    if target not in pages:
        (to / place_of(target)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(target, to / place_of(target))
    relative = os.path.relpath(place_of(target), place_of(page).parent)
    return f"]({relative}{mark}{anchor})"

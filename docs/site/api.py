"""The reference of the Python interface, from the table of the facade."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from importlib import import_module
from importlib.util import find_spec
from inspect import isclass, isfunction
from textwrap import indent
from types import ModuleType

import cranfield

INTRODUCTION = """Names with one dot are attributes of ``cranfield``: ``from cranfield import evaluate``; those with
two belong to a room: ``from cranfield.trust import estimate_stability``. Measures have :doc:`a reference of their own
<measure-reference>`."""
ALIASES = (
    "Judges",
    "JudgesLike",
    "JudgmentsLike",
    "MeasuresLike",
    "QrelsLike",
    "Relevant",
    "RunsLike",
    "StreamedRunsLike",
    "ScoresLike",
    "IntentWeightsLike",
    "TopicsLike",
)
"""Unions that are shown by their names."""
CHAPTERS = {
    "Scores": (
        "cranfield.evaluation",
        "cranfield.scoring",
        "cranfield.scores",
        "cranfield.protocol",
        "cranfield.results.by_group",
    ),
    "Runs, judgments, policies": (
        "cranfield.collection",
        "cranfield.io",
        "cranfield.checking",
        "cranfield.label_distribution",
    ),
    "Runs larger than memory": ("cranfield.streaming",),
    "Measures": ("cranfield.measures",),
    "Boards": ("cranfield.boards",),
    "Conformance": ("cranfield.conformance",),
    "Differences and topics needed": ("cranfield.comparison",),
    "Audit, reliability, stability, sensitivity": ("cranfield.trust",),
    "Agreement": ("cranfield.agreement",),
    "Pairwise verdicts": ("cranfield.pairwise",),
    "Topic difficulty": ("cranfield.topic_difficulty",),
    "Standardization": ("cranfield.standardization",),
    "Information": ("cranfield.information",),
    "Fusion": ("cranfield.fusion",),
    "Pools": ("cranfield.pooling",),
    "Holes": ("cranfield.holes",),
    "Report": ("cranfield.reporting",),
    "Simulation": ("cranfield.simulation",),
    "Data sets": ("cranfield.datasets",),
    "Errors": ("cranfield.errors",),
}
"""Chapter -> the modules, or packages, whose public names it holds."""
MODULES = {
    "Statistics": ("cranfield.statistics.rank_correlation", "cranfield.statistics.indefinite_rankings"),
    "Untrusted names": ("cranfield.escaping",),
    "Inside other tools": ("cranfield.integrations.ir_measures", "cranfield.integrations.pyterrier"),
}
"""Chapter -> modules that are used by their own names."""
PUBLIC_MODULES = ("measures", "plot")
"""Rooms that have pages of their own."""
PACKAGES = {"Charts": ("cranfield.plot",)}
"""Chapter -> packages whose ``__all__`` is used by the package's name."""
MOVED = """<script>
const listed = id => document.getElementById(id), wanted = decodeURIComponent(location.hash.slice(1));
for (let name = wanted; name.includes('.'); name = name.slice(0, name.lastIndexOf('.')))
  if (listed(name) && wanted !== name) {
    location.replace(listed(name).querySelector('a').href.split('#')[0] + '#' + wanted);
    break;
  }
</script>"""
"""Leads links to a method, which were written when all stood on one page, to the page of its class."""


def api_pages() -> dict[str, str]:
    """One page a chapter, and ``api.rst``, which leads to them: file -> text.

    Measures are not among them: they have a reference of their own.
    """
    results: set[str] = set()
    chapters = {chapter: _of_names(chapter, results) for chapter in CHAPTERS}
    chapters |= {chapter: _of_modules(chapter) for chapter in MODULES | PACKAGES}
    chapters = {chapter: lines for chapter, lines in chapters.items() if lines}
    pages = {f"{place_of(one)}.rst": "\n".join([*_heading(one, "="), *lines]) for one, lines in chapters.items()}
    return {"api.rst": _contents(chapters)} | pages


def place_of(chapter: str) -> str:
    """Where a chapter's page stands, without its ending."""
    return f"api/{'-'.join(re.findall(r'[a-z]+', chapter.lower()))}"


def _of_names(chapter: str, results: set[str]) -> list[str]:
    names = [name for name, home in public_names().items() if chapter_of(home) == chapter]
    return [line for name in names for line in _entry(name, results)]


def _of_modules(chapter: str) -> list[str]:
    lines = []
    for module in filter(find_spec, (MODULES | PACKAGES)[chapter]):
        lines += [f".. automodule:: {module}", "   :members:"]
        lines += ["   :imported-members:"] if chapter in PACKAGES else []
        lines += [""]
    return lines


def _contents(chapters: dict[str, list[str]]) -> str:
    """What each chapter has, with the anchors that the names had when all stood on one page."""
    lines = [*_heading("Python", "="), INTRODUCTION, ""]
    for chapter, inside in chapters.items():
        lines += [
            *_heading(chapter, "-"),
            f":doc:`All of it on one page <{place_of(chapter)}>`",
            "",
            ".. raw:: html",
            "",
        ]
        lines += ["   <ul class='names'>", *(f"   {row}" for row in _rows(chapter, inside)), "   </ul>", ""]
    tree = [".. toctree::", "   :hidden:", "", *(f"   {place_of(chapter)}" for chapter in chapters), ""]
    return "\n".join([*lines, *tree, ".. raw:: html", "", indent(MOVED, "   "), ""])


def _rows(chapter: str, inside: list[str]) -> Iterator[str]:
    """A list of what is documented: functions and classes with their meaning, modules by their names."""
    for kind, name in re.findall(r"^\.\. auto(\w+):: (\S+)$", "\n".join(inside), re.MULTILINE):
        names = [name] if kind != "module" else [f"{name}.{one}" for one in _members(import_module(name))]
        for one in names:
            room, _, last = one.rpartition(".")
            meaning = (getattr(import_module(room), last).__doc__ or "").partition("\n\n")[0]
            meaning = escape(" ".join(meaning.split()).replace("``", ""))
            yield f"<li id='{one}'><a href='{place_of(chapter)}.html#{one}'><code>{one}</code></a> {meaning}</li>"


def _members(module: ModuleType) -> list[str]:
    """The public functions and classes of a module."""
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    names = getattr(module, "__all__", own)
    return [name for name in names if name[0] != "_" and callable(getattr(module, name))]


def public_names() -> dict[str, str]:
    """Every public name but measures and charts, ``cranfield.trust.Stability`` say -> the module where it lives.

    A name of the facade comes before those of the rooms, and stands once.
    """
    homes = {f"cranfield.{name}": module for name, module in sorted(cranfield._FACADE.items())}
    shown = {(name.rpartition(".")[2], home) for name, home in homes.items()}
    for room in cranfield._ROOMS:
        if room in PUBLIC_MODULES:
            continue
        for name in dir(package := import_module(f"cranfield.{room}")):
            value = getattr(package, name)
            if isclass(value) or isfunction(value):
                home = value.__module__
                if (
                    name[0] != "_"
                    and home.startswith((f"cranfield.{room}", "cranfield.streaming."))
                    and (name, home) not in shown
                ):
                    homes[f"cranfield.{room}.{name}"] = home
    return homes


def chapter_of(home: str) -> str:
    """The chapter that holds what a module defines.

    Raises:
        LookupError: no chapter names the module.
    """
    for chapter, prefixes in CHAPTERS.items():
        if any(home == prefix or home.startswith(f"{prefix}.") for prefix in prefixes):
            return chapter
    raise LookupError(f"no chapter of docs/site/api.py holds {home}, which has public names")


def _entry(name: str, results: set[str]) -> Iterator[str]:
    """A public name, and after it the class of its result unless that has a name of its own."""
    room, _, last = name.rpartition(".")
    value = getattr(import_module(room), last)
    if isclass(value):
        yield from (f".. autoclass:: {name}", "   :members:", "")
        return
    yield from (f".. autofunction:: {name}", "")
    result = value.__globals__.get(value.__annotations__.get("return"))
    if isclass(result) and result.__module__.startswith("cranfield."):
        path = f"{result.__module__}.{result.__name__}"
        named = {(public.rpartition(".")[2], home) for public, home in public_names().items()}
        if path not in results and (result.__name__, result.__module__) not in named:
            yield from (f".. autoclass:: {path}", "   :members:", "")
        results.add(path)


def _heading(text: str, mark: str) -> list[str]:
    return [text, mark * len(text), ""]

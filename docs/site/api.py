"""The reference of the Python interface, from the table of the facade."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from inspect import isclass

import cranfield

INTRODUCTION = """Names with one dot are attributes of ``cranfield``: ``from cranfield import evaluate``. Classes with
longer names are what functions return. Measures have :doc:`a reference of their own <measure-reference>`."""
ALIASES = (
    "Judges",
    "JudgmentsLike",
    "MeasuresLike",
    "QrelsLike",
    "Relevant",
    "RunsLike",
    "ScoresLike",
    "IntentWeightsLike",
)
"""Unions that are shown by their names."""
CHAPTERS = {
    "Scores": ("cranfield.evaluation", "cranfield.scores"),
    "Runs, judgments, policies": ("cranfield.collection", "cranfield.io", "cranfield.checking", "cranfield.labels"),
    "Measures": ("cranfield.measures",),
    "Differences and topics needed": ("cranfield.comparison",),
    "Reliability, stability, sensitivity": ("cranfield.trust",),
    "Syntheses": ("cranfield.synthesis",),
    "Topic difficulty": ("cranfield.topic_difficulty",),
    "Standardization": ("cranfield.standardization",),
    "Information": ("cranfield.information",),
    "Fusion": ("cranfield.fusion",),
    "Report": ("cranfield.report",),
    "Simulation": ("cranfield.simulation",),
    "Errors": ("cranfield.errors",),
}
"""Chapter -> the modules, or packages, whose public names it holds."""
MODULES = {
    "Statistics": ("cranfield.statistics.rank_correlation", "cranfield.statistics.indefinite_rankings"),
    "Names from strangers": ("cranfield.escaping",),
}
"""Chapter -> modules that are used by their own names."""
PACKAGES = {"Charts": ("cranfield.plot",)}
"""Chapter -> packages whose ``__all__`` is used by the package's name."""


def api_page() -> str:
    """Every public name of the facade but the measures, which have a reference of their own."""
    lines = [*_heading("Python", "="), INTRODUCTION, ""]
    results: set[str] = set()
    for chapter in CHAPTERS:
        names = [name for name in sorted(cranfield._FACADE, key=str.lower) if chapter_of(name) == chapter]
        lines += _heading(chapter, "-") if names else []
        lines += [line for name in names for line in _entry(name, results)]
    for chapter, modules in (MODULES | PACKAGES).items():
        present = [module for module in modules if find_spec(module)]
        lines += _heading(chapter, "-") if present else []
        for module in present:
            lines += [f".. automodule:: {module}", "   :members:"]
            lines += ["   :imported-members:"] if chapter in PACKAGES else []
            lines += [""]
    return "\n".join(lines)


def chapter_of(name: str) -> str:
    """The chapter that holds a public name.

    Raises:
        LookupError: no chapter names its module.
    """
    home = cranfield._FACADE[name]
    for chapter, prefixes in CHAPTERS.items():
        if any(home == prefix or home.startswith(f"{prefix}.") for prefix in prefixes):
            return chapter
    raise LookupError(f"no chapter of docs/site/api.py holds {home}, where cranfield.{name} lives")


def _entry(name: str, results: set[str]) -> Iterator[str]:
    """A public name, and after it the class of its result unless that has been shown."""
    found = getattr(cranfield, name)
    if isclass(found):
        yield from (f".. autoclass:: cranfield.{name}", "   :members:", "")
        return
    yield from (f".. autofunction:: cranfield.{name}", "")
    result = found.__globals__.get(found.__annotations__.get("return"))
    if isclass(result) and result.__name__ not in cranfield._FACADE and result.__module__.startswith("cranfield."):
        path = f"{result.__module__}.{result.__name__}"
        if path not in results:
            yield from (f".. autoclass:: {path}", "   :members:", "")
        results.add(path)


def _heading(text: str, mark: str) -> list[str]:
    return [text, mark * len(text), ""]

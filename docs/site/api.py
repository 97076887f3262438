"""The reference of the Python interface, from the table of the facade."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from inspect import isclass, isfunction

import cranfield

INTRODUCTION = """Names with one dot are attributes of ``cranfield``: ``from cranfield import evaluate``; those with
two belong to a room: ``from cranfield.trust import estimate_stability``. Measures have :doc:`a reference of their own
<measure-reference>`."""
ALIASES = (
    "Judges",
    "JudgmentsLike",
    "MeasuresLike",
    "QrelsLike",
    "Relevant",
    "RunsLike",
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
    "Runs, judgments, policies": ("cranfield.collection", "cranfield.io", "cranfield.checking", "cranfield.labels"),
    "Runs larger than memory": ("cranfield.partitions",),
    "Measures": ("cranfield.measures",),
    "Differences and topics needed": ("cranfield.comparison",),
    "Reliability, stability, sensitivity": ("cranfield.trust",),
    "Audit, agreement, headroom": ("cranfield.synthesis",),
    "Topic difficulty": ("cranfield.topic_difficulty",),
    "Standardization": ("cranfield.standardization",),
    "Information": ("cranfield.information",),
    "Fusion": ("cranfield.fusion",),
    "Pools": ("cranfield.pooling",),
    "Report": ("cranfield.reporting",),
    "Simulation": ("cranfield.simulation",),
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


def api_page() -> str:
    """Every public name of the facade but the measures, which have a reference of their own."""
    lines = [*_heading("Python", "="), INTRODUCTION, ""]
    results: set[str] = set()
    for chapter in CHAPTERS:
        names = [name for name, home in public_names().items() if chapter_of(home) == chapter]
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
                if name[0] != "_" and home.startswith(f"cranfield.{room}") and (name, home) not in shown:
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

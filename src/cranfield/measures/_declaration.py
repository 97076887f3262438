"""What is known of a measure, and of all measures."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking
from cranfield.errors import MeasureError
from cranfield.measures._parameter import Parameter
from cranfield.measures._shelf import PACKAGE, Shelf, fetch_all
from cranfield.measures._unknown import Solver

Summary = Literal["mean", "sum", "geometric mean"]
Function = Callable[..., PerRanking]
PeerSummary = Callable[[Pool, Policy], float | None]

registry: Shelf[Declaration] = Shelf()
"""Name -> declaration, of every measure."""

aliases: Shelf[str] = Shelf()
"""Other spellings -> name."""

spelled: Shelf[tuple[Trec, str]] = Shelf()
"""trec_eval's names -> how each is spelled, and the name of the measure."""


@dataclass(frozen=True, slots=True)
class Trec:
    """trec_eval's spelling of a measure.

    Args:
        name: for example ``ndcg_cut``.
        at: the parameter that a suffix sets (``ndcg_cut_10``); None where it takes none.
        values: what the bare name stands for.
        form: how a value is written in the suffix.
        fixed: parameters that this spelling implies.
    """

    name: str
    at: str | None = None
    values: tuple[float, ...] = ()
    form: str = "{:g}"
    fixed: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """A choice of parameters that the literature gives a name of its own: NDCG_min, a reading of nDCG.

    It parses, prints and is an attribute like a measure.

    Args:
        meaning: what it is, in a few words.
        fixed: the parameters that the name stands for.
    """

    meaning: str
    fixed: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Variant:
    """Facts that differ from the declared ones where a parameter has a certain value.

    Args:
        parameter: its name.
        value: the value.
        bounds: smallest and largest value of the measure there; None where they are as declared.
        undefined: what a NaN counts as there; None where it is as declared.
    """

    parameter: str
    value: Any
    bounds: tuple[float, float] | None = None
    undefined: float | None = None


@dataclass(frozen=True, slots=True)
class Declaration:
    """All that is known of one measure; see ``measure`` for the meaning of the fields."""

    name: str
    attribute: str
    function: Function
    parameters: Mapping[str, Parameter]
    reference: str
    aliases: tuple[str, ...]
    trec: tuple[Trec, ...]
    at: str
    summary: Summary
    undefined: float
    bounds: tuple[float, float]
    default_bounds: tuple[float, float]
    larger_is_better: bool
    effectiveness: bool
    pooled: bool
    graded: bool
    peer_summary: PeerSummary | None
    expected: bool
    unknown: Solver | str
    peer_undefined: Mapping[str, float]
    needs_intents: bool
    declines: Mapping[str, str]
    readings: Mapping[str, Reading] = field(default_factory=dict)
    variants: tuple[Variant, ...] = ()

    @property
    def binary(self) -> bool:
        """Whether it tells no more of a document (for an intent) than that its label reaches ``rel``, with defaults."""
        level = self.parameters.get("rel")
        graded = self.graded or "gains" in self.parameters
        return level is not None and level.default is not None and not graded

    @property
    def meaning(self) -> str:
        """First sentence of the docstring."""
        return self.paragraphs[0]

    @property
    def attributes(self) -> dict[str, str | int]:
        """What a labelled array of scores should say of its measure."""
        return {
            "summary": self.summary,
            "larger_is_better": int(self.larger_is_better),
            "reference": self.reference,
        }

    @property
    def paragraphs(self) -> list[str]:
        """The docstring's paragraphs, each on one line."""
        return [" ".join(part.split()) for part in (self.function.__doc__ or "").strip().split("\n\n")]


def register(declaration: Declaration) -> None:
    """Make a declaration known under all its names; one from the same place is replaced, as when a cell runs again.

    Raises:
        MeasureError: a name is no name of the grammar, or stands for something else already.
    """
    if not declaration.function.__module__.startswith(f"{PACKAGE}."):
        fetch_all()  # the package's own measures have their names before any other's
    earlier = registry.stock.get(declaration.name)
    again = earlier is not None and earlier.function.__module__ == declaration.function.__module__
    others = (*declaration.aliases, *declaration.readings)
    names = [declaration.name, declaration.attribute, *others, *(trec.name for trec in declaration.trec)]
    for name in dict.fromkeys(names):
        if not _NAME.fullmatch(name):
            raise MeasureError(
                f"{declaration.name!r}: {name!r} is no name: blanks, brackets, quotes, @, = and , separate"
            )
        owner = _owner(name)
        if owner is not None and not (again and owner == declaration.name):
            if name == owner == declaration.name:
                raise MeasureError(f"{name} is already declared in {registry[name].function.__module__}")
            raise MeasureError(f"{declaration.name}: the alias {name!r} belongs to {owner}")
    for alias, owner in list(aliases.stock.items()):
        if owner == declaration.name:
            del aliases.stock[alias]
    for spelling, (_, owner) in list(spelled.stock.items()):
        if owner == declaration.name:
            del spelled.stock[spelling]
    aliases.stock.update(dict.fromkeys((declaration.attribute, *others), declaration.name))
    aliases.stock.pop(declaration.name, None)
    spelled.stock.update({trec.name: (trec, declaration.name) for trec in declaration.trec})
    registry.stock[declaration.name] = declaration


_NAME = re.compile(r"""[^\s()@=,"'{}\[\]]+""")
_CUT = re.compile(r"[._][0-9.,]+$")


def without_cut(name: str) -> str:
    """A spelling of trec_eval's without what sets its parameter: ``ndcg_cut`` of ``ndcg_cut_10``."""
    return _CUT.sub("", name)


def _owner(name: str) -> str | None:
    """What a name stands for already: a measure, or something else in the package."""
    if name in registry.stock:
        return name
    if name in aliases.stock:
        return aliases.stock[name]
    for spelling in (name, without_cut(name)):
        if spelling in spelled.stock and (spelling == name or spelled.stock[spelling][0].at):
            return spelled.stock[spelling][1]
    of_package = name in vars(sys.modules["cranfield"])["_FACADE"] or (
        name.isidentifier() and importlib.util.find_spec(f"cranfield.{name}") is not None
    )
    return f"cranfield.{name}" if of_package else None

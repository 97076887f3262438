"""The declared facts of measures, and the registries that hold all of them under all their names."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._intervals import Solver
from cranfield.measures._parameter import Parameter
from cranfield.measures._registry import PACKAGE, Registry, fetch_all

Summary = Literal["mean", "sum", "geometric mean"]
Function = Callable[..., PerRanking]
PeerSummary = Callable[[Pool, Policy], float | None]

registry: Registry[Declaration] = Registry()
"""Name -> declaration, of every measure."""

aliases: Registry[str] = Registry()
"""Other spellings -> name."""

spelled: Registry[tuple[Trec, str]] = Registry()
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
class Version:
    """A choice of parameters that the literature gives a name of its own: NDCG_min, a version of nDCG.

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
        range: smallest and largest value of the measure there; None where they are as declared.
        undefined: what a NaN counts as there; None where it is as declared.
        declines: law that it violates there besides -> why; it is then not consistent.
        expected: whether it still gives the mean over all orders of equal scores there.
        additive: whether it still is a sum over documents there.
        rewards: what it rewards that the measure does not, of which an evaluation warns; empty where nothing.
        names: what other tools call it there; ``cranfield measures`` finds it by these.
    """

    parameter: str
    value: Any
    range: tuple[float, float] | None = None
    undefined: float | None = None
    declines: Mapping[str, str] = field(default_factory=dict)
    expected: bool = True
    additive: bool = True
    rewards: str = ""
    names: Sequence[str] = ()

    def is_called(self, name: str) -> bool:
        """Tell whether this is one of its names; cutoffs, blanks and hyphens do not matter."""
        return _plain_words(name) in map(_plain_words, self.names)


def _plain_words(name: str) -> str:
    return re.sub(r"[\s_-]+", " ", name.partition("@")[0].strip().lower())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class MeasureFacts:
    """The declared facts of a measure.

    Args:
        name: the literature's spelling, unique among all measures.
        reference: where it is defined, with DOI where there is one.
        aliases: other spellings of the same measure with the same parameters.
        trec: trec_eval's spellings.
        at: the parameter that ``@`` sets.
        required: parameters that must be given.
        summary: how values of topics become one value of a system.
        undefined: what a NaN counts as in a summary; NaN leaves the topic out.
        range: smallest and largest value that it can take, whatever its parameters and the policy.
        default_range: the same with default parameters and policy; None where it is not narrower.
        larger_is_better: False for counts of bad things.
        effectiveness: False where it says what was judged or how much was retrieved, and nothing of how good a list is:
            analyses of measures leave it out unless requested.
        pooled: whether it sees negative labels in every compatibility mode (infAP reads them itself).
        sampled: whether it estimates from judgments of a sample, where others would take what was not sampled for not
            relevant.
        whole: whether it tells how much of a list was judged, so that it reads the list as it was retrieved, whatever
            becomes of unjudged documents in other measures.
        judged_alone: whether it looks at pairs of judged documents alone, so that unjudged ones are left out of lists
            under every policy.
        influence: of such an estimate, what gives ``Influence`` for the arguments of the measure, so that it has a
            standard error.
        graded: whether labels above ``rel`` matter although it takes no ``gains``.
        peer_summary: what a peer prints as the summary where it is not a summary of its topics; None where it is.
        peer_undefined: compatibility mode -> what a NaN counts as in it, where that is something else.
        needs_intents: whether it needs judgments whose field 2 names intents.
        attribute: the Python name; empty where ``name`` is one.
        expected: whether it gives the mean over all orders of equal scores where the rankings leave them open.
        interval: finds the interval that missing judgments leave; None tries labellings; a text says why there is
            none.
        additive: whether its value is that of an empty list and, for each document, what that adds by its label and
            rank, whatever else is listed (unless documents are dropped before ranks are assigned).
        consistent: the parameters, besides cutoff and ``rel``, that leave it consistent whatever their values, the
            others being at their defaults; None where it is not known to be consistent. A measure is *consistent* if
            its value never falls where a document gives way to one of a higher label at the same rank
            (replacement), where a document changes places with one of a higher label further down, whatever lies
            between them (upward swap), or where documents of the label 0 are judged, unjudged or left out at the end.
        declines: law of the common tests -> why this measure violates it.
        versions: names of certain choices of parameters.
        variants: facts that depend on a parameter.
    """

    name: str = field(kw_only=False)
    reference: str
    aliases: Sequence[str] = ()
    trec: Sequence[Trec] = ()
    at: str = "cutoff"
    required: Sequence[str] = ()
    summary: Summary = "mean"
    undefined: float = 0.0
    range: tuple[float, float] = (0.0, 1.0)
    default_range: tuple[float, float] | None = None
    larger_is_better: bool = True
    effectiveness: bool = True
    pooled: bool = False
    sampled: bool = False
    whole: bool = False
    judged_alone: bool = False
    influence: Callable[..., Any] | None = None
    graded: bool = False
    peer_summary: PeerSummary | None = None
    peer_undefined: Mapping[str, float] = field(default_factory=dict)
    needs_intents: bool = False
    attribute: str = ""
    expected: bool = False
    interval: Solver | str | None = None
    additive: bool = False
    consistent: Sequence[str] | None = None
    declines: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, Version] = field(default_factory=dict)
    variants: Sequence[Variant] = ()


class Declaration(MeasureFacts):
    """All that is known of one measure: the facts, and what follows from its function.

    Args:
        facts: what was declared; an empty ``attribute`` becomes the name.
        function: computes it.
        parameters: name -> parameter, read from the function's signature.
    """

    __slots__ = ("function", "parameters")
    function: Function
    parameters: Mapping[str, Parameter]

    def __init__(self, facts: MeasureFacts, function: Function, parameters: Mapping[str, Parameter]) -> None:
        everything = {fact: _copied(getattr(facts, fact)) for fact in MeasureFacts.__slots__}
        everything |= {"attribute": facts.attribute or facts.name, "function": function, "parameters": parameters}
        for name, value in everything.items():
            object.__setattr__(self, name, value)

    @property
    def usual_range(self) -> tuple[float, float]:
        """Smallest and largest value with default parameters and policy."""
        return self.default_range or self.range

    @property
    def binary(self) -> bool:
        """Return whether, with defaults, it uses no more of a label (for an intent) than whether it reaches ``rel``."""
        level = self.parameters.get("rel")
        graded = self.graded or "gains" in self.parameters
        return level is not None and level.default is not None and not graded

    @property
    def meaning(self) -> str:
        """First sentence of the docstring."""
        return self.paragraphs[0]

    @property
    def attributes(self) -> dict[str, str | int]:
        """The attributes of a labelled array of scores by this measure."""
        return {
            "summary": self.summary,
            "larger_is_better": int(self.larger_is_better),
            "reference": self.reference,
        }

    @property
    def paragraphs(self) -> list[str]:
        """The docstring's paragraphs, each on one line."""
        return [" ".join(part.split()) for part in (self.function.__doc__ or "").strip().split("\n\n")]


def _copied(value: Any) -> Any:
    """A copy that does not change with the caller's list or dict."""
    if value is None or isinstance(value, (str, bool, float, tuple)):
        return value  # most are, and isinstance(value, Mapping) is slow
    return tuple(value) if isinstance(value, list) else dict(value) if isinstance(value, Mapping) else value


def register(declaration: Declaration) -> None:
    """Make a declaration known under all its names; one from the same place is replaced, as when a cell runs again.

    Raises:
        MeasureError: a name is not a name of the grammar, or stands for something else already.
    """
    foreign = not declaration.function.__module__.startswith(f"{PACKAGE}.")
    if foreign:
        fetch_all()  # the package's own measures have their names before any other's
    earlier = registry.loaded.get(declaration.name)
    again = earlier is not None and earlier.function.__module__ == declaration.function.__module__
    further = (*declaration.aliases, *declaration.versions)
    names = [declaration.name, declaration.attribute, *further, *(trec.name for trec in declaration.trec)]
    for name in dict.fromkeys(names):
        if not _NAME.fullmatch(name):
            raise MeasureError(
                f"{declaration.name!r}: {name!r} is not a name: blanks, brackets, quotes, @, = and , separate"
            )
        owner = _owner(name, foreign=foreign)
        if owner is not None and not (again and owner == declaration.name):
            if name == owner == declaration.name:
                raise MeasureError(f"{name} is already declared in {registry[name].function.__module__}")
            raise MeasureError(f"{declaration.name}: the alias {name!r} belongs to {owner}")
    for alias, owner in list(aliases.loaded.items()):
        if owner == declaration.name:
            del aliases.loaded[alias]
    for spelling, (_, owner) in list(spelled.loaded.items()):
        if owner == declaration.name:
            del spelled.loaded[spelling]
    aliases.loaded.update(dict.fromkeys((declaration.attribute, *further), declaration.name))
    aliases.loaded.pop(declaration.name, None)
    spelled.loaded.update({trec.name: (trec, declaration.name) for trec in declaration.trec})
    registry.loaded[declaration.name] = declaration


_NAME = re.compile(r"""[^\s()@=,"'{}\[\]]+""")
_CUT = re.compile(r"[._][0-9.,]+$")


def without_cut(name: str) -> str:
    """A spelling of trec_eval's without its parameter: ``ndcg_cut`` of ``ndcg_cut_10``."""
    return _CUT.sub("", name)


def _owner(name: str, *, foreign: bool) -> str | None:
    """The owner of a name that is taken: a measure, or something else in the package.

    The latter is looked for only for names of others, as it is slow; for ours a test does.
    """
    if name in registry.loaded:
        return name
    if name in aliases.loaded:
        return aliases.loaded[name]
    for spelling in (name, without_cut(name)):
        if spelling in spelled.loaded and (spelling == name or spelled.loaded[spelling][0].at):
            return spelled.loaded[spelling][1]
    return f"cranfield.{name}" if foreign and is_of_package(name) else None


def is_of_package(name: str) -> bool:
    """Return whether the package has something else of this name."""
    from importlib.util import find_spec

    known = name in vars(sys.modules["cranfield"])["_FACADE"]
    return known or (name.isidentifier() and find_spec(f"cranfield.{name}") is not None)


ValueFunction = Callable[[Rankings, Mapping[str, Any]], PerRanking]
"""Computes a measure from rankings and all its parameters."""


def make_function(
    value: ValueFunction, parameters: Mapping[str, tuple[Any, Any]], *, name: str, module: str, doc: str | None
) -> Function:
    """A function that ``measure`` can declare, whose parameters are listed rather than written in its signature.

    Args:
        value: computes it.
        parameters: name -> (annotation, default), in order.
        name: its name.
        module: where it is declared.
        doc: its docstring.
    """

    def function(rankings: Rankings, **kwargs: Any) -> PerRanking:
        return value(rankings, kwargs)

    signature = [inspect.Parameter("rankings", inspect.Parameter.POSITIONAL_ONLY, annotation=Rankings)]
    signature += [
        inspect.Parameter(parameter, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for parameter, (annotation, default) in parameters.items()
    ]
    function.__signature__ = inspect.Signature(signature, return_annotation=PerRanking)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter: annotation for parameter, (annotation, _) in parameters.items()}
    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = module, doc
    return function

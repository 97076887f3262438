"""The object that a user writes, and the decorator that declares it.

A measure is declared once, as a decorated function from which everything else that names it is derived: the function's
keyword-only signature is the parameter list, its docstring the help, the decorator's arguments the facts. The Python
attribute, the parser, the command line, the documentation table, the type stub and the laws that a measure is tested by
all read ``registry``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Never, Self

from cranfield._message import name_value
from cranfield._validation import word as check_word
from cranfield.errors import MeasureError
from cranfield.measures._declaration import Declaration, Function, MeasureFacts, Variant, aliases, register, registry
from cranfield.measures._parameter import read_parameters, write
from cranfield.measures.laws import LAWS


class Measure:
    """An immutable measure: call it to set parameters, use ``@`` for the cutoff, print it to get its name.

    >>> from cranfield import nDCG
    >>> nDCG(dcg="exp-log2") @ 10
    nDCG(dcg="exp-log2")@10
    """

    __slots__ = ("_parameters", "_text", "declaration", "given")

    def __init__(self, declaration: Declaration, given: Mapping[str, Any] | None = None) -> None:
        self.declaration: Declaration
        self.given: Mapping[str, Any]
        object.__setattr__(self, "declaration", declaration)
        object.__setattr__(self, "given", MappingProxyType(dict(given or {})))
        chosen = {name: self.given.get(name, parameter.default) for name, parameter in declaration.parameters.items()}
        self._parameters: dict[str, Any]
        object.__setattr__(self, "_parameters", chosen)
        self._text: str
        object.__setattr__(self, "_text", "")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"measures are immutable: write {self.declaration.attribute}({name}={name_value(value)})")

    def __call__(self, *unnamed: Never, **parameters: Any) -> Self:
        """The same measure with these parameters set.

        Raises:
            MeasureError: a parameter without its name or that it does not have, or a value outside its range.
        """
        if unnamed:
            attribute, at = self.declaration.attribute, self.declaration.at
            example = f", as in {attribute}({at}=10), or {attribute} @ 10" if at in self.declaration.parameters else ""
            raise MeasureError(f"{self.declaration.name} takes its parameters by name{example}")
        declared = self.declaration.parameters
        given = dict(self.given)
        for parameter, setting in parameters.items():
            name, value = parameter, setting
            if name == "unjudged" and "judged_only" in declared:
                # The policy's word for the same choice.
                choices = ("zero", "mean", "condense") if "mean_gain" in declared else ("zero", "condense")
                check_word(f"{self.declaration.name}: unjudged", value, choices, MeasureError)
                if "mean_gain" in declared:
                    given["mean_gain"] = value == "mean"
                name, value = "judged_only", value == "condense"
            if name not in declared:
                raise MeasureError(self._unknown(name))
            given[name] = declared[name].check(value, self.declaration.name)
        changed: Self = self.__class__(self.declaration, given)
        return changed

    def __matmul__(self, value: float | str) -> Self:
        """The same measure with its ``@`` parameter (nearly always the cutoff) set."""
        if self.declaration.at not in self.declaration.parameters:
            raise MeasureError(f"{self.declaration.name} takes no @")
        if self.given.get(self.declaration.at) is not None:
            raise MeasureError(f"{self}: {self.declaration.at} is given twice, the second time as @{value}")
        return self.__call__(**{self.declaration.at: value})

    @property
    def name(self) -> str:
        """Name without parameters."""
        return self.declaration.name

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value, set or default."""
        return dict(self._parameters)

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value that it can take with these parameters."""
        return next((variant.range for variant in self.variants() if variant.range), self.declaration.range)

    @property
    def undefined(self) -> float:
        """Return what a NaN of it counts as in a summary; NaN leaves the topic out."""
        special = (variant.undefined for variant in self.variants() if variant.undefined is not None)
        return next(special, self.declaration.undefined)

    @property
    def sees_negative(self) -> bool:
        """True if labels below zero reach it in every compatibility mode: it is set to keep them, or uses them."""
        return self.declaration.pooled or self.given.get("negative") == "keep"

    @property
    def is_consistent(self) -> bool:
        """True if no replacement and no upward swap lowers it with these parameters; see ``consistent`` of facts."""
        declaration = self.declaration
        if declaration.consistent is None or any(variant.declines for variant in self.variants()):
            return False
        free = {"rel", declaration.at, *declaration.consistent}
        defaults = ((name, parameter.default) for name, parameter in declaration.parameters.items() if name not in free)
        return all(self._parameters[name] == default for name, default in defaults)

    @property
    def declines(self) -> Mapping[str, str]:
        """Law that it violates with these parameters -> why."""
        further = {law: why for variant in self.variants() for law, why in variant.declines.items()}
        return {**further, **self.declaration.declines} if further else self.declaration.declines

    @property
    def expected(self) -> bool:
        """True if, with these parameters, it gives the mean over all orders of equal scores."""
        return self.declaration.expected and all(variant.expected for variant in self.variants())

    def variants(self) -> Iterator[Variant]:
        """The variants that its parameters choose."""
        chosen = self.parameters
        return (variant for variant in self.declaration.variants if chosen[variant.parameter] == variant.value)

    def complete(self) -> Self:
        """The measure itself, if all that it requires is set.

        Raises:
            MeasureError: a required parameter is missing.
        """
        for name, parameter in self.declaration.parameters.items():
            if parameter.required and self.given.get(name) is None:
                example = f"{self.declaration.name}@{10 if int in parameter.types else 0.1}"
                raise MeasureError(f"{self.declaration.name} needs a {name}, for example {example}")
        return self

    def __str__(self) -> str:
        if not self._text:
            object.__setattr__(self, "_text", self._write())
        return self._text

    def _repr_html_(self) -> str:
        from cranfield._html import table

        declared = self.declaration.parameters
        rows = [(name, write(value), declared[name].meaning.text) for name, value in self.parameters.items()]
        return table(["parameter", "value", "meaning"], rows, f"{self}: {self.declaration.meaning}")

    def _write(self) -> str:
        at, chosen = self.declaration.at, self.parameters
        versions = self.declaration.versions.items()
        version = next((name for name, choice in versions if choice.fixed.items() <= chosen.items()), None)
        fixed = self.declaration.versions[version].fixed if version else {}
        shown = [
            f"{name}={write(value)}"
            for name, value in chosen.items()
            if name != at and name not in fixed and value != self.declaration.parameters[name].default
        ]
        text = (version or self.declaration.name) + (f"({','.join(shown)})" if shown else "")
        value = self.given.get(at)
        return text if value is None else f"{text}@{value if isinstance(value, str) else write(value)}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Measure) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in self.given.items()}
        return _restore, (self.declaration.name, plain, self.declaration.function.__module__)

    def _unknown(self, name: str) -> str:
        names = list(self.declaration.parameters)
        for variant in self.declaration.variants:
            if variant.is_called(name):
                written = Measure(self.declaration)(**{variant.parameter: variant.value})
                return f"{self.declaration.name} has no parameter {name!r}: that is {written}"
        import difflib

        close = difflib.get_close_matches(name, names, 1)
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(names) or 'none'}"
        return f"{self.declaration.name} has no parameter {name!r}: {hint}"


class measure(MeasureFacts):
    """Declare the decorated function as a measure; the decorated name becomes the measure itself.

    The function takes ``Rankings`` and keyword-only parameters, each annotated with a ``Meaning``, and returns one
    value for each segment, NaN where it is undefined. Its docstring: a sentence of meaning, then the formula.

    >>> import cranfield
    >>> from cranfield.measures import Rel
    >>> @cranfield.measure("hits", reference="made up", range=(0, float("inf")), declines={})
    ... def hits(rankings, *, rel: Rel = 1):
    ...     "Count of relevant documents in the list."
    ...     retrieved = rankings.only(rel)
    ...     return retrieved.count_down_to(None)
    >>> cranfield.evaluate_means({"q1": {"d1": 2.0, "d2": 1.0}}, {"q1": {"d1": 1, "d2": 1}}, "hits")
    {'run': {'hits': 2.0}}
    """

    __slots__ = ()

    def __call__(self, function: Function) -> Measure:
        """The measure that the function computes.

        Raises:
            MeasureError: the name or an alias belongs to another measure, or there is no such law.
        """
        self._check_laws()
        declaration = Declaration(self, function, read_parameters(function, tuple(self.required)))
        if not declaration.attribute.isidentifier():
            raise MeasureError(f"{self.name!r} is not a Python name: declare attribute=... too")
        register(declaration)
        return Measure(declaration)

    def _check_laws(self) -> None:
        for law in (*self.declines, *(law for variant in self.variants for law in variant.declines)):
            if law not in LAWS:
                import difflib

                close = difflib.get_close_matches(law, LAWS, 1)
                hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(LAWS)}"
                raise MeasureError(f"{self.name} declines {law!r}, which is not a law: {hint}")


# The arguments are documented once.
measure.__doc__ = (measure.__doc__ or "").rstrip() + (MeasureFacts.__doc__ or "").partition(".")[2]


def named(name: str) -> Measure | None:
    """The measure behind a name, an alias or a version of one; None where there is none."""
    declaration = registry.get(aliases.get(name, name))
    if declaration is None:
        return None
    version = declaration.versions.get(name)
    return Measure(declaration)(**(version.fixed if version is not None else {}))


def _restore(name: str, parameters: dict[str, Any], module: str) -> Measure:
    if name not in registry:
        import_module(module)  # another process may not have declared it yet
    return Measure(registry[name])(**parameters)

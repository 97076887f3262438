"""The object a user writes: a declared measure with some of its parameters set."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Self

from cranfield.errors import MeasureError
from cranfield.measures._declaration import Declaration, registry
from cranfield.measures._parameter import write


class Measure:
    """An immutable measure: call it to set parameters, use ``@`` for the cutoff, print it to get its name.

    >>> from cranfield import nDCG
    >>> nDCG(dcg="exp-log2") @ 10
    nDCG(dcg="exp-log2")@10
    """

    __slots__ = ("declaration", "given")

    def __init__(self, declaration: Declaration, given: Mapping[str, Any] | None = None) -> None:
        self.declaration: Declaration
        self.given: Mapping[str, Any]
        object.__setattr__(self, "declaration", declaration)
        object.__setattr__(self, "given", MappingProxyType(dict(given or {})))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"measures are immutable: write {self.declaration.attribute}({name}={value!r})")

    def __call__(self, **parameters: Any) -> Self:
        """The same measure with these parameters set.

        Raises:
            MeasureError: a parameter it does not have, or a value outside its range.
        """
        known = self.declaration.parameters
        given = dict(self.given)
        for word, setting in parameters.items():
            name, value = word, setting
            if name == "unjudged" and "judged_only" in known:
                # The policy's word for the same choice.
                if value not in ("zero", "condense"):
                    raise MeasureError(f"{self.declaration.name}: unjudged={value!r} is not one of 'zero', 'condense'")
                name, value = "judged_only", value == "condense"
            if name not in known:
                raise MeasureError(self._unknown(name))
            given[name] = known[name].check(value, self.declaration.name)
        changed: Self = self.__class__(self.declaration, given)
        return changed

    def __matmul__(self, value: float | str) -> Self:
        """The same measure with its ``@`` parameter (nearly always the cutoff) set."""
        if self.declaration.at not in self.declaration.parameters:
            raise MeasureError(f"{self.declaration.name} takes no @")
        return self.__call__(**{self.declaration.at: value})

    @property
    def name(self) -> str:
        """Name without parameters."""
        return self.declaration.name

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter with its value, set or default."""
        return {name: self.given.get(name, known.default) for name, known in self.declaration.parameters.items()}

    def complete(self) -> Self:
        """The measure itself, if all that it requires is set.

        Raises:
            MeasureError: a required parameter is missing.
        """
        for name, known in self.declaration.parameters.items():
            if known.required and self.given.get(name) is None:
                example = f"{self.declaration.name}@{10 if int in known.types else 0.1}"
                raise MeasureError(f"{self.declaration.name} needs a {name}, for example {example}")
        return self

    def __str__(self) -> str:
        at = self.declaration.at
        shown = [
            f"{name}={write(value)}"
            for name, value in self.parameters.items()
            if name != at and value != self.declaration.parameters[name].default
        ]
        text = self.declaration.name + (f"({','.join(shown)})" if shown else "")
        value = self.given.get(at)
        return text if value is None else f"{text}@{value if isinstance(value, str) else write(value)}"

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return str(self) == str(other) if isinstance(other, Measure) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        plain = {name: dict(value) if isinstance(value, Mapping) else value for name, value in self.given.items()}
        return _restore, (self.declaration.name, plain)

    def _unknown(self, name: str) -> str:
        known = list(self.declaration.parameters)
        close = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"it has {', '.join(known) or 'none'}"
        return f"{self.declaration.name} has no parameter {name!r}: {hint}"


def _restore(name: str, given: dict[str, Any]) -> Measure:
    return Measure(registry[name])(**given)

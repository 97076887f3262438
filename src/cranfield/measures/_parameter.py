"""Parameters of measures: what each means, which values it takes, and how it is written.

A measure's keyword-only signature is its list of parameters. Those that many measures share are declared here once,
as annotated types; a parameter of one measure is annotated in its own signature.
"""

from __future__ import annotations

import functools
import inspect
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from cranfield._message import name_value
from cranfield._validation import word
from cranfield.errors import MeasureError


@dataclass(frozen=True, slots=True)
class Meaning:
    """One sentence on a parameter, and the range of its values (both ends included unless ``open``)."""

    text: str
    low: float = -math.inf
    high: float = math.inf
    open: bool = False


WHOLE = 2**53
"""Up to this every whole number is a double; a larger one is written as doubles are."""
LARGEST = 2**63 - 1
"""Whole numbers, such as cutoffs, are held in 64 bits."""
ALL = "; all where none is given"
"""The end of the meaning of a cutoff that may be left out."""
Cutoff = Annotated[int | None, Meaning(f"ranks that are looked at{ALL}", low=1)]
Rel = Annotated[float, Meaning("smallest label that counts as relevant")]
JudgedOnly = Annotated[bool, Meaning("drop unjudged documents before ranks are assigned")]
Persistence = Annotated[float, Meaning("probability that the user goes on to the next rank", low=0, high=1, open=True)]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of one measure.

    Args:
        name: as written in ``Measure(name=value)``.
        types: types that a value may have; ``NoneType`` among them where None is a value.
        choices: the words it takes, where it takes words.
        default: the value where none is given.
        meaning: what it is for, and its range.
        required: whether a value must be given.
        source: its type as written in a stub file.
        keys: type of the keys, where a value may be a map.
    """

    name: str
    types: tuple[type, ...]
    choices: tuple[str, ...]
    default: Any
    meaning: Meaning
    required: bool
    source: str
    keys: type = float

    def check(self, value: Any, owner: str) -> Any:
        """The value in its plainest form: NumPy scalars as Python numbers, 2.0 as 2.

        Raises:
            MeasureError: a value of another type, outside the range or not among the choices.
        """
        if value is None and type(None) in self.types:
            return None
        if self.choices and (isinstance(value, str) or not self._numeric):
            word(f"{owner}: {self.name}", value, self.choices, MeasureError)
            return value
        if isinstance(value, bool) or bool in self.types:
            if not (isinstance(value, bool) and bool in self.types):
                raise MeasureError(f"{owner}: {self.name}={name_value(value)} should be {self.expected}")
            return value
        if isinstance(value, Mapping) and dict in self.types:
            return self._check_map(value, owner)
        value = _plain(value)
        if not self._inside(value):
            raise MeasureError(f"{owner}: {self.name}={name_value(value)} should be {self.expected}")
        if float not in self.types and abs(value) > LARGEST:
            raise MeasureError(
                f"{owner}: {self.name}={name_value(value)} is too large: the largest is 2^63 - 1 = {LARGEST}"
            )
        return _short(value) if float in self.types else int(value)

    @property
    def _numeric(self) -> tuple[type, ...]:
        """The types of number that it takes."""
        return (int, float) if float in self.types else (int,) if int in self.types else ()

    def _inside(self, value: Any) -> bool:
        """Return whether it is a number of the type and the range."""
        if isinstance(value, bool) or not isinstance(value, self._numeric):
            return False
        number: Any = value
        low, high = self.meaning.low, self.meaning.high
        return _finite(number) and (low < number < high if self.meaning.open else low <= number <= high)

    def _check_map(self, value: Mapping[Any, Any], owner: str) -> Any:
        if self.keys is str:
            named = {str(key): _plain(number) for key, number in value.items()}
            if not named or not all(self._inside(number) for number in named.values()):
                raise MeasureError(f"{owner}: {self.name}={name_value(dict(value))} should be {self.expected}")
            return types.MappingProxyType(dict(sorted(named.items())))
        pairs = [(_plain(label), _plain(gain)) for label, gain in value.items()]
        for number in (number for pair in pairs for number in pair):
            if isinstance(number, bool) or not isinstance(number, (int, float)) or not _finite(number):
                raise MeasureError(f"{owner}: {self.name}={name_value(dict(value))} should map numbers to numbers")
        return types.MappingProxyType(dict(sorted(pairs)))

    @property
    def expected(self) -> str:
        """The values it takes, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices) + (f", or {self._range}" if self._numeric else "")
        if dict in self.types and self.keys is str:
            return f"{self._range}, or a map from topic to such a number"
        if dict in self.types:
            return f"a map from label to {'gain' if self.name == 'gains' else 'number'}"
        return "True or False" if bool in self.types else self._range

    @property
    def _range(self) -> str:
        kind = "a number" if float in self.types else "a whole number"
        low, high = self.meaning.low, self.meaning.high
        if math.isfinite(low) and math.isfinite(high):
            if self.meaning.open:
                return f"{kind} above {low:g} and below {high:g}"
            return f"{kind} between {low:g} and {high:g}, both included"
        if math.isfinite(low):
            return f"{kind} {'above' if self.meaning.open else 'of at least'} {low:g}"
        return kind


def _plain(value: Any) -> Any:
    """A NumPy number as Python's."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value


def _short(value: float) -> float:
    """2.0 as 2, but a number with more digits than are known as a float."""
    if abs(value) > WHOLE:
        return float(value)
    return int(value) if float(value).is_integer() else value


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def write(value: object) -> str:
    """A value as the grammar of measure names writes it: ``"word"``, ``0.8``, ``{1:2,3:10}``."""
    if isinstance(value, str):
        return '"' + value + '"'
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{write(label)}:{write(gain)}" for label, gain in value.items()) + "}"
    return repr(_short(value)) if isinstance(value, float) else repr(value)


def read_parameters(function: Callable[..., Any], required: tuple[str, ...]) -> dict[str, Parameter]:
    """The keyword-only signature of a measure's function, read once."""
    parameters = {}
    taken = inspect.signature(function).parameters
    hints = functools.cache(lambda: get_type_hints(function, include_extras=True))
    known = getattr(inspect.unwrap(function), "__globals__", {})
    for name in required:
        if name not in taken:
            raise TypeError(f"{function.__qualname__}: required={name_value(name)} is none of its parameters")
    for position, (name, parameter) in enumerate(taken.items()):
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY:
            if position > 0:
                raise TypeError(f"{function.__qualname__}: parameter {name} must be keyword-only: write * before it")
            continue
        hint = parameter.annotation
        if isinstance(hint, str):
            # Most are a name of the module, which need not be evaluated like a program.
            hint = known[hint] if hint in known else hints().get(name)
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{function.__qualname__}: parameter {name} needs Annotated[type, Meaning(...)]")
        kinds, default = _kinds(hint), parameter.default
        parameters[name] = Parameter(
            name, kinds.types, kinds.choices, default, kinds.meaning, name in required, kinds.source, kinds.keys
        )
    return parameters


class _AnnotationFacts(NamedTuple):
    """The content of an annotation, as ``Parameter`` has it."""

    types: tuple[type, ...]
    choices: tuple[str, ...]
    meaning: Meaning
    source: str
    keys: type


@functools.cache
def _kinds(hint: Any) -> _AnnotationFacts:
    kind, meaning = get_args(hint)
    members = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    choices = tuple(choice for member in members if get_origin(member) is Literal for choice in get_args(member))
    plain = tuple(dict if get_origin(m) is Mapping else m for m in members if get_origin(m) is not Literal)
    keys = next((get_args(member)[0] for member in members if get_origin(member) is Mapping), float)
    return _AnnotationFacts(plain, choices, meaning, _source(members), keys)


def _source(members: tuple[Any, ...]) -> str:
    names = {type(None): "None", int: "int", float: "float", bool: "bool"}
    parts = []
    for member in members:
        if get_origin(member) is Literal:
            parts.append("Literal[" + ", ".join(f'"{choice}"' for choice in get_args(member)) + "]")
        elif get_origin(member) is Mapping:
            parts.append(f"Mapping[{get_args(member)[0].__name__}, float]")
        elif member in names:
            parts.append(names[member])
        else:
            raise TypeError(
                f"a parameter is an int, float, bool, Literal or Mapping, or None beside them, not {member}"
            )
    return " | ".join(parts)

"""Options of analyses: what each means, which values it takes, and how the shell spells it.

An option is a parameter of the function of an analysis, and stands in its signature as an annotated type:

    subsets: Annotated[int, Option("Random subsets of each size.", low=2)] = 200

Nothing else is said of it anywhere: its check, its line in ``help()`` and in the reference, and the option of the
command with its choices, range, default and help are made from this.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ForwardRef, Literal, Union, get_args, get_origin

OptionKind = Literal["flag", "choice", "integer", "number", "text"]
"""The kind of text that the shell reads: a choice is one of several words, and text any other, such as a file name."""


@dataclass(frozen=True, slots=True)
class Option:
    """Annotation of a parameter: its meaning in one sentence, and the facts that its type does not state.

    Args:
        meaning: a sentence that begins with a capital and ends with a full stop. Another option is named in braces,
            ``{unit}`` or ``{unit=topic}``, which becomes ``unit="topic"`` in Python and ``--unit topic`` in the shell.
        low: the smallest value, of numbers and of the numbers of a list.
        high: the largest value.
        open: whether neither end is a value itself.
        default: what is taken where the default is None or an empty list, in words.
        flags: how the shell spells it, where that is not the parameter's name; a short flag alone is added to the name.
        metavar: what stands for the value in the help; by default that of its kind.
        heading: below which heading the help has it.
        shell: False for what the command has no option for.
        below: formats that have what it is about, where it changes nothing but what stands below a table for people.
        read: ``module:name`` of what makes the value from the texts of the shell, where the type does not say.
        recorded: whether the settings of a result hold it. They leave out who computes, what has settings of its own,
            and what says how inputs are read: the signature of the inputs has that, or a hash of their content.
    """

    meaning: str
    low: float | None = None
    high: float | None = None
    open: bool = False
    default: str = ""
    flags: tuple[str, ...] = ()
    metavar: str = ""
    heading: str = ""
    shell: bool = True
    below: tuple[str, ...] = ()
    read: str = ""
    recorded: bool = field(default=True, repr=False)  # no command needs it


@dataclass(frozen=True, slots=True)
class OptionFacts:
    """All that is known of an option: what was declared, and what its type and its default say.

    Args:
        name: of the parameter.
        option: what was declared.
        kind: of its values, or of those of the list.
        choices: the words that it may be.
        several: whether it is a list.
        default: the value without it.
        required: whether there is no default.
        single: whether a list of one may be given as that one value.
        named: whether it may be given for each name: name -> value, in the shell ``NAME=VALUE``. One value for all may
            be given too, unless values are lists.
        functions: whether Python may give a function in place of one of the choices.
        takes_objects: whether Python may give something else than such a value, an object of which the shell knows
            nothing.
        type: as it is annotated, without what was declared; only beside the function itself.
    """

    name: str
    option: Option
    kind: OptionKind
    choices: tuple[Any, ...]
    several: bool
    default: Any
    required: bool = False
    single: bool = False
    named: bool = False
    functions: bool = False
    takes_objects: bool = False
    type: Any = field(default=None, repr=False, compare=False)

    @property
    def flags(self) -> tuple[str, ...]:
        """The option's spellings in the shell, the long one first."""
        flags = self.option.flags
        if any(flag.startswith("--") for flag in flags):
            return flags
        return (f"--{self.name.rstrip('_').replace('_', '-')}", *flags)

    def is_set(self, value: Any) -> bool:
        """True if a value differs from the default; an empty list counts as the default."""
        if self.several:
            return bool(value is not None and len(value)) and value != self.default
        if self.default is None or value is None:
            return value is not self.default  # a table has no truth value to compare by
        return bool(value != self.default)


def find_option(annotation: Any) -> Option | None:
    """Find what an annotation declares; None where it declares nothing."""
    return next((extra for extra in getattr(annotation, "__metadata__", ()) if isinstance(extra, Option)), None)


def read_option(name: str, annotation: Any, default: Any, *, required: bool = False) -> OptionFacts | None:
    """Read an annotated parameter; None where it is not an option.

    Args:
        name: of the parameter.
        annotation: its type.
        default: its default.
        required: whether it has none.
    """
    option = find_option(annotation)
    if option is None:
        return None
    plain = annotation.__origin__
    kind, choices, several = ("text", (), True) if option.read and _is_mapping(plain) else _read_type(plain)
    parts = get_args(plain) if get_origin(plain) in (Union, types.UnionType) else ()
    named = str not in parts and any(_is_mapping(part) for part in parts)
    single = several and any(part is not type(None) and not _is_list(part) for part in parts)
    functions = any(get_origin(part) is Callable for part in parts)
    plain = plain.__forward_arg__ if isinstance(plain, ForwardRef) else plain
    takes_objects = kind == "choice" and any(isinstance(part, ForwardRef) for part in parts)
    further = (named, functions, takes_objects)
    return OptionFacts(name, option, kind, choices, several, default, required, single, *further, plain)


def _read_type(annotation: Any) -> tuple[OptionKind, tuple[Any, ...], bool]:
    """Read the kind of a type, the words that it may be, and whether it is a list."""
    if get_origin(annotation) in (Union, types.UnionType):
        parts = [part for part in get_args(annotation) if part is not type(None)]
        lists = [part for part in parts if _is_list(part) or (_is_mapping(part) and str not in parts)]
        return _read_type(lists[0] if lists else parts[0])
    if _is_list(annotation):
        kind, choices, _ = _read_type(get_args(annotation)[0])
        return kind, choices, True
    if _is_mapping(annotation):
        return _read_type(get_args(annotation)[1])
    if get_origin(annotation) is Literal:
        return "choice", get_args(annotation), False
    kinds: dict[Any, OptionKind] = {bool: "flag", int: "integer", float: "number"}
    return kinds.get(annotation, "text"), (), False


def _is_list(annotation: Any) -> bool:
    origin = get_origin(annotation)
    return isinstance(origin, type) and issubclass(origin, Sequence) and origin is not str


def _is_mapping(annotation: Any) -> bool:
    origin = get_origin(annotation)
    return isinstance(origin, type) and issubclass(origin, Mapping)


OPTION_NAME = re.compile(r"\{([a-z_]+)(?:=([^{}]*))?\}")
"""An option in a sentence."""


def name_options(sentence: str, name: Callable[[str, str | None], str]) -> str:
    """Replace the options in a sentence.

    Args:
        sentence: with options in braces.
        name: makes the text of an option and a value, None where the option stands alone.
    """
    return OPTION_NAME.sub(lambda match: name(match[1], match[2]), sentence)


def name_in_python(option: str, value: str | None) -> str:
    """Write an option as Python does: ``unit="topic"``."""
    if value is None:
        return f"``{option}``"
    return f"``{option}={value}``" if value in ("True", "False") or _is_numeral(value) else f'``{option}="{value}"``'


def name_in_shell(flags: Mapping[str, str]) -> Callable[[str, str | None], str]:
    """Make what writes an option as the shell does: ``--unit topic``; an unknown one as Python does.

    Args:
        flags: option -> its long form.
    """

    def name(option: str, value: str | None) -> str:
        flag = flags.get(option)
        if flag is None:
            return option if value is None else f"{option}={value}"
        return flag if value in (None, "True") else f"{flag} {value}"

    return name


def _is_numeral(value: str) -> bool:
    return value.replace(".", "", 1).isdigit()

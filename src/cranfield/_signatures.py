"""Signatures as people see them: what ``**options: Unpack[...]`` takes stands in them name by name.

Type checkers read the dictionary of types. ``help()``, ``inspect.signature`` and the completion of a notebook would
show ``**options`` alone, and show what is set here when a public name is first used.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ForwardRef, Literal, TypeVar, get_args, get_origin


@dataclass(frozen=True, slots=True)
class Default:
    """The default of an option in a dictionary of types: ``Annotated[float, Default(0.8)]``.

    Those of ``InputOptions`` are in ``DEFAULTS``; another option without one is shown with ``...``, as in a stub.
    """

    value: Any


DEFAULTS: dict[str, Any] = {}
"""Option -> its default, where the dictionary of types has none of its own."""


Documented = TypeVar("Documented")


def show_options(value: Documented) -> Documented:
    """Show the options of a function, or of the initialisation of a class, as parameters; return it."""
    function = inspect.getattr_static(value, "__init__") if isinstance(value, type) else value
    if inspect.isfunction(function):
        signature = inspect.signature(function)
        parameters = list(signature.parameters.values())
        annotation = parameters[-1].annotation if parameters else None
        if isinstance(annotation, str) and annotation.startswith("Unpack["):
            (options,) = get_args(
                evaluate_annotation(ForwardRef(annotation, module=inspect.unwrap(function).__module__))
            )
            named = {parameter.name for parameter in parameters}
            parameters[-1:] = [option for option in list_options(options) if option.name not in named]
            function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return value


def list_options(options: type[Any]) -> Iterator[inspect.Parameter]:
    """List the entries of a dictionary of types as parameters."""
    for name, reference in options.__annotations__.items():
        annotation = evaluate_annotation(reference)
        declared = [extra.value for extra in getattr(annotation, "__metadata__", ()) if isinstance(extra, Default)]
        written = reference.__forward_arg__
        if declared:
            annotation = annotation.__origin__
            written = annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation
        shown = annotation if get_origin(annotation) is Literal else written  # its words, rather than its name
        default = declared[0] if declared else DEFAULTS.get(name, ...)
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=shown)


def evaluate_annotation(reference: ForwardRef) -> Any:
    """Evaluate an annotation, but not what it refers to in turn; None where it names what only type checkers import."""
    try:
        return eval(reference.__forward_arg__, vars(sys.modules[str(reference.__forward_module__)]))
    except NameError:
        return None

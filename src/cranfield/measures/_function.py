"""The function of a measure whose parameters are put together rather than written in its signature."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Function

Value = Callable[[Rankings, Mapping[str, Any]], PerRanking]
"""What a measure computes from rankings and all its parameters."""


def function_of(
    value: Value, parameters: Mapping[str, tuple[Any, Any]], *, name: str, module: str, doc: str | None
) -> Function:
    """``value`` as a function that ``measure`` can declare.

    Args:
        value: what it computes.
        parameters: name -> (annotation, default), in order.
        name: its name.
        module: where it is declared.
        doc: its docstring.
    """

    def function(rankings: Rankings, **given: Any) -> PerRanking:
        return value(rankings, given)

    listed = [inspect.Parameter("rankings", inspect.Parameter.POSITIONAL_ONLY, annotation=Rankings)]
    listed += [
        inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for word, (annotation, default) in parameters.items()
    ]
    function.__signature__ = inspect.Signature(listed, return_annotation=PerRanking)  # type: ignore[attr-defined]
    function.__annotations__ = {word: annotation for word, (annotation, _) in parameters.items()}
    function.__name__ = function.__qualname__ = name
    function.__module__, function.__doc__ = module, doc
    return function

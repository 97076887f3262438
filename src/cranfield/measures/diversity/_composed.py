"""Declares a measure that is put together of others, with their parameters as its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declare import measure
from cranfield.measures._measure import Measure
from cranfield.measures.diversity._reasons import UNKNOWN

Value = Callable[[Rankings, Mapping[str, Any]], PerRanking]


def composed(
    name: str,
    value: Value,
    parameters: Mapping[str, tuple[Any, Any]],
    *,
    module: str,
    doc: tuple[str, str],
    reference: str,
    aliases: Iterable[str] = (),
    attribute: str,
    required: Iterable[str] = (),
    declines: Mapping[str, str],
) -> Measure:
    """Declare ``value`` as a measure.

    Args:
        name: as in ``measure``.
        value: what it computes from rankings and all its parameters.
        parameters: name -> (annotation, default), in order.
        module: where it is declared.
        doc: a sentence of meaning, and the formula.
        reference: as in ``measure``.
        aliases: as in ``measure``.
        attribute: as in ``measure``.
        required: as in ``measure``.
        declines: as in ``measure``.
    """

    def function(rankings: Rankings, **given: Any) -> PerRanking:
        return value(rankings, given)

    keyword = inspect.Parameter.KEYWORD_ONLY
    listed = [inspect.Parameter("rankings", inspect.Parameter.POSITIONAL_ONLY, annotation=Rankings)]
    listed += [
        inspect.Parameter(word, keyword, default=default, annotation=annotation)
        for word, (annotation, default) in parameters.items()
    ]
    function.__signature__ = inspect.Signature(listed, return_annotation=PerRanking)  # type: ignore[attr-defined]
    function.__annotations__ = {word: annotation for word, (annotation, _) in parameters.items()}
    function.__name__ = function.__qualname__ = attribute
    function.__module__ = module
    function.__doc__ = "\n\n".join(doc)
    declare = measure(
        name,
        reference=reference,
        aliases=aliases,
        attribute=attribute,
        required=required,
        needs_intents=True,
        unknown=UNKNOWN,
        declines=declines,
    )
    return declare(function)

"""Declares a measure that is put together of others, with their parameters as its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cranfield.measures._declare import measure
from cranfield.measures._function import Value, function_of
from cranfield.measures._measure import Measure
from cranfield.measures.diversity._reasons import UNKNOWN


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
    additive: bool = False,
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
        additive: as in ``measure``.
        declines: as in ``measure``.
    """
    declare = measure(
        name,
        reference=reference,
        aliases=tuple(aliases),
        attribute=attribute,
        required=tuple(required),
        needs_intents=True,
        interval=UNKNOWN,
        additive=additive,
        declines=declines,
    )
    return declare(function_of(value, parameters, name=attribute, module=module, doc="\n\n".join(doc)))

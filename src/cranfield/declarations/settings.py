"""The settings of a call, from the declaration of its analysis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cranfield.declarations.analysis import find_declaration

__all__ = ("record_options",)


def record_options(function: Callable[..., Any], values: Mapping[str, Any], **resolved: Any) -> dict[str, Any]:
    """Record every option of a call: ``record_options(estimate_stability, locals(), n_topics=sizes)``.

    Options stand in the order of the signature, each with the value that its parameter has by now; an option that is
    declared as ``recorded=False`` is left out.

    Args:
        function: a declared analysis.
        values: name -> value: ``locals()`` of the function.
        resolved: name -> value of what the analysis chose itself, as a default that depends on the data; what is not
            an option stands behind all options.
    """
    declaration = find_declaration(function)
    assert declaration is not None, "only a declared analysis has options"
    recorded = [name for name, option in declaration.options.items() if option.option.recorded]
    return {name: resolved[name] if name in resolved else _make_plain(values[name]) for name in recorded} | resolved


def _make_plain(value: Any) -> Any:
    """Make a value one that JSON writes: a number of NumPy becomes Python's, and a sequence a list."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return list(value) if isinstance(value, (tuple, range)) else value

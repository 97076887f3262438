"""The charts of a result: those whose first parameter is annotated with its class."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from cranfield import plot
from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.results.by_group import ByGroup
from cranfield.results.result import Result


def list_charts(result: Result) -> tuple[str, ...]:
    """List the charts of a result; first those that need nothing else, in the order of their files.

    Args:
        result: of any analysis; by groups of topics, those of the result of a group.
    """
    if isinstance(result, ByGroup):
        return list_charts(next(iter(result.results.values())))
    kinds = {kind.__name__ for kind in type(result).__mro__ if issubclass(kind, Result) and kind is not Result}
    found = {name: getattr(plot, name) for name in dir(plot)}
    drawn = [name for name, chart in found.items() if kinds.intersection(_words(_parameters(chart)[0].annotation))]

    def place(name: str) -> tuple[bool, str, int]:
        chart = found[name]
        return bool(_needs(chart)), chart.__module__, chart.__code__.co_firstlineno

    return tuple(sorted((name for name in drawn if name not in result.undrawn), key=place))


def draw(result: Result, name: str | None, further: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Draw a chart of a result.

    Args:
        result: of any analysis; by groups of topics, one chart for each group below each other.
        name: of the chart; the first of them where None.
        further: what the chart takes beside the result.
        options: of the chart.

    Raises:
        UsageError: no chart draws such a result, or the chart needs more than the result.
    """
    charts = list_charts(result)
    if not charts:
        raise UsageError(f"no chart draws a {type(result).__name__}")
    if name is not None:
        word("name", name, charts)
    chosen = name or charts[0]
    chart: Callable[..., Any] = getattr(plot, chosen)
    lacking = [need for need in _needs(chart)[len(further) :] if need not in options]
    if lacking:
        raise UsageError(
            f"{chosen} needs {' and '.join(lacking)} beside the result: plot({chosen!r}, {lacking[0]}=...)"
        )
    if isinstance(result, ByGroup):
        return plot.by_group(chart, result, **options)
    return chart(result, *further, **options)


def _parameters(chart: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(chart).parameters.values())


def _needs(chart: Callable[..., Any]) -> list[str]:
    """The parameters beside the first that have no default."""
    return [one.name for one in _parameters(chart)[1:] if one.default is one.empty and one.kind is not one.VAR_KEYWORD]


def _words(annotation: object) -> set[str]:
    return set(re.findall(r"\w+", str(annotation)))

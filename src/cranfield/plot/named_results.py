"""One result, or several by name or in a list: what charts that compare measures take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol, TypeVar

from cranfield.errors import UsageError


class OfMeasure(Protocol):
    """A result that knows its measure."""

    @property
    def measure(self) -> str:
        """Whose scores."""


Result = TypeVar("Result", bound=OfMeasure)


def named(results: Result | Mapping[str, Result] | Iterable[Result]) -> dict[str, Result]:
    """Results by name: that of the mapping, or else of their measures.

    Raises:
        UsageError: none is given, or two have the same name.
    """
    if isinstance(results, Mapping):
        by_name = {str(name): result for name, result in results.items()}
    else:
        many = list(results) if isinstance(results, Iterable) else [results]
        by_name = {result.measure: result for result in many}
        if len(by_name) < len(many):
            raise UsageError("two results are of the same measure: name them, {'name': result, ...}")
    if not by_name:
        raise UsageError("there is no result to show")
    return by_name

"""An analysis of one measure, repeated for several: ``join_measures``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.results.frames import stacked
from cranfield.results.result import Result, Tables

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class ByMeasure(Result):
    """An analysis of each measure: tables are those of the measures below each other, with a column ``measure``.

    Args:
        results: measure -> its result.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    results: dict[str, Result]
    settings: dict[str, Any]
    signature: dict[str, Any]

    @property
    def _first(self) -> Result:
        return next(iter(self.results.values()))

    def _tables(self) -> Tables:
        return {name: self._stack(name) for name in self._first.frames()}

    def _stack(self, table: str) -> Callable[[], pd.DataFrame]:
        return lambda: stacked({name: result.to_frame(table) for name, result in self.results.items()}, "measure")

    def answer(self, table: str) -> str:
        """The answers for the measures that have one."""
        answers = {name: result.answer(table) for name, result in self.results.items()}
        return "\n".join(f"{name}: {answer}" for name, answer in answers.items() if answer)

    def caption(self, table: str) -> str:
        """What is said below the table of a measure; the same for all of them."""
        return self._first.caption(table)

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """The columns that fit a screen, after the measure."""
        return self._first.for_people(table, rows)


def join_measures(results: Sequence[Any]) -> ByMeasure:
    """Join the results of one analysis for several measures.

    Args:
        results: each with its ``measure``.
    """
    by_name = {result.measure: result for result in results}
    first = results[0]
    return ByMeasure(by_name, first.settings, first.signature | {"measure": list(by_name)})

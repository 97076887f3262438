"""Scores as a page takes them, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.comparison.pairs import places_of
from cranfield.reporting.comparable import best_first
from cranfield.reporting.entries import Entries
from cranfield.reporting.origin import Origin
from cranfield.reporting.publishing import Published
from cranfield.reporting.question import Asked
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Scored:
    """Scores, and what is known of them.

    Args:
        origin: where they come from.
        table: in plain arrays.
        scores: the same with labels.
        measures: those that are analysed; systems are ordered by the first.
        undefined: those without a score on any topic, which are left out.
        entries: what organisers say of the runs.
        public: how a text that names files is written on a page.
    """

    origin: Origin
    table: ScoreTable
    scores: xr.Dataset
    measures: tuple[str, ...]
    undefined: tuple[str, ...]
    entries: Entries
    public: Published

    @property
    def order(self) -> list[str]:
        """Systems, best first."""
        return best_first(self.scores[self.measures[0]])


def check_baselines(question: Asked, systems: Sequence[str]) -> None:
    """Raises: UsageError: a baseline is no system."""
    places_of(systems, question.baselines)

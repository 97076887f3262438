"""Scores in plain arrays, [measures, topics, systems]: the one container, wherever they come from.

Scores as a notebook shows them: the first systems by the first measure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cranfield._html import ROWS, table
from cranfield._text import counted
from cranfield._typing import Floats
from cranfield.scores.named_direction import ENDS
from cranfield.scores.scale import Scale, best_first, summarize_scores
from cranfield.scores.signature import together

MAX_IN_MEMORY = 1 << 17
"""More topics than these are gone through in blocks, wherever the scores are."""
BLOCK = 1 << 16
"""Topics at a time."""


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """One score of every system on every topic, by one or several measures.

    Nothing heavy is imported for it, so that the command line starts at once; ``scores.labelled`` gives it labels.

    Args:
        topics: names, in their order.
        systems: names, in their order.
        scales: the measures, in the order asked for.
        values: float64 [measures, topics, systems]; NaN where there is no score.
        lower: least value that each could be, of the same shape; None without intervals.
        upper: greatest.
        seal: of the file that it was read from, which holds what was sealed; empty where there is none.
    """

    topics: tuple[str, ...]
    systems: tuple[str, ...]
    scales: tuple[Scale, ...]
    values: Floats
    lower: Floats | None = None
    upper: Floats | None = None
    seal: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the measures."""
        return tuple(scale.name for scale in self.scales)

    @property
    def parts(self) -> list[tuple[str, Floats]]:
        """Name and cells of the values, and of each end of their intervals: ``""``, ``lower``, ``upper``."""
        ends = zip(ENDS, (self.lower, self.upper), strict=True)
        return [("", self.values), *((end, cells) for end, cells in ends if cells is not None)]

    @cached_property
    def summaries(self) -> Floats:
        """Summary of each system over topics, float64 [measures, systems]."""
        return self.summarize(self.values)

    def summarize(self, cells: Floats) -> Floats:
        """Every measure's summary over topics, [measures, topics, systems] -> [measures, systems]."""
        return np.stack([summarize_scores(scale, block) for scale, block in zip(self.scales, cells, strict=True)])

    @property
    def source(self) -> Any:
        """Signature of what made these scores; None where nothing is known."""
        return together([(scale.name, scale.source) for scale in self.scales])

    @property
    def best_first(self) -> list[int]:
        """Systems by their summary of the first measure; see ``scores.order``."""
        return best_first(self.summaries[0], self.systems, self.scales[0].larger_is_better)

    @property
    def caption(self) -> str:
        """The line above the table: the numbers of systems and topics."""
        return f"{counted(len(self.systems), 'system')}, {counted(len(self.topics), 'topic')}"

    def _repr_html_(self) -> str:
        first = self.best_first[:ROWS]
        rows = [(self.systems[system], *self.summaries[:, system].tolist()) for system in first]
        return table(["system", *self.names], rows, self.caption, len(self.systems) - len(rows))

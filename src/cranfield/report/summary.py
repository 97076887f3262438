"""Results as a page of plain data: which sections there are, and what stands in them."""

from __future__ import annotations

import math
from collections.abc import Callable

from cranfield.report.analyses import Analyses
from cranfield.report.board import leaderboard
from cranfield.report.content import Content, Section
from cranfield.report.lists import difference, diversity, judges
from cranfield.report.measuring import measuring
from cranfield.report.opening import opening
from cranfield.report.provenance import provenance
from cranfield.report.topics import topics

MOST_SCORES = 400_000
"""Cells that the page carries for its views of one system and one topic."""


def summary(of: Analyses, title: str, command: str) -> Content:
    """The page on some analyses.

    Args:
        of: what was found.
        title: of the page.
        command: what was typed, for the last section.
    """
    makers: list[Callable[[Analyses], Section | None]] = [
        opening,
        leaderboard,
        topics,
        measuring,
        difference,
        diversity,
        judges,
    ]
    sections = [section for maker in makers if (section := maker(of)) is not None]
    table = of.table
    cells = len(table.systems) * len(table.topics)
    measures = of.measures[: max(1, MOST_SCORES // max(1, cells))]
    return Content(
        title,
        (*sections, provenance(of, command)),
        table.systems,
        table.topics,
        measures,
        [_rows(of.scores[name].transpose("system", "topic").to_numpy().tolist()) for name in measures],
        {**table.signature(), "seed": of.question.seed, "command": command},
    )


def _rows(values: list[list[float]]) -> list[list[float | None]]:
    return [[None if math.isnan(value) else round(value, 6) for value in row] for row in values]

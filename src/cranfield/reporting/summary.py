"""Results as a page of plain data: its sections, in their order."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from cranfield.reporting.analyses import Analyses
from cranfield.reporting.board import leaderboard
from cranfield.reporting.content import Content, Gap, Section
from cranfield.reporting.failing import reason
from cranfield.reporting.intents import intents
from cranfield.reporting.judges import judges
from cranfield.reporting.measuring import measuring
from cranfield.reporting.opening import opening
from cranfield.reporting.provenance import provenance
from cranfield.reporting.publishing import Published
from cranfield.reporting.systems import systems
from cranfield.reporting.topics import topics

MOST_SCORES = 400_000
"""Cells that the page carries for its views of one system and one topic."""


Maker = Callable[[Analyses, Section], Section | None]
"""Fills an empty section, or has nothing to say."""
SECTIONS: tuple[tuple[Section, Maker], ...] = (
    (Section("summary", "Summary"), opening),
    (Section("leaderboard", "Leaderboard"), leaderboard),
    (Section("topics", "Topics"), topics),
    (Section("measures", "Measures"), measuring),
    (Section("systems", "Systems"), systems),
    (Section("diversity", "Diversity"), intents),
    (Section("judges", "Judges"), judges),
)


def summary(analyses: Analyses, title: str, command: str) -> Content:
    """The page on some analyses.

    Args:
        analyses: what the page shows.
        title: of the page.
        command: what was typed, for the last section.
    """
    made = [_made(analyses, empty, maker) for empty, maker in SECTIONS]
    made.append(_made(analyses, Section("provenance", "Provenance"), partial(provenance, command)))
    table = analyses.table
    cells = len(table.systems) * len(table.topics)
    measures = analyses.measures[: max(1, MOST_SCORES // max(1, cells))]
    return Content(
        title,
        tuple(section for section in made if section is not None),
        table.systems,
        table.topics,
        measures,
        [_rows(analyses.scores[name].transpose("system", "topic").to_numpy().tolist()) for name in measures],
        _public(analyses.public, {**table.signature(), "seed": analyses.question.seed, "command": command}),
    )


def _made(analyses: Analyses, empty: Section, maker: Maker) -> Section | None:
    """A section; one that cannot be made stays empty and says why."""
    try:
        return maker(analyses, empty)
    except Exception as error:
        return replace(empty, missing=(Gap("This section", analyses.public(reason(error))),))


def _public(public: Published, value: Any) -> Any:
    """Plain data whose texts name files as a page does."""
    if isinstance(value, dict):
        return {key: _public(public, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_public(public, item) for item in value]
    return public(value) if isinstance(value, str) else value


def _rows(values: list[list[float]]) -> list[list[float | None]]:
    return [[round(value, 6) if math.isfinite(value) else None for value in row] for row in values]

"""Results as a page of plain data: its sections, in their order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from cranfield._text import shown
from cranfield.collection.topics import TopicText, texts_of_topics
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Content, Gap, Section
from cranfield.reporting.redaction import PathRedactor
from cranfield.reporting.runner import reason
from cranfield.reporting.sections.diversity import intents
from cranfield.reporting.sections.judges import judges
from cranfield.reporting.sections.leaderboard import leaderboard
from cranfield.reporting.sections.measures import measuring
from cranfield.reporting.sections.provenance import provenance
from cranfield.reporting.sections.summary import checks, head, opening, tested_pairs
from cranfield.reporting.sections.systems import systems
from cranfield.reporting.sections.topics import topics
from cranfield.scores.duplicates import DuplicatePair
from cranfield.scores.matrix import matrix_of

MOST_SCORES = 400_000
"""Cells that the page carries for its pages of one system and one topic."""
SAID = 2_000
"""Characters of a paragraph on a topic."""


Maker = Callable[[Analyses, Section], Section | None]
"""Fills an empty section, or has nothing to say."""
SECTIONS: tuple[tuple[Section, Maker], ...] = (
    (Section("leaderboard", "Leaderboard"), leaderboard),
    (Section("summary", "What to know"), opening),
    (Section("topics", "Topics"), topics),
    (Section("measures", "Measures"), measuring),
    (Section("systems", "Systems"), systems),
    (Section("diversity", "Diversity"), intents),
    (Section("judges", "Judges"), judges),
    (Section("checks", "Checks and remarks", tail=True), checks),
)


def summary(analyses: Analyses, title: str, command: str) -> Content:
    """The page on some analyses.

    Args:
        analyses: what the page shows.
        title: of the page.
        command: what was typed, for the last section.
    """
    made = [_made(analyses, empty, maker) for empty, maker in SECTIONS]
    made.append(_made(analyses, Section("provenance", "Provenance", tail=True), partial(provenance, command)))
    table = analyses.table
    cells = len(table.systems) * len(table.topics)
    measures = analyses.measures[: max(1, MOST_SCORES // max(1, cells))]
    return Content(
        title=title,
        head=head(analyses),
        sections=tuple(section for section in made if section is not None),
        systems=table.systems,
        topics=table.topics,
        measures=measures,
        scores=[_rows(analyses.scores[name].transpose("system", "topic").values.tolist()) for name in measures],
        smaller=tuple(name for name in measures if not matrix_of(analyses.scores[name]).larger_is_better),
        without_scores=analyses.measures[len(measures) :],
        signature=_public(analyses.public, _signature(analyses, command)),
        facts=analyses.entries.by_system,
        alike=shared_scores(analyses.alike),
        texts=texts_of(analyses.question.texts, table.topics),
        retrieved=analyses.retrieved,
        tested=tested_pairs(analyses),
    )


def _signature(analyses: Analyses, command: str) -> dict[str, Any]:
    """All that changes the numbers."""
    groups = analyses.question.groups
    asked = {} if groups is None else {"topic_groups": groups.signature()}
    return {**analyses.origin.signature, **asked, "seed": analyses.question.seed, "command": command}


def shared_scores(pairs: Iterable[DuplicatePair]) -> dict[str, str]:
    """Of each system that has a twin, which systems it shares scores with, in a clause."""
    said: dict[str, list[str]] = {}
    for pair in pairs:
        what = "on every topic" if pair.identical else f"on {pair.same:,} of {pair.topics:,} topics"
        for one, other in ((pair.system, pair.other), (pair.other, pair.system)):
            said.setdefault(one, []).append(f"same scores as {shown(other, 40)} {what}")
    return {name: "; ".join(lines[:3]) + ("; ..." if len(lines) > 3 else "") for name, lines in said.items()}


def texts_of(given: Mapping[str, TopicText], topics: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """What topics ask, in paragraphs: a text without a name is one, and of texts with names each is."""
    found = {}
    for topic, text in texts_of_topics(given, topics).items():
        named = text.fields if len(text.fields) > 1 else {"": text.query}
        parts = [f"{name}: {value}" if name else value for name, value in named.items()]
        found[topic] = tuple(shown(" ".join(part.split()), SAID) for part in parts)
    return found


def _made(analyses: Analyses, empty: Section, maker: Maker) -> Section | None:
    """A section; one that cannot be made stays empty and says why."""
    try:
        return maker(analyses, empty)
    except Exception as error:
        return replace(empty, missing=(Gap("This section", analyses.public(reason(error))),))


def _public(public: PathRedactor, value: Any) -> Any:
    """Plain data whose texts name files as a page does."""
    if isinstance(value, dict):
        return {key: _public(public, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_public(public, item) for item in value]
    return public(value) if isinstance(value, str) else value


def _rows(values: list[list[float]]) -> list[list[float | None]]:
    return [[round(value, 6) if math.isfinite(value) else None for value in row] for row in values]

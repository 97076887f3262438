"""Assembles a page of plain data from analyses: its sections, in their order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cranfield._text import shown
from cranfield.collection.topics import TopicText, select_texts
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Content, Gap, Section, map_plain
from cranfield.reporting.head import make_head
from cranfield.reporting.page_sections import PageSection, add_explanation, find_shown
from cranfield.reporting.pair_tests import list_pair_tests
from cranfield.reporting.runner import error_message
from cranfield.scores.duplicates import DuplicatePair
from cranfield.scores.opening import open_scores

MAX_SCORES = 400_000
"""Scores that the page carries for its pages of one system and one topic."""
SENTENCE_END = re.compile(r"(?<=[.?!]) (?=[A-Z“])")
MAX_TEXT = 2_000
"""Characters of a paragraph on a topic."""


def assemble_page(analyses: Analyses, title: str, command: str) -> Content:
    """Assemble the page.

    Args:
        analyses: what the page shows.
        title: of the page.
        command: the command line, for the last section.
    """
    command = "" if analyses.request.options["public"] else command
    analyses = replace(analyses, command=command)
    head = make_head(analyses)
    chosen = add_explanation(find_shown(analyses.request), head, public=analyses.request.options["public"])
    sections = [_fill(analyses, *shown) for shown in chosen.items()]
    inputs = analyses.inputs
    table, redact = inputs.table, inputs.redact
    cells = len(table.systems) * len(table.topics)
    measures = inputs.measures[: max(1, MAX_SCORES // max(1, cells))]
    return Content(
        title=title,
        head=head,
        sections=drop_repeated(section for section in sections if section is not None),
        systems=table.systems,
        topics=table.topics,
        measures=measures,
        scores=[_round(inputs.scores[name].transpose("system", "topic").values.tolist()) for name in measures],
        smaller_is_better=tuple(name for name in measures if not open_scores(inputs.scores[name]).larger_is_better),
        without_scores=inputs.measures[len(measures) :],
        signature=map_plain(_sign(analyses, command), lambda value: redact(value) if isinstance(value, str) else value),
        entries=inputs.entries.by_system,
        duplicates=describe_duplicates(analyses.duplicates, analyses.inputs.measures),
        texts=list_texts(analyses.request.texts, table.topics),
        retrieved=analyses.retrieved,
        pair_tests=list_pair_tests(analyses),
    )


def _fill(analyses: Analyses, id_: str, declared: PageSection) -> Section | None:
    """Fill a section; one that cannot be filled stays empty and states why, as does one that was requested by name."""
    section = Section(id_, declared.title, appendix=declared.appendix)
    try:
        filled = declared.fill(analyses, section)
    except Exception as error:
        return replace(section, missing=(Gap("This section", analyses.inputs.redact(error_message(error))),))
    if filled is None and id_ in analyses.request.chosen_sections:
        return replace(section, missing=(Gap(f"The section {id_}", declared.needs),))
    return filled


def drop_repeated(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Drop each sentence that stood in a paragraph or below a figure before."""
    seen: set[str] = set()

    def keep_new(text: str) -> str:
        sentences = [sentence for sentence in SENTENCE_END.split(text) if sentence not in seen]
        seen.update(sentences)
        return " ".join(sentences)

    complete = []
    for section in sections:
        paragraphs = tuple(filter(None, map(keep_new, section.paragraphs)))
        figures = tuple(replace(figure, notes=keep_new(figure.notes)) for figure in section.figures)
        complete.append(replace(section, paragraphs=paragraphs, figures=figures))
    return tuple(complete)


def _sign(analyses: Analyses, command: str) -> dict[str, Any]:
    """Return all that changes the numbers."""
    groups, seed = analyses.request.groups, analyses.request.options["seed"]
    signed_groups = {} if groups is None else {"topic_groups": groups.signature()}
    called = {"command": command} if command or not analyses.request.options["public"] else {}
    holes = analyses.from_rankings.holes
    signed_holes = {} if holes is None else {"holes": holes.signature}
    source = dict(analyses.inputs.origin.signature)
    if analyses.request.options["public"] and "left_out" in source:
        # A reason quotes a line of the run: strangers read which runs are missing, and of what kind the fault is.
        source["left_out"] = [{"name": run["name"], "code": run["code"]} for run in source["left_out"]]
    return {**source, **signed_groups, **signed_holes, "seed": seed, **called}


def describe_duplicates(pairs: Iterable[DuplicatePair], measures: Sequence[str]) -> dict[str, str]:
    """Return, for each system that has a duplicate, a clause that names the systems with the same scores."""
    clauses: dict[str, list[str]] = {}
    equal = f"same {shown(measures[0], 40)}" if len(measures) == 1 else "same scores"
    for pair in pairs:
        extent = "on every topic" if pair.identical else f"on {pair.same:,} of {pair.topics:,} topics"
        for system, duplicate in ((pair.system, pair.other), (pair.other, pair.system)):
            clauses.setdefault(system, []).append(f"{equal} as {shown(duplicate, 40)} {extent}")
    return {name: "; ".join(lines[:3]) + ("; ..." if len(lines) > 3 else "") for name, lines in clauses.items()}


def list_texts(texts: Mapping[str, TopicText], topics: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the text of each topic in paragraphs, one for each of its fields where it has several."""
    paragraphs = {}
    for topic, text in select_texts(texts, topics).items():
        fields = text.fields if len(text.fields) > 1 else {"": text.query}
        lines = [f"{name}: {value}" if name else value for name, value in fields.items()]
        paragraphs[topic] = tuple(shown(" ".join(line.split()), MAX_TEXT) for line in lines)
    return paragraphs


def _round(values: list[list[float]]) -> list[list[float | None]]:
    return [[round(value, 6) if math.isfinite(value) else None for value in row] for row in values]

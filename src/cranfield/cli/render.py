"""Scores as text: a table for people, and the formats that other programs read."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import InputError, UsageError
from cranfield.measures import Measure, trec_name
from cranfield.results.grid import Grid
from cranfield.results.sheet import Cell, Sheet, mark_of
from cranfield.scores.rows import ALL, Row, as_csv, as_json, as_tsv
from cranfield.wording import in_full, shown

if TYPE_CHECKING:
    from cranfield.arrays import Floats
    from cranfield.checking import Report
    from cranfield.scoring import ScoreTable


def render(table: ScoreTable, format: str, *, by_topic: bool, plain: bool = False) -> str:
    """All of a table's scores in one text. ``plain`` is for files: no colours.

    Raises:
        UsageError: ``trec`` for several runs.
        InputError: a name that the format cannot hold.
    """
    match format:
        case "table":
            return leaderboard(table, by_topic=by_topic, plain=plain)
        case "tsv":
            return as_tsv(rows(table, by_topic=by_topic), ends=table.lower is not None)
        case "csv":
            return as_csv(rows(table, by_topic=by_topic), ends=table.lower is not None)
        case "json":
            return as_json(rows(table, by_topic=by_topic), table.signature())
        case "trec":
            return _trec(table, by_topic=by_topic)
        case "latex" | "markdown":
            return sheet_of(table, by_topic=by_topic).text(format, plain=plain)
    raise UsageError(f"format={format!r} is not one of table, tsv, csv, json, trec, latex, markdown")


def rows(table: ScoreTable, *, by_topic: bool) -> Iterator[Row]:
    """(system, topic, measure, values): systems as given, topics as in qrels and then ``all``, measures as asked."""
    names = [str(measure) for measure in table.measures]
    if by_topic and ALL in table.topics:
        raise InputError("a topic is called 'all', as the summary is in this format: leave out --by-topic")
    ends = [part for part in (table.lower, table.upper) if part is not None]
    summaries = [table.summaries_of(part) for part in ends]
    for number, run in enumerate(table.systems):
        if by_topic:
            for at, topic in enumerate(table.topics):
                for of, name in enumerate(names):
                    if _has_topics(table.measures[of]):
                        at_ends = (float(part[of, number, at]) for part in ends)
                        yield run, topic, name, float(table.values[of, number, at]), *at_ends
        for of, name in enumerate(names):
            yield run, ALL, name, float(table.summaries[of, number]), *(float(part[of, number]) for part in summaries)


def _has_topics(measure: Measure) -> bool:
    """A geometric mean has no value of a topic."""
    return measure.declaration.summary != "geometric mean"


def _trec(table: ScoreTable, *, by_topic: bool) -> str:
    if table.lower is not None:
        raise UsageError("format=trec has no room for intervals: use tsv, csv or json")
    if len(table.systems) != 1:
        raise UsageError(f"format=trec holds one run, not {len(table.systems)}: use tsv, csv or json")
    spelling = {str(measure): trec_name(measure) or str(measure) for measure in table.measures}
    shared = {name for name, count in Counter(spelling.values()).items() if count > 1}
    spelling = {measure: measure if name in shared else name for measure, name in spelling.items()}
    counts = {str(measure) for measure in table.measures if measure.declaration.summary == "sum"}
    lines = []
    for row in rows(table, by_topic=by_topic):
        topic, measure, value = row[1], row[2], row[3]
        if spelling[measure] == "num_q" and topic != ALL:
            continue  # trec_eval prints it in the summary only
        shape = "%-22s\t%s\t%d\n" if measure in counts and not math.isnan(value) else "%-22s\t%s\t%6.4f\n"
        lines.append(shape % (spelling[measure], topic, value))
    return "".join(lines)


def leaderboard(table: ScoreTable, *, by_topic: bool, plain: bool) -> str:
    """Systems by the first measure, best first, ties by name; the best value of each column carries a star."""
    columns = list(_columns(table))
    topic = [("topic", False)] if by_topic else []
    grid = Grid([("", True), ("system", False), *topic, *((title, True) for title, *_ in columns)])
    # Where the best of a column is marked, the others leave room for the mark, so that numbers stand below each other.
    starred = [any(text.endswith("*") for text in cells) for *_, cells in columns]
    for place, number in enumerate(_best_first(table), 1):
        name = in_full(table.systems[number])
        if by_topic:
            for at, topic_name in enumerate(table.topics):
                values = (
                    (_cell(measure, by_system[number, at]) if _has_topics(measure) else "") + " " * star
                    for (_, measure, by_system, _), star in zip(columns, starred, strict=True)
                )
                grid.add("", name, in_full(topic_name), *values)
        row = [str(place), name, *([ALL] if by_topic else []), *(cells[number] for *_, cells in columns)]
        best = {column for column in range(2 + by_topic, len(row)) if row[column].endswith("*")}
        grid.add(*row, bold=best, ends=by_topic)
    legend = "; * best of its column" if any(starred) else ""
    return grid.page(_caption(table, legend), plain=plain)


def sheet_of(table: ScoreTable, *, by_topic: bool) -> Sheet:
    """The leaderboard for a paper: the best value of each column in bold, and a caption with the signature."""
    columns = list(_columns(table))
    rows: list[list[Cell]] = []
    best = set()
    for number in _best_first(table):
        name = table.systems[number]
        if by_topic:
            for at, topic in enumerate(table.topics):
                known = (
                    _number(measure, by_system[number, at]) if _has_topics(measure) else ""
                    for _, measure, by_system, _ in columns
                )
                rows.append([name, topic, *known])
        first = [name, ALL] if by_topic else [name]
        for column, (_, _, _, cells) in enumerate(columns, len(first)):
            if cells[number].endswith("*"):
                best.add((len(rows), column))
        rows.append(
            [*first, *(_number(measure, all_[number]) for (_, measure, *_), all_ in _summaries(table, columns))]
        )
    caption = f"{_caption(table, '; bold: best of its column' if best else '')}; {mark_of(table.signature())}"
    head = ["system", *(["topic"] if by_topic else []), *(title for title, *_ in columns)]
    return Sheet(head, rows, caption, table.signature(), best)


def _number(measure: Measure, value: float) -> Cell:
    """Counts are whole."""
    return round(value) if measure.declaration.summary == "sum" and math.isfinite(value) else float(value)


def _summaries(table: ScoreTable, columns: list[Any]) -> Iterator[tuple[Any, Floats]]:
    """Each column with its summaries, [systems]."""
    ends = [part for part in (table.lower, table.upper) if part is not None]
    parts = [table.summaries, *(table.summaries_of(part) for part in ends)]
    values = [part[of] for of in range(len(table.measures)) for part in parts]
    return zip(columns, values, strict=True)


def _columns(table: ScoreTable) -> Iterator[tuple[str, Measure, Floats, list[str]]]:
    """(title, measure, its values [systems, topics], summaries as text): each measure, and the ends of its interval."""
    for of, measure in enumerate(table.measures):
        yield str(measure), measure, table.values[of], _cells(measure, table.summaries[of])
        for title, part in (("lower", table.lower), ("upper", table.upper)):
            if part is not None:
                ends = table.summaries_of(part)[of].tolist()
                yield title, measure, part[of], [_cell(measure, value) for value in ends]


def _best_first(table: ScoreTable) -> list[int]:
    values = table.summaries[0]
    sign = -1 if table.measures[0].declaration.larger_is_better else 1
    worst_last = [math.inf if math.isnan(value) else sign * value for value in values.tolist()]
    return sorted(range(len(values)), key=lambda number: (worst_last[number], table.systems[number]))


def _cell(measure: Measure, value: float) -> str:
    if math.isnan(value) or (np.isnan(value)):
        return "nan"
    if measure.declaration.summary == "sum":
        return f"{value:,.0f}"
    return f"{value:.4f}"


def _cells(measure: Measure, values: Floats) -> list[str]:
    """The values of one column; a star on the best where there is something to win."""
    known = values[~np.isnan(values)]
    if len(values) < 2 or not len(known) or known.min() == known.max():
        return [_cell(measure, value) for value in values.tolist()]
    best = known.max() if measure.declaration.larger_is_better else known.min()
    return [_cell(measure, value) + ("*" if value == best else " ") for value in values.tolist()]


def _caption(table: ScoreTable, legend: str) -> str:
    policy = table.policy.as_dict()
    changed = [f"{option}={word}" for option, word in policy.items() if word != type(table.policy)().as_dict()[option]]
    said = ", ".join(["ties=" + policy["ties"], *(text for text in changed if not text.startswith("ties="))])
    systems = "1 system" if len(table.systems) == 1 else f"{len(table.systems):,} systems"
    topics = "1 topic" if len(table.topics) == 1 else f"{len(table.topics):,} topics"
    ends = {
        "none": "",
        "order": "; lower and upper: over all orders of equal scores",
        "judgments": "; lower and upper: over all labels that unjudged documents could have",
    }[table.bounds]
    return f"{systems}, {topics} of {shown(table.qrels.name, 200)}; {said}{legend}{ends}"


def findings_as_text(report: Report) -> str:
    """Findings by severity, one line each, and what they add up to."""
    lines = [f"{finding.severity}: {finding.where}: {finding.text} [{finding.code}]" for finding in report.findings]
    counts = {
        severity: sum(finding.severity == severity for finding in report.findings)
        for severity in ("error", "warning", "note")
    }
    said = ", ".join(f"{count:,} {word}{'' if count == 1 else 's'}" for word, count in counts.items())
    runs = "1 run" if report.runs == 1 else f"{report.runs:,} runs"
    lines.append(f"{runs} checked, {report.refused:,} refused: {said}")
    return "\n".join(lines) + "\n"


def findings_as_json(report: Report) -> str:
    """``{"runs": n, "refused": n, "findings": [{"severity", "code", "file", "line", "text"}]}``; no line is null."""
    findings = [
        {
            "severity": finding.severity,
            "code": finding.code,
            "file": finding.file,
            "line": finding.line or None,
            "text": finding.text,
        }
        for finding in report.findings
    ]
    return json.dumps({"runs": report.runs, "refused": report.refused, "findings": findings}, indent=1) + "\n"

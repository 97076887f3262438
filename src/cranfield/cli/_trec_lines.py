"""Scores in the lines that trec_eval prints."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from cranfield._typing import Floats
from cranfield.cli._trec_names import Line
from cranfield.scoring import Evaluation

MIN_GEO_MEAN = 1e-5
"""The least score that a geometric mean counts."""
ALL = "all"


def format_lines(
    table: Evaluation, lines: Sequence[Line], *, complete: bool, by_topic: bool, summary: bool, documents: int | None
) -> str:
    """All lines: topics in the order of their bytes, then the summary.

    Args:
        table: one run's scores by the measures of the lines, with its rankings.
        lines: what to print.
        complete: whether judged topics that the run lacks count; they are left out otherwise.
        by_topic: whether topics are printed.
        summary: whether the summary is.
        documents: how many the collection holds, where a coefficient of utility asks.
    """
    assert table.rankings is not None
    present = np.arange(len(table.topics)) if complete else np.flatnonzero(table.rankings.length)
    order = sorted(present.tolist(), key=lambda topic: table.topics[topic].encode())
    columns = [_compute_column(table, line, documents) for line in lines]
    texts = [None if line.text is None else list(line.text.format_topics(table.rankings)) for line in lines]
    out: list[str] = []
    for topic in order if by_topic else ():
        for line, column, text in zip(lines, columns, texts, strict=True):
            if text is not None:
                out.append(f"{line.name:<22}\t{table.topics[topic]}\t'{text[topic]}'\n")
            elif column is not None and not _is_summary_only(line):
                out.append(_format_line(line, table.topics[topic], float(column[topic])))
    for line, column in zip(lines, columns, strict=True) if summary else ():
        if column is not None:
            out.append(_format_line(line, ALL, _summarize(table, line, column[order], complete)))
        elif line.text is None:
            out.append(f"{line.name:<22}\t{ALL}\t{table.tags[0]}\n")
    return "".join(out)


def _compute_column(table: Evaluation, line: Line, documents: int | None) -> Floats | None:
    """A line's value of each topic, float64 [topics]; None where it is a text."""
    if not line.measures:
        return None
    cells = np.stack([table.values[table.measures.index(measure), :, 0] for measure in line.measures])
    match line.combined:
        case "mean":
            total: Floats = np.cumsum(cells, axis=0)[-1] / len(cells)
            return total
        case "utility":
            both, retrieved, relevant = cells
            elsewhere = (documents or 0) + both - retrieved - relevant
            parts = both, retrieved - both, relevant - both, elsewhere
            worth: Floats = np.cumsum([a * part for a, part in zip(line.factors, parts, strict=True)], axis=0)[-1]
            return worth
    alone: Floats = cells[0]
    return alone


def _is_summary_only(line: Line) -> bool:
    """Whether trec_eval prints the measure in the summary alone."""
    return line.name == "num_q" or line.measures[0].declaration.summary == "geometric mean"


def _is_count(line: Line) -> bool:
    return line.combined == "alone" and line.measures[0].declaration.summary == "sum"


def _summarize(table: Evaluation, line: Line, cells: Floats, complete: bool) -> float:
    """Added topic by topic as trec_eval does, because the last digit printed may hang on the last bit."""
    if _is_count(line):
        quirk = float(table.summaries[table.measures.index(line.measures[0]), 0])
        return quirk if complete else float(cells.sum())
    if line.combined == "alone" and line.measures[0].declaration.summary == "geometric mean":
        return math.exp(_average(np.log(np.maximum(cells, MIN_GEO_MEAN))))
    return _average(cells)


def _average(cells: Floats) -> float:
    return float(np.cumsum(cells)[-1]) / len(cells)


def _format_line(line: Line, topic: str, value: float) -> str:
    if _is_count(line) and not math.isnan(value):
        return f"{line.name:<22}\t{topic}\t{value:.0f}\n"
    return f"{line.name:<22}\t{topic}\t{value:6.4f}\n"

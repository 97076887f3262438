"""The text of a leaderboard: for people, for papers, as trec_eval prints it, and as one flat JSON object."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, cut, every_one, in_full, quoted, shown
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.measures import trec_name
from cranfield.results.sheet import Cell, Sheet, shorten_signature
from cranfield.results.table_text import Grid
from cranfield.scores.missing_scores import UNEVEN, find_gaps
from cranfield.scores.rows import ALL, list_rows
from cranfield.scores.scale import Scale, ranks
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    from cranfield.scoring import Evaluation
    from cranfield.scoring.relstring import RelString


def format_trec(table: Evaluation, texts: Sequence[RelString], *, by_topic: bool, alone: bool) -> str:
    """Format the scores of one run as trec_eval does, with strings of each topic.

    Args:
        table: the scores.
        texts: strings that stand beside the scores.
        by_topic: every topic, not only the summary.
        alone: print these strings alone, if there are any.

    Raises:
        UsageError: several runs, or intervals.
    """
    if table.lower is not None:
        raise UsageError("--format trec has no room for intervals: use tsv, csv or json")
    if len(table.systems) != 1:
        raise UsageError(f"--format trec holds one run, not {len(table.systems)}: use tsv, csv or json")
    spelling = {str(measure): trec_name(measure) or str(measure) for measure in table.measures}
    shared = {name for name, count in Counter(spelling.values()).items() if count > 1}
    spelling = {measure: measure if name in shared else name for measure, name in spelling.items()}
    counts = {scale.name for scale in table.scales if scale.summary == "sum"}
    lines: dict[str, list[str]] = {topic: [] for topic in (*table.topics, ALL)}
    for row in list_rows(table, by_topic=by_topic) if not (texts and alone) else ():
        topic, measure, value = row[1], row[2], row[3]
        if spelling[measure] == "num_q" and topic != ALL:
            continue  # trec_eval prints it in the summary only
        shape = "%-22s\t%s\t%d\n" if measure in counts and not math.isnan(value) else "%-22s\t%s\t%6.4f\n"
        lines[topic].append(shape % (spelling[measure], topic, value))
    for text in texts:
        assert table.rankings is not None
        for topic, labels in zip(table.topics, text.format_topics(table.rankings), strict=True):
            lines[topic].append(f"{text.name:<22}\t{topic}\t'{labels}'\n")
    return "".join(line for printed in lines.values() for line in printed)


def format_leaderboard(table: Evaluation, *, by_topic: bool, plain: bool) -> str:
    """Format systems best first by the first measure, with their ranks; a star marks the best value of each column."""
    columns = list(_list_columns(table))
    places = ranks(table.summaries[0], table.scales[0].larger_is_better)
    has_places = not _is_uneven(table, 0)
    topic_title = [("topic", False)] if by_topic else []
    grid = Grid([("", True), ("system", False), *topic_title, *((column.title, True) for column in columns)])
    # Values without a mark leave room for it, which keeps the numbers aligned.
    for system in table.best_first:
        name = in_full(table.systems[system])
        if by_topic:
            for topic, topic_name in enumerate(table.topics):
                values = (column.format_topic(topic, system) + " " * bool(column.best) for column in columns)
                grid.add("", name, in_full(topic_name), *values)
        first = [str(places[system]) if has_places else "", name, *([ALL] if by_topic else [])]
        best = {number for number, column in enumerate(columns, len(first)) if system in column.best}
        grid.add(*first, *(column.format_summary(system) for column in columns), bold=best, ends=by_topic)
    legend = "; * best of its column" if any(column.best for column in columns) else ""
    return grid.page(_write_caption(table, legend), plain=plain)


def tabulate_leaderboard(table: Evaluation, *, by_topic: bool) -> Sheet:
    """Tabulate the leaderboard for a paper: the best value of each column in bold, and a caption with the signature."""
    columns = list(_list_columns(table))
    rows: list[list[Cell]] = []
    best = set()
    for system in table.best_first:
        name = table.systems[system]
        if by_topic:
            for topic, topic_name in enumerate(table.topics):
                rows.append([name, topic_name, *(column.topic_cell(topic, system) for column in columns)])
        first: list[Cell] = [name, ALL] if by_topic else [name]
        best |= {(len(rows), number) for number, column in enumerate(columns, len(first)) if system in column.best}
        rows.append([*first, *(column.to_cell(column.summaries[system]) for column in columns)])
    caption = (
        f"{_write_caption(table, '; bold: best of its column' if best else '')}; {shorten_signature(table.signature())}"
    )
    head = ["system", *(["topic"] if by_topic else []), *(column.title for column in columns)]
    return Sheet(head, rows, caption, table.signature(), best)


@dataclass(frozen=True)
class _MeasureColumn:
    """A column of the leaderboard: a measure, or an end of its interval.

    Args:
        title: its heading.
        scale: the meaning of its scores.
        cells: scores, [topics, systems].
        summaries: summaries over topics, [systems].
        best: systems with the best summary; none where all are equal.
    """

    title: str
    scale: Scale
    cells: Floats
    summaries: Floats
    best: frozenset[int]

    def to_cell(self, value: float) -> Cell:
        """Return a number; counts are integers."""
        return round(value) if self.scale.summary == "sum" and math.isfinite(value) else float(value)

    def topic_cell(self, topic: int, system: int) -> Cell:
        """Return a score; nothing where the measure has no value for a topic."""
        return self.to_cell(self.cells[topic, system]) if self.scale.has_topics else ""

    def format_value(self, value: float) -> str:
        """Format a value to four digits; counts are integers."""
        if math.isnan(value):
            return "nan"
        return f"{value:,.0f}" if self.scale.summary == "sum" else f"{value:.4f}"

    def format_topic(self, topic: int, system: int) -> str:
        """Format a score; nothing where the measure has no value for a topic."""
        return self.format_value(self.cells[topic, system]) if self.scale.has_topics else ""

    def format_summary(self, system: int) -> str:
        """Format the summary of a system, with a star if it is the best."""
        mark = "" if not self.best else "*" if system in self.best else " "
        return self.format_value(self.summaries[system]) + mark


def _list_columns(table: Evaluation) -> Iterator[_MeasureColumn]:
    """List a column for each measure and each end of its interval."""
    parts = [(end, cells, table.summarize(cells)) for end, cells in table.parts]
    for number, scale in enumerate(table.scales):
        for end, cells, summaries in parts:
            best = frozenset() if end or _is_uneven(table, number) else _find_best(scale, summaries[number])
            yield _MeasureColumn(end or scale.name, scale, cells[number], summaries[number], best)


def _find_best(scale: Scale, values: Floats) -> frozenset[int]:
    """Find the systems with the best value; none where all are equal."""
    defined = values[~np.isnan(values)]
    if len(values) < 2 or not len(defined) or defined.min() == defined.max():
        return frozenset()
    best = defined.max() if scale.larger_is_better else defined.min()
    return frozenset(np.flatnonzero(values == best).tolist())


def _is_uneven(table: Evaluation, measure: int) -> bool:
    """Tell whether systems have scores on different topics by a measure, so that none is the best."""
    return bool(find_gaps(table.values[measure]).any())


def _write_caption(table: Evaluation, legend: str) -> str:
    policy = table.policy.as_dict()
    changed = [f"{option}={word}" for option, word in policy.items() if word != type(table.policy)().as_dict()[option]]
    policies = ", ".join(["ties=" + policy["ties"], *(text for text in changed if not text.startswith("ties="))])
    systems, topics = counted(len(table.systems), "system"), counted(len(table.topics), "topic")
    systems += f" by {shown(table.scales[0].name)}" if len(table.systems) > 1 else ""
    ends = {
        "none": "",
        "order": "; lower and upper: range over all orders of equal scores",
        "judgments": "; lower and upper: range over all labels that unjudged documents could have",
    }[table.bounds]
    first = f"{systems}, {topics} of {shown(table.qrels.name, 200)}; {policies}{legend}{ends}"
    uneven = [scale.name for number, scale in enumerate(table.scales) if _is_uneven(table, number)]
    first += f"; {every_one(uneven)}: {UNEVEN}" if uneven else ""
    return "\n".join([first, *(premise.text for premise in table.premises)])


SPELLED = {"#": "_sharp_", "+": "_plus_"}
"""Characters that distinguish measures -> their spelling; all others become an underscore."""


def flatten_name(name: str) -> str:
    """Spell a name with lower-case letters, digits and single underscores, beginning with a letter.

    MLflow refuses ``@`` and brackets, W&B hides names that begin with an underscore and cannot query those that begin
    with a digit, and DVC splits at points.

    >>> flatten_name("nDCG@10"), flatten_name("AP(rel=2)"), flatten_name("RBP(p=0.9)"), flatten_name("D#-nDCG@10")
    ('ndcg_10', 'ap_rel_2', 'rbp_p_0_9', 'd_sharp_ndcg_10')
    """
    spelled = re.sub(r"(?<=[=,({:])-(?=\d)", "minus_", name)
    named = "".join(SPELLED.get(char, char) for char in spelled).lower()
    bare = re.sub(r"[^a-z0-9]+", "_", named).strip("_")
    return bare if bare[:1].isalpha() else f"m_{bare}".rstrip("_")


def format_metrics(table: ScoreTable) -> str:
    """Format ``{"ndcg_10": 0.51, ...}`` for one system, ``{"bm25/ndcg_10": 0.51, ...}`` for several; NaN is null.

    Raises:
        InputError: two names become the same.
    """
    import json

    metrics: dict[str, float | None] = {}
    origin: dict[str, str] = {}
    for own, name, value in _list_values(table):
        if name in metrics:
            raise InputError(
                f"{quoted(origin[name])} and {quoted(own)} are both called {quoted(name)} in a flat object: request "
                "one of them, or rename the run",
                code="equal-names",
                value=cut(name),
            )
        origin[name] = own
        metrics[name] = value if math.isfinite(value) else None
    return json.dumps(metrics, indent=1, allow_nan=False) + "\n"


def _list_values(table: ScoreTable) -> Iterator[tuple[str, str, float]]:
    """List summaries, each after its own name and its flat name."""
    for end, cells in table.parts:
        for measure, values in zip(table.names, table.summarize(cells), strict=True):
            of_measure = f"{measure} {end}".rstrip()
            for system, value in zip(table.systems, values.tolist(), strict=True):
                alone = len(table.systems) == 1
                own = of_measure if alone else f"{system}, {of_measure}"
                yield (
                    own,
                    flatten_name(of_measure) if alone else f"{flatten_name(system)}/{flatten_name(of_measure)}",
                    value,
                )

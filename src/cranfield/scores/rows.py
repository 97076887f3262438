"""Scores in rows ``system topic measure value``: as tsv, csv and json, written and read back.

One cell of a score file, and how many a file may spread over.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield import escaping
from cranfield._message import setting
from cranfield._text import counted, cut, every_one, quoted, shown, warn
from cranfield._validation import explain_number, is_decimal
from cranfield.errors import FormatError, InputError
from cranfield.findings.location import Location
from cranfield.io.strict_json import parse_json
from cranfield.scores.labels import named
from cranfield.scores.named_direction import ENDS
from cranfield.scores.scale import Scale
from cranfield.scores.table import ScoreTable

ScoreRow = tuple[str, str, str, float, *tuple[float, ...]]
"""System, topic, measure, value; and the ends of its interval where there is one."""

ReadRow = tuple[Location, str, str, str, float]
"""A row with the location it was read from."""

HEADER = ("system", "topic", "measure", "value")
TOPIC_NAMES = ("topic", "topics", "topic_id", "query", "query_id", "qid", "task", "tasks", "task_name")
"""Headers of a column of topics, in any case."""
SYSTEM_NAMES = ("system", "run", "run_id", "name", "model", "model_name")
"""Headers of a column of systems: ours, those of earlier versions, of AutoJudge and PyTerrier, and of boards."""
KEYS_NAMED = 5
"""Keys of an object that an error names."""
SEAL = "seal"
"""Key of json below which its seal stands."""
ALL = "all"
"""Stands for the topic in a row that holds a summary over topics."""


def has_summary(table: ScoreTable, format: str, *, by_topic: bool, summary: bool) -> bool:
    """Tell whether rows hold summaries: tsv and csv of topics do not, unless requested, as R and pandas would mix them.

    Warns of measures that have nothing but a summary, where it is left out.

    Args:
        table: of the scores.
        format: of the rows.
        by_topic: whether they hold topics.
        summary: whether summaries beside topics are requested.
    """
    if summary or not by_topic or format not in ("tsv", "csv"):
        return True
    if alone := [scale.name for scale in table.scales if not scale.has_topics]:
        verb = "has no value" if len(alone) == 1 else "have no values"
        warn(
            f"{every_one(alone)} {verb} by topic and {'is' if len(alone) == 1 else 'are'} left out: "
            f"{setting('summary', True)} adds summaries over topics"
        )
    return False


def list_rows(table: ScoreTable, *, by_topic: bool, summary: bool = True) -> Iterator[ScoreRow]:
    """Systems in their order; of each its topics and then, unless left out, ``all``, by every measure.

    Raises:
        InputError: a topic is called ``all``.
    """
    if by_topic:
        refuse_all(table.topics)
    parts = [cells for _, cells in table.parts]
    summaries = np.stack([table.summarize(cells) for cells in parts]).T.tolist()
    names = table.names
    with_topics = [measure for measure, scale in enumerate(table.scales) if scale.has_topics]
    for column, system in enumerate(table.systems):
        if by_topic:
            cells = np.stack([part[:, :, column] for part in parts]).T.tolist()
            for topic, by_measure in zip(table.topics, cells, strict=True):
                for measure in with_topics:
                    yield system, topic, names[measure], *by_measure[measure]
        for name, values in zip(names, summaries[column] if summary else (), strict=summary):
            yield system, ALL, name, *values


def refuse_all(topics: Collection[str]) -> None:
    """Raises: InputError: a topic is called ``all``."""
    if ALL in topics:
        text = "a topic is called 'all', as the summary is in this format: rename it, or print no topics"
        raise InputError(text, code="reserved", value=ALL)


def as_text(table: ScoreTable, format: str, *, by_topic: bool, summary: bool = False) -> str:
    """Rows as ``tsv``, ``csv`` or ``json``; see ``has_summary``.

    Raises:
        InputError: a name that the format cannot hold.
    """
    summary = has_summary(table, format, by_topic=by_topic, summary=summary)
    rows, ends = list_rows(table, by_topic=by_topic, summary=summary), table.lower is not None
    if format == "json":
        return as_json(rows, table.source)
    return as_tsv(rows, ends=ends) if format == "tsv" else as_csv(rows, ends=ends)


def as_tsv(rows: Iterable[ScoreRow], *, ends: bool = False) -> str:
    """Rows with tabs between, names verbatim; with the two columns of intervals where ``ends`` are given.

    Raises:
        InputError: a name holds a tab or a line end.
    """
    return header("tsv", ends=ends) + tsv_lines(rows)


def tsv_lines(rows: Iterable[ScoreRow]) -> str:
    """Rows with tabs between, without the header."""
    return "".join("\t".join(row) + "\n" for row in map(_tsv, rows))


def as_csv(rows: Iterable[ScoreRow], *, ends: bool = False) -> str:
    """Rows with commas between, names guarded from spreadsheets."""
    return header("csv", ends=ends) + csv_lines(rows)


def csv_lines(rows: Iterable[ScoreRow]) -> str:
    """Rows with commas between, without the header."""
    return "".join(
        ",".join((*map(escaping.csv, (run, topic, measure)), *map(decimal, values))) + "\n"
        for run, topic, measure, *values in rows
    )


def as_json(rows: Iterable[ScoreRow], signature: object) -> str:
    """``{"signature": ..., "rows": [...], "notes": [...], "seal": ...}``, NaN as null."""
    lines = [_json_line(row) for row in rows]
    seal = Seal(signature)
    seal.add("".join(lines).encode())
    return signed_head(signature) + "".join(lines).removesuffix(",\n") + "\n" + seal.tail()


def _json_line(row: Sequence[Any]) -> str:
    """A row as a line of json; values that are not finite are null."""
    import json

    names, values = row[:3], row[3:]
    finite = (float(value) if value is not None and math.isfinite(value) else None for value in values)
    return f"  {json.dumps(dict(zip((*HEADER, *ENDS), (*names, *finite), strict=False)), allow_nan=False)},\n"


def _plain(value: object) -> object:
    """JSON whose whole numbers are whole, as other programs may write 1.0."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Seal:
    """The SHA-256 of what json holds: its signature and its rows, summaries among them.

    It shows that a file was changed after it was written, not who wrote it: whoever changes it can seal it anew.

    Args:
        signature: of the scores.
    """

    def __init__(self, signature: object) -> None:
        import hashlib
        import json

        self.signature = signature
        self._hash = hashlib.sha256(json.dumps(_plain(signature), sort_keys=True).encode() + b"\n")

    def add(self, lines: bytes) -> None:
        """Add rows, each a line that ends with a comma."""
        self._hash.update(lines)

    @property
    def text(self) -> str:
        """The seal of all rows that were added."""
        return self._hash.hexdigest()

    def tail(self) -> str:
        """Return the lines behind the last row of json, which hold the notes and the seal."""
        import json

        from cranfield.scores.premises import describe_premises  # here: rows of other formats have no notes

        notes = json.dumps([premise._asdict() for premise in describe_premises(self.signature)])
        return f'],\n "notes": {notes},\n "{SEAL}": "{self.text}"}}\n'


def signed_head(signature: object) -> str:
    """Return the lines before the rows of json."""
    import json

    return f'{{"signature": {json.dumps(signature, allow_nan=False)},\n "rows": [\n'


def header(format: str, *, ends: bool) -> str:
    """The line before the rows of tsv and csv."""
    return ("," if format == "csv" else "\t").join((*HEADER, *ENDS) if ends else HEADER) + "\n"


def decimal(value: float) -> str:
    """The shortest digits that read back exactly."""
    return "nan" if math.isnan(value) else repr(value)


def _tsv(row: ScoreRow) -> tuple[str, ...]:
    run, topic, measure, *values = row
    for name in (run, topic):
        if any(char in name for char in "\t\n\r"):
            text = f"the name {quoted(name)} holds a tab or a line end, which tsv cannot: use csv or json"
            raise InputError(text, code="unfit-name", value=cut(name))
    return run, topic, measure, *map(decimal, values)


def is_header(fields: Sequence[str]) -> bool:
    """Tell whether a line names the columns of rows, in any order."""
    return sorted(map(find_column, fields)) in (sorted(HEADER), sorted((*HEADER, *ENDS)))


def find_column(name: str) -> str:
    """The canonical name of a column, some of which have synonyms."""
    bare = name.strip().lower()
    return "system" if bare in SYSTEM_NAMES else "topic" if bare in TOPIC_NAMES else bare


def read_table(file: Location, header: Sequence[str], lines: Iterable[tuple[int, Sequence[str]]]) -> ScoreTable:
    """Rows of a tsv or csv file, after its header; the ends of intervals are left out.

    Args:
        file: that it is read from.
        header: its fields.
        lines: line number and fields of every row.

    Raises:
        FormatError: a row is not in its format, or occurs twice.
        InputError: there is no row of a topic.
    """
    columns = list(map(find_column, header))
    order = [columns.index(column) for column in HEADER]

    def rows() -> Iterator[ReadRow]:
        for line, fields in lines:
            where = file.at(line)
            if len(fields) != len(header):
                text = f"{counted(len(fields), 'field')}, expected {len(header)} ({' '.join(header)})"
                raise FormatError(text, where, code="fields")
            system, topic, measure, value = (fields[column] for column in order)
            yield where, named(system, "system", where), named(topic, "topic", where), measure, number(value, where)

    return sort_rows(file, rows(), None)


def read_json(file: Location, text: str) -> ScoreTable:
    """Read the json that ``as_json`` wrote.

    Raises:
        FormatError: it is not JSON.
        InputError: it is not of this shape, or there is no row of a topic.
    """
    first = text.lstrip().partition("\n")
    if first[0].rstrip().endswith("}") and first[2].lstrip().startswith("{"):
        keys = parse_json(file, first[0], line=1)
        message = (
            f"holds objects of JSON, one a line, with {', '.join(map(quoted, keys))}; scores one a line have run_id, "
            "topic_id, measure and value, or query_id, measure and value, without objects and lists"
        )
        raise InputError(message, file, code="layout")
    content = parse_json(file, text)
    if not isinstance(content, Mapping) or not isinstance(content.get("rows"), list):
        text = 'expected {"signature": ..., "rows": [...]}, as evaluate writes it, or topic -> measure -> value'
        if isinstance(content, Mapping):
            keys = ", ".join(map(quoted, [*content][:KEYS_NAMED])) + ", ..." * (len(content) > KEYS_NAMED)
            text = f"its keys are {keys}; {text}"
        raise InputError(text, file, code="layout")
    table = sort_rows(file, _json_rows(file, content["rows"]), content.get("signature"))
    if SEAL not in content:
        return table
    _refuse_broken_seal(file, content)
    return replace(table, seal=str(content[SEAL]))


def _refuse_broken_seal(file: Location, content: Mapping[str, Any]) -> None:
    """Raises: InputError: the file holds something else than what was sealed."""
    try:
        seal = Seal(content.get("signature"))
        for row in content["rows"]:
            cells = {find_column(column): cell for column, cell in row.items()}
            seal.add(_json_line([cells[name] for name in (*HEADER, *ENDS) if name in cells]).encode())
        is_whole = seal.text == content[SEAL]
    except (TypeError, ValueError, OverflowError, RecursionError):
        is_whole = False  # what was sealed has numbers alone, and is not so deep
    if not is_whole:
        raise InputError(
            "was changed since it was written: its seal, a SHA-256 of signature and rows, is that of others; store the "
            "scores anew",
            file,
            code="altered",
        )


def _json_rows(file: Location, objects: Sequence[Any]) -> Iterator[ReadRow]:
    for count, row in enumerate(objects, 1):
        where = file.within(f"row {count}")
        if not isinstance(row, Mapping) or not is_header(list(row)):
            raise FormatError(f"expected an object with {', '.join(HEADER)}", where, code="fields")
        cells = {find_column(column): cell for column, cell in row.items()}
        system, topic, measure, value = (cells[column] for column in HEADER)
        if not all(isinstance(text, str) for text in (system, topic, measure)):
            raise FormatError("system, topic and measure are strings", where, code="id")
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            message = f"the value {quoted(str(value))} is not a number, or null for a missing score"
            raise FormatError(message, where, code="score", value=cut(str(value)))
        score = math.nan if value is None else number(repr(value), where)
        yield where, named(system, "system", where), named(topic, "topic", where), measure, score


def sort_rows(file: Location, rows: Iterable[ReadRow], source: object = None) -> ScoreTable:
    """Sort rows into a table; summaries are left out.

    Args:
        file: that holds them, or the data in memory.
        rows: of each its location, system, topic, measure and value.
        source: signature of what made them; None where nothing is known.

    Raises:
        InputError: a cell has two rows, there is none, or too few for their table.
    """
    cells: dict[tuple[str, str, str], float] = {}
    topics: dict[str, int] = {}
    systems: dict[str, int] = {}
    measures: dict[str, int] = {}
    only_summary: dict[str, None] = {}
    for where, run, topic, measure, value in rows:
        if topic == ALL:
            only_summary[measure] = None
            continue
        cell = measure, topic, run
        if cell in cells:
            text = f"{measure} of system {quoted(run)} on topic {quoted(topic)} occurs twice"
            raise FormatError(text, where, code="duplicate", value=cut(topic))
        cells[cell] = value
        for numbers, new in ((topics, topic), (systems, run), (measures, measure)):
            numbers.setdefault(new, len(numbers))
    if not cells:
        hint = "; it holds summaries only: write scores with --by-topic, or -q of trec_eval" if only_summary else ""
        raise InputError(f"holds no score of a topic{hint}", file, code="no-scores")
    check_density(file, len(cells), (len(systems), len(topics), len(measures)))
    values = np.full((len(measures), len(topics), len(systems)), np.nan)
    for (measure, topic, run), value in cells.items():
        values[measures[measure], topics[topic], systems[run]] = value
    _warn_of_gaps(file, cells, [list(axis) for axis in (measures, topics, systems)], values.size)
    left_out = [measure for measure in only_summary if measure not in measures]
    if left_out:
        warn(f"{file}: {', '.join(map(shown, left_out))} without scores of topics, left out")
    return ScoreTable(tuple(topics), tuple(systems), tuple(Scale.called(name, source) for name in measures), values)


def _warn_of_gaps(
    file: Location, cells: Mapping[tuple[str, str, str], float], axes: Sequence[Sequence[str]], size: int
) -> None:
    if len(cells) < size:
        measures, topics, systems = axes
        first = next((m, t, s) for m in measures for t in topics for s in systems if (m, t, s) not in cells)
        warn(
            f"{file}: {size - len(cells):,} of {size:,} cells have no row and are read as nan (first "
            f"{shown(first[0])} of system {quoted(first[2])} on topic {quoted(first[1])})"
        )


MISSING = ("", "nan", "NaN", "NA")
"""The texts by which files say that a cell has no score."""

ALWAYS, SPARSEST = 1_000_000, 100
"""Cells that a file may always have, and cells that it may have for each of its scores besides."""


def number(text: str, where: Location | str) -> float:
    """A cell's score; NaN for a missing one.

    Raises:
        FormatError: anything but a finite decimal number.
    """
    bare = text.strip()
    if bare in MISSING:
        return math.nan
    if not is_decimal(bare):
        message = (
            f"{quoted(text)} is not a number such as 0.25{explain_number(text.strip()) or '; a missing score is nan'}"
        )
        raise FormatError(message, where, code="score", value=cut(text))
    value = float(bare)
    if not math.isfinite(value):
        raise FormatError(
            f"the score {quoted(text)} is too large for a double", where, code="overflow", value=cut(text)
        )
    return value


def check_density(file: Location, scores: int, shape: tuple[int, int, int]) -> None:
    """Refuse a few scores spread over so many systems, topics and measures that their table would fill the memory.

    Args:
        file: that holds them.
        scores: how many it holds.
        shape: numbers of systems, topics and measures.

    Raises:
        InputError: it is so.
    """
    cells = math.prod(shape)
    if cells > ALWAYS + SPARSEST * scores:
        sizes = " x ".join(map(counted, shape, ("system", "topic", "measure")))
        raise InputError(
            f"{sizes} are {cells:,} cells, and only {counted(scores, 'score')} would fill them "
            f"({scores / cells:.1g} of all): put what was scored together in a file of its own",
            file,
            code="sparse",
        )

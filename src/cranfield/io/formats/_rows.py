"""Rows of files as runs and judgments; errors name the row and the column."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np

from cranfield._message import name_value, setting
from cranfield._text import cut, quoted
from cranfield._typing import Ints
from cranfield._validation import is_decimal
from cranfield.collection.ids import TextColumn, identifier, read_number
from cranfield.collection.nested_rows import read_records
from cranfield.collection.qrels import Qrels, group
from cranfield.collection.run import Run
from cranfield.collection.word_labels import read_word
from cranfield.engine.protocol import Facts
from cranfield.errors import EngineError, InputError, refusal
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io import error_messages
from cranfield.io.formats._format import File, Loaded
from cranfield.io.system_names import warn_of_lookalikes


def no_facts() -> Facts:
    """Nothing noticed yet."""
    return {"noticed": {}}


@dataclass(frozen=True, kw_only=True)
class FileRows:
    """Rows of a file, one a document of a topic.

    Args:
        topic: id of each, as the file has it.
        document: id of each.
        number: score or label of each.
        extra: rank of each, or what TREC's judgments have as field 2; None where there is none.
        where: the location of a row, counted from 0, and what of it is meant: topic, document, score, label or rank.
        lines: number of each row's line, from 1; None where the file is not made of lines.
        texts: whether a number may be written as text, such as "1.5".
        tag: of the run.
        facts: the notices while the file was split into rows.
        system: of each row, where the rows are of several systems, of which each is a run.
        others: the columns that were not read, by their names, for the advice on a document that occurs twice.
    """

    topic: Sequence[Any]
    document: Sequence[Any]
    number: Sequence[Any]
    extra: Sequence[Any] | None = None
    where: Callable[[int, str], Location]
    lines: Sequence[int] | None = None
    texts: bool = False
    tag: str = ""
    facts: Facts = field(default_factory=no_facts)
    system: Sequence[Any] | None = None
    others: Callable[[], Mapping[str, Sequence[Any]]] = dict


def load_rows(file: File, rows: FileRows) -> Loaded:
    """Rows as what the file is read as: a run, runs by their names, or judgments."""
    if rows.system is not None:
        return _split_systems(rows, rows.system), rows.facts
    return make_run(file, rows) if file.kind == "run" else make_qrels(file, rows)


def _split_systems(rows: FileRows, systems: Sequence[Any]) -> dict[str, Run]:
    """Runs by the names of their systems, which keep documents that occur twice until they are judged.

    Raises:
        InputError: an id or a score cannot be used.
    """
    read: dict[str, Sequence[Any]] = {"topic": rows.topic, "document": rows.document, "score": rows.number}
    read |= {} if rows.extra is None else {"rank": rows.extra}
    of_system: dict[str, list[int]] = {}
    for row, system in enumerate(systems):
        of_system.setdefault(str(system), []).append(row)
    return {
        system: Run.from_frame(
            read_records([{name: read[name][row] for name in read} for row in chosen], system), name=system
        )
        for system, chosen in of_system.items()
    }


def make_run(file: File, rows: FileRows) -> Loaded:
    """Rows as a run.

    Raises:
        InputError: an id or a score that cannot be used, a document twice in a topic, or no row at all.
    """
    topics, documents, scores = _checked(file, rows, "score")
    rows_left: dict[bytes, dict[bytes, int]] = {}
    for row, (topic, document) in enumerate(zip(topics, documents, strict=True)):
        of_topic = rows_left.setdefault(topic, {})
        earlier = of_topic.setdefault(document, row)
        if earlier == row:
            continue
        _refuse_or_note(file, rows, row, earlier)
        if scores[row] > scores[earlier]:
            of_topic[document] = row
    order = [row for of_topic in rows_left.values() for row in of_topic.values()]
    run = Run(
        file.name,
        [topic.decode() for topic in rows_left],
        np.cumsum([0, *map(len, rows_left.values())], dtype=np.int64),
        TextColumn.from_bytes([documents[row] for row in order]),
        np.array([scores[row] for row in order], dtype=np.float64),
        None if rows.extra is None else _ranks(rows, rows.extra, order),
        tag=rows.tag,
        path=file.location.path,
        sha256=file.sha256,
    )
    return run, {**rows.facts, "rows": len(topics), "skipped": 0, "tag": rows.tag}


def make_qrels(file: File, rows: FileRows) -> Loaded:
    """Rows as judgments.

    Raises:
        InputError: an id or a label that cannot be used, a document with two labels, or no row at all.
    """
    topics, documents, labels = _checked(file, rows, "label")
    extra = ["0"] * len(topics) if rows.extra is None else rows.extra
    iterations = [_id(rows, row, "intent", value) for row, value in enumerate(extra)]
    facts: Facts = {**rows.facts, "rows": len(topics), "skipped": 0}
    lines = rows.lines or range(1, len(topics) + 1)
    for row, label in enumerate(labels):
        if not label.is_integer():
            notice(facts, "fractional-labels", line=lines[row], value=cut(str(rows.number[row])))
    try:
        columns = group(topics, iterations, documents, labels, lines, facts)
    except EngineError as error:
        row, other = (lines.index(number) for number in (error.line, error.number))
        earlier = rows.where(other, "label")
        text = (
            f"document {quoted(error.more)} of topic {quoted(error.value)} has another label in "
            f"{f'line {earlier.line}' if earlier.line else earlier.part}; keep one of them"
        )
        raise refusal(text, rows.where(row, "label"), code="conflict", value=cut(error.more)) from None
    if rows.lines is None:
        for fact in facts["noticed"].values():
            fact.pop("line", None)
    origin: dict[str, Any] = {"name": file.name, "path": file.location.path, "sha256": file.sha256}
    return Qrels.from_columns(columns, **origin, word_labels=file.labels), facts


JudgmentColumns: TypeAlias = tuple[list[bytes], list[bytes], list[bytes], list[float], list[int]]
"""Topics, contents of field 2, documents, labels and numbers of lines."""


def group_lines(file: File, columns: JudgmentColumns, facts: Facts, expected: str) -> Any:
    """The columns of ``Qrels.from_columns``, of the lines of a file.

    Args:
        file: that holds them.
        columns: a row for each line.
        facts: what was noticed, to which this adds.
        expected: the fields of a line.

    Raises:
        InputError: there is no line, or two contradict each other.
    """
    if not columns[0]:
        raise InputError(f"the file holds no rows, expected {expected}", file.location, code="empty")
    try:
        return group(*columns, facts)
    except EngineError as error:
        raise error_messages.refusal(error, file.location, "qrels", "trec") from None


def _checked(file: File, rows: FileRows, what: str) -> tuple[list[bytes], list[bytes], list[float]]:
    """Ids as bytes and numbers as floats, all of them fit for use."""
    if not len(rows.topic):
        raise InputError("the file holds no rows", file.location, code="empty")
    # Topics repeat, and one that was fit before is fit again.
    known: dict[Any, bytes] = {}
    topics, documents, numbers = [], [], []
    for row, (topic, document, number) in enumerate(zip(rows.topic, rows.document, rows.number, strict=True)):
        fit = known.get(topic) if type(topic) is str else None
        if fit is None:
            fit = _id(rows, row, "topic", topic)
            if type(topic) is str:
                known[topic] = fit
        topics.append(fit)
        documents.append(_id(rows, row, "document", document))
        value = read_word(number, file.labels)
        numbers.append(value if type(value) is float and value - value == 0 else _number(rows, row, what, value))
    warn_of_lookalikes(known, "topic", file.location, str.strip)
    return topics, documents, numbers


def _id(rows: FileRows, row: int, what: str, value: Any) -> bytes:
    try:
        return identifier(value, what, "")
    except InputError as error:
        raise refusal(error.text, rows.where(row, what), code=error.code, value=error.value) from None


def _number(rows: FileRows, row: int, what: str, value: Any) -> float:
    parsed = float(value) if rows.texts and isinstance(value, str) and is_decimal(value.strip()) else value
    try:
        if isinstance(parsed, bool):
            raise InputError(f"the {what} {name_value(value)} is not a number", code=what, value=repr(value))
        return read_number(float(parsed) if isinstance(parsed, Decimal) else parsed, what, "")
    except InputError as error:
        raise refusal(error.text, rows.where(row, what), code=error.code, value=error.value) from None


def _refuse_or_note(file: File, rows: FileRows, row: int, earlier: int) -> None:
    topic, document = str(rows.topic[row]), str(rows.document[row])
    location = rows.where(row, "document")
    if file.on_duplicate == "error":
        text = (
            f"document {quoted(document)} occurs twice in topic {quoted(topic)}: keep one of its rows; "
            f"{setting('on_duplicate=first')} would keep the better-ranked one{_advise_systems(rows, row, earlier)}"
        )
        raise refusal(text, location, code="duplicate", value=cut(document))
    notice(rows.facts, "duplicate", line=location.line, topic=topic, document=document)


def _advise_systems(rows: FileRows, row: int, earlier: int) -> str:
    """The advice to read rows as those of several systems, where a column has one row of a document for each value."""
    keys = list(zip(map(str, rows.topic), map(str, rows.document), strict=True))
    for name, values in rows.others().items():
        texts = [str(value) for value in values]
        if texts[row] != texts[earlier] and len(set(zip(keys, texts, strict=True))) == len(keys):
            return (
                f"; if the column {quoted(name)} names systems, {setting('columns', {'system': name})} separates them"
            )
    return ""


def _ranks(rows: FileRows, ranks: Sequence[Any], order: Sequence[int]) -> Ints | None:
    """Ranks as a column; None where one of them is not an integer of at most 18 digits, which is noticed."""
    integers = []
    for row in order:
        text = str(ranks[row]).removesuffix(".0")
        if re.fullmatch(r"-?[0-9]{1,18}", text):
            integers.append(int(text))
        else:
            notice(rows.facts, "rank-text", line=rows.where(row, "rank").line, value=cut(str(ranks[row])))
    return np.array(integers, dtype=np.int64) if len(integers) == len(order) else None

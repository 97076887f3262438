"""Tables with names of columns as rows of a run or of judgments."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from cranfield._message import setting
from cranfield._text import quoted
from cranfield._validation import is_decimal, is_missing
from cranfield.collection.column_names import find, holds, may_name_systems, rank_alone, resolve, several_systems
from cranfield.collection.frames import (
    FrameTable,
    flat_pools,
    flat_run,
    look_like_ranks,
    minus_ranks,
    other_than_first,
    read_table,
)
from cranfield.collection.ids import TextColumn
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.engine.protocol import Facts
from cranfield.errors import FormatError, InputError, refusal
from cranfield.findings.finding import notice
from cranfield.findings.location import Location
from cranfield.io.error_messages import SCORE_COLUMNS
from cranfield.io.formats._format import File, Loaded
from cranfield.io.formats._rows import FileRows

EXTRA = {"run": "rank", "qrels": "intent"}


def has_columns(file: File, available: Sequence[str]) -> bool:
    """Return whether a header names topics and documents."""
    names = usable_columns(file, available)
    columns = file.columns
    return all(columns.get(role) in names or holds(names, role) for role in ("topic", "document"))


def usable_columns(file: File, available: Sequence[str]) -> list[str]:
    """Columns that may be taken by their names: ``query`` is a text in files, unless it is said to be more."""
    return [name for name in available if name.lower() != "query" or name in file.columns.values()]


def read_table_rows(
    file: File,
    available: Sequence[str],
    column: Callable[[str], Sequence[Any]],
    header: Location,
    lines: Sequence[int] | None = None,
) -> FileRows:
    """A table as rows.

    Args:
        file: that holds it.
        available: names of its columns.
        column: gives the values of one.
        header: where the names are.
        lines: number of each row's line; None where the file is not made of lines.

    Raises:
        InputError: a column is missing, or could be two things, or several systems are in the table.
    """
    names = usable_columns(file, available)
    cells = _read_cells(file, names, column, header, lines)
    if cells is not None:
        return cells
    roles = _resolved(file, names, header)
    _refuse_repeated(available, roles, header)
    facts: Facts = {"noticed": {}}
    topics, extra = column(roles["topic"]), roles.get(EXTRA[file.kind])

    def where(row: int, role: str) -> Location:
        location = file.location.at(lines[row]) if lines is not None else file.location.within(f"row {row + 1:,}")
        return location.within(f"column {quoted(roles[role])}") if role in roles else location

    system = _read_several(file, names, roles, column, where) if file.kind == "run" else None
    further = [name for name in names if name not in roles.values()]
    return FileRows(
        system=system,
        others=lambda: {name: column(name) for name in further},
        topic=topics,
        document=column(roles["document"]),
        number=_numbers(file, roles, topics, column, where, facts),
        extra=None if extra is None else column(extra),
        where=where,
        lines=lines,
        texts=True,
        facts=facts,
    )


def _read_cells(
    file: File,
    names: Sequence[str],
    column: Callable[[str], Sequence[Any]],
    header: Location,
    lines: Sequence[int] | None,
) -> FileRows | None:
    """Rows of topics whose cells list several documents: a run by their order, or judgments with label 1.

    None where numbers are beside documents, a topic has several rows, or no cell holds several ids.
    """
    has_numbers = holds(names, file.number, file.columns) or (file.kind == "run" and rank_alone(names, file.columns))
    if has_numbers or not all(holds(names, role, file.columns) for role in ("topic", "document")):
        return None
    chosen = {role: find(names, role, file.columns, owner="the file") for role in ("topic", "document")}
    topics, cells = (column(str(chosen[role])) for role in ("topic", "document"))
    lists = [re.sub(r"[\[\]'\",;]", " ", cell).split() for cell in cells if isinstance(cell, str)]
    if len(set(topics)) < len(topics) or len(lists) < len(cells) or all(len(ids) < 2 for ids in lists):
        return None
    rows = [(at, rank, document) for at, ids in enumerate(lists) for rank, document in enumerate(ids, 1)]
    is_run = file.kind == "run"
    facts: Facts = {"noticed": {}}
    notice(facts, "ids-in-cells", len(rows), column=str(chosen["document"]))
    for topic, ids in zip(topics, lists, strict=True):
        if not ids:
            notice(facts, "empty-lists", topic=str(topic))

    def where(row: int, role: str) -> Location:
        at = rows[row][0]
        location = file.location.at(lines[at]) if lines is not None else file.location.within(f"row {at + 1:,}")
        return location.within(f"column {quoted(str(chosen.get(role, chosen['document'])))}")

    return FileRows(
        topic=[topics[at] for at, _, _ in rows],
        document=[document for _, _, document in rows],
        number=[-float(rank) if is_run else 1.0 for _, rank, _ in rows],
        extra=[rank for _, rank, _ in rows] if is_run else None,
        where=where,
        lines=None if lines is None else [lines[at] for at, _, _ in rows],
        facts=facts,
    )


def read_record_rows(file: File, records: Sequence[dict[str, Any]]) -> FileRows:
    """A list of objects as rows: the keys of the first one are the columns.

    Raises:
        InputError: see ``read_table_rows``; or an object has other keys than the first one.
    """
    names = list(records[0])
    for number, record in enumerate(records, 1):
        if record.keys() != records[0].keys():
            odd = next(iter(record.keys() ^ records[0].keys()))
            text = f"the key {quoted(odd)} is not in every object; the first has {', '.join(map(quoted, names))}"
            raise InputError(text, file.location.within(f"object {number:,}"), code="fields", value=odd[:80])
    return read_table_rows(file, names, lambda name: [record[name] for record in records], file.location)


def refuse_unknown_objects(file: File) -> None:
    """Raises: InputError: the lines of a file are objects, of whose keys none is known to be a topic or a document."""
    first = file.first_object
    if first and not any(isinstance(value, dict) for value in first.values()) and file.has_more_objects:
        raise unknown_columns(file, list(first), "these are objects of JSON, one a line")


def refuse_unknown_table(file: File) -> None:
    """Refuse text with commas, semicolons or tabs under names of columns that are not known.

    Raises:
        FormatError: it is such a table.
    """
    lines = [line.decode(errors="replace").strip() for line in file.bare_text.split(b"\n", 2)[:2]]
    for mark, separators in ((";", "semicolons"), (",", "commas"), ("\t", "tabs")):
        names = [name.strip(' "') for name in lines[0].split(mark)]
        alike = len(names) > 1 and len(lines) > 1 and lines[1].count(mark) == lines[0].count(mark)
        # Lines of TREC's have a number in every one, and blanks between their fields.
        if not alike or any(map(is_decimal, names)) or (mark == "\t" and len(names) in (4, 6)):
            continue
        if set(names) >= SCORE_COLUMNS:
            return
        if mark != "\t" and not any(map(is_decimal, lines[1].split(mark))) and len(lines[1].split()) > 1:
            continue
        if mark == ";":
            text_ = f"this is a table with semicolons between its columns, which are {', '.join(map(quoted, names))}"
            raise FormatError(
                f"{text_}; write it with commas or tabs", file.location.at(1), code="column", value=names[0]
            )
        raise unknown_columns(file, names, f"this is a table with {separators} between its columns")


def unknown_columns(file: File, names: Sequence[str], what: str) -> InputError:
    """The error about a table none of whose columns is known to hold topics or documents."""
    usable = usable_columns(file, names)
    roles = ["topic", "document", file.number]
    if file.kind == "qrels" and len(names) == 2:  # judgments need no labels
        roles.pop()
    missing = [role for role in roles if not holds(usable, role, file.columns)]
    if not missing:  # what the caller names is not there, or two columns could be meant
        try:
            resolve(usable, file.number, file.columns, owner="the file")
        except InputError as error:
            return refusal(error.text, file.location.at(1), code=error.code, value=error.value)
    named = ",".join(f"{role}=NAME" for role in missing)
    text = (
        f"{what}; of its columns {', '.join(map(quoted, names))} none is known as {' or '.join(missing)}: "
        f"name it, --columns {named}, in Python columns={{{', '.join(f'{role!r}: ...' for role in missing)}}}"
    )
    return refusal(text, file.location.at(1), code="column", value=names[0][:80])


def _numbers(
    file: File,
    roles: dict[str, str],
    topics: Sequence[Any],
    column: Callable[[str], Sequence[Any]],
    where: Callable[[int, str], Location],
    facts: Facts,
) -> Sequence[Any]:
    """Scores or labels; minus the rank where a run has no scores, and 1 where judgments have no labels.

    Raises:
        InputError: a rank that stands for a score is not a whole number.
    """
    number = roles.get(file.number)
    if number is not None:
        if number == file.columns.get("score") and look_like_ranks(lambda: topics, column(number), number):
            notice(facts, "ranks-as-scores", value=number)
        return column(number)
    if file.kind == "run":
        notice(facts, "ranks-alone", len(topics))
        return minus_ranks(column(roles["rank"]), lambda row: where(row, "rank"), roles["rank"])
    notice(facts, "no-labels", len(topics))
    return [1.0] * len(topics)


def plain_run(
    file: File, available: Sequence[str], read: Callable[[list[str]], Any], header: Location
) -> Loaded | None:
    """A run from Arrow's memory, with no object of Python's for a row.

    None where a column is not plain (ids are text or whole numbers, scores finite numbers), or there is something to
    be said of a row: ``make_run`` says it.

    Args:
        file: that holds it.
        available: names of its columns.
        read: gives a frame of some of them.
        header: where the names are.

    Raises:
        InputError: a column is missing, or could be two things.
    """
    table, roles = _plain_table(file, available, read, header, ("topic", "document", "score", "rank"))
    flat = None if table is None else flat_run(table, roles)
    if flat is None or not len(flat[4]) or ("rank" in roles and flat[5] is None):
        return None
    topics, starts, data, offsets, score, rank = flat
    if "score" in file.columns and (score % 1 == 0).all():  # these may be ranks, which is looked at row by row
        return None
    documents, path = TextColumn(data, offsets), file.location.path
    run = Run(file.name, topics, starts, documents, score, rank, path=path, sha256=file.sha256)
    try:
        run.check_unrepeated()
    except InputError:
        return None
    return run, {"noticed": {}, "rows": len(run), "skipped": 0, "tag": ""}


def plain_qrels(
    file: File, available: Sequence[str], read: Callable[[list[str]], Any], header: Location
) -> Loaded | None:
    """Judgments likewise, where labels are whole numbers and no document is judged twice.

    Raises:
        InputError: a column is missing, or could be two things.
    """
    table, roles = _plain_table(file, available, read, header, ("topic", "document", "label", "intent"))
    flat = None if table is None else flat_pools(table, roles)
    if table is None or flat is None:
        return None
    rows, placeholder = flat
    label = rows[-1]
    if not len(label) or len(label) < len(table[roles["label"]]) or (label % 1 != 0).any():
        return None
    qrels = Qrels.from_plain(rows, placeholder, name=file.name, path=file.location.path, sha256=file.sha256)
    return qrels, {"noticed": {}, "rows": len(label), "skipped": 0}


def _plain_table(
    file: File,
    available: Sequence[str],
    read: Callable[[list[str]], Any],
    header: Location,
    roles: tuple[str, ...],
) -> tuple[FrameTable | None, dict[str, str]]:
    """The columns that have these roles; none of rows of several systems, or without numbers."""
    names = usable_columns(file, available)
    resolved = _resolved(file, names, header)
    naming = may_name_systems(names, file.columns) if file.kind == "run" else []
    several = not all(_is_alike(read_table(read([name])), name) for name in naming)
    if several or "system" in resolved or file.number not in resolved:
        return None, {}
    chosen = {role: name for role, name in resolved.items() if role in roles}
    return read_table(read(list(dict.fromkeys(chosen.values())))), chosen


def _is_alike(table: FrameTable, name: str) -> bool:
    """Return whether a column is known to hold one value alone."""
    try:
        return other_than_first(table[name].tolist()) is None
    except InputError:  # a list or a structure
        return False


def _resolved(file: File, available: Sequence[str], header: Location) -> dict[str, str]:
    """Role -> column; without a label where judgments have topics and documents and nothing else, as BEIR's may, and
    without a score where a run has ranks instead.
    """
    try:
        rank = rank_alone(available, file.columns) if file.kind == "run" else None
        if rank is not None:
            others = {role: name for role, name in file.columns.items() if role != "rank"}
            resolved = resolve(available, "score", {**others, "score": rank}, owner="the file")
            return {"rank" if role == "score" else role: name for role, name in resolved.items()}
        if file.kind == "qrels" and len(available) == 2 and "label" not in file.columns:
            pair = {role: find(available, role, file.columns, owner="the file") for role in ("topic", "document")}
            if None not in pair.values():
                return {role: str(name) for role, name in pair.items()}
        return resolve(available, file.number, file.columns, owner="the file")
    except InputError as error:
        raise refusal(error.text, header, code=error.code, value=error.value) from None


def _refuse_repeated(available: Sequence[str], roles: dict[str, str], header: Location) -> None:
    """Raises: InputError: a column that is read is there twice."""
    for name in roles.values():
        if list(available).count(name) > 1:
            text = f"two columns are called {quoted(name)}; rename one, or leave it out"
            raise refusal(text, header, code="column", value=name)


def _refuse_unnamed(systems: Sequence[Any], where: Callable[[int, str], Location]) -> None:
    """Raises: InputError: a row of several systems names none."""
    for row, system in enumerate(systems):
        if is_missing(system) or not str(system).strip():
            raise refusal("the row names no system, and others do", where(row, "system"), code="id")


def _read_several(
    file: File,
    names: Sequence[str],
    roles: dict[str, str],
    column: Callable[[str], Sequence[Any]],
    where: Callable[[int, str], Location],
) -> Sequence[Any] | None:
    """The system of each row where a column names several, and each is read as a run; None of rows of one system.

    Raises:
        InputError: a column names several systems, or seems to, and one run is read; or a row of several names none.
    """
    for name in [roles["system"]] if "system" in roles else may_name_systems(names, file.columns):
        values = column(name)
        row = other_than_first(values)
        if row is None:
            continue
        if "system" in roles:
            _refuse_unnamed(values, where)
            if file.several:
                return values
        first, second = str(values[0]), str(values[row])
        remedy = f"{setting('columns', {'system': name})} reads each as a run of its own, and FILE#SYSTEM one"
        if file.columns.get("system") == name:
            text = f"the rows are of several systems, {quoted(first)} and {quoted(second)}, and one run is read here"
            text += ": name it as FILE#SYSTEM, or put each in a file of its own"
        elif "system" in roles:
            text = f"the rows are of several systems, {quoted(first)} and {quoted(second)}: {remedy}"
        else:
            text = several_systems(name, first, second, remedy)
        location = where(row, "system") if "system" in roles else where(row, "")
        raise refusal(text, location, code="several-systems", value=second[:80])
    return None

"""Tables with names of columns as rows of a run or of judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cranfield.collection.columns import find, holds, resolve
from cranfield.collection.frames import flat_pools, flat_run
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.collection.tables import Table, table_of
from cranfield.collection.text import TextColumn
from cranfield.compiled import compiled
from cranfield.errors import InputError, refusal
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.findings.place import Place
from cranfield.io.formats._format import File, LoadedQrels, LoadedRun
from cranfield.io.formats._rows import Rows
from cranfield.wording import quoted

NUMBER = {"run": "score", "qrels": "label"}
EXTRA = {"run": "rank", "qrels": "intent"}


def has_columns(file: File, available: Sequence[str]) -> bool:
    """Whether a header names topics and documents."""
    names = _usable(file, available)
    given = file.columns
    return all(given[role] in names if role in given else holds(names, role) for role in ("topic", "document"))


def _usable(file: File, available: Sequence[str]) -> list[str]:
    """Columns that may be taken by their names: ``query`` is a text in files, unless it is said to be more."""
    return [name for name in available if name != "query" or name in file.columns.values()]


def rows_of_table(
    file: File,
    available: Sequence[str],
    column: Callable[[str], Sequence[Any]],
    header: Place,
    lines: Sequence[int] | None = None,
) -> Rows:
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
    found = _resolved(file, _usable(file, available), header)
    facts: Facts = {"noticed": {}}
    topics, extra = column(found["topic"]), found.get(EXTRA[file.kind])
    number = found.get(NUMBER[file.kind])
    if number is None:
        notice(facts, "no-labels", len(topics))

    def where(row: int, role: str) -> Place:
        place = file.place.at(lines[row]) if lines is not None else file.place.within(f"row {row + 1:,}")
        return place.within(f"column {quoted(found[role])}") if role in found else place

    if "system" in found:
        _refuse_several(column(found["system"]), where)
    return Rows(
        topic=topics,
        document=column(found["document"]),
        number=[1.0] * len(topics) if number is None else column(number),
        extra=None if extra is None else column(extra),
        where=where,
        lines=lines,
        texts=True,
        facts=facts,
    )


def plain_run(
    file: File, available: Sequence[str], read: Callable[[list[str]], Any], header: Place
) -> LoadedRun | None:
    """A run from Arrow's memory, with no object of Python's for a row.

    None where a column is not plain (ids are text or whole numbers, scores finite numbers), or there is something to
    be said of a row: ``run_of`` says it.

    Args:
        file: that holds it.
        available: names of its columns.
        read: gives a frame of some of them.
        header: where the names are.

    Raises:
        InputError: a column is missing, or could be two things.
    """
    table, wanted = _plain_table(file, available, read, header, ("topic", "document", "score", "rank"))
    engine = compiled()
    flat = None if table is None or engine is None else flat_run(table, engine, wanted)
    if flat is None or not len(flat[4]) or ("rank" in wanted and flat[5] is None):
        return None
    topics, starts, data, offsets, score, rank = flat
    documents, path = TextColumn(data, offsets), file.place.path
    run = Run(file.name, topics, starts, documents, score, rank, path=path, sha256=file.sha256)
    try:
        run.check_unrepeated()
    except InputError:
        return None
    return run, {"noticed": {}, "rows": len(run), "skipped": 0, "tag": ""}


def plain_qrels(
    file: File, available: Sequence[str], read: Callable[[list[str]], Any], header: Place
) -> LoadedQrels | None:
    """Judgments likewise, where labels are whole numbers and no document is judged twice.

    Raises:
        InputError: a column is missing, or could be two things.
    """
    table, wanted = _plain_table(file, available, read, header, ("topic", "document", "label", "intent"))
    engine = compiled()
    flat = None if table is None or engine is None else flat_pools(table, engine, wanted)
    if table is None or flat is None:
        return None
    (topics, starts, data, offsets, label), placeholder = flat
    if not len(label) or len(label) < len(table[wanted["label"]]) or (label % 1 != 0).any():
        return None
    columns = {
        **{"topics": topics, "starts": starts, "data": data, "offsets": offsets, "grade": label.copy()},
        **{"document": np.arange(len(label)), "iteration": np.zeros(len(label), dtype=np.int64), "label": label},
        "iterations": [placeholder],
    }
    qrels = Qrels.from_columns(columns, name=file.name, path=file.place.path, sha256=file.sha256)
    return qrels, {"noticed": {}, "rows": len(label), "skipped": 0}


def _plain_table(
    file: File,
    available: Sequence[str],
    read: Callable[[list[str]], Any],
    header: Place,
    roles: tuple[str, ...],
) -> tuple[Table | None, dict[str, str]]:
    """The columns that have these roles; none of rows of several systems, or without numbers."""
    found = _resolved(file, _usable(file, available), header)
    if compiled() is None or "system" in found or NUMBER[file.kind] not in found:
        return None, {}
    wanted = {role: name for role, name in found.items() if role in roles}
    return table_of(read(list(dict.fromkeys(wanted.values())))), wanted


def _resolved(file: File, available: Sequence[str], header: Place) -> dict[str, str]:
    """Role -> column; without a label where judgments have topics and documents and nothing else, as BEIR's may."""
    try:
        if file.kind == "qrels" and len(available) == 2 and "label" not in file.columns:
            found = {role: find(available, role, file.columns, place="the file") for role in ("topic", "document")}
            if None not in found.values():
                return {role: str(name) for role, name in found.items()}
        return resolve(available, NUMBER[file.kind], file.columns, place="the file")
    except InputError as error:
        raise refusal(error.text, header, code=error.code, value=error.value) from None


def _refuse_several(systems: Sequence[Any], where: Callable[[int, str], Place]) -> None:
    other = next((row for row, system in enumerate(systems) if system != systems[0]), None)
    if other is not None:
        text = (
            f"the rows are of several systems, {quoted(str(systems[0]))} and {quoted(str(systems[other]))}: put each "
            "in a file of its own, or give cranfield.evaluate the data frame"
        )
        raise refusal(text, where(other, "system"), code="several-systems", value=str(systems[other])[:80])

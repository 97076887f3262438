"""Tables with names of columns as rows of a run or of judgments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cranfield.collection.columns import find, holds, resolve
from cranfield.errors import InputError, refusal
from cranfield.facts import Facts
from cranfield.findings.noticing import notice
from cranfield.findings.place import Place
from cranfield.io.formats._format import File
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

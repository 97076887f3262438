"""Rows in the other shapes that people use beside dicts of dicts: ranked lists by topic, tuples, and lists of dicts.

A tuple is (topic, document, number), or its fields have names of ``cranfield.collection.column_names``, as those of
ir_measures have.
"""

from __future__ import annotations

import functools
import glob
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from cranfield._text import quoted
from cranfield._validation import is_series
from cranfield.collection.column import ObjectCells
from cranfield.collection.column_names import ColumnNames, holds, may_name_systems, rank_alone, resolve
from cranfield.collection.frames import FrameTable
from cranfield.collection.ids import RowLocations, quoted_id, refuse_equal_keys
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import STDIN

NestedRows = list[tuple[Any, Any, Any]]


def is_ranked(entries: Sequence[Any]) -> bool:
    """Return whether a list ranks documents, or pairs with their scores; it may also hold runs, or files that exist."""
    if not entries:
        return False
    if all(isinstance(entry, tuple) and len(entry) == 2 for entry in entries):
        return not any(isinstance(document, tuple) for document, _ in entries)
    return all(_is_id(entry) for entry in entries) and not (isinstance(entries[0], str) and _is_file(entries[0]))


def is_rows(value: object, *, words: bool = False) -> bool:
    """A list of tuples, one a row: the first one tells; ``words``: whether its number may be a word."""
    if not isinstance(value, (list, tuple)) or not value or not isinstance(value[0], tuple):
        return False
    row = value[0]
    if hasattr(row, "_fields"):
        return holds(row._fields, "topic")
    return len(row) == 3 and (row[2] is None or hasattr(row[2], "__float__") or (words and isinstance(row[2], str)))


def is_records(value: object) -> bool:
    """A list of dicts, one a row: the first one has a topic and a document among its keys, and no dict."""
    if not isinstance(value, (list, tuple)) or not value or not isinstance(value[0], Mapping):
        return False
    names = [name for name in value[0] if isinstance(name, str)]
    nested = any(isinstance(item, Mapping) for item in value[0].values())
    return not nested and holds(names, "topic") and holds(names, "document")


def read_records(records: Sequence[Mapping[str, Any]], name: str) -> FrameTable:
    """A list of dicts as a table, whose columns are the keys of the first one.

    Raises:
        InputError: a dict has other keys than the first one.
    """
    for number, record in enumerate(records, 1):
        if not isinstance(record, Mapping) or record.keys() != records[0].keys():
            text = f"the row is not a dict with the keys of the first one, {', '.join(map(quoted, records[0]))}"
            raise InputError(text, f"{name}, row {number}", code="fields")
    return FrameTable(list(records[0]), lambda column: ObjectCells([record[column] for record in records]))


def read_named_tuples(rows: Sequence[Any], columns: ColumnNames = None) -> FrameTable | None:
    """Tuples with names for their fields as a table, where more than topic, document and score is in them.

    That is a system, or a rank instead of a score, or what a caller names. None of all others.
    """
    names = list(getattr(rows[0], "_fields", ()))
    if not names or not (columns or rank_alone(names) or may_name_systems(names) or "system" in names):
        return None
    if any(type(row) is not type(rows[0]) for row in rows):
        return None
    return FrameTable(names, lambda column: ObjectCells([getattr(row, column) for row in rows]))


def read_lists(lists: Mapping[Any, Any], name: str) -> tuple[NestedRows, Callable[[], RowLocations]]:
    """(topic, document, score) of topic -> ranked list, and what says where each is; a document alone scores minus its
    rank.

    Raises:
        InputError: some lists hold scores and others none, or a topic has no list.
    """
    rows: NestedRows = []
    ranks: list[int] = []
    scored = None
    if not isinstance(lists, Mapping):
        raise UsageError(f"{type(lists).__name__} is not topic -> ranked list of documents")
    refuse_equal_keys(lists, name, "topic")
    for topic, ranked in lists.items():
        if not isinstance(ranked, (list, tuple)):
            text = f"topic {quoted_id(topic)} holds the type {type(ranked).__name__}, others hold ranked lists"
            raise InputError(f"{name}: {text}", code="score", value=str(topic))
        for rank, entry in enumerate(ranked, 1):
            pair = isinstance(entry, tuple) and len(entry) == 2
            if scored is None:
                scored = pair
            if pair != scored:
                text = "some documents have scores and others none: give (document, score) everywhere or nowhere"
                raise InputError(text, f"{name}, topic {quoted_id(topic)}, rank {rank}", code="score")
            rows.append((topic, *entry) if pair else (topic, entry, -float(rank)))
            ranks.append(rank)

    def locations() -> RowLocations:
        where = zip(rows, ranks, strict=True)
        return [(f"{name}, topic {quoted_id(topic)}, rank {rank}",) * 3 for (topic, *_), rank in where]

    return rows, locations


def list_given_rows(rows: Any) -> list[Any]:
    """Raises: UsageError: something that holds no rows."""
    if not is_series(rows) or isinstance(rows, (str, bytes, Mapping)):
        raise UsageError(f"{type(rows).__name__} is not rows such as (topic, document, score)")
    return list(rows)


def read_tuples(tuples: Iterable[Any], value: Literal["score", "label"], name: str) -> list[tuple[Any, ...]]:
    """(topic, document, number, field 2) of each tuple; field 2 is "0" where there is none.

    Raises:
        InputError: a row that is not such a tuple; rows count from 1.
    """
    rows = []
    for number, row in enumerate(list_given_rows(tuples), 1):
        if number == 1 and "iprob" in getattr(row, "_fields", ()):
            text = "they are a sample with inclusion probabilities, which no measure here uses, and without which "
            text += "scores would be biased; for the labels alone give (topic, document, label) of each"
            raise InputError(text, name, code="sampled")
        picked = _find_fields(type(row), value) if isinstance(row, tuple) else None
        if picked is not None and len(row) > max(picked[:3]):
            topic, document, number_field, extra = picked
            rows.append((row[topic], row[document], row[number_field], "0" if extra is None else row[extra]))
        else:
            text = f"{row!r:.80} is not (topic, document, {value})"
            raise InputError(text, f"{name}, row {number}", code=value, value=f"{row!r:.80}")
    return rows


@functools.lru_cache
def _find_fields(kind: type, value: Literal["score", "label"]) -> tuple[int, int, int, int | None] | None:
    """Return which fields of a tuple are topic, document, number and field 2."""
    fields = list(getattr(kind, "_fields", ()))
    if not fields:
        return 0, 1, 2, None
    try:
        roles = resolve(fields, value)
    except InputError:
        return None
    extra = roles.get("intent") if value == "label" else None
    topic, document, number_field = (fields.index(roles[role]) for role in ("topic", "document", value))
    return topic, document, number_field, None if extra is None else fields.index(extra)


def _is_id(value: object) -> bool:
    return isinstance(value, str) or (hasattr(value, "__index__") and not isinstance(value, bool))


def _is_file(name: str) -> bool:
    try:
        exists = os.path.exists(name) or (glob.has_magic(name) and glob.glob(name))  # noqa: PTH110, PTH207
        return name == STDIN or bool(exists)
    except ValueError:
        return False

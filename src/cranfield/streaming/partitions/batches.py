"""The rows of a file of a data set, batch by batch, as columns that the engine takes: ids and finite numbers."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import numpy as np

from cranfield._optional import pa, pq
from cranfield._text import quoted, shown
from cranfield._typing import Floats
from cranfield.collection.column import ColumnValues, NumberCells
from cranfield.collection.frames import FrameTable, read_table
from cranfield.collection.ids import LONGEST, TextColumn, identifier, read_number
from cranfield.engine.protocol import IdColumn
from cranfield.errors import InputError
from cranfield.io.filesystem import reachable, unreachable
from cranfield.io.parquet_size import count_rows_within
from cranfield.streaming.partitions.fragment import FORMS, Fragment
from cranfield.streaming.partitions.ipc_size import refuse_large_batches, rows_of_text_within

SMALL = 16 << 20
"""Bytes of a file elsewhere whose pages are looked at before they are fetched; each takes a request."""


class Batch(NamedTuple):
    """Consecutive rows of a file; the first is row ``first`` of the file, from 0."""

    topics: IdColumn
    documents: IdColumn
    number: Floats
    first: int


def batches(fragment: Fragment, kinds: IntegerIds, size: int) -> Iterator[Batch]:
    """All rows in order, at most ``size`` at a time.

    Raises:
        InputError: it cannot be read, or a value cannot be used.
    """
    with readable(fragment):
        for first, batch in record_batches(fragment, list(dict.fromkeys(fragment.roles.values())), size):
            yield Batch(*read_columns(read_table(batch), fragment, kinds, first, batch.num_rows), first)


def topic_columns(fragment: Fragment, kinds: IntegerIds, size: int) -> Generator[tuple[IdColumn, int], None, None]:
    """The topics of all rows, at most ``size`` at a time, with the number of the first row of each part."""
    with readable(fragment):
        for first, batch in record_batches(fragment, [fragment.roles["topic"]], size):
            yield read_ids(read_table(batch), "topic", fragment, kinds, first, batch.num_rows), first


def first_topics(fragment: Fragment, kinds: IntegerIds, size: int) -> IdColumn:
    """The topics of the first rows, at most ``size`` of them."""
    columns = topic_columns(fragment, kinds, size)
    with closing(columns):
        return next(columns, (np.empty(0, dtype=np.int64), 0))[0]


def numbers(fragment: Fragment, size: int) -> Iterator[Floats]:
    """The scores or labels of all rows, at most ``size`` at a time."""
    role = fragment.number_role
    with readable(fragment):
        for first, batch in record_batches(fragment, [fragment.roles[role]], size):
            yield number_column(read_table(batch), role, fragment, first, batch.num_rows)


def topics_and_numbers(fragment: Fragment, kinds: IntegerIds, size: int) -> Iterator[tuple[IdColumn, Floats]]:
    """Topics and scores or labels of all rows, at most ``size`` at a time, without the documents."""
    role = fragment.number_role
    with readable(fragment):
        for first, batch in record_batches(fragment, [fragment.roles["topic"], fragment.roles[role]], size):
            table, rows = read_table(batch), batch.num_rows
            topics = read_ids(table, "topic", fragment, kinds, first, rows)
            yield topics, number_column(table, role, fragment, first, rows)


def record_batches(fragment: Fragment, names: list[str], size: int) -> Iterator[tuple[int, Any]]:
    """Batches of PyArrow's, and the number of the first row of each."""
    names = [name for name in names if name not in fragment.constants]
    if fragment.form == "ipc":
        yield from _ipc_batches(fragment, names, size)
        return
    with fragment.system.open_input_file(fragment.path) as source:
        file = pq.ParquetFile(source, pre_buffer=not fragment.is_local)
        for group in fragment.groups or ():
            first, rows = group.first, size
            if fragment.is_local or fragment.size <= SMALL:
                rows = count_rows_within(file, source, names, group.number, fragment.location, most=size)
            for batch in file.iter_batches(rows, [group.number], names, use_threads=False):
                batch.validate(full=True)  # PyArrow looks at no text by itself: whether it is UTF-8
                yield first, batch
                first += batch.num_rows


def _ipc_batches(fragment: Fragment, names: list[str], size: int) -> Iterator[tuple[int, Any]]:
    with fragment.system.open_input_file(fragment.path) as source:
        refuse_large_batches(source, fragment.location, packed=fragment.size)
        file, first = pa.ipc.open_file(source), 0
        for number in range(file.num_record_batches):
            batch_of_file = file.get_batch(number).select(names)
            batch_of_file.validate(full=True)
            rows = rows_of_text_within(batch_of_file, size)
            for start in range(0, batch_of_file.num_rows, rows):
                batch = batch_of_file.slice(start, rows)
                yield first, batch
                first += batch.num_rows


@contextmanager
def readable(fragment: Fragment) -> Iterator[None]:
    """Translate errors of PyArrow or a file system into ours.

    Raises:
        InputError: the file is damaged.
        OSError: it cannot be reached, which may pass.
    """
    try:
        with reachable(fragment.name):
            yield
    except InputError:
        raise
    except (
        pa.ArrowInvalid,
        pa.ArrowTypeError,
        pa.ArrowNotImplementedError,
        pa.ArrowKeyError,
        UnicodeDecodeError,
    ) as error:
        raise damaged(fragment, error) from None
    except OSError as error:
        if type(error) is OSError and error.errno is None:  # how PyArrow says that bytes make no sense
            raise damaged(fragment, error) from None
        raise


@contextmanager
def readable_now(fragment: Fragment) -> Iterator[None]:
    """As ``readable``, where nobody tries again: an address that cannot be reached is refused.

    Raises:
        InputError: the file is damaged, or its address cannot be reached.
        OSError: it is a file of this machine, which cannot be read.
    """
    try:
        with readable(fragment):
            yield
    except OSError as error:
        if fragment.is_local:
            raise
        raise unreachable(fragment.name, error) from None


def damaged(fragment: Fragment, error: Exception) -> InputError:
    """The error for a file that is not in its format."""
    message = shown(str(error).strip().partition("\n")[0], 200)
    return InputError(
        f"the {FORMS[fragment.form]} data are damaged: {message}; copy or write the file again",
        fragment.location,
        code="damaged",
    )


class IntegerIds(NamedTuple):
    """Kinds of the ids of topics and documents: True if integers in all files of run and judgments, False if text."""

    topic: bool
    document: bool


def read_columns(
    batch: FrameTable, fragment: Fragment, kinds: IntegerIds, first: int, rows: int
) -> tuple[IdColumn, IdColumn, Floats]:
    """Topics, documents and numbers of a batch with ``rows`` rows, the first of which is row ``first`` of its file.

    Raises:
        InputError: a value cannot be used; it is named with its row group and row.
    """
    topics, documents = (read_ids(batch, role, fragment, kinds, first, rows) for role in ("topic", "document"))
    return topics, documents, number_column(batch, fragment.number_role, fragment, first, rows)


def read_ids(batch: FrameTable, role: str, fragment: Fragment, kinds: IntegerIds, first: int, rows: int) -> IdColumn:
    """Topics or documents of a batch.

    Raises:
        InputError: one is not an id.
    """
    integer = kinds.topic if role == "topic" else kinds.document
    name = fragment.roles[role]
    if name in fragment.constants:
        return _repeated(fragment.constants[name], integer, rows)
    cells = _cells(batch, name, fragment)
    if integer:
        if isinstance(cells, NumberCells) and cells.valid is None and cells.values.dtype.kind in "iu":
            values = cells.values
            if values.dtype != np.uint64 or not len(values) or int(values.max()) < 1 << 63:
                return np.ascontiguousarray(values, dtype=np.int64)
        return _checked_integers(cells, role, fragment, first)
    ids = cells.ids()
    if ids is not None and _are_valid(ids):
        return ids
    encoded = [_identifier(value, role, fragment, first + row) for row, value in enumerate(cells.tolist())]
    column = TextColumn.from_bytes(encoded)
    return column.data, column.offsets


def _are_valid(ids: IdColumn) -> bool:
    """Tell whether no id is empty, too long, or holds a NUL; PyArrow has checked that they are text."""
    if not isinstance(ids, tuple):
        return False
    lengths = np.diff(ids[1])
    return bool(((lengths > 0) & (lengths <= LONGEST)).all() and ids[0].all())


def _identifier(value: Any, role: str, fragment: Fragment, row: int) -> bytes:
    if value is None:
        name = quoted(fragment.roles[role])
        text = f"there is no {role} id (null in column {name}); give every row an id, or leave the row out"
        raise InputError(text, fragment.where(row), code="id", value="null")
    return identifier(value, role, fragment.where(row).within(f"column {quoted(fragment.roles[role])}"))


def _checked_integers(cells: ColumnValues, role: str, fragment: Fragment, first: int) -> IdColumn:
    """Integers one by one, which refuses all but those of other types."""
    values = cells.tolist()
    for row, value in enumerate(values):
        _identifier(value, role, fragment, first + row)
        if not -(1 << 63) <= int(value) < 1 << 63:
            text = f"the {role} id {value} is too large for a whole number of 64 bits; write the column as text"
            raise InputError(text, fragment.where(first + row), code="id", value=str(value))
    return np.array(values, dtype=np.int64)


def number_column(batch: FrameTable, role: str, fragment: Fragment, first: int, rows: int) -> Floats:
    """Scores or labels of a batch.

    Raises:
        InputError: one is not a finite number.
    """
    name = fragment.roles[role]
    if name in fragment.constants:
        return np.full(rows, float(fragment.constants[name]))
    cells = _cells(batch, name, fragment)
    numbers = cells.numbers()
    if numbers is not None and np.isfinite(numbers).all():
        return numbers
    values = [_number(value, role, fragment, first + row) for row, value in enumerate(cells.tolist())]
    return np.array(values, dtype=np.float64)


def _number(value: Any, role: str, fragment: Fragment, row: int) -> float:
    column = f"column {quoted(fragment.roles[role])}"
    if value is None:
        text = f"there is no {role} (null in {column}); give every row a number, or leave the row out"
        raise InputError(text, fragment.where(row), code=role, value="null")
    return read_number(value, role, fragment.where(row).within(column))


def _cells(table: FrameTable, name: str, fragment: Fragment) -> ColumnValues:
    try:
        return table[name]
    except InputError as error:
        raise InputError(error.text, fragment.location, code=error.code, value=error.value) from None


def _repeated(value: Any, integer: bool, rows: int) -> IdColumn:
    if integer:
        return np.full(rows, int(value), dtype=np.int64)
    text = str(value).encode()
    return np.frombuffer(text * rows, dtype=np.uint8), np.arange(rows + 1, dtype=np.int64) * len(text)

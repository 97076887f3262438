"""The rows of a file of a data set, batch by batch."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from typing import Any, NamedTuple

import numpy as np

from cranfield._text import shown
from cranfield._typing import Floats
from cranfield.collection.frames import table_of
from cranfield.engine.protocol import IdColumn
from cranfield.errors import InputError
from cranfield.io.filesystem import unreachable
from cranfield.partitions.columns import Kinds, columns_of, ids_of, number_column
from cranfield.partitions.fragments import FORMS, Fragment


class Batch(NamedTuple):
    """Some rows of a file, of which the first is row ``first`` of the file, from 0."""

    topics: IdColumn
    documents: IdColumn
    number: Floats
    first: int


def batches(fragment: Fragment, kinds: Kinds, size: int) -> Iterator[Batch]:
    """All rows in order, ``size`` at a time.

    Raises:
        InputError: it cannot be read, or a value cannot be used.
    """
    with readable(fragment):
        for first, batch in record_batches(fragment, list(dict.fromkeys(fragment.roles.values())), size):
            yield Batch(*columns_of(table_of(batch), fragment, kinds, first, batch.num_rows), first)


def topic_columns(fragment: Fragment, kinds: Kinds, size: int) -> Generator[tuple[IdColumn, int], None, None]:
    """The topics of all rows, and the number of the first."""
    with readable(fragment):
        for first, batch in record_batches(fragment, [fragment.roles["topic"]], size):
            yield ids_of(table_of(batch), "topic", fragment, kinds, first, batch.num_rows), first


def first_topics(fragment: Fragment, kinds: Kinds, size: int) -> IdColumn:
    """The topics of the first rows, at most so many."""
    columns = topic_columns(fragment, kinds, size)
    with closing(columns):
        return next(columns, (np.empty(0, dtype=np.int64), 0))[0]


def numbers(fragment: Fragment, size: int) -> Iterator[Floats]:
    """The scores or labels alone."""
    role = "score" if "score" in fragment.roles else "label"
    with readable(fragment):
        for first, batch in record_batches(fragment, [fragment.roles[role]], size):
            yield number_column(table_of(batch), role, fragment, first, batch.num_rows)


def topics_and_numbers(fragment: Fragment, kinds: Kinds, size: int) -> Iterator[tuple[IdColumn, Floats]]:
    """Topics and scores or labels of all rows, without the documents."""
    role = "score" if "score" in fragment.roles else "label"
    with readable(fragment):
        for first, batch in record_batches(fragment, [fragment.roles["topic"], fragment.roles[role]], size):
            table, rows = table_of(batch), batch.num_rows
            topics = ids_of(table, "topic", fragment, kinds, first, rows)
            yield topics, number_column(table, role, fragment, first, rows)


def record_batches(fragment: Fragment, names: list[str], size: int) -> Iterator[tuple[int, Any]]:
    """Batches of PyArrow's, and the number of the first row of each."""
    names = [name for name in names if name not in fragment.constants]
    if fragment.form == "ipc":
        yield from _batches_of_ipc(fragment, names, size)
        return
    import pyarrow.parquet as pq

    with fragment.system.open_input_file(fragment.path) as source:
        file = pq.ParquetFile(source, pre_buffer=not fragment.is_local)
        for group in fragment.groups or ():
            first = group.first
            for batch in file.iter_batches(size, [group.number], names, use_threads=False):
                batch.validate(full=True)  # PyArrow looks at no text by itself: whether it is UTF-8
                yield first, batch
                first += batch.num_rows


def _batches_of_ipc(fragment: Fragment, names: list[str], size: int) -> Iterator[tuple[int, Any]]:
    import pyarrow as pa

    with fragment.system.open_input_file(fragment.path) as source:
        file, first = pa.ipc.open_file(source), 0
        for number in range(file.num_record_batches):
            whole = file.get_batch(number).select(names)
            whole.validate(full=True)
            for start in range(0, whole.num_rows, size):
                batch = whole.slice(start, size)
                yield first, batch
                first += batch.num_rows


@contextmanager
def readable(fragment: Fragment) -> Iterator[None]:
    """Word what PyArrow or a file system says of a file.

    Raises:
        InputError: the file is damaged.
        OSError: it cannot be reached, which may pass.
    """
    import pyarrow as pa

    try:
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
    except (FileNotFoundError, PermissionError) as error:
        raise unreachable(fragment.name, error) from None


def damaged(fragment: Fragment, error: Exception) -> InputError:
    """A file that is not in its format."""
    said = shown(str(error).strip().partition("\n")[0], 200)
    return InputError(
        f"the {FORMS[fragment.form]} data are damaged: {said}; copy or write the file again",
        fragment.place,
        code="damaged",
    )

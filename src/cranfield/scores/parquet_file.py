"""One file of scores in Parquet: which there are, what their metadata say, and their columns."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield._text import cut, quoted, shown, warn
from cranfield._typing import Floats
from cranfield.errors import EngineError, InputError
from cranfield.findings.location import Place
from cranfield.io.error_messages import refusal
from cranfield.io.formats._format import needed
from cranfield.io.formats._parquet_size import refuse_large_columns
from cranfield.io.strict_json import parse_json
from cranfield.scores.located import Located
from cranfield.scores.parquet import KEY, SYSTEM, TOPIC

OF_ROW = 24
"""Bytes that a row takes beside its columns in Arrow's memory."""


@dataclass(frozen=True)
class File:
    """One file, as its metadata describe it.

    Args:
        located: where it is.
        measures: columns of numbers.
        said: what our metadata say; empty where there are none.
        digest: SHA-256 of its bytes.
        stamp: its size and when it was changed.
    """

    located: Located
    measures: tuple[str, ...]
    said: Mapping[str, Any]
    digest: str
    stamp: tuple[int, int]

    @property
    def place(self) -> Place:
        """For messages."""
        return self.located.place


def described_file(located: Located) -> File:
    """What a file holds, of which no column is read.

    Raises:
        InputError: PyArrow is not there, or the file is damaged or holds no scores.
    """
    place = located.place
    with needed("pyarrow", "Parquet", place):
        import pyarrow as pa
    with located.open() as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    with opened(located) as (about, _):
        schema = about.schema_arrow
    columns = {field.name: field.type for field in schema}
    if SYSTEM not in columns or TOPIC not in columns:
        held = ", ".join(map(shown, columns))
        text = f"expected columns system and topic and one for each measure, and there are {held}"
        raise InputError(text, place, code="fields")
    measures = tuple(name for name in columns if name not in (SYSTEM, TOPIC))
    for measure in measures:
        if not (pa.types.is_floating(columns[measure]) or pa.types.is_integer(columns[measure])):
            text = f"the column {quoted(measure)} is {columns[measure]}: scores are numbers"
            raise InputError(text, place, code="score", value=cut(measure))
    if not measures:
        raise InputError("holds no column of scores, only system and topic", place, code="no-scores")
    return File(located, measures, _said(schema.metadata, place), digest, located.stamp())


@contextlib.contextmanager
def opened(located: Located) -> Iterator[tuple[Any, Any]]:
    """The file as PyArrow reads it, and the stream of its bytes.

    Raises:
        InputError: it is damaged, also where that is found inside.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with located.open() as stream, pq.ParquetFile(stream) as file:
            yield file, stream
    except MemoryError:
        raise refusal(EngineError("memory"), located.place, "run", "trec") from None
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        text = f"the Parquet data are damaged: {shown(str(error).strip())}; copy or write the file again"
        raise InputError(text, located.place, code="damaged") from None


def _said(metadata: Mapping[bytes, bytes] | None, place: Place) -> Mapping[str, Any]:
    text = (metadata or {}).get(KEY)
    if text is None:
        return {}
    try:
        said = parse_json(place.within("metadata"), text.decode())
    except (InputError, UnicodeDecodeError):
        said = None
    if not isinstance(said, dict) or not isinstance(said.get("measures"), dict):
        warn(f"{place}: its metadata {KEY.decode()!r} are not cranfield's and are ignored")
        return {}
    return said


def scores_in(file: File, measure: str) -> Floats:
    """The scores of all rows by a measure; NaN where there is none.

    Raises:
        InputError: one is infinite, or the file was changed or damaged since it was opened.
    """
    import pyarrow as pa

    refuse_changed(file)
    column = columns_of(file, [measure])[measure].cast(pa.float64())
    values: Floats = column.fill_null(np.nan).to_numpy()
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        text = f"row {infinite[0] + 1:,}: {shown(measure)} is infinite; a missing score is null or nan"
        raise InputError(text, file.place, code="score")
    return values


def has_text_ids(file: File) -> bool:
    """Whether systems and topics are text, as they have to be."""
    with opened(file.located) as (source, _):
        return all(is_text(source.schema_arrow.field(name).type) for name in (SYSTEM, TOPIC))


def is_text(kind: Any) -> bool:
    """Whether a column of this type holds text."""
    from pyarrow import types

    return any(is_kind(kind) for is_kind in (types.is_string, types.is_large_string, types.is_dictionary))


def refuse_changed(file: File) -> None:
    """Raises: InputError: the file was changed since it was opened."""
    if file.located.stamp() != file.stamp:
        raise InputError("was changed while it was read: read it again", file.place, code="changed")


def columns_of(file: File, names: list[str]) -> Any:
    """A table of some columns.

    Raises:
        InputError: the file is damaged, or they would not fit into the memory allowed.
    """
    with opened(file.located) as (source, stream):
        refuse_large_columns(source, stream, names, file.place, file.stamp[0], of_row=OF_ROW)
        table = source.read(columns=names, use_threads=False)
        table.validate(full=True)  # PyArrow looks at no text by itself: whether it is UTF-8
        return table

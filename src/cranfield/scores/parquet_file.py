"""One file of scores in Parquet: which there are, what their metadata say, and their columns."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import InputError
from cranfield.findings.place import Place
from cranfield.io.formats._optional import needed
from cranfield.io.json_text import parse_json
from cranfield.scores.parquet import ENDING, KEY, MAGIC, SYSTEM, TOPIC
from cranfield.wording import cut, quoted, shown, warn


@dataclass(frozen=True)
class File:
    """One file, as its metadata describe it.

    Args:
        path: of it.
        measures: columns of numbers.
        said: what our metadata say; empty where there are none.
        digest: SHA-256 of its bytes.
        stamp: its size and when it was changed.
    """

    path: Path
    measures: tuple[str, ...]
    said: Mapping[str, Any]
    digest: str
    stamp: tuple[int, int]

    @property
    def place(self) -> Place:
        """For messages."""
        return Place(str(self.path))


def parquet_files(path: str) -> list[Path]:
    """The files of scores in Parquet that a path stands for: itself, or all of a folder; none where it has others."""
    place = Path(path)
    if not place.is_dir():
        return [place] if place.is_file() and _begins_as_parquet(place) else []
    files = sorted(file for file in place.rglob(f"*{ENDING}") if not file.name.startswith("."))
    return files if files and not any(_is_other(file) for file in place.iterdir()) else []


def _is_other(file: Path) -> bool:
    return file.is_file() and not file.name.startswith((".", "_")) and file.suffix != ENDING


def _begins_as_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def described_file(path: Path) -> File:
    """What a file holds, of which no column is read.

    Raises:
        InputError: PyArrow is not there, or the file is damaged or holds no scores.
    """
    place = Place(str(path))
    with needed("pyarrow", "Parquet", place):
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        about = pq.ParquetFile(path)
        schema = about.schema_arrow
    except (pa.ArrowException, OSError) as error:
        raise _damaged(place, error) from None
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
    return File(path, measures, _said(schema.metadata, place), digest, _stamp(path))


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

    if _stamp(file.path) != file.stamp:
        raise InputError("was changed while it was read: read it again", file.place, code="changed")
    column = columns_of(file, [measure])[measure].cast(pa.float64())
    values: Floats = column.fill_null(np.nan).to_numpy()
    infinite = np.flatnonzero(np.isinf(values))
    if len(infinite):
        raise InputError(f"row {infinite[0] + 1:,}: {shown(measure)} is infinite", file.place, code="score")
    return values


def columns_of(file: File, names: list[str]) -> Any:
    """A table of some columns.

    Raises:
        InputError: the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(file.path).read(columns=names, use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file.place, error) from None


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _damaged(place: Place, error: Exception) -> InputError:
    text = f"the Parquet data are damaged: {shown(str(error).strip())}; copy or write the file again"
    return InputError(text, place, code="damaged")

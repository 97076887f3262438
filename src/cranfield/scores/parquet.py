"""Scores as Parquet: the one layout of its files, and how they are written.

A row is a system on a topic: columns ``system`` and ``topic``, and one of doubles for each measure, so that an analysis
of one measure reads no other. The metadata of the schema say how to read each measure and what made the scores.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from cranfield._text import quoted
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.atomic_write import check_replaceable, check_writable, whole_folder, write_bytes
from cranfield.io.formats._format import needed
from cranfield.scores.scale import Scale
from cranfield.scores.table import ScoreTable

SYSTEM, TOPIC = "system", "topic"
KEY = b"cranfield.scores"
"""Under which the metadata of a file say what it holds."""
VERSION = 1
ENDING = ".parquet"
UNFINISHED = ".unfinished"
"""Behind the name of a folder while it is filled part by part."""
ROWS = 1 << 17
"""Of a row group: what a reader has of a column at once."""
MAGIC = b"PAR1"


def is_score_part(file: Path) -> bool:
    """Whether a file is a part that this package wrote, and may be written anew."""
    return file.suffix == ENDING and described(file) is not None


def described(file: Path | BinaryIO) -> dict[str, Any] | None:
    """What the metadata of a file say; None where they are not ours, or it is no Parquet."""
    with needed("pyarrow", "Parquet", Place(str(file))):
        import pyarrow as pa
        import pyarrow.parquet as pq
    with contextlib.suppress(pa.ArrowException, OSError, ValueError):
        said = json.loads((pq.read_schema(file).metadata or {}).get(KEY, b"null"))
        return said if isinstance(said, dict) else None
    return None


def description(scales: tuple[Scale, ...], source: Any, more: dict[str, Any] | None = None) -> dict[str, Any]:
    """What the metadata of a file say: how to read each measure, and the signature of all."""
    return {
        "version": VERSION,
        "measures": {scale.name: dict(scale.attributes) for scale in scales},
        "signature": source,
        **(more or {}),
    }


def names_folder(path: str) -> bool:
    """Whether a name asks for a folder: it ends as one."""
    return path.endswith(("/", os.sep))


def check_parquet_place(path: Path) -> None:
    """Refuse what ``write_parquet`` would, before the work is done, not after.

    Raises:
        InputError: it cannot be written, or is there and holds something else.
    """
    if _is_one_file(path):
        check_writable(path)
    else:
        check_replaceable(path, is_score_part)


def _is_one_file(path: Path) -> bool:
    return path.suffix == ENDING and not path.is_dir()


def write_parquet(table: ScoreTable, path: Path) -> None:
    """Write one file if the name ends in ``.parquet``, else a folder with a file for each system; whole or not at all.

    Raises:
        InputError: it cannot be written, is there and holds something else, or a measure is called as a column is.
    """
    said, systems = about(table), range(len(table.systems))
    if _is_one_file(path):
        stream = io.BytesIO()
        write_rows(stream, said, (batch for number in systems for batch in batches_of(table, number)))
        write_bytes(path, stream.getvalue())
        return
    with whole_folder(path, is_score_part) as folder:
        for number in systems:
            with (folder / part_name(number)).open("wb") as stream_of_part:
                write_rows(stream_of_part, said, batches_of(table, number))


def part_name(number: int) -> str:
    """Of a file in a folder, so that their names are in their order."""
    return f"part-{number:05d}{ENDING}"


def write_rows(stream: Any, about: dict[str, Any], batches: Iterator[Any]) -> None:
    """Write record batches of columns ``system``, ``topic`` and measures with what is to be said of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [pa.field(SYSTEM, pa.string()), pa.field(TOPIC, pa.string())]
    fields += [pa.field(name, pa.float64()) for name in about["measures"]]
    schema = pa.schema(fields, {KEY: json.dumps(about).encode()})
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(pa.record_batch(batch, schema=schema), row_group_size=ROWS)


def about(table: ScoreTable) -> dict[str, Any]:
    """What the metadata of all files say.

    Raises:
        InputError: PyArrow is not there, or a measure is called as a column is.
    """
    with needed("pyarrow", "Parquet", Place(name="the scores")):
        import pyarrow.parquet  # noqa: F401
    for name in table.names:
        if name in (SYSTEM, TOPIC):
            text = f"a measure is called {quoted(name)}, as a column of names is: rename it"
            raise InputError(text, code="reserved", value=name)
    return description(table.scales, table.source)


def batches_of(table: ScoreTable, number: int) -> Iterator[list[Any]]:
    """Columns of one system, some topics at a time."""
    for start in range(0, len(table.topics), ROWS):
        topics = table.topics[start : start + ROWS]
        values = [block[start : start + ROWS, number].copy() for block in table.values]
        yield [[table.systems[number]] * len(topics), topics, *values]

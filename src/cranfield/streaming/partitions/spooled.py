"""Streams of rows as data sets: they are written to a temporary Parquet file, batch by batch, and read from there."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from cranfield._optional import import_optional, pa, pq
from cranfield.collection.column_names import ColumnNames
from cranfield.collection.streams import name_kind, read_batches
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.streaming.partitions.dataset import Dataset


class SpooledDataset(Dataset):
    """The rows of a stream in a temporary file, which is gone with the object.

    Args:
        stream: read once, to its end.
        columns: see ``Dataset``.
        name: of its system; the first value of a column ``system``, or ``run``, where empty.

    Raises:
        InputError: the stream cannot be read, or has no rows, or no file can be written.
    """

    def __init__(self, stream: Any, columns: ColumnNames, name: str) -> None:
        import_optional("pyarrow", "a stream of Arrow data")
        try:
            self.folder = Path(tempfile.mkdtemp(prefix="cranfield-"))
        except OSError as error:
            raise InputError(f"no temporary file can be written: {error}; is there room in TMPDIR?") from None
        self.discard = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        path = self.folder / f"{name or 'run'}.parquet".replace("/", "_")
        system = _write(stream, path, (columns or {}).get("system", "system"))
        super().__init__(path, columns=columns, name=name or system or "run")


def _write(stream: Any, path: Path, column: str) -> str:
    """Write the rows, and return the system of the first one."""
    writer, system = None, ""
    what = name_kind(stream)
    try:
        for batch in read_batches(stream):
            table = pa.table(batch)
            if writer is None:
                views = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
                fields = [field.with_type(views.get(field.type, field.type)) for field in table.schema]
                writer = pq.ParquetWriter(path, pa.schema(fields))
            if not system and column in table.column_names and table.num_rows:
                system = str(table[column][0].as_py() or "")
            writer.write_table(table.cast(writer.schema))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
        raise InputError(f"{what} has a column that Parquet does not hold: {error}; leave it out") from None
    except OSError as error:
        text = f"the rows of {what} cannot be written: {error}; is there room in TMPDIR?"
        raise InputError(text, Location(str(path))) from None
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise InputError(f"{what} has no rows: a stream that was read before gives none again", code="empty")
    return system

"""Scores as Parquet: the one layout of its files, and how they are written.

A row is a system on a topic: columns ``system`` and ``topic``, and one of doubles for each measure, so that an analysis
of one measure reads no other. The metadata of the schema say how to read each measure and what made the scores.

Scores as Parquet at an address, such as an object store, where no folder can be renamed into its place.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from cranfield._optional import fs, import_optional, pa, pq
from cranfield._text import quoted, shown
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.atomic_write import check_replaceable, check_writable, whole_folder, write_bytes
from cranfield.io.filesystem import is_address, resolve_filesystem, unreachable
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
"""Rows of a row group, of which a reader holds a column at once."""
MAGIC = b"PAR1"


def is_score_part(file: Path) -> bool:
    """Tell whether a file is a part that this package wrote, and may be written anew."""
    return file.suffix == ENDING and described(file) is not None


def described(file: Path | BinaryIO) -> dict[str, Any] | None:
    """Read the metadata of a file; None where they are not ours, or it is not Parquet."""
    import_optional("pyarrow", location=Location(str(file)))
    with contextlib.suppress(pa.ArrowException, OSError, ValueError):
        metadata = json.loads((pq.read_schema(file).metadata or {}).get(KEY, b"null"))
        return metadata if isinstance(metadata, dict) else None
    return None


def description(scales: tuple[Scale, ...], source: Any, further: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the metadata of a file: the attributes of each measure, and the signature of all."""
    return {
        "version": VERSION,
        "measures": {scale.name: dict(scale.attributes) for scale in scales},
        "signature": source,
        **(further or {}),
    }


def names_folder(path: str) -> bool:
    """Tell whether a path names a folder: it ends with a separator."""
    return path.endswith(("/", os.sep))


def check_parquet_path(path: Path) -> None:
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


def write_parquet(table: ScoreTable, path: str) -> None:
    """Write one file if the name ends in ``.parquet``, else a folder with a file for each system; whole or not at all.

    Raises:
        InputError: it cannot be written, is there and holds something else, or a measure is called as a column is.
    """
    metadata = about(table)
    blocks = (make_batches(table, number) for number in range(len(table.systems)))
    if is_address(path) and path.rstrip("/").endswith(ENDING):
        check_address(path)
        system, inner = resolve_filesystem(path, None, {})
        put_at(system, inner.rstrip("/"), path, as_bytes(metadata, chain.from_iterable(blocks)))
    elif not is_address(path) and _is_one_file(Path(path)):
        write_bytes(Path(path), as_bytes(metadata, chain.from_iterable(blocks)))
    else:
        write_blocks(path, metadata, len(table.systems), blocks)


def part_name(number: int) -> str:
    """Name of a file in a folder; names sort in the order of the files."""
    return f"part-{number:05d}{ENDING}"


def write_rows(stream: Any, about: dict[str, Any], batches: Iterator[Any]) -> None:
    """Write record batches of columns ``system``, ``topic`` and measures with what is to be said of them."""
    fields = [pa.field(SYSTEM, pa.string()), pa.field(TOPIC, pa.string())]
    fields += [pa.field(name, pa.float64()) for name in about["measures"]]
    schema = pa.schema(fields, {KEY: json.dumps(about).encode()})
    with pq.ParquetWriter(stream, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(pa.record_batch(batch, schema=schema), row_group_size=ROWS)


def about(table: ScoreTable) -> dict[str, Any]:
    """Return the metadata that all files of a table have.

    Raises:
        InputError: PyArrow is not there, or a measure is called as a column is.
    """
    import_optional("pyarrow", location=Location(name="the scores"))
    for name in table.names:
        if name in (SYSTEM, TOPIC):
            text = f"a measure is called {quoted(name)}, as a column of names is: rename it"
            raise InputError(text, code="reserved", value=name)
    return description(table.scales, table.source)


def make_batches(table: ScoreTable, number: int) -> Iterator[list[Any]]:
    """Columns of one system, some topics at a time."""
    for start in range(0, len(table.topics), ROWS):
        topics = table.topics[start : start + ROWS]
        values = [block[start : start + ROWS, number].copy() for block in table.values]
        yield [[table.systems[number]] * len(topics), topics, *values]


WITHOUT_FOLDERS = ("s3", "gcs", "abfs")
"""File systems whose folders are beginnings of names."""
FILES = "files"
"""Key of the number of files in a folder, so that one which lacks some is not a folder of scores."""
LISTED = "listed"
"""The entry of metadata that names a file beside them; it lists all files and is written last."""
MANIFEST = "_manifest.json"
"""The name of that list: readers of Parquet leave out files whose names begin so."""


def check_address(path: str, options: Mapping[str, Any] | None = None) -> None:
    """Refuse an address that cannot be reached, or where a folder would be mixed with other files.

    Args:
        path: the address.
        options: what fsspec is told of it.

    Raises:
        InputError: it is so.
    """
    system, inner = resolve_filesystem(path, None, options or {})
    inner = inner.rstrip("/")
    try:
        info = system.get_file_info(inner)
        if info.type == fs.FileType.Directory:
            files = system.get_file_info(fs.FileSelector(inner, recursive=True, allow_not_found=True))
            obstacle = next((file.path for file in files if file.type == fs.FileType.File), None)
        else:
            obstacle = inner if info.type == fs.FileType.File and not inner.endswith(ENDING) else None
    except Exception as error:  # of any library that an address names
        raise unreachable(path, error) from None
    if obstacle is not None:
        text = f"cannot be written: {shown(obstacle, 200)} is there already; remove it, or name another address"
        raise InputError(text, Location(path), code="unwritable")


def refuse_lacking(metadata: Any, count: int, location: Location) -> None:
    """Raises: InputError: a folder holds fewer files than were to be written."""
    expected = metadata.get(FILES)
    if isinstance(expected, int) and count < expected:
        text = f"holds {count:,} of {expected:,} files of scores: writing them was interrupted; write them again"
        raise InputError(text, location, code="unfinished", value=str(count))


def as_bytes(metadata: dict[str, Any], batches: Iterator[Any]) -> bytes:
    """A file of scores."""
    stream = io.BytesIO()
    write_rows(stream, metadata, batches)
    return stream.getvalue()


def make_folder(system: Any, inner: str) -> None:
    """Make a folder where the file system has folders."""
    if system.type_name not in WITHOUT_FOLDERS:
        system.create_dir(inner, recursive=True)


def as_manifest(files: Sequence[str]) -> bytes:
    """The list of all files of a folder of scores."""
    return json.dumps({"version": 1, "files": list(files)}, indent=1).encode() + b"\n"


def refuse_unlisted(
    metadata: Mapping[str, Any], names: Sequence[str], read: Callable[[str], bytes], location: Location
) -> None:
    """Refuse parts whose list was never written, or that are not those of the list.

    Args:
        metadata: in the metadata of the first part.
        names: names of the parts, without their folder.
        read: gives a file of that folder.
        location: of the folder.

    Raises:
        InputError: they are so.
    """
    if LISTED not in metadata:
        return
    again = "write them again, or go on with them (resume=True, --resume)"
    try:
        listed = json.loads(read(MANIFEST))["files"]
    except FileNotFoundError:
        text = f"holds parts of scores, and not {MANIFEST}, which is written when all are there: {again}"
        raise InputError(text, location, code="unfinished") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{MANIFEST} is damaged: {again}", location, code="damaged") from None
    if lost := sorted(set(map(str, listed)) - set(names)):
        text = f"holds {len(names):,} of {len(listed):,} files of scores, and not {shown(lost[0])}: {again}"
        raise InputError(text, location, code="unfinished", value=str(len(names)))
    if unlisted := sorted(set(names) - set(map(str, listed))):
        text = f"{shown(unlisted[0])} is not in {MANIFEST}, which lists all files of these scores: remove it"
        raise InputError(text, location, code="layout", value=unlisted[0])


def put_at(system: Any, inner: str, path: str, data: bytes) -> None:
    """Write a file of an address, which appears whole.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with system.open_output_stream(inner) as stream:
            stream.write(data)
    except Exception as error:  # of any library that an address names
        reason = shown(str(error).strip().partition("\n")[0], 200) or type(error).__name__
        raise InputError(f"cannot be written: {reason}", Location(path), code="unwritable") from None


def write_blocks(path: str, metadata: dict[str, Any], count: int, blocks: Iterator[Iterable[list[Any]]]) -> None:
    """Write a folder of scores, here or at an address.

    Args:
        path: of the folder.
        metadata: of all files.
        count: of the blocks.
        blocks: of each the columns of every system.

    Raises:
        InputError: it cannot be written, or is there and holds something else.
    """
    if is_address(path):
        _put_blocks(path, metadata, count, blocks)
        return
    with whole_folder(Path(path), is_score_part) as folder:
        for number, batches in enumerate(blocks):
            with (folder / part_name(number)).open("wb") as stream:
                write_rows(stream, metadata, iter(batches))


def _put_blocks(path: str, metadata: dict[str, Any], count: int, blocks: Iterator[Iterable[list[Any]]]) -> None:
    """Write a folder at an address; what was written is removed where a part fails.

    An object appears completely. A killed writer leaves some, which ``read_scores`` refuses, as each has their number.
    """
    check_address(path)
    system, inner = resolve_filesystem(path, None, {})
    inner, written = inner.rstrip("/"), list[str]()
    try:
        make_folder(system, inner)
        for number, batches in enumerate(blocks):
            written.append(f"{inner}/{part_name(number)}")
            put_at(system, written[-1], path, as_bytes(metadata | {FILES: count}, iter(batches)))
    except BaseException:
        for name in written:
            with contextlib.suppress(Exception):
                system.delete_file(name)
        raise

"""Scores as Parquet at an address, such as an object store, where no folder can be renamed into its place."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cranfield._text import shown
from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.filesystem import system_of, unreachable
from cranfield.scores.parquet import ENDING, write_rows

WITHOUT_FOLDERS = ("s3", "gcs", "abfs")
"""File systems whose folders are beginnings of names."""
FILES = "files"
"""Where the metadata say of how many files a folder consists, so that one which lacks some is no folder of scores."""
LISTED = "listed"
"""Where they say that a file beside them lists all, which is written last."""
MANIFEST = "_manifest.json"
"""What it is called: readers of Parquet leave out files whose names begin so."""


def check_address(path: str, options: Mapping[str, Any] | None = None) -> None:
    """Refuse an address that cannot be reached, or where a folder would be mixed with other files.

    Args:
        path: the address.
        options: what fsspec is told of it.

    Raises:
        InputError: it is so.
    """
    system, inner = system_of(path, None, options or {})
    from pyarrow import fs

    inner = inner.rstrip("/")
    try:
        info = system.get_file_info(inner)
        if info.type == fs.FileType.Directory:
            found = system.get_file_info(fs.FileSelector(inner, recursive=True, allow_not_found=True))
            other = next((one.path for one in found if one.type == fs.FileType.File), None)
        else:
            other = inner if info.type == fs.FileType.File and not inner.endswith(ENDING) else None
    except Exception as error:  # of any library that an address names
        raise unreachable(path, error) from None
    if other is not None:
        text = f"cannot be written: {shown(other, 200)} is there already; remove it, or name another address"
        raise InputError(text, Place(path), code="unwritable")


def refuse_lacking(said: Any, found: int, place: Place) -> None:
    """Raises: InputError: a folder holds fewer files than were to be written."""
    expected = said.get(FILES)
    if isinstance(expected, int) and found < expected:
        text = f"holds {found:,} of {expected:,} files of scores: writing them was interrupted; write them again"
        raise InputError(text, place, code="unfinished", value=str(found))


def as_bytes(said: dict[str, Any], batches: Iterator[Any]) -> bytes:
    """A file of scores."""
    stream = io.BytesIO()
    write_rows(stream, said, batches)
    return stream.getvalue()


def make_folder(system: Any, inner: str) -> None:
    """Make a folder where the file system has folders."""
    if system.type_name not in WITHOUT_FOLDERS:
        system.create_dir(inner, recursive=True)


def as_manifest(files: Sequence[str]) -> bytes:
    """The list of all files of a folder of scores."""
    return json.dumps({"version": 1, "files": list(files)}, indent=1).encode() + b"\n"


def is_listed(files: Sequence[str]) -> bool:
    """Whether the list is among these files of a folder."""
    return MANIFEST in files


def refuse_unlisted(said: Mapping[str, Any], found: Sequence[str], read: Callable[[str], bytes], place: Place) -> None:
    """Refuse parts whose list was never written, or that are not those of the list.

    Args:
        said: in the metadata of the first part.
        found: names of the parts, without their folder.
        read: gives a file of that folder.
        place: of the folder.

    Raises:
        InputError: they are so.
    """
    if LISTED not in said:
        return
    again = "write them again, or go on with them (resume=True, --resume)"
    try:
        listed = json.loads(read(MANIFEST))["files"]
    except FileNotFoundError:
        text = f"holds parts of scores, and not {MANIFEST}, which is written when all are there: {again}"
        raise InputError(text, place, code="unfinished") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InputError(f"{MANIFEST} is damaged: {again}", place, code="damaged") from None
    if lost := sorted(set(map(str, listed)) - set(found)):
        text = f"holds {len(found):,} of {len(listed):,} files of scores, and not {shown(lost[0])}: {again}"
        raise InputError(text, place, code="unfinished", value=str(len(found)))
    if more := sorted(set(found) - set(map(str, listed))):
        text = f"{shown(more[0])} is not in {MANIFEST}, which lists all files of these scores: remove it"
        raise InputError(text, place, code="layout", value=more[0])


def put_at(system: Any, inner: str, path: str, data: bytes) -> None:
    """Write a file of an address, which appears whole.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with system.open_output_stream(inner) as stream:
            stream.write(data)
    except Exception as error:  # of any library that an address names
        said = shown(str(error).strip().partition("\n")[0], 200) or type(error).__name__
        raise InputError(f"cannot be written: {said}", Place(path), code="unwritable") from None

"""Locations of files of scores: on this machine, or at an address that PyArrow or fsspec knows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.filesystem import (
    check_found,
    is_address,
    list_files,
    listing,
    paths_below,
    reachable,
    resolve_filesystem,
    unreachable,
)
from cranfield.io.source import check_regular
from cranfield.io.system_names import without_query
from cranfield.scores.parquet_write import ENDING, MAGIC, UNFINISHED

NOT_ENDED = "holds what was written of an evaluation that has not ended: go on with it (resume=True, --resume)"


@dataclass(frozen=True)
class LocatedFile:
    """A file on this machine or at an address.

    Args:
        name: as messages call it, a path of this machine or an address.
        system: the file system of an address, as PyArrow has it; None for this machine's.
        inner: the path in it.
    """

    name: str
    system: Any = None
    inner: str = ""

    @property
    def location(self) -> Location:
        """The location that messages name."""
        return Location(self.name)

    @contextlib.contextmanager
    def open(self) -> Iterator[Any]:
        """Open the location and give its bytes.

        Raises:
            InputError: it cannot be opened.
        """
        with contextlib.ExitStack() as stack:
            try:
                if self.system is None:
                    check_regular(self.name)
                stream = Path(self.name).open("rb") if self.system is None else self.system.open_input_file(self.inner)  # noqa: SIM115
            except InputError:
                raise
            except Exception as error:  # of any library that an address names
                raise unreachable(self.name, error) from None
            with reachable(self.name):
                yield stack.enter_context(stream)

    def beside(self, name: str) -> bytes:
        """Read another file of the same folder.

        Raises:
            FileNotFoundError: it is not there.
            InputError: it cannot be reached.
        """
        if self.system is None:
            sibling = Path(self.name).with_name(name)
            check_regular(str(sibling))
            return sibling.read_bytes()
        try:
            with self.system.open_input_file(f"{self.inner.rpartition('/')[0]}/{name}") as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            raise
        except Exception as error:  # of any library that an address names
            raise unreachable(self.name, error) from None

    def stamp(self) -> tuple[int, int]:
        """Size, and when it was changed.

        Raises:
            InputError: it is not there any more.
        """
        try:
            if self.system is None:
                status = Path(self.name).stat()
                return status.st_size, status.st_mtime_ns
            info = self.system.get_file_info(self.inner)
        except Exception as error:  # of any library that an address names
            raise unreachable(self.name, error) from None
        return int(info.size or 0), int(info.mtime_ns or 0)


def parquet_files(path: str) -> list[LocatedFile]:
    """The files of scores in Parquet that a name stands for: itself, or all of a folder; none where it has others.

    Raises:
        InputError: an address that cannot be reached, where nothing is, or that has other files; or a folder that an
            evaluation has not filled yet.
    """
    if is_address(path):
        return _at_address(path)
    with listing(path):
        return _on_disk(path, Path(path))


def _on_disk(path: str, location: Path) -> list[LocatedFile]:
    if location.name.endswith(UNFINISHED) and location.is_dir():
        raise InputError(NOT_ENDED, Location(path), code="unfinished")
    if not location.is_dir():
        return [LocatedFile(path)] if location.is_file() and _begins_as_parquet(location) else []
    below = sorted(file for file in map(Path, paths_below(path)) if not file.name.startswith("."))
    files = [str(file) for file in below if file.suffix == ENDING]
    if not files or any(map(_is_other, location.iterdir())):
        return []
    check_found([str(file) for file in below], path)
    return [LocatedFile(file) for file in files]


def _at_address(path: str) -> list[LocatedFile]:
    system, inner = resolve_filesystem(path, None, {})
    inner = inner.rstrip("/")
    _, files = list_files(system, inner, path)
    if inner.endswith(UNFINISHED):
        raise InputError(NOT_ENDED, Location(path), code="unfinished")
    base, located = path.rstrip("/"), []
    for file, _ in files:
        name = base if file == inner else f"{base}/{file[len(inner) :].lstrip('/')}"
        if not without_query(file).endswith(ENDING):
            text = f"is not called *{ENDING}: scores at an address are Parquet, one file or a folder of nothing else"
            raise InputError(text, Location(name), code="layout")
        located.append(LocatedFile(name, system, file))
    return located


def _is_other(file: Path) -> bool:
    return file.is_file() and not file.name.startswith((".", "_")) and file.suffix != ENDING


def _begins_as_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False

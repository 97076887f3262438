"""Storage of the scores of topics, written part by part: a local folder, or an address.

At the end a folder gets its name, and an address a list of its files.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cranfield._optional import fs
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.atomic_write import check_replaceable, put, write_bytes
from cranfield.io.filesystem import HIDDEN, resolve_filesystem, unreachable
from cranfield.scores.parquet_write import (
    ENDING,
    LISTED,
    MANIFEST,
    UNFINISHED,
    as_manifest,
    check_address,
    described,
    is_score_part,
    make_folder,
    put_at,
)


class Storage(ABC):
    """A folder that parts are put into, each completely or not at all. It may be sent to other processes.

    Args:
        name: as messages call it.
    """

    name: str

    @abstractmethod
    def files(self) -> list[str]:
        """The names of all files."""

    @abstractmethod
    def write(self, file: str, data: bytes) -> None:
        """Write a file.

        Raises:
            InputError: it cannot be written.
        """

    @abstractmethod
    def remove(self, file: str) -> None:
        """Remove a file."""

    @abstractmethod
    def open(self, file: str) -> Any:
        """The bytes of a file."""

    def parts(self) -> list[str]:
        """Names of files of scores."""
        return [file for file in self.files() if file.endswith(ENDING) and not file.startswith(HIDDEN)]

    def metadata(self, file: str) -> dict[str, Any] | None:
        """The metadata of a part; None where it is not there, incomplete, or not ours."""
        try:
            with self.open(file) as stream:
                return described(stream)
        except OSError:
            return None

    def locate(self, file: str) -> str:
        """The location of a file in messages."""
        return f"{self.name}/{file}"


@dataclass(frozen=True)
class LocalStorage(Storage):
    """A folder of this machine, or of a disk that workers share."""

    name: str

    def files(self) -> list[str]:
        """The names of all files."""
        return sorted(file.name for file in Path(self.name).iterdir())

    def write(self, file: str, data: bytes) -> None:
        """Write a file; it is renamed when it is complete."""
        write_bytes(Path(self.name) / file, data)

    def remove(self, file: str) -> None:
        """Remove a file."""
        (Path(self.name) / file).unlink()

    def open(self, file: str) -> Any:
        """The bytes of a file."""
        return (Path(self.name) / file).open("rb")


@dataclass(frozen=True)
class RemoteStorage(Storage):
    """An address, such as of an object store, where a file appears completely.

    Args:
        name: the address.
        options: what fsspec is told of it.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def system(self) -> Any:
        """The file system of the address, opened anew in each process."""
        return self._opened[0]

    @property
    def inner(self) -> str:
        """The path in the file system."""
        return str(self._opened[1]).rstrip("/")

    @property
    def _opened(self) -> tuple[Any, str]:
        return resolve_filesystem(self.name, None, self.options)

    def files(self) -> list[str]:
        """The names of all files.

        Raises:
            InputError: it cannot be reached.
        """
        system, inner = self._opened
        with self._reached():
            names = system.get_file_info(fs.FileSelector(inner.rstrip("/"), recursive=True, allow_not_found=True))
        start = len(inner.rstrip("/")) + 1
        return sorted(entry.path[start:] for entry in names if entry.type == fs.FileType.File)

    def write(self, file: str, data: bytes) -> None:
        """Write an object."""
        system, inner = self._opened
        put_at(system, f"{inner.rstrip('/')}/{file}", self.locate(file), data)

    def remove(self, file: str) -> None:
        """Remove a file."""
        with self._reached():
            self.system.delete_file(f"{self.inner}/{file}")

    def open(self, file: str) -> Any:
        """The bytes of a file."""
        system, inner = self._opened
        return system.open_input_file(f"{inner.rstrip('/')}/{file}")

    def copy(self, file: str, target: RemoteStorage) -> None:
        """Let the store copy a file within itself.

        Raises:
            InputError: it does not.
        """
        with self._reached():
            self.system.copy_file(f"{self.inner}/{file}", f"{target.inner}/{file}")

    def make(self) -> None:
        """Make the folder, where there are folders.

        Raises:
            InputError: it cannot be made.
        """
        with self._reached():
            make_folder(self.system, self.inner)

    def remove_all(self) -> None:
        """Remove everything, and the folder, where there are folders."""
        with self._reached(), contextlib.suppress(FileNotFoundError):
            self.system.delete_dir(self.inner)

    @contextlib.contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # of any library that an address names
            raise unreachable(self.name, error) from None


LEFT = "holds parts that an earlier run left: go on with them (resume=True, --resume), or remove the folder"


class LocalTarget:
    """A folder of this machine: parts are in ``PATH.unfinished``, which is renamed.

    Args:
        name: its path.

    Raises:
        InputError: it cannot be written, or holds something else.
    """

    metadata: Mapping[str, Any] = {}
    """Entries in the metadata of every part on how the parts are put together."""

    def __init__(self, name: str) -> None:
        self._path = check_replaceable(Path(name), is_score_part)
        self._aside = self._path.with_name(f"{self._path.name}{UNFINISHED}").absolute()

    def begin(self, *, resume: bool) -> Storage:
        """The storage of the parts; it is empty, unless earlier ones are resumed.

        Raises:
            InputError: an earlier call left parts, and ``resume`` is not set; or it cannot be written.
        """
        location = Location(str(self._aside))
        if not resume and self._aside.is_dir() and any(self._aside.iterdir()):
            raise InputError(LEFT, location, code="unfinished")
        try:
            self._aside.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", location, code="unwritable") from None
        return LocalStorage(str(self._aside))

    def abandon(self) -> None:
        """Remove everything."""
        with contextlib.suppress(OSError):
            self._aside.rmdir()

    def put(self, files: Sequence[str]) -> None:
        """Give the folder its name."""
        put(self._aside, self._path)


class AddressTarget:
    """An address, where no folder can be renamed: parts are copied from ``ADDRESS.unfinished``, their list comes last.

    Every part says that a list belongs to it, so that scores without one, or of other files, are refused by readers.

    Args:
        name: the address.
        options: what fsspec is told of it.
    """

    metadata: Mapping[str, Any] = {LISTED: MANIFEST}
    """Entries in the metadata of every part on how the parts are put together."""

    def __init__(self, name: str, options: Mapping[str, Any]) -> None:
        name = name.rstrip("/")
        self._shelf = RemoteStorage(name, options)
        self._aside = RemoteStorage(f"{name}{UNFINISHED}", options)

    def begin(self, *, resume: bool) -> Storage:
        """The storage of the parts; it is empty, unless earlier ones are resumed.

        Raises:
            InputError: something is there, an earlier call left parts, and ``resume`` is not set; or it cannot be
                reached.
        """
        there = self._aside.files()
        if there and not resume:
            raise InputError(LEFT, Location(self._aside.name), code="unfinished")
        if there and MANIFEST not in (marker := self._shelf.files()) and set(marker) <= set(there):
            for file in marker:  # copied by a call that was killed before it wrote the list
                self._shelf.remove(file)
        check_address(self._shelf.name, self._shelf.options)
        self._aside.make()
        return self._aside

    def abandon(self) -> None:
        """Remove everything."""
        with contextlib.suppress(InputError):
            self._aside.remove_all()

    def put(self, files: Sequence[str]) -> None:
        """Copy all parts, and then write their list; what was copied is removed where that fails.

        Raises:
            InputError: it fails.
        """
        try:
            self._shelf.make()
            for file in files:
                self._aside.copy(file, self._shelf)
            self._shelf.write(MANIFEST, as_manifest(files))
        except BaseException:
            with contextlib.suppress(InputError):
                self._shelf.remove_all()
            raise
        self._aside.remove_all()

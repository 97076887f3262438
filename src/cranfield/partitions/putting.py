"""How scores that are written part by part get their place at the end: a folder by its name, an address by a list."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.atomic_write import check_replaceable, put
from cranfield.partitions.shelf import AddressShelf, FolderShelf, Shelf
from cranfield.scores.parquet_write import (
    LISTED,
    MANIFEST,
    UNFINISHED,
    as_manifest,
    check_address,
    is_listed,
    is_score_part,
)

LEFT = "holds parts that an earlier run left: go on with them (resume=True, --resume), or remove the folder"


class FolderTarget:
    """A folder of this machine: parts are in ``PATH.unfinished``, which is renamed.

    Args:
        name: its path.

    Raises:
        InputError: it cannot be written, or holds something else.
    """

    said: Mapping[str, Any] = {}
    """What the metadata of every part say of how they are put together."""

    def __init__(self, name: str) -> None:
        self._path = check_replaceable(Path(name), is_score_part)
        self._aside = self._path.with_name(f"{self._path.name}{UNFINISHED}").absolute()

    def begin(self, *, resume: bool) -> Shelf:
        """Where parts are put; it is empty, unless they are gone on with.

        Raises:
            InputError: an earlier call left parts, and nothing was said of them; or it cannot be written.
        """
        place = Place(str(self._aside))
        if not resume and self._aside.is_dir() and any(self._aside.iterdir()):
            raise InputError(LEFT, place, code="unfinished")
        try:
            self._aside.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", place, code="unwritable") from None
        return FolderShelf(str(self._aside))

    def abandon(self) -> None:
        """Leave nothing of it."""
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

    said: Mapping[str, Any] = {LISTED: MANIFEST}
    """What the metadata of every part say of how they are put together."""

    def __init__(self, name: str, options: Mapping[str, Any]) -> None:
        name = name.rstrip("/")
        self._shelf = AddressShelf(name, options)
        self._aside = AddressShelf(f"{name}{UNFINISHED}", options)

    def begin(self, *, resume: bool) -> Shelf:
        """Where parts are put; it is empty, unless they are gone on with.

        Raises:
            InputError: something is there, an earlier call left parts, and nothing was said of them; or it cannot be
                reached.
        """
        there = self._aside.files()
        if there and not resume:
            raise InputError(LEFT, Place(self._aside.name), code="unfinished")
        if there and not is_listed(held := self._shelf.files()) and set(held) <= set(there):
            for file in held:  # copied by a call that was killed before it wrote the list
                self._shelf.remove(file)
        check_address(self._shelf.name, self._shelf.options)
        self._aside.make()
        return self._aside

    def abandon(self) -> None:
        """Leave nothing of it."""
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

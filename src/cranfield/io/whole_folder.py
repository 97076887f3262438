"""Folders that are written whole or not at all: filled beside their place under another name, then renamed."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.leftovers import partial_folder_name, partial_name, sweep


@contextlib.contextmanager
def whole_folder(path: Path, is_ours: Callable[[Path], bool]) -> Iterator[Path]:
    """Give an empty folder to fill, which gets its name at the end; what had that name stays until then.

    Args:
        path: of the folder.
        is_ours: whether a file of a folder that is there may be replaced.

    Raises:
        InputError: it cannot be written, or a folder of that name holds something else.
    """
    target = check_replaceable(path, is_ours)
    try:
        sweep(target.parent)
        partial = target.with_name(partial_folder_name())
        partial.mkdir()
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from None
    try:
        yield partial
        _synchronize(partial)
        put(partial, target)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def check_replaceable(path: Path, is_ours: Callable[[Path], bool]) -> Path:
    """Where a folder is written to, provided that nothing else is lost by it.

    Raises:
        InputError: there is a file of this name, a folder that holds something else, or no folder to put it in.
    """
    target = path.resolve()
    if target.is_dir():
        other = next((file.name for file in sorted(target.iterdir()) if not (file.is_file() and is_ours(file))), None)
        if other is not None:
            text = f"it is a folder that holds something else ({other!r}); empty it, or name another folder"
            raise _unwritable(path, text)
    elif target.exists():
        raise _unwritable(path, "it is a file; name a folder")
    elif not target.parent.is_dir():
        raise _unwritable(path, "there is no such folder to put it in")
    return target


def put(partial: Path, target: Path) -> None:
    """Give a folder its name; one that had it goes aside first and is then removed."""
    # Not the name of what is swept: killed between the two, it is all that is left of the scores that were there.
    aside = target.with_name(partial_name())
    if target.is_dir():
        target.rename(aside)
    try:
        partial.rename(target)
    except OSError:
        if aside.is_dir():
            aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _synchronize(folder: Path) -> None:
    """To the disk, and not only to its cache: the rename may reach the disk first."""
    for file in sorted(folder.iterdir()):
        descriptor = os.open(file, os.O_RDONLY)
        try:
            # Some file systems cannot, and then the cache has to do.
            with contextlib.suppress(OSError):
                os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _unwritable(path: Path, reason: str) -> InputError:
    return InputError(f"cannot be written: {reason}", Place(str(path)), code="unwritable")

"""Files that are written whole or not at all, alone or several together: the one place where this package writes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from cranfield.errors import InputError
from cranfield.findings.location import Place
from cranfield.io.leftovers import partial_name, sweep
from cranfield.io.packing import is_packed, packed

Blocks = bytes | Iterable[bytes]
"""What a file shall hold, whole or in parts, which may be made while they are written."""


def write_whole(path: Path, text: str | Iterable[bytes]) -> None:
    """Write a text file so that it is there whole or not at all; packed if its name says so.

    Args:
        path: of the file.
        text: that it holds, or blocks of it in UTF-8.

    Raises:
        InputError: the file is read-only, or its folder is not there or cannot be written to.
    """
    blocks = [text.encode("utf-8", "surrogateescape")] if isinstance(text, str) else text
    write_bytes(path, [packed(b"".join(blocks), path.suffix)] if is_packed(path.suffix) else blocks)


def write_bytes(path: Path, data: Blocks) -> None:
    """Write a file so that it is there whole or not at all; a file that was there gives it its mode and owner.

    Raises:
        InputError: the file is read-only, or its folder is not there or cannot be written to.
    """
    with together() as add:
        add(path, data)


@contextlib.contextmanager
def together() -> Iterator[Callable[[Path, Blocks], None]]:
    """Write files that appear at the end, all of them or none; what was there before stays until then.

    Gives a function that takes a file's path and what it shall hold. A pipe or a device is written to at once.

    Raises:
        InputError: a file is read-only, or its folder is not there or cannot be written to.
    """
    pending: list[tuple[Path, Path, Path]] = []

    def add(path: Path, data: Blocks) -> None:
        with _worded(path):
            before = _writable(path)
            if before is not None and not stat.S_ISREG(before.st_mode):
                # It must not be replaced by a file.
                with path.open("wb") as stream:
                    fill(stream, data)
                return
            # Where a link leads, so that the link stays.
            target = path.resolve()
            sweep(target.parent)
            partial = target.with_name(partial_name())
            pending.append((path, partial, target))
            _write(partial, data, before)

    try:
        yield add
        for path, partial, target in pending:
            with _worded(path):
                partial.replace(target)
    finally:
        for _, partial, _ in pending:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Refuse what cannot be written to before the work is done, not after.

    Raises:
        InputError: it is a folder or read-only, or there is no such folder.
    """
    with _worded(path):
        if _writable(path) is None and not path.absolute().parent.is_dir():
            raise FileNotFoundError("there is no such folder")


def _writable(path: Path) -> os.stat_result | None:
    """What is there, where it may be written to; None where nothing is."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError("it is a folder")
    if stat.S_ISREG(status.st_mode):
        # Renaming asks the folder alone, and the superuser may do anything: the file's own word counts.
        if not status.st_mode & 0o222:
            raise PermissionError("it is read-only; make it writable, or name another file")
        if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return status


def _write(partial: Path, data: Blocks, before: os.stat_result | None) -> None:
    """Write a new file to the disk, and not only to its cache: a rename may reach the disk before what it names."""
    # Nobody may read in the new file what they could not read in the old one.
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600)
    with open(descriptor, "wb") as stream:  # noqa: PTH123  (a descriptor)
        if before is not None:
            _keep(descriptor, before)
        fill(stream, data)
        stream.flush()
        try:
            os.fsync(descriptor)
        except OSError as error:
            # Some file systems cannot; a disk that fails says something else.
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise


def _keep(descriptor: int, before: os.stat_result) -> None:
    """Group, owner as far as we may give files away, and mode of the file that is replaced."""
    for user, group in ((-1, before.st_gid), (before.st_uid, -1)):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, user, group)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & 0o777)


def fill(stream: BinaryIO, data: Blocks) -> None:
    """The one place where bytes go into a file."""
    stream.writelines([data] if isinstance(data, bytes) else data)


@contextlib.contextmanager
def _worded(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:  # of what is read while this is written
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be written: {reason}", Place(str(path)), code="unwritable") from None

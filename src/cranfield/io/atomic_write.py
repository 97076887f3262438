"""Files and folders that are written completely or not at all: the one place where this package writes.

Files are packed as the endings of their names say. Alone or several together, they and folders are filled beside their
place under a partial name, and then renamed.
Partial files of processes that were killed are swept away by the next write.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import platform
import re
import shutil
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from cranfield.errors import InputError
from cranfield.findings.location import Location

ByteBlocks = bytes | Iterable[bytes]
"""The content of a file, complete or in blocks, which may be made while they are written."""


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


def write_bytes(path: Path, data: ByteBlocks) -> None:
    """Write a file so that it is there whole or not at all; a file that was there gives it its mode and owner.

    Raises:
        InputError: the file is read-only, or its folder is not there or cannot be written to.
    """
    with together() as add:
        add(path, data)


@contextlib.contextmanager
def together() -> Iterator[Callable[[Path, ByteBlocks], None]]:
    """Write files that appear at the end, all of them or none; earlier files of these names stay until then.

    Gives a function that takes a file's path and what it shall hold. A pipe or a device is written to at once.

    Raises:
        InputError: a file is read-only, or its folder is not there or cannot be written to.
    """
    pending: list[tuple[Path, Path, Path]] = []

    def add(path: Path, data: ByteBlocks) -> None:
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
        with _undisturbed():
            for path, partial, target in pending:
                with _worded(path):
                    partial.replace(target)
    finally:
        for _, partial, _ in pending:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Put off signals such as Ctrl-C until several names have changed, so that all of them change or none.

    Only where Python would call a function for them, which it does in the main thread alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = ((int(number), signal.getsignal(number)) for number in signal.valid_signals())
    heard = {number: handler for number, handler in before if callable(handler)}
    arrived: list[int] = []
    try:
        for number in heard:
            signal.signal(number, lambda number, _: arrived.append(number))
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)
        for number in arrived:
            signal.raise_signal(number)


def check_writable(path: Path) -> None:
    """Refuse what cannot be written to before the work is done, not after.

    Raises:
        InputError: it is a folder or read-only, or its folder is not there or cannot be written to.
    """
    with _worded(path):
        before = _writable(path)
        folder = path.resolve().parent
        if before is None and not folder.is_dir():
            raise FileNotFoundError("there is no such folder")
        if (before is None or stat.S_ISREG(before.st_mode)) and not _may(folder, os.W_OK | os.X_OK):
            raise PermissionError("its folder is read-only; make it writable, or name another file")


def check_folder(folder: Path, *names: str) -> None:
    """Refuse a folder that ``make_folder`` cannot make, or that cannot be written to, before the work is done.

    Args:
        folder: that files are put into.
        names: of those that may be there already.

    Raises:
        InputError: it or what is above it is a file or read-only, or one of the files is.
    """
    with _worded(folder):
        target = folder.resolve()
        there = next(path for path in (target, *target.parents) if path.exists())
        if not there.is_dir():
            raise NotADirectoryError(f"{there.name!r} is a file; name another folder")
        if not _may(there, os.W_OK | os.X_OK):
            which = "it" if there == target else f"the folder {there.name!r}"
            raise PermissionError(f"{which} is read-only; make it writable, or name another folder")
    for file in filter(Path.exists, map(folder.joinpath, names)):
        check_writable(file)


@contextlib.contextmanager
def make_folder(folder: Path) -> Iterator[None]:
    """Make a folder, and those above it; they do not stay if nothing is written into them.

    Raises:
        InputError: the folder cannot be made.
    """
    check_folder(folder)
    absent: list[Path] = []
    try:
        with _worded(folder):
            absent = [path for path in (folder, *folder.parents) if not path.exists()]
            folder.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        for path in absent:
            with contextlib.suppress(OSError):  # it is not empty
                path.rmdir()


def _writable(path: Path) -> os.stat_result | None:
    """The status of what may be written over; None where there is nothing."""
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
        if not _may(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return status


def _may(path: Path, mode: int) -> bool:
    """Return whether the system lets this process do so with a file or a folder; the mode is that of ``os.access``."""
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _write(partial: Path, data: ByteBlocks, before: os.stat_result | None) -> None:
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
    """Give the new file the group, the owner as far as we may give files away, and the mode of the one it replaces.

    Windows has none of them: a new file takes its rights from its folder.
    """
    if not hasattr(os, "fchown"):
        return
    for user, group in ((-1, before.st_gid), (before.st_uid, -1)):
        with contextlib.suppress(PermissionError):
            os.fchown(descriptor, user, group)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode) & 0o777)


def fill(stream: BinaryIO, data: ByteBlocks) -> None:
    """The one place where bytes go into a file."""
    stream.writelines([data] if isinstance(data, bytes) else data)


@contextlib.contextmanager
def _worded(path: Path) -> Iterator[None]:
    try:
        yield
    except InputError:  # of what is read while this is written
        raise
    except (OSError, ValueError) as error:
        raise _unwritable(path, _reason(error)) from None


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
    partial = target.with_name(partial_name().removesuffix("partial") + "folder")
    try:
        sweep(target.parent)
        partial.mkdir()
        yield partial
        _synchronize(partial)
        put(partial, target)
    except OSError as error:
        raise _unwritable(path, _reason(error)) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def check_replaceable(path: Path, is_ours: Callable[[Path], bool]) -> Path:
    """The target of a folder that is written, provided that it can be, and that nothing else is lost by it.

    Raises:
        InputError: there is a file of this name, a read-only folder, one that holds something else, or none to put it
            in.
    """
    target = path.resolve()
    if target.is_dir():
        foreign = next((file.name for file in sorted(target.iterdir()) if not (file.is_file() and is_ours(file))), None)
        if foreign is not None:
            text = f"it is a folder that holds something else ({foreign!r}); empty it, or name another folder"
            raise _unwritable(path, text)
        check_folder(target)
    elif target.exists():
        raise _unwritable(path, "it is a file; name a folder")
    elif not target.parent.is_dir():
        raise _unwritable(path, "there is no such folder to put it in")
    if not _may(target.parent, os.W_OK | os.X_OK):
        raise _unwritable(path, "the folder above it is read-only; make it writable, or name another folder")
    return target


def put(partial: Path, target: Path) -> None:
    """Give a folder its name; one that had it goes aside first and is then removed."""
    # Not the name of what is swept: killed between the two, it is all that is left of the scores that were there.
    aside = target.with_name(partial_name())
    with _undisturbed():
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


def _reason(error: OSError | ValueError) -> str:
    """Describe what the system refused, and what to do about a full disk."""
    reason = getattr(error, "strerror", None) or str(error)
    full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
    return f"{reason}; make room there, or name another place" if full else reason


def _unwritable(path: Path, reason: str) -> InputError:
    return InputError(f"cannot be written: {reason}", Location(str(path)), code="unwritable")


DAY = 86_400
"""Seconds after which no writer is expected to go on."""

NAME = r"\.cranfield-([0-9a-f]{8})-([1-9][0-9]{0,8})-[0-9a-f]{8}\.(partial|folder)"
"""The machine of the process, its number, what distinguishes its files, and their kind."""


def partial_name() -> str:
    """A new name for a file that this process is about to write."""
    return f".cranfield-{_here()}-{os.getpid()}-{os.urandom(4).hex()}.partial"


@functools.lru_cache(maxsize=1024)
def sweep(folder: Path) -> None:
    """Remove what killed processes left in a folder; once for each folder, which may hold many files.

    Only files that ``partial_name`` named go, and folders that ``partial_folder_name`` did, and of these only those
    whose process is gone; where it ran on another machine, in another container or before the machine was started
    anew, those of yesterday.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            parts = re.fullmatch(NAME, entry.name)
            if parts and _is_of_kind(entry, parts[3]) and _is_left(entry, parts[1], int(parts[2])):
                import shutil  # here, as a short call finds nothing to remove

                with contextlib.suppress(OSError):
                    shutil.rmtree(entry.path) if parts[3] == "folder" else Path(entry.path).unlink()


def _is_of_kind(entry: os.DirEntry[str], kind: str) -> bool:
    return entry.is_dir(follow_symlinks=False) if kind == "folder" else entry.is_file(follow_symlinks=False)


def _is_left(entry: os.DirEntry[str], home: str, process: int) -> bool:
    # On Windows, os.kill(process, 0) does not ask: it sends Ctrl-C. There the age of a file has to do.
    if home == _here() and sys.platform != "win32":
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        except OSError:
            pass  # it is somebody else's, and lives
    return time.time() - entry.stat(follow_symlinks=False).st_mtime > DAY


@functools.cache
def _here() -> str:
    """A hash of the machine, its start and the container, within which numbers of processes are unique."""
    import hashlib

    facts = [platform.node()]
    with contextlib.suppress(OSError):
        facts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii"))
    with contextlib.suppress(OSError):
        facts.append(str(Path("/proc/self/ns/pid").readlink()))
    return hashlib.sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()[:8]


def is_packed(ending: str) -> bool:
    """Return whether files of this ending are packed."""
    return ending in (".gz", ".bz2", ".xz", ".zst")


def packed(data: bytes, ending: str) -> bytes:
    """Data as gzip, bzip2, xz or zstd, or as they are; the same data give the same bytes."""
    match ending:
        case ".gz":
            import gzip

            return gzip.compress(data, mtime=0)
        case ".bz2":
            import bz2

            return bz2.compress(data)
        case ".xz":
            import lzma

            return lzma.compress(data)
        case ".zst":
            if sys.version_info >= (3, 14):
                from compression import zstd
            else:
                from backports import zstd

            return zstd.compress(data)
    return data

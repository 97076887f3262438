"""Where files of data sets are: folders, globs and addresses, on any file system that PyArrow or fsspec knows."""

from __future__ import annotations

import fnmatch
import glob
from collections.abc import Mapping
from typing import Any

from cranfield.errors import InputError, UsageError
from cranfield.findings.place import Place
from cranfield.io.formats._optional import needed
from cranfield.wording import quoted, shown

HIDDEN = ("_", ".")
"""What names of files begin with that are no part of the data, such as ``_SUCCESS``."""


def is_address(name: str) -> bool:
    """Whether a name is an address such as ``s3://lake/scores``, and no path of this machine."""
    return "://" in name


def system_of(path: str, filesystem: Any, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The file system of a path, as PyArrow has it, and the path in it.

    Raises:
        InputError: it cannot be reached, or a package that it needs is not installed.
        UsageError: a file system that is none.
    """
    place = Place(path)
    with needed("pyarrow", "a data set", place):
        from pyarrow import fs
    if filesystem is not None:
        if isinstance(filesystem, fs.FileSystem):
            return filesystem, path.partition("://")[2] or path
        if not hasattr(filesystem, "ls"):
            raise UsageError(f"filesystem={filesystem!r} is no file system: give one of pyarrow.fs or fsspec")
        return fs.PyFileSystem(fs.FSSpecHandler(filesystem)), filesystem._strip_protocol(path)
    if not is_address(path):
        from pathlib import Path

        return fs.LocalFileSystem(), str(Path(path).absolute())
    try:
        if not options:
            try:
                found, inner = fs.FileSystem.from_uri(path)
                return found, inner
            except (ValueError, NotImplementedError):  # an address that PyArrow does not know
                pass
        with needed("fsspec", f"the address {quoted(path)}", place):
            import fsspec
        found, inner = fsspec.core.url_to_fs(path, **options)
        return fs.PyFileSystem(fs.FSSpecHandler(found)), inner
    except InputError:
        raise
    except Exception as error:  # of any library that an address names
        raise unreachable(path, error) from None


def unreachable(path: str, error: Exception) -> InputError:
    """What to say where a file system does not answer, as it does not without credentials."""
    said = shown(str(error).strip().partition("\n")[0], 200) or type(error).__name__
    denied = any(
        word in f"{said} {type(error).__name__}".lower() for word in ("credential", "access", "forbidden", "403")
    )
    remedy = (
        "give the credentials that its file system looks for, or storage_options={...}"
        if denied or isinstance(error, PermissionError)
        else "look at the address, the network and storage_options"
    )
    return InputError(f"cannot be read: {said}; {remedy}", Place(path), code="unreachable", value=type(error).__name__)


def files_of(system: Any, inner: str, given: str) -> tuple[str, list[tuple[str, int]]]:
    """The folder that paths are in, and every file with its size, in the order of their names.

    Raises:
        InputError: nothing is there, or it cannot be reached.
    """
    from pyarrow import fs

    try:
        if glob.has_magic(inner) and system.get_file_info(inner).type == fs.FileType.NotFound:
            base = inner[: min(inner.index(mark) for mark in "*?[" if mark in inner)].rpartition("/")[0]
            found = [one for one in _below(system, base) if _matches(one.path, inner)]
        else:
            info = system.get_file_info(inner)
            if info.type == fs.FileType.NotFound:
                raise InputError("there is no such file or folder", Place(given), code="missing-file")
            base = inner if info.type == fs.FileType.Directory else inner.rpartition("/")[0]
            found = _below(system, inner) if info.type == fs.FileType.Directory else [info]
    except InputError:
        raise
    except Exception as error:  # of any library that an address names
        raise unreachable(given, error) from None
    files = [(one.path, int(one.size or 0)) for one in found if not _is_hidden(one.path, base)]
    if not files:
        raise InputError("no file is there: a data set is a folder or a glob of files", Place(given), code="empty")
    return base, sorted(files)


def _below(system: Any, base: str) -> list[Any]:
    from pyarrow import fs

    return [one for one in system.get_file_info(fs.FileSelector(base, recursive=True)) if one.type == fs.FileType.File]


def _matches(path: str, pattern: str) -> bool:
    """As globs of a shell do: a star ends at a slash, and a folder that matches stands for all that is in it."""
    parts, wanted = path.split("/"), pattern.rstrip("/").split("/")
    if "**" in wanted:
        return fnmatch.fnmatchcase(path, pattern.replace("**/", "*"))
    return len(parts) >= len(wanted) and all(map(fnmatch.fnmatchcase, parts, wanted))


def _is_hidden(path: str, base: str) -> bool:
    return any(part.startswith(HIDDEN) for part in path[len(base) :].strip("/").split("/"))

"""The files of data sets: folders, globs and addresses, on any file system that PyArrow or fsspec knows."""

from __future__ import annotations

import contextlib
import fnmatch
import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cranfield._message import REMOVED, name_value, remove_credentials, secrets_in
from cranfield._optional import fs, import_optional
from cranfield._text import counted, in_full, quoted, shown, warn
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.error_messages import missing_file
from cranfield.io.source import check_regular, file_size
from cranfield.io.system_names import without_query

HIDDEN = ("_", ".")
"""The beginning of names of files that are not part of the data, such as ``_SUCCESS``."""

SHORTEST = 4
"""Letters of a secret; a shorter text may be any word of a message."""


def is_address(name: str) -> bool:
    """Return whether a name is an address such as ``s3://lake/scores``, and no path of this machine."""
    return "://" in name


def resolve_filesystem(path: str, filesystem: Any, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The file system of a path, as PyArrow has it, and the path in it.

    Raises:
        InputError: it cannot be reached, or a package that it needs is not installed.
        UsageError: a file system that is none.
    """
    location = Location(path)
    import_optional("pyarrow", "a data set", location)
    if filesystem is not None:
        if isinstance(filesystem, fs.FileSystem):
            return filesystem, path.partition("://")[2] or path
        if not hasattr(filesystem, "ls"):
            raise UsageError(
                f"filesystem={name_value(filesystem)} is not a file system: give one of pyarrow.fs or fsspec"
            )
        return fs.PyFileSystem(fs.FSSpecHandler(filesystem)), filesystem._strip_protocol(path)
    if not is_address(path):
        from pathlib import Path

        return fs.LocalFileSystem(), str(Path(path).absolute())
    try:
        if not options:
            try:
                system, inner = fs.FileSystem.from_uri(path)
                return system, inner
            except (ValueError, NotImplementedError):  # an address that PyArrow does not know
                pass
        fsspec = import_optional("fsspec", f"the address {quoted(path)}", location)
        system, inner = fsspec.core.url_to_fs(path, **options)
        return fs.PyFileSystem(fs.FSSpecHandler(system)), inner
    except InputError:
        raise
    except Exception as error:  # of any library that an address names
        raise unreachable(path, error, options) from None


def unreachable(path: str, error: Exception, options: Mapping[str, Any] | None = None) -> InputError:
    """The error where a file system does not answer, as it does not without credentials.

    Args:
        path: as it was named.
        error: of the library, which may repeat what it was given.
        options: that it was given.
    """
    text = remove_credentials(str(error).strip().partition("\n")[0])
    for secret in (*secrets_in(path), *_texts_in(options or {})):
        text = text.replace(secret, REMOVED) if len(secret) >= SHORTEST else text
    reason = shown(text, 200) or type(error).__name__
    denied = any(
        word in f"{reason} {type(error).__name__}".lower() for word in ("credential", "access", "forbidden", "403")
    )
    remedy = (
        "give the credentials that its file system looks for, or storage_options={...}"
        if denied or isinstance(error, PermissionError)
        else "look at the address, the network and storage_options"
    )
    return InputError(
        f"cannot be read: {reason}; {remedy}", Location(path), code="unreachable", value=type(error).__name__
    )


@contextlib.contextmanager
def listing(path: str) -> Iterator[None]:
    """Word the errors of this machine while a name is looked up, or a folder listed.

    Raises:
        InputError: the name is none that could be there, or a folder cannot be read.
    """
    try:
        yield
    except FileNotFoundError:
        raise missing_file(Location(path)) from None
    except OSError as error:
        text = f"cannot be read: {error.strerror or error}"
        raise InputError(text, Location(path), code="unreadable") from None


@contextlib.contextmanager
def reachable(name: str) -> Iterator[None]:
    """Word the errors of the library behind an address while bytes are read, such as of an answer that ends early.

    Raises:
        InputError: the library failed.
    """
    try:
        yield
    except Exception as error:
        if not is_address(name) or type(error).__module__.partition(".")[0] in ("builtins", "cranfield", "pyarrow"):
            raise
        raise unreachable(name, error) from None


def _texts_in(options: Mapping[str, Any]) -> list[str]:
    """All texts that a file system was given, those of options inside others too."""
    texts: list[str] = []
    for value in options.values():
        texts += _texts_in(value) if isinstance(value, Mapping) else [value] if isinstance(value, str) else []
    return texts


def list_files(system: Any, inner: str, name: str) -> tuple[str, list[tuple[str, int]]]:
    """The folder that paths are in, and every file with its size, in the order of their names.

    Raises:
        InputError: nothing is there, it cannot be reached, or it holds what is not a regular file.
    """
    try:
        matching = _matching(system, inner, name) if glob.has_magic(without_query(inner)) else None
        if matching is not None:
            base, entries = matching
        else:
            info = system.get_file_info(inner)
            if info.type == fs.FileType.NotFound:
                text = "there is no such file or folder"
                more = ", or its server does not show it to you: look at the credentials" if is_address(name) else ""
                raise InputError(f"{text}{more}", Location(name), code="missing-file")
            if info.type == fs.FileType.Unknown:
                check_regular(inner)
            base = inner if info.type == fs.FileType.Directory else inner.rpartition("/")[0]
            entries = (
                _below(system, inner)
                if info.type == fs.FileType.Directory
                else [_FolderEntry(inner, int(info.size or 0))]
            )
    except InputError:
        raise
    except Exception as error:  # of any library that an address names
        raise unreachable(name, error) from None
    files = [entry for entry in entries if not _is_hidden(entry.path, base)]
    if system.type_name == "local":
        check_found([entry.path for entry in files], base)
    if not files:
        raise InputError("no file is there: a data set is a folder or a glob of files", Location(name), code="empty")
    return base, sorted((entry.path, entry.size) for entry in files)


def _matching(system: Any, pattern: str, name: str) -> tuple[str, list[_FolderEntry]] | None:
    """The folder that a pattern looks in, and what matches; None where it can only be the name of a file or a folder.

    Raises:
        InputError: it is both, so that whoever put that file there could change what is read.
    """
    base = pattern[: min(pattern.index(mark) for mark in "*?[" if mark in pattern)].rpartition("/")[0]
    entries = [entry for entry in _below(system, base) if _matches(entry.path, pattern, entry.is_folder)]
    if system.get_file_info(pattern).type == fs.FileType.NotFound:
        return base, entries
    others = [entry for entry in entries if entry.path != pattern and not entry.path.startswith(f"{pattern}/")]
    if others:
        text = f"is a name and a pattern of {counted(len(others), 'other file')}: rename what is called so"
        raise InputError(text, Location(name), code="ambiguous")
    return None


class _FolderEntry(NamedTuple):
    """An entry of a folder: a file, or a link to a folder."""

    path: str
    size: int
    is_folder: bool = False


def _below(system: Any, base: str) -> list[_FolderEntry]:
    if system.type_name == "local":
        return [_FolderEntry(path, file_size(path), os.path.isdir(path)) for path in paths_below(base)]  # noqa: PTH112
    infos = system.get_file_info(fs.FileSelector(base, recursive=True))
    return [_FolderEntry(info.path, int(info.size or 0)) for info in infos if info.type == fs.FileType.File]


def paths_below(folder: str) -> list[str]:
    """All entries below a folder of this machine, except folders; links to folders are not followed.

    Raises:
        OSError: a folder cannot be read.
    """
    paths = []
    for parent, folders, files in os.walk(folder, onerror=_raise):
        paths += [os.path.join(parent, name) for name in files]  # noqa: PTH118  (as it was named)
        paths += [path for name in folders if os.path.islink(path := os.path.join(parent, name))]  # noqa: PTH114, PTH118
    return sorted(paths)


def check_found(paths: Sequence[str], folder: str) -> None:
    """Warn of links that lead out of a folder in which files were found, as those of a cache of downloads do.

    Raises:
        InputError: one is not a regular file, or a link to a folder, which might lead to itself; or a link to nothing.
    """
    links = [path for path in paths if os.path.islink(path)]  # noqa: PTH114
    for path in links:
        if os.path.isdir(path):  # noqa: PTH112
            text = "is a link to a folder, and links to folders are not followed: name that folder itself"
            raise InputError(text, Location(path), code="unreadable")
    for path in paths:
        try:
            check_regular(path)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror or error}", Location(path), code="unreadable") from None
    root = os.path.join(os.path.realpath(folder), "")  # noqa: PTH118
    outside = [path for path in links if not os.path.realpath(path).startswith(root)]
    if outside:
        leads = "leads" if len(outside) == 1 else "lead"
        warn(f"{Location(folder)}: {counted(len(outside), 'link')} {leads} out of it, such as {in_full(outside[0])}")


def _raise(error: OSError) -> None:
    raise error


def _matches(path: str, pattern: str, is_folder: bool) -> bool:
    """Match a path as a shell does: a star ends at a slash, and a folder that matches stands for its content.

    A link to a folder matches where something in the folder might.
    """
    parts, pattern_parts = path.split("/"), pattern.rstrip("/").split("/")
    if "**" in pattern_parts:
        return is_folder or fnmatch.fnmatchcase(path, pattern.replace("**/", "*"))
    return (is_folder or len(parts) >= len(pattern_parts)) and all(map(fnmatch.fnmatchcase, parts, pattern_parts))


def _is_hidden(path: str, base: str) -> bool:
    return any(part.startswith(HIDDEN) for part in path[len(base) :].strip("/").split("/"))

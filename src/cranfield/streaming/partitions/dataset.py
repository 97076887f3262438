"""Many files that are one run, or the judgments: Parquet, Arrow IPC and TREC text, wherever they are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal
from urllib.parse import unquote

from cranfield._frozen import Frozen
from cranfield._message import remove_credentials
from cranfield._optional import import_optional
from cranfield._text import quoted
from cranfield.collection.column_names import ColumnNames, check_roles, select_columns
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.io.filesystem import is_address, list_files, reachable, resolve_filesystem, unreachable
from cranfield.io.source import as_text
from cranfield.io.system_names import stem, without_query
from cranfield.memory import require, size_in_words
from cranfield.streaming.partitions.footers import (
    check_alike,
    check_forms,
    check_system,
    count_rows,
    described,
    read_table,
)
from cranfield.streaming.partitions.fragment import FileForm, Fragment

DatasetKind = Literal["score", "label"]
USED_COLUMNS = {"score": ("topic", "document", "score", "system"), "label": ("topic", "document", "label")}
"""The columns that are read of rows of each kind."""
ENDINGS: dict[str, FileForm] = {
    **dict.fromkeys((".parquet", ".pq", ".parq"), "parquet"),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), "ipc"),
}
OF_ROW = 120
"""Bytes that a row takes where all rows are read at once, copies counted."""
UNUSUAL = 1000
"""Rows that take more than this multiple of the size of their files are counted as if they were all read at once:
documents of a topic differ, so that each row takes more than a bit."""
MAGIC: dict[bytes, FileForm] = {b"PAR1": "parquet", b"ARROW1": "ipc"}


class Dataset(Frozen):
    """Files in a folder, or that a glob or an address names, as one run, or as the judgments.

    Files that begin with ``_`` or ``.`` are left out, and what folders are called (``country=de``) is a column, as Hive
    has it. Nothing is read before it is needed. It may be sent to other processes. ``evaluate`` and all else that takes
    a frame takes a data set too, of Parquet or Arrow files, and reads it whole where that fits into the memory allowed.

    Args:
        path: a folder, a file, a glob, or an address such as ``s3://bucket/run/``.
        columns: role -> column, where they are called otherwise than usual: ``{"topic": "user", "document": "item"}``.
        filesystem: of ``pyarrow.fs`` or fsspec; where None, the one that the address names.
        storage_options: what fsspec is told of it, such as keys.
        name: of the run; the last part of the path where None.

    Raises:
        UsageError: ``columns`` names a role that does not exist.
    """

    def __init__(
        self,
        path: Any,
        *,
        columns: ColumnNames = None,
        filesystem: Any = None,
        storage_options: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        self.path = as_text(path)
        self.columns = check_roles(columns)
        self.filesystem = filesystem
        self.storage_options = dict(storage_options or {})
        self.name = name or stem(self.path.rstrip("/")) or remove_credentials(self.path)
        self._freeze()

    def __repr__(self) -> str:
        return f"Dataset({remove_credentials(self.path)!r})"

    def named(self, name: str) -> Dataset:
        """The data set under another name."""
        settings = {"columns": self.columns, "filesystem": self.filesystem, "storage_options": self.storage_options}
        return Dataset(self.path, name=name, **settings)

    def facts(self) -> dict[str, Any]:
        """Names and sizes of the files, for signatures: contents are too large to be hashed."""
        import hashlib

        base, files = self._listed
        listing = "\n".join(f"{without_query(path)[len(base) :]} {size}" for path, size in files)
        size = sum(size for _, size in files)
        digest = hashlib.sha256(listing.encode()).hexdigest()
        return {"name": self.name, "files": len(files), "bytes": size, "sha256": digest, "hashed": "names and sizes"}

    @property
    def location(self) -> Location:
        """The location that messages name."""
        return Location(self.path)

    @cached_property
    def files(self) -> list[tuple[str, int]]:
        """The path of every file in its file system, and its size.

        Raises:
            InputError: there is none, or it cannot be reached.
        """
        return self._listed[1]

    @property
    def is_text(self) -> bool:
        """True if all files are text.

        Raises:
            InputError: a file cannot be read, or text is not on this machine.
        """
        return all(self._bare(path, size).form == "trec" for path, size in self.files)

    @cached_property
    def _listed(self) -> tuple[str, list[tuple[str, int]]]:
        return list_files(*self._system, self.path)

    @cached_property
    def _system(self) -> tuple[Any, str]:
        return resolve_filesystem(self.path, self.filesystem, self.storage_options)

    def fragments(self, kind: DatasetKind) -> list[Fragment]:
        """Every file as a run's (``score``) or as judgments (``label``).

        Raises:
            InputError: a file is damaged, or has other columns than the first one.
        """
        import_optional("pyarrow", "a data set", self.location)
        bare = [self._bare(path, size) for path, size in self.files]
        check_forms(bare)
        files = [file if file.form == "trec" else described(file, kind, self._columns(kind)) for file in bare]
        check_alike(files)
        rows, size = sum(file.rows for file in files), sum(file.size for file in files)
        what = f"{rows:,} rows in {size_in_words(size)}"
        require(OF_ROW * rows, what, "write fewer rows", location=self.location, usual=UNUSUAL * size)
        check_system(files)
        return files

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """All rows with columns called as their roles, so that whatever takes a frame takes a data set that has room.

        Raises:
            InputError: it would not fit into the memory allowed, or holds files of text.
        """
        import_optional("pyarrow", "a data set", self.location)
        bare = [self._bare(path, size) for path, size in self.files]
        instead = "score it part by part (cranfield.partitions.evaluate_partitions, --dataset)"
        if any(file.form == "trec" for file in bare):
            raise InputError(f"holds files of text: give them as a glob, or {instead}", self.location, code="text")
        require(OF_ROW * sum(map(count_rows, bare)), f"the whole of {quoted(self.path)}", instead)
        return read_table(bare, self.columns).__arrow_c_stream__(requested_schema)

    def _bare(self, path: str, size: int) -> Fragment:
        system, base = self._system[0], self._listed[0]
        name, constants = self._derive_name(path), _hive(without_query(path)[len(base) :])
        form = _detect_form(system, path, name)
        if form == "trec" and system.type_name != "local":
            text = "is text, which is read from this machine alone: copy it here, or write it as Parquet"
            raise InputError(text, Location(name), code="text")
        return Fragment(path=path, name=name, system=system, form=form, roles={}, constants=constants, size=size)

    def _columns(self, kind: DatasetKind) -> dict[str, str]:
        return {role: name for role, name in select_columns(self.columns, kind).items() if role in USED_COLUMNS[kind]}

    def _derive_name(self, path: str) -> str:
        """The name of a file as the user would write it."""
        scheme, mark, _ = self.path.partition("://")
        return f"{scheme}{mark}{path}" if mark and not is_address(path) else path


def _hive(inner: str) -> dict[str, Any]:
    """Columns that names of folders give, as ``country=de``; integers stay integers."""
    values = {}
    for part in inner.strip("/").split("/")[:-1]:
        key, mark, value = part.partition("=")
        if mark and key:
            text = unquote(value)
            values[unquote(key)] = int(text) if text.isascii() and text.isdigit() and str(int(text)) == text else text
    return values


def _detect_form(system: Any, path: str, name: str) -> FileForm:
    """The format of a file by its ending, or else by its first bytes."""
    for ending, form in ENDINGS.items():
        if without_query(path).lower().endswith(ending):
            return form
    try:
        with reachable(name), system.open_input_file(path) as source:
            head = source.read(6)
    except OSError as error:
        raise unreachable(name, error) from None
    return next((form for mark, form in MAGIC.items() if head.startswith(mark)), "trec")

"""One file of a data set: its location, format and columns."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from cranfield.findings.location import Location

FileForm = Literal["parquet", "ipc", "trec"]
FORMS: dict[FileForm, str] = {"parquet": "Parquet", "ipc": "Arrow", "trec": "text"}
"""Forms of files -> their names in messages."""
StatisticBounds = tuple[Any, Any]
"""The least and the greatest topic."""


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group of Parquet: its number, its rows, the first of them, and the topics that its statistics name."""

    number: int
    rows: int
    first: int
    topics: StatisticBounds | None


@dataclass(frozen=True, kw_only=True)
class Fragment:
    """A file of a data set; it may be sent to other processes.

    Args:
        path: in its file system.
        name: as messages call it.
        system: PyArrow's file system.
        form: how rows lie in it.
        roles: topic, document and number -> name of the column.
        constants: what the names of its folders say: column -> value.
        integer_ids: role -> whether its ids are integers.
        systems: columns that may say of which system a row is -> the one that all rows are of, None where that is not
            known without reading them.
        groups: that are to be read; None for all of a file without row groups.
        size: in bytes.
        rows: how many there are, where that is known without reading them.
        copy_of: the files whose rows this one has in the order of their topics, where it is such a copy.
    """

    path: str
    name: str
    system: Any
    form: FileForm
    roles: dict[str, str]
    constants: dict[str, Any]
    integer_ids: dict[str, bool] = field(default_factory=dict)
    systems: dict[str, str | None] = field(default_factory=dict)
    groups: tuple[RowGroup, ...] | None = None
    size: int = 0
    rows: int = 0
    copy_of: tuple[Fragment, ...] = ()

    @property
    def location(self) -> Location:
        """The location that messages name."""
        return Location(self.name)

    @property
    def number_role(self) -> str:
        """The role of its numbers: ``score`` in a run, ``label`` in judgments."""
        return "score" if "score" in self.roles else "label"

    @property
    def topics(self) -> StatisticBounds | None:
        """The least and the greatest topic, where statistics name them."""
        bounds = [group.topics for group in self.groups or () if group.rows]
        if not bounds or None in bounds:
            return None
        return min(bound[0] for bound in bounds if bound), max(bound[1] for bound in bounds if bound)

    def where(self, row: int) -> Location:
        """The location of a row; rows count from 0."""
        for group in self.groups or ():
            if group.first <= row < group.first + group.rows:
                return self.location.within(f"row group {group.number}, row {row - group.first + 1}")
        return self.location.within(f"row {row + 1}")

    def select_groups(self, groups: tuple[RowGroup, ...]) -> Fragment:
        """The file with a subset of its row groups."""
        return replace(self, groups=groups, rows=sum(group.rows for group in groups))

    def sized(self, rows: int) -> Fragment:
        """The file with its number of rows."""
        return replace(self, rows=rows)

    @property
    def is_local(self) -> bool:
        """True if the file is on this machine."""
        return str(self.system.type_name) == "local"

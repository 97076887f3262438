"""The team, the type and a description of each run, which organisers supply as a file, a frame or a dict."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cranfield._message import name_value
from cranfield._text import counted, listed, quoted, warn
from cranfield._validation import first_repeated
from cranfield.collection.frames import is_frame, read_table
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.delimited import BLANKS, delimited_lines, explain_semicolons
from cranfield.io.source import as_text, read_text
from cranfield.io.system_names import by_run, warn_of_unused

EntriesLike: TypeAlias = "str | os.PathLike[str] | Mapping[str, Mapping[str, str]] | Any | None"
FACTS = ("team", "type", "description")
COLUMNS = ("system", *FACTS)
TREC_NAMES = {"tag": "system", "runtype": "type"}
"""Columns of the leaderboards that TREC publishes -> the columns that they stand for where these are missing."""


@dataclass(frozen=True)
class Entry:
    """A run as its organisers describe it; each field is empty where they leave it out.

    Args:
        team: that submitted it.
        type: of the run, such as automatic or manual.
        description: free text.
    """

    team: str = ""
    type: str = ""
    description: str = ""


@dataclass(frozen=True)
class Entries:
    """The entries of all systems.

    Args:
        by_system: system -> its entry, in the order of systems.
        left_out: the same of runs that were left out.
    """

    by_system: Mapping[str, Entry]
    left_out: Mapping[str, Entry] = field(default_factory=dict)

    @classmethod
    def read(cls, source: EntriesLike, systems: Sequence[str], left_out: Sequence[str] = ()) -> Entries:
        """Read the entries of all systems; those without one have an empty entry.

        A run may be named as its file is: a name that is not a system stands for the one that it is without the
        endings of files.

        Args:
            source: a file with tabs or commas and a head, a frame with the same columns, a dict of dicts, or None.
            systems: that were evaluated.
            left_out: runs that were not, of which the source may tell the teams.

        Raises:
            InputError: the file cannot be read, has no column ``system``, or names a system twice or none of these.
            UsageError: the source is none of these.
        """
        if source is None:
            return cls({name: Entry() for name in systems}, {name: Entry() for name in left_out})
        entries = by_run(_read(source), {*systems, *left_out})
        unknown = [name for name in entries if name not in systems and name not in left_out]
        without = [name for name in systems if name not in entries]
        if entries and len(unknown) == len(entries):
            theirs, ours = (", ".join(map(quoted, names[:3])) for names in (unknown, list(systems)))
            raise InputError(
                f"names none of the runs: its systems are {theirs}, the runs are called {ours}", _locate(source)
            )
        warn_of_unused(unknown, str(_locate(source)))
        if without:
            warn(f"{_locate(source)}: says nothing of {listed(without, 'run')}")
        return cls(*({name: entries.get(name, Entry()) for name in names} for names in (systems, left_out)))

    @property
    def teams(self) -> list[str]:
        """The teams that have runs, by name."""
        return sorted({entry.team for entry in self.by_system.values() if entry.team})

    @property
    def all_teams(self) -> list[str]:
        """The same with the teams all of whose runs were left out."""
        return sorted({*self.teams, *(entry.team for entry in self.left_out.values() if entry.team)})

    def select_systems(self, team: str) -> list[str]:
        """Return the runs of one team; none where all were left out.

        Raises:
            UsageError: it has submitted none.
        """
        own = [system for system, entry in self.by_system.items() if entry.team == team]
        if not own and team not in self.all_teams:
            known = ", ".join(map(quoted, self.all_teams[:10])) or "none is named"
            raise UsageError(f"no run is of team {quoted(team)}; teams: {known}")
        return own

    def has(self, fact: str) -> bool:
        """Return whether any entry has this field."""
        return any(getattr(entry, fact) for entry in self.by_system.values())


def _locate(source: Any) -> Location:
    return Location(as_text(source)) if isinstance(source, (str, os.PathLike)) else Location(name="runs")


def _read(source: Any) -> dict[str, Entry]:
    location = _locate(source)
    rows: Iterable[tuple[Mapping[str, Any], int | None]]
    if isinstance(source, (str, os.PathLike)):
        rows = _parse_file(location, read_text(as_text(source)))
    elif isinstance(source, Mapping):
        rows = list(_read_mapping(source))
    elif is_frame(source):
        rows = _parse_frame(source, location)
    else:
        raise UsageError(f"what is said of runs is a file, a frame or a dict, not {type(source).__name__}")
    return _make_entries(rows, location)


def _read_mapping(source: Mapping[Any, Any]) -> Iterator[tuple[dict[str, Any], None]]:
    for name, facts in source.items():
        if not isinstance(facts, Mapping):
            raise UsageError(f"what is said of run {quoted(str(name))} is {name_value(facts)}, and should be a dict")
        yield {"system": name, **facts}, None


def _make_entries(rows: Iterable[tuple[Mapping[str, Any], int | None]], location: Location) -> dict[str, Entry]:
    """Make an entry of each row, which has the number of its line."""
    entries: dict[str, Entry] = {}
    for row, line in rows:
        name = str(row["system"])
        if name in entries:
            raise InputError(f"names system {quoted(name)} twice", location.at(line), code="twice", value=name)
        facts = {fact: row.get(fact) for fact in FACTS}
        entries[name] = Entry(
            **{fact: "" if text is None or text != text else str(text) for fact, text in facts.items()}  # noqa: PLR0124  (NaN of a frame)
        )
    if not entries:
        raise InputError("names no run", location, code="empty")
    return entries


def _parse_file(location: Location, text: str) -> Iterator[tuple[dict[str, str], int]]:
    lines = delimited_lines(location, text.removeprefix("\ufeff"))
    number, head = next(lines, (1, []))
    names = _name_columns([name.strip(BLANKS).lower() for name in head], location.at(number))
    for number, fields in lines:
        if len(fields) > len(names):
            text = f"has {counted(len(fields), 'field')}, and the head names {counted(len(names), 'column')}"
            raise FormatError(text, location.at(number), code="fields")
        yield {name: field.strip(BLANKS) for name, field in zip(names, fields, strict=False)}, number


def _parse_frame(frame: Any, location: Location) -> Iterator[tuple[dict[str, Any], None]]:
    table = read_table(frame)
    names = _name_columns([str(name) for name in table.names], location)
    columns = {name: table[original] for name, original in zip(names, table.names, strict=True) if name in COLUMNS}
    for values in zip(*(column.tolist() for column in columns.values()), strict=True):
        yield dict(zip(columns, values, strict=True)), None


def _name_columns(names: Sequence[str], location: Location) -> list[str]:
    """Return the names of columns, with ours for those that TREC uses where ours are not there as well.

    Raises:
        FormatError: two have one name, or none is ``system``.
    """
    repeated = first_repeated([name for name in names if name])
    if repeated is not None:
        raise FormatError(
            f"has two columns called {quoted(repeated)}: rename one, or leave it out", location, code="column"
        )
    renamed = [ours if (ours := TREC_NAMES.get(name, name)) not in names else name for name in names]
    if "system" not in renamed:
        columns = ", ".join(map(quoted, names)) or "nothing"
        raise FormatError(
            f"has no column called system: the head names {columns}; known are {', '.join(COLUMNS)}, and "
            f"tag and runtype as in TREC's leaderboards{explain_semicolons(names)}",
            location,
            code="column",
        )
    return renamed

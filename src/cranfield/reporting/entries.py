"""What organisers say of the runs: the team, the type and a description of each, from a file, a frame or a dict."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cranfield._text import counted, listed, quoted, warn
from cranfield.collection.frames import is_frame, table_of
from cranfield.collection.ids import first_repeated
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import Place
from cranfield.io.delimited import BLANKS, delimited_lines
from cranfield.io.source import as_text, read_text
from cranfield.io.system_names import by_run

EntriesLike: TypeAlias = "str | os.PathLike[str] | Mapping[str, Mapping[str, str]] | Any | None"
FACTS = ("team", "type", "description")
COLUMNS = ("system", *FACTS)


@dataclass(frozen=True)
class Entry:
    """What is said of one run; empty where nothing is.

    Args:
        team: that submitted it.
        type: of the run, such as automatic or manual.
        description: in words.
    """

    team: str = ""
    type: str = ""
    description: str = ""


@dataclass(frozen=True)
class Entries:
    """What is said of runs.

    Args:
        by_system: of each system, in their order.
    """

    by_system: Mapping[str, Entry]

    @classmethod
    def of(cls, given: EntriesLike, systems: Sequence[str]) -> Entries:
        """Of all systems, those without a word included.

        A run may be named as its file is: what is no system is one where it is without the endings of files.

        Args:
            given: a file with tabs or commas and a head, a frame with the same columns, a dict of dicts, or None.
            systems: that were evaluated.

        Raises:
            InputError: the file cannot be read, has no column ``system``, or names a system twice or none of these.
            UsageError: nothing of the kind.
        """
        if given is None:
            return cls({name: Entry() for name in systems})
        found = by_run(_read(given), set(systems))
        unknown = [name for name in found if name not in systems]
        without = [name for name in systems if name not in found]
        if found and len(unknown) == len(found):
            theirs, ours = (", ".join(map(quoted, names[:3])) for names in (unknown, list(systems)))
            raise InputError(
                f"names none of the runs: its systems are {theirs}, the runs are called {ours}", _place(given)
            )
        if unknown:
            lines = (
                "is not among the runs; its line is" if len(unknown) == 1 else "are not among the runs; their lines are"
            )
            warn(f"{_place(given)}: {listed(unknown, 'system')} {lines} not used")
        if without:
            warn(f"{_place(given)}: says nothing of {listed(without, 'run')}")
        return cls({name: found.get(name, Entry()) for name in systems})

    def systems_of(self, team: str) -> list[str]:
        """The runs of one team.

        Raises:
            UsageError: it has none.
        """
        own = [system for system, entry in self.by_system.items() if entry.team == team]
        if not own:
            teams = sorted({entry.team for entry in self.by_system.values() if entry.team})
            there = ", ".join(map(quoted, teams[:10])) if teams else "none is named"
            raise UsageError(f"no run is of team {quoted(team)}; teams: {there}")
        return own

    def any(self, fact: str) -> bool:
        """Whether something is said of this kind."""
        return any(getattr(entry, fact) for entry in self.by_system.values())


def _place(given: Any) -> Place:
    return Place(as_text(given)) if isinstance(given, (str, os.PathLike)) else Place(name="runs")


def _read(given: Any) -> dict[str, Entry]:
    place = _place(given)
    rows: Iterable[tuple[Mapping[str, Any], int | None]]
    if isinstance(given, (str, os.PathLike)):
        rows = _of_file(place, read_text(as_text(given)))
    elif isinstance(given, Mapping):
        rows = (({"system": name, **facts}, None) for name, facts in given.items())
    elif is_frame(given):
        rows = _of_frame(given, place)
    else:
        raise UsageError(f"what is said of runs is a file, a frame or a dict, not {type(given).__name__}")
    return _gathered(rows, place)


def _gathered(rows: Iterable[tuple[Mapping[str, Any], int | None]], place: Place) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for row, line in rows:
        name = str(row["system"])
        if name in found:
            raise InputError(f"names system {quoted(name)} twice", place.at(line), code="twice", value=name)
        facts = {fact: row.get(fact) for fact in FACTS}
        found[name] = Entry(**{fact: "" if text is None or text != text else str(text) for fact, text in facts.items()})  # noqa: PLR0124  (NaN of a frame)
    if not found:
        raise InputError("names no run", place, code="empty")
    return found


def _of_file(place: Place, text: str) -> Iterator[tuple[dict[str, str], int]]:
    lines = delimited_lines(place, text.removeprefix("\ufeff"))
    number, head = next(lines, (1, []))
    names = [name.strip(BLANKS).lower() for name in head]
    _check(names, place.at(number))
    for number, fields in lines:
        if len(fields) > len(names):
            text = f"has {counted(len(fields), 'field')}, and the head names {counted(len(names), 'column')}"
            raise FormatError(text, place.at(number), code="fields")
        yield {name: field.strip(BLANKS) for name, field in zip(names, fields, strict=False)}, number


def _of_frame(frame: Any, place: Place) -> Iterator[tuple[dict[str, Any], None]]:
    table = table_of(frame)
    _check(table.names, place)
    names = [name for name in COLUMNS if name in table.names]
    for values in zip(*(table[name].tolist() for name in names), strict=True):
        yield dict(zip(names, values, strict=True)), None


def _check(names: Sequence[str], place: Place) -> None:
    twice = first_repeated([name for name in names if name])
    if twice is not None:
        raise FormatError(f"has two columns called {quoted(twice)}: rename one, or leave it out", place, code="column")
    if "system" not in names:
        there = ", ".join(map(quoted, names)) or "nothing"
        raise FormatError(
            f"has no column called system: the head names {there}; known are {', '.join(COLUMNS)}", place, code="column"
        )

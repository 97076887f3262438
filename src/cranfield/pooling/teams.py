"""Which team submitted each run."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from cranfield._text import cut, listed, quoted
from cranfield.errors import FormatError, InputError, UsageError
from cranfield.findings.location import Place
from cranfield.io.delimited import BLANKS
from cranfield.io.source import as_text, read_numbered
from cranfield.io.system_names import by_run
from cranfield.scores.labels import named

TeamsLike: TypeAlias = "str | os.PathLike[str] | Mapping[str, str]"

HEADERS = (["run", "team"], ["system", "team"])


def read_teams(path: str | os.PathLike[str]) -> dict[str, str]:
    """Run -> team, from a file of two columns with a tab, or a comma, between them.

    A first line ``run team`` or ``system team`` is a header, and lines that begin with ``#`` are skipped. ``"-"`` is
    standard input.

    Raises:
        FormatError: a line is not two fields, a name is empty, or a run occurs twice.
        InputError: the file cannot be read, or names no run.
    """
    source = as_text(path)
    file = Place(source)
    teams: dict[str, str] = {}
    for number, row in read_numbered(source):
        line = file.at(number)
        cells = [cell.strip(BLANKS) for cell in row.split("\t" if "\t" in row else ",")]
        if cells in HEADERS and not teams:
            continue
        if len(cells) != 2:
            text = f"{quoted(row)} is not two fields: a run and its team, with a tab or a comma between them"
            raise FormatError(text, line, code="fields", value=cut(row))
        run, team = named(cells[0], "run", line), named(cells[1], "team", line)
        if run in teams:
            text = f"run {quoted(run)} occurs twice, here with team {quoted(team)}: keep one line for each run"
            raise FormatError(text, line, code="duplicate", value=cut(run))
        teams[run] = team
    if not teams:
        raise InputError("names no runs: each line should be a run and its team", file, code="empty")
    return teams


def teams_of(runs: Sequence[str], given: TeamsLike | None, *, several: bool = True) -> tuple[str, ...]:
    """The team of each run; every run is its own team where none is given. Runs are named as in tables, or by files.

    Args:
        runs: their names.
        given: see above.
        several: whether there should be two teams or more.

    Raises:
        InputError: a run has no team, a team's run was not given, or a single team has all the runs.
        UsageError: something else than a file or a mapping.
    """
    if given is None:
        teams, where = {run: run for run in runs}, "the runs"
    elif isinstance(given, Mapping):
        teams, where = {str(run): str(team) for run, team in given.items()}, "teams"
    elif isinstance(given, (str, os.PathLike)):
        teams, where = read_teams(given), str(Place(as_text(given)))
    else:
        raise UsageError(f"teams are a file, or run -> team, not the type {type(given).__name__}")
    teams = by_run(teams, set(runs))
    lacking = [run for run in runs if run not in teams]
    if lacking:
        text = f"there is no team for {listed(lacking, 'run')}: add a line for each, with the name as shown here"
        raise InputError(text, where, code="no-team", value=cut(lacking[0]))
    spare = sorted(set(teams) - set(runs))
    if spare:
        text = f"there is a team for {listed(spare, 'run')}, not given here: give all runs, or remove the line"
        raise InputError(text, where, code="no-run", value=cut(spare[0]))
    found = tuple(teams[run] for run in runs)
    if several and len(set(found)) == 1:
        text = f"all runs are of the team {quoted(found[0])}: without it nothing is left to judge by; give other runs"
        raise InputError(text, where, code="one-team", value=cut(found[0]))
    return found

"""The commands in the order of the help, without importing any: what each is for, and its old names.

The tree, and the sentence that each command completes, are in docs/decisions/0028.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cranfield.cli._declared_lines import BY_HAND, LINES, MEANT

if TYPE_CHECKING:
    from cranfield.declarations.analysis import ListedAnalysis


class _Declarations(Mapping[str, "ListedAnalysis"]):
    """The declared analyses by command, each made when it is looked up: a call needs one of fifty."""

    def __init__(self) -> None:
        self._made: dict[str, ListedAnalysis] = {}

    def __getitem__(self, command: str) -> ListedAnalysis:
        if command not in self._made:
            from cranfield.cli._declared import MAKERS  # which help does without

            self._made[command] = MAKERS[command]()
        return self._made[command]

    def __contains__(self, command: object) -> bool:
        return command in LINES

    def __iter__(self) -> Iterator[str]:
        return iter(LINES)

    def __len__(self) -> int:
        return len(LINES)


DECLARED: Mapping[str, ListedAnalysis] = _Declarations()
"""Command -> its analysis, without the analysis itself being imported."""
FIRST = ("evaluate", "check", "compare", "diff", "table", "report", "gate", "audit", "judges", "fuse")
"""Commands of the first screen."""


def _sort_commands(lines: dict[str, str]) -> dict[str, str]:
    """Sort commands as help lists them: those of the first screen, then by name; subcommands follow their command."""
    first = {name: number for number, name in enumerate(FIRST)}
    return dict(sorted(lines.items(), key=lambda item: (first.get(item[0].split()[0], len(first)), item[0])))


COMMANDS = _sort_commands(BY_HAND | LINES)
"""Command, or command and subcommand -> what it does in a line."""


def find_meant(name: str, *, exactly: bool = False) -> str | None:
    """Find the command that is meant by a word: a subcommand of this name too; None where that cannot be told.

    Args:
        name: the word.
        exactly: whether a name that is only like it does not count.
    """
    below = [path for path in COMMANDS if f" {path}".endswith(f" {name}")]
    if not below and not exactly:
        from difflib import get_close_matches

        below = get_close_matches(name, COMMANDS, 1)
    return MEANT.get(re.sub("[ -]", "_", name.lower()), below[0] if below else None)


def subcommands(name: str) -> dict[str, str]:
    """The subcommands of a command -> what each does in a line."""
    prefix = f"{name} "
    return {path.removeprefix(prefix): line for path, line in COMMANDS.items() if path.startswith(prefix)}

"""What commands there are, in the order of the help and without importing any: what each is for, and its old names.

The tree, and the sentence that each command completes, are in docs/decisions/0028.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cranfield.cli._declared_lines import LINES

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

BY_HAND = {
    "pool": "Choose what to judge, and study smaller pools.",
    "example": "Write the Cranfield collection: real judgments, and six runs.",
    "simulate": "Make collections and scores whose truth is known.",
    "protocol": "Write down how runs are evaluated, and repeat it.",
    "measures": "List the measures, or explain one.",
    "conformance": "Run a public suite of exact values on a tool that evaluates runs.",
    "conformance values": "Write exact values, and those of named mistakes, into cases.",
    "conformance generate": "Make the suite anew, into a folder.",
    "trec_eval": "Print what trec_eval prints, by its own arguments.",
    "help": "Explain a command, or options that many commands share.",
}
"""Command, or command and subcommand, without a declared analysis -> what it does in a line."""

GROUPS = {"information": "Measure what systems share about relevance, and measures about each other, in bits."}
"""Commands that do nothing by themselves -> what their subcommands do."""


def _sort_commands(lines: dict[str, str]) -> dict[str, str]:
    """Sort commands as help lists them: those of the first screen, then by name; subcommands follow their command."""
    first = {name: number for number, name in enumerate(FIRST)}
    return dict(sorted(lines.items(), key=lambda item: (first.get(item[0].split()[0], len(first)), item[0])))


COMMANDS = _sort_commands(BY_HAND | GROUPS | LINES)
"""Command, or command and subcommand -> what it does in a line."""

MEANT = {
    "agreement": "judges",
    "anova": "audit reliability",
    "bootstrap": "compare --test bootstrap",
    "combine": "fuse",
    "correlation": "judges",
    "eval": "evaluate",
    "html": "report",
    "kappa": "judges --show labels",
    "latex": "table -f latex",
    "leaderboard": "evaluate",
    "metrics": "measures",
    "power": "audit study-tests",
    "rank": "evaluate",
    "rrf": "fuse --method rrf",
    "run": "evaluate",
    "score": "evaluate",
    "significance": "compare",
    "stats": "check",
    "test": "compare",
    "ttest": "compare",
    "validate": "check",
    "z-score": "standardize",
}
"""Words that people type -> the command that they mean."""


def find_meant(name: str) -> str | None:
    """Find the command that is meant by a word: a subcommand of this name too; None where that cannot be told."""
    from difflib import get_close_matches

    below = [path for path in COMMANDS if path.endswith(f" {name}")]
    close = below or get_close_matches(name, COMMANDS, 1)
    return MEANT.get(name.lower(), close[0] if close else None)


def subcommands(name: str) -> dict[str, str]:
    """The subcommands of a command -> what each does in a line."""
    prefix = f"{name} "
    return {path.removeprefix(prefix): line for path, line in COMMANDS.items() if path.startswith(prefix)}

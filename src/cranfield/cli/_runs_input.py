"""``QRELS RUN...``: the judgments and runs of a command with all options that say how they are read.

@command_of_runs()
@runs_arguments
@reading_options
@runs_input
def command(runs: RunsInput, ...):
    result = analyse(runs.paths, runs.qrels, reading=runs.reading)
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._completion import complete_files
from cranfield.cli._options import (
    INTENTS,
    OPEN_TIES,
    exclude_option,
    file_options,
    input_options,
    intent_options,
    labels_option,
    policy_options,
)
from cranfield.collection.policy import POLICIES, Policy

if TYPE_CHECKING:
    from cranfield.collection.reading import InputOptions

JUDGES = {"preference_files": "preferences", "reference_rankings": "references"}
"""Parameter that names judges beside the judgments -> field of ``RunsInput``."""
READING = ("rel", "input_format", "columns", "labels", "names", "exclude", "only_topics", *INTENTS)
"""Parameters that say how runs are read, beside the policies; topics, where a command is called for a group of them."""


@dataclass(frozen=True)
class RunsInput:
    """The runs of a call, the judgments of their topics, and how both are read.

    Args:
        reading: the options by which all files are read.
        paths: the files of runs, as they were named.
        qrels: the file of judgments; empty where a command takes none, or several.
        preferences: files of preferences, each one more judge.
        references: reference rankings, likewise.
    """

    reading: InputOptions
    paths: list[str] = field(default_factory=list)
    qrels: str = ""
    preferences: Sequence[str] = ()
    references: Sequence[str] = ()

    @property
    def has_further_judges(self) -> bool:
        """Return whether there are other judges than the judgments."""
        return bool(self.preferences or self.references)

    def read_judges(self) -> tuple[Any, InputOptions]:
        """The judgments, or the evidence of all judges, and how runs are read through them.

        Raises:
            InputError: a file of further judges is refused.
        """
        if not self.has_further_judges:
            return self.qrels, self.reading
        from cranfield.information.judgment_sources import Evidence
        from cranfield.io.preferences import read_preferences
        from cranfield.io.trec import read_qrels, read_run

        files = self.reading.of_files
        rankings = (read_run(path, **files) for path in self.references)
        preferences = map(read_preferences, self.preferences)
        evidence = Evidence(
            read_qrels(self.qrels, **self.reading.file_judgment_options),
            *preferences,
            *rankings,
            rel=self.reading.level,
        )
        return evidence, replace(self.reading, rel=None)

    def restricted(self, topics: Sequence[str]) -> RunsInput:
        """The same runs, on some topics."""
        return replace(self, reading=replace(self.reading, only_topics=topics))


def take_runs(options: Mapping[str, Any]) -> tuple[RunsInput, dict[str, Any]]:
    """Take the runs, and how they are read, out of the options of a call; return the remaining options too.

    Raises:
        UsageError: the level of relevance is not a number.
    """
    from cranfield.collection.reading import InputOptions  # NumPy, for which --help does not wait

    reading = InputOptions(**{name: options[name] for name in (*POLICIES, *READING) if name in options})
    remaining = {name: value for name, value in options.items() if name not in (*POLICIES, *READING)}
    qrels = remaining.pop("qrels") if isinstance(remaining.get("qrels"), str) else ""
    judges = {field: remaining.pop(name) for name, field in JUDGES.items() if name in remaining}
    return RunsInput(reading, list(remaining.pop("runs", ())), qrels, **judges), remaining


def runs_input(
    command: Callable[..., Any], own: Collection[str] = (), *, holes: Container[str] = ()
) -> Callable[..., Any]:
    """Pass judgments, runs and how they are read to a command as one argument ``runs``.

    This is the innermost decorator: one that repeats the command for each group of topics sees the options themselves.

    Args:
        command: the command.
        own: options of the command itself. One that is called as a policy is not this policy; one that is called
            otherwise as an option of reading, such as ``rel``, is both.
        holes: choices of ``--unjudged`` that say what is computed, and not how files are read.
    """

    @functools.wraps(command)
    def wrapped(**options: Any) -> Any:
        kept = {name: value for name, value in options.items() if name in own}
        read = {name: value for name, value in options.items() if name not in own or name not in POLICIES}
        read |= {"unjudged": Policy().unjudged} if options.get("unjudged") in holes else {}
        runs, remaining = take_runs(read)
        return command(runs=runs, **{**remaining, **kept})

    return wrapped


def runs_arguments(command: Callable[..., Any], *, judged: bool = True) -> Callable[..., Any]:
    """Add ``QRELS RUN...``, one run or more; ``RUN...`` alone where they are not ``judged``."""
    runs = click.argument("runs", metavar="RUN...", nargs=-1, required=True, shell_complete=complete_files)
    qrels = click.argument("qrels", metavar="QRELS", shell_complete=complete_files)
    return qrels(runs(command)) if judged else runs(command)


def judges_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--preferences`` and ``--reference-ranking``, each of which names one more judge."""
    preferences = click.option(
        "--preferences",
        "preference_files",
        multiple=True,
        metavar="FILE",
        help="Use preference judgments as one more judge, lines `topic better worse`; repeat.",
    )
    rankings = click.option(
        "--reference-ranking",
        "reference_rankings",
        multiple=True,
        metavar="RUN",
        help="Use a reference ranking as one more judge; repeat.",
    )
    return preferences(rankings(command))


def further_options(names: Iterable[str]) -> list[Callable[..., Any]]:
    """List more options of reading: ``exclude`` documents, and weights of ``intents``."""
    every = {"exclude": exclude_option, "intents": intent_options}
    return [every[name] for name in names]


def read_files_options(command: Callable[..., Any], *, policies: Iterable[str] = POLICIES) -> Callable[..., Any]:
    """Add the policies and the options that say how files are read, of which no system has the name."""
    return policy_options(file_options(labels_option(command)), policies)


def reading_options(
    command: Callable[..., Any],
    *,
    policies: Iterable[str] = POLICIES,
    refused: Container[str] = tuple(OPEN_TIES),
    rel: str | None = "",
    holes: Collection[str] = (),
    labels: bool = True,
) -> Callable[..., Any]:
    """Add the policies and the options that say how files are read, named and judged.

    Args:
        command: the command that takes them.
        policies: the policies that apply to it.
        refused: ties that it refuses with a reason: those that leave the order of documents open.
        rel: what ``--rel`` sets, where that is not the level of binary measures; None for no such option.
        holes: further choices of ``--unjudged``, by which the labels of unjudged documents are estimated.
        labels: whether there are judgments, in which labels may be words.
    """
    return policy_options(input_options(command, rel, labels=labels), policies, refused, holes=holes)

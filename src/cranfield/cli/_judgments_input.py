"""``QRELS [RUN...]``: one set of judgments, and what it does to runs where these are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._completion import complete_files
from cranfield.cli._options import file_options, labels_option
from cranfield.cli._runs_input import RunsInput, take_runs
from cranfield.declarations.analysis import FromJudgments
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.results.result import Result


def list_options(inputs: FromJudgments) -> list[Callable[..., Any]]:
    """List the arguments that name files, and the options that say how these are read."""
    qrels = click.argument("qrels", metavar="QRELS", shell_complete=complete_files)
    runs = click.argument("runs", metavar="[RUN...]", nargs=-1, shell_complete=complete_files)
    return [qrels, *([runs] if inputs.runs else []), labels_option, file_options]


def take_input(inputs: FromJudgments, arguments: Mapping[str, Any], table: str) -> JudgmentsInput:
    """Take the judgments of a call, and its runs."""
    runs, _ = take_runs(arguments)
    if runs.paths and not inputs.runs:
        raise UsageError("this table is of judgments alone: leave RUN... out")
    return JudgmentsInput(inputs, runs)


@dataclass(frozen=True)
class JudgmentsInput:
    """The judgments of a call, and its runs.

    Args:
        inputs: what the analysis works on.
        runs: the judgments, the runs, and how all files are read.
    """

    inputs: FromJudgments
    runs: RunsInput

    def call(self, function: Callable[..., Result], options: Mapping[str, Any]) -> Result:
        """Call the function of an analysis."""
        files = [self.runs.paths, self.runs.qrels] if self.inputs.runs else [self.runs.qrels]
        return function(*files, **options, reading=self.runs.reading)

    def list_topics(self) -> list[str]:
        """List the judged topics, in order of first appearance.

        Raises:
            UsageError: standard input, which cannot be read again for each group.
        """
        from cranfield.cli._topic_groups import list_topics

        return list_topics({"source": self})

    def within(self, topics: Any) -> JudgmentsInput:
        """The same, restricted to topics."""
        return replace(self, runs=self.runs.restricted(topics))

"""``QRELS QRELS...``: several sets of judgments, each by a judge, and runs that are scored by all of them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli._completion import complete_files, complete_measures
from cranfield.cli._options import file_options, labels_option, names_option, policy_options, relevant_option
from cranfield.cli._output import show_progress
from cranfield.cli._runs_input import RunsInput, take_runs
from cranfield.declarations.analysis import FromJudges
from cranfield.errors import CranfieldWarning, UsageError
from cranfield.findings.location import STDIN

if TYPE_CHECKING:
    from cranfield.collection.qrels import Qrels
    from cranfield.results.result import Result

MEASURE = "nDCG@10"
"""The measure of runs where none is requested."""
runs_option = click.option("--run", "-r", "runs", multiple=True, metavar="RUN", help="A run, or a quoted glob; repeat.")


def list_options(inputs: FromJudges) -> list[Callable[..., Any]]:
    """List the arguments and options of judges, and of runs where these are scored."""
    qrels = click.argument(
        "qrels",
        metavar=f"{' '.join(['QRELS'] * inputs.least)}...",
        nargs=-1,
        shell_complete=complete_files,
    )
    if not inputs.runs:
        return [qrels, labels_option, file_options]
    measure = click.option(
        "--measure",
        "-m",
        metavar="MEASURE",
        shell_complete=complete_measures,
        help=f"The measure.  [default: {MEASURE}]",
    )
    policies = functools.partial(policy_options, refused=("bounds",))
    levels = [relevant_option] if inputs.scored else []
    return [qrels, runs_option, measure, *levels, policies, labels_option, file_options, names_option]


def take_input(inputs: FromJudges, arguments: Mapping[str, Any], table: str) -> JudgesInput:
    """Take the judges of a call.

    Raises:
        UsageError: no judgments are named, or a level of relevance would change nothing of the table.
    """
    from cranfield.cli._scores_input import refuse_ranges, refuse_unread_rel

    qrels = tuple(arguments["qrels"])
    if not qrels:
        raise UsageError(f"name {inputs.least} or more files of judgments, each by a judge: QRELS QRELS...")
    runs, _ = take_runs({name: value for name, value in arguments.items() if name not in ("qrels", "rel")})
    refuse_ranges(runs.reading)
    if inputs.runs and not (arguments.get("combine_by") or table in inputs.of_labels):
        refuse_unread_rel([arguments.get("measure") or MEASURE])
    return JudgesInput(inputs, qrels, runs, arguments.get("measure"), arguments.get("rel", ()))


@dataclass(frozen=True)
class JudgesInput:
    """The judges of a call.

    Args:
        inputs: what the analysis works on.
        qrels: the files of judgments.
        runs: those that are scored, and how all files are read.
        measure: of the scores.
        rel: the smallest relevant label, as the call has it; an option of the analysis where it is not about scores.
    """

    inputs: FromJudges
    qrels: Sequence[str]
    runs: RunsInput
    measure: str | None = None
    rel: Sequence[str] = ()

    def call(self, function: Callable[..., Result], options: Mapping[str, Any]) -> Result:
        """Call the function of an analysis."""
        judges = self._read()
        if self.inputs.scored:
            return function(*self._score(judges), **options)
        if self.inputs.progress:
            topics = {topic for qrels in judges.values() for topic in qrels.topics}
            with show_progress(self.inputs.progress, len(topics)) as progress:
                return function(judges, **options, progress=progress)
        if not self.inputs.runs:
            return function(judges, **options)
        return function(self.runs.paths, judges, self.measure or MEASURE, **options, reading=self.runs.reading)

    def list_topics(self) -> list[str]:
        """List the judged topics, in order of first appearance.

        Raises:
            UsageError: standard input, which cannot be read again for each group.
        """
        if STDIN in (*self.qrels, *self.runs.paths):
            raise UsageError("--topic-groups reads all files once for each group, and standard input (-) only once")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CranfieldWarning)  # they are printed where groups are read
            judges = self._read()
        return list(dict.fromkeys(topic for qrels in judges.values() for topic in qrels.topics))

    def within(self, topics: Sequence[str]) -> JudgesInput:
        """The same, restricted to topics."""
        return replace(self, runs=self.runs.restricted(topics))

    def _score(self, judges: dict[str, Qrels]) -> list[Any]:
        from cranfield.agreement.judge_agreement import one_measure, score_by_judge
        from cranfield.agreement.judges import choose_levels
        from cranfield.cli._scores_input import parse_named_numbers

        if len(judges) != 2:
            raise UsageError("this takes two QRELS: people's judgments of some topics, and a model's of more")
        levels = parse_named_numbers("--rel", self.rel)
        rel = choose_levels(judges, 1.0 if levels is None else levels)
        measure = one_measure(self.measure or MEASURE)
        return [*score_by_judge(self.runs.paths, judges, measure, rel, self.runs.reading).values()]

    def _read(self) -> dict[str, Qrels]:
        from cranfield.agreement.judges import name_judges

        return name_judges(list(self.qrels), least=1, **self.runs.reading.judgment_options)

"""``[FILE]``: pairwise verdicts of judges, and scores beside them or in their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield._message import for_sentence
from cranfield.cli._completion import complete_files, complete_measures
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._judges_input import MEASURE, runs_option
from cranfield.cli._options import split_columns
from cranfield.cli._preference import PREFERENCES
from cranfield.declarations.analysis import FromVerdicts
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import STDIN

OF_ONE_JUDGE = ("too-few", "separated")
"""Codes of refusals of verdicts that are too few or too one-sided, as those of one judge of many may be."""

if TYPE_CHECKING:
    from cranfield.pairwise import PairVerdicts
    from cranfield.results.result import Result


def list_options(inputs: FromVerdicts) -> list[Callable[..., Any]]:
    """List the options that say which verdicts are read, and those of scores where the function takes any."""
    own = [
        click.argument("verdicts", metavar="[FILE]", required=False, shell_complete=complete_files),
        click.option("--judge", metavar="NAME", help="This judge only.  [default: each by itself]"),
        click.option("--pooled", is_flag=True, help="Pool the verdicts of all judges."),
        click.option("--criterion", metavar="COLUMN", help="The column of the verdict."),
        click.option(
            "--columns",
            metavar="ROLE=COLUMN,...",
            multiple=True,
            callback=lambda _, __, value: split_columns(value) or None,
            help="Columns of topic, left, right, verdict and judge.",
        ),
        click.option("--systems", metavar="FILE", help="Lines `answer system`, for answers."),
    ]
    scores = [
        click.option("--scores", metavar="FILE", help="Scores to compare with, or to convert."),
        click.option("--qrels", metavar="QRELS", help="Score --run by these instead of --scores."),
        runs_option,
        click.option(
            "--measure",
            "-m",
            metavar="MEASURE",
            shell_complete=complete_measures,
            help=f"Of --scores or --run.  [default for --run: {MEASURE}]",
        ),
    ]
    preference = click.option(
        "--preference",
        type=click.Choice(PREFERENCES),
        metavar="NAME",
        help="Make verdicts of --run by it, such as rpp.",
    )
    return [*own, *(scores if inputs.scores else []), *([preference] if inputs.scores == "converted" else [])]


def take_input(inputs: FromVerdicts, arguments: Mapping[str, Any], table: str) -> VerdictsInput:
    """Take the verdicts of a call, and the scores.

    Raises:
        UsageError: sources that do not go together, or an option that is about another one.
    """
    taken = VerdictsInput(
        inputs,
        arguments["verdicts"],
        arguments["judge"],
        arguments["pooled"],
        {name: arguments[name] for name in ("criterion", "columns", "systems")},
        arguments.get("scores"),
        arguments.get("qrels"),
        tuple(arguments.get("runs") or ()),
        arguments.get("measure"),
        arguments.get("preference"),
    )
    taken.check(table)
    return taken


@dataclass(frozen=True)
class VerdictsInput:
    """The verdicts of a call, and the scores that are compared with them or converted.

    Args:
        inputs: what the analysis works on.
        file: of the verdicts; None where they are made.
        judge: the only one that counts.
        pooled: whether all judges count as one.
        columns: how the file is read: ``criterion``, ``columns`` and ``systems``.
        scores: a file of scores.
        qrels: the judgments that runs are scored by.
        runs: the files of runs.
        measure: of the scores.
        preference: between lists, of which verdicts are made.
        topics: those of a group, to which the verdicts are restricted.
    """

    inputs: FromVerdicts
    file: str | None
    judge: str | None
    pooled: bool
    columns: Mapping[str, Any]
    scores: str | None
    qrels: str | None
    runs: Sequence[str]
    measure: str | None
    preference: Any
    topics: Sequence[str] | None = None

    def check(self, table: str) -> None:
        """Refuse sources that do not go together, and options that are about others.

        Raises:
            UsageError: verdicts or scores are missing, or are there twice; or an option would change nothing.
        """
        context = click.get_current_context()
        if (self.qrels is None) != (not self.runs):
            raise UsageError("--qrels and --run go together: the runs are scored by the judgments")
        if self.scores is not None and self.qrels is not None:
            raise UsageError("--scores and --run both give scores: leave one out")
        has_scores = self.scores is not None or self.qrels is not None
        if self.preference is not None and (self.qrels is None or self.file is not None):
            raise UsageError(
                "--preference makes verdicts of runs: --qrels QRELS --run RUN... --show verdicts, without FILE"
            )
        if self.file is None and not (self.inputs.scores == "converted" and table == "verdicts" and has_scores):
            raise UsageError("name a file of verdicts; only --show verdicts makes them, from --scores or --run")
        if self.file is None:
            refuse_without_effect(context, ["judge", "pooled", *self.columns], "without a FILE of verdicts")
        elif self.inputs.scores == "converted":
            if has_scores:
                raise UsageError(f"--show {table} reads the file of verdicts: leave --scores and --run out")
            refuse_without_effect(context, ["threshold"], "where FILE has verdicts")
            refuse_without_effect(context, ["measure"], "without --scores or --run")
        elif self.inputs.scores == "compared" and not has_scores:
            raise UsageError(f"--show {table} compares strengths with --scores: name the file, or --qrels and --run")
        if self.preference is not None:
            refuse_without_effect(context, ["measure"], "with --preference, which takes none")
        if table == "preferences":
            refuse_without_effect(context, ["pooled"], "with --show preferences, which is of all judges together")

    def call(self, function: Callable[..., Result], options: Mapping[str, Any]) -> Result:
        """Call the function of an analysis.

        Raises:
            InputError: it refuses the verdicts; where it takes judges one by one, the message says that it need not.
        """
        if self.file is None:
            return function(self._make(), **options)
        verdicts = self._read()
        scores = [self._score()] if self.inputs.scores == "compared" else []
        try:
            return function(verdicts, *scores, **options)
        except InputError as error:
            if len(verdicts.judges) < 2 or error.code not in OF_ONE_JUDGE:
                raise
            count = f"{len(verdicts.judges):,}"
            text = (
                f"{for_sentence(error.args[0])}; or count the {count} judges as one (--pooled), or take one (--judge)"
            )
            raise InputError(text, code=error.code, value=error.value) from None

    def list_topics(self) -> list[str]:
        """List the topics of the verdicts, in order of first appearance.

        Raises:
            UsageError: standard input, which cannot be read again for each group.
        """
        if STDIN in (self.file, self.scores, self.qrels, *self.runs):
            raise UsageError("--topic-groups reads all files once for each group, and standard input (-) only once")
        return list(self._read().topics)

    def within(self, topics: Sequence[str]) -> VerdictsInput:
        """The same, restricted to topics."""
        return replace(self, topics=topics)

    def _read(self) -> PairVerdicts:
        from cranfield.pairwise import PairVerdicts, read_verdicts

        verdicts = read_verdicts(str(self.file), **self.columns)
        if self.topics is not None:
            rows = verdicts.to_frame()
            verdicts = PairVerdicts.of(rows[rows["topic"].isin(self.topics)], name=verdicts.name)
        verdicts = verdicts if self.judge is None else verdicts.select_judge(self.judge)
        return verdicts.pool_judges() if self.pooled else verdicts

    def _make(self) -> Any:
        """Make what verdicts are derived from: scores, or preferences."""
        if self.preference is None:
            return self._score()
        from cranfield.comparison import prefer

        return prefer(list(self.runs), str(self.qrels), self.preference)

    def _score(self) -> Any:
        from cranfield.scores.measure_selection import choose_measures

        if self.scores is not None:
            from cranfield.scores.files import read_scores

            return choose_measures(read_scores(self.scores), [self.measure] if self.measure else [])
        from cranfield.evaluation import to_dataset
        from cranfield.scoring import score

        return to_dataset(score(list(self.runs), str(self.qrels), self.measure or MEASURE))

"""``QRELS RUN... | --scores FILE``: the scores that an analysis works on, with all options that say how they are read.

@click.command()
@scores_input
def command(scores: ScoresInput, ...):
    with warnings_to_stderr():
        table = scores.dataset()
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield._message import setting
from cranfield._text import quoted, shown, warn
from cranfield.cli._completion import complete_files
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import (
    Decorated,
    exclude_option,
    input_options,
    intent_options,
    measure_option,
    policy_options,
)
from cranfield.cli._runs_input import READING, RunsInput, take_runs
from cranfield.collection.policy import POLICIES, Policy
from cranfield.declarations.inputs import DIRECTIONS
from cranfield.errors import FormatError, UsageError

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.collection.reading import InputOptions
    from cranfield.scores.measure_scores import Scores
    from cranfield.scoring import Evaluation
    from cranfield.streaming.parquet import StoredSet

MISSING_HELP = {
    "drop-topics": "leave out such topics",
    "drop-systems": "leave out such systems",
    "refuse": "refuse",
    "zero": "count it as 0",
}
MISSING_SCORES = ("drop-topics", "drop-systems", "refuse")
ZERO = "zero"
"""A choice of ``reliability``, which fills missing scores itself."""


@dataclass(frozen=True)
class ScoresInput:
    """The source of the scores of an analysis: judgments and runs, or score files."""

    runs: RunsInput
    """Empty where there are score files."""
    files: Sequence[str]
    measures: Sequence[str]
    missing_scores: Any = None
    group_scores: xr.Dataset | None = None
    """The scores of the group of topics that the command is called for."""
    advice: str = ""
    """The advice of a warning where many of the first documents are unjudged; no warning where empty."""
    larger_is_better: Sequence[str] = ()
    smaller_is_better: Sequence[str] = ()
    """Measures of the score files of which the call says so."""
    executor: str | None = None
    """The address of a cluster that scores the runs."""

    def dataset(self, default: Sequence[str] | None = None) -> xr.Dataset:
        """Return scores by every requested measure.

        Args:
            default: measures where none is requested, those of ``cranfield evaluate`` where None; of a score file, all
                that it holds. Only measures of effectiveness are taken, where there are any.

        Raises:
            InputError: a file is refused, or holds no such measure.
        """
        if self.group_scores is not None:
            return self.group_scores
        from cranfield.scores.measure_selection import select_effectiveness

        if not self.files:
            scores = self._from_runs(default)
        else:
            scores = self.read_files()
            scores = scores if self.measures else select_effectiveness(scores, ": -m includes what is named")
            if self.larger_is_better or self.smaller_is_better:
                from cranfield.scores.dataset import say_directions

                scores = say_directions(scores, self.larger_is_better, self.smaller_is_better)
        return self.fill_missing(scores)

    def dataset_beside(self, further: Sequence[str]) -> tuple[xr.Dataset, list[str], list[str]]:
        """Return scores by the requested measures and by further ones, and the names of either.

        Args:
            further: measures; of score files, they are not among the others unless these were requested.

        Raises:
            InputError: a file is refused, or holds no such measure.
        """
        if self.files:
            names = [str(name) for name in self.dataset().data_vars]
            beside = replace(self, measures=further).read_files() if further else {}
            fixed = [str(name) for name in beside]
            wanted = replace(self, measures=(*self.measures, *further)) if self.measures else self
            compared = [name for name in names if self.measures or name not in fixed]
            return self.fill_missing(wanted.read_files()), compared, fixed
        from cranfield.scoring import read_measures

        requested = self.measures or list_default_measures()
        compared, fixed = (
            [str(measure) for measure in read_measures(list(names), self.runs.reading.rel)] if names else []
            for names in (requested, further)
        )
        return replace(self, measures=(*requested, *further)).dataset(), compared, fixed

    def measure_scores(self) -> Scores:
        """Scores by one measure; those of very many topics stay in their file and are read in blocks.

        Raises:
            InputError: a file is refused, or holds no such measure.
            UsageError: several measures, of which one must be chosen, or a range for each score.
        """
        stored = self.stored_scores()
        if stored is None:
            from cranfield.scores.opening import open_scores

            return open_scores(self.array())
        refuse_several(stored[1])
        return self._directed([stored[0].by(stored[1][0])])[0]

    def streamed_scores(self) -> list[Scores] | None:
        """Scores of very many topics by every requested measure, read in blocks; None where there are fewer topics.

        Raises:
            InputError: a file is refused, or holds no such measure.
        """
        stored = self.stored_scores()
        if stored is None:
            return None
        return self._directed([stored[0].by(name) for name in stored[1]])

    def _directed(self, scores: list[Scores]) -> list[Scores]:
        from cranfield.scores.opening import direct

        return direct(scores, self.larger_is_better, self.smaller_is_better)

    def stored_scores(self) -> tuple[StoredSet, list[str]] | None:
        """The file of more topics than fit into memory, and the requested measures; None where there are fewer topics.

        Raises:
            InputError: a file is refused, or holds no such measure.
        """
        if self.group_scores is not None or self.missing_scores is not None or len(self.files) != 1:
            return None
        from cranfield.scores.measure_selection import called, select_effectiveness_names
        from cranfield.streaming.parquet import open_stored

        opened = open_stored(self.files[0])
        if opened is None:
            return None
        names = {name: name for name in opened.measures}
        chosen = list(dict.fromkeys(name for requested in self.measures for name in called(requested, names)))
        return opened, chosen or list(select_effectiveness_names(opened.measures, ": -m includes what is named"))

    def fill_missing(self, scores: xr.Dataset) -> xr.Dataset:
        """Return scores without gaps, where ``--missing-scores`` requests that.

        Raises:
            InputError: there are gaps, which are to be refused, or nothing is left.
        """
        if self.missing_scores in (None, ZERO):
            return scores
        from cranfield.scores.dataset import as_dataset
        from cranfield.scores.missing_scores import fill_gaps

        return as_dataset(fill_gaps(scores, self.missing_scores))

    def read_files(self) -> xr.Dataset:
        """Read the requested measures from the score files, or all of them.

        Raises:
            InputError: a file is refused, or holds no such measure.
        """
        from cranfield.scores.files import read_scores
        from cranfield.scores.measure_selection import choose_measures

        return choose_measures(read_scores(self.files), self.measures)

    def array(self, default: str = "nDCG@10") -> xr.DataArray:
        """Return scores by one measure.

        Args:
            default: the measure where none is requested.

        Raises:
            InputError: a file is refused, or holds no such measure.
            UsageError: several measures, of which one must be chosen, or a range for each score.
        """
        refuse_ranges(self.runs.reading)
        if not self.files and self.measures:
            from cranfield.scoring import read_measures

            refuse_several(list(map(str, read_measures(list(self.measures), self.runs.reading.rel))))
        dataset = self.dataset([default])
        names = [str(name) for name in dataset.data_vars]
        refuse_several(names)
        return dataset[names[0]]

    def _from_runs(self, default: Sequence[str] | None) -> xr.Dataset:
        from cranfield.evaluation import to_dataset

        table = self.evaluate_runs(default, keep_rankings=bool(self.advice))
        if self.advice:
            from cranfield.scoring.unjudged_shares import describe_unjudged

            for line in describe_unjudged(table, self.advice):
                warn(line)
        return to_dataset(table)

    def evaluate_runs(self, default: Sequence[str] | None, *, keep_rankings: bool = False) -> Evaluation:
        """Score the runs, where these are the source of the scores.

        Args:
            default: measures where none is requested, as for ``dataset``.
            keep_rankings: whether the lists are needed as well.

        Raises:
            InputError: a file is refused.
        """
        from cranfield.cli._output import add_remarks, show_progress
        from cranfield.scoring import score
        from cranfield.threads import LABELLED, importing

        runs, measures = self.runs, self.measures or default or list_default_measures()
        refuse_unread_rel(measures)
        with show_progress("reading runs", len(runs.paths)) as progress, importing(*LABELLED, "scipy.special"):
            table = score(
                runs.paths,
                runs.qrels,
                measures,
                reading=runs.reading,
                executor=self.executor,
                progress=progress,
                keep_rankings=keep_rankings,
            )
        add_remarks(table.remarks)
        return table


def refuse_unread_rel(measures: Sequence[str]) -> None:
    """Raise UsageError where ``--rel`` was given, and no measure has a relevance level that it could set."""
    context = click.get_current_context(silent=True)
    if context is None or context.get_parameter_source("rel") is not ParameterSource.COMMANDLINE:
        return
    from cranfield.scores.relevance_level import takes_level
    from cranfield.scoring import DEFAULT, read_measures
    from cranfield.scoring.relstring import split_measures

    read = read_measures(split_measures(list(measures))[0] or DEFAULT)
    if not any(map(takes_level, read)):
        names = ", ".join(shown(str(measure)) for measure in read)
        refuse_without_effect(context, ["rel"], f"in {names}, as it sets the level of binary measures such as P@10")


def refuse_several(names: Sequence[str]) -> None:
    """Raise UsageError for several measures, of which one must be chosen."""
    if len(names) > 1:
        raise UsageError(f"this works on one measure: choose it with --measure ({', '.join(map(shown, names))})")


def list_default_measures() -> list[str]:
    """List the default measures of ``cranfield evaluate`` that measure effectiveness."""
    from cranfield.scores.measure_selection import is_effectiveness
    from cranfield.scoring import DEFAULT

    return [name for name in DEFAULT if is_effectiveness(name)]


def missing_scores_option(choices: Sequence[str] = MISSING_SCORES) -> Callable[[Decorated], Decorated]:
    """Make ``--missing-scores`` with these choices."""
    return click.option(
        "--missing-scores",
        type=click.Choice(choices),
        help="What to do where a system has no score on a topic: "
        + ", or ".join(MISSING_HELP[choice] for choice in choices)
        + ".  [default: compare pairs on the topics that both have; refuse where all scores are needed]",
    )


def direction_options(command: Decorated) -> Decorated:
    """Make ``--smaller-is-better`` and ``--larger-is-better``, which say it of measures of score files."""
    for name, meaning in DIRECTIONS.items():
        option, help_ = f"--{name.replace('_', '-')}", f"{meaning[:-1]}; repeat."
        command = click.option(option, multiple=True, metavar="NAME", help=help_)(command)
    return command


def scores_option(*, several: bool) -> Callable[[Decorated], Decorated]:
    """Make ``--scores FILE``, parameter ``score_files``; ``several``: whether the command takes several measures."""
    return click.option(
        "--scores",
        "score_files",
        multiple=True,
        metavar="FILE",
        help="Score file: topics by systems, or rows; repeat.",
    )


def scores_input(
    command: Callable[..., Any],
    default: str = "as `evaluate`, without Judged@10; of score files, what they hold",
    *,
    several: bool = True,
    ranges: bool = True,
    missing: Sequence[str] = MISSING_SCORES,
    holes: Collection[str] = (),
    advice: str = "",
    directed: bool = False,
) -> Callable[..., Any]:
    """Pass ``[QRELS RUN...]``, ``--scores`` and the options of reading to a command as one argument ``scores``.

    Args:
        command: the command.
        default: the measures where none is requested, for the help.
        several: whether the command works on more than one measure.
        ranges: whether it works on ranges of scores too.
        missing: the choices of ``--missing-scores``.
        holes: choices of ``--unjudged`` by which it estimates the labels of unjudged documents, too.
        advice: what a warning advises where many of the first documents are unjudged; no warning where empty.
        directed: whether it can be told of which measures larger or smaller is better.

    Raises:
        UsageError: neither or both of them were given, or an option of runs with score files.
    """

    @functools.wraps(command)
    def wrapped(
        paths: tuple[str, ...],
        score_files: tuple[str, ...],
        measures: tuple[str, ...],
        missing_scores: str | None,
        **options: Any,
    ) -> Any:
        context = click.get_current_context()
        check_input(context, paths, score_files)
        named = {"qrels": paths[0], "runs": paths[1:]} if paths else {}
        if options.get("unjudged") in holes:
            named["unjudged"] = Policy().unjudged
        said: dict[str, Any] = take_directions(options, paths) if directed else {}
        runs, remaining = take_runs({**options, **named})
        scores = ScoresInput(runs, score_files, measures, missing_scores, advice=advice, **said)
        return command(scores=scores, **remaining)

    if directed:
        wrapped = direction_options(wrapped)
    for option in (
        intent_options,
        exclude_option,
        input_options,
        functools.partial(policy_options, refused=() if several and ranges else ("bounds",), holes=holes),
        measure_option(default, several=several),
        missing_scores_option(missing),
        scores_option(several=several),
        click.argument("paths", metavar="[QRELS RUN...]", nargs=-1, shell_complete=complete_files),
    ):
        wrapped = option(wrapped)
    return wrapped


def take_directions(options: dict[str, Any], paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Take what is said of measures out of the options of a call.

    Raises:
        UsageError: it is said of measures of runs, of which it is known.
    """
    said = {name: options.pop(name) for name in DIRECTIONS}
    for name, names in said.items():
        if names and paths:
            text = f"{setting(name)} {shown(names[0])} is about a measure of score files: of those of runs it is known"
            raise UsageError(text)
    return said


def one_measure_input(command: Callable[..., Any]) -> Callable[..., Any]:
    """``scores_input`` for a command that works on one measure."""
    return scores_input(command, "nDCG@10, or the score file's", several=False)


def check_input(context: click.Context, paths: Sequence[str], score_files: Sequence[str]) -> None:
    """Raise UsageError for neither or both of runs and score files, or an option of runs with score files."""
    if score_files and paths:
        raise UsageError(
            f"give QRELS RUN... or --scores FILE, not both ({shown(paths[0])} and {shown(score_files[0])})"
        )
    if not score_files and len(paths) < 2:
        what = "RUN... is missing after QRELS" if paths else "QRELS RUN... or --scores FILE is missing"
        raise click.UsageError(what, context)
    if score_files:
        refuse_reading_options(context)


def refuse_ranges(reading: InputOptions) -> None:
    """Raise UsageError where each score would be a range and the analysis needs a number."""
    if reading.policy.ties == "bounds":
        raise UsageError(
            "--ties bounds gives a range for each score, and this command needs a number: use --ties expected"
        )


def refuse_reading_options(context: click.Context) -> None:
    """Raise UsageError for an option that says how runs are read, where there are none."""
    for name in (*POLICIES, *READING, "keep_going"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(parameter.opts[0] for parameter in context.command.params if parameter.name == name)
            raise UsageError(f"{option} says how runs are read and scored; --scores FILE is scored already")


def parse_named_numbers(option: str, texts: Sequence[str]) -> float | dict[str, float] | None:
    """Parse ``NUMBER`` for all, or ``NAME=NUMBER`` for each name; None where nothing is given.

    Raises:
        UsageError: a text is not a number, or one number for all is combined with others.
    """
    from cranfield.scores.rows import number

    named: dict[str, float] = {}
    for text in texts:
        name, equals, digits = text.rpartition("=")
        try:
            value = number(digits, option)
        except FormatError:
            value = math.nan
        if math.isnan(value):
            raise UsageError(f"{option} {shown(text)}: {quoted(digits)} is not a number")
        if not equals and len(texts) > 1:
            raise UsageError(f"{option} {shown(text)} applies to all: give it alone, or NAME=NUMBER for each")
        if not equals:
            return value
        named[name] = value
    return named or None

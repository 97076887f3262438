"""``QRELS RUN... | --scores FILE``: what every analysis of scores takes, declared and read in one place.

@click.command()
@scores_input
def command(scores: ScoresInput, ...):
    with warnings_to_stderr() as gathered:
        table = scores.dataset(gathered)
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from cranfield._text import Remark, quoted, shown
from cranfield.cli._options import (
    exclude_option,
    input_options,
    intent_options,
    measure_option,
    policy_options,
)
from cranfield.cli._runs_input import READING, RunsInput, take_runs
from cranfield.collection.policy import POLICIES
from cranfield.errors import FormatError, UsageError

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.collection.reading import Reading

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
MISSING_HELP = {
    "drop-topics": "leave out such topics",
    "drop-systems": "leave out such systems",
    "refuse": "refuse",
    "zero": "count it as 0",
}
MISSING_SCORES = ("drop-topics", "drop-systems", "refuse")
NDCG = "nDCG@10, or what score files hold that is about effectiveness"
"""What the help says of the measures of commands whose measure is nDCG@10."""
ZERO = "zero"
"""What ``reliability`` may count a missing score as, and reads itself."""


@dataclass(frozen=True)
class ScoresInput:
    """Where the scores of an analysis come from: judgments and runs, or score files."""

    runs: RunsInput
    """Without a file where there are score files."""
    files: Sequence[str]
    measures: Sequence[str]
    missing_scores: Any = None
    group_scores: xr.Dataset | None = None
    """The scores of a group of topics, which stand for all."""
    ungrouped: bool = False
    """Whether these are the topics without a group."""

    def dataset(self, gathered: list[Remark], default: Sequence[str] | None = None) -> xr.Dataset:
        """Scores by every measure that was asked for.

        Args:
            gathered: receives what a careful reader should know, for standard error.
            default: measures where none was asked for, those of ``cranfield evaluate`` where None; a score file gives
                all it holds. Of both only measures of effectiveness, where there are any.

        Raises:
            InputError: a file is refused, or holds no such measure.
        """
        if self.group_scores is not None:
            return self.group_scores
        from cranfield.scores.matrix import of_effectiveness

        if not self.files:
            scores = self._from_runs(gathered, default)
        else:
            scores = self.read_files()
            scores = scores if self.measures else of_effectiveness(scores, ": ask with -m to have it in")
        return self.fill_missing(scores)

    def fill_missing(self, scores: xr.Dataset) -> xr.Dataset:
        """Scores without gaps, where that was asked for.

        Raises:
            InputError: there are gaps, which are to be refused, or nothing is left.
        """
        if self.missing_scores in (None, ZERO):
            return scores
        from cranfield.scores.dataset import as_dataset
        from cranfield.scores.missing_scores import fill_gaps

        return as_dataset(fill_gaps(scores, self.missing_scores))

    def read_files(self) -> xr.Dataset:
        """What the score files hold of the measures that were asked for, or all of it.

        Raises:
            InputError: a file is refused, or holds no such measure.
        """
        from cranfield.scores.files import read_scores
        from cranfield.scores.measure_selection import choose_measures

        return choose_measures(read_scores(self.files), self.measures)

    def restrict_topics(self, scores: xr.Dataset) -> xr.Dataset:
        """Other scores, of the group of topics that this stands for, if it does."""
        if self.group_scores is None:
            return scores
        return scores.sel(topic=[name for name in self.group_scores["topic"].values if name in scores["topic"].values])

    def array(self, gathered: list[Remark], default: str = "nDCG@10") -> xr.DataArray:
        """Scores by one measure, for analyses of one.

        Args:
            gathered: receives what a careful reader should know, for standard error.
            default: the measure where none was asked for.

        Raises:
            InputError: a file is refused, or holds no such measure.
            UsageError: several measures, of which one must be chosen, or a range for each score.
        """
        refuse_ranges(self.runs.reading)
        if not self.files and self.measures:
            from cranfield.scoring import measures_of

            refuse_several(list(map(str, measures_of(list(self.measures), self.runs.reading.rel))))
        dataset = self.dataset(gathered, [default])
        names = [str(name) for name in dataset.data_vars]
        refuse_several(names)
        return dataset[names[0]]

    def _from_runs(self, gathered: list[Remark], default: Sequence[str] | None) -> xr.Dataset:
        from cranfield.cli._output import show_progress
        from cranfield.evaluation import to_dataset
        from cranfield.scoring import score
        from cranfield.threads import LABELLED, importing

        runs, measures = self.runs, self.measures or default or list_default_measures()
        with show_progress("reading runs", len(runs.paths)) as progress, importing(*LABELLED, "scipy.special"):
            table = score(runs.paths, runs.qrels, measures, reading=runs.reading, progress=progress)
        gathered.extend(table.remarks)
        return to_dataset(table)


def refuse_several(names: Sequence[str]) -> None:
    """Raises: UsageError: several measures, where one must be chosen."""
    if len(names) > 1:
        raise UsageError(f"this works on one measure: choose it with --measure ({', '.join(map(shown, names))})")


def list_default_measures() -> list[str]:
    """The measures of ``cranfield evaluate`` that say how good a system is."""
    from cranfield.scores.matrix import is_effectiveness
    from cranfield.scoring import DEFAULT

    return [name for name in DEFAULT if is_effectiveness(name)]


def missing_scores_option(choices: Sequence[str] = MISSING_SCORES) -> Callable[[Decorated], Decorated]:
    """``--missing-scores`` with these choices."""
    return click.option(
        "--missing-scores",
        type=click.Choice(choices),
        help="Where a system has no score on a topic: "
        + ", or ".join(MISSING_HELP[choice] for choice in choices)
        + ".  [default: pairs are compared on the topics that both have; what needs all scores refuses]",
    )


def scores_option(*, several: bool) -> Callable[[Decorated], Decorated]:
    """``--scores FILE``, which is given as ``score_files``; ``several`` is whether a command works on many measures."""
    return click.option(
        "--scores",
        "score_files",
        multiple=True,
        metavar="FILE",
        help="Scores instead of QRELS RUN...: a matrix (topics in rows, systems in columns), rows `system topic "
        "measure value` (tsv, csv, json; also as trec_eval, ir_measures and AutoJudge write them), netCDF, or "
        "Parquet (a file, a folder, or an address such as s3://lake/scores); "
        + "repeat for more "
        + ("measures or systems." if several else "systems; -m chooses one of several measures."),
    )


def scores_input(
    command: Callable[..., Any],
    default: str = "those of `cranfield evaluate` but Judged@10, or what score files hold that is about effectiveness",
    *,
    several: bool = True,
    ranges: bool = True,
    missing: Sequence[str] = MISSING_SCORES,
) -> Callable[..., Any]:
    """Give a command ``[QRELS RUN...]``, ``--scores`` and all that says how they are read, as one argument ``scores``.

    Args:
        command: what is called.
        default: what the help says of the measures where none is asked for.
        several: whether the command works on more than one measure.
        ranges: whether it works on ranges of scores too.
        missing: what it offers to do where scores are missing.

    Raises:
        UsageError: neither or both of them, or an option of runs with score files.
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
        runs, remaining = take_runs({**options, **named})
        scores = ScoresInput(runs, score_files, measures, missing_scores)
        return command(scores=scores, **remaining)

    for option in (
        intent_options,
        exclude_option,
        input_options,
        functools.partial(policy_options, refused=() if several and ranges else ("bounds",)),
        measure_option(default, several=several),
        missing_scores_option(missing),
        scores_option(several=several),
        click.argument("paths", metavar="[QRELS RUN...]", nargs=-1),
    ):
        wrapped = option(wrapped)
    return wrapped


def ndcg_input(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command whose measure is nDCG@10 where none is asked for."""
    return scores_input(command, NDCG)


def number_input(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a gate, which works on numbers, not on ranges, and never leaves a topic out."""
    return scores_input(command, NDCG, ranges=False, missing=("refuse",))


def tabled_input(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that works on numbers by all usual measures."""
    return scores_input(command, ranges=False)


def one_measure_input(command: Callable[..., Any]) -> Callable[..., Any]:
    """The same for a command that works on one measure."""
    return scores_input(command, "nDCG@10, or the one that a score file holds", several=False)


def check_input(context: click.Context, paths: Sequence[str], score_files: Sequence[str]) -> None:
    """Raises: UsageError: neither or both of runs and score files, or an option of runs with score files."""
    if score_files and paths:
        raise UsageError(
            f"give QRELS RUN... or --scores FILE, not both ({shown(paths[0])} and {shown(score_files[0])})"
        )
    if not score_files and len(paths) < 2:
        what = "RUN... is missing after QRELS" if paths else "QRELS RUN... or --scores FILE is missing"
        raise click.UsageError(what, context)
    if score_files:
        refuse_reading_options(context)


def refuse_ranges(reading: Reading) -> None:
    """Raises: UsageError: each score would be a range, where an analysis takes a number."""
    if reading.policy.ties == "bounds":
        raise UsageError("--ties bounds gives a range for each score, and this takes a number: use --ties expected")


def refuse_reading_options(context: click.Context) -> None:
    """Raises: UsageError: an option that says how runs are read, where there are none."""
    for name in (*POLICIES, *READING, "exclude"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(parameter.opts[0] for parameter in context.command.params if parameter.name == name)
            raise UsageError(f"{option} says how runs are read and scored; --scores FILE is scored already")


def parse_named_numbers(option: str, texts: Sequence[str]) -> float | dict[str, float] | None:
    """``NUMBER`` for all, or ``NAME=NUMBER`` for each of some; None where there is none.

    Raises:
        UsageError: no number, or one for all beside others.
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
            raise UsageError(f"{option} {shown(text)} is for all: give it alone, or NAME=NUMBER for each")
        if not equals:
            return value
        named[name] = value
    return named or None

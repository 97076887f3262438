"""``cranfield report``: one page with all analyses of an evaluation."""

from __future__ import annotations

import contextlib
import functools
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import click
from click.core import ParameterSource

from cranfield._typing import Progress
from cranfield.cli._command import command_of_runs
from cranfield.cli._declared_options import declared_options, make_option, read_value
from cranfield.cli._effects import refuse_without_effect
from cranfield.cli._options import (
    ESTIMATES,
    input_options,
    intent_weights_option,
    measure_option,
    output_option,
    policy_options,
)
from cranfield.cli._output import add_remarks, check_output_path, emit, warnings_to_stderr
from cranfield.cli._registry import DECLARED
from cranfield.cli._runs_input import RunsInput, take_runs
from cranfield.cli._scores_input import (
    check_input,
    direction_options,
    missing_scores_option,
    refuse_unread_rel,
    scores_option,
    take_directions,
)
from cranfield.cli._statement import check_statement_path, read_option_files, statement_option, write_statement
from cranfield.collection.policy import Policy
from cranfield.errors import UsageError

if TYPE_CHECKING:
    from cranfield.holes import HoleScores
    from cranfield.reporting.options import RunsPageOptions, ScoresPageOptions

EVALUATE = DECLARED["evaluate"]
ESTIMATORS = {name: one for name in ESTIMATES for one in EVALUATE.others if f"unjudged={name}" in one.facts.given}
"""Choice of ``--unjudged`` -> the function that estimates the scores of runs with holes."""
OF_PAGES = ("seed", "level")
"""Options of estimates that a page has for all that it draws, or for none."""
OF_ESTIMATES = tuple(dict.fromkeys(name for one in ESTIMATORS.values() for name in one.options if name not in OF_PAGES))
"""Options of estimates alone."""
HoleEstimator: TypeAlias = "Callable[[RunsInput, str, Progress | None], HoleScores]"
"""Estimates the scores of runs by a measure."""


def estimate_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of estimates of unjudged documents, as ``cranfield evaluate`` has them."""
    for name in reversed(OF_ESTIMATES):
        command = make_option(EVALUATE.every_option[name], EVALUATE)(command)
    return command


@command_of_runs(tested=True, loads_libraries=True)
@click.argument("paths", metavar="[QRELS RUN...]", nargs=-1)
@scores_option(several=True)
@missing_scores_option()
@direction_options
@output_option
@statement_option("the page")
@measure_option("nDCG@10, AP, RR, P@10, R@1000; the first orders systems")
@click.option(
    "--participants",
    metavar="DIR",
    help="Write the sheets of all teams of --runs into this folder; with -o, the page too.",
)
@declared_options("report")
@intent_weights_option(" Adds the section on diversity.")
@functools.partial(policy_options, refused=("bounds",), holes=tuple(ESTIMATORS))
@estimate_options
@input_options
def report(
    *,
    paths: tuple[str, ...],
    score_files: tuple[str, ...],
    output: str | None,
    statement: str | None,
    participants: str | None,
    missing_scores: Any,
    **options: Any,
) -> None:
    """Write one page on an evaluation that opens anywhere, offline: leaderboard, topics, measures, systems.

    With --scores, the page lacks what needs judgments and runs.
    --unjudged estimate adds estimates by the first measure.
    """
    context = click.get_current_context()
    check_input(context, paths, score_files)
    paged = _check_outputs(context, output, statement, participants)
    participant, estimate = options["participant"], _take_estimator(options, seed=options["seed"])
    if estimate is not None and (participant is not None or not paged):
        raise UsageError(f"the sheet of a team has no estimates: leave --unjudged {context.params['unjudged']} out")
    said: dict[str, Any] = take_directions(options, paths)
    runs, parts = take_runs({**options, **({"qrels": paths[0], "runs": paths[1:]} if paths else {})})
    measures = parts.pop("measures")
    _check(participant, participants, parts["entries"], missing_scores, score_files)
    from cranfield.reporting.report import make_report, make_sheets
    from cranfield.reporting.request import RunsRequest, ScoresRequest

    request: RunsRequest | ScoresRequest
    with warnings_to_stderr(), _show_stages() as (stage, progress):
        if score_files:
            _refuse_judges(parts.pop("judges"))
            parts |= {**said, "missing_scores": missing_scores}
            request = ScoresRequest(list(score_files), measures, options=cast("ScoresPageOptions", parts))
        else:
            if estimate is not None:
                stage("drawing labels of unjudged documents")
                parts["holes"] = estimate(runs, _find_first(measures, runs), progress)
            chosen = cast("RunsPageOptions", parts)
            request = RunsRequest(runs.qrels, runs.paths, measures, options=chosen, reading=runs.reading)
        if participants is not None:
            sheets = make_sheets(request, stage=stage, progress=progress)
            _write_sheets(Path(participants), {team: sheet.html for team, sheet in sheets.items()})
            add_remarks([remark for sheet in [*sheets.values()][:1] for remark in sheet.remarks if not paged])
        if paged:
            call = _redact_call([*request.paths, output or "", participants or "", statement or ""])
            page = make_report(request, command=call, stage=stage, progress=progress)
            add_remarks(page.remarks)
    if paged:
        emit(page.html, output)
        if statement is not None:
            write_statement(page.to_statement(output or "", read_option_files()), statement)


def _refuse_judges(judges: Sequence[str]) -> None:
    """Raise UsageError for other judges, who need runs."""
    if judges:
        raise UsageError("--judge scores the runs by other labels; --scores FILE is scored already")


def _take_estimator(options: dict[str, Any], *, seed: int) -> HoleEstimator | None:
    """Take the options of estimates out of those of a call; return what estimates scores by them, if anything.

    Raises:
        UsageError: an option has a value that it does not take, or changes nothing of what is requested.
    """
    context, method = click.get_current_context(), options["unjudged"]
    values = {name: options.pop(name) for name in OF_ESTIMATES}
    called = ESTIMATORS.get(method)
    for name in OF_ESTIMATES:
        if called is None or name not in called.options:
            methods = " or ".join(word for word, one in ESTIMATORS.items() if name in one.options)
            refuse_without_effect(context, [name], f"without --unjudged {methods}")
    if called is None:
        return None
    refuse_without_effect(context, ["intent_weights"], f"with --unjudged {method}")
    if options["intent_weights"]:
        raise UsageError(f"--intent-weights of the protocol does not go with --unjudged {method}")
    analysis = called.load()
    chosen = {name: read_value(own, values[name]) for name, own in analysis.options.items() if name in values}
    analysis.check(chosen)
    options["unjudged"] = Policy().unjudged

    def estimate(runs: RunsInput, measure: str, progress: Progress | None) -> HoleScores:
        refuse_unread_rel([measure])
        scores: HoleScores = analysis.function(
            runs.paths, runs.qrels, measure, **chosen, seed=seed, reading=runs.reading, progress=progress
        )
        return scores

    return estimate


def _find_first(measures: Sequence[str], runs: RunsInput) -> str:
    """Find the first measure, which orders systems."""
    from cranfield.scoring import DEFAULT, read_measures

    return str(read_measures(list(measures) or DEFAULT, runs.reading.rel)[0])


def _check_outputs(context: click.Context, output: str | None, statement: str | None, participants: str | None) -> bool:
    """Refuse outputs that cannot be written, and a statement without a page; return whether a page is written.

    Raises:
        MissingParameter: neither a page nor sheets are to be written.
        InputError, UsageError: see ``check_output_path`` and ``check_statement_path``.
    """
    paged = context.get_parameter_source("output") is not ParameterSource.DEFAULT
    if not paged and participants is None:
        raise click.MissingParameter(ctx=context, param=next(p for p in context.command.params if p.name == "output"))
    if participants is not None:
        from cranfield.io.atomic_write import check_folder

        check_folder(Path(participants))
    if paged:
        check_output_path(output, page=True)
    if statement is not None:
        if not paged:
            raise UsageError("--statement is about the page: name it with -o")
        check_statement_path(statement, output)
    return paged


def _write_sheets(folder: Path, sheets: dict[str, str]) -> None:
    """Write the sheets of teams, all of them or none; names of files hold no other signs than letters, digits and -_.

    Raises:
        InputError: the folder cannot be written to; where it was made for the sheets, it does not stay.
    """
    from cranfield.io.atomic_write import make_folder, together

    with make_folder(folder), together() as add:
        for name, html in zip(_name_files(sheets), sheets.values(), strict=True):
            add(folder / f"{name}.html", html.encode("utf-8", "surrogateescape"))


def _name_files(teams: Iterable[str]) -> list[str]:
    """Name a file after each team, all different also where a file system does not distinguish upper case."""
    names: list[str] = []
    for team in teams:
        stem = name = re.sub(r"[^\w-]+", "-", team).strip("-")[:100] or "team"
        number = 1
        while name.casefold() in map(str.casefold, names):
            number += 1
            name = f"{stem}-{number}"
        names.append(name)
    return names


def _check(
    participant: str | None,
    participants: str | None,
    entries: Any,
    missing_scores: str | None,
    score_files: tuple[str, ...],
) -> None:
    """Raise UsageError for sheets without a list of teams, or --missing-scores without score files."""
    if participants is not None and entries is None:
        raise UsageError("--participants needs --runs: a list of the runs' teams")
    if participant is not None and participants is not None:
        raise UsageError("--participants writes the sheets of all teams; leave out --participant")
    if missing_scores is not None and not score_files:
        raise UsageError("--missing-scores is about --scores FILE; --missing says how a run's gaps are evaluated")


def _redact_call(paths: list[str]) -> str:
    """Return the command line, without credentials and folders of this machine."""
    from cranfield.io.redaction import PathRedactor

    public = PathRedactor(paths)
    return shlex.join(["cranfield", *map(public.argument, sys.argv[1:])])


@contextlib.contextmanager
def _show_stages() -> Iterator[tuple[Callable[[str], None], Callable[[int, int], None] | None]]:
    """Show a line on a terminal that names the stage and counts runs while they are read."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield (lambda _: None), None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield (
            lambda name: bar.update(task, description=name, total=None),
            lambda done, of: bar.update(task, completed=done, total=of),
        )

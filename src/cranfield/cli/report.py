"""``cranfield report``: one page with all analyses of an evaluation."""

from __future__ import annotations

import contextlib
import functools
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from cranfield.cli._command import command_of_runs
from cranfield.cli._holes import HolesRequest, estimate_scores, holes_options, refuse_for_holes
from cranfield.cli._options import ESTIMATES, input_options, measure_option, output_option, policy_options, seed_option
from cranfield.cli._output import add_remarks, check_output_path, emit, warnings_to_stderr
from cranfield.cli._runs_input import RunsInput, take_runs
from cranfield.cli._scores_input import check_input, missing_scores_option, scores_option
from cranfield.cli._statement import check_statement_path, read_option_files, statement_option, write_statement
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location

if TYPE_CHECKING:
    from cranfield.holes.result import HoleScores

NOT_OF_ESTIMATES = ("intent_weights",)
"""Parameters that estimates of unjudged documents do not go with."""


def _write_page(
    holes: HolesRequest | None,
    *,
    paths: tuple[str, ...],
    score_files: tuple[str, ...],
    output: str | None,
    statement: str | None,
    title: str | None,
    participant: str | None,
    participants: str | None,
    missing_scores: Any,
    **options: Any,
) -> None:
    """Write the page and the sheets; ``options`` are the others of ``cranfield report``."""
    context = click.get_current_context()
    check_input(context, paths, score_files)
    paged = _check_outputs(context, output, statement, participants)
    if holes is not None:
        _check_estimates(holes, options, sheet=participant is not None or not paged)
    runs, parts = take_runs({**options, **({"qrels": paths[0], "runs": paths[1:]} if paths else {})})
    _check(participant, participants, parts["entries"], missing_scores, score_files)
    from cranfield.reporting.report import make_report, make_sheets
    from cranfield.reporting.request import RunsRequest, ScoresRequest

    request: RunsRequest | ScoresRequest
    with warnings_to_stderr(), _show_stages() as (stage, progress):
        if score_files:
            _refuse_judges(parts.pop("judges"))
            request = ScoresRequest(list(score_files), missing_scores=missing_scores, **parts)
        else:
            estimates = None if holes is None else _estimate(runs, parts["measures"], holes, stage, progress)
            request = RunsRequest(runs.qrels, runs.paths, reading=runs.reading, holes=estimates, **parts)
        if participants is not None:
            sheets = make_sheets(request, title, stage=stage, progress=progress)
            _write_sheets(Path(participants), {team: sheet.html for team, sheet in sheets.items()})
            add_remarks([remark for sheet in [*sheets.values()][:1] for remark in sheet.remarks if not paged])
        if paged:
            call = _redact_call([*request.paths, output or "", participants or "", statement or ""])
            page = make_report(request, title, command=call, participant=participant, stage=stage, progress=progress)
            add_remarks(page.remarks)
    if paged:
        emit(page.html, output)
        if statement is not None:
            write_statement(page.to_statement(output or "", read_option_files()), statement)


@command_of_runs(tested=True)
@functools.partial(holes_options, printer=_write_page, own_seed=False)
@click.argument("paths", metavar="[QRELS RUN...]", nargs=-1)
@scores_option(several=True)
@missing_scores_option()
@output_option
@statement_option("the page")
@measure_option("nDCG@10, AP, RR, P@10, R@1000; the first orders systems")
@click.option("--title", help="Page title.  [default: the name of QRELS]")
@click.option("--baseline", metavar="NAME", multiple=True, help="Compare every system with this one; repeat.")
@click.option(
    "--intent-weights",
    metavar="FILE",
    help="P(i|q): lines `topic intent probability`, or the word uniform or simulated. Adds the section on diversity.",
)
@click.option(
    "--factors", metavar="FILE", help="Standardize scores by the factors that `cranfield standardize --fit` wrote."
)
@click.option(
    "--judge", "judges", metavar="QRELS", multiple=True, help="Judgments of the same topics by another judge; repeat."
)
@click.option(
    "--runs",
    "entries",
    metavar="FILE",
    help="Team, type and description of each run: a TSV or CSV file with these columns and system, such as TREC's "
    "leaderboards.",
)
@click.option(
    "--topics",
    metavar="FILE",
    help="Texts of the topics: TREC topics (SGML, XML), a table of ids and texts, JSON, or irds:ID.",
)
@click.option(
    "--topic-groups",
    metavar="FILE",
    help="Add a leaderboard for each group of topics. FILE has lines `topic group`, or name a column of a tsv or csv "
    "file with a header: FILE#COLUMN.",
)
@click.option("--track", default="", help="Name of the shared task or series, shown below the title.")
@click.option("--date", default="", help="Evaluation date, printed verbatim.")
@click.option(
    "--participant",
    metavar="TEAM",
    help="Instead, write the sheet of one team of --runs, which names no run of other teams.",
)
@click.option(
    "--participants",
    metavar="DIR",
    help="Write the sheets of all teams of --runs into this folder; with -o, the page too.",
)
@click.option(
    "--sections",
    metavar="LIST",
    default="",
    help="Show only these sections besides the leaderboard, separated by commas: teams, holes, summary, topics, "
    "measures, systems, diversity, judges, checks, provenance.",
)
@click.option(
    "--public",
    is_flag=True,
    help="Leave out what only organisers need: systems compared by their documents, most of Measures, checks, the "
    "command, and the folders of files.",
)
@functools.partial(policy_options, refused=("bounds",), holes=tuple(ESTIMATES))
@input_options
@seed_option
def report(**options: Any) -> None:
    """Write one page on an evaluation that opens anywhere, offline: leaderboard, topics, measures, systems.

    With --scores, the page lacks what needs judgments and runs.
    --unjudged estimate adds estimates by the first measure.
    """
    _write_page(None, **options)


def _refuse_judges(judges: Sequence[str]) -> None:
    """Raise UsageError for other judges, who need runs."""
    if judges:
        raise UsageError("--judge scores the runs by other labels; --scores FILE is scored already")


def _check_estimates(holes: HolesRequest, options: Mapping[str, Any], *, sheet: bool) -> None:
    """Raise UsageError for options that estimates do not go with, and for the sheet of a team, which has none."""
    refuse_for_holes(holes, NOT_OF_ESTIMATES)
    if sheet:
        raise UsageError(f"the sheet of a team has no estimates: leave --unjudged {holes.method} out")


def _estimate(
    runs: RunsInput,
    measures: Sequence[str],
    holes: HolesRequest,
    stage: Callable[[str], None],
    progress: Callable[[int, int], None] | None,
) -> HoleScores:
    """Estimate the scores by the first measure, which orders systems."""
    from cranfield.scoring import DEFAULT, read_measures

    stage("drawing labels of unjudged documents")
    first = read_measures(list(measures) or DEFAULT, runs.reading.rel)[0]
    return estimate_scores(runs, [str(first)], holes, progress)


def _check_outputs(context: click.Context, output: str | None, statement: str | None, participants: str | None) -> bool:
    """Refuse outputs that cannot be written, and a statement without a page; return whether a page is written.

    Raises:
        MissingParameter: neither a page nor sheets are to be written.
        InputError, UsageError: see ``check_output_path`` and ``check_statement_path``.
    """
    paged = context.get_parameter_source("output") is not ParameterSource.DEFAULT
    if not paged and participants is None:
        raise click.MissingParameter(ctx=context, param=next(p for p in context.command.params if p.name == "output"))
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
    from cranfield.io.atomic_write import together

    with _make_folder(folder), together() as add:
        for name, html in zip(_name_files(sheets), sheets.values(), strict=True):
            add(folder / f"{name}.html", html.encode("utf-8", "surrogateescape"))


@contextlib.contextmanager
def _make_folder(folder: Path) -> Iterator[None]:
    """Make a folder, and those above it; they do not stay if nothing was written into them.

    Raises:
        InputError: the folder cannot be made.
    """
    absent: list[Path] = []
    try:
        try:
            absent = [path for path in (folder, *folder.parents) if not path.exists()]
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot be made: {error.strerror}", Location(str(folder)), code="unwritable") from None
        yield
    finally:
        for path in absent:
            with contextlib.suppress(OSError):  # it is not empty
                path.rmdir()


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
    """Raise UsageError for a team's sheet without a list of teams, or --missing-scores without score files."""
    for option, value in (("--participant", participant), ("--participants", participants)):
        if value is not None and entries is None:
            raise click.UsageError(f"{option} needs --runs, a file that lists the runs' teams")
    if participant is not None and participants is not None:
        raise click.UsageError("--participants writes the sheets of all teams; leave out --participant")
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

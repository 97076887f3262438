"""``report``: one page on an evaluation, from files or from memory."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, Unpack, cast

from cranfield._text import condensed, warn
from cranfield._typing import PathLike
from cranfield._validation import list_names
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import ByHand, analysis, with_options
from cranfield.errors import UsageError
from cranfield.findings.finding import Finding
from cranfield.io.atomic_write import write_whole
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.io.source import as_text
from cranfield.reporting.content import Gap
from cranfield.reporting.inputs import PageScores, load_scores, score_runs
from cranfield.reporting.options import (
    TEAM_NEEDS_ENTRIES,
    RunsPageAndReadingOptions,
    RunsPageOptions,
    ScoresPageOptions,
)
from cranfield.reporting.page import render_page
from cranfield.reporting.request import FilesLike, RunsRequest, ScoresRequest
from cranfield.reporting.runner import Stage
from cranfield.results.statement import (
    NamedFile,
    describe_evaluation,
    join_files,
    list_files,
    make_file,
    make_statement,
    predicate_type,
)
from cranfield.scoring import MeasuresLike, Progress


@dataclass(frozen=True)
class Report:
    """One page of HTML that opens anywhere, offline.

    It has no table of its own, and so is not a ``Result``; it shows those of several.

    Args:
        title: of the page.
        html: the complete page.
        signature: all that changes its numbers.
        remarks: what was noticed in the files, and what the page does not show.
        files: those that were read besides the ones that the signature names.
    """

    title: str
    html: str = field(repr=False)
    signature: dict[str, Any] = field(repr=False, hash=False)
    remarks: tuple[Finding | Gap, ...] = field(repr=False)
    files: tuple[NamedFile, ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        page = html.escape(self.html)
        frame = 'sandbox="allow-scripts" width="100%" height="640" style="border: 0"'
        return f'<iframe title="{html.escape(self.title)}" {frame} srcdoc="{page}"></iframe>'

    def write(self, path: PathLike) -> None:
        """Write the page; the file is written completely or not at all.

        Raises:
            InputError: the file cannot be written.
        """
        write_whole(Path(as_text(path)), self.html)

    def to_statement(self, name: str, files: Sequence[NamedFile] = ()) -> str:
        """The in-toto statement of the page, to be signed by another tool; the same inputs give the same bytes.

        Its subject is the page; its predicate has the files that were read, the measures, policies and settings, and
        the signature as it is.

        Args:
            name: of the file to which ``write`` writes the page, which it compresses where the ending says so; empty
                where it has none.
            files: further files that were read, such as the texts of topics.

        References:
            in-toto attestation framework, statement v1. https://github.com/in-toto/attestation
        """
        inputs = join_files(list_files(self.signature), (*self.files, *files))
        settings: dict[str, Any] = {
            name: self.signature[name] for name in ("max_rel", "seed") if name in self.signature
        }
        subject = make_file("report", name, self.html)
        return make_statement(
            [subject], predicate_type("report/v0.1"), describe_evaluation(self.signature, inputs, settings)
        )


@analysis(
    "report",
    "Write one self-contained page on an evaluation.",
    ByHand(),
    public=False,  # it is `cranfield.report`
    rules=(TEAM_NEEDS_ENTRIES,),
    words=("html",),
    examples=("qrels.txt runs/*.run -o report.html", "--scores scores.csv -o report.html --title 'My track'"),
)
def report(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = (),
    *,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[RunsPageAndReadingOptions],
) -> Report:
    """Write one page on an evaluation: leaderboard, topics, measures, systems.

    What cannot be computed for these runs is left out, with the reason in its place and as a warning.

    Args:
        runs, qrels: as in ``evaluate``.
        measures: as in ``evaluate``; the first orders systems. nDCG@10, AP, RR, P@10 and R@1000 where none is named.
        holes: what these runs would score if their unjudged documents were judged, from
            ``estimate_holes(...).evaluate(...)``: adds the section "Unjudged documents". The page makes no such model
            by itself, and its other sections count unjudged documents as ``reading`` says.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called as ``progress(done, total)`` while runs are read.

    Returns:
        The page: ``report(...).write("report.html")``.

    Raises:
        InputError: a file is refused, runs and qrels do not fit together, or no measure is defined on any topic.
        UsageError: an unknown word, measure, section or baseline, a policy under which systems have ranges of
            scores, or estimates of other runs.

    >>> from pathlib import Path
    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=20)
    >>> page = cranfield.report(made.runs, made.qrels, "nDCG@10", title="A small track")
    >>> page.write("report.html")
    >>> Path("report.html").read_text()[:15]
    '<!doctype html>'
    """
    words = {name: value for name, value in options.items() if name not in RunsPageOptions.__annotations__}
    page = {name: value for name, value in options.items() if name not in words}
    request = RunsRequest(
        qrels,
        list(runs) if isinstance(runs, Iterator) else runs,  # an iterator can be read once only
        measures,
        options=cast("RunsPageOptions", page),
        reading=InputOptions.of(reading, words),
    )
    return _warn(make_report(request, progress=progress))


@with_options(TEAM_NEEDS_ENTRIES)
def report_scores(
    scores: FilesLike,
    measures: str | Sequence[str] = (),
    **options: Unpack[ScoresPageOptions],
) -> Report:
    """``report`` of scores, such as another tool's: the same page, without what needs judgments and runs.

    Args:
        scores: dims (topic, system), of one measure or several; or files of them, as ``read_scores`` takes them.
        measures: names of those to show, the first of which orders systems; all that are about effectiveness where none
            is named.

    Raises:
        InputError: a file is refused, or there is no such measure, or no score at all.
        UsageError: no labelled scores, ranges of scores, or an unknown section or baseline.

    >>> from pathlib import Path
    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=3, n_topics=20)
    >>> page = cranfield.report_scores(cranfield.evaluate(made.runs, made.qrels, ["AP", "RR"]), ["AP"])
    >>> page.write("scores.html")
    >>> Path("scores.html").read_text()[:15]
    '<!doctype html>'
    """
    return _warn(make_report(ScoresRequest(scores, tuple(list_names(measures=measures)), options=options)))


def _warn(page: Report) -> Report:
    """Warn of each remark of a page."""
    for line in condensed(page.remarks):
        warn(line)
    return page


def make_report(
    request: RunsRequest | ScoresRequest,
    *,
    command: str = "",
    stage: Stage = lambda _: None,
    progress: Progress | None = None,
) -> Report:
    """Make the page of a request; remarks are stored in it, without warnings.

    Args:
        request: what the report is requested of.
        command: the command line, which the page repeats.
        stage: called with the name of each stage as it begins.
        progress: as in ``report``.
    """
    if (participant := request.options["participant"]) is not None:
        return make_sheets(request, teams=[participant], stage=stage, progress=progress)[participant]
    # Not above: a sheet needs neither the analyses nor their libraries.
    from cranfield.reporting.analyses import analyse_runs, analyse_scores
    from cranfield.reporting.assembly import assemble_page

    if isinstance(request, ScoresRequest):
        analyses = analyse_scores(request, stage=stage)
    else:
        analyses = analyse_runs(request, stage=stage, progress=progress)
    stage("drawing and writing")
    content = assemble_page(
        analyses, request.options["title"] or analyses.inputs.redact(analyses.inputs.origin.title), command
    )
    remarks: tuple[Finding | Gap, ...] = (*analyses.inputs.origin.remarks, *content.gaps)
    files = tuple(NamedFile(role, PurePath(path).name, digest) for role, path, digest in analyses.option_files)
    return Report(content.title, render_page(content), content.signature, remarks, files)


def make_sheets(
    request: RunsRequest | ScoresRequest,
    *,
    teams: str | Sequence[str] | None = None,
    stage: Stage = lambda _: None,
    progress: Progress | None = None,
) -> dict[str, Report]:
    """Make the sheets of teams, from runs or scores that are read once.

    Args:
        request: what the sheets are requested of.
        teams: whose sheets; all that have runs where None.
        stage: called with the name of each stage as it begins.
        progress: as in ``report``.

    Raises:
        UsageError: a team without runs, or no team at all.
    """
    from cranfield.reporting.team_sheet import AllRuns, make_sheet

    if request.options["topic_groups"] is not None:
        warn("the sheet of a team does not show groups of topics")
    if isinstance(request, RunsRequest) and request.options["holes"] is not None:
        warn("the sheet of a team does not show estimates of unjudged documents")
    inputs: PageScores
    if isinstance(request, ScoresRequest):
        inputs = load_scores(request)
    else:
        inputs = score_runs(request, stage=stage, progress=progress)
    stage("drawing and writing")
    runs, sheets = AllRuns(inputs), {}
    left_out = tuple(remark for remark in inputs.origin.remarks if remark.code == "left-out")
    if teams is None and not inputs.entries.all_teams:
        raise UsageError("no run has a team: its column in the list of runs is empty, or is not there")
    for team in inputs.entries.all_teams if teams is None else list_names(teams=teams):
        sheet = make_sheet(runs, request, team)
        sheets[team] = Report(sheet.title, render_page(sheet), sheet.signature, left_out)
    return sheets

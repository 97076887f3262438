"""Runs x qrels x measures -> scores: the only place that loops over all three."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from cranfield._executor import choose_executor, map_on
from cranfield._message import name_value
from cranfield._typing import Floats, Mask, Progress, Returned
from cranfield._validation import is_series
from cranfield.collection.intents import no_intents
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import Finding, finding
from cranfield.findings.location import STDIN
from cranfield.io.inputs import NamedRun, QrelsLike, RunsLike, convert_qrels, named_runs, refuse_exchanged, with_intents
from cranfield.io.judging import JudgedRun, build_index, judge_run
from cranfield.io.loading import by_tag
from cranfield.io.skipped_runs import LeftOut, leave_out, leaves_out
from cranfield.measures import Measure, MeasuresLike, is_of_ir_measures, parse_measures
from cranfield.scores.relevance_level import takes_level
from cranfield.scores.unjudged import choose_told
from cranfield.scoring.compute import ROWS, RunBlocks, RunCells, TieBounds, compute_cells, select_bounds
from cranfield.scoring.evaluation import Evaluation, ReadRun, make_scales, make_signature
from cranfield.scoring.remarks import hash_judged, remarks_on_copies, remarks_on_judgments, remarks_on_run
from cranfield.scoring.unjudged_shares import list_treatments, share_of_run
from cranfield.threads import cpus, side_by_side

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from cranfield._executor import ExecutorLike

DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")
"""The measures where none is named."""
SHORT = 4 << 20
"""Bytes of a short file; a compressed one unpacks to some ten times as many."""


def score(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = DEFAULT,
    *,
    reading: InputOptions | None = None,
    bounds: bool = False,
    executor: ExecutorLike | None = None,
    progress: Progress | None = None,
    keep_rankings: bool = False,
    sign: bool = True,
    share_unjudged: bool = True,
    judge: Callable[[NamedRun], JudgedRun] | None = None,
    **options: Unpack[ReadingOptions],
) -> Evaluation:
    """Score runs by measures, in plain arrays; see ``evaluate`` for the arguments.

    ``executor`` runs one task a run (threads by default); ``progress(done, total)`` is called after
    each. ``keep_rankings`` is for analyses that look at the lists again, ``judge`` for those that have judged the runs.
    Runs are hashed while they are read, unless no signature is needed (``sign=False``). Unjudged documents at the top
    of runs are counted unless nobody reads of them (``share_unjudged=False``).
    """
    reading = InputOptions.of(reading, options)
    policy, interval = reading.policy, select_bounds(reading.policy, bounds)
    chosen = read_measures(measures, reading.rel)
    refuse_exchanged(runs, qrels)
    named = tuple(named_runs(runs, reading.names, reading.columns))
    judgments = prepare(qrels, named, chosen, reading)
    # Where some list has every value, there is nothing to remark, so wait for the lists; but these refuse judgments.
    refuses = policy.ties == "expected" or any(measure.declaration.needs_intents for measure in chosen)
    remarks = remarks_on_judgments(qrels, judgments, chosen, policy) if refuses else None
    if interval != "none":
        # A measure without such an interval says so before any run is read.
        compute_cells(chosen, Rankings.of_pool(judgments.pool, policy), policy, interval)
    threads = cpus() if len(named) == 1 and isinstance(named[0].data, str) else 1
    rows = ROWS if executor is None else 0
    settings = (policy, interval, reading.of_files, threads)
    cutoffs = tuple(cutoff for cutoff, _ in list_treatments(chosen, judgments, policy)) if share_unjudged else ()
    task = Task(
        chosen, judgments, *settings, keep_rankings=keep_rankings, sign=sign, judge=judge, rows=rows, cutoffs=cutoffs
    )
    with choose_executor(executor) as workers:
        result = _score_each(task, named, workers, progress)
    if remarks is None:
        defined = any(run.values.defined_everywhere for run in result.scored)
        remarks = remarks_on_judgments(qrels, judgments, chosen, policy, has_values=defined)
    return _assemble(task, reading, result, remarks)


def read_measures(measures: MeasuresLike, rel: float | None = None) -> tuple[Measure, ...]:
    """Measures from names and objects, in order, each once; ``rel`` sets the relevance level where none is set.

    Raises:
        MeasureError: an unknown measure or parameter, or one that needs a parameter it was not given.
    """
    items: list[Any] = list(measures) if is_series(measures) and not isinstance(measures, str) else [measures]
    chosen: dict[Measure, None] = {}
    for item in items:
        if not (isinstance(item, (Measure, str)) or is_of_ir_measures(item)):
            raise UsageError(f"{name_value(item)} is not a measure: write its name, or cranfield.nDCG @ 10")
        for measure in parse_measures(item):
            chosen[measure(rel=rel).complete() if rel is not None and takes_level(measure) else measure] = None
    if not chosen:
        raise UsageError("no measure was given")
    return tuple(chosen)


def prepare(qrels: QrelsLike, runs: Sequence[NamedRun], measures: tuple[Measure, ...], reading: InputOptions) -> Qrels:
    """The judgments with the weights of their intents, fit for the measures.

    Raises:
        InputError: they cannot be read, or name no intents where a measure needs them.
        UsageError: standard input is a run too.
    """
    refuse_shared_stream(qrels, runs)
    by_intent = all(measure.declaration.needs_intents for measure in measures)
    judgments = convert_qrels(qrels, **reading.judgment_options, by_intent=by_intent)
    judgments = with_intents(judgments, reading.intent_weights, reading.weight_sum, reading.keep_empty_intents)
    check_intents(judgments, measures)
    return judgments


def check_intents(qrels: Qrels, measures: Iterable[Measure]) -> None:
    """Refuse a measure that needs intents where the judgments name none.

    Raises:
        InputError: the first such measure.
    """
    for measure in measures:
        if measure.declaration.needs_intents and qrels.intents is None:
            raise InputError(no_intents(str(measure)), qrels.location, code="no-intents", value=str(measure))


def refuse_shared_stream(qrels: QrelsLike, runs: Sequence[NamedRun]) -> None:
    """Raises: UsageError: standard input is to be both the judgments and a run."""
    if isinstance(qrels, str) and qrels == STDIN and any(run.data == STDIN for run in runs):
        raise UsageError("standard input (-) can be the qrels or a run, not both")


class Scored(NamedTuple):
    """One run that was scored."""

    tag: str
    sha256: str
    metadata: str
    remarks: list[Finding]
    values: RunCells
    rankings: Rankings | None
    topics: Mask | None
    """Mask of the judged topics that it has; None where it has all."""
    unjudged: dict[str, float]
    """Cutoff -> the share of its first documents that is not judged, where there are any."""
    digest: bytes
    """Hash of the judged documents and their ranks; empty where two runs may have the same by chance."""


@dataclass(eq=False)
class Task:
    """Judges and scores one run. It may be sent to another process, which builds the engine's tables anew.

    Args:
        measures: to compute.
        qrels: the judgments.
        policy: how odd cases are read.
        bounds: of the intervals.
        file_options: how files are read, for ``judge_run``.
        threads: of the engine, for one run.
        keep_rankings: whether the lists are needed afterwards.
        sign: whether the bytes of runs are hashed.
        judge: judges a run instead of ``judge_run``.
        rows: of runs that are measured together, see ``RunBlocks``.
        cutoffs: down to which unjudged documents are counted.
    """

    measures: tuple[Measure, ...]
    qrels: Qrels
    policy: Policy
    bounds: TieBounds = "none"
    file_options: dict[str, Any] = field(default_factory=dict)
    threads: int = 1
    keep_rankings: bool = False
    sign: bool = False
    judge: Callable[[NamedRun], JudgedRun] | None = None
    rows: int = 0
    cutoffs: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        self.blocks = RunBlocks(self.measures, self.policy, self.bounds, self.rows)
        self.index = build_index(self.qrels) if self.judge is None else None

    def attempt(self, run: NamedRun) -> Scored | InputError:
        """Score a run, or return the error that refuses it."""
        try:
            return self(run)
        except InputError as error:
            return error

    def __call__(self, run: NamedRun) -> Scored:
        """Judge a run, and score it together with others of its block."""
        if self.judge is not None:
            judged = self.judge(run)
        else:
            options = {"threads": self.threads, "sign": self.sign, **self.file_options}
            judged = judge_run(run, self.qrels, self.index, self.policy, **options)
        remarks = list(remarks_on_run(run, self.qrels, judged, self.file_options))
        rankings, metadata = judged.rankings if self.keep_rankings else None, judged.facts.get("metadata", "")
        has = judged.rankings.length > 0
        topics = None if has.all() else has
        values = self.blocks.add(judged.rankings)
        unjudged = share_of_run(judged.rankings, self.cutoffs)
        digest = hash_judged(judged.rankings)
        return Scored(judged.tag, judged.sha256, metadata, remarks, values, rankings, topics, unjudged, digest)

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {setting.name: getattr(self, setting.name) for setting in fields(self)}
        return partial(Task, **settings), ()


class ScoredSystems(NamedTuple):
    """All runs with their scores, and what was noticed.

    Args:
        runs: that were scored.
        cells: of these, float64 [values and ends, measures, topics, systems].
        scored: what else is known of each.
        left_out: the runs that were refused.
    """

    runs: list[NamedRun]
    cells: Floats
    scored: list[Scored]
    left_out: list[LeftOut]


def _score_each(
    task: Task, runs: Sequence[NamedRun], executor: Executor | None, progress: Progress | None
) -> ScoredSystems:
    """Score all runs.

    Raises:
        InputError: no run is left.
    """
    kinds = 1 if task.bounds == "none" else 3
    cells = np.empty((kinds, len(task.measures), len(task.qrels.topics), len(runs)))
    accepted: list[NamedRun] = []
    scored: list[Scored] = []
    left_out: list[LeftOut] = []
    errors: list[InputError] = []
    moved = 0
    work = task.attempt if leaves_out() else task
    for number, (run, outcome) in enumerate(zip(runs, _map_runs(work, runs, executor), strict=True), 1):
        if isinstance(outcome, InputError):
            errors.append(outcome)
            left_out.append(leave_out(run, outcome, first=number == 1))
        else:
            scored.append(outcome)
            accepted.append(run)
            moved = _move_cells(scored, cells, moved)
        if progress is not None:
            progress(number, len(runs))
    if errors and not accepted:
        raise errors[0]
    task.blocks.finish()
    _move_cells(scored, cells, moved)
    return ScoredSystems(accepted, cells[:, :, :, : len(accepted)] if left_out else cells, scored, left_out)


def _map_runs(
    task: Callable[[NamedRun], Returned], runs: Sequence[NamedRun], executor: Executor | None
) -> Iterator[Returned]:
    """Results in the order of the runs; the first error in that order is raised, whichever came first in time."""
    if executor is not None:
        yield from map_on(executor, task, runs)
    elif len(runs) == 1 and (not isinstance(runs[0].data, str) or _is_short(runs[0].data)):
        yield task(runs[0])  # starting a thread takes longer
    else:
        yield from side_by_side(task, runs, cpus())


def _is_short(path: str) -> bool:
    """Return whether a file is soon read, so that an interruption never waits long for it."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size <= SHORT


def _move_cells(scored: Sequence[Scored], cells: Floats, start: int) -> int:
    """Move the cells of runs that have been measured, from ``start`` on; the first run that has not been."""
    while start < len(scored) and scored[start].values.cells is not None:
        cells[:, :, :, start] = scored[start].values.cells
        scored[start].values.cells = None
        start += 1
    return start


def _remarks_on_parts(qrels: Qrels, runs: Sequence[NamedRun], scored: Sequence[Scored]) -> Iterator[Finding]:
    """Remark that no topic is in two files, as if these were parts of one run."""
    known = [run.topics for run in scored if run.topics is not None]
    if not all(isinstance(run.data, str) for run in runs):
        return
    if len(known) == len(scored) > 1 and np.sum(known, axis=0).max() <= 1:
        yield finding("parts-of-a-run", qrels.location, runs=len(scored))


def _assemble(task: Task, reading: InputOptions, result: ScoredSystems, remarks: Sequence[Finding]) -> Evaluation:
    """The scores of all runs, named and signed."""
    cells, scored = result.cells, result.scored
    tags, hashes = tuple(run.tag for run in scored), tuple(run.sha256 for run in scored)
    runs = tuple(result.runs) if reading.names == "file" else by_tag(result.runs, tags)
    shares = (0.0 if run.topics is None else 1 - float(run.topics.mean()) for run in scored)
    absent = tuple(choose_told(share, task.policy.missing) for share in shares)
    signed = zip(runs, scored, absent, strict=True)
    read = [ReadRun(run, one.tag, one.sha256, one.metadata, one.unjudged, share) for run, one, share in signed]
    source = make_signature(task.measures, task.qrels, read, task.policy, task.bounds) if task.sign else None
    rankings = [run.rankings for run in scored if run.rankings is not None]
    refused = (run.finding() for run in result.left_out)
    return Evaluation(
        topics=task.qrels.topics,
        systems=tuple(run.name for run in runs),
        scales=make_scales(task.measures, task.qrels.pool, task.policy, source),
        values=cells[0],
        lower=cells[1] if len(cells) > 1 else None,
        upper=cells[2] if len(cells) > 1 else None,
        measures=task.measures,
        tags=tags,
        policy=task.policy,
        qrels=task.qrels,
        runs=runs,
        remarks=(
            *refused,
            *remarks,
            *_remarks_on_parts(task.qrels, result.runs, scored),
            *remarks_on_copies(result.runs, [run.digest for run in scored]),
            *(remark for run in scored for remark in run.remarks),
        ),
        bounds=task.bounds,
        rankings=Rankings.concatenate(rankings) if task.keep_rankings else None,
        hashes=hashes if task.sign else (),
        unjudged=tuple(run.unjudged for run in scored),
        absent=absent,
    )

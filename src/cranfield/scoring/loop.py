"""Runs x qrels x measures -> scores: the only place that loops over all three.

Runs that measures are given together: a measure costs little less for one run than for several short ones.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading, ReadingWords
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import Finding
from cranfield.findings.location import STDIN
from cranfield.io.inputs import NamedRun, QrelsLike, RunsLike, named_runs, qrels_of, with_intents
from cranfield.io.judging import JudgedRun, build_index, judge_run
from cranfield.io.loading import by_tag
from cranfield.io.skipped_runs import LeftOut, leave_out, leaves_out
from cranfield.io.swapped_arguments import refuse_exchanged
from cranfield.measures import Measure, MeasuresLike
from cranfield.scoring.compute import Bounds, bounds_of, cells_of, under_policy, values_of
from cranfield.scoring.evaluation import Evaluation, scales_of
from cranfield.scoring.executors import check_executor, in_order
from cranfield.scoring.measure_selection import DEFAULT, check_intents, measures_of
from cranfield.scoring.remarks import remarks_on_level, remarks_on_qrels, remarks_on_run
from cranfield.scoring.signature import signature_of
from cranfield.threads import cpus

if TYPE_CHECKING:
    from concurrent.futures import Executor


Progress = Callable[[int, int], None]


def score(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = DEFAULT,
    *,
    reading: Reading | None = None,
    policy: Policy | None = None,
    bounds: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
    keep_rankings: bool = False,
    sign: bool = True,
    judge: Callable[[NamedRun], JudgedRun] | None = None,
    **words: Unpack[ReadingWords],
) -> Evaluation:
    """Score runs by measures, in plain arrays; see ``evaluate`` for the arguments.

    ``executor`` runs one task a run (threads of its own by default); ``progress(done, total)`` is called after each.
    ``keep_rankings`` is for analyses that look at the lists again, ``judge`` for those that have judged the runs. Runs
    are hashed while they are read, unless no signature is needed (``sign=False``).
    """
    reading = Reading.of(reading, policy, words)
    policy = reading.policy
    bounded = bounds_of(policy, bounds)
    check_executor(executor)
    asked = measures_of(measures, reading.rel)
    refuse_exchanged(runs, qrels)
    given = tuple(named_runs(runs, reading.names, reading.columns))
    judgments = prepare(qrels, given, asked, reading)
    early = None if _shows_in_scores(asked, policy) else noticed_in(qrels, judgments, asked, policy)
    if bounded != "none":
        # A measure without such an interval says so before any run is read.
        cells_of(asked, Rankings.of_pool(judgments.pool, policy), policy, bounded)
    task = Task(
        asked=asked,
        qrels=judgments,
        policy=policy,
        bounds=bounded,
        of_files=reading.of_files,
        threads=cpus() if len(given) == 1 else 1,
        keep_rankings=keep_rankings,
        sign=sign,
        judge=judge,
        keep_going=leaves_out(),
        rows=ROWS if executor is None else 0,
    )
    kept = _score_each(task, given, executor, progress)
    if early is None:
        everywhere = any(run.values.everywhere for run in kept.scored)
        early = noticed_in(qrels, judgments, asked, policy, has_values=everywhere)
    return _assembled(task, reading, kept, early)


def prepare(qrels: QrelsLike, runs: Sequence[NamedRun], asked: tuple[Measure, ...], reading: Reading) -> Qrels:
    """The judgments with the weights of their intents, fit for the measures.

    Raises:
        InputError: they cannot be read, or name no intents where a measure needs them.
        UsageError: standard input is a run too.
    """
    refuse_shared_stream(qrels, runs)
    by_intent = all(measure.declaration.needs_intents for measure in asked)
    read = qrels_of(qrels, **reading.of_files, by_intent=by_intent)
    judgments = with_intents(read, reading.intent_weights, reading.weight_sum, reading.keep_empty_intents)
    check_intents(judgments, asked)
    return judgments


def noticed_in(
    given: QrelsLike, judgments: Qrels, asked: tuple[Measure, ...], policy: Policy, *, has_values: bool = False
) -> list[Finding]:
    """What is to be known of the judgments.

    Args:
        given: as what they were given.
        judgments: as they were read.
        asked: the measures.
        policy: of the evaluation.
        has_values: whether some list has a value by each measure in every topic; then none lacks what it needs.
    """
    remarked = partial(remarks_on_qrels, judgments, asked, policy, has_values=has_values)
    noticed = (
        list(remarked()) if has_values else judgments.pool.shared(("remarks", asked, policy), lambda: list(remarked()))
    )
    return [*noticed, *remarks_on_level(given, judgments.place, asked)]


def _shows_in_scores(asked: Sequence[Measure], policy: Policy) -> bool:
    """Whether what remarks say of the judgments shows in scores as well, and nothing is refused on the way."""
    return policy.ties != "expected" and not any(measure.declaration.needs_intents for measure in asked)


def refuse_shared_stream(qrels: QrelsLike, runs: Sequence[NamedRun]) -> None:
    """Raises: UsageError: standard input is to be both the judgments and a run."""
    if isinstance(qrels, str) and qrels == STDIN and any(run.data == STDIN for run in runs):
        raise UsageError("standard input (-) can be the qrels or a run, not both")


class Scored(NamedTuple):
    """One run, scored."""

    tag: str
    sha256: str
    metadata: str
    remarks: list[Finding]
    values: Waiting
    """Its cells, until they are taken, and whether each measure is defined in every topic."""
    rankings: Rankings | None


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is done with one run. It may be sent to another process, which builds the engine's tables anew."""

    asked: tuple[Measure, ...]
    qrels: Qrels
    policy: Policy
    bounds: Bounds = "none"
    of_files: dict[str, Any] = field(default_factory=dict)
    threads: int = 1
    keep_rankings: bool = False
    sign: bool = False
    judge: Callable[[NamedRun], JudgedRun] | None = None
    keep_going: bool = False
    rows: int = 0
    """Of runs that are computed together, see ``Blocks``."""
    blocks: Blocks = field(init=False)
    index: Any = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", Blocks(self.asked, self.policy, self.bounds, self.rows))
        object.__setattr__(self, "index", build_index(self.qrels) if self.judge is None else None)

    def attempt(self, run: NamedRun) -> Scored | InputError:
        """The run, or the error that refuses it where the others are scored whatever becomes of it."""
        try:
            return self(run)
        except InputError as error:
            if self.keep_going:
                return error
            raise

    def __call__(self, run: NamedRun) -> Scored:
        """The run, judged, and scored with others of its block."""
        if self.judge is not None:
            judged = self.judge(run)
        else:
            how = {"threads": self.threads, "sign": self.sign, **self.of_files}
            judged = judge_run(run, self.qrels, self.index, self.policy, **how)
        noticed = list(remarks_on_run(run, self.qrels, judged))
        kept, metadata = judged.rankings if self.keep_rankings else None, judged.facts.get("metadata", "")
        return Scored(judged.tag, judged.sha256, metadata, noticed, self.blocks.add(judged.rankings), kept)

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {one.name: getattr(self, one.name) for one in fields(self) if one.init}
        return partial(Task, **settings), ()


class ScoredRuns(NamedTuple):
    """Runs that were scored."""

    runs: list[NamedRun]
    cells: Floats
    scored: list[Scored]
    left: list[LeftOut]

    @property
    def refused(self) -> Iterator[Finding]:
        """What a careful reader is told of the others."""
        return (one.finding() for one in self.left)


def _score_each(
    task: Task, runs: Sequence[NamedRun], executor: Executor | None, progress: Progress | None
) -> ScoredRuns:
    """Cells of all runs, float64 [values and ends, measures, topics, systems], and what else is known of each run.

    Raises:
        InputError: no run is left.
    """
    kinds = 1 if task.bounds == "none" else 3
    cells = np.empty((kinds, len(task.asked), len(task.qrels.topics), len(runs)))
    kept: list[NamedRun] = []
    scored: list[Scored] = []
    left: list[LeftOut] = []
    errors: list[InputError] = []
    taken = 0
    for number, (run, outcome) in enumerate(zip(runs, in_order(task.attempt, runs, executor), strict=True), 1):
        if isinstance(outcome, InputError):
            errors.append(outcome)
            left.append(leave_out(run, outcome, first=number == 1))
        else:
            scored.append(outcome)
            kept.append(run)
            taken = _take(cells, scored, taken)
        if progress is not None:
            progress(number, len(runs))
    if errors and not kept:
        raise errors[0]
    task.blocks.finish()
    _take(cells, scored, taken)
    return ScoredRuns(kept, cells[:, :, :, : len(kept)] if left else cells, scored, left)


def _take(cells: Floats, scored: Sequence[Scored], taken: int) -> int:
    """Move into ``cells`` those of the runs after the first ``taken`` that are there, in order; how many were moved."""
    while taken < len(scored) and scored[taken].values.cells is not None:
        cells[:, :, :, taken] = scored[taken].values.cells
        scored[taken].values.cells = None
        taken += 1
    return taken


def _assembled(task: Task, reading: Reading, kept: ScoredRuns, noticed: Sequence[Finding]) -> Evaluation:
    """The scores of all runs, named and signed."""
    cells, scored = kept.cells, kept.scored
    tags, hashes = tuple(run.tag for run in scored), tuple(run.sha256 for run in scored)
    runs = tuple(kept.runs) if reading.names == "file" else by_tag(kept.runs, tags)
    signed = list(zip(runs, tags, hashes, (run.metadata for run in scored), strict=True))
    source = signature_of(task.asked, task.qrels, signed, task.policy, task.bounds) if task.sign else None
    rankings = [run.rankings for run in scored if run.rankings is not None]
    return Evaluation(
        topics=task.qrels.topics,
        systems=tuple(run.name for run in runs),
        scales=scales_of(task.asked, task.qrels.pool, task.policy, source),
        values=cells[0],
        lower=cells[1] if len(cells) > 1 else None,
        upper=cells[2] if len(cells) > 1 else None,
        measures=task.asked,
        tags=tags,
        policy=task.policy,
        qrels=task.qrels,
        runs=runs,
        remarks=(*kept.refused, *noticed, *(remark for run in scored for remark in run.remarks)),
        bounds=task.bounds,
        rankings=Rankings.concatenate(rankings) if task.keep_rankings else None,
        hashes=hashes if task.sign else (),
    )


ROWS = 1 << 18
"""Lists and judged documents after which no more runs are waited for: what measures keep of them stays small."""


class Waiting:
    """What becomes of one run; ``cells`` is None until its block is computed.

    Args:
        rankings: its lists.
    """

    def __init__(self, rankings: Rankings) -> None:
        self.rankings: Rankings | None = rankings
        self.cells: Floats | None = None
        """Float64 [values and ends, measures, topics]."""
        self.everywhere = False
        """Whether each measure is defined in every topic."""


class Blocks:
    """Computes the cells of runs, some runs at a time; a list has the same bits alone and among others.

    Args:
        asked: the measures.
        policy: how odd cases are read.
        bounds: of intervals; each run is then computed by itself.
        rows: lists and judged documents of a block; each run is one where it is 0.
    """

    def __init__(self, asked: Sequence[Measure], policy: Policy, bounds: Bounds, rows: int = ROWS) -> None:
        self._asked = asked
        self._policy = policy
        self._bounds = bounds
        self._most = rows if bounds == "none" else 0
        self._open: list[Waiting] = []
        self._rows = 0
        self._lock = threading.Lock()

    def add(self, rankings: Rankings) -> Waiting:
        """A run, whose cells are there when its block is full, or at the end; from any thread.

        Raises:
            MeasureError: see ``values_of``.
        """
        waiting = Waiting(rankings)
        with self._lock:
            self._open.append(waiting)
            self._rows += len(rankings.length) + len(rankings.rank)
            full = self._taken() if self._rows >= self._most else []
        self._compute(full)
        return waiting

    def finish(self) -> None:
        """Compute what is left; when nobody adds any more.

        Raises:
            MeasureError: see ``values_of``.
        """
        self._compute(self._taken())

    def _taken(self) -> list[Waiting]:
        taken, self._open, self._rows = self._open, [], 0
        return taken

    def _compute(self, block: Sequence[Waiting]) -> None:
        parts = [one.rankings for one in block if one.rankings is not None]
        if not parts:
            return
        rankings = parts[0] if len(parts) == 1 else Rankings.concatenate(parts)
        found = values_of(self._asked, rankings, self._bounds)
        undefined = np.isnan(found[0])
        cells = under_policy(self._asked, found, rankings, self._policy)
        shape = (*cells.shape[:2], len(parts), len(parts[0].length))
        cells, undefined = cells.reshape(shape), undefined.reshape(shape[1:])
        for number, one in enumerate(block):
            one.everywhere = not undefined[:, number].any()
            # Last: whoever sees the cells sees the rest.
            one.rankings, one.cells = None, cells[:, :, number]

"""Runs x qrels x measures -> scores: the only place that loops over all three."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, NamedTuple, Unpack

import numpy as np

from cranfield.arrays import Floats
from cranfield.collection.policy import InputFormat, Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading, ReadingWords
from cranfield.errors import UsageError
from cranfield.findings.finding import Finding
from cranfield.findings.place import STDIN
from cranfield.io.exchange import refuse_exchanged
from cranfield.io.intents import with_intents
from cranfield.io.judging import JudgedRun, build_index, cpus, judge_run
from cranfield.io.runs import NamedRun, QrelsLike, RunsLike, named_runs, qrels_of
from cranfield.io.tags import by_tag
from cranfield.measures import Measure
from cranfield.scoring.asked import DEFAULT, MeasuresLike, check_intents, measures_of
from cranfield.scoring.cells import Bounds, bounds_of, cells_of
from cranfield.scoring.evaluation import Evaluation, scales_of
from cranfield.scoring.remarks import remarks_on_qrels, remarks_on_run
from cranfield.scoring.signature import signature_of
from cranfield.scoring.threads import check_executor, in_order

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
    are hashed while they are read, unless no signature is to be asked for (``sign=False``).
    """
    reading = Reading.of(reading, policy, words)
    policy, input_format = reading.policy, reading.input_format
    bounded = bounds_of(policy, bounds)
    check_executor(executor)
    asked = measures_of(measures, reading.rel)
    refuse_exchanged(runs, qrels)
    given = tuple(named_runs(runs, reading.names))
    if isinstance(qrels, str) and qrels == STDIN and any(run.data == STDIN for run in given):
        raise UsageError("standard input (-) can be the qrels or a run, not both")
    by_intent = all(measure.declaration.needs_intents for measure in asked)
    read = qrels_of(qrels, input_format, by_intent=by_intent)
    judgments = with_intents(read, reading.intent_weights, reading.weight_sum, reading.keep_empty_intents)
    check_intents(judgments, asked)
    noticed = list(remarks_on_qrels(judgments, asked, policy))
    if bounded != "none":
        # A measure without such an interval says so before any run is read.
        cells_of(asked, Rankings.of_pool(judgments.pool, policy), policy, bounded)
    threads = cpus() if len(given) == 1 else 1
    task = _Task(asked, judgments, policy, bounded, input_format, threads, keep_rankings, sign, judge)
    tables = np.empty((1 if bounded == "none" else 3, len(asked), len(judgments.topics), len(given)))
    done = []
    for system, scored in enumerate(in_order(task, given, executor)):
        tables[:, :, :, system] = scored.cells
        noticed += scored.remarks
        done.append(scored._replace(cells=None))
        if progress is not None:
            progress(system + 1, len(given))
    tags, hashes = tuple(scored.tag for scored in done), tuple(scored.sha256 for scored in done)
    if reading.names == "tag":
        given = by_tag(given, tags)
    source = (
        signature_of(asked, judgments, list(zip(given, tags, hashes, strict=True)), policy, bounded) if sign else None
    )
    return Evaluation(
        topics=judgments.topics,
        systems=tuple(run.name for run in given),
        scales=scales_of(asked, judgments, policy, source),
        values=tables[0],
        lower=tables[1] if len(tables) > 1 else None,
        upper=tables[2] if len(tables) > 1 else None,
        measures=asked,
        tags=tags,
        policy=policy,
        qrels=judgments,
        runs=given,
        remarks=tuple(noticed),
        bounds=bounded,
        rankings=Rankings.concatenate([one.rankings for one in done if one.rankings is not None])
        if keep_rankings
        else None,
        hashes=hashes if sign else (),
    )


class _Scored(NamedTuple):
    """One run, scored: its cells, float64 [values and ends, measures, topics], until they have their place."""

    tag: str
    sha256: str
    cells: Floats | None
    remarks: list[Finding]
    rankings: Rankings | None


class _Task:
    """What is done with one run. It may be sent to another process, which builds the engine's tables anew."""

    def __init__(
        self,
        asked: tuple[Measure, ...],
        qrels: Qrels,
        policy: Policy,
        bounds: Bounds,
        input_format: InputFormat,
        threads: int,
        keep_rankings: bool,
        sign: bool,
        judge: Callable[[NamedRun], JudgedRun] | None,
    ) -> None:
        self.asked, self.qrels, self.policy, self.bounds = asked, qrels, policy, bounds
        self.input_format, self.threads, self.keep_rankings, self.sign = input_format, threads, keep_rankings, sign
        self.judge = judge
        self.index = build_index(qrels) if judge is None else None

    def __call__(self, run: NamedRun) -> _Scored:
        if self.judge is not None:
            judged = self.judge(run)
        else:
            how = self.qrels, self.index, self.policy, self.input_format, self.threads
            judged = judge_run(run, *how, sign=self.sign)
        cells = cells_of(self.asked, judged.rankings, self.policy, self.bounds)
        noticed = list(remarks_on_run(run, self.qrels, judged))
        return _Scored(judged.tag, judged.sha256, cells, noticed, judged.rankings if self.keep_rankings else None)

    def __reduce__(self) -> tuple[Any, ...]:
        facts = self.asked, self.qrels, self.policy, self.bounds, self.input_format, self.threads
        return _Task, (*facts, self.keep_rankings, self.sign, self.judge)

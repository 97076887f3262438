"""Runs and judgments that are larger than memory, to means over topics."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Literal, Unpack, get_args

from cranfield import engine
from cranfield.arguments import word
from cranfield.cluster import ClusterLike, chosen_executor
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import Reading, ReadingWords
from cranfield.errors import UsageError
from cranfield.findings.finding import Finding
from cranfield.io.runs import PathLike, QrelsLike
from cranfield.measures import Measure, MeasuresLike
from cranfield.memory import budget, bytes_of
from cranfield.partitions.dataset import Dataset
from cranfield.partitions.executing import Outcome, gathered, outcomes
from cranfield.partitions.given import RunsLike, datasets_of, judgments_of
from cranfield.partitions.merging import merged
from cranfield.partitions.parts import Topics
from cranfield.partitions.planning import Limits, Plan, planned
from cranfield.partitions.result import PartitionedScores
from cranfield.partitions.store import Store, written
from cranfield.partitions.stored import Rows, StoringWork
from cranfield.partitions.work import Failed, Found, Keep, Work
from cranfield.scores.fingerprint import fingerprint
from cranfield.scores.scale import Scale
from cranfield.scores.signature import package_version
from cranfield.scoring.asked import DEFAULT, measures_of
from cranfield.scoring.evaluation import scales_of
from cranfield.scoring.partial import Totals, totals_of
from cranfield.wording import condensed, warn

OnError = Literal["raise", "report"]
Progress = Callable[[int, int], None]


def evaluate_partitions(
    runs: RunsLike,
    qrels: QrelsLike | Dataset,
    measures: MeasuresLike = DEFAULT,
    *,
    topics: Topics = "auto",
    executor: Executor | None = None,
    cluster: ClusterLike | None = None,
    window: int | None = None,
    retries: int = 2,
    on_error: OnError = "raise",
    memory: int | str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    by_topic: PathLike | None = None,
    resume: bool = False,
    keep: Keep | None = None,
    progress: Progress | None = None,
    reading: Reading | None = None,
    policy: Policy | None = None,
    **words: Unpack[ReadingWords],
) -> PartitionedScores:
    """Score runs in many files, part by part: memory is bounded, and the numbers are those of the whole to the bit.

    Args:
        runs: a ``Dataset``, or where its files are; or several, in a list or by name.
        qrels: a ``Dataset`` or where its files are, or judgments as ``evaluate`` takes them.
        measures: as in ``evaluate``; none that needs intents.
        topics: how the topics of a run lie in its files: the rows of each ``together``, or ``complete`` in one file
            but scattered in it, or ``split`` over files. By ``auto`` statistics tell, and what they tell is checked.
        executor: scores the parts: threads, processes, or a cluster; by default threads, as many as processors.
        cluster: instead of it a client or a cluster of Dask, its address, or ``"local"``; see ``evaluate``.
        window: parts that are under way at a time.
        retries: how often what a file system refuses is tried again.
        on_error: a part that cannot be scored ends it all (``raise``), or is left out and reported (``report``).
        memory: what it may take, such as ``"500MB"``; 1 GB, or ``CRANFIELD_MEMORY``, where None.
        storage_options: what fsspec is told of addresses.
        by_topic: a folder for the scores of topics, as ``read_scores`` reads them. It appears when all parts are done;
            until then, or if parts failed, they are in the same name with ``.unfinished``.
        resume: take over what an earlier call left there, where neither files nor settings have changed.
        keep: instead of it receives the scores of topics, part by part.
        progress: called with (parts done, parts).
        reading: how runs are read, see ``Reading``.
        policy: its policies alone.
        words: the same one by one, as in ``evaluate``.

    Raises:
        InputError: a file is refused, topics do not lie in the files as was said, or memory has no room.
        UsageError: an unknown word or measure, or one that cannot be had part by part.
    """
    how = Reading.of(reading, policy, words)
    _check_words(topics, on_error)
    asked = _asked(measures, how)
    limits = Limits(budget() if memory is None else bytes_of(memory))
    sets = datasets_of(runs, how, storage_options)
    judgments = judgments_of(qrels, how, storage_options)
    plans = planned([one.fragments("score") for one in sets], judgments, topics, limits)
    signature = _signature(asked, how, judgments, sets, plans)
    store = None if by_topic is None else Store(Path(by_topic), signature, resume=resume)
    sums = _Sums(noticed=[])
    told = _counted(progress, sum(len(plan.parts) for plan in plans))
    with chosen_executor(executor, cluster) as pool:
        for number, (data, plan) in enumerate(zip(sets, plans, strict=True)):
            scales = _scales(asked, judgments, plan, how)
            work = _work(asked, scales, plan, how, limits, retries, keep)
            storing = None if store is None else store.work(work, number, data.name, scales)
            parts = _Parts(work, plan, storing, pool, window or getattr(pool, "window", None))
            sums.add(data, scales, parts, gathered(map(told, parts.outcomes(go_on=on_error == "report"))), on_error)
    if store is not None:
        store.finish(sums.written, len(sums.failed))
    for line in condensed(sums.noticed):
        warn(line)
    settings = {"topics": topics, "on_error": on_error, **how.words()}
    return PartitionedScores(sums.totals, tuple(sums.failed), settings, signature, tuple(sums.noticed))


@dataclass(frozen=True)
class _Parts:
    """The parts of one run, what is done with them, also where scores are stored, and who does it."""

    work: Work
    plan: Plan
    storing: StoringWork | None
    pool: Executor | None
    window: int | None

    def outcomes(self, *, go_on: bool) -> Iterator[Outcome]:
        """What an earlier call found, and then what each other part comes to."""
        known = {} if self.storing is None else {one.part: one for one in self.storing.known(self.plan.parts)}
        yield from known.values()
        rest = [part for part in self.plan.parts if part.number not in known]
        yield from outcomes(self.storing or self.work, rest, self.pool, self.window, go_on=go_on)


@dataclass
class _Sums:
    """What the runs came to so far."""

    noticed: list[Finding]
    totals: dict[str, Totals] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)
    written: set[Path] = field(default_factory=set)

    def add(
        self,
        data: Dataset,
        scales: Sequence[Scale],
        parts: _Parts,
        came: tuple[list[Found], list[Failed]],
        on_error: OnError,
    ) -> None:
        """One run, whose parts came to this."""
        found, wrong = came
        if wrong and (on_error == "raise" or not found):
            raise wrong[0].error
        self.failed += [(one.name, str(one.error)) for one in wrong]
        rows = None if parts.storing is None else Rows()
        total, missing, more = merged(parts.work, found, parts.plan, data.place, rows)
        if parts.storing is not None and rows is not None:
            self.written |= written(parts.storing, found, rows)
        self.noticed += more
        met = len(total.topics) - (missing if parts.plan.judged is None else 0)
        self.totals[data.name] = totals_of(scales, total.moments, met, missing)


def _counted(progress: Progress | None, parts: int) -> Callable[[Outcome], Outcome]:
    """Passes on what a part came to, and says that it is done."""
    numbers = count(1)

    def told(outcome: Outcome) -> Outcome:
        if progress is not None:
            progress(next(numbers), parts)
        return outcome

    return told


def _check_words(topics: str, on_error: str) -> None:
    word("topics", topics, get_args(Topics))
    word("on_error", on_error, get_args(OnError))


def _asked(measures: MeasuresLike, how: Reading) -> tuple[Measure, ...]:
    asked = measures_of(measures, how.rel)
    for measure in asked:
        if measure.declaration.needs_intents:
            raise UsageError(f"{measure} needs intents, which judgments in a data set do not have: leave it out")
    if how.policy.ties == "rank":
        raise UsageError("ties='rank' needs ranks, which are not read of a data set: choose trec or docid")
    return asked


def _work(
    asked: tuple[Measure, ...],
    scales: Sequence[Scale],
    plan: Plan,
    how: Reading,
    limits: Limits,
    retries: int,
    keep: Keep | None,
) -> Work:
    names = tuple(scale.name for scale in scales)
    facts = names, sorted(how.policy.as_dict().items()), plan.labels.tolist()
    return Work(
        asked=asked,
        names=names,
        summaries=tuple(scale.summary for scale in scales),
        policy=how.policy,
        digest=hashlib.sha256(repr(facts).encode()).hexdigest(),
        labels=plan.labels,
        kinds=plan.kinds,
        topics=plan.topics,
        judged=plan.judged,
        rows=limits.rows,
        held=limits.held,
        retries=retries,
        keep=keep,
    )


def _scales(asked: Sequence[Measure], qrels: Dataset | Qrels, plan: Plan, how: Reading) -> tuple[Scale, ...]:
    """How to read each measure's scores, quirks of peers included where the judgments are at hand."""
    if isinstance(qrels, Qrels):
        return scales_of(asked, qrels, how.policy, None)
    if any(one.declaration.peer_summary for one in asked) and how.policy.compat != "none":
        text = (
            f"compat={how.policy.compat!r} sums up judgments as a peer does: give them as one file, not as a data set"
        )
        raise UsageError(text)
    return tuple(Scale.of(measure, {}, None) for measure in asked)


def _signature(
    asked: Sequence[Measure], how: Reading, qrels: Dataset | Qrels, sets: Sequence[Dataset], plans: Sequence[Plan]
) -> dict[str, Any]:
    of_qrels = {"name": qrels.name, "sha256": fingerprint(qrels)} if isinstance(qrels, Qrels) else qrels.facts()
    return {
        "cranfield": package_version(),
        "engine": engine.current().NAME,
        "measures": [str(measure) for measure in asked],
        **how.policy.as_dict(),
        "max_rel": float(max(plans[0].labels.max(initial=0.0), 0.0)),
        "qrels": of_qrels,
        "runs": [one.facts() for one in sets],
    }

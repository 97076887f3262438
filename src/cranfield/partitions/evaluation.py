"""Runs and judgments that are larger than memory, to means over topics."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import chain, count
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
from cranfield.partitions.executing import outcomes
from cranfield.partitions.given import RunsLike, datasets_of, judgments_of
from cranfield.partitions.merging import scored
from cranfield.partitions.parts import Part, Topics
from cranfield.partitions.planning import Limits, Plan, planned
from cranfield.partitions.result import PartitionedScores
from cranfield.partitions.store import Store
from cranfield.partitions.stored import StoringWork
from cranfield.partitions.work import Attempt, Failed, Keep, Work
from cranfield.results.signing import signed
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
    asked, limits = _asked(measures, how, topics, on_error), Limits(budget() if memory is None else bytes_of(memory))
    sets = datasets_of(runs, how, storage_options)
    judgments = judgments_of(qrels, how, storage_options)
    plans = planned([one.fragments("score") for one in sets], judgments, topics, limits)
    inputs = _inputs(asked, judgments, sets, plans)
    store = None if by_topic is None else Store(Path(by_topic), _signature(how, inputs), resume=resume)
    told = _counted(progress, sum(len(plan.parts) for plan in plans))
    totals: dict[str, Totals] = {}
    failed: list[Failed] = []
    noticed: list[Finding] = []
    with chosen_executor(executor, cluster) as pool:
        for number, (data, plan) in enumerate(zip(sets, plans, strict=True)):
            scales = _scales(asked, judgments, plan, how)
            work = _work(asked, scales, plan, how, limits, keep)
            storing = None if store is None else store.work(work, number, data.name, scales)
            each = _Each(plan.parts, pool, window or getattr(pool, "window", None), retries, told, on_error == "report")
            total, missing, wrong, more = scored(work, plan, data.place, each, go_on=each.go_on, storing=storing)
            failed += wrong
            noticed += more
            totals[data.name] = totals_of(scales, total.moments, plan.met(total, missing), missing)
    if store is not None:
        store.finish(len(failed))
    return _result(totals, failed, noticed, {"topics": topics, "on_error": on_error, **how.words()}, inputs)


@dataclass(frozen=True)
class _Each:
    """Does a task with every part, and gives what each comes to; what an earlier call stored is not done again."""

    parts: Sequence[Part]
    pool: Executor | None
    window: int | None
    retries: int
    told: Callable[[Any], Any]
    go_on: bool

    def __call__(self, task: Callable[[Part], Any]) -> Iterator[Any]:
        known = {one.part: one for one in task.known(self.parts)} if isinstance(task, StoringWork) else {}
        rest = [part for part in self.parts if part.number not in known]
        attempt = Attempt(task, self.retries)
        return map(self.told, chain(known.values(), outcomes(attempt, rest, self.pool, self.window, go_on=self.go_on)))


def _result(
    totals: dict[str, Totals],
    failed: Sequence[Failed],
    noticed: Sequence[Finding],
    settings: dict[str, Any],
    inputs: dict[str, Any],
) -> PartitionedScores:
    """Sums with their signature, which names the parts that they are without."""
    for line in condensed(noticed):
        warn(line)
    wrong = tuple((one.name, str(one.error)) for one in failed)
    left_out = {"left_out": [{"name": name, "reason": reason} for name, reason in wrong]} if wrong else {}
    signature = signed("evaluate_partitions", settings, **inputs, **left_out)
    return PartitionedScores(totals, wrong, settings, signature, tuple(noticed))


def _counted(progress: Progress | None, parts: int) -> Callable[[Any], Any]:
    """Passes on what a part came to, and says that it is done."""
    numbers = count(1)

    def told(outcome: Any) -> Any:
        if progress is not None:
            progress(next(numbers), parts)
        return outcome

    return told


def _asked(measures: MeasuresLike, how: Reading, topics: str, on_error: str) -> tuple[Measure, ...]:
    word("topics", topics, get_args(Topics))
    word("on_error", on_error, get_args(OnError))
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
        keep=keep,
    )


def _scales(asked: Sequence[Measure], qrels: Dataset | Qrels, plan: Plan, how: Reading) -> tuple[Scale, ...]:
    """How to read each measure's scores, quirks of peers included where the judgments are at hand."""
    if isinstance(qrels, Qrels):
        return scales_of(asked, qrels.pool, how.policy, None)
    if any(one.declaration.peer_summary for one in asked) and how.policy.compat != "none":
        text = (
            f"compat={how.policy.compat!r} sums up judgments as a peer does: give them as one file, not as a data set"
        )
        raise UsageError(text)
    return tuple(Scale.of(measure, {}, None) for measure in asked)


def _inputs(
    asked: Sequence[Measure], qrels: Dataset | Qrels, sets: Sequence[Dataset], plans: Sequence[Plan]
) -> dict[str, Any]:
    """What a signature says beside the settings."""
    of_qrels = {"name": qrels.name, "sha256": fingerprint(qrels)} if isinstance(qrels, Qrels) else qrels.facts()
    return {
        "engine": engine.current().NAME,
        "measures": [str(measure) for measure in asked],
        "max_rel": float(max(plans[0].labels.max(initial=0.0), 0.0)),
        "qrels": of_qrels,
        "runs": [one.facts() for one in sets],
    }


def _signature(how: Reading, inputs: dict[str, Any]) -> dict[str, Any]:
    """That of scores of topics, as of an evaluation of whole runs."""
    return {"cranfield": package_version(), **inputs, **how.policy.as_dict()}

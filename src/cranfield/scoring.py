"""Runs x qrels x measures -> scores, in plain arrays: the only place that loops over all three.

Nothing heavy is imported here, so that the command line starts at once; ``evaluation`` wraps the arrays in xarray.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield.arrays import Floats
from cranfield.collection.intent_weights import IntentWeights
from cranfield.collection.notices import listening
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputFormat, Reading, ReadingWords
from cranfield.collection.run import Run
from cranfield.errors import InputError, UsageError
from cranfield.io.exchange import refuse_exchanged
from cranfield.io.intents import check_intents, with_intents
from cranfield.io.judging import JudgedRun, build_index, cpus, judge_run, source_name
from cranfield.io.runs import NamedRun, QrelsLike, RunsLike, named_runs, qrels_of
from cranfield.io.source import STDIN, display_name
from cranfield.measures import Measure, extremes, interval, parse_measures, summary, values
from cranfield.showing import ROWS, table
from cranfield.wording import Remark, in_full, listed, quoted, remarks

MeasuresLike = Measure | str | Iterable[Measure | str]
Progress = Callable[[int, int], None]
Bounds = Literal["none", "order", "judgments"]

MANY = 10
"""So many documents do not all happen to be unjudged."""

DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")


@dataclass(frozen=True)
class ScoreTable:
    """Scores in plain arrays.

    Args:
        systems: names, in the order given.
        tags: run tag of each.
        topics: of the qrels, in order of first appearance.
        measures: in the order asked for, duplicates merged.
        values: float64 [measures, systems, topics]; NaN where skipped, or undefined and kept so.
        summaries: float64 [measures, systems].
        policy: what was decided.
        qrels: the judgments.
        runs: where each system came from.
        remarks: what a careful reader should know of the data.
        bounds: what the interval of each value bounds (``order`` of equal scores, missing ``judgments``), or none.
        lower: least value in it, float64 [measures, systems, topics]; None without intervals.
        upper: greatest value in it.
        rankings: all lists, where ``score`` was asked to keep them.
        hashes: SHA-256 of the file of each run as it was read; empty for a run in memory.
    """

    systems: tuple[str, ...]
    tags: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    summaries: Floats
    policy: Policy
    qrels: Qrels
    runs: tuple[NamedRun, ...]
    remarks: tuple[Remark, ...] = field(repr=False)
    bounds: Bounds = "none"
    lower: Floats | None = None
    upper: Floats | None = None
    rankings: Rankings | None = field(default=None, repr=False)
    hashes: tuple[str, ...] = field(default=(), repr=False)

    def summaries_of(self, cells: Floats) -> Floats:
        """Every measure's summary over topics, [measures, systems, topics] -> [measures, systems]."""
        return np.stack(
            [
                _summary_of(measure, block, self.qrels, self.policy)
                for measure, block in zip(self.measures, cells, strict=True)
            ]
        )

    def _repr_html_(self) -> str:
        """The first systems by the first measure, as a notebook shows them."""
        sign = -1.0 if self.measures[0].declaration.larger_is_better else 1.0
        order = np.argsort(sign * self.summaries[0], kind="stable").tolist()
        rows = [(self.systems[at], *self.summaries[:, at].tolist()) for at in order[:ROWS]]
        caption = f"{len(self.systems):,} systems, {len(self.topics):,} topics of {self.qrels.name}"
        return table(["system", *map(str, self.measures)], rows, caption, len(order) - len(rows))

    def signature(self) -> dict[str, Any]:
        """All that changes these numbers: version, engine, measures, policies, and SHA-256 of every input.

        Raises:
            UsageError: ``score`` was told that nothing would be signed.
        """
        if not self.hashes:
            raise UsageError("these scores were made with sign=False, so that their runs were not hashed")
        return {
            "cranfield": package_version(),
            "engine": engine.current().NAME,
            "measures": [str(measure) for measure in self.measures],
            "bounds": self.bounds,
            **self.policy.as_dict(),
            "max_rel": self.qrels.pool.max_grade,
            **self._intents(),
            "qrels": {"name": self.qrels.name, "sha256": fingerprint(self.qrels)},
            "runs": [
                {"name": run.name, "tag": tag, "sha256": digest if isinstance(run.data, str) else fingerprint(run.data)}
                for run, tag, digest in zip(self.runs, self.tags, self.hashes, strict=True)
            ],
        }

    def _intents(self) -> dict[str, Any]:
        """How likely intents were, where a measure asked."""
        if not any(measure.declaration.needs_intents for measure in self.measures):
            return {}
        weights = self.qrels.weights
        given = {"sha256": fingerprint(weights)} if weights.rule == "given" else {}
        settings = {"weight_sum": self.qrels.weight_sum, "keep_empty_intents": self.qrels.keep_empty_intents}
        return {"intents": {"weights": weights.name, **given, **settings}}


def package_version() -> str:
    """Version of the installed package."""
    from importlib.metadata import version

    return version("cranfield")


def fingerprint(data: Run | Qrels | IntentWeights) -> str:
    """SHA-256 of the bytes that were read, as they lie on disk, or of the content where it was made in memory."""
    return data.sha256 or data.digest


def measures_of(measures: MeasuresLike, rel: float | None = None) -> tuple[Measure, ...]:
    """Measures from names and objects, in order, each once; ``rel`` sets the relevance level where none is set.

    Raises:
        MeasureError: an unknown measure or parameter, or one that needs a parameter it was not given.
    """
    if not isinstance(measures, (Measure, str, Iterable)):
        raise UsageError(f"{measures!r} is no measure: write its name, or cranfield.nDCG @ 10")
    given = [measures] if isinstance(measures, (Measure, str)) else list(measures)
    found: dict[Measure, None] = {}
    for item in given:
        parsed = parse_measures(item) if isinstance(item, str) else [item]
        for measure_ in parsed:
            measure = measure_
            if not isinstance(measure, Measure):
                raise UsageError(f"{measure!r} is no measure: write its name, or cranfield.nDCG @ 10")
            known = measure.declaration.parameters.get("rel")
            if rel is not None and known is not None and known.default is not None and "rel" not in measure.given:
                measure = measure(rel=rel)
            found[measure.complete()] = None
    if not found:
        raise UsageError("no measure was given")
    return tuple(found)


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
) -> ScoreTable:
    """Score runs by measures, in plain arrays; see ``evaluate`` for the arguments.

    ``executor`` runs one task a run (threads of its own by default); ``progress(done, total)`` is called after each.
    ``keep_rankings`` is for analyses that look at the lists again, ``judge`` for those that have judged the runs. Runs
    are hashed while they are read, unless no signature is to be asked for (``sign=False``).
    """
    reading = Reading.of(reading, policy, words)
    policy, input_format = reading.policy, reading.input_format
    bounded = _bounds_of(policy, bounds)
    if executor is not None and not isinstance(executor, Executor):
        raise UsageError(f"executor={executor!r} is no executor: give one of concurrent.futures, or None for threads")
    asked = measures_of(measures, reading.rel)
    refuse_exchanged(runs, qrels)
    given = tuple(named_runs(runs, reading.names))
    if isinstance(qrels, str) and qrels == STDIN and any(run.data == STDIN for run in given):
        raise UsageError("standard input (-) can be the qrels or a run, not both")
    by_intent = all(measure.declaration.needs_intents for measure in asked)
    read = qrels_of(qrels, input_format, by_intent=by_intent)
    judgments = with_intents(read, reading.intent_weights, reading.weight_sum, reading.keep_empty_intents)
    check_intents(judgments, asked)
    noticed = list(_remarks_on_qrels(judgments, asked, policy))
    if bounded != "none":
        # A measure without such an interval says so before any run is read.
        _values(asked, Rankings.of_pool(judgments.pool, policy), policy, bounded)
    threads = cpus() if len(given) == 1 else 1
    task = _Task(asked, judgments, policy, bounded, input_format, threads, keep_rankings, sign, judge)
    tables = np.empty((1 if bounded == "none" else 3, len(asked), len(given), len(judgments.topics)))
    tags, hashes, kept = [], [], []
    for number, (tag, digest, block, lines, rankings) in enumerate(_map(task, given, executor)):
        tables[:, :, number] = block
        tags.append(tag)
        hashes.append(digest)
        noticed += lines
        if rankings is not None:
            kept.append(rankings)
        if progress is not None:
            progress(number + 1, len(given))
    if reading.names == "tag":
        given = by_tag(given, tags)
    return ScoreTable(
        tuple(run.name for run in given),
        tuple(tags),
        judgments.topics,
        asked,
        tables[0],
        np.stack([_summary_of(measure, tables[0, number], judgments, policy) for number, measure in enumerate(asked)]),
        policy,
        judgments,
        given,
        tuple(noticed),
        bounded,
        lower=tables[1] if len(tables) > 1 else None,
        upper=tables[2] if len(tables) > 1 else None,
        rankings=Rankings.concatenate(kept) if keep_rankings else None,
        hashes=tuple(hashes) if sign else (),
    )


def _bounds_of(policy: Policy, judgments: bool) -> Bounds:
    """What intervals are asked for.

    Raises:
        UsageError: intervals of two kinds at once, or of judgments where unjudged documents are dropped.
    """
    if not judgments:
        return "order" if policy.ties == "bounds" else "none"
    if policy.weighs_ties:
        raise UsageError(
            f"bounds=True wants one order of documents, not ties={policy.ties!r}: choose trec, or no bounds"
        )
    if policy.unjudged != "zero":
        raise UsageError(f"bounds=True asks what unjudged documents could be; unjudged={policy.unjudged!r} drops them")
    return "judgments"


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

    def __call__(self, run: NamedRun) -> tuple[str, str, Floats, list[Remark], Rankings | None]:
        if self.judge is not None:
            judged = self.judge(run)
        else:
            how = self.qrels, self.index, self.policy, self.input_format, self.threads
            judged = judge_run(run, *how, sign=self.sign)
        block = _values(self.asked, judged.rankings, self.policy, self.bounds)
        lines = list(_remarks_on_run(run, self.qrels, judged))
        return judged.tag, judged.sha256, block, lines, judged.rankings if self.keep_rankings else None

    def __reduce__(self) -> tuple[Any, ...]:
        facts = self.asked, self.qrels, self.policy, self.bounds, self.input_format, self.threads
        return _Task, (*facts, self.keep_rankings, self.sign, self.judge)


def _map(task: _Task, runs: Sequence[NamedRun], executor: Executor | None) -> Iterator[Any]:
    """Results in the order of the runs; the first error of that order is raised, whichever came first in time."""
    if executor is not None:
        yield from executor.map(task, runs)
        return
    own = ThreadPoolExecutor(max_workers=cpus())
    try:
        yield from own.map(task, runs)
    except BaseException:
        # What is being read may never end, if it is a pipe.
        own.shutdown(wait=False, cancel_futures=True)
        raise
    own.shutdown()


def _values(asked: Sequence[Measure], rankings: Rankings, policy: Policy, bounds: Bounds) -> Floats:
    """Every measure of one run's lists, float64 [1, measures, topics]; NaN where skipped, or undefined and kept so.

    With bounds, float64 [3, measures, topics]: values, least, greatest.
    """
    parts = [np.stack([values(measure, rankings) for measure in asked])]
    if bounds != "none":
        ends = [(extremes if bounds == "order" else interval)(measure, rankings) for measure in asked]
        parts += [np.stack([end[side] for end in ends]) for side in (0, 1)]
    out = np.stack(parts)
    if policy.undefined == "declared":
        for number, measure in enumerate(asked):
            cells = out[:, number]
            cells[np.isnan(cells)] = measure.declaration.peer_undefined.get(policy.compat, measure.undefined)
            if len(cells) > 1:
                cells[1], cells[2] = np.fmin(cells[0], cells[1]), np.fmax(cells[0], cells[2])
    if policy.missing == "skip":
        out[:, :, rankings.length == 0] = np.nan
    if policy.compat == "gdeval":
        out[:, :, rankings.pool.count(low=np.nextafter(0, 1)) == 0] = np.nan
    return out


def _summary_of(measure: Measure, block: Floats, qrels: Qrels, policy: Policy) -> Floats:
    quirk = measure.declaration.peer_summary
    value = quirk(qrels.pool, policy) if quirk is not None else None
    return summary(measure.declaration.summary, block) if value is None else np.full(len(block), value)


def by_tag(given: Sequence[NamedRun], tags: Sequence[str]) -> tuple[NamedRun, ...]:
    """Runs named by their tags.

    Raises:
        InputError: a run without a tag, or two of one tag.
    """
    owner: dict[str, NamedRun] = {}
    for run, tag in zip(given, tags, strict=True):
        if not tag:
            raise InputError(f"{source_name(run)}: the run has no tag, which names=tag needs")
        if tag in owner:
            raise InputError(f"{source_name(run)}: the tag {quoted(tag)} is also that of {source_name(owner[tag])}")
        owner[tag] = run
    return tuple(NamedRun(tag, run.data) for tag, run in owner.items())


def _remarks_on_qrels(qrels: Qrels, asked: Sequence[Measure], policy: Policy) -> Iterator[Remark]:
    """Topics for which a measure has no value whatever is retrieved, mostly for want of relevant documents."""
    everything = Rankings.of_pool(qrels.pool, policy)
    where = in_full(display_name(qrels.path or qrels.name))
    found: dict[str, NDArray[np.bool_]] = {}
    said: dict[str, None] = {}
    for measure in sorted(asked, key=lambda measure: measure.parameters.get("rel") is None):
        with listening() as heard:
            without = np.isnan(values(measure, everything))
        said |= heard
        if np.isnan(measure.undefined):
            if without.any():
                topics = listed([qrels.topics[topic] for topic in np.flatnonzero(without)])
                yield Remark(where, f"{measure} has no value in {topics}, left out of its mean")
            continue
        rel = measure.parameters.get("rel")
        what = "with a gain" if rel is None else f"of label {rel:g} or more"
        known = any(np.array_equal(without, earlier) for earlier in found.values())
        if without.any() and (what in found or not known):
            found[what] = without | found.get(what, False)
    if qrels.intents is not None and any(measure.declaration.needs_intents for measure in asked):
        yield from (Remark(in_full(qrels.weights.path or qrels.weights.name), text) for text in qrels.intents.remarks())
    elif qrels.weights.rule == "given":
        yield Remark(where, "no measure asked for looks at intents, so their weights change nothing")
    yield from (Remark(where, text) for text in said)
    fate = "give 0 there" if policy.undefined == "declared" and policy.compat != "gdeval" else "have no value there"
    for what, without in found.items():
        topics = listed([qrels.topics[topic] for topic in np.flatnonzero(without)])
        which = "no topic has a document" if without.all() else f"{topics} without any document"
        yield Remark(where, f"{which} {what}: measures that need one {fate}")


def _remarks_on_run(run: NamedRun, qrels: Qrels, judged: JudgedRun) -> Iterator[Remark]:
    yield from remarks(judged.facts, source_name(run), "run")
    rankings = judged.rankings
    absent = np.flatnonzero(rankings.length == 0)
    if len(absent):
        empty = "counted as an empty ranking" if len(absent) == 1 else "counted as empty rankings"
        fate = empty if rankings.policy.missing == "empty" else "left out of its means"
        topics = listed([qrels.topics[topic] for topic in absent], "judged topic")
        yield Remark(source_name(run), f"{topics} missing from the run, {fate}")
    if not len(rankings.rank) and rankings.length.sum() >= MANY:
        text = f"none of its documents is judged; are they named as in the qrels, such as {quoted(qrels.documents[0])}?"
        yield Remark(source_name(run), text)

"""Means over topics of runs and judgments that are larger than memory: ``evaluate_partitions``.

Some results need the scores of topics of all runs: tests of their differences, and slices of the topics.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Unpack

from cranfield._executor import choose_executor
from cranfield._message import setting
from cranfield._text import condensed, warn
from cranfield._typing import PathLike, Progress
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.checks import Idle, Rule
from cranfield.declarations.executor import ExecutorOption
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import Finding
from cranfield.io.inputs import QrelsLike
from cranfield.io.skipped_runs import leaves_out
from cranfield.measures import MeasuresLike
from cranfield.memory import size_in_words
from cranfield.results.result import signed
from cranfield.scores.scale import Scale
from cranfield.scores.unjudged import choose_told
from cranfield.scoring.loop import DEFAULT
from cranfield.scoring.paired_differences import PairedTest, paired_tests, subtract_pairs
from cranfield.scoring.partial_sums import PartTotals, compute_totals
from cranfield.scoring.remarks import remarks_on_measures
from cranfield.scoring.undefined_topics import drop_repeated
from cranfield.streaming.partitions.checkpoint import Store, StoringWork, keep_aside
from cranfield.streaming.partitions.dataset import Dataset
from cranfield.streaming.partitions.executor import is_shared, outcomes
from cranfield.streaming.partitions.merge import scored
from cranfield.streaming.partitions.part_scoring import Attempt, Failed, Keep
from cranfield.streaming.partitions.parts import Part, TopicLayout
from cranfield.streaming.partitions.plan import Plan
from cranfield.streaming.partitions.request import PartitionRequest, StreamedRunsLike
from cranfield.streaming.partitions.result import PartitionedScores
from cranfield.streaming.partitions.slices import read_slices
from cranfield.streaming.partitions.spooled import SpooledDataset
from cranfield.streaming.partitions.topic_scores import RunScores, aligned

if TYPE_CHECKING:
    from cranfield.streaming.partitions.slices import SlicesLike

NOT_STORED = ("table", "tsv", "csv", "json", "latex", "markdown")
"""Formats that are text."""
STEPS = 8
"""Steps of a progress bar, until it is known how many there are."""
SlicesOption: TypeAlias = Annotated[
    "SlicesLike | None",
    Option(
        "Also give means of groups of topics, such as segments of users, by a column of the judgments or of a run; "
        "from Python also topic -> slice in a dict, a Series or a file (``pathlib.Path``).",
        flags=("--slice",),
        metavar="COLUMN",
        recorded=False,
    ),
]


@analysis(
    "evaluate",
    "",
    FromRuns(DEFAULT, progress="scoring parts", further=("exclude",)),
    given=("dataset",),
    switch="QRELS and each RUN are data sets: a folder, a glob or an address of Parquet, Arrow or TREC files, scored "
    "part by part.",
    views=(
        View("systems", table="means"),
        View(
            "topics",
            flags=("--by-topic", "-q"),
            formats=("parquet",),
            rules=(
                Rule(
                    {"format": NOT_STORED},
                    "{topics} needs the scores of all topics at once: add -o scores/, or leave {dataset} out",
                ),
            ),
        ),
    ),
    idle=(Idle(("resume",), {"format": NOT_STORED}, "without {topics} and -o scores/"),),
    groups=Groups(passed="slices"),
    formats=("latex", "markdown"),
    writes="by_topic",
    steps=lambda _: STEPS,
)
def evaluate_partitions(
    runs: StreamedRunsLike,
    qrels: QrelsLike | Dataset,
    measures: MeasuresLike = DEFAULT,
    *,
    topic_layout: Annotated[
        TopicLayout,
        Option(
            "The rows of a topic are together, complete in one file, or split over files; by auto statistics tell, "
            "and what they tell is checked."
        ),
    ] = "auto",
    executor: ExecutorOption = None,
    window: int | None = None,
    retries: int = 2,
    keep_going: bool = False,
    memory: Annotated[
        str | int | None,
        Option("Memory limit, such as 500MB.", default="1GB, or CRANFIELD_MEMORY", metavar="SIZE", recorded=False),
    ] = None,
    storage_options: Mapping[str, Any] | None = None,
    by_topic: PathLike | None = None,
    resume: Annotated[
        bool,
        Option(
            "Reuse the parts of scores by topic that an earlier call wrote, where nothing has changed.", recorded=False
        ),
    ] = False,
    keep: Keep | None = None,
    slices: SlicesOption = None,
    level: LevelOption = 0.95,
    progress: Progress | None = None,
    reading: InputOptions | None = None,
    **kwargs: Unpack[ReadingOptions],
) -> PartitionedScores:
    """Score runs in many files, part by part: memory is bounded, and the numbers are those of the whole to the bit.

    Of several runs, every two are compared by the paired t-test, for which the scores of topics are gathered in up to
    half of the memory; where these are more, a warning says so, and there are no tests.

    Args:
        runs: a ``Dataset``, or where its files are, or a stream as ``evaluate_means`` takes it, which is written to a
            temporary file first; or several, in a list or by name.
        qrels: a ``Dataset`` or where its files are, or judgments as ``evaluate`` takes them.
        measures: as in ``evaluate``; none that needs intents.
        window: parts that are under way at a time.
        retries: how often what a file system refuses is tried again.
        keep_going: leave out a run that cannot be read, and a part that cannot be scored, and list them as ``failed``.
        storage_options: what fsspec is told of addresses.
        by_topic: a folder for the scores of topics, as ``read_scores`` reads them, or its address. It appears when all
            parts are done; until then, or if parts failed, they are in the same name with ``.unfinished``.
        keep: instead of it receives the scores of topics, part by part.
        progress: called with (parts done, parts); of split topics, parts are those of the sorted copy.
        reading: how runs are read, see ``InputOptions``.

    Raises:
        InputError: a file is refused, topics do not lie in the files as ``topic_layout`` says, or memory has no room.
        UsageError: an unknown option or measure, or one that cannot be had part by part.
    """
    reading, reports = InputOptions.of(reading, kwargs), keep_going or leaves_out()
    request = PartitionRequest.build(
        runs, qrels, measures, topic_layout, reading, storage_options, memory, leaves_out=reports
    )
    across, steps = CrossRunResults(request, slices), _Steps(progress, request.plans)
    store = None if by_topic is None else Store(by_topic, request.signature(), resume=resume, options=storage_options)
    totals: dict[str, PartTotals] = {}
    failed = [*request.refused]
    noticed = list(remarks_on_measures(qrels, request.judgments.location, request.measures))
    with keep_aside(store), closing(request), choose_executor(executor) as pool:
        each = _PendingParts(pool, window, retries, steps, reports)
        scored_run = _RunScoring(request, across, each, keep, store, is_shared(pool))
        for number, (data, plan) in enumerate(zip(request.sets, request.plans, strict=True)):
            scales, totals[data.name], wrong, more = scored_run(number, data, plan)
            failed, noticed = [*failed, *wrong], [*noticed, *drop_repeated(more, first=number == 0)]
    if store is not None:
        store.finish(len(failed) - len(request.refused))
    settings = record_options(evaluate_partitions, locals(), keep_going=reports, **request.reading.as_dict())
    del settings["exclude"]  # which is refused
    inputs = request.inputs() | across.facts
    missing = request.reading.policy.missing
    inputs["runs"] = [run | _sign_absent(totals[run["name"]], missing) for run in inputs["runs"]]
    return _result(totals, across.compute(scales, totals), failed, noticed, settings, inputs)


def _sign_absent(total: PartTotals, missing: str) -> dict[str, float]:
    """The share of judged topics that are absent, where it is told."""
    share = choose_told(total.missing / max(total.topics + total.missing, 1), missing)
    return {"absent_topics": share} if share else {}


class _Steps:
    """Reports how many parts are done, each as often as it is processed."""

    def __init__(self, progress: Progress | None, plans: Sequence[Plan]) -> None:
        self._progress = progress
        self._done, self._all = 0, sum(len(plan.parts) for plan in plans)
        self._left = 0

    def begin(self, plan: Plan) -> None:
        """Begin with a run."""
        self._left = len(plan.parts)

    def go_over(self, parts: int) -> None:
        """Go over the parts of the run, perhaps more than were expected, or once more."""
        self._all += parts - self._left
        self._left = 0

    def done(self, outcome: Any) -> Any:
        """Pass on the result of a part."""
        self._done += 1
        if self._progress is not None:
            self._progress(self._done, self._all)
        return outcome


@dataclass(frozen=True)
class _PendingParts:
    """Maps a task over parts, except those whose results an earlier call stored."""

    pool: Executor | None
    window: int | None
    retries: int
    steps: _Steps
    go_on: bool

    def __call__(self, parts: Sequence[Part], task: Callable[[Part], Any]) -> Iterator[Any]:
        known = {result.part: result for result in task.known(parts)} if isinstance(task, StoringWork) else {}
        remaining = [part for part in parts if part.number not in known]
        attempt = Attempt(task, self.retries)
        self.steps.go_over(len(parts))
        window = self.window or getattr(self.pool, "window", None)
        return map(
            self.steps.done, chain(known.values(), outcomes(attempt, remaining, self.pool, window, go_on=self.go_on))
        )


@dataclass(frozen=True)
class _RunScoring:
    """Scores one run after the other; a run whose topics are split over files is sorted first."""

    request: PartitionRequest
    across: CrossRunResults
    each: _PendingParts
    keep: Keep | None
    store: Store | None
    shared: bool

    def __call__(
        self, number: int, data: Dataset, plan: Plan
    ) -> tuple[tuple[Scale, ...], PartTotals, list[Failed], list[Finding]]:
        """Score a run: the scales of its measures, sums of its scores, parts that failed, and remarks."""
        if isinstance(data, SpooledDataset) and self.shared:
            raise UsageError("a stream is read on this machine alone: write it as Parquet, which all workers see")
        if plan.scratch is not None and self.shared:
            raise UsageError(
                "judgments out of order that memory does not hold are sorted on this machine, which the workers of a "
                f"cluster do not see: write them sorted by topic once, or allow more ({setting('memory')}, --memory)"
            )
        self.each.steps.begin(plan)
        if plan.topics != "split":
            try:
                return self._score(number, data, plan)
            except InputError as error:
                is_seen_late = error.code == "split" and plan.may_be_split
                if not is_seen_late or self.keep is not None or self.store is not None:
                    raise
            gathering = self.across.get_receiver(data.name)
            if gathering is not None:
                gathering.clear()
        with closing(plan.sort(self.request.reading.policy, self.request.limits, shared=self.shared)) as copy:
            return self._score(number, data, copy)

    def _score(
        self, number: int, data: Dataset, plan: Plan
    ) -> tuple[tuple[Scale, ...], PartTotals, list[Failed], list[Finding]]:
        scales, gathering = self.request.scales(plan), self.across.get_receiver(data.name)
        work = self.request.work(plan, scales, self.keep, collect=gathering is not None)
        storing = None if self.store is None else self.store.work(work, number, data.name, scales)
        each = functools.partial(self.each, plan.parts)
        total, missing, wrong, more = scored(work, plan, data.location, each, self.each.go_on, storing, gathering)
        return scales, compute_totals(scales, total.moments, plan.met(total, missing), missing), wrong, more


def _result(
    totals: dict[str, PartTotals],
    results: tuple[tuple[PairedTest, ...], dict[str, dict[str, PartTotals]]],
    failed: Sequence[Failed],
    noticed: Sequence[Finding],
    settings: dict[str, Any],
    inputs: dict[str, Any],
) -> PartitionedScores:
    """Sums with their signature, which names the parts that are not in them."""
    for line in condensed(noticed):
        warn(line)
    wrong = tuple((run.name, str(run.error)) for run in failed)
    left_out = {"left_out": [{"name": name, "reason": reason} for name, reason in wrong]} if wrong else {}
    signature = signed("evaluate_partitions", settings, **inputs, **left_out)
    return PartitionedScores(totals, wrong, settings, signature, tuple(noticed), *results)


SHARE = 2
"""Scores of topics take up to this fraction of the memory: one part of two."""


class CrossRunResults:
    """Gathers the scores of topics where something needs them: several runs, or slices.

    Args:
        request: the runs, their judgments and the memory.
        slices: that were asked for; see ``read_slices``.
    """

    def __init__(self, request: PartitionRequest, slices: SlicesLike | None) -> None:
        runs, limits = request.sets, request.limits
        self._slices = read_slices(slices, request.judgments, runs, request.plans[0].kinds, limits.rows)
        self._memory = limits.memory
        requested = len(runs) > 1 or slices is not None
        room = limits.memory // (SHARE * len(runs))
        self._gathered = {run.name: RunScores(room) for run in runs} if requested else {}

    def get_receiver(self, run: str) -> RunScores | None:
        """The receiver of the scores of a run; None where nothing needs them."""
        return self._gathered.get(run)

    @property
    def facts(self) -> dict[str, Any]:
        """The signature of the slices."""
        return {} if self._slices is None else {"slices": self._slices.facts}

    def compute(
        self, scales: Sequence[Scale], totals: Mapping[str, PartTotals]
    ) -> tuple[tuple[PairedTest, ...], dict[str, dict[str, PartTotals]]]:
        """Tests of every two runs, and slice -> run -> totals of its topics.

        Raises:
            InputError: slices were requested, and there is no room for the scores of topics.
        """
        dropped = sum(gathered.dropped for gathered in self._gathered.values())
        if dropped:
            measures = (
                f"would need the scores of all topics in memory, {size_in_words(dropped)} and more, of "
                f"{size_in_words(self._memory / SHARE)} that are free for them"
            )
            instead = (
                f"allow more ({setting('memory')}, --memory), or write them ({setting('by_topic')}, -q -o scores/)"
            )
            if self._slices is not None:
                raise InputError(f"slices {measures}: {instead} and group those", code="memory")
            warn(f"tests of differences {measures}, and are left out: {instead} and compare those (cranfield compare)")
            return (), {}
        scores = {name: joined for name, run in self._gathered.items() if (joined := run.joined()) is not None}
        sliced: dict[str, dict[str, PartTotals]] = {}
        if self._slices is not None:
            of_run = {
                name: self._slices.scores(scales, run_scores, tell=number == 0)
                for number, (name, run_scores) in enumerate(scores.items())
            }
            sliced = {
                name: {run: totals[name] for run, totals in of_run.items() if name in totals}
                for name in self._slices.names
            }
        tests: tuple[PairedTest, ...] = ()
        if len(scores) > 1:
            means = {name: total.means for name, total in totals.items()}
            tests = paired_tests(scales, means, subtract_pairs(aligned(scores)))
        return tests, sliced

"""cranfield as a provider of ir_measures: ``use()``, then ir_measures' own functions compute with this engine.

    import ir_measures
    from cranfield.integrations.ir_measures import use

    with use():
        ir_measures.calc_aggregate([nDCG @ 10, AP], qrels, run)

``use()`` alone lasts until ``stop()``. What calls ir_measures, as PyTerrier's experiments do, computes here too.

What ir_measures needs of a provider; the one module that imports ir_measures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from threading import Lock
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self, TypedDict, Unpack

import numpy as np
from ir_measures import CalcResults, Evaluator, Metric, Provider
from ir_measures import Measure as MeasureObject

from cranfield._text import warn
from cranfield._typing import Floats, Mask
from cranfield.collection.frames import is_frame
from cranfield.collection.policy import Compat, Negative, OnDuplicate, OwnDocument, Policy, Unjudged
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.errors import MeasureError, TopicError, UsageError
from cranfield.io.inputs import NamedRun, named_runs, qrels_of
from cranfield.io.judging import build_index, judge_run
from cranfield.measures import parse_measure
from cranfield.scoring import check_intents
from cranfield.scoring.compute import cells_of
from cranfield.scoring.remarks import remarks_on_run

OneOrder = Literal["trec", "trec9", "docid", "rank", "file", "expected"]


class Words(TypedDict, total=False):
    """What ``use`` can be told, see ``Policy``."""

    ties: OneOrder
    unjudged: Unjudged
    negative: Negative
    compat: Compat
    on_duplicate: OnDuplicate
    own_document: OwnDocument
    passages: str


_lock = Lock()
_uses: list[Use] = []
"""Those that last, the latest at the end: that one is in ir_measures."""


class Use:
    """That ir_measures computes with this engine: until ``stop()``, or until the end of a ``with`` block."""

    def __init__(self, provider: CranfieldProvider) -> None:
        self.provider = provider

    @property
    def policy(self) -> Policy:
        """How documents are ordered and odd cases are read."""
        return self.provider.policy

    def stop(self) -> None:
        """What was so before holds again; no effect the second time."""
        with _lock:
            if self in _uses:
                _uses.remove(self)
                _show()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        state = "ir_measures computes with cranfield" if self in _uses else "stopped"
        return f"<{state}: ties={self.policy.ties}, compat={self.policy.compat}>"


def use(**words: Unpack[Words]) -> Use:
    """Let ir_measures compute with this engine every measure that it and cranfield have.

    The defaults are those of trec_eval 9, with which ir_measures computes most measures itself. Other orders of its own
    providers: ``ties="docid"`` (RR@k, Judged, Compat); ``compat="gdeval"`` with ``ties="trec"`` (ERR). Topics that a
    run lacks have ir_measures' default value, and topics of a run without judgments are ignored, as everywhere in
    ir_measures. A later ``use`` replaces an earlier one until it is stopped; measures that cranfield lacks, and those
    that ``ir_measures.define`` made, are computed as before.

    Args:
        words: ``ties`` ("trec9"), ``compat`` ("trec_eval9"), ``unjudged``, ``negative`` and ``on_duplicate``, see
            ``Policy``.

    Returns:
        A handle with ``stop()``, and a context manager.

    Raises:
        UsageError: ir_measures is not installed, or an unknown word.
    """
    unknown = sorted(words.keys() - Words.__annotations__.keys())
    if unknown:
        known = ", ".join(Words.__annotations__)
        why = "ir_measures decides that itself" if unknown[0] in ("missing", "undefined") else "there is no such word"
        raise UsageError(f"use() takes {known}, and not {unknown[0]!r}: {why}")
    if str(words.get("ties")) == "bounds":
        raise UsageError("use(ties='bounds') gives intervals, for which ir_measures has no place: use(ties='expected')")
    if find_spec("ir_measures") is None:
        raise UsageError("ir_measures is not installed: pip install 'cranfield[ir_measures]'")

    policy_options: Words = {"ties": "trec9", "compat": "trec_eval9", **words}
    started = Use(CranfieldProvider(Policy(**policy_options)))
    with _lock:
        _uses.append(started)
        _show()
    return started


def stop() -> None:
    """Let ir_measures compute as it did before every ``use()`` that still lasts; no effect where there is none."""
    with _lock:
        if _uses:
            _uses.clear()
            _show()


def _show() -> None:
    """Put the provider of the latest use, and no other of ours, among those of ir_measures, where it comes first.

    Only what ``ir_measures.define`` made comes before it, which no other provider computes.
    """
    import ir_measures

    providers = ir_measures.DefaultPipeline.providers
    remaining = [provider for provider in providers if not isinstance(provider, CranfieldProvider)]
    if _uses:
        remaining.insert(
            remaining.index(ir_measures.runtime) + 1 if ir_measures.runtime in remaining else 0, _uses[-1].provider
        )
    providers[:] = remaining


EXPECTED = ("missing-topics", "extra-topics")
"""Findings that are the rule among users of ir_measures: batches of topics, and runs of more than is judged."""


class CranfieldProvider(Provider):
    """cranfield's engine."""

    NAME = "cranfield"

    def __init__(self, policy: Policy) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.policy = policy

    def supports(self, measure: MeasureObject) -> bool:
        """Whether it is a measure here, too, and its parameters are in range."""
        measure.validate_params()  # type: ignore[no-untyped-call]
        try:
            parse_measure(measure)
        except MeasureError:
            return False
        return True

    def _evaluator(self, measures: Iterable[MeasureObject], qrels: Any) -> CranfieldEvaluator:
        return CranfieldEvaluator(sorted(set(measures), key=str), qrels, self.policy)


class CranfieldEvaluator(Evaluator):
    """Measures and judgments, prepared once for many runs.

    Args:
        measures: of ir_measures.
        qrels: as ir_measures takes them: dicts, frames, or named tuples.
        policy: how documents are ordered and odd cases are read.

    Raises:
        InputError: the judgments cannot be used, or name no intents where a measure needs them.
    """

    def __init__(self, measures: list[MeasureObject], qrels: Any, policy: Policy) -> None:
        self.asked = [parse_measure(measure) for measure in measures]
        self.policy = policy
        self.qrels = _qrels_of(qrels, all(measure.declaration.needs_intents for measure in self.asked))
        if self.qrels is not None:
            check_intents(self.qrels, self.asked)
            self.index = build_index(self.qrels)
        self.topics = self.qrels.topics if self.qrels is not None else ()
        super().__init__(measures, set(self.topics))

    def iter_calc(self, run: Any) -> Iterator[Metric]:
        """Every measure's value on every judged topic."""
        for measure, topics, values in self._columns(run):
            yield from (Metric(topic, measure, value) for topic, value in zip(topics, values, strict=True))

    def _iter_calc(self, run: Any) -> Iterator[Metric]:
        return self.iter_calc(run)

    def calc_aggregate(self, run: Any) -> dict[MeasureObject, float | int]:
        """Every measure's summary over the judged topics, by ir_measures' own aggregators."""
        return {column.measure: column.aggregate() for column in self._columns(run)}

    def calc(self, run: Any) -> CalcResults:
        """Every measure's summary, and its value on every judged topic."""
        columns = self._columns(run)
        each = [
            Metric(topic, measure, value)
            for measure, topics, values in columns
            for topic, value in zip(topics, values, strict=True)
        ]
        return CalcResults({column.measure: column.aggregate() for column in columns}, each)

    def _columns(self, run: Any) -> list[Column]:
        """Each measure with its topics and their values; of a topic that the run lacks, its default.

        A measure without a value for lists that find nothing (Accuracy) has none there, as in ir_measures.
        """
        cells, retrieved = self._scored(run)
        columns = []
        for measure, ours, row in zip(self.measures, self.asked, cells, strict=True):
            if np.isnan(ours.undefined):
                defined = np.flatnonzero(retrieved & ~np.isnan(row))
                columns.append(Column(measure, [self.topics[topic] for topic in defined], row[defined].tolist()))
            else:
                absent = ~retrieved | np.isnan(row) if self.policy.compat == "gdeval" else ~retrieved
                columns.append(Column(measure, self.topics, np.where(absent, measure.DEFAULT, row).tolist()))
        return columns

    def _scored(self, run: Any) -> tuple[Floats, Mask]:
        """Every measure of the run's lists, [measures, topics], and for which topics the run has one."""
        nothing = np.full((len(self.asked), len(self.topics)), np.nan), np.zeros(len(self.topics), dtype=bool)
        named_run = _run_of(run)
        if named_run is None or self.qrels is None:
            return nothing
        try:
            judged = judge_run(named_run, self.qrels, self.index, self.policy)
        except TopicError as error:
            warn(f"{error} (every measure has its default value)")
            return nothing
        for remark in remarks_on_run(named_run, self.qrels, judged):
            if remark.code not in EXPECTED:
                warn(str(remark))
        return cells_of(self.asked, judged.rankings, self.policy, "none")[0], judged.rankings.length > 0


class Column(NamedTuple):
    """One measure of one run."""

    measure: MeasureObject
    topics: Sequence[str]
    values: list[float]

    def aggregate(self) -> float | int:
        """Its summary, by ir_measures' own aggregator."""
        aggregator = self.measure.aggregator()
        for value in self.values:
            aggregator.add(value)
        summary: float | int = aggregator.result()
        return summary


def _qrels_of(qrels: Any, by_intent: bool) -> Qrels | None:
    """The judgments; None where there are none, of which ir_measures has no values.

    Raises:
        InputError: they cannot be used.
    """
    if _is_rows(qrels):
        rows = list(qrels)
        return Qrels.from_rows(rows, by_intent=by_intent) if rows else None
    return None if _is_empty(qrels) else qrels_of(qrels, by_intent=by_intent)


def _run_of(run: Any) -> NamedRun | None:
    """The run; None where it holds nothing.

    Raises:
        InputError: it cannot be used.
    """
    if _is_rows(run):
        rows = list(run)
        return NamedRun("run", Run.from_rows(rows, name="run")) if rows else None
    return None if _is_empty(run) else named_runs({"run": run})[0]


def _is_rows(data: Any) -> bool:
    """Whether it is tuples, or gives them one by one."""
    return isinstance(data, Iterable) and not isinstance(data, (Qrels, Run, Mapping, str)) and not is_frame(data)


def _is_empty(data: Any) -> bool:
    """Whether a dict or a frame holds nothing."""
    return not any(data.values()) if isinstance(data, Mapping) else hasattr(data, "__len__") and not len(data)

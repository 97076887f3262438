"""A provider of ir_measures; the one module that imports ir_measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from ir_measures import CalcResults, Evaluator, Metric, Provider
from ir_measures import Measure as MeasureObject

from cranfield._text import warn
from cranfield._typing import Floats, Mask
from cranfield.collection.frames import is_frame
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.errors import MeasureError, TopicError
from cranfield.io.inputs import NamedRun, convert_qrels, named_runs
from cranfield.io.judging import build_index, judge_run
from cranfield.measures import parse_measure
from cranfield.scoring import check_intents
from cranfield.scoring.compute import compute_cells
from cranfield.scoring.remarks import remarks_on_run

EXPECTED = ("missing-topics", "extra-topics")
"""Findings that are the rule among users of ir_measures: batches of topics, and runs of more than is judged."""


class CranfieldProvider(Provider):
    """cranfield's engine."""

    NAME = "cranfield"

    def __init__(self, policy: Policy) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.policy = policy

    def supports(self, measure: MeasureObject) -> bool:
        """Return whether it is a measure here, too, and its parameters are in range."""
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
        self._measures = [parse_measure(measure) for measure in measures]
        self.policy = policy
        self.qrels = _read_qrels(qrels, all(measure.declaration.needs_intents for measure in self._measures))
        if self.qrels is not None:
            check_intents(self.qrels, self._measures)
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

    def _columns(self, run: Any) -> list[RunMeasure]:
        """Each measure with its topics and their values; of a topic that the run lacks, its default.

        A measure without a value for lists that find nothing (Accuracy) has none there, as in ir_measures.
        """
        cells, retrieved = self._scored(run)
        columns = []
        for measure, ours, row in zip(self.measures, self._measures, cells, strict=True):
            if np.isnan(ours.undefined):
                defined = np.flatnonzero(retrieved & ~np.isnan(row))
                columns.append(RunMeasure(measure, [self.topics[topic] for topic in defined], row[defined].tolist()))
            else:
                absent = ~retrieved | np.isnan(row) if self.policy.compat == "gdeval" else ~retrieved
                columns.append(RunMeasure(measure, self.topics, np.where(absent, measure.DEFAULT, row).tolist()))
        return columns

    def _scored(self, run: Any) -> tuple[Floats, Mask]:
        """Every measure of the run's lists, [measures, topics], and for which topics the run has one."""
        nothing = np.full((len(self._measures), len(self.topics)), np.nan), np.zeros(len(self.topics), dtype=bool)
        named_run = _read_run(run)
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
        return compute_cells(self._measures, judged.rankings, self.policy, "none")[0], judged.rankings.length > 0


class RunMeasure(NamedTuple):
    """One measure of one run."""

    measure: MeasureObject
    topics: Sequence[str]
    values: list[float]

    def aggregate(self) -> float | int:
        """The summary of the measure, by ir_measures' own aggregator."""
        aggregator = self.measure.aggregator()
        for value in self.values:
            aggregator.add(value)
        summary: float | int = aggregator.result()
        return summary


def _read_qrels(qrels: Any, by_intent: bool) -> Qrels | None:
    """The judgments; None where there are none, of which ir_measures has no values.

    Raises:
        InputError: they cannot be used.
    """
    if _is_rows(qrels):
        rows = list(qrels)
        return Qrels.from_rows(rows, by_intent=by_intent) if rows else None
    return None if _is_empty(qrels) else convert_qrels(qrels, by_intent=by_intent)


def _read_run(run: Any) -> NamedRun | None:
    """The run; None where it holds nothing.

    Raises:
        InputError: it cannot be used.
    """
    if _is_rows(run):
        rows = list(run)
        return NamedRun("run", Run.from_rows(rows, name="run")) if rows else None
    return None if _is_empty(run) else named_runs({"run": run})[0]


def _is_rows(data: Any) -> bool:
    """Return whether it is tuples, or gives them one by one."""
    return isinstance(data, Iterable) and not isinstance(data, (Qrels, Run, Mapping, str)) and not is_frame(data)


def _is_empty(data: Any) -> bool:
    """Return whether a dict or a frame holds nothing."""
    return not any(data.values()) if isinstance(data, Mapping) else hasattr(data, "__len__") and not len(data)

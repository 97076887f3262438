"""Systems to be fused: every run is read, ordered and judged once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from cranfield._text import condensed, counted, warn
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions
from cranfield.collection.run import Run
from cranfield.errors import UsageError
from cranfield.fusion.combination import fused, fused_by_each
from cranfield.fusion.lists import UnionLists, get_fused_ties
from cranfield.information import Experiment, prepare_experiment
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels, refuse_exchanged, with_intents
from cranfield.io.loading import loaded_runs
from cranfield.memory import require
from cranfield.scoring import Evaluation, MeasuresLike, Progress, read_measures, score

A_LINE = 64
"""Bytes that a line of a run takes while runs become lists, as measured."""


@dataclass(frozen=True)
class FusibleSystems:
    """Runs as lists that can be fused, and their own scores.

    Args:
        lists: of all runs, over the documents that any of them retrieves.
        judgments: by which runs and fusions are scored.
        reading: how files and runs are read.
        measures: the requested measures.
        alone: the scores of the single systems, in the order of the lists.
        rankings: the runs seen through the judgments, in the order in which they were scored.
    """

    lists: UnionLists
    judgments: Qrels
    reading: InputOptions
    measures: MeasuresLike
    alone: Evaluation
    rankings: Rankings

    @classmethod
    def read(
        cls, runs: RunsLike, qrels: QrelsLike, measures: MeasuresLike, reading: InputOptions, progress: Progress | None
    ) -> Self:
        """Read runs and judgments, and score the runs.

        Raises:
            InputError: a file is refused, or runs and qrels do not fit together.
            InputError: the runs are too many for the memory allowed.
            UsageError: fewer than two runs, or a measure that does not exist.
        """
        reading.policy.check_order("fusion")
        refuse_exchanged(runs, qrels)
        weighing = reading.intent_weights, reading.weight_sum, reading.keep_empty_intents
        judgments = with_intents(convert_qrels(qrels, **reading.judgment_options), *weighing)
        return cls.score(loaded_runs(runs, reading, progress), judgments, measures, reading)

    @classmethod
    def score(
        cls,
        runs: list[tuple[str, Run]],
        judgments: Qrels,
        measures: MeasuresLike,
        reading: InputOptions,
        scored: Evaluation | None = None,
    ) -> Self:
        """Score runs in memory by judgments whose intents have their weights; the list of runs is emptied.

        ``scored`` are the same runs with their rankings, scored under the same reading by these measures and others,
        where they have been: then they are not scored again.

        Raises:
            InputError: as ``read``.
            UsageError: as ``read``.
        """
        reading.policy.check_order("fusion")
        if len(runs) < 2:
            raise UsageError("headroom needs two runs or more")
        lines = sum(len(run.score) for _, run in runs)
        require(lines * A_LINE, f"{counted(len(runs), 'run')} of {lines:,} lines together", "give fewer runs")
        # The lists are enough: what the files hold is given up while they are made.
        sources: dict[str, str | Run] = {name: run.path or run for name, run in runs}
        lists = UnionLists.from_runs((runs.pop(0) for _ in range(len(runs))), reading.policy)
        if scored is None:
            alone = _scored_alone(lists, sources, judgments, measures, reading)
        else:
            alone = scored.chosen(lists.names, read_measures(measures, reading.rel))
        table = scored or alone
        assert table.rankings is not None
        rankings = replace(table.rankings, systems=table.systems)
        return cls(lists, judgments, reading, measures, alone, rankings)

    def experiment(self) -> Experiment:
        """The experiment on pairs of documents, with the systems in the order of the lists."""
        experiment = prepare_experiment(self.rankings, self.judgments, rel=self.reading.rel)
        return experiment if experiment.systems == self.lists.names else experiment.of_systems(self.lists.names)

    def fused(self, method: str, name: str, systems: Sequence[int] | None = None) -> dict[str, Run]:
        """The run that a method makes of some of the systems, all where None, under its name."""
        return {name: self.lists.unordered(*fused(self.lists, method, None, {}, systems), name)}

    def fused_by_each(self, methods: Sequence[str]) -> list[dict[str, Run]]:
        """The runs that methods make of all systems, each under its method's name."""
        rows, scores = fused_by_each(self.lists, methods)
        return [
            {method: self.lists.unordered(rows, method_scores, method)}
            for method, method_scores in zip(methods, scores, strict=True)
        ]

    def scored(self, runs: dict[str, Run]) -> Evaluation:
        """Scores of runs that were made of these."""
        reading = replace(self.reading.list_options, ties=get_fused_ties(self.reading.policy))
        return score(runs, self.judgments, self.measures, reading=reading, sign=False)


def _scored_alone(
    lists: UnionLists, sources: dict[str, str | Run], judgments: Qrels, measures: MeasuresLike, reading: InputOptions
) -> Evaluation:
    """The single systems as they were ordered for the lists."""
    alone = score(
        sources,
        judgments,
        measures,
        reading=reading.list_options,
        keep_rankings=True,
        judge=lists.judged_by(judgments),
    )
    for line in condensed(alone.remarks):
        warn(line)
    return alone

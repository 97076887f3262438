"""Runs read once for everything: scores, the check of the files, and the first documents of every list.

Runs kept in memory from the first reading to the fusions, as long as all of them fit.

Scores as a page takes them, wherever they come from.

Scores that were given in place of runs, from files or from memory.

Which of the measures asked for compare systems, and the order of systems by one of them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, hearing, listed, quoted, shown, warn
from cranfield._version import package_version
from cranfield.checking.checks import FileCheck
from cranfield.checking.result import Findings
from cranfield.checking.tied_scores import Tied, looked_at
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.comparison.pairwise import find_columns
from cranfield.errors import InputError, UsageError
from cranfield.findings.finding import Finding, warn_of
from cranfield.findings.location import STDIN, Place
from cranfield.fusion.fusion_inputs import A_LINE
from cranfield.io.inputs import NamedRun, qrels_of, with_intents
from cranfield.io.judging import JudgedRun, build_index, judge_loaded, judge_run
from cranfield.io.run_transforms import rewritten
from cranfield.io.source import as_text
from cranfield.io.trec import load_qrels, load_run
from cranfield.measures import Measure
from cranfield.memory import budget
from cranfield.reporting.entries import Entries
from cranfield.reporting.redaction import PathRedactor
from cranfield.reporting.request import Origin, Question, Request, ScoresQuestion
from cranfield.reporting.top_documents import Lists, first_documents
from cranfield.scores.dataset import as_dataset, dataset_of, table_of
from cranfield.scores.matrix import matrix_of, names_of_effectiveness
from cranfield.scores.measure_selection import choose_measures
from cranfield.scores.missing_scores import fill_gaps
from cranfield.scores.scale import ENDS
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import xarray as xr


@dataclass
class Reader:
    """Judges runs for ``score``, and keeps what else a page says of them.

    Args:
        question: how they are read.
        qrels: the judgments, with the weights of their intents.
        check: of the files; None where some are not.
        found: name of a run, as it was given, -> its lists.
        kept: the runs themselves; None where they are not needed again.
    """

    question: Question
    qrels: Qrels
    check: FileCheck | None
    found: dict[str, Lists] = field(default_factory=dict)
    kept: RunCache | None = None

    def __post_init__(self) -> None:
        self._index = build_index(self.qrels) if self.check is None else self.check.index
        self._findings: dict[str, list[Finding]] = {}

    @classmethod
    def of(cls, question: Question, measures: Sequence[Measure], *, keep: bool) -> Reader:
        """With the judgments read.

        Args:
            question: what is asked.
            measures: that are scored.
            keep: whether runs are kept for what looks at whole lists.

        Raises:
            InputError: the judgments cannot be read.
        """
        reading = question.reading
        by_intent = all(measure.declaration.needs_intents for measure in measures)
        check = None if question.files is None else FileCheck(reading, measures=looked_at(measures))
        if check is None or not isinstance(question.qrels, (str, os.PathLike)):
            qrels = qrels_of(question.qrels, **reading.of_files, by_intent=by_intent)
        else:
            path = as_text(question.qrels)
            qrels, facts = load_qrels(path, **reading.of_files)
            warn_of(facts, Place(path), unless=("several-labels",) if by_intent else ())
            check.use_qrels(qrels, facts, path)
        weighed = with_intents(qrels, reading.intent_weights, reading.weight_sum, reading.keep_empty_intents)
        return cls(question, weighed, check, kept=RunCache() if keep else None)

    def __call__(self, run: NamedRun) -> JudgedRun:
        """A run seen through the judgments; safe to call from many threads.

        Raises:
            InputError: it cannot be read, or does not fit the policy.
            TopicError: it has no judged topic.
        """
        policy, given = self.question.reading.policy, run.data
        if isinstance(given, Run):
            judged = judge_run(run, self.qrels, self._index, policy)
            self.found[run.name] = first_documents(rewritten(given, policy, self.qrels.excluded), policy)
            return judged
        how = {**self.question.reading.of_files, "on_duplicate": policy.on_duplicate}
        data, facts = load_run(given, **how, name=run.name)
        checked = self.check is not None and given != STDIN
        tied = Tied.of(data) if checked else None
        # The check sees the run by the default policy and others: where it is scored by the default one, at once.
        policies = tied.policies if tied is not None and policy == Policy() else (policy,)
        seen = judge_loaded(run, data, facts, self.qrels, self._index, policies)
        self.found[run.name] = first_documents(rewritten(data, policy, self.qrels.excluded), policy)
        if self.kept is not None and given != STDIN:
            self.kept.add(run.name, data)
        if self.check is not None and checked:
            same = seen if policy == Policy() else ()
            self._findings[run.name] = list(self.check.of_read(data, facts, Place(given), tied, same))
        return seen[0]

    def findings(self, runs: Sequence[str]) -> Findings | None:
        """What the check of the files found, runs in this order; None where not all are files."""
        if self.check is None:
            return None
        self.check.findings += [one for name in runs for one in self._findings.get(name, ())]
        return self.check.result(len(runs))


class RunCache:
    """Runs by their names. Where they are too many to be fused in the memory allowed, none is kept."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._left = budget()
        self._turn = threading.Lock()

    def add(self, name: str, run: Run) -> None:
        """Keep a run; safe to call from many threads."""
        with self._turn:
            self._left -= len(run.score) * A_LINE
            if self._left < 0:
                self._runs.clear()
            else:
                self._runs[name] = run

    def give(self) -> dict[str, Run]:
        """All of them, which are not kept from now on."""
        given, self._runs = self._runs, {}
        return given


@dataclass(frozen=True)
class Scored:
    """Scores, and what is known of them.

    Args:
        origin: where they come from.
        table: in plain arrays.
        scores: the same with labels.
        measures: those that are analysed; systems are ordered by the first.
        undefined: those without a score on any topic, which are left out.
        entries: what organisers say of the runs.
        public: how a text that names files is written on a page.
    """

    origin: Origin
    table: ScoreTable
    scores: xr.Dataset
    measures: tuple[str, ...]
    undefined: tuple[str, ...]
    entries: Entries
    public: PathRedactor

    @property
    def order(self) -> list[str]:
        """Systems, best first."""
        return best_first(self.scores[self.measures[0]])


def check_baselines(question: Request, systems: Sequence[str]) -> None:
    """Raises: UsageError: a baseline is no system."""
    find_columns(systems, question.baselines)


def read_given(question: ScoresQuestion) -> Scored:
    """Read the scores, and choose the measures that compare systems.

    Raises:
        InputError: a file is refused, or there is no measure asked for, or none of which means can be compared.
        UsageError: no labelled scores, ranges of scores, or an unknown baseline.
    """
    with hearing() as said:
        chosen = choose_measures(question.held, question.measures)
        candidates = _compared(table_of(chosen))
        if question.missing_scores is not None:
            kept = as_dataset(fill_gaps(chosen[candidates], question.missing_scores))
            chosen = chosen.sel(topic=kept["topic"], system=kept["system"]).assign(kept.data_vars)
        table = table_of(chosen)
    for line in said:
        warn(line)
    values = dict(zip(table.names, table.values, strict=True))
    defined = tuple(name for name in candidates if not np.isnan(values[name]).all())
    if not defined:
        raise InputError(f"{listed(candidates, 'measure')}: no score on any topic, which leaves nothing to report")
    check_baselines(question, table.systems)
    return Scored(
        origin=Origin(_called(question), None, _signature(table), said=tuple(said)),
        table=table,
        scores=dataset_of(table),
        measures=defined,
        undefined=tuple(name for name in candidates if name not in defined),
        entries=Entries.of(question.entries, table.systems),
        public=PathRedactor(question.paths),
    )


def _compared(table: ScoreTable) -> list[str]:
    """Measures by whose means systems can be compared, with a warning that names the others.

    Raises:
        UsageError: there are ranges of scores.
    """
    ranges = [name for name in table.names if name.rpartition(" ")[2] in ENDS]
    if ranges:
        raise UsageError(
            f"{quoted(ranges[0])} is an end of a range of scores, and a report needs single scores: choose measures"
        )
    others = [name for name in table.names if name != JUDGED] or [JUDGED]
    effective = names_of_effectiveness(others)
    summed = [scale.name for scale in table.scales if scale.summary != "mean" and scale.name in effective]
    if not summed or len(summed) == len(effective):
        return effective
    said = "is no mean over topics" if len(summed) == 1 else "are no means over topics"
    warn(f"{', '.join(map(shown, summed))} {said} and left out")
    return [name for name in effective if name not in summed]


def _called(question: ScoresQuestion) -> str:
    """What scores are called in a sentence."""
    if not question.files:
        return "scores in memory"
    if len(question.files) > 1:
        return f"scores in {counted(len(question.files), 'file')}"
    return f"scores in {'standard input' if question.files[0] == STDIN else Path(as_text(question.files[0])).name}"


def _signature(table: ScoreTable) -> dict[str, Any]:
    """All that changes the scores, as far as it is known."""
    source = table.source
    held = source if isinstance(source, dict) else {} if source is None else {"source": source}
    return {"cranfield": package_version(), "measures": list(table.names), **held}


JUDGED = "Judged@10"
"""Always computed: the page says how much of what was retrieved is unjudged."""


def best_first(scores: xr.DataArray) -> list[str]:
    """Systems by their means of one measure, equal ones by name."""
    matrix = matrix_of(scores)
    return [matrix.systems[row] for row in matrix.leaderboard]


def comparable(asked: Sequence[Measure], scores: xr.Dataset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The measures that analyses use, and those left out because they are undefined on every topic.

    Raises:
        InputError: all are undefined.
    """
    candidates = tuple(str(measure) for measure in asked if _is_effectiveness(measure)) or (str(asked[0]),)
    defined = tuple(name for name in candidates if not np.isnan(scores[name].values).all())
    if not defined:
        raise InputError(
            f"{listed(candidates, 'measure')}: undefined on every topic, which leaves nothing to report: ask for other "
            "measures"
        )
    return defined, tuple(name for name in candidates if name not in defined)


def _is_effectiveness(measure: Measure) -> bool:
    """Whether systems can be compared by its mean: no sum, and no share of what was judged."""
    return measure.declaration.summary == "mean" and measure.declaration.effectiveness

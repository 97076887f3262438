"""Runs read once for everything: scores, the check of the files, and the first documents of every list."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field

from cranfield.checking.checks import FileCheck
from cranfield.checking.result import Findings
from cranfield.checking.tied_scores import Tied, looked_at
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.findings.finding import Finding, warn_of
from cranfield.findings.location import STDIN, Place
from cranfield.io.inputs import NamedRun, qrels_of
from cranfield.io.intent_weights import with_intents
from cranfield.io.judging import JudgedRun, build_index, judge_loaded, judge_run
from cranfield.io.run_transforms import rewritten
from cranfield.io.source import as_text
from cranfield.io.trec import load_qrels, load_run
from cranfield.measures import Measure
from cranfield.reporting.kept import KeptRuns
from cranfield.reporting.lists import Lists, first_documents
from cranfield.reporting.question import Question


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
    kept: KeptRuns | None = None

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
        return cls(question, weighed, check, kept=KeptRuns() if keep else None)

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

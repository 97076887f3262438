"""All analyses of one evaluation, each computed once from runs that are read once; a refused one leaves its reason."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.checking.files import check
from cranfield.checking.findings import Findings
from cranfield.errors import UsageError
from cranfield.evaluation import to_dataset
from cranfield.io.runs import qrels_of
from cranfield.io.source import as_text
from cranfield.measures import parse_measure
from cranfield.reporting.answer import Answer
from cranfield.reporting.comparable import JUDGED, best_first, comparable
from cranfield.reporting.desk import Desk, Stage
from cranfield.reporting.publishing import Published
from cranfield.reporting.question import Question
from cranfield.reporting.ranking_analyses import RankingAnalyses, analyse_rankings
from cranfield.reporting.score_analyses import ScoreAnalyses, analyse_scores
from cranfield.scores.fingerprint import fingerprint
from cranfield.scoring import DEFAULT, Evaluation, Progress, measures_of, score
from cranfield.standardization.factors import StandardizationFactors, read_factors
from cranfield.threads import beside
from cranfield.wording import quoted

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Analyses:
    """Everything that a page shows.

    Args:
        question: what was asked.
        table: scores in plain arrays, with what was noticed in the files.
        scores: of the measures asked for.
        measures: the means among them: those that are analysed; systems are ordered by the first.
        undefined: those without a score on any topic, which are left out.
        by_scores: what scores answer.
        by_rankings: what rankings answer.
        checked: what ``cranfield check`` finds in the files; not asked of data in memory or from standard input.
        remarks: what analyses warned of.
        others: kind, path and SHA-256 of the files besides qrels and runs.
        public: how a text that names files is written on a page.
    """

    question: Question
    table: Evaluation
    scores: xr.Dataset
    measures: tuple[str, ...]
    undefined: tuple[str, ...]
    by_scores: ScoreAnalyses
    by_rankings: RankingAnalyses
    checked: Answer[Findings]
    remarks: tuple[str, ...]
    others: tuple[tuple[str, str, str], ...]
    public: Published

    @property
    def first(self) -> str:
        """The measure that systems are ordered by."""
        return self.measures[0]


def analyse(question: Question, *, stage: Stage | None = None, progress: Progress | None = None) -> Analyses:
    """Read everything, score, and ask every analysis that can be asked.

    Args:
        question: files, measures and policies.
        stage: called with the name of each stage as it begins.
        progress: called as ``progress(done, total)`` while runs are read.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: a policy under which systems have ranges of scores, or an unknown measure or baseline.
    """
    if question.reading.policy.ties == "bounds":
        raise UsageError(
            "ties='bounds' gives each score as a range, and a report needs single scores: choose another order of ties"
        )
    say = stage or (lambda _: None)
    asked = measures_of(question.measures or DEFAULT, question.reading.rel)
    factors, factors_path = _factors(question)
    judges = [qrels_of(judge, **question.reading.of_files) for judge in question.judges]
    others = tuple(("judge", judge.name, fingerprint(judge)) for judge in judges)
    if factors is not None:
        others += (("factors", factors_path, factors.sha256),)
    say("reading and scoring runs")
    judged = parse_measure(JUDGED)
    measures = asked if judged in asked else (*asked, judged)
    table = score(
        question.runs, question.qrels, measures, reading=question.reading, progress=progress, keep_rankings=True
    )
    for name in question.baselines:
        if name not in table.systems:
            raise UsageError(f"no system is called {quoted(name)}: a baseline must be one of the runs")
    scores = to_dataset(table)
    means, undefined = comparable(asked, scores)
    public = Published([*question.paths, *(run.data for run in table.runs if isinstance(run.data, str))])
    desk = Desk(say, public)
    files, seed = question.files, question.seed
    checking = None if files is None else beside(lambda: check(files[1], files[0], reading=question.reading))
    by_scores = analyse_scores(desk, scores, means, baselines=question.baselines, factors=factors, seed=seed)
    order = best_first(scores[means[0]])
    by_rankings = analyse_rankings(
        desk, table, order, means, judges=judges, reading=question.reading, seed=question.seed
    )
    checked = Answer[Findings]() if checking is None else desk.ask("checking files", checking.result)
    return Analyses(
        question, table, scores, means, undefined, by_scores, by_rankings, checked, desk.remarks, others, public
    )


def _factors(question: Question) -> tuple[StandardizationFactors | None, str]:
    """The factors asked for, and the file that they come from."""
    given = question.factors
    if isinstance(given, (str, os.PathLike)):
        return read_factors(given), as_text(given)
    return given, "factors"

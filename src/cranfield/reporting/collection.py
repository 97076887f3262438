"""All analyses of one evaluation, each computed once from runs that are read once; a refused one leaves its reason.

All analyses of given scores: those that need no rankings.

The scores of each group of topics that a report is asked for, with what a careful reader should know of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield._message import setting
from cranfield._text import counted, hearing, warn
from cranfield.checking.result import Findings
from cranfield.collection.run import Run
from cranfield.errors import UsageError
from cranfield.evaluation import to_dataset
from cranfield.io.inputs import named_runs, qrels_of
from cranfield.io.swapped_arguments import refuse_exchanged
from cranfield.measures import parse_measure
from cranfield.reporting.entries import Entries
from cranfield.reporting.inputs import JUDGED, Reader, Scored, check_baselines, comparable, read_given
from cranfield.reporting.ranking_analyses import RankingAnalyses
from cranfield.reporting.redaction import PathRedactor
from cranfield.reporting.request import Origin, Question, Request, ScoresQuestion
from cranfield.reporting.runner import AnalysisRunner, Stage
from cranfield.reporting.score_analyses import analyse_scores
from cranfield.reporting.top_documents import Retrieved, retrieved
from cranfield.scores.duplicates import DuplicatePair, find_duplicates
from cranfield.scores.signature import fingerprint
from cranfield.scores.table import ScoreTable
from cranfield.scores.topic_groups import FEW, TopicGroups
from cranfield.scoring import DEFAULT, Evaluation, Progress, measures_of, score
from cranfield.scoring.loop import refuse_shared_stream
from cranfield.threads import LABELLED, beside, importing

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.reporting.score_analyses import ScoreAnalyses


ANALYSING = ("cranfield.reporting.ranking_analyses", "cranfield.reporting.assembly")
"""What analyses and the page need, imported while runs are read."""
OF_SEVERAL = ("scipy.cluster.hierarchy",)
"""What the page of several systems needs besides."""


@dataclass(frozen=True)
class Analyses:
    """Everything that a page shows.

    Args:
        question: what was asked.
        origin: where the scores come from, with what was noticed in the files.
        table: scores in plain arrays.
        scores: of the measures asked for.
        measures: the means among them: those that are analysed; systems are ordered by the first.
        undefined: those without a score on any topic, which are left out.
        entries: what organisers say of the runs.
        grouped: scores by groups of topics; None where none are asked for.
        alike: runs whose scores are the same, or nearly.
        retrieved: the first documents of the lists; None where scores were given.
        by_scores: what scores answer.
        by_rankings: what rankings answer.
        checked: what ``cranfield check`` finds in the files; None of scores, and of data in memory or from standard
            input.
        remarks: what analyses warned of.
        others: kind, path and SHA-256 of the files besides qrels and runs.
        public: how a text that names files is written on a page.
    """

    question: Request
    origin: Origin
    table: ScoreTable
    scores: xr.Dataset
    measures: tuple[str, ...]
    undefined: tuple[str, ...]
    entries: Entries
    grouped: Grouped | None
    alike: tuple[DuplicatePair, ...]
    retrieved: Retrieved | None
    by_scores: ScoreAnalyses
    by_rankings: RankingAnalyses
    checked: Findings | None
    remarks: tuple[str, ...]
    others: tuple[tuple[str, str, str], ...]
    public: PathRedactor

    @property
    def first(self) -> str:
        """The measure that systems are ordered by."""
        return self.measures[0]


@dataclass(frozen=True)
class ScoredRuns(Scored):
    """Runs that are read and scored.

    Args:
        table: scores, with all that is known of the runs.
        reader: what else was found while the runs were read.
    """

    table: Evaluation
    reader: Reader

    @property
    def given(self) -> list[str]:
        """Names of the runs as they were given, without those that were refused and left out."""
        asked, found = self.reader.question, self.reader.found
        runs = named_runs(asked.runs, asked.reading.names, asked.reading.columns)
        return [run.name for run in runs if run.name in found]

    def kept(self) -> dict[str, Run]:
        """System -> its run, of the runs that are still in memory; they are given away."""
        kept = self.reader.kept.give() if self.reader.kept is not None else {}
        return {name: kept[run] for name, run in zip(self.table.systems, self.given, strict=True) if run in kept}


def read_and_score(
    question: Question, *, stage: Stage, progress: Progress | None = None, keep: bool = False
) -> ScoredRuns:
    """Read every file once and score.

    Args:
        question: files, measures and policies.
        stage: called with the name of each stage as it begins.
        progress: called as ``progress(done, total)`` while runs are read.
        keep: whether runs are kept for analyses that look at whole lists, for which libraries are imported meanwhile.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: a policy under which systems have ranges of scores, or an unknown measure or baseline.
    """
    if question.reading.policy.ties == "bounds":
        raise UsageError(
            f"{setting('ties', 'bounds')} gives each score as a range, and a report needs single scores: choose "
            "another order of ties"
        )
    reading = question.reading
    asked = measures_of(question.measures or DEFAULT, reading.rel)
    stage("reading and scoring runs")
    judged = parse_measure(JUDGED)
    measures = asked if judged in asked else (*asked, judged)
    refuse_exchanged(question.runs, question.qrels)
    runs = named_runs(question.runs, reading.names, reading.columns)
    refuse_shared_stream(question.qrels, runs)
    reader = Reader.of(question, measures, keep=keep)
    ahead = (*ANALYSING, *(OF_SEVERAL if len(runs) > 1 else ())) if keep else ()
    with importing(*LABELLED, "scipy.special", *ahead):
        table = score(
            question.runs, reader.qrels, measures, reading=reading, progress=progress, keep_rankings=True, judge=reader
        )
    entries = Entries.of(question.entries, table.systems)
    check_baselines(question, table.systems)
    scores = to_dataset(table)
    means, undefined = comparable(asked, scores)
    public = PathRedactor([*question.paths, *(run.data for run in table.runs if isinstance(run.data, str))])
    return ScoredRuns(Origin.of_runs(table), table, scores, means, undefined, entries, public, reader)


def analyse(question: Question, *, stage: Stage | None = None, progress: Progress | None = None) -> Analyses:
    """Read everything, score, and ask every analysis that can be asked; see ``read_and_score``."""
    say = stage or (lambda _: None)
    factors, others = question.scale, question.beside
    judges = [qrels_of(judge, **question.reading.of_files) for judge in question.judges]
    others = (*(("judge", judge.name, fingerprint(judge)) for judge in judges), *others)
    read = read_and_score(question, stage=say, progress=progress, keep=True)
    from cranfield.reporting.ranking_analyses import analyse_rankings
    from cranfield.reporting.score_analyses import analyse_scores

    table, scores, means = read.table, read.scores, read.measures
    grouped = None if question.groups is None else Grouped.of(question.groups, scores[list(means)])
    seed, order, given = question.seed, read.order, read.given
    lists = dict(zip(table.systems, (read.reader.found[name] for name in given), strict=True))
    desks = AnalysisRunner(say, read.public), AnalysisRunner(say, read.public)
    with warnings.catch_warnings(record=True):  # what NumPy and others say: ours is heard at the desks
        ranked = beside(
            lambda: analyse_rankings(
                desks[1], table, order, means, read.kept(), judges=judges, reading=question.reading, seed=seed
            )
        )
        by_scores = analyse_scores(desks[0], scores, means, baselines=question.baselines, factors=factors, seed=seed)
        # Meanwhile rankings are still being asked.
        alike = find_duplicates([scores[name] for name in means])
        shown = retrieved(lists, table.systems, order, table.qrels)
        by_rankings = ranked.result()
    return Analyses(
        question=question,
        origin=read.origin,
        table=table,
        scores=scores,
        measures=means,
        undefined=read.undefined,
        entries=read.entries,
        grouped=grouped,
        alike=alike,
        retrieved=shown,
        by_scores=by_scores,
        by_rankings=by_rankings,
        checked=read.reader.findings(given),
        remarks=tuple(dict.fromkeys((*desks[0].remarks, *desks[1].remarks))),
        others=others,
        public=read.public,
    )


def analyse_given(question: ScoresQuestion, *, stage: Stage | None = None) -> Analyses:
    """Read the scores, and ask every analysis that scores answer; see ``read_given``."""
    say = stage or (lambda _: None)
    factors, others = question.scale, question.beside
    say("reading scores")
    read = read_given(question)
    means = list(read.measures)
    grouped = None if question.groups is None else Grouped.of(question.groups, read.scores[means])
    desk = AnalysisRunner(say, read.public)
    with warnings.catch_warnings(record=True):  # what NumPy and others say: ours is heard at the desk
        by_scores = analyse_scores(
            desk, read.scores, means, baselines=question.baselines, factors=factors, seed=question.seed
        )
    return Analyses(
        question=question,
        origin=read.origin,
        table=read.table,
        scores=read.scores,
        measures=read.measures,
        undefined=read.undefined,
        entries=read.entries,
        grouped=grouped,
        alike=find_duplicates([read.scores[name] for name in means]),
        retrieved=None,
        by_scores=by_scores,
        by_rankings=RankingAnalyses(),
        checked=None,
        remarks=desk.remarks,
        others=others,
        public=read.public,
    )


@dataclass(frozen=True)
class Grouped:
    """Scores by groups of topics.

    Args:
        groups: that were asked for.
        scores: group -> its scores.
        remarks: of groups that are small or many, and of topics without one.
    """

    groups: TopicGroups
    scores: Mapping[str, xr.Dataset]
    remarks: tuple[str, ...]

    @classmethod
    def of(cls, groups: TopicGroups, scores: xr.Dataset) -> Grouped:
        """Split the scores; the remarks are warned of as well.

        Raises:
            InputError: no topic of the scores has a group.
        """
        with hearing() as said:
            parts = groups.split(scores)
        for line in said:
            warn(line)
        return cls(groups, parts, tuple(line.removeprefix(f"{groups.place}: ") for line in said))

    def note(self, name: str) -> str:
        """What to know of one group; empty where there is nothing."""
        size = self.scores[name].sizes["topic"]
        return f"The group has {counted(size, 'topic')}: its means are uncertain." if size < FEW else ""

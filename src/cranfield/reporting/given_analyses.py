"""All analyses of given scores: those that need no rankings."""

from __future__ import annotations

import warnings

from cranfield.reporting.analyses import Analyses
from cranfield.reporting.desk import Desk, Stage
from cranfield.reporting.given_scores import read_given
from cranfield.reporting.grouping import Grouped
from cranfield.reporting.question import ScoresQuestion
from cranfield.reporting.ranking_analyses import RankingAnalyses
from cranfield.reporting.score_analyses import analyse_scores
from cranfield.scores.duplicates import find_alike


def analyse_given(question: ScoresQuestion, *, stage: Stage | None = None) -> Analyses:
    """Read the scores, and ask every analysis that scores answer; see ``read_given``."""
    say = stage or (lambda _: None)
    factors, others = question.scale, question.beside
    say("reading scores")
    read = read_given(question)
    means = list(read.measures)
    grouped = None if question.groups is None else Grouped.of(question.groups, read.scores[means])
    desk = Desk(say, read.public)
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
        alike=find_alike([read.scores[name] for name in means]),
        retrieved=None,
        by_scores=by_scores,
        by_rankings=RankingAnalyses(),
        checked=None,
        remarks=desk.remarks,
        others=others,
        public=read.public,
    )

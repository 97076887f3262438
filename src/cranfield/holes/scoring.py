"""Measures of runs whose candidates have drawn labels: the package's own kernels, many draws at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.measures import Measure
from cranfield.scores.scale import summary_of
from cranfield.scoring.compute import cells_of
from cranfield.scoring.evaluation import Evaluation, scales_of

ROWS = 1 << 20
"""Rows of pools that are scored at once."""


@dataclass(frozen=True, eq=False)
class CompletedRuns:
    """The evaluated runs seen through the judgments and the candidates.

    Args:
        evaluation: of these runs, with the candidates judged 0, whose measures and policy are used.
        rankings: of the same.
        candidate: the pool row of each candidate, [candidates].
    """

    evaluation: Evaluation
    rankings: Rankings
    candidate: Ints

    @classmethod
    def of(cls, evaluation: Evaluation, candidate: Ints) -> CompletedRuns:
        """Runs that were scored with their rankings, cut where all measures are; of the documents below, only the
        relevant ones are looked at.
        """
        assert evaluation.rankings is not None, "they were kept"
        cutoffs = [cutoff_of(measure) for measure in evaluation.measures]
        rankings = evaluation.rankings.top(None if None in cutoffs else max(filter(None, cutoffs)))
        keep = rankings.pool.grade > 0
        keep[rankings.document] = True
        keep[candidate] = True
        fewer = rankings.restricted(keep, rankings.pool.restricted(keep))
        return cls(evaluation, fewer, (np.cumsum(keep) - 1)[candidate])

    def cells(self, labels: Floats) -> Floats:
        """Values of every draw, topic and run, [measures, runs, draws, topics].

        Args:
            labels: of the candidates, [draws, candidates].
        """
        size = max(1, ROWS // max(1, len(self.rankings.pool.grade)))
        parts = [self._block(labels[start : start + size]) for start in range(0, len(labels), size)]
        return np.concatenate(parts, axis=2)

    def _block(self, labels: Floats) -> Floats:
        draws, measures = len(labels), self.evaluation.measures
        repeated = repeat_topics(self.rankings, self._grades(labels), self._all_labels())
        cells = cells_of(measures, repeated, self.evaluation.policy, "none")[0]
        values: Floats = cells.reshape(len(measures), len(self.rankings.systems), draws, -1)
        return values

    def means(self, cells: Floats, topics: Ints | None = None) -> Floats:
        """Summaries over topics of every draw, [measures, draws, runs].

        Args:
            cells: see above.
            topics: which topics each draw has, [draws, topics]; all of them where None.
        """
        _, runs, draws, count = cells.shape
        scales = scales_of(self.evaluation.measures, self.rankings.pool, self.evaluation.policy, None)
        if topics is not None:
            cells = np.take_along_axis(cells, np.broadcast_to(topics, cells.shape), axis=3)
        return np.stack(
            [
                summary_of(scale, block.reshape(runs * draws, count).T).reshape(runs, draws).T
                for scale, block in zip(scales, cells, strict=True)
            ]
        )

    def _grades(self, labels: Floats) -> Floats:
        grades = np.broadcast_to(self.rankings.pool.grade, (len(labels), len(self.rankings.pool.grade))).copy()
        grades[:, self.candidate] = labels
        return grades

    def _all_labels(self) -> Floats:
        known = self.rankings.pool.labels
        return np.unique(np.concatenate([known, np.arange(known.max(initial=0.0) + 1.0)]))


def cutoff_of(measure: Measure) -> int | None:
    """The rank below which a measure looks at nothing; None where it looks at the whole list."""
    cutoff = measure.parameters.get("cutoff")
    return None if cutoff is None else int(cutoff)


def repeat_topics(rankings: Rankings, grades: Floats, labels: Floats) -> Rankings:
    """The same lists once for each way to label the pool, as so many topics more.

    Args:
        rankings: of S systems on T topics.
        grades: of the pool rows, [ways, pool rows].
        labels: that may occur, ascending.
    """
    ways, systems, topics = len(grades), len(rankings.systems), len(rankings.pool.size)
    pool_rows = len(rankings.pool.grade)
    starts = np.concatenate([[0], np.cumsum(np.tile(rankings.pool.size, ways))])
    pool = Pool(
        starts,
        grades.ravel().copy(),
        [f"{way}/{topic}" for way in range(ways) for topic in rankings.pool.topics],
        of_all=labels,
    )
    bounds = rankings.starts[np.arange(systems + 1) * topics]
    sizes, lengths = rankings.sizes.reshape(systems, topics), rankings.length.reshape(systems, topics)
    ranks, documents = [], []
    offsets = np.arange(ways)[:, None] * pool_rows
    for system in range(systems):
        rows = slice(int(bounds[system]), int(bounds[system + 1]))
        ranks.append(np.tile(rankings.rank[rows], ways))
        documents.append((rankings.document[rows] + offsets).ravel())
    rank, document = np.concatenate(ranks), np.concatenate(documents)
    return Rankings(
        systems=rankings.systems,
        pool=pool,
        length=np.tile(lengths, (1, ways)).ravel(),
        starts=np.concatenate([[0], np.cumsum(np.tile(sizes, (1, ways)).ravel())]),
        rank=rank,
        document=document,
        grade=pool.grade[document],
        policy=rankings.policy,
    )

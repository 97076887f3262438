"""Measures of runs whose candidates have drawn labels: the package's own kernels, many draws at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.pool import Pool
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions
from cranfield.errors import UsageError
from cranfield.io.inputs import RunsLike
from cranfield.measures import Measure, MeasuresLike
from cranfield.scores.scale import summarize_scores
from cranfield.scores.unjudged import looks_at_judged
from cranfield.scoring import read_measures, score
from cranfield.scoring.compute import compute_cells
from cranfield.scoring.evaluation import Evaluation, make_scales

ROWS = 1 << 20
"""Rows of pools that are scored at once."""
WHOLE_LIST = 100
"""Ranks of which documents are estimated for a measure that looks at the whole list."""


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
    def from_evaluation(cls, evaluation: Evaluation, candidate: Ints) -> CompletedRuns:
        """Runs that were scored with their rankings, cut where all measures are; of the documents below, only the
        relevant ones are looked at.
        """
        assert evaluation.rankings is not None, "they were kept"
        cutoffs = [get_cutoff(measure) for measure in evaluation.measures]
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
        return self._values(repeat_topics(self.rankings, self._grades(labels), self._all_labels()), len(labels))

    def cells_by_row(self, grades: Floats) -> Floats:
        """Values of every draw, topic and run, [measures, runs, draws, topics], by labels of rows of lists.

        Each run has labels of its own, and the ideal is that of the judged documents.

        Args:
            grades: of the rows of the rankings, [draws, rows].
        """
        rankings, draws = self.rankings, len(grades)
        repeated = repeat_topics(rankings, np.tile(rankings.pool.grade, (draws, 1)), self._all_labels())
        systems, topics = len(rankings.systems), len(rankings.pool.size)
        bounds = rankings.starts[np.arange(systems + 1) * topics]
        by_system = [grades[:, bounds[at] : bounds[at + 1]].ravel() for at in range(systems)]
        return self._values(replace(repeated, grade=np.concatenate(by_system)), draws)

    def _values(self, repeated: Rankings, draws: int) -> Floats:
        measures = self.evaluation.measures
        cells = compute_cells(measures, repeated, self.evaluation.policy, "none")[0]
        values: Floats = cells.reshape(len(measures), len(self.rankings.systems), draws, -1)
        return values

    def means(self, cells: Floats, topics: Ints | None = None) -> Floats:
        """Summaries over topics of every draw, [measures, draws, runs].

        Args:
            cells: see above.
            topics: which topics each draw has, [draws, topics]; all of them where None.
        """
        _, runs, draws, count = cells.shape
        scales = make_scales(self.evaluation.measures, self.rankings.pool, self.evaluation.policy, None)
        if topics is not None:
            cells = np.take_along_axis(cells, np.broadcast_to(topics, cells.shape), axis=3)
        return np.stack(
            [
                summarize_scores(scale, block.reshape(runs * draws, count).T).reshape(runs, draws).T
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


def get_cutoff(measure: Measure) -> int | None:
    """The rank below which a measure looks at nothing; None where it looks at the whole list."""
    cutoff = measure.parameters.get("cutoff")
    return None if cutoff is None else int(cutoff)


def find_depth(measures: MeasuresLike, rel: float | None = None) -> int:
    """Find how many ranks the measures look at, 100 where one looks at the whole list."""
    return max(get_cutoff(measure) or WHOLE_LIST for measure in read_measures(measures, rel))


def repeat_topics(rankings: Rankings, grades: Floats, labels: Floats) -> Rankings:
    """The same lists once for each way to label the pool, each as further topics.

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


def score_completed(
    runs: RunsLike, qrels: Qrels, candidates: Sequence[tuple[str, str]], measures: MeasuresLike, reading: InputOptions
) -> tuple[CompletedRuns, Floats]:
    """Score runs with candidates judged 0, and by the judgments as they are, [measures, systems].

    Args:
        runs: the evaluated ones.
        qrels: judgments with holes.
        candidates: topic and document of each, in the order of their drawn labels.
        measures: that need labels alone.
        reading: how files are read.

    Raises:
        UsageError: a measure that looks at which documents are judged, or at intents.
    """
    measures = read_measures(measures, reading.rel)
    _refuse_measures(measures)
    topics, _, names, labels = qrels.rows()
    rows = list(zip(topics, names, labels.tolist(), strict=True))
    completed = Qrels.from_rows([*rows, *((*pair, 0.0) for pair in candidates)], name=qrels.name)
    evaluation = score(runs, completed, measures, reading=reading, keep_rankings=True, sign=False)
    plain = score(runs, qrels, measures, reading=reading, sign=False)
    zero = np.stack([summarize_scores(scale, cells) for scale, cells in zip(plain.scales, plain.values, strict=True)])
    return CompletedRuns.from_evaluation(evaluation, _pool_rows(completed, candidates)), zero


def _refuse_measures(measures: Sequence[Measure]) -> None:
    for measure in measures:
        if looks_at_judged(measure):
            raise UsageError(f"{measure} looks at which documents are judged: holes cannot be estimated for it")
        if measure.declaration.needs_intents:
            raise UsageError(f"{measure} is about intents: holes cannot be estimated for it")


def _pool_rows(qrels: Qrels, pairs: Sequence[tuple[str, str]]) -> Ints:
    """The pool row of each pair of topic and document."""
    topics = {name: at for at, name in enumerate(qrels.topics)}
    documents, starts = qrels.documents.tolist(), qrels.starts
    position = {
        (topic, documents[row]): row
        for topic, at in topics.items()
        for row in range(int(starts[at]), int(starts[at + 1]))
    }
    return np.array([position[pair] for pair in pairs], dtype=np.int64)

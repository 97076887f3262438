"""Scores under holes by drawing labels that judged documents of the same list and collection have, for comparison."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cranfield._typing import Floats, Progress
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, SeedOption
from cranfield.errors import UsageError
from cranfield.holes.draws import BLOCK, spawn_blocks
from cranfield.holes.features import share_holes
from cranfield.holes.leaderboard import FROM_ALL_TOPICS, count_blocks
from cranfield.holes.options import DrawsOption
from cranfield.holes.result import HoleScores
from cranfield.holes.sampling import topic_intervals
from cranfield.holes.scoring import CompletedRuns, get_cutoff, score_completed
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels
from cranfield.measures import MeasureLike
from cranfield.pooling.pools import Pools
from cranfield.results.result import signed
from cranfield.scoring import read_measures

LEAST_SHARE = 1e-6
"""The least prior of a label, before they are normalised."""
CAVEAT = "bootstrap: its interval is not calibrated, and covered about half of the runs in our measurements"


@analysis(
    "evaluate",
    "",
    FromRuns(("nDCG@10",), progress="drawing labels", further=("exclude",)),
    given=("unjudged=bootstrap",),
    views=(View("systems", table="table"),),
    groups=FROM_ALL_TOPICS,
    formats=("latex", "markdown"),
    steps=count_blocks,
)
def estimate_by_bootstrap(
    runs: RunsLike,
    qrels: QrelsLike,
    measure: MeasureLike = "nDCG@10",
    *,
    draws: DrawsOption = 1000,
    seed: SeedOption = 1,
    level: LevelOption = 0.95,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
) -> HoleScores:
    """Estimate scores by labels drawn for each hole alone, as other studies did; for comparison with the estimate.

    The prior of a label is the mean of its shares among the judged documents of the first k of the list and in all
    judgments. A hole takes a judged document of the drawn label of its topic that is neither in the first k nor taken,
    of the next lower label where none is left; the ideal is that of the judged. Where all of the first k are unjudged
    they count 0. It does not know that systems differ, nor that errors of one system go together.

    Args:
        runs: the evaluated runs.
        qrels: judgments with holes.
        measure: with a cutoff k.
        reading: how files are read.
        progress: called with the blocks of draws that are done, and their number.

    Raises:
        UsageError: a measure without a cutoff or that looks at which documents are judged, or numbers out of range.

    References:
        Froebe, Gienapp, Potthast & Hagen 2023, Bootstrapped nDCG estimation in the presence of unjudged documents.
        doi:10.1007/978-3-031-28244-7_20
    """
    import pandas as pd

    reading = reading or InputOptions()
    chosen, *others = read_measures(measure)
    if others:
        raise UsageError("the bootstrap works on one measure: choose it by measure=, or --measure")
    depth = get_cutoff(chosen)
    if depth is None:
        raise UsageError(f"{chosen} has no cutoff, and the bootstrap is about the first documents of a list")
    judgments = convert_qrels(qrels, **reading.judgment_options)
    pools = Pools.read(runs, judgments, depth, reading, judgments.topics)
    topics = np.repeat(np.array(pools.topics, dtype=object), pools.rankings.pool.size)
    unjudged = np.isnan(pools.label) & (pools.best_rank() > 0)
    candidates = [(topics[row], pools.documents[row]) for row in np.flatnonzero(unjudged)]
    completed, zero = score_completed(runs, judgments, candidates, chosen, reading)
    lists = _ListsWithHoles(completed, np.maximum(judgments.grade, 0.0))
    sampled, cells = _score_draws(completed, lists, draws, seed, progress)
    systems = completed.evaluation.systems
    tail = (1.0 - level) / 2.0
    lower, upper = np.quantile(sampled, [tail, 1.0 - tail], axis=0)
    columns = {"zero": zero[0], "estimate": zero[0] + (sampled - zero[0]).mean(axis=0), "lower": lower, "upper": upper}
    columns["holes"] = share_holes(pools, systems, depth)
    columns |= topic_intervals(cells, level)
    index = pd.MultiIndex.from_product([[str(chosen)], systems], names=["measure", "system"])
    facts = {"mode": "bootstrap", "depth": depth, "topic_sample": "fixed"}
    settings = record_options(estimate_by_bootstrap, locals(), **facts)
    inputs = pools.inputs() | reading.policy.as_dict()
    signature = signed("bootstrapped holes", settings, measures=[str(chosen)], **inputs)
    neighbours = pd.DataFrame(columns=["measure", "system", "other", "prob_better", "open"])
    return HoleScores(pd.DataFrame(columns, index=index), neighbours, (CAVEAT,), settings, signature)


def _score_draws(
    completed: CompletedRuns, lists: _ListsWithHoles, draws: int, seed: int, progress: Progress | None
) -> tuple[Floats, Floats]:
    """Return summaries of every draw, [draws, systems], and means over draws, [measures, systems, topics]."""
    parts: list[Floats] = []
    total: Floats = np.zeros(1)
    for size, rng in spawn_blocks(draws, seed):
        cells = completed.cells_by_row(lists.draw(size, rng))
        parts.append(completed.means(cells)[0])
        total = total + cells.sum(axis=2)
        if progress is not None:
            progress(len(parts), -(-draws // BLOCK))
    return np.concatenate(parts), total / draws


class _ListsWithHoles:
    """The lists of the evaluated runs, their holes, and the judged documents that holes may take.

    Args:
        completed: the runs, with candidates judged 0, cut at k.
        labels: of all judgments, labels below 0 as 0.
    """

    def __init__(self, completed: CompletedRuns, labels: Floats) -> None:
        rankings = completed.rankings
        pool = rankings.pool
        is_candidate = np.zeros(len(pool.grade), dtype=bool)
        is_candidate[completed.candidate] = True
        self._grade, self._hole = np.maximum(rankings.grade, 0.0), is_candidate[rankings.document]
        levels, topics = int(labels.max(initial=0.0)) + 1, len(pool.size)
        of_all = np.bincount(labels.astype(np.int64), minlength=levels) / max(len(labels), 1)
        of_topic = np.repeat(np.arange(topics), pool.size)
        cells = of_topic * levels + np.maximum(pool.grade, 0.0).astype(np.int64)
        judged = np.bincount(cells[~is_candidate], minlength=topics * levels).reshape(topics, levels)
        self._lists: list[tuple[slice, Floats, Floats]] = []
        for segment, (start, end) in enumerate(pairwise(rankings.starts.tolist())):
            hole, grade = self._hole[start:end], self._grade[start:end]
            if hole.all() or not hole.any():
                continue
            own = np.bincount(grade[~hole].astype(np.int64), minlength=levels)
            prior = np.maximum((own / own.sum() + of_all) / 2.0, LEAST_SHARE)
            self._lists.append((slice(start, end), prior / prior.sum(), judged[segment % topics] - own))

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """Labels of all rows of the lists, [size, rows]."""
        drawn = np.tile(self._grade, (size, 1))
        draws = np.arange(size)
        for rows, prior, judged in self._lists:
            at = rows.start + np.flatnonzero(self._hole[rows])
            label = np.searchsorted(np.cumsum(prior)[:-1], rng.random((size, len(at))), side="right")
            available = np.tile(judged, (size, 1))
            for column, row in enumerate(at):
                taken = label[:, column]
                for level in range(len(prior) - 1, 0, -1):
                    taken = np.where((taken == level) & (available[draws, taken] <= 0), level - 1, taken)
                available[draws, taken] -= 1
                drawn[:, row] = taken
        return drawn

"""Scores of all draws of labels: blocks of draws, on threads or any executor, with the same result for any number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield._executor import ExecutorLike, choose_executor, map_on
from cranfield._typing import Floats, Ints, Progress
from cranfield.declarations.shared import TopicSample
from cranfield.holes.draws import LabelModel, spawn_blocks
from cranfield.holes.scoring import CompletedRuns
from cranfield.statistics.intervals import mean_interval
from cranfield.threads import cpus, side_by_side

"""Called with the blocks of draws that are done, and their number."""
WORKERS = 2
"""Threads at most, as each holds the scores of a block."""


@dataclass(frozen=True, eq=False)
class DrawnScores:
    """Scores of runs over all draws of labels.

    Args:
        summaries: over topics, [measures, draws, systems].
        cells: means over draws of each topic, [measures, systems, topics].
        variances: of differences from the baseline over topics, means over draws, [measures, systems]; None where no
            baseline was named.
    """

    summaries: Floats
    cells: Floats
    variances: Floats | None


@dataclass(frozen=True, eq=False)
class BlockSampler:
    """Draws the labels of a block and scores them; may be sent to other processes.

    Args:
        model: of the labels.
        completed: the runs, with candidates judged 0.
        topic_sample: ``sampled`` resamples topics in each draw.
        baseline: column of the run from which differences are taken; None for none.
    """

    model: LabelModel
    completed: CompletedRuns
    topic_sample: TopicSample
    baseline: int | None = None

    def __call__(self, block: tuple[int, np.random.Generator]) -> tuple[Floats, Floats, Floats | None]:
        """Summaries, and sums over draws of cells and of variances of differences."""
        size, rng = block
        cells = self.completed.cells(self.model.draw(size, rng))
        chosen: Ints | None = None
        if self.topic_sample == "sampled":
            chosen = rng.integers(0, cells.shape[3], (size, cells.shape[3]))
        variances = None
        if self.baseline is not None:
            differences = cells - cells[:, self.baseline : self.baseline + 1]
            variances = np.nanvar(differences, axis=3, ddof=1).sum(axis=2)
        return self.completed.means(cells, chosen), cells.sum(axis=2), variances


def sample_scores(
    sampler: BlockSampler, draws: int, seed: int, executor: ExecutorLike | None, progress: Progress | None
) -> DrawnScores:
    """Score all draws.

    Args:
        sampler: of a block.
        draws: of labels.
        seed: the same seed gives the same bytes, whatever the executor and its workers.
        executor: see ``cranfield.evaluate``; threads where None.
        progress: called with the blocks that are done, and their number.
    """
    blocks = spawn_blocks(draws, seed)
    summaries: list[Floats] = []
    cells: list[Floats] = []
    variances: list[Floats] = []
    with choose_executor(executor) as pool:
        few = side_by_side(sampler, blocks, min(cpus(), WORKERS)) if pool is None else map_on(pool, sampler, blocks)
        for done, (summary, of_topics, spread) in enumerate(few, 1):
            summaries.append(summary)
            # Sums in the order of the blocks: rounding does not depend on which was done first.
            cells = [cells[0] + of_topics] if cells else [of_topics]
            if spread is not None:
                variances = [variances[0] + spread] if variances else [spread]
            if progress is not None:
                progress(done, len(blocks))
    spread_of_all = variances[0] / draws if variances else None
    return DrawnScores(np.concatenate(summaries, axis=1), cells[0] / draws, spread_of_all)


def topic_intervals(cells: Floats, level: float) -> dict[str, Floats]:
    """Columns ``topics_lower`` and ``topics_upper``: Student's interval over topics of each mean, without holes' part.

    Args:
        cells: means over draws, [measures, systems, topics].
        level: of the intervals.
    """
    ends = [mean_interval(of_measure.T, level) for of_measure in cells]
    return {
        name: np.concatenate([np.asarray(end[at]) for end in ends])
        for at, name in enumerate(("topics_lower", "topics_upper"))
    }

"""The leaderboard of runs with holes, by who retrieved what: ``cranfield evaluate --unjudged estimate``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

from cranfield._typing import Progress
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.shared import LevelOption, SeedOption, TopicSampleOption
from cranfield.holes.draws import BLOCK
from cranfield.holes.fitting import estimate_holes
from cranfield.holes.options import (
    DrawsOption,
    ModelOptions,
)
from cranfield.holes.result import HoleScores
from cranfield.holes.scoring import find_depth
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import MeasuresLike

FROM_ALL_TOPICS = Groups(refused="labels of unjudged documents are learnt from all topics")


def count_blocks(options: Mapping[str, Any]) -> int:
    """Count the blocks of draws, for a progress bar."""
    return -(-int(options["draws"]) // BLOCK)


@analysis(
    "evaluate",
    "",
    FromRuns(("nDCG@10",), progress="drawing labels", further=("exclude",)),
    given=("unjudged=estimate",),
    public=False,  # Python has `estimate_holes(...).evaluate`
    views=(View("systems", table="table"),),
    groups=FROM_ALL_TOPICS,
    formats=("latex", "markdown"),
    steps=count_blocks,
)
def estimate_scores(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = ("nDCG@10",),
    *,
    draws: DrawsOption = 1000,
    topic_sample: TopicSampleOption = "fixed",
    level: LevelOption = 0.95,
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **model: Unpack[ModelOptions],
) -> HoleScores:
    """Estimate what runs would score if every document in their first ranks were judged; see ``estimate_holes``.

    Args:
        runs: the evaluated runs.
        qrels: judgments with holes.
        measures: whose kernels need only labels.
        reading: how files are read.
        progress: called with the blocks of draws that are done, and their number.

    Raises:
        InputError, UsageError: as in ``estimate_holes``.
    """
    reading = reading or InputOptions()
    holes = estimate_holes(
        runs,
        qrels,
        depth=find_depth(measures, reading.rel),
        reading=reading,
        **model,
    )
    return holes.evaluate(measures, draws=draws, seed=seed, level=level, topic_sample=topic_sample, progress=progress)

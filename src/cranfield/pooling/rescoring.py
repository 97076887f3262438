"""Runs that are read once, and scored again with a subset of the judgments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._text import condensed, warn
from cranfield._typing import Floats, Mask
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions
from cranfield.io.inputs import NamedRun, QrelsLike
from cranfield.scores.scale import summarize_scores
from cranfield.scoring import Evaluation, MeasuresLike, Progress, score
from cranfield.scoring.compute import compute_cells
from cranfield.scoring.evaluation import make_scales
from cranfield.statistics.rank_correlation import tau_b


def judged_once(
    runs: Sequence[NamedRun],
    qrels: QrelsLike,
    measures: MeasuresLike,
    reading: InputOptions,
    progress: Progress | None,
    unsaid: Sequence[str] = (),
) -> tuple[Evaluation, Rankings]:
    """Scores of all runs with all judgments, and their rankings; what is odd is warned of, but for ``unsaid`` findings.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: an unknown measure, or a policy that leaves the order of documents open.
    """
    reading.policy.check_order("a pool")
    scores = score(
        {run.name: run.data for run in runs},
        qrels,
        measures,
        reading=reading,
        progress=progress,
        keep_rankings=True,
        share_unjudged=False,  # what is not judged is what these analyses are about
    )
    for line in condensed(remark for remark in scores.remarks if remark.code not in unsaid):
        warn(line)
    assert scores.rankings is not None
    return scores, scores.rankings


def means_with(scores: Evaluation, rankings: Rankings, keep: Mask) -> Floats:
    """Summaries of all runs with the marked judgments alone, float64 [measures, systems].

    Args:
        scores: of the same runs, whose measures and policies are used.
        rankings: of all runs, with all judgments.
        keep: the judgments, bool [pool rows]; a document without one is unjudged.
    """
    fewer = rankings.restricted(keep, rankings.pool.restricted(keep))
    cells = compute_cells(scores.measures, fewer, scores.policy, "none")[0]
    blocks = cells.reshape(len(scores.measures), len(rankings.systems), -1)
    scales = make_scales(scores.measures, fewer.pool, scores.policy, None)
    means = [summarize_scores(scale, block.T) for scale, block in zip(scales, blocks, strict=True)]
    return np.stack(means)


def agreement(fewer: Floats, full: Floats) -> Floats:
    """tau_b of the means by fewer judgments with those by all, over the runs that have both, [..., runs] -> [...].

    NaN where fewer than two runs have both, or one list orders nothing.
    """
    taus = np.full(fewer.shape[:-1], np.nan)
    for index in np.ndindex(taus.shape):
        defined = ~np.isnan(fewer[index]) & ~np.isnan(full)
        if defined.any():
            taus[index] = tau_b(fewer[index][defined], full[defined])
    return taus

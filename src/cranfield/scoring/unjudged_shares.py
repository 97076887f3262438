"""How many of the first documents of runs are unjudged, where these are too many to be passed over in silence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cranfield._text import counted, percent, shown
from cranfield.findings.catalogue import DEPTH
from cranfield.measures import parse_measure, values
from cranfield.scoring.evaluation import Evaluation

MANY = 0.2
"""Share of unjudged documents from which on scores say more about the judgments than about the run."""
NAMED = 5
"""Runs that a sentence names."""


def describe_unjudged(scores: Evaluation, remedy: str) -> Iterator[str]:
    """Describe, for each cutoff, how many of the first documents are unjudged, where they are many in any run.

    Judgments that are mostly of relevant documents list these alone, so that all others are known not to be relevant:
    nothing is described.

    Args:
        scores: with their rankings; a measure without a cutoff stands for the first ten documents.
        remedy: what estimates the labels.
    """
    rankings = scores.rankings
    assert rankings is not None, "the rankings are kept"
    if np.mean(scores.qrels.grade > 0) > 0.5:
        return
    for cutoff in dict.fromkeys(int(measure.parameters.get("cutoff") or DEPTH) for measure in scores.measures):
        judged = np.where(rankings.length > 0, values(parse_measure(f"Judged@{cutoff}"), rankings), np.nan)
        by_system = zip(scores.systems, judged.reshape(len(scores.systems), -1), strict=True)
        holes = {name: 1 - float(np.nanmean(row)) for name, row in by_system if not np.isnan(row).all()}
        if max(holes.values(), default=0.0) > MANY:
            worst = sorted(holes, key=lambda name: -holes[name])
            shares = [f"{shown(name)} {percent(holes[name])}" for name in worst[:NAMED]]
            more = [f"and {counted(len(worst) - NAMED, 'other run')} less"] if len(worst) > NAMED else []
            yield (
                f"many of the first {counted(cutoff, 'document')} are not judged, and count as not relevant "
                f"({', '.join([*shares, *more])}): estimate their labels with {remedy}"
            )

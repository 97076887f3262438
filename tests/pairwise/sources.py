"""The verdicts of the golden values."""

from __future__ import annotations

import functools
import warnings

import pandas as pd
import pytest

from cranfield.errors import CranfieldWarning
from cranfield.pairwise import PairVerdicts, read_verdicts
from data_sets import DATA, GOLDEN

PAIRWISE = GOLDEN / "pairwise"
CROWDRAG = DATA / "crowdrag-25"
CRITERIA = (
    *("correctness_topical", "coherence_logical", "coherence_stylistic", "coverage_broad", "coverage_deep"),
    *("consistency_internal", "quality_overall"),
)
needs_crowdrag = pytest.mark.data("data/crowdrag-25")


@functools.cache
def verdicts(data: str, judge: str) -> PairVerdicts:
    """Verdicts by the names of the golden tables."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        if not data.startswith("crowdrag:"):
            return read_verdicts(PAIRWISE / f"{data}.verdicts.tsv").select_judge(judge)
        file = CROWDRAG / ("gold.tsv.gz" if judge == "gold" else "llm.tsv.gz")
        return read_verdicts(file, criterion=data.removeprefix("crowdrag:")).select_judge(judge)


@functools.cache
def crowd(criterion: str) -> PairVerdicts:
    """All votes of people, as one judge's."""
    return read_verdicts(CROWDRAG / "crowd.tsv.gz", criterion=criterion).pool_judges()


def together(data: str, judges: list[str]) -> PairVerdicts:
    """The verdicts of several judges, as one frame."""
    return PairVerdicts.of(pd.concat([verdicts(data, judge).to_frame() for judge in judges]))

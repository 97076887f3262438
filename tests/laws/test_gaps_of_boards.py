"""What tasks say of systems with gaps."""

from __future__ import annotations

import numpy as np
import pytest

from cranfield.boards.aggregation import strengths
from cranfield.boards.gaps import rank_with_gaps, score_fit, score_wins
from cranfield.statistics import rank_sets


@pytest.mark.parametrize("aggregate", ["wins", "mean"])
def test_parts_of_tasks_are_their_share_without_gaps(aggregate: str) -> None:
    """Without gaps each task has its own scores' part, and rank sets are those of the scores."""
    rng = np.random.default_rng(4)
    scores = rng.random((8, 4)) + np.linspace(0.4, 0, 4)
    found = score_wins(scores) if aggregate == "wins" else score_fit(scores)
    ours = rank_with_gaps(found, 0.05, 1000, 1, marginal=True)
    table = strengths(scores)[1] if aggregate == "wins" else scores
    rng = np.random.default_rng(1)
    sets = rank_sets(table, 0.05, method="flips", resamples=1000, rng=rng)
    assert sets.marginal is not None
    assert ours.marginal is not None
    assert np.array_equal(ours.simultaneous, sets.simultaneous)
    assert np.array_equal(ours.marginal, sets.marginal)


def test_tasks_of_others_are_not_a_system_s_own() -> None:
    """Two tasks where a system was the best cannot put it first, however many the others have."""
    rng = np.random.default_rng(2)
    scores = rng.random((30, 3))
    scores[:, 0] = np.nan
    scores[:2, 0] = 5.0
    for found in (score_wins(scores), score_fit(scores)):
        assert rank_with_gaps(found, 0.05, 1000, 1, marginal=False).simultaneous.high[0] == 3
        assert rank_with_gaps(found, 0.05, 1000, 1, marginal=False).simultaneous.low[0] == 1

"""Where an estimate from frequencies of pairs can be corrected for what chance adds to it."""

from __future__ import annotations

from typing import get_args

from cranfield._validation import word
from cranfield.errors import UsageError
from cranfield.information.experiment import Experiment
from cranfield.statistics.entropy import Estimate


def check_correction(asked: Experiment, estimator: Estimate) -> None:
    """A corrected estimate is asked for where it has a meaning.

    Raises:
        UsageError: an unknown word, or a correction of Evidence of several sources, of weights of pairs, or of a user
            who stops.
    """
    word("estimator", estimator, get_args(Estimate))
    if estimator == "plug-in":
        return
    because = {
        "corrections are for one source of judgments, and this is Evidence of several": any(
            pairs.evidence is not None for pairs in asked.pairs
        ),
        "corrections need numbers of pairs, and these have weights (pair_weight)": asked.pair_weight != "uniform",
        "a user who stops (persistence) compares lists with the ideal list, of which chance is no part": (
            asked.stopping is not None
        ),
    }
    for why, so in because.items():
        if so:
            raise UsageError(f"estimator={estimator!r} has no meaning here: {why}; use 'plug-in'")

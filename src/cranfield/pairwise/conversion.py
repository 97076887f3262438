"""``convert_scores``: the verdicts that scores imply."""

from __future__ import annotations

import numpy as np

from cranfield._validation import check_integer, not_negative
from cranfield.errors import InputError
from cranfield.pairwise.verdicts import PairVerdicts
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import make_matrix

ROUNDING = 1e-12
"""Scores this close are equal."""


def convert_scores(
    scores: ScoresLike, *, threshold: float = 0.0, randomize: bool = False, seed: int = 1
) -> PairVerdicts:
    """Turn scores into verdicts on every two systems of a topic: the better one, or a tie within a threshold.

    Args:
        scores: of one measure, dims (topic, system), complete.
        threshold: the largest difference that is a tie, at least 0; differences of 1e-12 always are.
        randomize: draw which system is left; otherwise it is the earlier one.
        seed: the same seed gives the same verdicts.

    Raises:
        InputError: fewer than two systems, or a missing score.
        UsageError: a threshold below 0.
    """
    not_negative(threshold=threshold)
    check_integer(0, seed=seed)
    matrix = make_matrix(scores)
    matrix.require_complete("verdicts")
    values = np.asarray(matrix.values if matrix.larger_is_better else -matrix.values)
    topics, count = values.shape
    if count < 2:
        raise InputError("verdicts need two systems: there is one", "the scores", code="too-few")
    left, right = np.triu_indices(count, 1)
    difference = (values[:, left] - values[:, right]).ravel()
    outcome = np.sign(difference).astype(np.int64)
    outcome[np.abs(difference) <= max(threshold, ROUNDING)] = 0
    left, right = np.tile(left, topics), np.tile(right, topics)
    if randomize:
        swap = np.random.default_rng(seed).random(len(left)) < 0.5
        left, right = np.where(swap, right, left), np.where(swap, left, right)
        outcome = np.where(swap, -outcome, outcome)
    order = np.argsort(np.array(matrix.systems, dtype=object))
    number = np.argsort(order)
    return PairVerdicts(
        tuple(matrix.topics),
        tuple(matrix.systems[at] for at in order),
        (matrix.measure,),
        np.repeat(np.arange(topics), len(difference) // topics),
        number[left],
        number[right],
        outcome,
        np.zeros(len(outcome), dtype=np.int64),
        name=f"verdicts by {matrix.measure}",
    )

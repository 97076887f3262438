"""Tests of every two systems from exact sums of their differences, without the scores of topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from cranfield._typing import Floats
from cranfield.scores.scale import Scale, best_first
from cranfield.statistics.exact_differences import Difference

SystemPair = tuple[str, str]


def subtract_pairs(values: Mapping[str, Floats]) -> dict[SystemPair, tuple[Difference, ...]]:
    """Differences of every two systems, by each measure.

    Args:
        values: system -> its scores on the same topics, [measures, topics].
    """
    return {
        (left, right): tuple(map(Difference.subtract, values[left], values[right]))
        for left, right in combinations(values, 2)
    }


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The paired t-test of two systems by one measure.

    Args:
        system: the one with the better mean.
        other: the other one.
        measure: by which.
        difference: of ``system`` less ``other``.
        p_adjusted: p, adjusted by Holm for the pairs of all systems by this measure.
    """

    system: str
    other: str
    measure: str
    difference: Difference
    p_adjusted: float


def paired_tests(
    scales: Sequence[Scale],
    means: Mapping[str, Mapping[str, float]],
    differences: Mapping[SystemPair, Sequence[Difference]],
) -> tuple[PairedTest, ...]:
    """Every two systems, the better one first, by each measure that has values of topics.

    Args:
        scales: of the measures.
        means: system -> measure -> mean.
        differences: of every two systems, by each measure.
    """
    from cranfield.statistics.multiple_testing import adjust

    out: list[PairedTest] = []
    systems = list(means)
    for number, scale in enumerate(scales):
        if not scale.has_topics:
            continue
        order = best_first(np.array([means[system][scale.name] for system in systems]), systems, scale.larger_is_better)
        pairs = list(combinations([systems[at] for at in order], 2))
        signed = [
            differences[pair][number] if pair in differences else differences[pair[::-1]][number].negated()
            for pair in pairs
        ]
        p = np.array([difference.p for difference in signed])
        adjusted = np.full(len(p), np.nan)
        adjusted[~np.isnan(p)] = adjust(p[~np.isnan(p)], "holm")
        for pair, difference, corrected in zip(pairs, signed, adjusted.tolist(), strict=True):
            out.append(PairedTest(*pair, scale.name, difference, corrected))
    return tuple(out)

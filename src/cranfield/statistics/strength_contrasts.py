"""Parts of topics in a contrast of strengths: the share of the information and the part of the difference of each.

Shapes: S systems, G topics, P parameters, C contrasts: those of the systems with the mean of all, then those of pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.statistics.paired_comparisons import Comparisons, StrengthFit, make_information
from cranfield.statistics.rounding import is_noise

SINGLE = 1e-9
"""One topic alone tells of a contrast where the squares of all shares sum to 1 but for this."""
WEIGHT_DIGITS = 12
"""Decimals to which weights are compared."""


@dataclass(frozen=True)
class TopicShares:
    """Shares a of topics in the information on contrasts, each contrast's of sum 1.

    Args:
        squares: sum of a^2 over topics, [C].
        cubes: sum of a^3, [C].
        design: which row of ``rows`` each topic has, [G].
        rows: shares of topics that compare the same pairs with the same weights, [designs, C]; None where they were
            not asked for.
    """

    squares: Floats
    cubes: Floats
    design: Ints
    rows: Floats | None

    @property
    def expected(self) -> Floats:
        """The share of a contrast's variance that its topics, taken about their estimate, are expected to show, [C]."""
        return np.asarray(np.maximum(1.0 - self.squares, 0.0))

    @property
    def df(self) -> Floats:
        """Degrees of freedom, [C]; 0 where one topic alone tells anything.

        df = (1 - sum a^2)^2 / (sum a^2 - 2 sum a^3 + (sum a^2)^2): those of Bell and McCaffrey for a weighted mean of
        topics whose variances are in inverse proportion to their shares. Equal shares have G - 1.

        Reference:
            Bell & McCaffrey 2002, Bias reduction in standard errors for linear regression with multi-stage samples.
            Survey Methodology 28.
        """
        below = self.squares - 2.0 * self.cubes + self.squares**2
        several = self.expected > SINGLE
        df = np.divide(self.expected**2, below, out=np.zeros(len(below)), where=several)
        whole = np.round(df)
        return np.asarray(np.where(np.abs(df - whole) <= SINGLE * whole, whole, df))


class ComparisonDesign(NamedTuple):
    """The comparisons of topics that compare the same pairs, each once with the sum of its weights."""

    at: Comparisons
    topics: int


def share_information(
    fit: StrengthFit, at: Comparisons, topics: int, left: Ints, right: Ints, *, rows: bool
) -> TopicShares:
    """Share the information on each contrast c among topics: a_q = c' H+ I_q H+ c, divided by its sum over topics.

    Args:
        fit: of these comparisons.
        at: the comparisons.
        topics: how many there are.
        left: first system of each pair, [pairs].
        right: second system.
        rows: whether to return the shares of topics.
    """
    design, designs = _find_designs(at, len(fit.theta), topics)
    inverse, contrasts = fit.inverse, len(fit.theta) + len(left)
    total, squares, cubes = (np.zeros(contrasts) for _ in range(3))
    kept = np.zeros((len(designs) if rows else 0, contrasts))
    for number, own in enumerate(designs):
        information = make_information(fit, own.at)
        used = np.flatnonzero(information.any(axis=0))
        product = inverse[:, used] @ information[np.ix_(used, used)] @ inverse[used]
        alone = np.diag(product)[: len(fit.theta)]
        told = np.maximum(np.concatenate([alone, alone[left] + alone[right] - 2 * product[left, right]]), 0.0)
        total += own.topics * told
        squares += own.topics * told**2
        cubes += own.topics * told**3
        if rows:
            kept[number] = told
    total = np.where(total > 0, total, 1.0)
    return TopicShares(squares / total**2, cubes / total**3, design, kept / total if rows else None)


def find_parts(fit: StrengthFit, shares: TopicShares, left: Ints, right: Ints) -> Floats:
    """The part that each topic has in the differences of pairs, of sum theta_left - theta_right, [G, pairs].

    These are the topics' scores where the two strengths are equal, and the others as good as they can be: c' H+ U_q at
    the strengths found, with the topic's share of the difference. A topic that tells nothing has 0. Parts about the
    strengths found would have the whole difference in each topic, whether it compares the two or not.
    """
    assert shares.rows is not None, "they were asked for"
    topics = len(fit.influence)
    moves = (fit.influence - fit.theta) / topics
    parts = moves[:, left] - moves[:, right]
    parts += shares.rows[shares.design, len(fit.theta) :] * (fit.theta[left] - fit.theta[right])
    largest = np.abs(parts).max(axis=0, initial=0.0) + (1.0 + np.abs(fit.theta).max()) / topics
    parts[is_noise(parts, largest)] = 0.0
    return np.asarray(parts)


def _find_designs(at: Comparisons, systems: int, topics: int) -> tuple[Ints, list[ComparisonDesign]]:
    """The design of each topic, [G], and what the designs compare."""
    keys, inverse = np.unique((at.topic * systems + at.left) * systems + at.right, return_inverse=True)
    weight: Floats = np.round(np.bincount(inverse, at.weight, len(keys)), WEIGHT_DIGITS)
    topic, pair = keys // systems**2, keys % systems**2
    starts = np.searchsorted(topic, np.arange(topics + 1))
    numbers: dict[bytes, int] = {}
    design, first = np.empty(topics, dtype=np.int64), list[slice]()
    for number, (start, stop) in enumerate(pairwise(starts.tolist())):
        own = slice(start, stop)
        key = pair[own].tobytes() + weight[own].tobytes()
        design[number] = numbers.setdefault(key, len(numbers))
        if len(numbers) > len(first):
            first.append(own)
    counts = np.bincount(design, minlength=len(first))
    designs = []
    for own, count in zip(first, counts.tolist(), strict=True):
        size = own.stop - own.start
        nothing = np.zeros(size, dtype=np.int64)
        compared = Comparisons(nothing, pair[own] // systems, pair[own] % systems, nothing, weight[own])
        designs.append(ComparisonDesign(compared, count))
    return design, designs

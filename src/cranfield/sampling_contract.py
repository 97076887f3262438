"""The part of the engine's contract that is about samples: what is counted over them, and what is kept of them."""

from __future__ import annotations

from typing import Protocol, TypedDict

from cranfield.arrays import Floats, Ints


class Reached(TypedDict):
    """How many samples reach what was observed of each pair, int64 [pairs] each."""

    alone: Ints
    """By the pair itself."""
    together: Ints
    """By the largest value of the pair and those before it."""
    largest: Floats
    """The largest value of each sample, float64 [samples]."""


class Sampling(Protocol):
    """What an engine does with samples; see ``cranfield.contract.Engine``."""

    def count_reached(
        self,
        sums: Floats,
        left: Ints,
        right: Ints,
        signed: bool,
        scale: Floats,
        squares: Floats | None,
        levels: Floats,
        largest: Floats,
    ) -> Reached:
        """Count the samples in which (sums[left] - sums[right])^2 scale / squares reaches the level of a pair.

        ``sums`` is [columns, samples], ``squares`` [pairs, samples], of ones where None. Where ``signed``, differences
        are not squared. Pairs are gone through as they come; ``largest`` has the largest value of each sample before
        them.
        """
        ...

    def count_decisions(
        self, columns: Floats, left: Ints, right: Ints, fuzziness: float, slack: float
    ) -> tuple[Ints, Ints]:
        """Decide every pair by its means over each subset: twice the decisions of a minority, and ties, [subsets] each.

        ``columns`` has the means, [columns, subsets]. Two are tied where they differ by no more than fuzziness times
        the larger one, plus slack. Where both sides of a pair win equally often, each decision is half a minority's.
        """
        ...

    def largest_statistics(
        self,
        sums: Floats,
        left: Ints,
        right: Ints,
        squares: Floats,
        limit: Floats,
        floor: Floats,
        cap: float,
        begins: Ints,
        ends: Ints,
        kth: Ints,
    ) -> tuple[Ints, Floats]:
        """What resamples say of pairs: how many reach what was observed, [pairs], and large moments, [parts, pairs].

        A moment is sums[left] - sums[right]; ``sums`` is [columns, resamples], ``squares`` [resamples, pairs], without
        NaN. A resample reaches what was observed where its squared moment is at least squares * limit + floor. How
        large it is says the ratio of squared moment and squares, at most ``cap`` and 0 where squares are not above
        ``floor``: found is the moment of the first resample of the k-th largest ratio of each part. A part is the
        resamples from its begin up to its end.
        """
        ...

    def count_apart(self, mean: Floats, products: Floats, items: float, factor: float, least: float) -> int:
        """Count the pairs of columns whose squared difference of means is above factor * error, and above ``least``.

        ``products`` are sums of products of each two columns without their means, [columns, columns], of so many
        items: error = max(0, products[i, i] + products[j, j] - 2 products[i, j]) / (items - 1) / items.
        """
        ...

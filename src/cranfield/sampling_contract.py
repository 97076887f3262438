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

    def keep_statistics(
        self,
        moments: Floats,
        squares: Floats,
        limit: Floats,
        floor: Floats,
        cap: float,
        begin: int,
        into_ratio: Floats,
        into_moments: Floats,
    ) -> Ints:
        """Keep what some resamples say of pairs of columns; how many of them reach what was observed, [pairs].

        ``moments`` and ``squares`` are [some, pairs], and a resample reaches what was observed where its squared moment
        is at least squares * limit + floor. Put into two arrays, [pairs, resamples] from column ``begin`` on, are the
        ratio of squared moment and squares, at most ``cap`` and 0 where squares are not above ``floor``, and the
        moments.
        """
        ...

    def kth_places(self, values: Floats, begins: Ints, ends: Ints, kth: Ints) -> Ints:
        """Where the k-th largest value of each part of each row first stands, [parts, rows].

        ``values`` is [rows, columns], without NaN; a part is the columns from its begin up to its end.
        """
        ...

"""The engine's contract for very many t tests, see ``cranfield.contract``."""

from __future__ import annotations

from typing import Protocol

from cranfield.arrays import Floats, Ints

Tested = tuple[Ints, Ints]
"""Significant tests of each row at each level, int64 [rows, levels], and all tests of each row, int64 [rows]."""


class CountsTests(Protocol):
    """It counts significant tests by t^2 and critical values."""

    def count_paired_tests(
        self, sums: Floats, means: Floats, left: Ints, right: Ints, topics: float, most: float, levels: Floats
    ) -> Tested:
        """Count in each row the pairs whose share topics (means[left] - means[right])^2 / sums reaches each level.

        ``sums`` is [rows, pairs], ``means`` [rows, columns], ``levels`` ascend. A share has a test where it is below
        ``most``.
        """
        ...

    def count_welch_tests(
        self,
        means: Floats,
        errors: Floats,
        other_means: Floats,
        other_errors: Floats,
        low: Floats,
        high: Floats,
        curves: Floats,
    ) -> tuple[Tested, Tested]:
        """Count in each row the squares of Welch's t that reach each level: of different columns, and of the same.

        Every column of ``means`` is tested against every one of ``other_means``, with ``errors`` the squares of their
        standard errors, all [rows, columns]; where both are 0 there is no test. A square reaches a level for sure from
        its ``high`` on, and not below its ``low``, which both ascend. Between them decides the Chebyshev series of the
        level, of ``curves`` [levels, terms], of at least two terms, at (e^2 + f^2) / (e + f)^2 on [1/2, 1].
        """
        ...

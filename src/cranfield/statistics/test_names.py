"""Tests of differences by name, and how often they resample; without NumPy, so that commands can list them."""

from __future__ import annotations

from typing import Literal, get_args

Test = Literal[
    "t",
    "wilcoxon",
    "sign",
    "mcnemar",
    "permutation",
    "bootstrap",
    "welch",
    "tukey",
    "randomized-tukey",
    "dunnett",
    "nemenyi",
]
AllPairsTest = Literal[
    "t", "wilcoxon", "sign", "mcnemar", "permutation", "bootstrap", "tukey", "randomized-tukey", "nemenyi"
]
OF_ALL_PAIRS: tuple[str, ...] = get_args(AllPairsTest)
"""Tests of all pairs of systems on the same topics."""
SIMULTANEOUS = ("tukey", "randomized-tukey", "dunnett", "nemenyi")
"""Tests of all systems at once, whose p-values need no correction."""
TEST_RESAMPLES = {"bootstrap": 1000, "permutation": 10_000, "randomized-tukey": 10_000}
"""Tests -> their numbers of resamples by default; 1,000 is Sakai's choice."""
INTERVAL_RESAMPLES = 2000
"""Resamples of a bootstrap interval by default."""
BY_SIGNS = ("sign", "mcnemar")
"""Tests that count wins and losses: McNemar's exact test is the sign test of yes/no scores."""

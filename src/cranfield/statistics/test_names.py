"""Tests of differences between systems by name; without NumPy, so that commands can list them as choices."""

from __future__ import annotations

from typing import Literal, get_args

Test = Literal["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey", "dunnett"]
AllPairsTest = Literal["t", "wilcoxon", "sign", "permutation", "bootstrap", "tukey", "randomized-tukey"]
OF_ALL_PAIRS: tuple[str, ...] = get_args(AllPairsTest)
"""Tests of all pairs of systems on the same topics."""

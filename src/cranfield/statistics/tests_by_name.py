"""The names of tests of differences between systems; without NumPy, so that commands can list them as choices."""

from typing import Literal, get_args

Test = Literal["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey"]
WITHIN_TOPICS: tuple[str, ...] = tuple(name for name in get_args(Test) if name != "welch")
"""Tests of systems on the same topics."""

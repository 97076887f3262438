"""Tests of differences between systems by name; without NumPy, so that commands can list them as choices."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal, get_args

Test = Literal["t", "wilcoxon", "sign", "permutation", "bootstrap", "welch", "tukey", "randomized-tukey", "dunnett"]
OF_ALL_PAIRS: tuple[str, ...] = tuple(name for name in get_args(Test) if name not in ("welch", "dunnett"))
"""Tests of all pairs of systems on the same topics."""
STATISTICS: dict[str, str] = {
    "t": "paired_tests.paired_t",
    "wilcoxon": "paired_tests.wilcoxon",
    "sign": "paired_tests.sign_test",
}
"""Test -> the function of ``cranfield.statistics`` that takes differences and gives p; resampled tests have t's."""


def get_statistic(test: Test) -> Callable[..., Any]:
    """The statistic of a test of the pairs of systems on the same topics."""
    module, _, name = STATISTICS.get(test, STATISTICS["t"]).rpartition(".")
    function: Callable[..., Any] = getattr(import_module(f"cranfield.statistics.{module}"), name)
    return function

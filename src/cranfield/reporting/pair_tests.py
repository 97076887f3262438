"""The tests of every two systems, for the comparison of two on a page, as plain data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import shown
from cranfield.comparison.pairwise import compare
from cranfield.declarations.analysis import find_declaration

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.reporting.analyses import Analyses


def list_pair_tests(analyses: Analyses) -> dict[str, Any]:
    """Return the tests of every two systems by the first measure.

    Where they were not computed, as for very many systems, the page's script tests the two from the scores that it has.
    """
    outcome = analyses.from_scores.pairs
    if outcome.result is not None:
        result = outcome.result
        return describe_pair_tests(result.pairs, analyses.inputs.numbers, result.measure, result.settings["alpha"])
    declared = find_declaration(compare)
    assert declared is not None, "it is an analysis"
    alpha = declared.options["alpha"].default
    return describe_pair_tests(None, {}, analyses.inputs.main_measure, alpha) if outcome.reason else {}


def describe_pair_tests(
    pairs: pd.DataFrame | None, numbers: Mapping[str, int], measure: str, alpha: float
) -> dict[str, Any]:
    """Describe tests of pairs.

    Args:
        pairs: as ``Comparison.pairs`` has them; None where the page's script makes the tests.
        numbers: system -> its number on the page.
        measure: by which systems are compared.
        alpha: the significance level, which is that of the intervals too.
    """
    described = {"measure": shown(measure), "level": f"{100 * (1 - alpha):.4g}%", "alpha": f"{alpha:g}"}
    if pairs is None:
        return described
    columns = (
        *([numbers[name] for name in pairs[end]] for end in ("system", "other")),
        *(map(_round, pairs[name].tolist()) for name in ("difference", "low", "high", "p", "p_adjusted")),
        pairs["significant"].tolist(),
        pairs["topics"].tolist(),
        np.isinf(pairs["d_pair"].to_numpy()).tolist(),
    )
    return {**described, "rows": [list(row) for row in zip(*columns, strict=True)]}


def _round(value: float) -> float | None:
    """Round a number to the four digits that the page shows; None where it is infinite, which JSON does not have."""
    return round(value, 4) if math.isfinite(value) else None

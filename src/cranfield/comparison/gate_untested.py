"""The rows of a gate that tests no mean: topics are too few, or are only asked what single ones lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.comparison.gate_rows import Table, lost_too_much, shared_scores, worst_by_row
from cranfield.comparison.gate_verdicts import FAILED, OPEN, PASSED, Verdict

if TYPE_CHECKING:
    import pandas as pd

OF_TESTS = ("low", "high", "p_no_regression", "p_regression", "power")
"""Columns that only a test fills."""


def untested_rows(
    tables: Sequence[Table], how: Mapping[str, Any], worst: pd.DataFrame, verdict: Verdict
) -> pd.DataFrame:
    """One row a system and measure, as ``Gate.rows`` says, without what only a test says.

    Args:
        tables: of each measure, the baseline in the first column.
        how: settings of the gate, with the reason why nothing is ``untested``.
        worst: from ``worst_of``.
        verdict: where no topic loses too much, none has a score of one side alone, and some score is another one.
    """
    import pandas as pd

    first = worst_by_row(worst)
    rows = []
    for at, system in enumerate(tables[0].systems[1:], 1):
        for table in tables:
            shared = shared_scores(table, at)
            complete, difference = shared.complete, shared.mean - shared.mean_baseline
            lost = first.get((system, table.measure))
            name, loss = ("", 0.0) if lost is None else (lost.topic, lost.loss)
            broken = lost_too_much(name, loss, how["worst_topic"])
            # Where no topic loses and the means are equal, none gains either: there is nothing to test.
            same = shared.topics > 0 and complete and loss == 0 and difference == 0
            untested = "the same score on every topic" if same else f"the mean is not tested: {how['untested']}"
            reasons = [broken or untested, *shared.gaps()]
            rows.append(
                {
                    "system": system,
                    "measure": table.measure,
                    "verdict": FAILED if broken else PASSED if same else verdict if complete else OPEN,
                    "mean": shared.mean,
                    "mean_baseline": shared.mean_baseline,
                    "difference": difference,
                    **dict.fromkeys(OF_TESTS[:2], np.nan),
                    "margin": how["margin"][table.measure],
                    **dict.fromkeys(OF_TESTS[2:], np.nan),
                    "topics": shared.topics,
                    "missing": len(shared.only_baseline),
                    "missing_baseline": len(shared.only_new),
                    "worst_topic": name,
                    "worst_loss": loss,
                    "reason": "; ".join(reasons),
                }
            )
    return pd.DataFrame(rows)

"""The rows of a gate that tests no mean: topics are too few, or are only asked what single ones lose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.comparison.gate_rows import Table, lost_too_much, said_of_gone, shared_scores, worst_by_row
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
        verdict: where no topic loses too much, none of the baseline's is lost, and some score is another one.
    """
    import pandas as pd

    first = worst_by_row(worst)
    rows = []
    for at, system in enumerate(tables[0].systems[1:], 1):
        for table in tables:
            mean, mean_baseline, topics, gone = shared_scores(table, at)
            lost = first.get((system, table.measure))
            name, loss = ("", 0.0) if lost is None else (lost.topic, lost.loss)
            broken = lost_too_much(name, loss, how["worst_topic"])
            # Where no topic loses and the means are equal, none gains either: there is nothing to test.
            same = topics > 0 and not gone and loss == 0 and mean == mean_baseline
            untested = "the same score on every topic" if same else f"the mean is not tested: {how['untested']}"
            reasons = [broken or untested, *([said_of_gone(gone)] if gone else [])]
            rows.append(
                {
                    "system": system,
                    "measure": table.measure,
                    "verdict": FAILED if broken else PASSED if same else OPEN if gone else verdict,
                    "mean": mean,
                    "mean_baseline": mean_baseline,
                    "difference": mean - mean_baseline,
                    **dict.fromkeys(OF_TESTS[:2], np.nan),
                    "margin": how["margin"][table.measure],
                    **dict.fromkeys(OF_TESTS[2:], np.nan),
                    "topics": topics,
                    "missing": len(gone),
                    "worst_topic": name,
                    "worst_loss": loss,
                    "reason": "; ".join(reasons),
                }
            )
    return pd.DataFrame(rows)

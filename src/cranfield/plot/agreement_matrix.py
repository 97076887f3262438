"""Do measures, schemes or judges order the systems alike: tau_b or tau_ap,b between every two."""

from __future__ import annotations

from typing import Literal

import altair as alt
import numpy as np

from cranfield._text import counted
from cranfield._validation import word
from cranfield.plot.matrix_cells import matrix_cells
from cranfield.plot.naming import label
from cranfield.plot.theme import WIDTH, styled
from cranfield.statistics.finite import finite
from cranfield.synthesis.ranking_agreement import Agreement

LEAST = 280
"""Pixels across that the title needs."""


def agreement_matrix(result: Agreement, coefficient: Literal["tau_b", "tau_ap_b"] = "tau_b") -> alt.LayerChart:
    """Rank correlation between the orders of systems by every two sources of scores.

    Args:
        result: of ``cranfield.compare_rankings``.
        coefficient: ``tau_b``, or ``tau_ap_b``, weighted to the top of the row's order.

    Raises:
        UsageError: another coefficient.
        InputError: no two sources have one.
    """
    word("coefficient", coefficient, ("tau_b", "tau_ap_b"))
    names = [label(name) for name in result.tau_b.index]
    values = getattr(result, coefficient).to_numpy()
    written = {"tau_b": "tau_b", "tau_ap_b": "tau_ap,b"}[coefficient]
    title = f"Agreement on the order of systems, {written}"
    notes = [f"{counted(len(names), 'source')} of scores, {counted(len(result.ranks), 'system')}"]
    if coefficient == "tau_ap_b":
        notes.append("reference: the row; the top of its order has more weight")
    pairs = [(values[a][b], a, b) for a in range(len(names)) for b in range(len(names)) if a != b]
    alone = "of every two sources, one gives all systems the same mean"
    ends = finite([value for value, _, _ in pairs], f"{written} is", alone)
    least, one, other = min(pair for pair in pairs if np.isfinite(pair[0]))
    described = f"{title}: from {least:.2f} ({names[other]} and {names[one]}) to {ends.max():.2f}."
    chart = matrix_cells(values, names, written, "")
    return styled(
        chart,
        title,
        notes,
        described,
        width=min(WIDTH, max(LEAST, 70 * len(names))),
        height=alt.Step(24 if len(names) <= 16 else 12),
    )

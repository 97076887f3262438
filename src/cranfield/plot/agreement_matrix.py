"""Do measures, schemes or judges order the systems alike: tau_b between every two."""

from __future__ import annotations

import altair as alt

from cranfield.plot.matrix_cells import matrix_cells
from cranfield.plot.naming import label
from cranfield.plot.theme import WIDTH, styled
from cranfield.synthesis.ranking_agreement import Agreement
from cranfield.wording import counted


def agreement_matrix(result: Agreement) -> alt.LayerChart:
    """Kendall's tau_b between the orders of systems by every two sources of scores.

    Args:
        result: of ``cranfield.agreement``.
    """
    names = [label(name) for name in result.tau_b.index]
    values = result.tau_b.to_numpy()
    title = "Agreement on the order of systems, tau_b"
    notes = [f"{counted(len(names), 'source')} of scores, {counted(len(result.ranks), 'system')}"]
    pairs = [(values[a][b], a, b) for a in range(len(names)) for b in range(a)]
    least, one, other = min(pairs)
    described = f"{title}: from {least:.2f} ({names[other]} and {names[one]}) to {max(pairs)[0]:.2f}."
    chart = matrix_cells(values, names, "tau_b", "")
    return styled(
        chart,
        title,
        notes,
        described,
        width=min(WIDTH, 70 * len(names)),
        height=alt.Step(24 if len(names) <= 16 else 12),
    )

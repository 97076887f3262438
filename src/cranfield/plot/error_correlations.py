"""How the errors of several judges go together, and how many independent judges that leaves."""

from __future__ import annotations

import altair as alt
import numpy as np

from cranfield._text import counted, numeral
from cranfield.agreement.panel import Panel
from cranfield.errors import InputError
from cranfield.plot._names import label
from cranfield.plot._theme import WIDTH, styled
from cranfield.plot.agreement_matrix import LEAST, matrix_cells
from cranfield.statistics._numeric import finite


def error_correlations(result: Panel) -> alt.LayerChart:
    """Correlation of the errors of every two judges: as they are below the diagonal, given the reference above it.

    Args:
        result: of ``cranfield.agreement.estimate_panel``.

    Raises:
        InputError: no correlation is defined.
    """
    names = list(dict.fromkeys([*result.errors["judge"], *result.errors["other"]]))
    if len(names) < 2:
        raise InputError("fewer than two judges err: no errors go together", code="too-few")
    values = np.full((len(names), len(names)), np.nan)
    for row in result.errors.to_dict("records"):
        first, second = names.index(row["judge"]), names.index(row["other"])
        values[second, first], values[first, second] = row["correlation"], row["correlation_given"]
    defined = finite(values, "correlation of errors is", "errors do not vary")
    facts = result.effective.iloc[0]
    worth = (
        f"n_eff {numeral(facts['n_eff'], '.1f')} of {len(names)} "
        f"({numeral(facts['n_eff_low'], '.1f')} to {numeral(facts['n_eff_high'], '.1f')})"
    )
    title = f"Correlated errors of {counted(len(names), 'judge')}"
    notes = [
        f"{worth}: mean correlation rho {numeral(facts['rho'], '.2f')}; {counted(result.documents, 'document')}, "
        f"{counted(int(facts['topics']), 'topic')}",
        f"below the diagonal: errors against {label(result.settings['reference'])}; above: given its labels",
        result.note,
    ]
    described = f"{title}: from {defined.min():.2f} to {defined.max():.2f}; {worth}."
    chart = matrix_cells(values, [label(name) for name in names], "correlation of errors", "")
    return styled(
        chart,
        title,
        notes,
        described,
        width=min(WIDTH, max(LEAST, 70 * len(names))),
        height=alt.Step(24 if len(names) <= 16 else 12),
    )

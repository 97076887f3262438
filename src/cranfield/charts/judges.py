"""The charts of judges."""

from __future__ import annotations

import numpy as np

from cranfield._text import counted, numeral, shown
from cranfield.agreement.panel import Panel
from cranfield.charts.form import Matrix
from cranfield.errors import InputError
from cranfield.statistics.numeric import finite


def chart_error_correlations(result: Panel) -> Matrix:
    """Correlation of the errors of every two judges: as they are below the diagonal, given the reference above it.

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
    finite(values, "correlation of errors is", "errors do not vary")
    below = values[np.tril_indices(len(names), -1)]
    ends = below[np.isfinite(below)]
    facts = result.effective.iloc[0]
    worth, low, high = (numeral(facts[name], ".1f") for name in ("n_eff", "n_eff_low", "n_eff_high"))
    reference = shown(result.settings["reference"])
    correlate = f"correlate by {ends.min():.2f} to {ends.max():.2f}" if len(ends) else "have no defined correlation"
    return Matrix(
        title=f"Correlated errors of {counted(len(names), 'judge')}",
        sentence=(
            f"Errors of two judges {correlate}; together the {len(names)} are worth {worth} independent judges "
            f"({low} to {high})."
        ),
        counts=f"{counted(result.documents, 'document')}, {counted(int(facts['topics']), 'topic')}",
        notes=(
            f"Below the diagonal: errors against {reference}; above: given its labels.",
            f"{result.note[0].upper()}{result.note[1:]}.",
        ),
        remarks=(
            "0: two judges err on different documents; 1: on the same ones. An error is another verdict on relevance."
        ),
        of="correlation of errors",
        names=tuple(names),
        values=tuple(map(tuple, values.tolist())),
    )

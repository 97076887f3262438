"""The charts of judges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._text import counted, numeral, shown
from cranfield.agreement.judge_agreement import JudgeAgreement
from cranfield.agreement.panel import Panel
from cranfield.charts.form import Axis, Matrix, StripMark, Strips
from cranfield.charts.sentences import find_largest, join_names, with_verb
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
        counts=(
            f"{counted(result.documents, 'document')}, {counted(int(facts['topics']), 'topic')}; "
            f"n_eff {worth} ({low} to {high})"
        ),
        notes=(
            f"Below the diagonal: errors against {reference}; above: given the labels of {reference}.",
            f"{result.note[0].upper()}{result.note[1:]}.",
        ),
        remarks=(
            "0: two judges err on different documents; 1: on the same ones. An error is another verdict on relevance."
        ),
        of="correlation of errors",
        names=tuple(names),
        values=tuple(map(tuple, values.tolist())),
    )


COEFFICIENTS = {
    "tau_b": "tau_b of systems",
    "tau_ap_b": "tau_ap,b of systems",
    "kept": "significant pairs kept",
    "kappa_binary": "kappa, relevant or not",
    "alpha": "Krippendorff's alpha",
}
"""Column -> its name in the chart."""
OF_LABELS = ("kappa_binary", "alpha")
"""Those of labels; the others are of systems."""


def chart_judge_agreement(result: JudgeAgreement) -> Strips:
    """Agreement of each judge with the reference: on systems, on significant pairs and on labels.

    Raises:
        InputError: no agreement is defined.
    """
    systems, labels = result.systems.table, result.labels.table
    order = [str(judge) for judge in systems["tau_b"].sort_values(ascending=False, kind="stable").index]
    marks = [
        StripMark(row, kind, float((labels if name in OF_LABELS else systems)[name][judge]))
        for row, judge in enumerate(order)
        for kind, name in enumerate(COEFFICIENTS)
    ]
    finite([mark.value for mark in marks], "agreement is", "neither labels nor systems differ")
    settings, scores = result.systems.settings, next(iter(result.scores.values()))
    reference = shown(result.systems.reference)
    sizes = [counted(scores.sizes[what], what) for what in ("system", "topic")]
    return Strips(
        title=f"Agreement of judges with {reference}, by {shown(str(scores.name))}",
        sentence=_name_closest(order, [float(systems["tau_b"][judge]) for judge in order], reference),
        counts=", ".join([counted(len(order), "judge"), *sizes]),
        notes=(
            "1 is perfect agreement.",
            f"Significant pairs: {settings['test']} test, {settings['correction'].capitalize()}'s correction, alpha "
            f"{settings['alpha']:g}.",
        ),
        x=Axis("agreement"),
        rows=tuple((judge,) for judge in order),
        kinds=tuple(COEFFICIENTS.values()),
        marks=tuple(marks),
    )


def _name_closest(judges: Sequence[str], taus: Sequence[float], reference: str) -> str:
    """Name the judges that order systems most like the reference; the judges are in that order."""
    closest = find_largest(judges, taus)
    if closest:
        said = f"{with_verb(closest, 'orders', 'order')} systems most like {reference}"
    else:
        subject = join_names(judges) if len(judges) == 1 else "Each judge"
        said = f"{subject} agrees with {reference} on the order of systems"
    return f"{said}: tau_b = {numeral(taus[0], '.2f')}."

"""What would be concluded from each judge: agreement on labels, on the order of systems and on significant pairs."""

from __future__ import annotations

from typing import Any

import altair as alt

from cranfield._text import counted, numeral
from cranfield.agreement.judge_agreement import JudgeAgreement
from cranfield.plot._data import inline
from cranfield.plot._names import label
from cranfield.plot._theme import PALETTE, SHAPES, WIDTH, styled
from cranfield.statistics._numeric import finite

FACTS = {
    "tau_b": "tau_b of systems",
    "tau_ap_b": "tau_ap,b of systems",
    "kept": "significant pairs kept",
    "kappa_binary": "kappa, relevant or not",
    "alpha": "Krippendorff's alpha",
}
FOUND_IN_LABELS = ("kappa_binary", "alpha")


def judge_agreement(result: JudgeAgreement) -> alt.Chart:
    """A line for each judge: agreement with the reference on systems, on significant pairs and on labels.

    Args:
        result: of ``cranfield.agreement.compare_judges``.

    Raises:
        InputError: no agreement is defined.
    """
    systems, labels = result.systems.table, result.labels.table
    rows = [
        {
            "judge": label(judge),
            "of": FACTS[fact],
            "value": (labels if fact in FOUND_IN_LABELS else systems)[fact][judge],
        }
        for judge in systems.index
        for fact in FACTS
    ]
    finite([row["value"] for row in rows], "agreement is", "neither labels nor systems differ")
    order = [label(judge) for judge in systems["tau_b"].sort_values(ascending=False, kind="stable").index]
    reference = label(result.systems.reference)
    measure = next(iter(result.scores.values()))
    title = f"Agreement of judges with {reference}, by {label(measure.name)}"
    notes = [
        f"{counted(measure.sizes['system'], 'system')}, {counted(measure.sizes['topic'], 'topic')}, "
        f"{counted(len(order), 'judge')} compared with {reference}",
        f"significant pairs: test={result.systems.settings['test']}, "
        f"correction={result.systems.settings['correction']}, alpha={result.systems.settings['alpha']:g}",
    ]
    taus = "; ".join(f"{label(judge)} {numeral(systems['tau_b'][judge], '.2f')}" for judge in systems.index)
    return styled(_chart(rows, order), title, notes, f"{title}; tau_b: {taus}.", width=WIDTH, height=alt.Step(20))


def _chart(rows: list[dict[str, Any]], order: list[str]) -> alt.Chart:
    domain = list(FACTS.values())
    colour = alt.Color("of:N", title=None, scale=alt.Scale(domain=domain, range=list(PALETTE[: len(domain)])))
    shape = alt.Shape("of:N", title=None, scale=alt.Scale(domain=domain, range=list(SHAPES[: len(domain)])))
    axis = alt.Axis(grid=True, labelOverlap=False)
    chart: alt.Chart = (
        alt.Chart(inline(rows))
        .mark_point(filled=True, size=50, opacity=0.95)
        .encode(
            x=alt.X("value:Q", title="agreement (1: perfect)", scale=alt.Scale(zero=True)),
            y=alt.Y("judge:N", title=None, scale=alt.Scale(domain=order), axis=axis),
            color=colour,
            shape=shape,
            tooltip=[alt.Tooltip("judge:N"), alt.Tooltip("of:N"), alt.Tooltip("value:Q", format=".3f")],
        )
    )
    return chart

"""Judges: what would be concluded from the labels of other judges."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield._text import numeral, shown
from cranfield.agreement.judge_agreement import JudgeAgreement
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, strips
from cranfield.reporting.content import Figure, Section, Table, kinds, make_table
from cranfield.reporting.leaders import find_largest, with_verb
from cranfield.statistics._numeric import finite

COEFFICIENTS = {
    "tau_b": "tau_b of systems",
    "tau_ap_b": "tau_ap,b of systems",
    "kept": "significant pairs kept",
    "kappa_binary": "kappa, relevant or not",
    "alpha": "Krippendorff's alpha",
}
"""Column -> its name in the chart."""
LABEL_COEFFICIENTS = ("kappa_binary", "alpha")
"""Those of labels; the others are of systems."""
LABEL_MEANINGS = {
    "judge": "whose labels are compared with the reference",
    "documents": "that both judged",
    "judged": "documents that this judge judged",
    "equal": "share of the documents of both with the same label",
    "kappa": "Cohen's: agreement beyond chance; 1 is perfect, 0 is chance",
    "kappa_linear": "where labels far apart count more, by their difference",
    "kappa_quadratic": "where they count by the square of their difference",
    "kappa_binary": "of relevant or not",
    "alpha": "Krippendorff's, of labels in their order; 1 is perfect, 0 is chance",
    "relevant": "share of the documents of both that are relevant by this judge",
    "relevant_reference": "share that are relevant by the reference",
}
SYSTEM_MEANINGS = {
    "judge": "by whose labels systems are ordered",
    "tau_b": "rank correlation of the two orders: 1 is the same order, -1 the reverse",
    "tau_ap,b": "the same, where the top of the order has more weight",
    "RBO": "rank-biased overlap of the two orders, 1 where they are the same",
    "kept": "share of the significant pairs of the reference that are significant the same way",
    "lost": "share of them that are not significant",
    "reversed": "share of them that are significant the other way",
    "gained": "share of all other pairs that are significant by this judge alone",
    "largest_move": "of a system, in ranks",
}
MOVER_MEANINGS = {
    "rank_by_reference": "with the labels of the reference",
    "rank_by_judge": "with the labels of this judge",
    "places_gained": "with the labels of this judge, or lost, below 0",
}
"""Column -> what it means."""


def fill_judges(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None without other judges."""
    outcome = analyses.from_rankings.judges
    if not outcome.requested:
        return None
    charts = SectionCharts(analyses.redact)
    charts.add(outcome, "Agreement of judges", _draw_agreement)
    agreement = outcome.result
    if agreement is None:
        return charts.complete(section)
    paragraphs = [
        f"The same runs scored by {analyses.main_measure} with each judge's labels, compared with the labels of "
        f"{shown(agreement.systems.reference)}."
    ]
    return charts.complete(section, paragraphs, list(_make_tables(agreement)))


def _draw_agreement(result: JudgeAgreement) -> Figure:
    """Draw the coefficients of each judge on a line."""
    systems, labels = result.systems.table, result.labels.table
    order = [str(judge) for judge in systems["tau_b"].sort_values(ascending=False, kind="stable").index]
    marks = [
        (row, kind, (labels if name in LABEL_COEFFICIENTS else systems)[name][judge])
        for row, judge in enumerate(order)
        for kind, name in enumerate(COEFFICIENTS)
    ]
    finite([mark[2] for mark in marks], "agreement is", "neither labels nor systems differ")
    taus = [float(systems["tau_b"][judge]) for judge in order]
    closest, reference = find_largest(order, taus), shown(result.systems.reference)
    if closest:
        observation = f"{with_verb(closest, 'orders', 'order')} systems most like {reference}"
    else:
        observation = (
            f"{shown(order[0]) if len(order) == 1 else 'Each judge'} agrees with {reference} on the order of systems"
        )
    observation += f": tau_b = {numeral(taus[0], '.2f')}."
    settings = result.systems.settings
    notes = (
        f"1 is perfect agreement. Pairs of systems are significant by the {settings['test']} test with "
        f"{settings['correction'].capitalize()}'s correction at {settings['alpha']:g}."
    )
    form = strips("agreement", order, list(COEFFICIENTS.values()), marks)
    return Figure("judge-agreement", f"Agreement of judges with {reference}", observation, notes, form)


def _make_tables(agreement: JudgeAgreement) -> Iterator[Table]:
    """Make the tables of labels, of systems, and of the systems whose rank changes most under each judge."""
    labels, systems = agreement.labels.table.reset_index(), agreement.systems.table.reset_index()
    yield make_table(
        "labels",
        "Agreement of labels with the reference",
        labels,
        kinds("text", "judge") | kinds("whole", "documents", "judged"),
        LABEL_MEANINGS,
    )
    yield make_table(
        "judge-systems",
        "Agreement on systems with the reference",
        systems.rename(columns={"source": "judge", "tau_ap_b": "tau_ap,b", "rbo": "RBO"}),
        kinds("text", "judge") | kinds("whole", "largest_move"),
        SYSTEM_MEANINGS,
    )
    for number, source in enumerate(agreement.systems.table.index, 1):
        yield make_table(
            f"movers-{number}",
            f"Systems whose rank changes most under {shown(str(source))}",
            agreement.systems.movers(source).reset_index().set_axis(["system", *MOVER_MEANINGS], axis="columns"),
            kinds("system", "system") | kinds("whole", *MOVER_MEANINGS),
            MOVER_MEANINGS,
        )

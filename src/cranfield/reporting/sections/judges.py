"""Section on judges: what would be concluded from other labels, where some are given."""

from __future__ import annotations

from collections.abc import Iterator

from cranfield._text import numeral, shown
from cranfield.agreement.judge_agreement import JudgeAgreement
from cranfield.reporting.charts import Drawings, strips
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Figure, Section, Table
from cranfield.reporting.leaders import of_largest, who
from cranfield.reporting.tables import kinds, table_of
from cranfield.statistics._numeric import finite

FACTS = {
    "tau_b": "tau_b of systems",
    "tau_ap_b": "tau_ap,b of systems",
    "kept": "significant pairs kept",
    "kappa_binary": "kappa, relevant or not",
    "alpha": "Krippendorff's alpha",
}
FOUND_IN_LABELS = ("kappa_binary", "alpha")
OF_LABELS = {
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
OF_SYSTEMS = {
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
OF_MOVERS = {
    "rank_by_reference": "with the labels of the reference",
    "rank_by_judge": "with the labels of this judge",
    "places_gained": "with the labels of this judge, or lost, below 0",
}
"""Columns, and what they mean."""


def judges(analyses: Analyses, empty: Section) -> Section | None:
    """Agreement of judges; no section where no other judges are given."""
    answer = analyses.by_rankings.judges
    if not answer.asked:
        return None
    drawn = Drawings(analyses.public)
    drawn.add(answer, "Agreement of judges", _agreement)
    agreement = answer.result
    if agreement is None:
        return drawn.section(empty)
    words = [
        f"The same runs scored by {analyses.first} with each judge's labels, compared with the labels of "
        f"{shown(agreement.systems.reference)}."
    ]
    return drawn.section(empty, words, list(_tables(agreement)))


def _agreement(result: JudgeAgreement) -> Figure:
    systems, labels = result.systems.table, result.labels.table
    order = [str(judge) for judge in systems["tau_b"].sort_values(ascending=False, kind="stable").index]
    marks = [
        (row, kind, (labels if fact in FOUND_IN_LABELS else systems)[fact][judge])
        for row, judge in enumerate(order)
        for kind, fact in enumerate(FACTS)
    ]
    finite([mark[2] for mark in marks], "agreement is", "neither labels nor systems differ")
    found = [float(systems["tau_b"][judge]) for judge in order]
    most, reference = of_largest(order, found), shown(result.systems.reference)
    if most:
        seen = f"{who(most, 'orders', 'order')} systems most like {reference}"
    else:
        seen = f"{shown(order[0]) if len(order) == 1 else 'Each judge'} agrees with {reference} on the order of systems"
    seen += f": tau_b = {numeral(found[0], '.2f')}."
    settings = result.systems.settings
    notes = (
        f"1 is perfect agreement. Pairs of systems are significant by the {settings['test']} test with "
        f"{settings['correction'].capitalize()}'s correction at {settings['alpha']:g}."
    )
    form = strips("agreement", order, list(FACTS.values()), marks)
    return Figure("judge-agreement", f"Agreement of judges with {reference}", seen, notes, form)


def _tables(agreement: JudgeAgreement) -> Iterator[Table]:
    labels, systems = agreement.labels.table.reset_index(), agreement.systems.table.reset_index()
    yield table_of(
        "labels",
        "Agreement of labels with the reference",
        labels,
        kinds("text", "judge") | kinds("whole", "documents", "judged"),
        OF_LABELS,
    )
    yield table_of(
        "judge-systems",
        "Agreement on systems with the reference",
        systems.rename(columns={"source": "judge", "tau_ap_b": "tau_ap,b", "rbo": "RBO"}),
        kinds("text", "judge") | kinds("whole", "largest_move"),
        OF_SYSTEMS,
    )
    for number, source in enumerate(agreement.systems.table.index, 1):
        yield table_of(
            f"movers-{number}",
            f"Systems whose rank changes most under {shown(str(source))}",
            agreement.systems.movers(source).reset_index().set_axis(["system", *OF_MOVERS], axis="columns"),
            kinds("system", "system") | kinds("whole", *OF_MOVERS),
            OF_MOVERS,
        )

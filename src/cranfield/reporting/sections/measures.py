"""Measures: which to trust on this collection, and how far they agree."""

from __future__ import annotations

from itertools import combinations
from typing import TypeVar

import numpy as np

from cranfield._text import numeral, percent
from cranfield.charts.measures import chart_agreement, chart_reliability, chart_sensitivity, chart_stability
from cranfield.information.tau import InformationTaus
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, make_figure, strips
from cranfield.reporting.content import Column, Figure, Section, Table, kinds, make_table
from cranfield.statistics.numeric import finite
from cranfield.trust.measure_audit import MEANING, WHOLE
from cranfield.trust.reliability import Reliability
from cranfield.trust.stability import Stability

KINDS = (
    kinds("text", "measure") | kinds("whole", *WHOLE) | kinds("share", "swap_rate", "swap_se", "power", "used", "tied")
)
TIED = "on every topic, every pair of systems is tied by one of the measures"
EQUAL = 1e-9
"""The largest difference in bits that counts as none."""
Measured = TypeVar("Measured", Reliability, Stability)


def fill_measures(analyses: Analyses, section: Section) -> Section:
    """Fill the section; on a public page, only with what readers of the ranking need."""
    charts, outcomes = SectionCharts(analyses.inputs.redact), analyses.from_scores
    charts.add(
        outcomes.reliability,
        "Reliability by number of topics",
        lambda found: make_figure("d-study", chart_reliability(_by_measure(found))),
    )
    public = analyses.request.public
    if not public:
        charts.add(
            outcomes.stability,
            "Error rates by number of topics",
            lambda found: make_figure("error-rates", chart_stability(_by_measure(found))),
        )
        charts.add(
            outcomes.sensitivity,
            "Discriminative power",
            lambda found: make_figure("asl-curves", chart_sensitivity(found)),
        )
    charts.add(
        outcomes.agreement,
        "Agreement of measures",
        lambda found: make_figure("agreement-matrix", chart_agreement(found)),
    )
    if public:
        return charts.complete(section)
    charts.add(
        outcomes.agreement,
        "Top-weighted agreement of measures",
        lambda found: make_figure("agreement-at-the-top", chart_agreement(found, "tau_ap_b")),
    )
    charts.add(outcomes.taus, "Conditional information tau", _draw_taus)
    if len(analyses.inputs.measures) < 2:
        charts.omit("Agreement of measures", "there is only one measure to compare", warned=False)
    audit = outcomes.audit
    if audit.result is None:
        charts.omit("The audit", audit.reason or "")
        return charts.complete(section, _describe_ties(analyses, charts))
    table = make_table("audit", "Audit of the measures", audit.result.table.reset_index(), KINDS, MEANING)
    readings = [(name, audit.result.readings[name]) for name in analyses.inputs.measures[1:]]
    other_readings = Table(
        "readings",
        "The other measures in words",
        (Column("measure", "text"), Column("reading", "text")),
        tuple(readings),
    )
    reading = audit.result.readings[analyses.inputs.main_measure]
    if "summary" in analyses.request.shown_sections:  # it has the first sentence, about the number of topics
        reading = f"{analyses.inputs.main_measure}: {reading.partition('. ')[2]}"
    paragraphs = [reading, *_describe_ties(analyses, charts)]
    return charts.complete(section, paragraphs, [table, *([other_readings] if readings else [])])


def _describe_ties(analyses: Analyses, charts: SectionCharts) -> list[str]:
    """State how many comparisons RR leaves undecided, and how many of these a preference between lists decides."""
    outcome = analyses.from_rankings.ties
    if outcome.reason is not None:
        charts.omit("Ties of RR", outcome.reason, warned=False)
    ties = outcome.result
    if ties is None or not ties.comparisons:
        return []
    clause = f"RR cannot separate two systems in {percent(ties.tied / ties.comparisons)} of per-topic comparisons"
    if not ties.tied:
        return [f"{clause}."]
    decided = percent(ties.broken / ties.tied)
    return [f"{clause}; recall-paired preference, which compares complete lists, decides {decided} of those."]


def _by_measure(results: list[Measured]) -> dict[str, Measured]:
    return {result.measure: result for result in results}


def _draw_taus(result: InformationTaus) -> Figure:
    """Draw the information that two measures share, alone and with each third measure known."""
    names = [str(name) for name in result.value["measure"].values]
    conditions = [str(name) for name in result.value["given"].values]
    values, low, high = (
        array.transpose("measure", "other", "given").values for array in (result.value, result.low, result.high)
    )
    mark_kinds = ["(nothing)", *names]
    marks, rows = [], []
    nothing = conditions.index("")
    order = sorted(
        combinations(range(len(names)), 2), key=lambda pair: -np.nan_to_num(values[(*pair, nothing)], nan=-1)
    )
    for row, (a, b) in enumerate(order):
        rows.append(f"{names[a]} · {names[b]}")
        for third, condition in enumerate(conditions):
            if condition not in (names[a], names[b]):
                ends = () if condition else (low[a, b, third], high[a, b, third])
                kind = mark_kinds.index(condition) if condition else 0
                marks.append((row, kind, values[a, b, third], *ends))
    finite([values[(*pair, nothing)] for pair in order], "information tau is", TIED)
    largest = values[(*order[0], nothing)]
    first, second = (names[measure] for measure in order[0])
    equal = int(np.isclose([values[(*pair, nothing)] for pair in order], largest, rtol=0, atol=EQUAL).sum())
    most = f"{first} and {second} share the most" if equal < 2 else f"{equal:,} pairs of measures share the most"
    if 1 < equal == len(order):
        most = "Every two measures share the same"
    observation = f"{most} information about the order of systems: {numeral(largest, '.2f')} bits."
    notes = (
        f"In bits, with {result.settings['level']:.0%} intervals. The further left the mark of a third measure, the "
        "more of the agreement of the two it explains."
    )
    return Figure(
        "conditional-tau",
        "Information that two measures share, given a third",
        observation,
        notes,
        strips("information tau, bits", rows, mark_kinds, marks),
    )

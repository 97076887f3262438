"""Measures: which to trust on this collection, and how far they agree."""

from __future__ import annotations

from typing import TypeVar

from cranfield._text import percent
from cranfield.charts.information import chart_taus
from cranfield.charts.measures import chart_agreement, chart_reliability, chart_sensitivity, chart_stability
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import PageColumn, Section, Table, kinds, make_table
from cranfield.reporting.page_sections import PageSection, find_shown
from cranfield.trust.measure_audit import MEANING, WHOLE
from cranfield.trust.reliability import Reliability
from cranfield.trust.stability import Stability

KINDS = (
    kinds("text", "measure") | kinds("whole", *WHOLE) | kinds("share", "swap_rate", "swap_se", "power", "used", "tied")
)
Measured = TypeVar("Measured", Reliability, Stability)


def _fill(analyses: Analyses, section: Section) -> Section:
    """Fill the section; on a public page, only with what readers of the ranking need."""
    charts, outcomes = SectionCharts(analyses.inputs.redact), analyses.from_scores
    charts.add(
        outcomes.reliability,
        "Reliability by number of topics",
        lambda found: make_figure("d-study", chart_reliability(_by_measure(found))),
    )
    public = analyses.request.options["public"]
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
    charts.add(
        outcomes.taus, "Conditional information tau", lambda found: make_figure("conditional-tau", chart_taus(found))
    )
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
        (PageColumn("measure", "text"), PageColumn("reading", "text")),
        tuple(readings),
    )
    reading = audit.result.readings[analyses.inputs.main_measure]
    if "summary" in find_shown(analyses.request):  # it has the first sentence, about the number of topics
        reading = f"{analyses.inputs.main_measure}: {reading.partition('. ')[2]}"
    choice = [f"Which measure? {audit.result.answer('table')}"] if readings else []
    paragraphs = [*choice, reading, *_describe_ties(analyses, charts)]
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


SECTION = PageSection(
    title="Measures",
    place=60,
    fill=_fill,
)

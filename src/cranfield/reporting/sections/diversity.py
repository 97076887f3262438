"""Diversity: the coverage of intents by systems, and the relevance that they trade for it."""

from __future__ import annotations

from cranfield.charts.diversity import chart_diversity_plane, chart_intents
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import Section, kinds, make_table


def fill_diversity(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None where no intents are read."""
    diversity = analyses.from_rankings.diversity
    if not diversity.requested:
        return None
    charts = SectionCharts(analyses.inputs.redact)
    systems, topics = (
        {name: number for number, name in enumerate(names)}
        for names in (analyses.inputs.table.systems, analyses.inputs.table.topics)
    )
    charts.add(
        diversity,
        "Intent coverage and relevance",
        lambda plane: make_figure("diversity-plane", chart_diversity_plane(plane), systems),
    )
    charts.add(
        diversity,
        "Intent coverage",
        lambda plane: make_figure("intent-coverage", chart_intents(plane), systems, topics),
    )
    plane = diversity.result
    if plane is None:
        return charts.complete(section)
    paragraphs = [
        f"How systems trade intent coverage for relevance in the top {plane.settings['cutoff']} ranks. The combined "
        "measure is constant along each contour."
    ]
    sums = plane.systems.iloc[:, :2].sum(axis=1)
    frame = plane.systems.loc[sums.sort_values(ascending=False, kind="stable").index].reset_index()
    return charts.complete(
        section,
        paragraphs,
        [make_table("diversity", "Systems by intent coverage and relevance", frame, kinds("system", "system"))],
    )

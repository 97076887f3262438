"""Diversity: the coverage of intents by systems, and the relevance that they trade for it."""

from __future__ import annotations

from dataclasses import replace

from cranfield._message import setting
from cranfield.charts.diversity import chart_diversity_plane, chart_intents
from cranfield.comparison.diversity_plane import DiversityPlane, map_diversity
from cranfield.reporting.analyses import NOT_REQUESTED, Analyses
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import Section, kinds, make_table
from cranfield.reporting.inputs import ScoredRuns, reads_intents
from cranfield.reporting.page_sections import PageSection
from cranfield.reporting.request import RunsRequest
from cranfield.reporting.runner import AnalysisOutcome, AnalysisRunner


def _map(runner: AnalysisRunner, inputs: ScoredRuns, request: RunsRequest) -> AnalysisOutcome[DiversityPlane]:
    """Measure intent coverage; not requested where no intents are read."""
    table, reading = inputs.table, request.reading
    if not reads_intents(table.measures, reading):
        return NOT_REQUESTED
    runs = {run.name: run.data for run in table.runs}
    # The plane has a level of its own: an intent is covered by a document of label 1 or more.
    plane = replace(reading.weighed, rel=None)
    return runner.run(
        "measuring intent coverage", lambda: map_diversity(runs, table.qrels, cutoff=inputs.depth, reading=plane)
    )


def _fill(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None where no intents are read."""
    diversity: AnalysisOutcome[DiversityPlane] = analyses.own.get("diversity", NOT_REQUESTED)
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


SECTION = PageSection(
    title="Diversity",
    place=80,
    fill=_fill,
    needs=f"no intents are read, of judgments by intent, a measure of them or {setting('intent_weights')}",
    of_rankings=_map,
)

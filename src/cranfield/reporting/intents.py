"""Section on diversity: how systems trade intent coverage for relevance, where intents are given."""

from __future__ import annotations

from cranfield.reporting.analyses import Analyses
from cranfield.reporting.content import Section
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import kinds, table_of


def intents(analyses: Analyses, empty: Section) -> Section | None:
    """Coverage of intents; no section where no intents are read."""
    from cranfield import plot

    diversity = analyses.by_rankings.diversity
    if not diversity.asked:
        return None
    drawn = Drawings(analyses.public)
    drawn.add("diversity-plane", diversity, "Intent coverage and relevance", plot.diversity_plane)
    drawn.add("intent-coverage", diversity, "Intent coverage", plot.intent_coverage)
    plane = diversity.result
    if plane is None:
        return drawn.section(empty)
    words = [
        f"How systems trade intent coverage for relevance in the top {plane.settings['cutoff']} ranks. The combined "
        "measure is constant along each contour."
    ]
    frame = plane.systems.reset_index()
    return drawn.section(
        empty,
        words,
        [table_of("diversity", "Systems by intent coverage and relevance", frame, kinds("system", "system"))],
    )

"""Unjudged documents: what the runs would score if these were judged, with what is assumed about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from cranfield._text import shown
from cranfield.charts.holes import chart_holes
from cranfield.holes.result import HoleScores
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import Figure, Picture, Section, Table, kinds, make_table
from cranfield.reporting.page_sections import PageSection

MEANINGS = {
    "system": "with its unjudged documents",
    "estimate": "mean score if the unjudged documents were judged, under the assumption above",
    "lower": "lower end of what the missing labels leave open",
    "upper": "upper end of it",
    "zero": "mean score with unjudged documents as not relevant",
    "holes": "share of unjudged documents in these ranks",
    "topics_lower": "lower end of what other topics leave open, Student's interval of the estimate",
    "topics_upper": "upper end of it",
}
NEIGHBOUR_MEANINGS = {
    "system": "with the higher estimate",
    "other": "the next by estimate",
    "prob_better": "probability that the first one is better",
    "open": "whether unjudged documents leave their order open: by zero it is another one, or the probability is "
    "between .05 and .95",
}


def _fill(analyses: Analyses, section: Section) -> Section | None:
    """Fill the section; None where no estimates are requested."""
    result = analyses.from_rankings.holes
    if result is None:
        return None
    charts = SectionCharts(analyses.inputs.redact)
    names = list(dict.fromkeys(result.table.index.get_level_values("measure").tolist()))
    numbers = analyses.inputs.numbers
    for at, measure in enumerate(names, 1):
        draw = partial(_draw_estimates, result, measure, f"hole-intervals-{at}", numbers)
        charts.draw("Estimates", draw)
    tables = [table for number, measure in enumerate(names, 1) for table in _make_tables(result, measure, number)]
    return charts.complete(section, list(_describe(result)), tables)


def _describe(result: HoleScores) -> Iterator[str]:
    """Say what is assumed, first of all, and by which settings labels were drawn."""
    first, *others = (f"{line[0].upper()}{line[1:]}." for line in result.caveats)
    yield first
    settings = result.settings
    over = ", and topics" if settings["topic_sample"] == "sampled" else ""
    yield (
        f"What the runs would score if the unjudged documents of their first {settings['depth']} ranks were judged: "
        f"{settings['draws']:,} draws of labels{over}, seed {settings['seed']}. The leaderboard and the other "
        "sections do not use these estimates."
    )
    yield from others


def _draw_estimates(result: HoleScores, measure: str, id_: str, numbers: dict[str, int]) -> Figure:
    return make_figure(id_, chart_holes(result, measure), numbers)


def _make_tables(result: HoleScores, measure: str, number: int) -> Iterator[Table]:
    """Make the tables of estimates, and of neighbours where there are two runs or more."""
    table = result.to_frame()
    rows = table[table["measure"] == measure].sort_values("estimate", ascending=False, kind="stable")
    yield make_table(
        f"holes-{number}",
        f"Estimated {shown(measure)}, under the assumption above",
        rows[list(MEANINGS)],
        kinds("system", "system") | kinds("share", "holes"),
        MEANINGS,
        set(MEANINGS) - {"lower", "upper", "topics_lower", "topics_upper"},
        (Picture("estimate, interval", ("estimate", "lower", "upper"), "lower"),),
    )
    neighbours = result.neighbours[result.neighbours["measure"] == measure]
    if len(neighbours):
        yield make_table(
            f"hole-neighbours-{number}",
            f"Neighbours by estimated {shown(measure)}",
            neighbours[list(NEIGHBOUR_MEANINGS)],
            kinds("system", "system", "other") | kinds("truth", "open"),
            NEIGHBOUR_MEANINGS,
        )


SECTION = PageSection(
    title="Unjudged documents",
    place=30,
    fill=_fill,
    needs="no estimates of them were requested",
)

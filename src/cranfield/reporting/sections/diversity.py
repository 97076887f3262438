"""Diversity: the coverage of intents by systems, and the relevance that they trade for it."""

from __future__ import annotations

import numpy as np

from cranfield._text import counted, shown
from cranfield.charts.sentences import find_largest, with_verb
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, heat, points
from cranfield.reporting.content import Figure, Section, kinds, make_table
from cranfield.scores.scale import best_first
from cranfield.statistics.numeric import finite

INTENT_COLUMNS = ["probability", "relevant"]
"""Columns of the coverage that describe intents, not systems."""


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
    charts.add(diversity, "Intent coverage and relevance", lambda result: _draw_plane(result, systems))
    charts.add(diversity, "Intent coverage", lambda result: _draw_coverage(result, systems, topics))
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


def _draw_plane(result: DiversityPlane, numbers: dict[str, int]) -> Figure:
    """Draw systems in the plane of coverage and relevance."""
    across, up = (str(name) for name in result.systems.columns[:2])
    xs, ys = result.systems[across].tolist(), result.systems[up].tolist()
    finite(xs + ys, "coverage and relevance are", "no system has a score")
    positions = [(numbers[str(name)], x, y) for name, x, y in zip(result.systems.index, xs, ys, strict=True)]
    contours = [
        (row["gamma"], row["x0"], row["y0"], row["x1"], row["y1"]) for _, row in result.contours.dropna().iterrows()
    ]
    best = find_largest(list(map(str, result.systems.index)), [x + y for x, y in zip(xs, ys, strict=True)])
    observation = (
        f"{with_verb(best, 'has', 'have')} the largest sum of both." if best else "No system has a larger sum of both."
    )
    notes = "On each line, a weighted mean of the two is constant; gamma is the weight of I-rec."
    form = points(across, up, positions, contours=contours)
    return Figure("diversity-plane", f"{shown(up)} against {shown(across)}", observation, notes, form)


def _draw_coverage(result: DiversityPlane, systems: dict[str, int], topics: dict[str, int]) -> Figure:
    """Draw the share of each topic's intents that each system covers."""
    covered = result.coverage.drop(columns=INTENT_COLUMNS)
    shares = covered.groupby(level="topic", sort=False).mean()
    values = shares.to_numpy(dtype=np.float64)
    rows = best_first(values.mean(axis=0), [str(name) for name in shares.columns])
    columns = best_first(values.mean(axis=1), [str(name) for name in shares.index])
    missed = int((covered.to_numpy().sum(axis=1) == 0).sum())
    observation = (
        f"No system covers {missed:,} of {counted(len(covered), 'intent')}."
        if missed
        else (f"Each of {counted(len(covered), 'intent')} is covered by some system.")
    )
    notes = f"Share of a topic's intents with a relevant document in the first {result.settings['cutoff']} ranks."
    form = heat(
        "covered",
        [systems[str(shares.columns[row])] for row in rows],
        [topics[str(shares.index[column])] for column in columns],
        values[np.ix_(columns, rows)].T.tolist(),
        smaller=False,
    )
    return Figure("intent-coverage", "Intents covered", observation, notes, form)

"""Section on diversity: how systems trade intent coverage for relevance, where intents are given."""

from __future__ import annotations

import numpy as np

from cranfield._text import counted, shown
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.reporting.charts import Drawings, heat, points
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Figure, Section
from cranfield.reporting.leaders import of_largest, who
from cranfield.reporting.tables import kinds, table_of
from cranfield.scores.ordering import best_first
from cranfield.statistics._numeric import finite

FACTS = ["probability", "relevant"]
"""Columns of the coverage that are about intents and not systems."""


def intents(analyses: Analyses, empty: Section) -> Section | None:
    """Coverage of intents; no section where no intents are read."""
    diversity = analyses.by_rankings.diversity
    if not diversity.asked:
        return None
    drawn = Drawings(analyses.public)
    names = analyses.table.systems, analyses.table.topics
    systems, topics = ({name: at for at, name in enumerate(of)} for of in names)
    drawn.add(diversity, "Intent coverage and relevance", lambda found: _plane(found, systems))
    drawn.add(diversity, "Intent coverage", lambda found: _coverage(found, systems, topics))
    plane = diversity.result
    if plane is None:
        return drawn.section(empty)
    words = [
        f"How systems trade intent coverage for relevance in the top {plane.settings['cutoff']} ranks. The combined "
        "measure is constant along each contour."
    ]
    both = plane.systems.iloc[:, :2].sum(axis=1)
    frame = plane.systems.loc[both.sort_values(ascending=False, kind="stable").index].reset_index()
    return drawn.section(
        empty,
        words,
        [table_of("diversity", "Systems by intent coverage and relevance", frame, kinds("system", "system"))],
    )


def _plane(result: DiversityPlane, number: dict[str, int]) -> Figure:
    across, up = (str(name) for name in result.systems.columns[:2])
    xs, ys = result.systems[across].tolist(), result.systems[up].tolist()
    finite(xs + ys, "coverage and relevance are", "no system has a score")
    places = [(number[str(name)], x, y) for name, x, y in zip(result.systems.index, xs, ys, strict=True)]
    contours = [
        (row["gamma"], row["x0"], row["y0"], row["x1"], row["y1"]) for _, row in result.contours.dropna().iterrows()
    ]
    best = of_largest(list(map(str, result.systems.index)), [x + y for x, y in zip(xs, ys, strict=True)])
    seen = f"{who(best, 'has', 'have')} the largest sum of both." if best else "No system has a larger sum of both."
    notes = "On each line, a weighted mean of the two is constant; gamma is the weight of I-rec."
    form = points(across, up, places, contours=contours)
    return Figure("diversity-plane", f"{shown(up)} against {shown(across)}", seen, notes, form)


def _coverage(result: DiversityPlane, systems: dict[str, int], topics: dict[str, int]) -> Figure:
    covered = result.coverage.drop(columns=FACTS)
    shares = covered.groupby(level="topic", sort=False).mean()
    values = shares.to_numpy(dtype=np.float64)
    rows = best_first(values.mean(axis=0), [str(name) for name in shares.columns])
    columns = best_first(values.mean(axis=1), [str(name) for name in shares.index])
    missed = int((covered.to_numpy().sum(axis=1) == 0).sum())
    seen = (
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
    return Figure("intent-coverage", "Intents covered", seen, notes, form)

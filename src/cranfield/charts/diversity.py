"""The charts of diversity: intents, and relevance beside them."""

from __future__ import annotations

import numpy as np

from cranfield._text import counted, shown
from cranfield.charts.form import Axis, Contour, Heat, Point, Points
from cranfield.charts.sentences import find_largest, find_smallest, with_verb
from cranfield.comparison.diversity_plane import DiversityPlane
from cranfield.scores.scale import best_first
from cranfield.statistics.numeric import finite

INTENT_COLUMNS = ["probability", "relevant"]
"""Columns of the coverage that describe intents, not systems."""


def chart_diversity_plane(result: DiversityPlane) -> Points:
    """Systems by coverage of intents and relevance, with lines of equal weighted means of both.

    Raises:
        InputError: coverage or relevance is undefined for all systems.
    """
    across, up = (str(name) for name in result.systems.columns[:2])
    xs, ys = result.systems[across].to_numpy(), result.systems[up].to_numpy()
    finite([*xs, *ys], "coverage and relevance are", "no system has a score")
    names = [str(name) for name in result.systems.index]
    best = find_largest(names, (xs + ys).tolist())
    topics = result.coverage.index.get_level_values("topic").nunique()
    return Points(
        title=f"{shown(up)} against {shown(across)}",
        sentence=f"{with_verb(best, 'has', 'have')} the largest sum of both."
        if best
        else "No system has a larger sum of both.",
        counts=f"{counted(len(names), 'system')}, {counted(topics, 'topic')}",
        notes=(
            "On each line, a weighted mean of the two is constant; gamma is the weight of I-rec.",
            f"Intent weights: {shown(str(result.settings['intent_weights']))}.",
        ),
        x=Axis(across),
        y=Axis(up),
        of="system",
        points=tuple(Point(names[at], float(xs[at]), float(ys[at])) for at in np.argsort(-ys, kind="stable").tolist()),
        contours=tuple(
            Contour(f"{row['gamma']:g}", *(float(row[name]) for name in ("level", "x0", "y0", "x1", "y1")))
            for _, row in result.contours.dropna().iterrows()
        ),
        group="gamma",
    )


def chart_intents(result: DiversityPlane) -> Heat:
    """Share of each topic's intents with a relevant document in the first ranks of each system."""
    covered = result.coverage.drop(columns=INTENT_COLUMNS)
    by_topic = covered.groupby(level="topic", sort=False)
    shares, sizes = by_topic.mean(), by_topic.size()
    values = shares.to_numpy(dtype=np.float64)
    systems, topics = [str(name) for name in shares.columns], [str(name) for name in shares.index]
    rows, columns = best_first(values.mean(axis=0), systems), best_first(values.mean(axis=1), topics)
    missed = int((covered.to_numpy().sum(axis=1) == 0).sum())
    of = counted(len(covered), "intent")
    found = f"no system covers {missed:,} of {of}" if missed else f"each of {of} is covered by some system"
    least = find_smallest(topics, values.mean(axis=1).tolist())
    if least:
        found = f"Topic{'s'[: len(least) > 1]} {with_verb(least, 'is', 'are')} covered least; {found}"
    return Heat(
        title=f"Intents covered in the first {result.settings['cutoff']} ranks",
        sentence=f"{found[0].upper()}{found[1:]}.",
        counts=f"{counted(len(topics), 'topic')}, {of}, {counted(len(systems), 'system')}",
        notes=(
            "Share of a topic's intents with a relevant document in these ranks; the more a cell stands out, the more.",
            "Systems that cover most on top, topics covered most on the left.",
        ),
        of=Axis("covered", share=True),
        systems=tuple(systems[row] for row in rows),
        topics=tuple(topics[column] for column in columns),
        values=tuple(map(tuple, values[np.ix_(columns, rows)].T.tolist())),
        domain=(0.0, 1.0),
        sizes=tuple(int(sizes.iloc[column]) for column in columns),
        parts="intents",
    )

"""The charts of systems: their means, and how the information in their rankings differs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._text import counted, numeral
from cranfield._typing import Floats
from cranfield.charts.form import Axis, Interval, Intervals, Point, Points, Tree
from cranfield.charts.sentences import find_largest, join_names, name_pairs, with_verb
from cranfield.information.difference import InformationDifference
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores
from cranfield.statistics.chart_statistics import brackets
from cranfield.statistics.intervals import mean_interval
from cranfield.statistics.rounding import NOISE


def chart_means(scores: ScoresLike | Scores, level: float = 0.95) -> Intervals:
    """Mean score of every system with the interval of each mean by itself, Student's, over topics; best first."""
    matrix = open_scores(scores)
    low, high = mean_interval(matrix.values, level)
    means = matrix.means
    best = find_largest(matrix.systems, matrix.comparable_means.tolist())
    ends = " to ".join(numeral(means[matrix.leaderboard[at]], ".4f") for at in (0, -1))
    leads = f"{with_verb(best, 'has', 'have')} the best" if best else "No system has a better mean than another"
    return Intervals(
        title=f"Means of {counted(len(matrix.systems), 'system')} by {matrix.called}",
        sentence=f"{leads}, {ends}." if not best else f"{leads} mean; means go from {ends}.",
        counts=f"{counted(len(matrix.topics), 'topic')}, {counted(len(matrix.systems), 'system')}",
        notes=(
            f"Bars: {level:.0%} intervals of each mean by itself.",
            "Two systems can differ significantly where their bars overlap.",
        ),
        x=Axis(f"mean {matrix.called}"),
        rows=tuple(
            Interval(matrix.systems[at], float(means[at]), float(low[at]), float(high[at])) for at in matrix.leaderboard
        ),
        value=f"mean {matrix.called}",
        interval=f"{level:.0%} interval",
    )


def chart_system_map(result: InformationDifference) -> Points:
    """Systems at distances that approximate their information differences, the stronger the larger their RIC."""
    positions, ric = result.map(2), result.ric.values
    apart = _exclude_self(result)
    nearest = apart.min(axis=1)
    names = [str(name) for name in positions.index]
    return Points(
        title="Map of systems by information difference",
        sentence=_name_closest(names, apart),
        counts=counted(len(names), "system"),
        notes=(
            "Close systems carry similar information about relevance; those of a stronger colour carry more of it "
            "(RIC, in bits).",
        ),
        x=Axis("bits"),
        y=Axis("bits"),
        of="system",
        points=tuple(
            Point(
                names[at],
                float(positions.iloc[at, 0]),
                float(positions.iloc[at, 1]),
                float(ric[at]),
                f"nearest: {join_names([names[row] for row in near])}, {nearest[at]:.3f} bits apart",
            )
            # Those that stand alone are named first.
            for at in np.argsort(-nearest, kind="stable").tolist()
            for near in [np.flatnonzero(apart[at] <= nearest[at] + NOISE).tolist()]
        ),
        shade="RIC",
    )


def _exclude_self(result: InformationDifference) -> Floats:
    """Information differences, infinite between a system and itself, [systems, systems]."""
    difference: Floats = result.difference.to_numpy().copy()
    np.fill_diagonal(difference, np.inf)
    return difference


def _name_closest(names: Sequence[str], apart: Floats) -> str:
    """Name the two systems that carry the most similar information."""
    pairs = apart[np.triu_indices(len(apart), 1)]
    least = float(pairs.min())
    closest = [(names[a], names[b]) for a, b in np.argwhere(np.triu(apart <= least + NOISE, 1)).tolist()]
    if len(closest) == len(pairs) > 1:
        return f"Every two systems are {least:.3f} bits apart."
    return f"{name_pairs(closest)} carry the most similar information, {least:.3f} bits apart."


def chart_families(result: InformationDifference, linkage: str = "average") -> Tree:
    """Systems as leaves of a tree; each join lies at the information difference of its parts.

    Args:
        result: two systems or more.
        linkage: average, complete or single.

    Raises:
        UsageError: another linkage, or one system.
    """
    from scipy.cluster.hierarchy import fcluster, leaves_list

    joints = result.linkage(linkage)
    names = [str(name) for name in result.ric["system"].values]
    order = leaves_list(joints).tolist()
    families: dict[int, list[str]] = {}
    for name, family in zip(names, fcluster(joints, joints[0][2] + NOISE, "distance").tolist(), strict=True):
        families.setdefault(family, []).append(name)
    first = "; ".join(sorted(join_names(family) for family in families.values() if len(family) > 1))
    return Tree(
        title="Families of systems by information difference",
        sentence=f"{first} join first, {joints[0][2]:.3f} bits apart.",
        counts=f"{counted(len(names), 'system')}, {linkage} linkage",
        notes=("A join lies at the information difference of its two parts; near 0, the same information.",),
        x=Axis("information difference", "bits"),
        leaves=tuple(names[row] for row in order),
        joints=tuple(brackets(joints, order)),
    )

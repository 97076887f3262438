"""The chart of mean ranks with a critical difference, as the field of machine learning draws it."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, numeral
from cranfield.boards.ranking import Board
from cranfield.comparison.mean_ranks import MeanRankComparison
from cranfield.comparison.ranked_systems import RankedSystems
from cranfield.comparison.result import Comparison
from cranfield.errors import UsageError
from cranfield.plot._altair import alt
from cranfield.plot._data import hover, inline
from cranfield.plot._names import describe_best, label
from cranfield.plot._theme import BLACK, INK, QUIET, choice, layered, styled, unless_chosen

PANEL_WIDTH = 420
LINE = 15
"""Pixels between the names of systems, and between other things that stand below each other."""
NO_FRAME: dict[str, Any] = {"view": {"stroke": None}}
"""The properties of a chart without a line around it."""
MOST = 40
"""Systems whose names can still be read beside an axis of ranks."""


def critical_difference(result: MeanRankComparison | Comparison | Board) -> alt.LayerChart:
    """Systems on an axis of mean ranks, the best on the right, with bars over those that do not differ.

    The bar above the axis is Nemenyi's critical difference: systems that a bar below the axis joins have mean ranks
    that differ by less.

    Args:
        result: of ``cranfield.comparison.compare_mean_ranks``, of ``cranfield.compare`` with ``test="nemenyi"``, or of
            ``cranfield.board`` with ``aggregate="mean-rank"`` on complete scores.

    Raises:
        UsageError: it has no mean ranks, or more systems than can be named.

    Reference:
        Demsar 2006, Statistical comparisons of classifiers over multiple data sets. JMLR 7.
    """
    ranked = result.ranked
    if ranked is None:
        raise UsageError(
            f"the chart shows mean ranks: take compare_mean_ranks, compare with {setting('test', 'nemenyi')}, or a "
            f"board with {setting('aggregate', 'mean-rank')} on complete scores"
        )
    if len(ranked.systems) > MOST:
        raise UsageError(
            f"{len(ranked.systems):,} systems are too many to name beside an axis: compare {MOST} or fewer"
        )
    if np.isnan([*ranked.mean_ranks, ranked.critical_difference]).any():
        raise UsageError("no mean ranks are known: there is nothing to draw")
    names = [label(name) for name in ranked.systems]
    what = "tasks" if isinstance(result, Board) else "topics"
    measure = "" if isinstance(result, Board) else f" by {label(result.measure)}"
    title = f"Mean ranks of {counted(len(names), 'system')}{measure}"
    notes = [
        f"{ranked.topics:,} {what}; 1 is the best; bars join systems that Nemenyi's test does not separate at "
        f"{ranked.alpha:g}"
    ]
    some = "; ".join(f"{name} {rank:.4g}" for name, rank in zip(names[:10], ranked.mean_ranks, strict=False))
    best = describe_best(ranked.systems, -np.array(ranked.mean_ranks))
    critical = f"Critical difference {ranked.critical_difference:.4f}"
    chart, height = _draw(ranked, names)
    return styled(chart, title, notes, f"{title}. {critical}. Best: {best}. Mean ranks: {some}.", **height)


def join_groups(ranked: RankedSystems) -> list[tuple[int, int]]:
    """The first and the last system of each bar: neighbours that do not differ, and as many of them as there are."""
    ranks, bars = ranked.mean_ranks, list[tuple[int, int]]()
    for first in range(len(ranks)):
        last = max(at for at in range(first, len(ranks)) if not ranked.different[first, at])
        if last > first and (not bars or last > bars[-1][1]):
            bars.append((first, last))
    return bars


def _draw(ranked: RankedSystems, names: list[str]) -> tuple[alt.LayerChart, dict[str, Any]]:
    """Draw the axis, the systems, the bars and the critical difference, in lines below each other."""
    ranks, count, bars = ranked.mean_ranks, len(names), join_groups(ranked)
    # Names of the better half stand on the right, the best on top.
    half = (count + 1) // 2
    depth = [at if at < half else count - 1 - at for at in range(count)]
    below = 1.0 + 0.5 * len(bars)
    lowest = below + 0.5 + max(depth)
    x = alt.Scale(domain=[count + 0.3, 0.7], nice=False, zero=False)
    y = alt.Scale(domain=[-3.0, lowest + 0.5], reverse=True, nice=False, zero=False)
    across, down = alt.X("rank:Q", scale=x, axis=None), alt.Y("line:Q", scale=y, axis=None)
    rows = [
        {"system": name, "rank": rank, "line": below + 0.5 + depth[at], "end": 0.7 if at < half else count + 0.3}
        | {"axis": 0.0}
        for at, (name, rank) in enumerate(zip(names, ranks, strict=True))
    ]
    system = choice("system")
    systems = alt.Chart(inline(rows)).encode(
        x=across,
        y=down,
        opacity=unless_chosen(system),
        tooltip=[*hover("system:N"), *hover("rank:Q", form=".4f")],
    )
    texts = [
        systems.transform_filter(alt.datum.end < 1 if right else alt.datum.end > 1)
        .mark_text(align="left" if right else "right", dx=4 if right else -4, color=INK)
        .encode(x=alt.X("end:Q", scale=x, axis=None), text=alt.Text("system:N"))
        for right in (True, False)
    ]
    layers = [
        systems.mark_rule(color=QUIET)
        .encode(y=alt.Y("axis:Q", scale=y, axis=None), y2=alt.Y2("line:Q"))
        .add_params(system),
        systems.mark_rule(color=QUIET).encode(x2=alt.X2("end:Q")),
        *texts,
        *_draw_axis(count, x, y),
        *_draw_bars(ranked, bars, x, y),
    ]
    return layered(*layers), {"width": PANEL_WIDTH, "height": round(LINE * (lowest + 3.5))} | NO_FRAME


def _draw_axis(count: int, x: alt.Scale, y: alt.Scale) -> list[alt.Chart]:
    """Draw the axis of ranks, with as many numbers as can be read."""
    step = max(1, count // 12)
    ticks = [{"rank": rank, "text": str(rank), "line": 0.0, "up": -0.25} for rank in range(1, count + 1, step)]
    base = alt.Chart(inline(ticks)).encode(x=alt.X("rank:Q", scale=x, axis=None), y=alt.Y("line:Q", scale=y, axis=None))
    line = alt.Chart(inline([{"from": 1, "to": count, "line": 0.0}])).encode(
        x=alt.X("from:Q", scale=x, axis=None), x2=alt.X2("to:Q"), y=alt.Y("line:Q", scale=y, axis=None)
    )
    return [
        line.mark_rule(color=BLACK),
        base.mark_rule(color=BLACK).encode(y2=alt.Y2("up:Q")),
        base.mark_text(dy=-10, color=INK).encode(text=alt.Text("text:N")),
    ]


def _draw_bars(ranked: RankedSystems, bars: list[tuple[int, int]], x: alt.Scale, y: alt.Scale) -> list[alt.Chart]:
    """Draw a bar for each group below the axis, and the critical difference above it, beginning at rank 1."""
    ranks = ranked.mean_ranks
    joined = [
        {"from": ranks[first] - 0.05, "to": ranks[last] + 0.05, "line": 0.5 + 0.5 * number}
        for number, (first, last) in enumerate(bars)
    ]
    far = min(1.0 + ranked.critical_difference, len(ranks) + 0.3)
    text = f"critical difference {numeral(ranked.critical_difference, '.4f')}"
    above = [{"from": 1.0, "to": far, "line": -1.7, "middle": (1.0 + far) / 2.0, "text": text}]
    thick, thin = (
        alt.Chart(inline(rows)).encode(
            x=alt.X("from:Q", scale=x, axis=None), x2=alt.X2("to:Q"), y=alt.Y("line:Q", scale=y, axis=None)
        )
        for rows in (joined, above)
    )
    words = alt.Chart(inline(above)).encode(
        x=alt.X("middle:Q", scale=x, axis=None), y=alt.Y("line:Q", scale=y, axis=None), text=alt.Text("text:N")
    )
    return [
        thick.mark_rule(color=BLACK, strokeWidth=4),
        thin.mark_rule(color=BLACK, strokeWidth=1.5),
        words.mark_text(dy=-9, color=INK),
    ]

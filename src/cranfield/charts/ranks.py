"""The chart of ranks: between which ranks each system of a leaderboard or of a board lies."""

from __future__ import annotations

from typing import Literal

from cranfield._text import counted, numeral, shown
from cranfield.boards.ranking import Board
from cranfield.charts.form import UNKNOWN, Axis, Interval, Intervals
from cranfield.charts.sentences import join_names
from cranfield.comparison.ranks import RankIntervals
from cranfield.comparison.team_ranks import TeamRanks
from cranfield.errors import UsageError


def chart_ranks(result: RankIntervals | TeamRanks | Board, alone: bool = True) -> Intervals:
    """The rank of every system, or team, with its interval; best first.

    Args:
        result: ranks with intervals for all systems together.
        alone: whether intervals of each system by itself, where there are any, are the bars, and the others thin lines.

    Raises:
        UsageError: a board without intervals.
    """
    table = result.table
    if "low" not in table:
        raise UsageError("the chart shows ranks with intervals: values_only=True leaves them out")
    of: Literal["system", "team"] = "team" if isinstance(result, TeamRanks) else "system"
    value, by, sample = _describe(result)
    single, level = alone and "marginal_low" in table, f"{100 * (1 - result.settings['alpha']):.4g}%"
    first, count = result.among_best(1), counted(len(table), of)
    bars = f"Bars: {level} intervals"
    ends = ("rank", "marginal_low", "marginal_high", "low", "high") if single else ("rank", "low", "high")
    return Intervals(
        title=f"Ranks of {count} by {by}",
        sentence=f"Only {shown(first[0])} may be the best."
        if len(first) == 1
        else f"{counted(len(first), of)} may be the best: {join_names(first)}.",
        counts=f"{count}; points: ranks on these {sample}",
        notes=(f"{bars} of one {of} that is chosen beforehand.", f"Thin lines: of all {of}s together.")
        if single
        else (f"{bars}, all {of}s together.",),
        x=Axis("rank, 1 is the best", whole=True),
        rows=tuple(
            Interval._make((str(name), *numbers, *[UNKNOWN] * (6 - len(ends)), f"{value} {numeral(mean, '.4f')}"))
            for name, numbers, mean in zip(
                table.index,
                table[[*ends]].astype(float).itertuples(index=False, name=None),
                table["value" if isinstance(result, Board) else "mean"].tolist(),
                strict=True,
            )
        ),
        value="rank",
        interval=f"{level} interval{' by itself' if single else ''}",
        outer=f"{level} interval, all {of}s together" if single else "",
        of=of,
    )


def _describe(result: RankIntervals | TeamRanks | Board) -> tuple[str, str, str]:
    """Return the name of the value, the words for what systems are ranked by, and the name of the sampled units."""
    if isinstance(result, Board):
        aggregate = shown(result.settings["aggregate"])
        return aggregate, aggregate, result.settings["sampled"]
    measure = shown(result.measure)
    best = ", best run of each" if isinstance(result, TeamRanks) else ""
    return f"mean {measure}", measure + best, "topics"

"""Results of scores under holes: leaderboards, differences, and what to judge next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield._text import counted
from cranfield.results.columns import Column
from cranfield.results.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class HoleScores(Result):
    """Scores of runs with holes, each with an interval.

    Args:
        table: of each ``measure`` and ``system`` (the index): ``zero`` (holes count as not relevant), ``estimate``,
            ``lower`` and ``upper`` (what the missing labels leave open), ``holes``, the share of unjudged documents in
            the first ``depth``; ``topics_lower`` and ``topics_upper``, Student's interval over topics of the estimate
            (what other topics leave open).
        neighbours: of each ``measure``: ``system`` and ``other``, next to each other by estimate, ``prob_better``, and
            whether their order is ``open``: the one by zero is another one, or .05 < P < .95.
        caveats: what the numbers rest on.
        settings: ``mode``, ``depth``, ``hole_offset``, ``draws``, ``level``, ``topic_sample``, ``seed``, and the
            spreads.
        signature: all that changes these numbers.
    """

    table: pd.DataFrame
    neighbours: pd.DataFrame
    caveats: tuple[str, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class HoleComparison(Result):
    """The difference of two runs with holes.

    Args:
        system: the first run.
        other: the second one.
        measure: what they are compared by.
        zero: the difference if holes count as not relevant.
        estimate: the mean of the draws.
        lower: end of the interval.
        upper: end of the interval.
        prob_better: share of draws in which the first one is better, half of equal ones.
        caveats: what the numbers rest on.
        settings: as of ``HoleScores``.
        signature: all that changes these numbers.
    """

    system: str
    other: str
    measure: str
    zero: float
    estimate: float
    lower: float
    upper: float
    prob_better: float
    caveats: tuple[str, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class HoleJudgments(Result):
    """Unjudged documents whose labels would say most about the difference of two runs.

    Args:
        documents: a row for each ``topic`` and ``document``, the largest value first.
        caveats: what the numbers rest on.
        settings: as of ``HoleScores``, with ``system``, ``other`` and ``measure``.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "documents": (
            Column("document"),
            Column("value", "variance that the label takes off the difference of its topic"),
        )
    }
    documents: pd.DataFrame
    caveats: tuple[str, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """What was drawn, what it rests on, and what the value is."""
        described = f"{self.settings['measure']}; {describe_settings(self.settings, 2)}"
        return "\n".join([described, *self.caveats, "value: variance that the label takes off the difference"])


def describe_settings(settings: Mapping[str, Any], runs: int) -> str:
    """Describe what was estimated: mode, depth, draws and what the intervals are over."""
    parts = [
        f"mode {settings['mode']}",
        f"unjudged documents of the first {settings['depth']} of {counted(runs, 'run')}",
    ]
    parts.append(f"{settings['draws']:,} draws, seed {settings['seed']}")
    if "level" in settings:
        over = "topics sampled, too" if settings["topic_sample"] == "sampled" else "these topics"
        parts.append(f"{100 * settings['level']:g}% intervals, {over}")
    return "; ".join(parts)

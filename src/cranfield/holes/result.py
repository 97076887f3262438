"""Results of scores under holes: leaderboards, differences, and what to judge next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield._text import counted, join_first, shown
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.results.sheet import Sheet

if TYPE_CHECKING:
    import pandas as pd

PRINTED = ("measure", "system", "estimate", "lower", "upper", "zero", "holes")
"""Columns of a leaderboard, in their order."""
LIMITS = {"lower": "low", "upper": "high"}
"""Limits of an interval -> what people read in one column."""


@dataclass(frozen=True, eq=False, repr=False)
class HoleScores(Result):
    """Scores of runs with holes, each with an interval.

    Args:
        table: a row for each ``measure`` and ``system`` (the index).
        neighbours: of each ``measure``: ``system`` and ``other``, next to each other by estimate, ``prob_better``, and
            whether their order is ``open``: the one by zero is another one, or .05 < P < .95.
        caveats: what the numbers rest on.
        settings: of the model, with its spreads, and the options.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("zero", "the score if holes count as not relevant"),
            Column("estimate", "the mean of the draws"),
            Column("lower", "what the missing labels leave open"),
            Column("upper"),
            Column("holes", "share of unjudged documents in these ranks"),
            Column("topics_lower", "Student's interval over topics of the estimate: what other topics leave open"),
            Column("topics_upper"),
        )
    }
    table: pd.DataFrame
    neighbours: pd.DataFrame
    caveats: tuple[str, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The best of each measure first."""
        rows = self.to_frame(table)
        if table != "table":
            return rows
        order = {name: at for at, name in enumerate(dict.fromkeys(rows["measure"]))}
        best = rows.assign(order=rows["measure"].map(order)).sort_values(
            ["order", "estimate"], ascending=[True, False], kind="stable", ignore_index=True
        )
        return best[list(PRINTED)]

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """With the interval in one column."""
        return super().for_people(table, rows).rename(columns=LIMITS)

    def for_paper(self, table: str, rows: pd.DataFrame) -> Sheet:
        """As for people."""
        return Sheet.from_frame(self.for_people(table, rows), self.caption(table), self.signature)

    def caption(self, table: str) -> str:
        """Describe the draws and their caveats, and name runs whose order holes leave undecided."""
        if table != "table":
            return ""
        lines = [describe_settings(self.settings, self.table.index.get_level_values("system").nunique()), *self.caveats]
        lines += self._open_orders()
        return "\n".join(
            [*lines, "zero: holes count as not relevant; holes: share of unjudged documents in these ranks"]
        )

    def _open_orders(self) -> list[str]:
        """A line on the neighbours whose order holes leave open."""
        rows = self.neighbours[self.neighbours["open"].astype(bool)]
        if rows.empty:
            return []
        several = self.neighbours["measure"].nunique() > 1
        pairs = [
            f"{shown(system)} and {shown(other)} ({f'{measure}, ' if several else ''}P {p:.2f})"
            for measure, system, other, p in zip(
                *(rows[name].tolist() for name in ("measure", "system", "other", "prob_better")), strict=True
            )
        ]
        return [f"holes leave the order open of {join_first(pairs)}"]


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
        """Describe the draws and their caveats, and explain the column ``value``."""
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

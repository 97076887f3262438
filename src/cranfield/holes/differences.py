"""Differences between runs whose unjudged documents are modelled: ``estimate_differences``, ``compare`` under holes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from cranfield._message import setting
from cranfield._text import shown
from cranfield._typing import Progress
from cranfield._validation import list_names
from cranfield.collection.reading import InputOptions
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption, BaselineOption, SeedOption, TopicSampleOption
from cranfield.errors import InputError, UsageError
from cranfield.holes.fitting import estimate_holes
from cranfield.holes.leaderboard import FROM_ALL_TOPICS, count_blocks
from cranfield.holes.options import (
    DrawsOption,
    ModelOptions,
)
from cranfield.holes.result import LIMITS, describe_settings
from cranfield.holes.scoring import get_cutoff
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import MeasureLike
from cranfield.results.columns import Column
from cranfield.results.frames import sort_by_size
from cranfield.results.result import Result
from cranfield.scoring import read_measures

if TYPE_CHECKING:
    import pandas as pd

DEPTH = 100
"""Ranks that are looked at by a measure without a cutoff."""


@dataclass(frozen=True, eq=False, repr=False)
class HoleDifferences(Result):
    """Differences of pairs of runs with holes, all by the same draws of labels.

    Args:
        pairs: a row a pair.
        measure: what they are compared by.
        systems: the names of the runs.
        caveats: what the numbers rest on.
        settings: as of ``HoleScores``.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "pairs": (
            Column("system"),
            Column("other", "the run that it is compared with"),
            Column("difference", "the mean of the draws"),
            Column("lower", "what the missing labels leave open"),
            Column("upper"),
            Column("zero", "the difference if holes count as not relevant"),
            Column("prob_better", "share of draws in which the first one is better, half of equal ones"),
        )
    }
    pairs: pd.DataFrame
    measure: str
    systems: tuple[str, ...]
    caveats: tuple[str, ...]
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The largest differences first."""
        rows = self.to_frame(table)
        return sort_by_size(rows) if table == "pairs" else rows

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """With the interval in one column."""
        return rows.rename(columns=LIMITS)

    def caption(self, table: str) -> str:
        """Describe the draws and their caveats, and count the pairs that holes leave undecided."""
        if table != "pairs":
            return ""
        lines = [f"{shown(self.measure)}; {describe_settings(self.settings, len(self.systems))}", *self.caveats]
        undecided = int(((self.pairs["lower"] <= 0) & (self.pairs["upper"] >= 0)).sum())
        if undecided and len(self.pairs) > 1:
            lines.append(f"cannot tell, because of holes: {undecided:,} of {len(self.pairs):,} pairs")
        elif undecided:
            lines.append("cannot tell which is better, because of holes")
        return "\n".join(lines)


@analysis(
    "compare",
    "",
    FromRuns(("nDCG@10",), measures="one", progress="drawing labels", beside_scores=True),
    given=("unjudged=estimate",),
    views=(View("pairs", pairs="the largest differences first"),),
    groups=FROM_ALL_TOPICS,
    steps=count_blocks,
)
def estimate_differences(
    runs: RunsLike,
    qrels: QrelsLike,
    measure: MeasureLike = "nDCG@10",
    *,
    baseline: BaselineOption = (),
    alpha: AlphaOption = 0.05,
    draws: DrawsOption = 1000,
    topic_sample: TopicSampleOption = "fixed",
    seed: SeedOption = 1,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **model: Unpack[ModelOptions],
) -> HoleDifferences:
    """Estimate the differences between runs if every document in their first ranks were judged.

    Labels of unjudged documents are drawn from a model of who retrieved them, see ``estimate_holes``; all pairs of
    runs are compared by the same draws, or each run with the ``baseline``. Intervals have coverage 1 - alpha.

    Args:
        runs: two or more.
        qrels: judgments with holes.
        measure: whose kernel needs only labels.
        reading: how files are read.
        progress: called with the blocks of draws that are done, and their number.

    Raises:
        InputError: fewer than two runs, or as in ``estimate_holes``.
        UsageError: an unknown run, or as in ``estimate_holes``.
    """
    import pandas as pd

    named, reading = list_names(baseline=baseline), reading or InputOptions()
    if reading.intent_weights is not None:
        raise UsageError(f"{setting('intent_weights')} does not go with unjudged documents that are estimated")
    cutoffs = [get_cutoff(one) for one in read_measures([measure], reading.rel)]
    holes = estimate_holes(
        runs,
        qrels,
        depth=max(cutoff or DEPTH for cutoff in cutoffs),
        reading=reading,
        **model,
    )
    if len(holes.systems) < 2:
        raise InputError("differences need two runs or more: QRELS RUN RUN...", code="too-few")
    pairs = [(name, base) for base in named for name in holes.systems if name != base] if named else None
    numbers: dict[str, Any] = {"draws": draws, "seed": seed, "topic_sample": topic_sample, "level": 1.0 - alpha}
    found = holes.compare_pairs(pairs, measure, **numbers, progress=progress)
    rows = [(one.system, one.other, one.estimate, one.lower, one.upper, one.zero, one.prob_better) for one in found]
    table = pd.DataFrame(rows, columns=[column.name for column in HoleDifferences.table_columns["pairs"]])
    first = found[0]
    settings = record_options(estimate_differences, locals() | model, baseline=named, **first.settings)
    signature = first.signature | {"settings": settings}
    return HoleDifferences(table, first.measure, holes.systems, first.caveats, settings, signature)

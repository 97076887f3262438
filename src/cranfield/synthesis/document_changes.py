"""Which documents came, went and moved between two runs, and what each is worth to a measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.errors import MeasureError
from cranfield.measures import Measure, interval, is_additive, shares
from cranfield.synthesis.paired_lists import PairedLists
from cranfield.synthesis.undone_moves import moved_alone

if TYPE_CHECKING:
    import pandas as pd

STAYED, CAME, WENT, MOVED = range(4)
WORDS = ("stayed", "came", "went", "moved")


@dataclass(frozen=True)
class Changes:
    """What became of each document.

    Args:
        pair: of runs.
        measure: by which they are scored.
        change: of each document, one of ``WORDS`` by its number, int64 [documents].
        exact: whether shares are those of a sum over documents.
        share: of the difference, where they are; else 0.
    """

    pair: PairedLists
    measure: Measure
    change: Ints
    exact: bool
    share: Floats

    @classmethod
    def of(cls, pair: PairedLists, measure: Measure) -> Self:
        """Of two runs; within the first ranks of each where the measure has a cutoff."""
        was, is_there = pair.within(measure.parameters.get("cutoff"))
        other = pair.rank[0] != pair.rank[1]
        change = np.select([~was & is_there, was & ~is_there, was & is_there & other], [CAME, WENT, MOVED], STAYED)
        exact = is_additive(measure)
        share = _added(pair, measure, 1) - _added(pair, measure, 0) if exact else np.zeros(len(change))
        return cls(pair, measure, change, exact, share)

    @property
    def unjudged_arrivals(self) -> Mask:
        """Documents that came and are not judged."""
        arrived: Mask = (self.change == CAME) & (self.pair.judged < 0)
        return arrived

    @cached_property
    def gain(self) -> Floats:
        """Of each topic, above 0 where the new run is better, float64 [topics]."""
        old, new = self.pair.scores.values[0].T
        gain: Floats = new - old if self.measure.declaration.larger_is_better else old - new
        return gain

    def listed(self, depth: int) -> Mask:
        """Documents that changed or have a share; of the unjudged ones, those down to a rank in either list."""
        rank = np.where(self.pair.rank > 0, self.pair.rank, np.iinfo(np.int64).max).min(axis=0)
        shown: Mask = ((self.change != STAYED) & ((self.pair.judged >= 0) | (rank <= depth))) | (self.share != 0)
        return shown

    def topics(self, chosen: Mask, ends: tuple[Floats, Floats]) -> pd.DataFrame:
        """A row for each of the chosen topics on which anything changed, the largest loss first."""
        import pandas as pd

        scores, many = self.pair.scores, len(self.pair.scores.topics)

        def count(marked: Mask) -> Ints:
            return np.bincount(self.pair.topic[marked], minlength=many)

        old, new = scores.values[0].T
        table = pd.DataFrame(
            {
                "topic": list(scores.topics),
                "old": old,
                "new": new,
                "difference": new - old,
                **{WORDS[code]: count(self.change == code) for code in (CAME, WENT, MOVED)},
                "unjudged": count(self.unjudged_arrivals),
                "low": ends[0],
                "high": ends[1],
            }
        )
        changed = count((self.change != STAYED) | (self.share != 0)) > 0
        order = np.argsort(self.gain, kind="stable")
        return table.iloc[order[(changed & chosen)[order]]].reset_index(drop=True)

    def documents(self, rows: Ints, topics: Sequence[str]) -> pd.DataFrame:
        """A row for each of some documents, by topic in this order, those of the largest share first."""
        import pandas as pd

        pair = self.pair
        number = {topic: place for place, topic in enumerate(topics)}
        place = np.array([number.get(topic, -1) for topic in pair.scores.topics], dtype=np.int64)
        columns: dict[str, Any] = {"share": self.share[rows]} if self.exact else self._with_and_without(rows)
        best = np.where(pair.rank > 0, pair.rank, np.iinfo(np.int64).max).min(axis=0)[rows]
        table = pd.DataFrame(
            {
                "topic": np.array(pair.scores.topics, dtype=object)[pair.topic[rows]],
                "document": pair.document[rows],
                "change": np.array(WORDS, dtype=object)[self.change[rows]],
                "label": pair.label[rows],
                "rank_old": pair.rank[0, rows],
                "rank_new": pair.rank[1, rows],
                **columns,
            }
        )
        order = np.lexsort((best, -np.abs(columns["share"]), place[pair.topic[rows]]))
        return table.iloc[order].reset_index(drop=True)

    def _with_and_without(self, rows: Ints) -> dict[str, Floats]:
        """Shares by undoing and by making each change alone."""
        pair = self.pair
        old, new = pair.scores.values[0].T
        topic, rank, judged = pair.topic[rows], pair.rank[:, rows], pair.judged[rows]
        without = moved_alone(self.measure, pair.of_side(1), topic, judged, rank[1], rank[0])
        made = moved_alone(self.measure, pair.of_side(0), topic, judged, rank[0], rank[1])
        share = ((new[topic] - without) + (made - old[topic])) / 2
        return {"share": share, "new_without": without, "old_with": made}


def _added(pair: PairedLists, measure: Measure, side: int) -> Floats:
    """What each document adds to the list of one side, float64 [documents]."""
    lists = pair.of_side(side)
    added = np.zeros(len(lists.pool.grade) + 1)  # the last is of documents that are not judged
    added[lists.document] = shares(measure, lists)
    of_document: Floats = added[pair.judged]
    return of_document


def open_ends(pair: PairedLists, measure: Measure, arrivals: Mask) -> tuple[tuple[Floats, Floats], str]:
    """The smallest and the largest value of each new list if some of its documents were judged, or why there are none.

    Args:
        pair: of runs.
        measure: of the values.
        arrivals: documents of the new lists without judgments, bool [documents].
    """
    value, policy = pair.scores.values[0][:, 1], pair.scores.policy
    nothing = np.full(len(value), np.nan)
    if policy.unjudged != "zero":
        return (nothing, nothing), f"unjudged={policy.unjudged} gives unjudged documents another reading than label 0"
    lists = pair.of_side(1)
    starts = np.cumsum(lists.length) - lists.length
    among = np.zeros(int(lists.length.sum()), dtype=bool)
    among[starts[pair.topic[arrivals]] + pair.rank[1, arrivals] - 1] = True
    try:
        low, high = interval(measure, lists, among)
    except MeasureError as error:
        return (nothing, nothing), str(error)
    there = ~np.isnan(value)
    return (np.where(there, np.fmin(low, value), np.nan), np.where(there, np.fmax(high, value), np.nan)), ""

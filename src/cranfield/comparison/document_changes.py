"""Which documents came, went and moved between two runs, and what each is worth to a measure.

Where a measure is not a sum over documents, a move is worth the value of the list with it minus the value without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from cranfield._text import condensed, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions
from cranfield.collection.run import Run
from cranfield.errors import InputError, MeasureError, UsageError
from cranfield.fusion.lists import UnionLists
from cranfield.io.inputs import QrelsLike, RunLike, convert_qrels, refuse_exchanged, with_intents
from cranfield.io.loading import loaded_runs
from cranfield.io.rejudging import Rejudged
from cranfield.measures import Measure, MeasuresLike, interval, is_additive, shares
from cranfield.scoring import Evaluation, score
from cranfield.scoring.compute import compute_cells

if TYPE_CHECKING:
    import pandas as pd


STAYED, CAME, WENT, MOVED = range(4)
WORDS = ("stayed", "came", "went", "moved")


@dataclass(frozen=True)
class Changes:
    """Changes of each document between two runs.

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
    def from_lists(cls, pair: PairedLists, measure: Measure) -> Self:
        """Compare two runs, within the first ranks of each where the measure has a cutoff."""
        was, is_there = pair.within(measure.parameters.get("cutoff"))
        moved = pair.rank[0] != pair.rank[1]
        change = np.select([~was & is_there, was & ~is_there, was & is_there & moved], [CAME, WENT, MOVED], STAYED)
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
        """The difference of each topic, above 0 where the new run is better, float64 [topics]."""
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

        scores, topic_count = self.pair.scores, len(self.pair.scores.topics)

        def count(marked: Mask) -> Ints:
            return np.bincount(self.pair.topic[marked], minlength=topic_count)

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
        number = {topic: index for index, topic in enumerate(topics)}
        index = np.array([number.get(topic, -1) for topic in pair.scores.topics], dtype=np.int64)
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
        order = np.lexsort((best, -np.abs(columns["share"]), index[pair.topic[rows]]))
        return table.iloc[order].reset_index(drop=True)

    def _with_and_without(self, rows: Ints) -> dict[str, Floats]:
        """Shares by undoing and by making each change alone."""
        pair = self.pair
        old, new = pair.scores.values[0].T
        topic, rank, judged = pair.topic[rows], pair.rank[:, rows], pair.judged[rows]
        without = moved_alone(self.measure, pair.take_side(1), topic, judged, rank[1], rank[0])
        with_change = moved_alone(self.measure, pair.take_side(0), topic, judged, rank[0], rank[1])
        share = ((new[topic] - without) + (with_change - old[topic])) / 2
        return {"share": share, "new_without": without, "old_with": with_change}


def _added(pair: PairedLists, measure: Measure, side: int) -> Floats:
    """Compute the contribution of each document to the list of one side, float64 [documents]."""
    lists = pair.take_side(side)
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
    lists = pair.take_side(1)
    starts = np.cumsum(lists.length) - lists.length
    among = np.zeros(int(lists.length.sum()), dtype=bool)
    among[starts[pair.topic[arrivals]] + pair.rank[1, arrivals] - 1] = True
    try:
        low, high = interval(measure, lists, among)
    except MeasureError as error:
        return (nothing, nothing), str(error)
    there = ~np.isnan(value)
    return (np.where(there, np.fmin(low, value), np.nan), np.where(there, np.fmax(high, value), np.nan)), ""


ROWS = 1 << 21
"""Rows of the lists that are looked at together."""


def moved_alone(measure: Measure, lists: Rankings, topic: Ints, document: Ints, start: Ints, end: Ints) -> Floats:
    """The value of a list in which one document alone has moved, of each move, float64 [moves].

    The others close up where it was, and make room where it goes. An end of 0 takes it out of the list, a start of 0
    puts it in; below the end of the list there is nothing, so that it becomes the last.

    Args:
        measure: whose values they are.
        lists: of one system.
        topic: of each move, int64 [moves].
        document: row of the moving document in the judgments, -1 where it is not judged.
        start: its rank in the list, 0 where it is not in it.
        end: the rank that it gets.
    """
    value = np.empty(len(topic))
    topics = len(lists.length)
    order = np.argsort(topic, kind="stable")
    index = np.empty(len(topic), dtype=np.int64)
    index[order] = np.arange(len(topic)) - np.searchsorted(topic[order], topic[order])
    size = np.diff(lists.starts)
    most = int(index.max(initial=-1)) + 1
    together = max(1, ROWS // max(1, int(size.sum())))
    for first in range(0, most, together):
        here = np.flatnonzero((index >= first) & (index < first + together))
        segment = (index[here] - first) * topics + topic[here]
        changed = _made(lists, segment, topic[here], document[here], start[here], end[here])
        value[here] = compute_cells((measure,), changed, lists.policy, "none")[0, 0][segment]
    return value


def _made(lists: Rankings, segment: Ints, topic: Ints, document: Ints, start: Ints, end: Ints) -> Rankings:
    """The lists of some moves, each in its segment; other segments are lists without documents."""
    topics = len(lists.length)
    systems = int(segment.max(initial=0)) // topics + 1
    size = np.diff(lists.starts)[topic]
    move = np.repeat(np.arange(len(segment)), size)
    row = np.arange(len(move)) + np.repeat(lists.starts[topic] - (np.cumsum(size) - size), size)
    different = lists.document[row] != document[move]
    move, row = move[different], row[different]
    rank = lists.rank[row]
    rank = rank - ((start[move] > 0) & (rank > start[move]))
    last = lists.length[topic] - (start > 0) + 1
    position = np.minimum(end, last)
    rank = rank + ((end[move] > 0) & (rank >= position[move]))
    added = np.flatnonzero((end > 0) & (document >= 0))
    of = np.concatenate([move, added])
    ranks = np.concatenate([rank, position[added]])
    rows = np.concatenate([lists.document[row], document[added]])
    order = np.lexsort((ranks, segment[of]))
    length = np.zeros(systems * topics, dtype=np.int64)
    length[segment] = lists.length[topic] - (start > 0) + (end > 0)
    return replace(
        lists,
        systems=tuple(map(str, range(systems))),
        length=length,
        starts=np.searchsorted(segment[of][order], np.arange(systems * topics + 1)),
        rank=ranks[order],
        document=rows[order],
        grade=lists.pool.grade[rows[order]],
    )


SIDES = ("old", "new")


@dataclass(frozen=True)
class PairedLists:
    """Two runs, the old one and the new one, and the documents that either retrieves for a judged topic.

    Args:
        names: of the runs.
        scores: of both, by one measure, with their rankings.
        document: ids, [documents].
        topic: number of each one's topic among the judged ones, int64 [documents].
        rank: of each in both lists, 0 where it is not retrieved, int64 [2, documents].
        judged: row of each in the judgments, -1 where it is not judged, int64 [documents].
    """

    names: tuple[str, str]
    scores: Evaluation
    document: NDArray[np.object_]
    topic: Ints
    rank: Ints
    judged: Ints

    @classmethod
    def read(cls, old: RunLike, new: RunLike, qrels: QrelsLike, measure: MeasuresLike, reading: InputOptions) -> Self:
        """Read two runs and judgments, and score the runs.

        Raises:
            InputError: a file is refused, or runs and qrels do not fit together.
            UsageError: several measures or runs, or a policy that leaves the order of documents open.
        """
        reading.policy.check_order("diff")
        runs = dict(zip(SIDES, (old, new), strict=True))
        refuse_exchanged(runs, qrels)
        judgments = with_intents(
            convert_qrels(qrels, **reading.judgment_options),
            reading.intent_weights,
            reading.weight_sum,
            reading.keep_empty_intents,
        )
        loaded = _loaded(runs, reading)
        sources: dict[str, str | Run] = {side: run.path or run for side, run in loaded}
        names = tuple(run.tag if reading.names == "tag" else _name(run, side) for side, run in loaded)
        lists = UnionLists.from_runs(loaded, reading.policy)
        judge = lists.judged_by(judgments)
        scores = score(sources, judgments, measure, reading=reading.list_options, keep_rankings=True, judge=judge)
        if len(scores.measures) != 1:
            raise UsageError(f"diff explains one measure at a time, and was given {len(scores.measures)}")
        for line in condensed(scores.remarks):
            warn(line)
        return cls(names if names[0] != names[1] else SIDES, scores, *_documents(lists, judgments))  # type: ignore[arg-type]

    @property
    def rankings(self) -> Rankings:
        """Both runs seen through the judgments, the old one first."""
        assert self.scores.rankings is not None
        return self.scores.rankings

    def take_side(self, side: int) -> Rankings:
        """The lists of one run alone."""
        both, topics = self.rankings, len(self.scores.topics)
        starts = both.starts[side * topics : (side + 1) * topics + 1]
        rows = slice(int(starts[0]), int(starts[-1]))
        return replace(
            both,
            systems=both.systems[side : side + 1],
            length=both.length[side * topics : (side + 1) * topics],
            starts=starts - starts[0],
            rank=both.rank[rows],
            document=both.document[rows],
            grade=both.grade[rows],
        )

    @cached_property
    def label(self) -> Floats:
        """Label of each document, NaN where it is not judged, float64 [documents]."""
        grade = self.rankings.pool.grade
        label = np.full(len(self.judged), np.nan)
        label[self.judged >= 0] = grade[self.judged[self.judged >= 0]]
        return label

    def within(self, cutoff: int | None) -> Mask:
        """Which documents are among the first ranks of each list, bool [2, documents]; all retrieved where None."""
        shown: Mask = self.rank > 0
        return shown if cutoff is None else shown & (self.rank <= cutoff)


def _loaded(runs: dict[str, RunLike], reading: InputOptions) -> list[tuple[str, Run]]:
    """The old run and the new one.

    Raises:
        InputError: one cannot be read.
        UsageError: one of them is several runs.
    """
    try:
        return loaded_runs(runs, replace(reading, names="file"))
    except InputError as error:
        if error.code != "equal-names":
            raise
        text = f"diff compares two runs, and the {error.value} one is several: name one of them, FILE#SYSTEM"
        raise UsageError(text) from None


def _name(run: Run, side: str) -> str:
    """Name a run after its file, or after its side where it has none."""
    from cranfield.io.system_names import stem

    return stem(run.path) if run.path else side


def _documents(lists: UnionLists, judgments: Qrels) -> tuple[NDArray[np.object_], Ints, Ints, Ints]:
    """Ids, topics, ranks and judgments of the documents of judged topics."""
    crossing = Rejudged.between(lists.everything, judgments)
    pool, topics = lists.everything.pool, len(lists.topics)
    rank = np.zeros((2, len(pool.grade)), dtype=np.int64)
    for side in range(2):
        own = slice(side * topics, (side + 1) * topics)
        rows = slice(*lists.starts[[own.start, own.stop]])
        rank[side, lists.document[rows]] = lists.ranks(own)
    number = np.full(topics + 1, -1, dtype=np.int64)
    number[crossing.topic] = np.arange(len(crossing.topic))
    number[-1] = -1  # of judged topics that no run has
    topic = number[pool.topic]
    judged = np.flatnonzero(topic >= 0)
    ids = np.array(lists.everything.documents.take(judged).tolist(), dtype=object)
    return ids, topic[judged], rank[:, judged], crossing.row[judged]

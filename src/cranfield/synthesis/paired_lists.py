"""Two runs over the documents that either retrieves: where each document stands in both, and how it is judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cranfield._text import condensed, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading
from cranfield.collection.run import Run
from cranfield.errors import InputError, UsageError
from cranfield.fusion.lists import Lists
from cranfield.io.inputs import QrelsLike, RunLike, qrels_of
from cranfield.io.intent_weights import with_intents
from cranfield.io.loading import loaded_runs
from cranfield.io.rejudging import Crossing
from cranfield.io.swapped_arguments import refuse_exchanged
from cranfield.measures import MeasuresLike
from cranfield.scoring import Evaluation, score

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
    def read(cls, old: RunLike, new: RunLike, qrels: QrelsLike, measure: MeasuresLike, reading: Reading) -> Self:
        """Read two runs and judgments, and score the runs.

        Raises:
            InputError: a file is refused, or runs and qrels do not fit together.
            UsageError: several measures or runs, or a policy that leaves the order of documents open.
        """
        reading.policy.check_order("diff")
        given = dict(zip(SIDES, (old, new), strict=True))
        refuse_exchanged(given, qrels)
        judgments = with_intents(
            qrels_of(qrels, **reading.of_files),
            reading.intent_weights,
            reading.weight_sum,
            reading.keep_empty_intents,
        )
        loaded = _loaded(given, reading)
        sources: dict[str, str | Run] = {side: run.path or run for side, run in loaded}
        names = tuple(run.tag if reading.names == "tag" else _name(run, side) for side, run in loaded)
        lists = Lists.of(loaded, reading.policy)
        judge = lists.judged_by(judgments)
        scores = score(
            sources, judgments, measure, policy=reading.policy, rel=reading.rel, keep_rankings=True, judge=judge
        )
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

    def of_side(self, side: int) -> Rankings:
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


def _loaded(given: dict[str, RunLike], reading: Reading) -> list[tuple[str, Run]]:
    """The old run and the new one.

    Raises:
        InputError: one cannot be read.
        UsageError: one of them is several runs.
    """
    try:
        return loaded_runs(given, replace(reading, names="file"))
    except InputError as error:
        if error.code != "equal-names":
            raise
        raise UsageError(f"diff compares two runs, and the {error.value} one is several: name one of them") from None


def _name(run: Run, side: str) -> str:
    """What a run is called: by its file, or as it was given."""
    from cranfield.io.system_names import stem

    return stem(run.path) if run.path else side


def _documents(lists: Lists, judgments: Qrels) -> tuple[NDArray[np.object_], Ints, Ints, Ints]:
    """Ids, topics, ranks and judgments of the documents of judged topics."""
    crossing = Crossing.between(lists.everything, judgments)
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
    kept = np.flatnonzero(topic >= 0)
    ids = np.array(lists.everything.documents.take(kept).tolist(), dtype=object)
    return ids, topic[kept], rank[:, kept], crossing.row[kept]

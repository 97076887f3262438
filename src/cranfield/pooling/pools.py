"""The pool of several runs: which documents of each topic they have at the top, and what is known of their labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield._text import cut, quoted
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import Reading
from cranfield.errors import InputError
from cranfield.io.inputs import NamedRun, QrelsLike, RunsLike, qrels_of
from cranfield.io.judging import build_index, judge_run, united
from cranfield.io.loading import loaded_runs
from cranfield.pooling.orders import Pooled


@dataclass(frozen=True, eq=False)
class Pools:
    """The pools of all topics.

    Args:
        systems: names of the runs.
        hashes: SHA-256 of the file of each, or of its content where it is in memory.
        rankings: the first documents of each list, seen through the documents of all lists.
        documents: id of each row of these.
        label: of each, NaN where it is not judged, float64 [documents].
        judged: SHA-256 of the labels; None where there are none.
        rewriting: how runs were rewritten, see ``Policy.rewriting``.
    """

    systems: tuple[str, ...]
    hashes: tuple[str, ...]
    rankings: Rankings
    documents: list[str]
    label: Floats
    judged: str | None
    rewriting: dict[str, str]

    @classmethod
    def read(cls, runs: RunsLike, judged: QrelsLike | None, depth: int, reading: Reading) -> Pools:
        """Pools of the first ``depth`` documents of each run.

        Raises:
            InputError: a file cannot be read, or the judgments have no topic of the runs.
        """
        loaded = loaded_runs(runs, reading, what="a pool")
        everything, _ = united([run for _, run in loaded])
        index, policy = build_index(everything), replace(reading.policy, missing="empty")
        lists = [judge_run(NamedRun(name, run), everything, index, policy).rankings.top(depth) for name, run in loaded]
        names = tuple(name for name, _ in loaded)
        hashes = tuple(run.sha256 or run.digest for _, run in loaded)
        qrels = None if judged is None else qrels_of(judged, **reading.of_files)
        label = np.full(len(everything.grade), np.nan) if qrels is None else _labels(everything, qrels)
        signature = None if qrels is None else qrels.sha256 or qrels.digest
        together = Rankings.concatenate(lists)
        return cls(names, hashes, together, everything.documents.tolist(), label, signature, reading.policy.rewriting)

    @property
    def topics(self) -> tuple[str, ...]:
        """Their ids."""
        return self.rankings.pool.topics

    def inputs(self) -> dict[str, Any]:
        """Runs and labels as signatures name them."""
        pairs = zip(self.systems, self.hashes, strict=True)
        runs = [{"name": name, "sha256": digest} for name, digest in pairs]
        return {"runs": runs, "judged": None if self.judged is None else {"sha256": self.judged}, **self.rewriting}

    def best_rank(self) -> Ints:
        """The smallest rank of each document in any list, 0 where it is in no pool, int64 [documents]."""
        best = np.full(len(self.label), np.iinfo(np.int64).max)
        np.minimum.at(best, self.rankings.document, self.rankings.rank)
        best[best == np.iinfo(np.int64).max] = 0
        return best

    def holders(self, group: Ints) -> Ints:
        """Of how many groups of runs some list has each document in the pool, int64 [documents].

        Args:
            group: of each run, from 0.
        """
        groups = int(group.max()) + 1
        of_row = group[self.rankings.segment // len(self.topics)]
        pairs = np.unique(self.rankings.document * groups + of_row)
        return np.bincount(pairs // groups, minlength=len(self.label))

    def rows_of(self, topic: int) -> slice:
        """The documents of a topic."""
        return slice(*self.rankings.pool.starts[topic : topic + 2].tolist())


def pooled_lists(rankings: Rankings, depth: int, relevant: Mask) -> Iterator[tuple[int, Pooled]]:
    """The first pool row of each topic, and its pool.

    Args:
        rankings: of all runs.
        depth: documents of each run that are pooled.
        relevant: of each pool row.
    """
    topics, starts = len(rankings.pool.size), rankings.pool.starts
    top = rankings.top(depth)
    for topic in range(topics):
        lists, ranks = [], []
        for system in range(len(rankings.systems)):
            rows = slice(top.starts[system * topics + topic], top.starts[system * topics + topic + 1])
            lists.append(top.document[rows] - starts[topic])
            ranks.append(top.rank[rows])
        yield int(starts[topic]), Pooled(lists, ranks, relevant[starts[topic] : starts[topic + 1]])


def _labels(everything: Qrels, qrels: Qrels) -> Floats:
    """The label of each document, NaN where it has none.

    Raises:
        InputError: the judgments have no topic of the runs.
    """
    known, label = qrels.to_dict(), np.full(len(everything.grade), np.nan)
    if known.keys().isdisjoint(everything.topics):
        topic = everything.topics[0]
        text = f"no topic of the runs is judged, of which the first is {quoted(topic)}: are these their judgments?"
        raise InputError(text, qrels.place, code="no-shared-topic", value=cut(topic))
    ids, bounds = everything.documents.tolist(), everything.starts.tolist()
    for number, topic in enumerate(everything.topics):
        of_topic = known.get(topic, {})
        for row in range(bounds[number], bounds[number + 1]):
            label[row] = of_topic.get(ids[row], np.nan)
    return label

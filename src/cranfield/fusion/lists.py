"""The lists of several runs side by side, topic by topic."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Ints
from cranfield.collection.frozen import Frozen
from cranfield.collection.policy import Policy, Ties
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import Reading
from cranfield.collection.run import Run
from cranfield.contract import Judged
from cranfield.errors import TopicError
from cranfield.facts import Facts
from cranfield.io.crossing import Crossing
from cranfield.io.judging import JudgedRun, build_index, cpus, judge_run, place_of, seen_through
from cranfield.io.loaded import loaded_runs
from cranfield.io.runs import NamedRun, RunsLike
from cranfield.io.united import united
from cranfield.threads import side_by_side
from cranfield.wording import shown

Small = NDArray[np.int32]
Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True)
class TopicLists:
    """The lists of all runs for one topic: a row for each document that a run retrieves, in rank order.

    Args:
        runs: their number, m.
        documents: their number.
        run, document: of each row.
        rank: from 1, float64 [rows].
        score: float64 [rows].
    """

    runs: int
    documents: int
    run: Ints
    document: Ints
    rank: Floats
    score: Floats

    @property
    def length(self) -> Ints:
        """Number of documents that each run retrieves, int64 [runs]."""
        return np.bincount(self.run, minlength=self.runs)

    @property
    def holders(self) -> Ints:
        """Number of runs that retrieve each document, int64 [documents]."""
        return np.bincount(self.document, minlength=self.documents)

    def laid_out(self, values: Floats, absent: float) -> Floats:
        """Values of rows as a table, ``absent`` where a run does not retrieve a document, [runs, documents]."""
        table = np.full((self.runs, self.documents), absent)
        table[self.run, self.document] = values
        return table


class Lists(Frozen):
    """The lists of several runs over the documents that any of them retrieves.

    Args:
        names: of the runs, m of them.
        everything: all documents as judgments without meaning: topics by first appearance, documents in id byte order.
        starts: lists of run r on topic t hold the rows ``starts[r * T + t]:starts[r * T + t + 1]``.
        document, rank, score: of each row, in rank order.
        policy: how equal scores are ordered.
        facts: what was noticed of each run when it was ordered.
        hashes: SHA-256 of the file of each, empty for a run in memory.
    """

    def __init__(
        self,
        names: Sequence[str],
        everything: Qrels,
        starts: Ints,
        document: Small,
        rank: Small,
        score: Floats,
        policy: Policy,
        facts: Sequence[Facts],
        hashes: Sequence[str],
    ) -> None:
        self.names = tuple(names)
        self.everything = everything
        self.starts = starts
        self.document = document
        self.rank = rank
        self.score = score
        self.policy = policy
        self.facts = tuple(facts)
        self.hashes = tuple(hashes)
        for array in (starts, document, rank, score):
            array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"Lists({len(self.names)} runs x {len(self.topics)} topics, {len(self.everything.grade):,} documents)"

    @property
    def topics(self) -> tuple[str, ...]:
        """Ids of the topics."""
        return self.everything.topics

    @classmethod
    def read(cls, runs: RunsLike, reading: Reading) -> Lists:
        """Read runs; a topic that a run lacks is an empty list of it.

        Raises:
            InputError: a run cannot be read or ordered.
            TopicError: a run lacks a topic of another, and the policy is ``missing="error"``.
        """
        return cls.of(loaded_runs(runs, reading), reading.policy)

    @classmethod
    def of(cls, runs: Iterable[tuple[str, Run]], policy: Policy) -> Lists:
        """From named runs in memory; each is released as soon as its lists are made."""
        policy.check_order("fusion")
        waiting = deque(runs)
        names = [name for name, _ in waiting]
        hashes = [run.sha256 for _, run in waiting]
        everything, rows = united([run for _, run in waiting])
        given = {at: (NamedRun(*one), rows[at]) for at, one in enumerate(waiting)}
        waiting.clear()
        rows.clear()
        index = build_index(everything)
        ordered = side_by_side(
            lambda at: _ordered(*given.pop(at), everything, index, policy), range(len(names)), cpus()
        )
        sizes, documents, ranks, scores, facts = map(list, zip(*ordered, strict=True))
        starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
        document, rank, score = (_joined(parts) for parts in (documents, ranks, scores))
        return cls(names, everything, starts, document, rank, score, policy, facts, hashes)

    def judged_by(self, qrels: Qrels) -> Callable[[NamedRun], JudgedRun]:
        """A function that judges each of the runs, by its name, as it was ordered here, without ordering it again."""
        crossing, topics = Crossing.between(self.everything, qrels), len(self.topics)
        number = {name: number for number, name in enumerate(self.names)}

        def judge(run: NamedRun) -> JudgedRun:
            place = number[run.name]
            starts = self.starts[place * topics : (place + 1) * topics + 1]
            rows = slice(starts[0], starts[-1])
            nothing = np.zeros(0, dtype=np.int64)
            lists: Judged = {
                "length": np.diff(starts),
                "starts": starts - starts[0],
                "rank": self.rank[rows].astype(np.int64),
                "document": self.document[rows].astype(np.int64),
                "first": nothing,
                "last": nothing,
                "facts": self.facts[place],
            }
            tag, digest = self.facts[place]["tag"], self.hashes[place]
            return seen_through(run, qrels, crossing.judged(lists), tag, self.policy, digest)

        return judge

    def topic(self, topic: int, runs: Sequence[int] | None = None) -> tuple[Ints, TopicLists]:
        """The documents that some of the runs retrieve for a topic, and their lists of them.

        Returns:
            Rows of ``everything``, ascending, [documents]; the lists over them.
        """
        chosen = range(len(self.names)) if runs is None else runs
        blocks = [slice(*self.starts[run * len(self.topics) + topic :][:2]) for run in chosen]
        begin, end = self.everything.pool.starts[topic : topic + 2]

        def rows_of(column: NDArray[Any]) -> NDArray[Any]:
            return np.concatenate([column[:0], *(column[block] for block in blocks)])

        document = rows_of(self.document) - int(begin)
        seen = np.zeros(end - begin, dtype=np.bool_)
        seen[document] = True
        retrieved = np.flatnonzero(seen)
        number = np.cumsum(seen) - 1
        run = np.repeat(np.arange(len(blocks)), [block.stop - block.start for block in blocks])
        rank, score = rows_of(self.rank).astype(np.float64), rows_of(self.score)
        return begin + retrieved, TopicLists(len(blocks), len(retrieved), run, number[document], rank, score)

    def each_topic(self, runs: Sequence[int] | None = None) -> Iterator[tuple[Ints, TopicLists]]:
        """``topic`` for all topics."""
        return (self.topic(topic, runs) for topic in range(len(self.topics)))

    def run(self, rows: Sequence[Ints], scores: Sequence[Floats], name: str, depth: int | None = None) -> Run:
        """A run from scores of documents, topic by topic, in the order of the policy, cut after ``depth``."""
        ties = ties_of_scores(self.policy)
        orders = [_order(values, ties)[:depth] for values in scores]
        # Documents of a topic stand in id order, so that a row says as much as an id.
        ordered = [documents[order] for documents, order in zip(rows, orders, strict=True)]
        return self.unordered(ordered, [values[order] for values, order in zip(scores, orders, strict=True)], name)

    def unordered(self, rows: Sequence[Ints], scores: Sequence[Floats], name: str) -> Run:
        """The same without cutting or ordering it: judging orders it later."""
        kept = [topic for topic, documents in enumerate(rows) if len(documents)]
        starts = np.concatenate([[0], np.cumsum([len(rows[topic]) for topic in kept])]).astype(np.int64)
        documents = np.concatenate([self.document[:0], *(rows[topic] for topic in kept)])
        score = np.concatenate([np.zeros(0), *(scores[topic] for topic in kept)])
        ids = self.everything.documents.take(documents)
        return Run(name, [self.topics[topic] for topic in kept], starts, ids, score, tag=name)


def _ordered(
    run: NamedRun, places: Small, everything: Qrels, index: Any, policy: Policy
) -> tuple[Ints, Small, Small, Floats, Facts]:
    """Sizes of the lists of a run, its documents, ranks and scores in rank order, and what was noticed."""
    assert isinstance(run.data, Run)
    check_topics(run, everything.topics, policy)
    if not len(run.data):  # a part of a run that has none of its topics; see ``parts``
        none = np.zeros(0, dtype=np.int32)
        sizes = np.zeros(len(everything.topics), dtype=np.int64)
        return sizes, none, none, np.zeros(0), Facts(rows=0, skipped=0, tag=run.data.tag)
    judged = judge_run(run, everything, index, replace(policy, missing="empty"))
    seen = judged.rankings
    best = np.full(len(everything.grade), -np.inf)
    np.maximum.at(best, places, run.data.score)  # of a document that occurs twice the better line is kept
    document, rank = seen.document.astype(np.int32), seen.rank.astype(np.int32)
    return np.diff(seen.starts), document, rank, best[seen.document], judged.facts | {"tag": run.data.tag}


def _joined(parts: list[NDArray[Kind]]) -> NDArray[Kind]:
    """Parts one after the other; each is given up as soon as it is copied."""
    joined = np.empty(sum(map(len, parts)), dtype=parts[0].dtype)
    end = len(joined)
    while parts:
        part = parts.pop()
        joined[end - len(part) : end] = part
        end -= len(part)
    return joined


def check_topics(run: NamedRun, topics: Sequence[str], policy: Policy) -> None:
    """Raises: TopicError: a run lacks a topic of another, and that is refused."""
    assert isinstance(run.data, Run)
    present = set(run.data.topics)
    absent = [topic for topic in topics if topic not in present]
    if absent and policy.missing == "error":
        where = NamedRun(run.name, run.data.path) if run.data.path else run
        names = ", ".join(map(shown, absent[:5])) + ", ..." * (len(absent) > 5)
        what = "topics of the runs is" if len(absent) == 1 else "topics of the runs are"
        text = f"{len(absent):,} of the {len(topics):,} {what} missing: {names} (missing=error)"
        raise TopicError(text, place_of(where), code="missing-topics", value=absent[0])


def ties_of_scores(policy: Policy) -> Ties:
    """How equal fused scores are ordered: a fused run has scores, but no ranks and no lines of its own."""
    return policy.ties if policy.ties in ("trec", "trec9", "docid") else "trec"


def _order(scores: Floats, ties: Ties) -> Ints:
    """Places of documents in id order, in the order of a policy: by score descending, then by id as the policy says."""
    if ties == "docid":
        return np.argsort(-scores, kind="stable")
    if ties == "trec9":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32).astype(np.float64)
    last_first: Ints = len(scores) - 1 - np.argsort(-scores[::-1], kind="stable")
    return last_first

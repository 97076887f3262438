"""The lists of several runs side by side, topic by topic, each ordered by the policy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield import engine
from cranfield._frozen import Frozen
from cranfield._message import setting
from cranfield._text import shown
from cranfield._typing import Floats, Ints, Shorts
from cranfield.collection.policy import Policy, TiesPolicy
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions
from cranfield.collection.run import Run
from cranfield.collection.segments import list_positions
from cranfield.engine.protocol import Facts, Judged
from cranfield.errors import TopicError, UsageError
from cranfield.findings.finding import notice
from cranfield.io.inputs import NamedRun, RunsLike
from cranfield.io.judging import JudgedRun, build_index, judge_run, locate_run, seen_through, united
from cranfield.io.loading import loaded_runs
from cranfield.io.rejudging import Rejudged
from cranfield.threads import cpus, side_by_side


@dataclass(frozen=True)
class RankedTopicLists:
    """The lists of all runs for one topic: a row for each document that a run retrieves, run by run, in rank order.

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
    _cache: dict[str, Floats] = field(default_factory=dict, init=False, compare=False)

    @cached_property
    def length(self) -> Ints:
        """Number of documents that each run retrieves, int64 [runs]."""
        return np.bincount(self.run, minlength=self.runs)

    @cached_property
    def starts(self) -> Ints:
        """Run r has the rows ``starts[r]:starts[r + 1]``, int64 [runs + 1]."""
        return np.concatenate([[0], np.cumsum(self.length)])

    def shared(self, name: str, make: Callable[[], Floats]) -> Floats:
        """A value that several methods need of these lists, computed once."""
        if name not in self._cache:
            self._cache[name] = make()
        return self._cache[name]

    @cached_property
    def holders(self) -> Ints:
        """Number of runs that retrieve each document, int64 [documents]."""
        return np.bincount(self.document, minlength=self.documents)

    def laid_out(self, values: Floats, absent: float) -> Floats:
        """Values of rows as a table, ``absent`` where a run does not retrieve a document, [runs, documents]."""
        table = np.full((self.runs, self.documents), absent)
        table[self.run, self.document] = values
        return table


class UnionLists(Frozen):
    """The lists of several runs over the documents that any of them retrieves.

    Args:
        names: of the runs, m of them.
        everything: all documents as judgments without meaning: topics by first appearance, documents in id byte order.
        starts: lists of run r on topic t hold the rows ``starts[r * T + t]:starts[r * T + t + 1]``.
        document, score: of each row, in rank order.
        policy: how equal scores are ordered.
        facts: what was noticed of each run when it was ordered.
        hashes: SHA-256 of the file of each, empty for a run in memory.
    """

    def __init__(
        self,
        names: Sequence[str],
        everything: Qrels,
        starts: Ints,
        document: Shorts,
        score: Floats,
        policy: Policy,
        facts: Sequence[Facts],
        hashes: Sequence[str],
    ) -> None:
        self.names = tuple(names)
        self.everything = everything
        self.starts = starts
        self.document = document
        self.score = score
        self.policy = policy
        self.facts = tuple(facts)
        self.hashes = tuple(hashes)
        for array in (starts, document, score):
            array.flags.writeable = False
        self._freeze()

    def __repr__(self) -> str:
        return f"Lists({len(self.names)} runs x {len(self.topics)} topics, {len(self.everything.grade):,} documents)"

    @property
    def topics(self) -> tuple[str, ...]:
        """Ids of the topics."""
        return self.everything.topics

    @classmethod
    def read(cls, runs: RunsLike, reading: InputOptions) -> UnionLists:
        """Read runs; a topic that a run lacks is an empty list of it.

        Raises:
            InputError: a run cannot be read or ordered.
            TopicError: a run lacks a topic of another, and the policy is ``missing="error"``.
        """
        return cls.from_runs(loaded_runs(runs, reading), reading.policy)

    @classmethod
    def from_runs(cls, runs: Iterable[tuple[str, Run]], policy: Policy) -> UnionLists:
        """Make lists from named runs in memory; each run is released as soon as its lists are made."""
        policy.check_order("fusion")
        waiting = deque(runs)
        names = [name for name, _ in waiting]
        hashes = [run.sha256 for _, run in waiting]
        everything, rows = united([run for _, run in waiting])
        pending = {at: (NamedRun(*named_run), rows[at]) for at, named_run in enumerate(waiting)}
        begins = np.cumsum([0, *map(len, rows)])
        waiting.clear()
        rows.clear()
        document, score = np.empty(begins[-1], dtype=np.int32), np.empty(begins[-1])
        ordering = ListOrder(everything, policy)

        def order(at: int) -> tuple[Ints, Facts]:
            own = slice(*begins[at : at + 2])
            return ordering.put(*pending.pop(at), document[own], score[own])

        ordered = list(side_by_side(order, range(len(names)), cpus()))
        sizes, facts = [size for size, _ in ordered], [noticed for _, noticed in ordered]
        starts = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
        if starts[-1] < begins[-1]:  # lines were dropped at the end of some runs
            blocks = [slice(begin, begin + size.sum()) for begin, size in zip(begins[:-1], sizes, strict=True)]
            document, score = (np.concatenate([column[own] for own in blocks]) for column in (document, score))
        return cls(names, everything, starts, document, score, policy, facts, hashes)

    def ranks(self, lists: slice) -> Ints:
        """Ranks of the rows of some lists, one list after the other: each holds all that was retrieved, from 1 on."""
        return list_positions(self.starts[lists.start : lists.stop + 1] - self.starts[lists.start])

    def judged_by(self, qrels: Qrels) -> Callable[[NamedRun], JudgedRun]:
        """A function that judges each of the runs, by its name, as it was ordered here, without ordering it again."""
        if qrels.excluded is not None:
            raise UsageError("these lists still hold the documents that the judgments exclude: score the runs instead")
        crossing, topics = Rejudged.between(self.everything, qrels), len(self.topics)
        number = {name: number for number, name in enumerate(self.names)}

        def judge(run: NamedRun) -> JudgedRun:
            index = number[run.name]
            own = slice(index * topics, (index + 1) * topics)
            starts = self.starts[own.start : own.stop + 1]
            rows = slice(starts[0], starts[-1])
            nothing = np.zeros(0, dtype=np.int64)
            lists: Judged = {
                "length": np.diff(starts),
                "starts": starts - starts[0],
                "rank": self.ranks(own),
                "document": self.document[rows].astype(np.int64),
                "first": nothing,
                "last": nothing,
                "facts": self.facts[index],
            }
            tag, digest = self.facts[index]["tag"], self.hashes[index]
            return seen_through(run, qrels, crossing.judged(lists), tag, self.policy, digest)

        return judge

    def topic(self, topic: int, runs: Sequence[int] | None = None) -> tuple[Ints, RankedTopicLists]:
        """The documents that some of the runs retrieve for a topic, and their lists of them.

        Returns:
            Rows of ``everything``, ascending, [documents]; the lists over them.
        """
        chosen = np.arange(len(self.names)) if runs is None else np.array(runs, dtype=np.int64)
        first = chosen * len(self.topics) + topic
        size = self.starts[first + 1] - self.starts[first]
        ends = zip(self.starts[first].tolist(), self.starts[first + 1].tolist(), strict=True)
        blocks = [slice(*each) for each in ends]
        begin, end = self.everything.starts[topic : topic + 2].tolist()
        document = np.concatenate([self.document[:0], *(self.document[block] for block in blocks)]).astype(np.int64)
        document -= begin
        score = np.concatenate([self.score[:0], *(self.score[block] for block in blocks)])
        rank = list_positions(np.concatenate([[0], np.cumsum(size)])).astype(np.float64)
        run = np.repeat(np.arange(len(blocks)), size)
        if runs is None:  # nothing is among the documents that no run retrieves
            return np.arange(begin, end), RankedTopicLists(len(blocks), end - begin, run, document, rank, score)
        seen = np.zeros(end - begin, dtype=np.bool_)
        seen[document] = True
        retrieved, number = np.flatnonzero(seen), np.cumsum(seen) - 1
        return begin + retrieved, RankedTopicLists(len(blocks), len(retrieved), run, number[document], rank, score)

    def each_topic(self, runs: Sequence[int] | None = None) -> Iterator[tuple[Ints, RankedTopicLists]]:
        """``topic`` for all topics."""
        return (self.topic(topic, runs) for topic in range(len(self.topics)))

    def run(self, rows: Sequence[Ints], scores: Sequence[Floats], name: str, depth: int | None = None) -> Run:
        """A run from scores of documents, topic by topic, in the order of the policy, cut after ``depth``."""
        ties = get_fused_ties(self.policy)
        orders = [_order(values, ties)[:depth] for values in scores]
        # Documents of a topic stand in id order, so that a row says as much as an id.
        ordered = [documents[order] for documents, order in zip(rows, orders, strict=True)]
        return self.unordered(ordered, [values[order] for values, order in zip(scores, orders, strict=True)], name)

    def unordered(self, rows: Sequence[Ints], scores: Sequence[Floats], name: str) -> Run:
        """Make a run without cutting or ordering it: judging orders it later."""
        nonempty = [topic for topic, documents in enumerate(rows) if len(documents)]
        starts = np.concatenate([[0], np.cumsum([len(rows[topic]) for topic in nonempty])]).astype(np.int64)
        documents = np.concatenate([self.document[:0], *(rows[topic] for topic in nonempty)])
        score = np.concatenate([np.zeros(0), *(scores[topic] for topic in nonempty)])
        ids = self.everything.documents.take(documents)
        return Run(name, [self.topics[topic] for topic in nonempty], starts, ids, score, tag=name)


def get_fused_ties(policy: Policy) -> TiesPolicy:
    """The order of equal fused scores: a fused run has scores, but no ranks and no lines of its own."""
    return policy.ties if policy.ties in ("trec", "trec9", "docid") else "trec"


def _order(scores: Floats, ties: TiesPolicy) -> Ints:
    """Indices of documents in the order of a policy: by score descending, then by id as the policy says."""
    if ties == "docid":
        return np.argsort(-scores, kind="stable")
    if ties == "trec9":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32).astype(np.float64)
    last_first: Ints = len(scores) - 1 - np.argsort(-scores[::-1], kind="stable")
    return last_first


@dataclass(frozen=True)
class ListOrder:
    """Orders runs whose rows are known by their numbers among all documents.

    Args:
        everything: all documents of all runs, as judgments without meaning.
        policy: how equal scores are ordered.
    """

    everything: Qrels
    policy: Policy

    @cached_property
    def _number(self) -> dict[str, int]:
        return {topic: number for number, topic in enumerate(self.everything.topics)}

    @cached_property
    def _index(self) -> Any:
        return build_index(self.everything)

    def put(self, run: NamedRun, rows: Shorts, document: Shorts, score: Floats) -> tuple[Ints, Facts]:
        """Put documents and scores, topic after topic and in rank order, where they belong.

        Args:
            run: in memory.
            rows: the document of each of its rows, int32 [rows].
            document, score: are overwritten, [rows]; at their end something is left over where lines were dropped.

        Returns:
            Sizes of the lists, int64 [topics], and what was noticed.
        """
        data = run.data
        assert isinstance(data, Run)
        check_topics(run, self.everything.topics, self.policy)
        sizes = np.zeros(len(self.everything.topics), dtype=np.int64)
        facts = Facts(rows=len(data), skipped=0, tag=data.tag, noticed={})
        if not len(data):  # a part of a run that has none of its topics; see ``parts``
            return sizes, facts
        starts = np.asarray(data.starts, dtype=np.int64)
        topics = np.array([self._number[topic] for topic in data.topics], dtype=np.int64)
        bounds, ties, contradictions = self.everything.starts, self.policy.ties, None
        if ties != "rank":
            contradictions = engine.current().order_lists(
                starts, topics, bounds, rows, data.score, data.rank, ties, document, score
            )
        if contradictions is None:
            return self._judged(run, rows, document, score)
        if len(contradictions):
            notice(
                facts, "rank-contradicts-score", len(contradictions), topic=self.everything.topics[contradictions[0]]
            )
        sizes[topics] = np.diff(starts)
        return sizes, facts

    def _judged(self, run: NamedRun, rows: Shorts, document: Shorts, score: Floats) -> tuple[Ints, Facts]:
        """Order a run by judging it: ranks decide, or it has a document twice, and lines are dropped or refused."""
        assert isinstance(run.data, Run)
        judged = judge_run(run, self.everything, self._index, replace(self.policy, missing="empty"))
        seen = judged.rankings
        best = np.full(len(self.everything.grade), -np.inf)
        np.maximum.at(best, rows, run.data.score)  # of a document that occurs twice the better line is kept
        document[: len(seen.document)] = seen.document
        score[: len(seen.document)] = best[seen.document]
        return np.diff(seen.starts), judged.facts | {"tag": run.data.tag}


def check_topics(run: NamedRun, topics: Sequence[str], policy: Policy) -> None:
    """Raises: TopicError: a run lacks a topic of another, and that is refused."""
    assert isinstance(run.data, Run)
    present = set(run.data.topics)
    absent = [topic for topic in topics if topic not in present]
    if absent and policy.missing == "error":
        where = NamedRun(run.name, run.data.path) if run.data.path else run
        names = ", ".join(map(shown, absent[:5])) + ", ..." * (len(absent) > 5)
        what = "topics of the runs is" if len(absent) == 1 else "topics of the runs are"
        text = f"{len(absent):,} of the {len(topics):,} {what} missing: {names} ({setting('missing=error')})"
        raise TopicError(text, locate_run(where), code="missing-topics", value=absent[0])

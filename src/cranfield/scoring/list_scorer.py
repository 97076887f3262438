"""Scores the lists of a few topics at a time, and adds the scores up without rounding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield._typing import Floats, Ints
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.rankings import Rankings
from cranfield.engine.protocol import TopicLists
from cranfield.measures import Measure, Summary
from cranfield.scoring.compute import compute_values, under_policy
from cranfield.scoring.partial_sums import sum_moments
from cranfield.statistics.exact_sums import Moments

TOPICS = 16_384
"""Topics for which measures are computed at a time, about."""

KeepList = Callable[[Ints, Floats], None]
"""Receives the numbers of a batch of topics and their scores, [measures, topics]."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """The labels of many topics in flat arrays, and the facts of all judgments that measures need.

    Args:
        starts: topic t holds ``grade[starts[t]:starts[t + 1]]``, int64 [topics + 1].
        grade: label of each judged document, those of a topic in the order of their text.
        labels: that occur in all judgments, ascending.
    """

    starts: Ints
    grade: Floats
    labels: Floats

    def select(self, topics: Ints) -> tuple[Pool, Ints]:
        """The pool of a subset of topics, and by how much its rows precede those of all topics, [topics]."""
        sizes = self.starts[topics + 1] - self.starts[topics]
        starts = np.zeros(len(topics) + 1, dtype=np.int64)
        np.cumsum(sizes, out=starts[1:])
        ahead = self.starts[topics] - starts[:-1]
        if len(topics) and topics[-1] - topics[0] + 1 == len(topics) and (np.diff(topics) == 1).all():
            grade = self.grade[self.starts[topics[0]] : self.starts[topics[-1] + 1]]
        else:
            grade = self.grade[np.repeat(ahead, sizes) + np.arange(starts[-1])]
        return Pool(starts, grade, (), None, self.labels), ahead


class ListScorer:
    """Scores lists, ``TOPICS`` at a time, and adds the scores up without rounding.

    Args:
        measures: to compute.
        kinds: their summaries.
        policy: how odd cases are read.
        judgments: of the topics.
        keep: receives the scores of topics; None drops them.
    """

    def __init__(
        self,
        measures: Sequence[Measure],
        kinds: Sequence[Summary],
        policy: Policy,
        judgments: Judgments,
        keep: KeepList | None = None,
    ) -> None:
        self._measures = measures
        self._kinds = kinds
        self._policy = policy
        self._judgments = judgments
        self._keep = keep
        self._pending: list[TopicLists] = []
        self._count = 0
        self.moments = tuple(Moments() for _ in measures)
        self.undefined: list[Ints] = []
        """Numbers of the topics in which some measure is undefined."""

    def add(self, lists: TopicLists) -> None:
        """Add lists of topics that were not scored before."""
        if not len(lists["topic"]):
            return
        self._pending.append(lists)
        self._count += len(lists["topic"])
        if self._count >= TOPICS:
            self.finish()

    def add_missing(self, topics: Ints) -> None:
        """Add topics for which nothing was retrieved."""
        for start in range(0, len(topics), TOPICS):
            batch = topics[start : start + TOPICS]
            none, zeros = np.empty(0, dtype=np.int64), np.zeros(len(batch) + 1, dtype=np.int64)
            self._score(batch, zeros[1:], zeros, none, none, none, none)

    def finish(self) -> tuple[Moments, ...]:
        """Score the pending lists, and return the sums of all."""
        pending, self._pending, self._count = self._pending, [], 0
        if not pending:
            return self.moments
        if len(pending) == 1:
            lists = pending[0]
            topic, length, starts = lists["topic"], lists["length"], lists["starts"]
            rank, document, first, last = lists["rank"], lists["document"], lists["first"], lists["last"]
        else:
            topic, length, rank, document, first, last = (
                np.concatenate([lists[name] for lists in pending])
                for name in ("topic", "length", "rank", "document", "first", "last")
            )
            sizes = np.concatenate([np.diff(lists["starts"]) for lists in pending])
            starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        # In batches of the usual size: one addition may hold many times as many topics.
        for begin in range(0, len(topic), TOPICS):
            end = min(begin + TOPICS, len(topic))
            rows = slice(int(starts[begin]), int(starts[end]))
            own = starts[begin : end + 1] - starts[begin]
            self._score(topic[begin:end], length[begin:end], own, rank[rows], document[rows], first[rows], last[rows])
        return self.moments

    def _score(
        self, topics: Ints, length: Ints, starts: Ints, rank: Ints, document: Ints, first: Ints, last: Ints
    ) -> None:
        pool, ahead = self._judgments.select(topics)
        weighs = self._policy.weighs_ties
        rankings = Rankings(
            systems=("run",),
            pool=pool,
            length=length.copy(),
            starts=starts.copy(),
            rank=rank,
            document=document - np.repeat(ahead, np.diff(starts)),
            grade=self._judgments.grade[document],
            policy=self._policy,
            first=first if weighs else None,
            last=last if weighs else None,
        )
        raw = compute_values(self._measures, rankings, "none")
        undefined = topics[np.isnan(raw[0]).any(axis=0)]
        if len(undefined):
            self.undefined.append(undefined)
        values: Floats = under_policy(self._measures, raw, rankings, self._policy)[0]
        added = sum_moments(self._kinds, values)
        self.moments = tuple(a + b for a, b in zip(self.moments, added, strict=True))
        if self._keep is not None:
            self._keep(topics, values)

"""The lists of one run of several, in the order of the policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._text import shown
from cranfield._typing import Floats, Ints
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.run import Run
from cranfield.engine.protocol import Facts
from cranfield.errors import TopicError
from cranfield.findings.finding import notice
from cranfield.io.inputs import NamedRun
from cranfield.io.judging import build_index, judge_run, place_of

Small = NDArray[np.int32]


@dataclass(frozen=True)
class ListOrder:
    """What orders runs of which every row is known as one of all documents.

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

    def put(self, run: NamedRun, rows: Small, document: Small, score: Floats) -> tuple[Ints, Facts]:
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
        bounds, ties, found = self.everything.starts, self.policy.ties, None
        if ties != "rank":
            found = engine.current().order_lists(
                starts, topics, bounds, rows, data.score, data.rank, ties, document, score
            )
        if found is None:
            return self._judged(run, rows, document, score)
        if len(found):
            notice(facts, "rank-contradicts-score", len(found), topic=self.everything.topics[found[0]])
        sizes[topics] = np.diff(starts)
        return sizes, facts

    def _judged(self, run: NamedRun, rows: Small, document: Small, score: Floats) -> tuple[Ints, Facts]:
        """The same of a run of which ranks decide, or that has a document twice: as judging drops or refuses lines."""
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
        text = f"{len(absent):,} of the {len(topics):,} {what} missing: {names} (missing=error)"
        raise TopicError(text, place_of(where), code="missing-topics", value=absent[0])

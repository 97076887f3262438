"""Runs that were judged once, seen through other judgments: no file is read and no list is ordered again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cranfield import engine
from cranfield._typing import Ints
from cranfield.collection.qrels import Qrels
from cranfield.engine.protocol import Facts, Judged
from cranfield.findings.finding import notice
from cranfield.io.judging import build_index


@dataclass(frozen=True)
class Rejudged:
    """From topics and documents of some judgments to those of others.

    Args:
        topics: ids in the judgments that are left, S of them.
        topic: of each topic that is entered, its number among those left, -1 where it is none of them; int64 [T].
        row: of each pool row that is left, the row that is entered, -1 where there is none.
    """

    topics: tuple[str, ...]
    topic: Ints
    row: Ints

    @classmethod
    def between(cls, left: Qrels, entered: Qrels) -> Rejudged:
        """Topics and documents are the same where their ids are."""
        number = {topic: number for number, topic in enumerate(left.topics)}
        topic = np.array([number.get(topic, -1) for topic in entered.topics], dtype=np.int64)
        ids = left.documents
        nothing = np.zeros(len(left.grade))
        columns = list(left.topics), left.starts, ids.data, ids.offsets, nothing
        (judged,) = engine.current().judge_run(*columns, None, build_index(entered), ["file"], "error")
        row = np.full(len(left.grade), -1, dtype=np.int64)
        begins = np.repeat(left.starts[topic], np.diff(judged["starts"]))
        row[begins + judged["rank"] - 1] = judged["document"]
        return cls(left.topics, topic, row)

    def judged(self, lists: Judged) -> Judged:
        """Lists of the judgments that are left, as they are in those that are entered."""
        absent = self.topic < 0
        sizes = np.where(absent, 0, np.diff(lists["starts"])[self.topic])
        begins = lists["starts"][self.topic]
        owner = np.repeat(np.arange(len(sizes)), sizes)
        rows = begins[owner] + np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        document = self.row[lists["document"][rows]]
        known = document >= 0
        rows = rows[known]
        tied = bool(len(lists["first"]))
        return {
            "length": np.where(absent, 0, lists["length"][self.topic]),
            "starts": np.concatenate([[0], np.cumsum(np.bincount(owner[known], minlength=len(sizes)))]).astype(
                np.int64
            ),
            "rank": lists["rank"][rows],
            "document": document[known],
            "first": lists["first"][rows] if tied else lists["first"],
            "last": lists["last"][rows] if tied else lists["last"],
            "facts": self._facts(lists),
        }

    def _facts(self, lists: Judged) -> Facts:
        """The notices, with the topics that only the judgments entered do not hold."""
        facts = lists["facts"].copy()
        facts["noticed"] = dict(facts.get("noticed", {}))
        here = set(self.topic.tolist())
        lost = [self.topics[number] for number in np.flatnonzero(lists["length"]).tolist() if number not in here]
        before = facts["noticed"].pop("extra-topics", {"count": 0, "names": []})
        if lost or before["count"]:
            names = [*lost, *before["names"]][:5]
            notice(facts, "extra-topics", before["count"] + len(lost), names=names)
        return facts

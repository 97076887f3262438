"""The work on one part of a run: read, judge and score its files, and return exact sums."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, Protocol

import numpy as np

from cranfield._message import remove_credentials, setting
from cranfield._text import quoted
from cranfield._typing import Floats, Ints, Returned
from cranfield.collection.policy import Policy
from cranfield.engine.protocol import Facts, IdColumn, TopicLists
from cranfield.errors import CranfieldError, InputError
from cranfield.findings.location import Location
from cranfield.measures import Measure, Summary
from cranfield.scoring.list_scorer import ListScorer
from cranfield.scoring.partial_sums import Partial
from cranfield.scoring.undefined_topics import Lacks, find_lacking
from cranfield.streaming.partitions.batches import IntegerIds
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.lists import Listing, ScatteredTopicError
from cranfield.streaming.partitions.parts import Part, TopicLayout
from cranfield.streaming.partitions.qrels import JudgedTopics, from_fragments
from cranfield.streaming.partitions.topic_scores import Collected, TopicScores

NOWHERE = Location(name="qrels")
WAIT = 0.2
"""Seconds before the first repetition of what the system refused; each further one waits twice as long."""


class Keep(Protocol):
    """Receives the scores of a part's topics, [measures, topics], a batch at a time; it is sent to other processes.

    Of topics that are in no part, ``part`` is None. One with a method ``begin`` is told when a part is begun, or anew.
    """

    def __call__(self, part: Part | None, topics: IdColumn, scores: Floats) -> None:
        """Scores of the topics with these ids."""
        ...


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of a part.

    Args:
        part: its number.
        partial: exact sums, and the topics.
        missing: judged topics of this part of which nothing was retrieved, and that are in the sums.
        rows: that were read.
        facts: what was noticed.
        scores: of its topics, where they were requested.
    """

    part: int
    partial: Partial
    missing: int = 0
    rows: int = 0
    facts: Facts = field(default_factory=Facts)
    scores: TopicScores | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """A part that could not be scored.

    Args:
        part: its number.
        name: of its file.
        error: what is wrong.
    """

    part: int
    name: str
    error: Exception


@dataclass(frozen=True, slots=True)
class Attempt(Generic[Returned]):
    """A task that returns the failure of a part, and repeats what the system refuses.

    Args:
        task: what is done with a part.
        retries: how often it is tried again.
    """

    task: Callable[[Part], Returned]
    retries: int = 2

    def __call__(self, part: Part) -> Returned | Failed:
        """The result of the task, or its failure."""
        for trial in range(self.retries + 1):
            try:
                return self.task(part)
            except CranfieldError as error:
                return Failed(part.number, part.location.file, error)
            except OSError as error:
                if trial == self.retries:
                    trials = "" if trial == 0 else f" in {trial + 1} trials"
                    text = f"cannot be read{trials}: {remove_credentials(str(error))}; is its storage there?"
                    return Failed(part.number, part.location.file, InputError(text, part.location, code="unreachable"))
                time.sleep(WAIT * 2**trial)
        raise AssertionError("every trial returns or raises")


@dataclass(frozen=True, kw_only=True)
class PartWork:
    """The work on each part, as a function of it. It may be sent to other processes.

    Args:
        measures: the measures.
        names: theirs.
        summaries: how each is summed up.
        policy: how odd cases are read.
        digest: of judgments, measures and policies.
        labels: that occur in the whole of the judgments.
        kinds: of the ids.
        topics: how they lie in a file.
        judged: the judgments of all parts; None where each part has its own.
        rows: read at a time.
        held: rows of scattered topics that are held in memory at a time.
        keep: receives the scores of topics; None drops them.
        collect: whether they are sent back too.
        qrels: where messages say that the judgments are.
    """

    does: ClassVar = "scoring"
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    summaries: tuple[Summary, ...]
    policy: Policy
    digest: str
    labels: Floats
    kinds: IntegerIds
    topics: TopicLayout
    judged: JudgedTopics | None = None
    rows: int = 131_072
    held: int = 10_000_000
    keep: Keep | None = None
    collect: bool = False
    qrels: Location = NOWHERE

    def __call__(self, part: Part) -> PartResult:
        """The result of a part."""
        judged = self.judged
        if judged is None:
            judged = from_fragments(part.qrels or (), self.kinds, self.rows, part.between, self.labels)
        if self.topics != "auto":
            return self._scored(part, judged)
        if self.keep is not None and not hasattr(self.keep, "begin"):
            return replace(self, topics="together")._scored(part, judged)
        try:
            return self._scored(part, judged)
        except ScatteredTopicError:
            pass
        except InputError as error:
            if error.code != "scattered":
                raise
        return replace(self, topics="complete")._scored(part, judged)

    def _scored(self, part: Part, judged: JudgedTopics) -> PartResult:
        collected = Collected(judged.topics) if self.collect else None
        scorer = self.scorer(part, judged, collected)
        facts: Facts = {"rows": 0, "noticed": {}}
        met = np.full(judged.count, -1, dtype=np.int64)
        listing = Listing(policy=self.policy, kinds=self.kinds, topics=self.topics, rows=self.rows, held=self.held)
        for fragment in part.run:
            for lists in listing.lists(fragment, judged, facts, part.between):
                self._meet(lists, met, fragment, judged)
                scorer.add(lists)
        there = np.flatnonzero(met >= 0)
        missing = 0
        if self.judged is None:
            absent = np.flatnonzero(met < 0)
            missing = len(absent)
            if missing:
                scorer.finish()
                scorer.add_missing(absent)
                facts["absent"] = [judged.name(int(number)) for number in absent[:5]]
                there = np.arange(judged.count)
        moments = scorer.finish()
        facts["lacks"] = self.lacks(scorer, judged)
        partial = Partial(self.digest, self.names, judged.names(there), moments)
        scores = None if collected is None else collected.joined()
        return PartResult(part.number, partial, missing, facts["rows"], facts, scores)

    def scorer(self, part: Part, judged: JudgedTopics, collected: Collected | None = None) -> ListScorer:
        """The scorer of the lists."""
        keeper = self._keeper(part, judged, collected)
        return ListScorer(self.measures, self.summaries, self.policy, judged.judgments, keeper)

    def lacks(self, scorer: ListScorer, judged: JudgedTopics) -> Lacks:
        """Find the gaps in the judgments of topics on which a measure was undefined."""
        numbers = np.sort(np.concatenate([np.empty(0, dtype=np.int64), *scorer.undefined]))
        return find_lacking(self.measures, self.policy, judged.judgments, numbers, judged.name)

    def _keeper(self, part: Part, judged: JudgedTopics, collected: Collected | None) -> Any:
        keep = self.keep
        if keep is None:
            return collected
        if hasattr(keep, "begin"):
            keep.begin()

        def keep_scores(numbers: Ints, scores: Floats) -> None:
            from cranfield.collection.ids import taken

            keep(part, taken(judged.topics, numbers), scores)
            if collected is not None:
                collected(numbers, scores)

        return keep_scores

    def _meet(self, lists: TopicLists, met: Ints, fragment: Fragment, judged: JudgedTopics) -> None:
        """Note which topics were met, and refuse one that was met before."""
        topic, row = lists["topic"], lists["row"]
        before = met[topic]
        met[topic] = row
        again = np.flatnonzero((before >= 0) | (met[topic] != row))
        if not len(again):
            return
        at = int(again[0])
        earlier = int(before[at]) if before[at] >= 0 else int(row[np.flatnonzero(topic == topic[at])[0]])
        later = int(row[at]) if before[at] >= 0 else int(row[np.flatnonzero(topic == topic[at])[1]])
        name = judged.name(int(topic[at]))
        text = (
            f"topic {quoted(name)} occurs again, after other topics; it occurs first in "
            f"{fragment.where(earlier)}; say {setting('topic_layout', 'complete')} where the rows of a topic are in "
            "one file but not together"
        )
        raise InputError(text, fragment.where(later), code="scattered", value=name)

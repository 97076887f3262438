"""Fusion of large runs, a few topics at a time: beside the runs themselves, only one part is held in memory.

While parts are fused, remarks on the runs are collected: topics or documents not in common, contradictory ranks.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from cranfield._text import condensed, warn
from cranfield._typing import Ints
from cranfield.collection.policy import Policy
from cranfield.collection.reading import InputOptions
from cranfield.collection.run import Run
from cranfield.engine.protocol import Facts
from cranfield.findings.catalogue import MANY
from cranfield.findings.finding import Finding, finding, notice, noticed
from cranfield.fusion.lists import UnionLists, check_topics
from cranfield.io.inputs import NamedRun, RunsLike
from cranfield.io.judging import locate_run
from cranfield.io.loading import loaded_runs
from cranfield.io.trec import can_stand

ROWS = 1 << 19
"""Rows of all runs in a part, unless a topic has more."""
CONTRADICTION = "rank-contradicts-score"


def fused_in_parts(runs: RunsLike, fuse: Callable[[UnionLists], Run], reading: InputOptions) -> Iterator[Run]:
    """Fuse runs part by part: an iterator over runs of a few topics each, to be written in order.

    The runs are read, and the first part is made, before this returns. Runs of which something could still be refused
    later are one part, so that nothing is written where something is refused. Behind the last part it warns of runs
    that have nothing in common, of topics that a run lacks, and of ranks that contradict scores.

    Raises:
        InputError: a run cannot be read, ordered or written.
        UsageError: ``fuse`` raises it.
    """
    loaded = loaded_runs(runs, reading)
    topics = list(dict.fromkeys(topic for _, run in loaded for topic in run.topics))
    for name, run in loaded:
        check_topics(NamedRun(name, run), topics, reading.policy)
    rows = ROWS if _is_sound([run for _, run in loaded], reading.policy) else sum(len(run) for _, run in loaded)
    parts = _each_fused(loaded, _parts(loaded, topics, rows), fuse, reading.policy)
    return itertools.chain([next(parts)], parts)


def _each_fused(
    loaded: Sequence[tuple[str, Run]],
    parts: Iterator[list[tuple[str, Run]]],
    fuse: Callable[[UnionLists], Run],
    policy: Policy,
) -> Iterator[Run]:
    """Each part fused; at the end it warns of what was seen in all of them."""
    remarks = RunNumbers(loaded)
    for part in parts:
        lists = UnionLists.from_runs(part, policy)
        remarks.look_at(lists)
        yield fuse(lists)
    for message in condensed(remarks.findings()):
        warn(message)


def _is_sound(runs: Sequence[Run], policy: Policy) -> bool:
    """Tell whether runs can be ordered and written whatever they hold: no rank decides, and every id is a word."""
    return policy.ties != "rank" and all(can_stand(run) for run in runs)


def _parts(runs: Sequence[tuple[str, Run]], topics: Sequence[str], rows: int) -> Iterator[list[tuple[str, Run]]]:
    """Cut the runs into parts of ``rows`` rows of all runs together, or of one topic."""
    number = {topic: number for number, topic in enumerate(topics)}
    numbers = [np.array([number[topic] for topic in run.topics], dtype=np.int64) for _, run in runs]
    total = np.zeros(len(topics), dtype=np.int64)
    for (_, run), own in zip(runs, numbers, strict=True):
        total[own] += np.diff(run.starts)
    filled, part = np.unique((np.cumsum(total) - total) // rows, return_inverse=True)
    chosen = [_split_by_part(part[own], len(filled)) for own in numbers]
    for at in range(len(filled)):
        yield [(name, run.select_topics(own[at])) for (name, run), own in zip(runs, chosen, strict=True)]


def _split_by_part(part: Ints, parts: int) -> list[Ints]:
    """The indices that belong to each part, ascending."""
    order = np.argsort(part, kind="stable")
    return np.split(order, np.searchsorted(part[order], np.arange(1, parts)))


class RunNumbers:
    """Collects a few numbers of each run, part by part.

    Args:
        runs: with their names.
    """

    def __init__(self, runs: Sequence[tuple[str, Run]]) -> None:
        self._runs = runs
        self._facts = [Facts(rows=0, skipped=0, tag="", noticed={}) for _ in runs]
        self._shares = [len(runs) < 2] * len(runs)

    def look_at(self, lists: UnionLists) -> None:
        """Note the lists of all runs for the topics of a part."""
        for own, seen in zip(self._facts, lists.facts, strict=True):
            contradiction = seen.get("noticed", {}).get(CONTRADICTION)
            if contradiction is not None:
                notice(own, CONTRADICTION, contradiction["count"], topic=contradiction["topic"])
        if all(self._shares):
            return
        holders = np.bincount(lists.document, minlength=len(lists.everything.grade))
        for at, shares in enumerate(self._shares):
            if not shares:
                first, last = lists.starts[[at * len(lists.topics), (at + 1) * len(lists.topics)]]
                self._shares[at] = bool((holders[lists.document[first:last]] > 1).any())

    def findings(self) -> Iterator[Finding]:
        """Findings on the runs, once all parts have been seen, run by run."""
        having = Counter(topic for _, run in self._runs for topic in run.topics)
        alone = [len(self._runs) > 1 and max(map(having.__getitem__, run.topics)) == 1 for _, run in self._runs]
        expected = dict.fromkeys(
            topic for (_, run), apart in zip(self._runs, alone, strict=True) if not apart for topic in run.topics
        )
        for (name, run), facts, apart, shares in zip(self._runs, self._facts, alone, self._shares, strict=True):
            location = locate_run(NamedRun(name, run.path or run))
            yield from noticed(facts, location)
            if apart:
                yield finding("no-topic-in-common", location, topic=run.topics[0])
                continue
            present = set(run.topics)
            absent = [topic for topic in expected if topic not in present]
            if absent:
                yield finding("topics-of-others", location, topics=absent)
            if not shares and len(run) >= MANY:
                yield finding("no-document-in-common", location, example=run.documents[0])

"""What a careful reader should know of runs that are fused: what they do not have in common, and odd ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.collection.run import Run
from cranfield.engine.protocol import Facts
from cranfield.findings.catalogue import MANY
from cranfield.findings.finding import Finding, finding, notice, noticed
from cranfield.fusion.lists import Lists
from cranfield.io.inputs import NamedRun
from cranfield.io.judging import place_of

CONTRADICTION = "rank-contradicts-score"


class Remarks:
    """Looks at lists part by part, and keeps a few numbers of each run.

    Args:
        runs: with their names.
    """

    def __init__(self, runs: Sequence[tuple[str, Run]]) -> None:
        self._runs = runs
        self._facts = [Facts(rows=0, skipped=0, tag="", noticed={}) for _ in runs]
        self._shares = [len(runs) < 2] * len(runs)

    def look_at(self, lists: Lists) -> None:
        """The lists of all runs for some topics."""
        for own, seen in zip(self._facts, lists.facts, strict=True):
            said = seen.get("noticed", {}).get(CONTRADICTION)
            if said is not None:
                notice(own, CONTRADICTION, said["count"], topic=said["topic"])
        if all(self._shares):
            return
        holders = np.bincount(lists.document, minlength=len(lists.everything.grade))
        for at, shares in enumerate(self._shares):
            if not shares:
                first, last = lists.starts[[at * len(lists.topics), (at + 1) * len(lists.topics)]]
                self._shares[at] = bool((holders[lists.document[first:last]] > 1).any())

    def findings(self) -> Iterator[Finding]:
        """What is to be said when all parts have been looked at, run by run."""
        having = Counter(topic for _, run in self._runs for topic in run.topics)
        alone = [len(self._runs) > 1 and max(map(having.__getitem__, run.topics)) == 1 for _, run in self._runs]
        expected = dict.fromkeys(
            topic for (_, run), apart in zip(self._runs, alone, strict=True) if not apart for topic in run.topics
        )
        for (name, run), facts, apart, shares in zip(self._runs, self._facts, alone, self._shares, strict=True):
            place = place_of(NamedRun(name, run.path or run))
            yield from noticed(facts, place)
            if apart:
                yield finding("no-topic-in-common", place, topic=run.topics[0])
                continue
            present = set(run.topics)
            absent = [topic for topic in expected if topic not in present]
            if absent:
                yield finding("topics-of-others", place, topics=absent)
            if not shares and len(run) >= MANY:
                yield finding("no-document-in-common", place, example=run.documents[0])

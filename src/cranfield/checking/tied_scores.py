"""Equal scores near the top of a run's lists, and how far their order moves a measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield import engine
from cranfield._text import every_one
from cranfield.collection.policy import Policy, TiesPolicy
from cranfield.collection.rankings import Rankings
from cranfield.collection.run import Run
from cranfield.findings.catalogue import DEPTH
from cranfield.findings.finding import Finding, finding
from cranfield.findings.location import Location
from cranfield.measures import Measure, summary
from cranfield.scoring.compute import compute_cells
from cranfield.scoring.loop import DEFAULT, read_measures

TIE_POLICIES: tuple[TiesPolicy, ...] = (Policy().ties, "trec9", "docid", "file")
PRINTED = ".4f"
"""The format of printed summaries; ties that change none of these digits are a note."""
FEW = 8
"""The most measures that are named one by one."""


def looked_at(measures: Sequence[Measure] = ()) -> tuple[Measure, ...]:
    """The measures that need no intents, whose values equal scores may move; the default ones where there are none."""
    return tuple(measure for measure in measures if not measure.declaration.needs_intents) or read_measures(DEFAULT)


@dataclass(frozen=True)
class Tied:
    """Lists of a run that have equal scores near the top.

    Args:
        lists: all of them.
        exactly: those with scores that are equal as they are.
        rounded: those with scores that are equal in single precision, or as they are.
        policies: that could order the run differently, the default one first; alone where no list has equal scores.
        depth: ranks among which they were looked for.
    """

    lists: int
    exactly: int
    rounded: int
    policies: tuple[Policy, ...]
    depth: int

    @classmethod
    def find(cls, run: Run, depth: int = DEPTH) -> Tied:
        """Look for equal scores among the first ranks."""
        exactly, either, rounding = engine.current().count_ties(run.starts, run.score, depth)
        orders = TIE_POLICIES if either else TIE_POLICIES[:1]
        if either and not rounding:  # trec_eval 9 orders as trec_eval 10 does
            orders = tuple(ties for ties in orders if ties != "trec9")
        return cls(len(run.topics), exactly, either, tuple(Policy(ties=ties) for ties in orders), depth)

    def findings(self, seen: Sequence[Rankings], location: Location, measures: Sequence[Measure]) -> Iterator[Finding]:
        """The finding on the equal scores, if there are any.

        Args:
            seen: the run seen through judgments under each of the policies.
            location: where the run is.
            measures: that they may move.
        """
        if self.rounded:
            effect, moved = self._disagreement(seen, measures)
            names = every_one([*map(str, measures)]) if len(measures) <= FEW else f"all {len(measures)} measures"
            agreement = f"the tie policies agree on {names} to four digits"
            found = finding(
                "ties" if effect else "harmless-ties",
                location,
                lists=self.lists,
                tied=self.rounded,
                only_rounded=self.rounded - self.exactly,
                effect=effect or agreement,
                depth=self.depth,
            )
            yield replace(found, measure=moved)

    def _disagreement(self, seen: Sequence[Rankings], measures: Sequence[Measure]) -> tuple[str, str]:
        """The difference of the policies by the first measure whose printed summary they change, and its name."""
        first = seen[0]
        # A policy that gives the same labels at the same ranks as the first one gives the same values.
        apart = {
            policy.ties: rankings
            for policy, rankings in zip(self.policies, seen, strict=True)
            if rankings is first or not _alike(first, rankings)
        }
        if len(apart) == 1:
            return "", ""
        together = Rankings.concatenate([*apart.values()])
        for measure in measures:
            (cells,) = compute_cells([measure], together, first.policy, "none")[0]
            means_by_order = dict(
                zip(apart, summary(measure.declaration.summary, cells.reshape(len(apart), -1)), strict=True)
            )
            means = [means_by_order.get(ties, means_by_order[TIE_POLICIES[0]]) for ties in TIE_POLICIES]
            printed = [format(mean, PRINTED) for mean in means]
            if len(set(printed)) > 1:
                listed = ", ".join(f"{order} {mean}" for order, mean in zip(TIE_POLICIES, printed, strict=True))
                by = max(map(float, printed)) - min(map(float, printed))
                return f"the tie policies differ by {by:{PRINTED}} on {measure} ({listed})", str(measure)
        return "", ""


def _alike(left: Rankings, right: Rankings) -> bool:
    """Return whether every list has the same labels at the same ranks."""
    columns = ((left.starts, right.starts), (left.rank, right.rank), (left.grade, right.grade))
    return all(np.array_equal(a, b) for a, b in columns)

"""Equal scores near the top of a run's lists, and how far their order moves a measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Floats, Singles
from cranfield.collection.policy import Policy, Ties
from cranfield.collection.rankings import Rankings
from cranfield.collection.run import Run
from cranfield.findings.finding import Finding, finding
from cranfield.findings.place import Place
from cranfield.findings.table import DEPTH
from cranfield.measures import parse_measure, values
from cranfield.scoring.asked import DEFAULT
from cranfield.wording import every_one

Flags = NDArray[np.bool_]
TIE_POLICIES: tuple[Ties, ...] = (Policy().ties, "trec9", "docid", "file")
PRINTED = ".4f"
"""How means are printed; ties that change none of these digits are a note."""
AGREEMENT = f"the tie policies agree on {every_one(DEFAULT)} to four digits"


@dataclass(frozen=True)
class Tied:
    """Lists of a run that have equal scores near the top.

    Args:
        lists: all of them.
        exactly: those with scores that are equal as they are.
        rounded: those with scores that are equal in single precision, or as they are.
        policies: that could order the run differently, the default one first; alone where no list has equal scores.
    """

    lists: int
    exactly: int
    rounded: int
    policies: tuple[Policy, ...]

    @classmethod
    def of(cls, run: Run) -> Tied:
        """Look for equal scores."""
        length = np.diff(run.starts)
        topic = np.repeat(np.arange(len(length)), length)
        inside, score = topic[1:] == topic[:-1], run.score
        if (inside & (score[1:] > score[:-1])).any():
            score = score[np.lexsort((-score, topic))]
        with np.errstate(over="ignore"):
            rounded = score.astype(np.float32)
        near = np.flatnonzero(inside & (np.arange(1, len(topic)) - run.starts[topic[1:]] <= DEPTH))
        equal = [topic[near[values[near] == values[near + 1]]] for values in (score, rounded)]
        exactly, also = (np.bincount(lists, minlength=len(length)) > 0 for lists in equal)
        either = int((exactly | also).sum())
        orders = TIE_POLICIES if either else TIE_POLICIES[:1]
        # If not, trec_eval 9 orders as trec_eval 10 does.
        if either and not _rounding_ties(inside, score, rounded):
            orders = tuple(ties for ties in orders if ties != "trec9")
        return cls(len(length), int(exactly.sum()), either, tuple(Policy(ties=ties) for ties in orders))

    def findings(self, seen: Sequence[Rankings], place: Place) -> Iterator[Finding]:
        """What is to be said of them.

        Args:
            seen: the run seen through judgments under each of the policies.
            place: where the run is.
        """
        if self.rounded:
            effect = self._disagreement(seen)
            yield finding(
                "ties" if effect else "harmless-ties",
                place,
                lists=self.lists,
                tied=self.rounded,
                only_rounded=self.rounded - self.exactly,
                effect=effect or AGREEMENT,
            )

    def _disagreement(self, seen: Sequence[Rankings]) -> str:
        """How far the policies are apart, by the first measure whose printed mean they change; empty without one."""
        by_order = {policy.ties: rankings for policy, rankings in zip(self.policies, seen, strict=True)}
        for measure in map(parse_measure, DEFAULT):
            found = {
                ties: float(np.nan_to_num(values(measure, rankings)).mean()) for ties, rankings in by_order.items()
            }
            means = [found.get(ties, found[TIE_POLICIES[0]]) for ties in TIE_POLICIES]
            printed = [format(mean, PRINTED) for mean in means]
            if len(set(printed)) > 1:
                said = ", ".join(f"{order} {mean}" for order, mean in zip(TIE_POLICIES, printed, strict=True))
                apart = float(max(printed)) - float(min(printed))
                return f"the tie policies differ by {apart:{PRINTED}} on {measure} ({said})"
        return ""


def _rounding_ties(inside: Flags, score: Floats, rounded: Singles) -> bool:
    """Whether scores of a list are equal in single precision alone.

    Args:
        inside: whether each row and the next are of one list.
        score: in falling order in each list.
        rounded: the same in single precision.
    """
    return bool((inside & (score[1:] != score[:-1]) & (rounded[1:] == rounded[:-1])).any())

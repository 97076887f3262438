"""Scores of several runs on some topics as exact sums, so that the runs can be compared without scores of topics."""

from __future__ import annotations

from dataclasses import dataclass

from cranfield.errors import InputError
from cranfield.scoring.differences import Difference, Pair, PairedTest
from cranfield.scoring.partial import Partial, Totals


@dataclass(frozen=True, slots=True)
class JointPartial:
    """What a ``Scorer`` found of several runs in some topics; parts are merged with ``|``, in any order.

    Args:
        runs: name -> sums of its scores; every run has the same topics.
        differences: of every two runs, by each measure.
        missing: name -> how many of these topics it has no documents of.
    """

    runs: dict[str, Partial]
    differences: dict[Pair, tuple[Difference, ...]]
    missing: dict[str, int]

    def __or__(self, other: JointPartial) -> JointPartial:
        """Both together.

        Raises:
            InputError: a topic is in both, or they are of other runs, judgments, measures or policies.
        """
        if not isinstance(other, JointPartial):
            return NotImplemented
        if list(self.runs) != list(other.runs):
            ours, theirs = ", ".join(self.runs), ", ".join(other.runs)
            text = f"these sums are of other runs ({ours}; {theirs}): give every part the same runs in the same order"
            raise InputError(text, code="other-runs")
        return JointPartial(
            {name: one | other.runs[name] for name, one in self.runs.items()},
            {
                pair: tuple(one + more for one, more in zip(some, other.differences[pair], strict=True))
                for pair, some in self.differences.items()
            },
            {name: count + other.missing[name] for name, count in self.missing.items()},
        )


@dataclass(frozen=True, slots=True)
class JointTotals:
    """What all parts of several runs come to.

    Args:
        totals: run -> means, counts and variances.
        tests: paired t-test of every two runs by each measure, the better run first.
    """

    totals: dict[str, Totals]
    tests: tuple[PairedTest, ...]

"""Where systems stand by one measure: what every analysis asks of scores, however many of them are in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sized
from functools import cached_property
from typing import Any

from cranfield._text import shown
from cranfield._typing import Floats, Ints
from cranfield.errors import InputError
from cranfield.scores.order import best_first, comparable, ranks
from cranfield.scores.signature import package_version

HUGE = 1e100
"""Sums of squares of scores below this, and above its reciprocal, neither overflow nor vanish."""


class Standing(ABC):
    """One measure's scores, summarized.

    Args:
        measure: its name.
        systems: in their order.
        larger_is_better: whether it is.
        source: signature of the scores.
    """

    measure: str
    systems: tuple[str, ...]
    larger_is_better: bool
    source: Any

    @property
    @abstractmethod
    def means(self) -> Floats:
        """Of each system over its topics, [systems]."""

    @property
    @abstractmethod
    def exact_means(self) -> Floats:
        """Means as tables of summaries have them, so that no order differs from theirs."""

    @abstractmethod
    def topics_held(self) -> Sized:
        """The topics, or as many numbers."""

    @property
    def called(self) -> str:
        """The measure's name, safe to print: it may come from an untrusted file."""
        return shown(self.measure)

    @cached_property
    def leaderboard(self) -> list[int]:
        """Columns from best to worst mean, equal ones by name."""
        return best_first(self.exact_means, self.systems, self.larger_is_better)

    @property
    def comparable_means(self) -> Floats:
        """Of each system, without the noise of summation, larger is better, [systems]."""
        return comparable(self.exact_means, self.larger_is_better)

    @property
    def ranks(self) -> Ints:
        """Of each system by its mean, 1 for the best; equal ones share the smallest, [systems]."""
        return ranks(self.exact_means, self.larger_is_better)

    def at_least(self, topics: int, systems: int, what: str) -> None:
        """Raises: InputError: fewer topics or systems than an analysis needs."""
        for have, need, noun in ((len(self.topics_held()), topics, "topics"), (len(self.systems), systems, "systems")):
            if have < need:
                raise InputError(f"{what} needs {need} {noun} or more, and the scores have {have}", code="too-few")

    def signature(self, analysis: str, **settings: Any) -> dict[str, Any]:
        """All that changes the numbers of an analysis."""
        return {
            "cranfield": package_version(),
            "analysis": analysis,
            "measure": self.measure,
            "settings": settings,
            "scores": self.source,
        }


def refuse_out_of_range(measure: str, largest: float) -> None:
    """Raises: InputError: scores go up to numbers whose squares are none."""
    if largest and not 1 / HUGE < largest < HUGE:
        text = f"{shown(measure)} goes up to {largest:g}, whose square is lost: rescale the scores"
        raise InputError(text, code="overflow", value=f"{largest:g}")

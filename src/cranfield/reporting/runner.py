"""Where analyses are asked, some beside others: none takes the page down, and each that fails leaves its reason.

What one analysis gives a report: its result, or the reason why there is none.

Why something is not on a page: an analysis that refuses says so itself, and a bug is called one.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from cranfield._message import message
from cranfield._text import hearing, shown
from cranfield.errors import CranfieldError, InputError
from cranfield.reporting.redaction import PathRedactor
from cranfield.threads import beside

if TYPE_CHECKING:
    from concurrent.futures import Future


T = TypeVar("T")


@dataclass(frozen=True)
class AnalysisOutcome(Generic[T]):
    """The answer of one analysis; without result and reason it was not asked.

    Args:
        result: of the analysis; None where it was refused or not asked.
        reason: why it was refused, a clause; None where it was not.
    """

    result: T | None = None
    reason: str | None = None

    @property
    def asked(self) -> bool:
        """Whether there is a result or a reason."""
        return self.result is not None or self.reason is not None


Stage = Callable[[str], None]


class AnalysisRunner:
    """Asks analyses, and keeps what they warn of.

    Args:
        say: called with the name of each stage as it begins.
        public: how texts that name files are written on a page.
    """

    def __init__(self, say: Stage, public: PathRedactor) -> None:
        self.say, self.public = say, public
        self._warned: list[list[str]] = []

    @property
    def remarks(self) -> tuple[str, ...]:
        """What analyses warned of, each once: in the order in which they were asked, whichever ended first."""
        return tuple(dict.fromkeys(text for said in self._warned for text in said))

    def ask(self, stage: str, analysis: Callable[[], T]) -> AnalysisOutcome[T]:
        """The result of an analysis, or the reason why it failed.

        Args:
            stage: what is done, for a line of progress.
            analysis: called once.
        """
        return self._answer(stage, analysis, self._place())

    def beside(self, stage: str, analysis: Callable[[], T]) -> Future[AnalysisOutcome[T]]:
        """The same, while others are asked."""
        place = self._place()
        return beside(lambda: self._answer(stage, analysis, place))

    def _place(self) -> list[str]:
        """Where what an analysis warns of is kept."""
        self._warned.append([])
        return self._warned[-1]

    def _answer(self, stage: str, analysis: Callable[[], T], place: list[str]) -> AnalysisOutcome[T]:
        self.say(stage)
        answer: AnalysisOutcome[T]
        with hearing() as said:
            try:
                answer = AnalysisOutcome(analysis())
            except Exception as error:
                answer = AnalysisOutcome(reason=self.public(reason(error)))
        place += map(self.public, said)
        return answer


def bounded(systems: int, measures: int, most: int, analysis: Callable[[], T]) -> Callable[[], T]:
    """An analysis of all pairs of systems, which refuses where there are so many that it would take minutes.

    Args:
        systems: how many there are.
        measures: by how many they are compared.
        most: pairs times measures that a page looks at.
        analysis: called where there are no more.
    """

    def asked() -> T:
        pairs = math.comb(systems, 2)
        if pairs * measures > most:
            by = f" by {measures} measures" if measures > 1 else ""
            raise InputError(
                f"it compares all {pairs:,} pairs of {systems:,} systems{by}, and a page compares at most "
                f"{most // measures:,} pairs: give fewer systems, or use the command for this question alone"
            )
        return analysis()

    return asked


LONGEST = 300
"""Characters of the message of an unforeseen exception."""


def reason(error: Exception) -> str:
    """What an error says to those who read the page: a clause.

    Nothing is hidden: an error that is not the package's own is named, with its one line.
    """
    if isinstance(error, CranfieldError):
        return message(error.args[0])
    line = " ".join(traceback.format_exception_only(error)[-1].split())
    return f"it failed unexpectedly ({shown(line, LONGEST)}), which is a bug in cranfield: please report it"

"""Runs analyses for a page: none takes the page down, and each that fails leaves its reason."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from cranfield._message import message
from cranfield._text import hearing, shown
from cranfield._typing import Returned
from cranfield.errors import CranfieldError, InputError
from cranfield.io.redaction import PathRedactor
from cranfield.threads import beside

if TYPE_CHECKING:
    from concurrent.futures import Future

Stage = Callable[[str], None]
MAX_MESSAGE = 300
"""Characters of the message of an unforeseen exception."""


@dataclass(frozen=True)
class AnalysisOutcome(Generic[Returned]):
    """The result of an analysis, or the reason why there is none; neither where it was not requested.

    Args:
        result: what the analysis returned.
        reason: why it failed, a clause.
    """

    result: Returned | None = None
    reason: str | None = None

    @property
    def requested(self) -> bool:
        """Return whether the analysis was run at all."""
        return self.result is not None or self.reason is not None


class AnalysisRunner:
    """Runs analyses, and collects their warnings.

    Args:
        on_stage: called with the name of each stage as it begins.
        redact: rewrites texts that name files for a page.
        public: whether the page is for readers, who are not told what organisers could do.
    """

    def __init__(self, on_stage: Stage, redact: PathRedactor, *, public: bool = False) -> None:
        self.on_stage, self.redact, self.public = on_stage, redact, public
        self._warnings: list[list[str]] = []

    @property
    def remarks(self) -> tuple[str, ...]:
        """Each warning once, in the order in which the analyses were requested, whichever ended first."""
        return tuple(dict.fromkeys(text for warnings in self._warnings for text in warnings))

    def run(self, stage: str, analysis: Callable[[], Returned]) -> AnalysisOutcome[Returned]:
        """Run an analysis now.

        Args:
            stage: what is done, for a line of progress.
            analysis: called once.
        """
        return self._run(stage, analysis, self._reserve())

    def start(self, stage: str, analysis: Callable[[], Returned]) -> Future[AnalysisOutcome[Returned]]:
        """Run an analysis on another thread; see ``run``."""
        warnings = self._reserve()
        return beside(lambda: self._run(stage, analysis, warnings))

    def limit_pairs(
        self, systems: int, measures: int, limit: int, analysis: Callable[[], Returned], command: str
    ) -> Callable[[], Returned]:
        """Wrap an analysis of all pairs of systems, so that it refuses where there are too many for a page.

        Args:
            systems: their number.
            measures: the number of measures by which they are compared.
            limit: the largest product of pairs and measures.
            analysis: called where the product is within the limit.
            command: that does it without this limit, which a public page does not name.
        """

        def run() -> Returned:
            pairs = math.comb(systems, 2)
            if pairs * measures > limit:
                by = f" by {measures} measures" if measures > 1 else ""
                advice = "" if self.public else f": give fewer systems, or use `cranfield {command}`"
                raise InputError(
                    f"it compares all {pairs:,} pairs of {systems:,} systems{by}, and a page compares at most "
                    f"{limit // measures:,} pairs{advice}"
                )
            return analysis()

        return run

    def _reserve(self) -> list[str]:
        """Return the list for the warnings of the next analysis, which keeps their order."""
        self._warnings.append([])
        return self._warnings[-1]

    def _run(self, stage: str, analysis: Callable[[], Returned], warnings: list[str]) -> AnalysisOutcome[Returned]:
        self.on_stage(stage)
        outcome: AnalysisOutcome[Returned]
        with hearing() as messages:
            try:
                outcome = AnalysisOutcome(analysis())
            except Exception as error:
                outcome = AnalysisOutcome(reason=self.redact(error_message(error)))
        warnings += map(self.redact, messages)
        return outcome


def error_message(error: Exception) -> str:
    """Describe an error for the readers of a page, in a clause.

    Nothing is hidden: an error that is not the package's own is a bug, and is named with its one line.
    """
    if isinstance(error, CranfieldError):
        return message(error.args[0])
    line = " ".join(traceback.format_exception_only(error)[-1].split())
    return f"it failed unexpectedly ({shown(line, MAX_MESSAGE)}), which is a bug in cranfield: please report it"

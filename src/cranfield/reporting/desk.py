"""Where analyses are asked one after the other: none takes the page down, and each that fails leaves its reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from cranfield.reporting.answer import Answer
from cranfield.reporting.failing import reason
from cranfield.reporting.publishing import Published
from cranfield.wording import hearing

Stage = Callable[[str], None]
T = TypeVar("T")


class Desk:
    """Asks analyses, and keeps what they warn of.

    Args:
        say: called with the name of each stage as it begins.
        public: how texts that name files are written on a page.
    """

    def __init__(self, say: Stage, public: Published) -> None:
        self.say, self.public = say, public
        self._warned: list[str] = []

    @property
    def remarks(self) -> tuple[str, ...]:
        """What analyses warned of, each once."""
        return tuple(dict.fromkeys(self._warned))

    def ask(self, stage: str, analysis: Callable[[], T]) -> Answer[T]:
        """The result of an analysis, or the reason why it failed.

        Args:
            stage: what is done, for a line of progress.
            analysis: called once.
        """
        self.say(stage)
        answer: Answer[T]
        with hearing() as said:
            try:
                answer = Answer(analysis())
            except Exception as error:
                answer = Answer(reason=self.public(reason(error)))
        self._warned += map(self.public, said)
        return answer

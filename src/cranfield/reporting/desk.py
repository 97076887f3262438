"""Where analyses are asked one after the other: none takes the page down, and each that fails leaves its reason."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from cranfield.errors import CranfieldWarning
from cranfield.reporting.failing import reason
from cranfield.reporting.publishing import Published

Stage = Callable[[str], None]


class Desk:
    """Where results and reasons are gathered.

    Args:
        say: called with the name of each stage as it begins.
        public: how texts that name files are written on a page.
    """

    def __init__(self, say: Stage, public: Published) -> None:
        self.say, self.public = say, public
        self.found: dict[str, Any] = {}
        self.refused: dict[str, str] = {}
        self.remarked: list[str] = []

    def ask(self, name: str, stage: str, analysis: Callable[[], Any]) -> Any:
        """The result of an analysis, or None where it failed."""
        self.say(stage)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", CranfieldWarning)
            try:
                self.found[name] = analysis()
            except Exception as error:
                self.refused[name] = self.public(reason(error))
        said = [str(entry.message) for entry in caught if issubclass(entry.category, CranfieldWarning)]
        self.remarked += map(self.public, said)
        return self.found.get(name)

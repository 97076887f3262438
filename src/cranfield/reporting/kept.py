"""Runs kept in memory from the first reading to the fusions, as long as all of them fit."""

from __future__ import annotations

import threading

from cranfield.collection.run import Run
from cranfield.memory import budget
from cranfield.synthesis.fusible import A_LINE


class KeptRuns:
    """Runs by their names. Where they are too many to be fused in the memory allowed, none is kept."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._left = budget()
        self._turn = threading.Lock()

    def add(self, name: str, run: Run) -> None:
        """Keep a run; safe to call from many threads."""
        with self._turn:
            self._left -= len(run.score) * A_LINE
            if self._left < 0:
                self._runs.clear()
            else:
                self._runs[name] = run

    def give(self) -> dict[str, Run]:
        """All of them, which are not kept from now on."""
        given, self._runs = self._runs, {}
        return given

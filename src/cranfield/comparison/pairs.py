"""Which pairs of systems are compared."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted
from cranfield.errors import UsageError
from cranfield.scores.matrix import MeasureScores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.test_names import Test

SHOWN = 5
"""Names of systems in a message, at the most."""


def baselines_of(test: Test, given: str | Sequence[str]) -> list[str]:
    """The names of the baselines.

    Raises:
        UsageError: Dunnett's test with none, or with several.
    """
    names = [given] if isinstance(given, str) else list(given)
    if test == "dunnett" and len(set(names)) != 1:
        raise UsageError(
            f"{setting('test', 'dunnett')} compares every system with one baseline: name one with "
            f"{setting('baselines')}"
        )
    return names


def contrasts_of(matrix: MeasureScores, baselines: Sequence[str]) -> Contrasts:
    """All pairs, the better system first; or each baseline and every other system.

    Raises:
        UsageError: an unknown system.
        InputError: fewer than two systems or topics.
    """
    matrix.at_least(2, 2, "a comparison")
    if baselines:
        return Contrasts.against(len(matrix.systems), places_of(matrix.systems, baselines))
    order = np.array(matrix.leaderboard)
    every = Contrasts.all_pairs(len(matrix.systems))
    return Contrasts(order[every.left], order[every.right])


def places_of(systems: Sequence[str], names: Sequence[str]) -> list[int]:
    """Where the systems of some names are, each once.

    Raises:
        UsageError: there is no such system.
    """
    known = {system: at for at, system in enumerate(systems)}
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {quoted(close[0])}?" if close else f"there are {_some(systems)}"
            raise UsageError(f"no system is called {quoted(name)}; {hint}")
    return [known[name] for name in dict.fromkeys(names)]


def _some(systems: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(systems) - SHOWN:,} more" if len(systems) > SHOWN else ""
    return ", ".join(map(quoted, systems[:SHOWN])) + more

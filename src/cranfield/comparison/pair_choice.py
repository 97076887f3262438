"""Which pairs of systems are compared: all of them, or every system with the baselines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted, suggest
from cranfield._validation import list_names
from cranfield.errors import UsageError
from cranfield.scores.measure_scores import Scores
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.test_names import Test

SHOWN = 5
"""Names of systems in a message, at the most."""


def list_baselines(test: Test, baseline: str | Sequence[str]) -> list[str]:
    """List the names of the baselines.

    Raises:
        UsageError: Dunnett's test with none, or with several.
    """
    named = list_names(baseline=baseline)
    if test == "dunnett" and len(set(named)) != 1:
        raise UsageError(
            f"{setting('test', 'dunnett')} compares every system with one baseline: name one with {setting('baseline')}"
        )
    return named


def choose_pairs(scores: Scores, baselines: Sequence[str]) -> Contrasts:
    """Choose all pairs, the better system first; or each baseline and every other system.

    Raises:
        UsageError: an unknown system.
    """
    if baselines:
        return Contrasts.against(len(scores.systems), find_columns(scores.systems, baselines))
    order = np.array(scores.leaderboard)
    pairs = Contrasts.all_pairs(len(scores.systems))
    return Contrasts(order[pairs.left], order[pairs.right])


def find_columns(systems: Sequence[str], names: Sequence[str]) -> list[int]:
    """Find the columns of the systems with these names, each once.

    Raises:
        UsageError: there is no such system.
    """
    columns = {system: column for column, system in enumerate(systems)}
    for name in names:
        if name not in columns:
            raise UsageError(f"no system is called {quoted(name)}; {suggest(name, systems)}")
    return [columns[name] for name in dict.fromkeys(names)]

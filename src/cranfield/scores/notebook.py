"""Scores as a notebook shows them: the first systems by the first measure."""

from __future__ import annotations

from collections.abc import Sequence

from cranfield._html import ROWS, table
from cranfield._typing import Floats


def as_html(
    measures: Sequence[str], systems: Sequence[str], summaries: Floats, order: Sequence[int], caption: str
) -> str:
    """The first lines of a leaderboard.

    Args:
        measures: names.
        systems: names.
        summaries: [measures, systems].
        order: of the systems, best first.
        caption: what stands above.
    """
    rows = [(systems[system], *summaries[:, system].tolist()) for system in order[:ROWS]]
    return table(["system", *measures], rows, caption, len(order) - len(rows))

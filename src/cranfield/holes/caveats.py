"""What estimates of runs with holes rest on: sentences for the caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield._text import counted, shown
from cranfield.holes.features import DEPTH, SHARED_DEPTH, Documents
from cranfield.holes.scoring import get_cutoff
from cranfield.measures import Measure
from cranfield.scoring.unjudged_shares import MANY

TOO_MANY = 0.4
"""Share of holes from which on an estimate is not for ranking; from ``MANY`` on it rests on the assumption."""
FEW_ROWS = 20
"""Judged documents of a topic below which its labels say little."""
NAMED = 5
"""Names that a sentence lists."""


def list_caveats(
    documents: Documents, settings: Mapping[str, Any], holes: Mapping[str, float], measures: Sequence[Measure]
) -> tuple[str, ...]:
    """List what the estimates of these runs rest on.

    Args:
        documents: rows and candidates.
        settings: ``mode`` and ``hole_offset``.
        holes: run -> its share of unjudged documents.
        measures: that are estimated.
    """
    lines = []
    if settings["mode"] == "blind":
        offset = ", ".join(f"{value:g}" for value in settings["hole_offset"])
        lines.append(f"blind: assumes that holes are less relevant than judged documents by {offset} (logit, by level)")
    else:
        lines.append("pool: assumes that holes are as relevant as judged documents that like teams retrieved alike")
    if settings["mode"] == "pool" and (unlike := _unsupported(documents, holes)):
        lines.append(f"unlike the pool, more than half of the first {SHARED_DEPTH} in no other team: {_names(unlike)}")
    several = [name for name, value in holes.items() if MANY < value <= TOO_MANY]
    most = [name for name, value in holes.items() if value > TOO_MANY]
    if several:
        lines.append(
            f"rests on the assumption, more than {MANY:.0%} of the documents being unjudged: {_names(several)}"
        )
    if most:
        lines.append(f"not for ranking, more than {TOO_MANY:.0%} of the documents being unjudged: {_names(most)}")
    topics = documents.pools.topics
    rows = np.bincount(documents.topic[documents.judged], minlength=len(topics))
    few = [topics[at] for at in np.flatnonzero(rows < FEW_ROWS)]
    if few:
        what = counted(len(few), "topic")
        lines.append(f"fewer than {FEW_ROWS} judged documents that were retrieved, in {what}: {_names(few)}")
    deep = [str(measure) for measure in measures if get_cutoff(measure) is None]
    if deep:
        lines.append(f"the interval is not calibrated for measures without a cutoff: {', '.join(deep)}")
    return tuple(lines)


def _unsupported(documents: Documents, systems: Mapping[str, float]) -> list[str]:
    """Runs of whose first twenty more than half were retrieved by no other team."""
    pools = documents.pools
    rankings = pools.rankings
    system = rankings.segment // len(pools.topics)
    team_of = np.array([documents.teams.index(team) for team in documents.team_of_run])
    near = rankings.rank <= DEPTH
    pairs = np.unique(rankings.document[near] * len(documents.teams) + team_of[system[near]])
    teams = np.bincount(pairs // len(documents.teams), minlength=len(pools.label))
    first = rankings.rank <= SHARED_DEPTH
    unlike = []
    for name in systems:
        own = first & (system == pools.systems.index(name))
        if own.any() and (teams[rankings.document[own]] < 2).mean() > 0.5:
            unlike.append(name)
    return unlike


def _names(names: Sequence[str]) -> str:
    more = [f"and {len(names) - NAMED:,} more"] if len(names) > NAMED else []
    return ", ".join([*map(shown, names[:NAMED]), *more])

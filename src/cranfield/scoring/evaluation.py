"""Scores, and how they were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cranfield.collection.policy import Policy
from cranfield.collection.pool import Pool
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.errors import UsageError
from cranfield.findings.finding import Finding
from cranfield.io.inputs import NamedRun
from cranfield.measures import Measure
from cranfield.scores.scale import Scale
from cranfield.scores.table import ScoreTable
from cranfield.scoring.compute import Bounds
from cranfield.scoring.signature import narrowed


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation(ScoreTable):
    """A table of scores, with all that ``score`` knows of it.

    Args:
        measures: in the order asked for, duplicates merged.
        tags: run tag of each system.
        policy: what was decided.
        qrels: the judgments.
        runs: where each system came from.
        remarks: what a careful reader should know of the data.
        bounds: what the interval of each value is about, or none.
        rankings: all lists, where ``score`` was asked to keep them.
        hashes: SHA-256 of the file of each run as it was read; empty for a run in memory, or where nothing is signed.
    """

    measures: tuple[Measure, ...]
    tags: tuple[str, ...]
    policy: Policy
    qrels: Qrels
    runs: tuple[NamedRun, ...]
    remarks: tuple[Finding, ...] = field(repr=False)
    bounds: Bounds = "none"
    rankings: Rankings | None = field(default=None, repr=False)
    hashes: tuple[str, ...] = field(default=(), repr=False)

    def signature(self) -> dict[str, Any]:
        """All that changes these numbers: version, engine, measures, policies, and SHA-256 of every input.

        Raises:
            UsageError: ``score`` was told that nothing would be signed.
        """
        if self.source is None:
            raise UsageError("these scores were made with sign=False, so that their runs were not hashed")
        return dict(self.source)

    def chosen(self, systems: Sequence[str], measures: Sequence[Measure]) -> Evaluation:
        """The same of some systems and measures in this order, signed as if only they had been asked for; no rankings.

        Raises:
            ValueError: there is no such system or measure.
        """
        rows = [self.measures.index(measure) for measure in measures]
        columns = [self.systems.index(system) for system in systems]
        source = None if self.source is None else narrowed(self.signature(), measures, columns)
        cells = np.ix_(rows, range(len(self.topics)), columns)
        lower, upper = (None if ends is None else ends[cells] for ends in (self.lower, self.upper))
        tags, runs = tuple(self.tags[at] for at in columns), tuple(self.runs[at] for at in columns)
        return replace(
            self,
            systems=tuple(systems),
            scales=tuple(replace(self.scales[at], source=source) for at in rows),
            values=self.values[cells],
            lower=lower,
            upper=upper,
            measures=tuple(measures),
            tags=tags,
            runs=runs,
            rankings=None,
            hashes=tuple(self.hashes[at] for at in columns) if self.hashes else (),
        )

    @property
    def caption(self) -> str:
        """What stands above the table."""
        return f"{super().caption} of {self.qrels.name}"


def scales_of(measures: Sequence[Measure], pool: Pool, policy: Policy, source: Any) -> tuple[Scale, ...]:
    """How to read each measure's scores, including the quirks of a peer."""
    scales = []
    for measure in measures:
        quirk = measure.declaration.peer_summary
        value = quirk(pool, policy) if quirk is not None else None
        more = {} if value is None else {"peer_summary": value, "peer_summary_topics": len(pool.topics)}
        scales.append(Scale.of(measure, more, source))
    return tuple(scales)

"""Systems with several runs each, such as seeds of a model: runs averaged by topic, whose spread tests take in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, listed, quoted, warn
from cranfield._typing import Floats
from cranfield.errors import InputError
from cranfield.scores.topic_groups import TopicGroups

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike


@dataclass(frozen=True)
class SystemRuns:
    """The runs of each system.

    Args:
        scores: of each system those of its runs, [topics, runs], two runs or more; NaN where one is missing.
        source: the signature of the file that names the systems.
        names: of each system those of its runs.
    """

    scores: tuple[Floats, ...]
    source: dict[str, str]
    names: tuple[tuple[str, ...], ...]

    @property
    def settings(self) -> dict[str, Any]:
        """Entries on the runs of systems in settings and signature of an analysis."""
        counts = [table.shape[1] for table in self.scores]
        return {"replicates": {**self.source, "runs": sum(counts), "fewest": min(counts), "most": max(counts)}}

    def select(self, columns: Sequence[int]) -> SystemRuns:
        """The runs of these systems, in this order."""
        scores, names = zip(*((self.scores[column], self.names[column]) for column in columns), strict=True)
        return replace(self, scores=scores, names=names)


def describe_runs(settings: dict[str, Any]) -> str:
    """Describe how many runs each system has: ``3 to 5 runs of each system``."""
    low, high = settings["replicates"]["fewest"], settings["replicates"]["most"]
    return f"{low:,} runs of each system" if low == high else f"{low:,} to {high:,} runs of each system"


def average_runs(
    runs: Sequence[str], scores: Floats, replicates: GroupsLike
) -> tuple[tuple[str, ...], Floats, SystemRuns]:
    """Average the runs of each system by topic; a topic that one of them lacks, the system lacks.

    Args:
        runs: their names.
        scores: of each run, [topics, runs].
        replicates: run -> its system, a Series with runs in its index, or a file: lines ``run system``, or
            ``FILE#COLUMN``.

    Returns:
        The systems, their scores, [topics, systems], and the runs of each.

    Raises:
        InputError: the file is refused, a run is of two systems or of none, or a system has a single run.
    """
    groups = TopicGroups.from_source(replicates, "system", "run")
    without = [run for run in runs if run not in groups.of_topic]
    if without:
        raise InputError(
            f"there is no system for {listed(without, 'run')}: add a line `run system` for each",
            groups.location,
            code="no-system",
        )
    unknown = len(groups.of_topic) - len(runs)
    if unknown:
        warn(f"{counted(unknown, 'run')} with a system {'is' if unknown == 1 else 'are'} not in the scores: ignored")
    columns: dict[str, list[int]] = {}
    for column, run in enumerate(runs):
        columns.setdefault(groups.of_topic[run], []).append(column)
    single = [system for system, chosen in columns.items() if len(chosen) == 1]
    if single:
        more = f" (and {len(single) - 3:,} more)" if len(single) > 3 else ""
        raise InputError(
            f"{', '.join(map(quoted, single[:3]))}{more} {'has' if len(single) == 1 else 'have'} one run: how much "
            "its runs differ cannot be known; give two or more, or leave it out",
            groups.location,
            code="too-few",
        )
    tables = tuple(np.ascontiguousarray(scores[:, chosen]) for chosen in columns.values())
    names = tuple(tuple(runs[column] for column in chosen) for chosen in columns.values())
    means = np.column_stack([table.mean(axis=1) for table in tables])
    return tuple(columns), means, SystemRuns(tables, groups.signature(), names)

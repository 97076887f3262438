"""What a report is asked for: files or data, measures, and how they are read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from cranfield.collection.reading import Reading
from cranfield.collection.topic_text import TopicText
from cranfield.findings.place import STDIN
from cranfield.io.runs import PathLike, QrelsLike, RunsLike
from cranfield.io.source import as_text
from cranfield.io.topics import TopicsLike, read_topics
from cranfield.reporting.entries import EntriesLike
from cranfield.scores.topic_groups import TopicGroups
from cranfield.scoring import MeasuresLike
from cranfield.standardization.factors import StandardizationFactors

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike


@dataclass(frozen=True)
class Question:
    """What is asked; see ``cranfield.report``."""

    qrels: QrelsLike
    runs: RunsLike
    measures: MeasuresLike = ()
    baselines: tuple[str, ...] = ()
    factors: PathLike | StandardizationFactors | None = None
    judges: tuple[QrelsLike, ...] = ()
    entries: EntriesLike = None
    topics: TopicsLike | None = None
    topic_groups: GroupsLike | None = None
    reading: Reading = field(default_factory=Reading)
    seed: int = 1
    track: str = ""
    date: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Files and patterns, as they were given."""
        beside = self.reading.intent_weights, self.factors, self.entries, self.topics, self.topic_groups
        return tuple(_paths(self.qrels, *self._runs, *beside, *self.judges))

    @cached_property
    def texts(self) -> dict[str, TopicText]:
        """What topics ask, by the ids of their file.

        Raises:
            InputError: the file cannot be read.
        """
        return {} if self.topics is None else read_topics(self.topics)

    @cached_property
    def groups(self) -> TopicGroups | None:
        """Of topics, where some are asked for.

        Raises:
            InputError: the file is refused.
            UsageError: something that is no groups.
        """
        return None if self.topic_groups is None else TopicGroups.of(self.topic_groups)

    @property
    def files(self) -> tuple[str, list[str]] | None:
        """The judgments and the runs, where all are files that can be read a second time."""
        paths = list(_paths(self.qrels, *self._runs))
        return (paths[0], paths[1:]) if len(paths) == 1 + len(self._runs) and STDIN not in paths else None

    @property
    def _runs(self) -> tuple[object, ...]:
        return tuple(self.runs) if isinstance(self.runs, (list, tuple)) else (self.runs,)


def _paths(*given: object) -> Iterator[str]:
    """Those that are paths."""
    return (as_text(path) for path in given if isinstance(path, (str, os.PathLike)))

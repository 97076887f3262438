"""What a report is asked for: runs or scores, measures, and how they are read.

Where the scores of a page come from: runs that were judged, or scores that were given.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from cranfield.collection.policy import CHOICES
from cranfield.collection.reading import Reading
from cranfield.collection.topics import TopicText
from cranfield.findings.finding import Finding
from cranfield.findings.location import STDIN
from cranfield.io.inputs import PathLike, QrelsLike, RunsLike
from cranfield.io.source import as_text
from cranfield.io.topic_files import TopicsLike, read_topics
from cranfield.reporting.entries import EntriesLike
from cranfield.scores.dataset import as_dataset
from cranfield.scores.files import read_scores
from cranfield.scores.missing_scores import MissingScores
from cranfield.scores.topic_groups import TopicGroups
from cranfield.scoring import Evaluation, MeasuresLike
from cranfield.standardization.factors import StandardizationFactors, read_factors

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.scores.dataset import ScoresLike
    from cranfield.scores.topic_groups import GroupsLike


FilesLike: TypeAlias = "ScoresLike | PathLike | Sequence[PathLike]"
"""Scores, or files that hold them."""


@dataclass(frozen=True)
class Request:
    """What is asked of runs and of scores alike; see ``cranfield.report``."""

    _: KW_ONLY
    baselines: tuple[str, ...] = ()
    factors: PathLike | StandardizationFactors | None = None
    entries: EntriesLike = None
    topics: TopicsLike | None = None
    topic_groups: GroupsLike | None = None
    seed: int = 1
    track: str = ""
    date: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Files and patterns, as they were given."""
        return tuple(_paths(self.factors, self.entries, self.topics, self.topic_groups))

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

    @cached_property
    def scale(self) -> StandardizationFactors | None:
        """The factors asked for.

        Raises:
            InputError: the file cannot be read.
        """
        given = self.factors
        return read_factors(given) if isinstance(given, (str, os.PathLike)) else given

    @property
    def beside(self) -> tuple[tuple[str, str, str], ...]:
        """Kind, path and SHA-256 of what is read besides runs or scores.

        Raises:
            InputError: a file cannot be read, which is said now and not after all analyses.
        """
        _ = self.texts
        given, found = self.factors, []
        if self.scale is not None:
            path = as_text(given) if isinstance(given, (str, os.PathLike)) else "factors"
            found.append(("factors", path, self.scale.sha256))
        if self.groups is not None:
            found.append(("topic groups", str(self.groups.place), self.groups.sha256))
        return tuple(found)


@dataclass(frozen=True)
class Question(Request):
    """What is asked of runs."""

    qrels: QrelsLike
    runs: RunsLike
    measures: MeasuresLike = ()
    _: KW_ONLY
    judges: tuple[QrelsLike, ...] = ()
    reading: Reading = field(default_factory=Reading)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files and patterns, as they were given."""
        return (*_paths(self.qrels, *self._runs, self.reading.intent_weights, *self.judges), *super().paths)

    @property
    def files(self) -> tuple[str, list[str]] | None:
        """The judgments and the runs, where all are files that can be read a second time."""
        paths = list(_paths(self.qrels, *self._runs))
        return (paths[0], paths[1:]) if len(paths) == 1 + len(self._runs) and STDIN not in paths else None

    @property
    def _runs(self) -> tuple[object, ...]:
        return tuple(self.runs) if isinstance(self.runs, (list, tuple)) else (self.runs,)


@dataclass(frozen=True)
class ScoresQuestion(Request):
    """What is asked of scores; see ``cranfield.reporting.report_scores``."""

    scores: FilesLike
    measures: tuple[str, ...] = ()
    _: KW_ONLY
    missing_scores: MissingScores | None = None

    @cached_property
    def files(self) -> list[PathLike]:
        """Those that hold the scores; none where they are in memory."""
        given = self.scores
        return [given] if isinstance(given, (str, os.PathLike)) else list(given) if isinstance(given, Sequence) else []

    @cached_property
    def held(self) -> xr.Dataset:
        """The scores.

        Raises:
            InputError: a file is refused.
            UsageError: no labelled scores, or an empty list of files.
        """
        given = self.scores
        if isinstance(given, (str, os.PathLike, Sequence)):
            return read_scores(self.files)
        return as_dataset(given)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files, as they were given."""
        return (*_paths(*self.files), *super().paths)


def _paths(*given: object) -> Iterator[str]:
    """Those that are paths."""
    return (as_text(path) for path in given if isinstance(path, (str, os.PathLike)))


PLAIN = ("cranfield", "engine", "bounds", *CHOICES, "max_rel")
"""Settings in a signature that name no run."""


@dataclass(frozen=True)
class Origin:
    """Where scores come from.

    Args:
        name: of the judgments, or what the scores are called.
        judgments: how many there are; None where scores were given.
        signature: all that changes the scores.
        remarks: what was noticed in the files of runs and judgments.
        said: what was noticed in given scores.
    """

    name: str
    judgments: int | None
    signature: dict[str, Any] = field(repr=False)
    remarks: tuple[Finding, ...] = ()
    said: tuple[str, ...] = ()

    @classmethod
    def of_runs(cls, table: Evaluation) -> Origin:
        """Of runs that were read."""
        return cls(table.qrels.name, len(table.qrels.grade), table.signature(), table.remarks)

    @property
    def title(self) -> str:
        """Of a page whose title is not given."""
        if self.judgments is None:
            return f"{self.name[0].upper()}{self.name[1:]}"
        return f"Evaluation on {self.name}"

    def of_systems(self, own: Sequence[str], systems: Sequence[str]) -> dict[str, Any]:
        """The signature of a sheet: how scores were made, and the files of some systems.

        Only what is named here is taken: others' runs, whether read or refused, and files of scores may be called by
        others' names, and a signature that a file of scores holds may say anything.

        Args:
            own: systems that may be named.
            systems: all of them, in their order.
        """
        found = self.signature
        kept: dict[str, Any] = {name: found[name] for name in PLAIN if isinstance(found.get(name), (str, int, float))}
        kept |= {"intents": found["intents"]} if self.judgments is not None and "intents" in found else {}
        if isinstance(found.get("qrels"), dict):
            kept["qrels"] = {name: found["qrels"].get(name) for name in ("name", "sha256")}
        runs = found.get("runs")
        if isinstance(runs, list) and len(runs) == len(systems):
            kept["runs"] = [run for name, run in zip(systems, runs, strict=True) if name in own]
        if isinstance(found.get("scores"), list):
            kept["scores"] = [{"sha256": one["sha256"]} for one in found["scores"] if "sha256" in one]
        return kept

"""The request of a report: runs or scores, measures, and the options by which they are read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from cranfield._signatures import list_options
from cranfield._text import quoted
from cranfield._typing import PathLike
from cranfield._validation import list_names
from cranfield.collection.frames import is_frame
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions
from cranfield.collection.topics import TopicText
from cranfield.errors import UsageError
from cranfield.findings.location import STDIN
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels
from cranfield.io.source import as_text
from cranfield.io.topic_files import read_topics
from cranfield.reporting.options import PageOptions, RunsPageOptions, ScoresPageOptions, section_ids
from cranfield.scores.dataset import say_directions
from cranfield.scores.files import read_scores
from cranfield.scores.topic_groups import TopicGroups
from cranfield.scoring import MeasuresLike
from cranfield.standardization.factors import StandardizationFactors, read_factors

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.scores.dataset import ScoresLike


FilesLike: TypeAlias = "ScoresLike | PathLike | Sequence[PathLike]"
"""Scores, or files that hold them."""


@dataclass(frozen=True)
class Request:
    """The options that reports of runs and of scores share; see ``cranfield.report``."""

    DECLARED: ClassVar[type[Any]] = PageOptions
    _: KW_ONLY
    options: PageOptions = field(default_factory=PageOptions)

    def __post_init__(self) -> None:
        # What a call leaves out is the default that its declaration states.
        defaults = {option.name: option.default for option in list_options(self.DECLARED)}
        object.__setattr__(self, "options", {**defaults, **self.options})
        _ = self.baseline, self.chosen_sections

    @cached_property
    def baseline(self) -> tuple[str, ...]:
        """The systems with which others are compared."""
        return tuple(list_names(baseline=self.options["baseline"]))

    @cached_property
    def chosen_sections(self) -> frozenset[str]:
        """Ids of the sections that are requested by name.

        Raises:
            UsageError: an unknown section.
        """
        requested = [part for text in list_names(sections=self.options["sections"]) for part in text.split(",")]
        chosen = [name.strip() for name in requested if name.strip()]
        unknown = [name for name in chosen if name not in section_ids()]
        if unknown:
            raise UsageError(f"there is no section {quoted(unknown[0])}: sections are {', '.join(section_ids())}")
        return frozenset(chosen)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files and patterns, as the caller wrote them."""
        options = self.options
        files = options["factors"], options["entries"], options["topics"], options["topic_groups"]
        return tuple(_select_paths(*files))

    @cached_property
    def texts(self) -> dict[str, TopicText]:
        """The texts of topics, by the ids of their file.

        Raises:
            InputError: the file cannot be read.
        """
        return {} if (topics := self.options["topics"]) is None else read_topics(topics)

    @cached_property
    def groups(self) -> TopicGroups | None:
        """The groups of topics; None where none are requested.

        Raises:
            InputError: the file is refused.
            UsageError: the value has no groups.
        """
        return None if (groups := self.options["topic_groups"]) is None else TopicGroups.from_source(groups)

    @cached_property
    def loaded_factors(self) -> StandardizationFactors | None:
        """The factors, read where they are a file.

        Raises:
            InputError: the file cannot be read.
        """
        factors = self.options["factors"]
        return read_factors(factors) if isinstance(factors, (str, os.PathLike)) else factors

    def read_options(self) -> tuple[tuple[str, str, str], ...]:
        """Read the files besides runs and scores, so that one that is refused is refused before any analysis.

        Returns:
            Kind, path and SHA-256 of those that change numbers.

        Raises:
            InputError: a file cannot be read.
        """
        _ = self.texts
        files = []
        if self.loaded_factors is not None:
            factors = self.options["factors"]
            path = as_text(factors) if isinstance(factors, (str, os.PathLike)) else "factors"
            files.append(("factors", path, self.loaded_factors.sha256))
        if self.groups is not None:
            files.append(("topic groups", str(self.groups.location), self.groups.sha256))
        return tuple(files)


@dataclass(frozen=True)
class RunsRequest(Request):
    """A request for a report on runs; see ``cranfield.report``."""

    DECLARED = RunsPageOptions
    qrels: QrelsLike
    runs: RunsLike
    measures: MeasuresLike = ()
    _: KW_ONLY
    options: RunsPageOptions = field(default_factory=RunsPageOptions)
    reading: InputOptions = field(default_factory=InputOptions)

    @cached_property
    def judges(self) -> tuple[QrelsLike, ...]:
        """Each of the other judgments; those of one judge may stand alone."""
        given: Any = self.options["judges"]
        alone = isinstance(given, (str, os.PathLike, Qrels, Mapping)) or is_frame(given)
        return (given,) if alone else tuple(given)

    @property
    def paths(self) -> tuple[str, ...]:
        """Files and patterns, as the caller wrote them."""
        own = _select_paths(self.qrels, *self._runs, self.reading.intent_weights, *self.judges)
        return (*own, *super().paths)

    @cached_property
    def loaded_judges(self) -> list[Qrels]:
        """The judgments of the others, read where they are files.

        Raises:
            InputError: one cannot be read.
        """
        return [convert_qrels(judge, **self.reading.judgment_options) for judge in self.judges]

    @property
    def files(self) -> tuple[str, list[str]] | None:
        """The judgments and the runs, where all are files that can be read a second time."""
        paths = list(_select_paths(self.qrels, *self._runs))
        return (paths[0], paths[1:]) if len(paths) == 1 + len(self._runs) and STDIN not in paths else None

    @property
    def _runs(self) -> tuple[object, ...]:
        return tuple(self.runs) if isinstance(self.runs, (list, tuple)) else (self.runs,)


@dataclass(frozen=True)
class ScoresRequest(Request):
    """A request for a report on scores; see ``cranfield.report_scores``."""

    DECLARED = ScoresPageOptions
    scores: FilesLike
    measures: tuple[str, ...] = ()
    _: KW_ONLY
    options: ScoresPageOptions = field(default_factory=ScoresPageOptions)

    @cached_property
    def files(self) -> list[PathLike]:
        """The files that hold the scores; none where these are in memory."""
        scores = self.scores
        if isinstance(scores, (str, os.PathLike)):
            return [scores]
        return list(scores) if isinstance(scores, Sequence) else []

    @cached_property
    def dataset(self) -> xr.Dataset:
        """The scores, read where they are files.

        Raises:
            InputError: a file is refused.
            UsageError: the scores have no labels, the list of files is empty, or a direction is not of a measure.
        """
        scores = self.scores
        held = read_scores(self.files) if isinstance(scores, (str, os.PathLike, Sequence)) else scores
        return say_directions(held, self.options["larger_is_better"], self.options["smaller_is_better"])

    @property
    def paths(self) -> tuple[str, ...]:
        """Files, as the caller wrote them."""
        return (*_select_paths(*self.files), *super().paths)


def _select_paths(*values: object) -> Iterator[str]:
    """Return those of the values that are paths."""
    return (as_text(value) for value in values if isinstance(value, (str, os.PathLike)))

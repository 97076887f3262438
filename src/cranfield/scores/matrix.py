"""Scores by one measure: what every analysis of scores begins with.

``MeasureScores`` is what an analysis sees, wherever the scores are; a ``Matrix`` holds them in memory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from cranfield._message import setting
from cranfield._text import cut, quoted, shown, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield._version import package_version
from cranfield.errors import InputError, MeasureError, UsageError
from cranfield.measures import parse_measures, summary
from cranfield.scores.dataset import ScoresLike, make_dataset, make_table
from cranfield.scores.missing_scores import BOARD, REMEDY, find_gaps, warn_of_gaps
from cranfield.scores.scale import ENDS, Scale, best_first, comparable, ranks
from cranfield.scores.signature import evaluations_in
from cranfield.scores.table import ScoreTable
from cranfield.statistics.anova import Residual, TwoWay, residual_of, two_way
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.paired_differences import PairedDifferences, PairFacts, TableDifferences, summarize_pairs

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.statistics.generalizability import Generalizability, ResampledComponents

HUGE = 1e100
"""Sums of squares of scores below this, and above its reciprocal, neither overflow nor vanish."""


class SharedScores(NamedTuple):
    """Two systems on the topics that both have."""

    left_mean: float
    right_mean: float
    topics: int
    """How many both have."""
    only_left: list[str]
    """Topics on which left alone has a score."""
    only_right: list[str]
    """Topics on which right alone has one."""

    @property
    def is_complete(self) -> bool:
        """Whether no topic has a score of one system alone."""
        return not (self.only_left or self.only_right)


class MeasureScores(ABC):
    """Scores by one measure, as analyses see them, wherever they are.

    Args:
        measure: its name.
        systems: in their order.
        larger_is_better: whether it is.
        direction_said: whether something says so; otherwise it is the default.
        source: signature of the scores.
    """

    measure: str
    systems: tuple[str, ...]
    larger_is_better: bool
    direction_said: bool
    source: Any

    @property
    def direction(self) -> str:
        """Which scores are better, in words; empty where the measure is known, and so its direction."""
        return Scale(self.measure, {"larger_is_better": self.larger_is_better}).direction

    @property
    @abstractmethod
    def topic_count(self) -> int:
        """How many topics there are."""

    @property
    @abstractmethod
    def is_complete(self) -> bool:
        """Whether every system has a score on every topic."""

    @property
    @abstractmethod
    def scored_topics(self) -> Ints:
        """On how many topics each system has a score, [systems]."""

    @property
    @abstractmethod
    def means(self) -> Floats:
        """The mean of each system over its topics, [systems]."""

    @property
    @abstractmethod
    def exact_means(self) -> Floats:
        """Means as tables of summaries have them, so that no order differs from theirs."""

    @property
    @abstractmethod
    def largest(self) -> float:
        """The absolute value of the largest score."""

    @property
    @abstractmethod
    def two_way(self) -> TwoWay:
        """The analysis of variance of complete scores, topics in rows."""

    @property
    @abstractmethod
    def residual(self) -> Residual:
        """The variance that topics and systems leave; fitted where scores are missing."""

    @abstractmethod
    def blocks(self) -> Iterator[Floats]:
        """All scores, [systems, topics of the block]."""

    @abstractmethod
    def topic_names(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of the topics with these numbers."""

    @abstractmethod
    def select_systems(self, columns: Sequence[int]) -> Self:
        """The scores of these systems, in this order."""

    @abstractmethod
    def directed(self, larger_is_better: bool) -> Self:
        """The scores, of which it is said whether larger is better."""

    @abstractmethod
    def in_memory(self) -> Matrix:
        """All scores at once, for what cannot do without.

        Raises:
            InputError: they do not fit into the memory allowed.
        """

    @abstractmethod
    def shared_topics(self, pairs: Contrasts) -> Ints:
        """On how many topics both systems of each pair have a score, [pairs]."""

    @abstractmethod
    def shared_scores(self, left: int, right: int) -> SharedScores:
        """Two systems on the topics that both have."""

    def resampled_units(self, pairs: Contrasts) -> Ints:
        """How many topics of each pair, or clusters of them, are resampled, [pairs]."""
        return self.shared_topics(pairs)

    @abstractmethod
    def summarize_pairs(self, pairs: Contrasts) -> PairFacts:
        """Wins, losses, means and differences of each pair on the topics that both have."""

    @abstractmethod
    def differences(self, pairs: Contrasts) -> PairedDifferences:
        """The differences of pairs of complete scores, to be tested."""

    @abstractmethod
    def variance_components(
        self, resamples: int, rng: np.random.Generator, *, systems: bool
    ) -> tuple[Generalizability, ResampledComponents]:
        """Variance components of complete scores, and those of resamples of topics, and of ``systems`` too."""

    @property
    def resampling_settings(self) -> dict[str, int]:
        """What the settings of an analysis say of how topics were drawn, where that is not the usual way."""
        return {}

    @property
    def unit_settings(self) -> dict[str, Any]:
        """What the settings of an analysis say of clusters of topics and of systems' runs, where there are any."""
        return {}

    @property
    def has_gaps(self) -> bool:
        """Whether a system lacks a score on a topic on which another one has one."""
        return False

    def warn_of_gaps(self, *, paired: bool) -> None:
        """Warn where systems have scores on different topics.

        Args:
            paired: whether pairs are compared on the topics that both have.
        """
        if self.has_gaps:
            matrix = self.in_memory()
            remedies = [] if evaluations_in(matrix.source) else [BOARD]
            warn_of_gaps(self.called, matrix.values, matrix.topics, matrix.systems, paired=paired, remedies=remedies)

    @property
    def called(self) -> str:
        """The measure's name, safe to print: it may come from an untrusted file."""
        return shown(self.measure)

    @cached_property
    def leaderboard(self) -> list[int]:
        """Columns from best to worst mean, equal ones by name."""
        return best_first(self.exact_means, self.systems, self.larger_is_better)

    @property
    def comparable_means(self) -> Floats:
        """The mean of each system without the noise of summation, larger is better, [systems]."""
        return comparable(self.exact_means, self.larger_is_better)

    @property
    def ranks(self) -> Ints:
        """The rank of each system by its mean, 1 for the best; equal ones share the smallest, [systems]."""
        return ranks(self.exact_means, self.larger_is_better)

    def at_least(self, topics: int, systems: int, what: str) -> None:
        """Raises: InputError: fewer topics or systems than an analysis needs."""
        for have, need, noun in ((self.topic_count, topics, "topics"), (len(self.systems), systems, "systems")):
            if have < need:
                raise InputError(f"{what} needs {need} {noun} or more, and the scores have {have}", code="too-few")

    def require_complete(self, what: str, instead: str = "") -> None:
        """Refuse scores of which one is missing; see ``Matrix.complete``."""
        if not self.is_complete:
            self.in_memory().complete(what, instead)

    def signature(self, analysis: str, **settings: Any) -> dict[str, Any]:
        """All that changes the numbers of an analysis."""
        return {
            "cranfield": package_version(),
            "analysis": analysis,
            "measure": self.measure,
            "settings": settings,
            "scores": self.source,
        }


def refuse_out_of_range(measure: str, largest: float) -> None:
    """Raises: InputError: scores go up to numbers whose squares are lost."""
    if largest and not 1 / HUGE < largest < HUGE:
        text = f"{shown(measure)} goes up to {largest:g}, whose square is lost: rescale the scores"
        raise InputError(text, code="overflow", value=f"{largest:g}")


@dataclass(frozen=True)
class Matrix(MeasureScores):
    """Scores by one measure, in memory.

    Args:
        measure: its name.
        topics: in their order.
        systems: in their order.
        values: float64 [topics, systems]; NaN where a system has no score.
        larger_is_better: whether it is.
        source: signature of the scores.
        direction_said: whether something says that larger is better, or smaller; otherwise it is the default.
    """

    measure: str
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats
    larger_is_better: bool
    source: Any
    direction_said: bool = field(default=True, kw_only=True)

    @property
    def topic_count(self) -> int:
        """How many topics there are."""
        return len(self.topics)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every system has a score on every topic."""
        return not np.isnan(self.values).any()

    @property
    def scored_topics(self) -> Ints:
        """On how many topics each system has a score, [systems]."""
        counts: Ints = (~np.isnan(self.values)).sum(axis=0)
        return counts

    @cached_property
    def means(self) -> Floats:
        """The mean of each system over its topics, [systems]."""
        scored = ~np.isnan(self.values)
        total = np.where(scored, self.values, 0.0).sum(axis=0)
        count = scored.sum(axis=0)
        mean: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return mean

    @cached_property
    def exact_means(self) -> Floats:
        """Means as tables of summaries have them, so that no order differs from theirs."""
        return summary("mean", self.values.T)

    @property
    def largest(self) -> float:
        """The absolute value of the largest score."""
        return float(np.nanmax(np.abs(self.values)))

    @property
    def two_way(self) -> TwoWay:
        """The analysis of variance of complete scores, topics in rows."""
        return two_way(self.values)

    @property
    def residual(self) -> Residual:
        """The variance that topics and systems leave; fitted where scores are missing."""
        return residual_of(self.values)

    @property
    def has_gaps(self) -> bool:
        """Whether a system lacks a score on a topic on which another one has one."""
        return not self.is_complete and bool(find_gaps(self.values).any())

    def blocks(self) -> Iterator[Floats]:
        """All scores, [systems, topics], in one block."""
        yield self.values.T

    def topic_names(self, numbers: Collection[int]) -> dict[int, str]:
        """The names of the topics with these numbers."""
        return {number: self.topics[number] for number in numbers}

    def select_systems(self, columns: Sequence[int]) -> Matrix:
        """The scores of these systems, in this order."""
        names = tuple(self.systems[column] for column in columns)
        return replace(self, systems=names, values=np.ascontiguousarray(self.values[:, list(columns)]))

    def directed(self, larger_is_better: bool) -> Self:
        """The scores, of which it is said whether larger is better."""
        return replace(self, larger_is_better=larger_is_better, direction_said=True)

    def in_memory(self) -> Matrix:
        """These scores."""
        return self

    def filled(self, value: float) -> Matrix:
        """The scores with a value where one is missing."""
        return replace(self, values=np.where(np.isnan(self.values), value, self.values))

    def shared_topics(self, pairs: Contrasts) -> Ints:
        """On how many topics both systems of each pair have a score, [pairs]."""
        known = ~np.isnan(self.values)
        return np.concatenate(
            [(known[:, block.left] & known[:, block.right]).sum(axis=0) for block in pairs.blocks(len(known))]
        )

    def shared_scores(self, left: int, right: int) -> SharedScores:
        """Two systems on the topics that both have."""
        sides = self.values[:, left], self.values[:, right]
        has_left, has_right = (~np.isnan(scores) for scores in sides)
        both = has_left & has_right
        left_mean, right_mean = (float(scores[both].mean()) if both.any() else np.nan for scores in sides)
        only_left, only_right = (
            [self.topics[topic] for topic in np.flatnonzero(alone)]
            for alone in (has_left & ~has_right, has_right & ~has_left)
        )
        return SharedScores(left_mean, right_mean, int(both.sum()), only_left, only_right)

    def summarize_pairs(self, pairs: Contrasts) -> PairFacts:
        """Wins, losses, means and differences of each pair on the topics that both have."""
        return summarize_pairs(self.values, pairs)

    def differences(self, pairs: Contrasts) -> PairedDifferences:
        """The differences of pairs of complete scores, to be tested."""
        return TableDifferences(self.values, pairs)

    def variance_components(
        self, resamples: int, rng: np.random.Generator, *, systems: bool
    ) -> tuple[Generalizability, ResampledComponents]:
        """Variance components of complete scores, and those of resamples of topics, and of ``systems`` too."""
        from cranfield.statistics.generalizability import generalizability, resampled_components

        table = np.asfortranarray(self.values)  # sums down a contiguous column lose fewer digits
        return generalizability(table), resampled_components(table, resamples, rng, objects=systems)

    def is_shared(self, left: int, right: int) -> Mask:
        """Whether both systems have a score on each topic, [topics]."""
        shared: Mask = ~np.isnan(self.values[:, left]) & ~np.isnan(self.values[:, right])
        return shared

    def pair_differences(self, left: int, right: int) -> PairedDifferences:
        """The differences of two systems on the topics that both have."""
        table = self.values[self.is_shared(left, right)][:, [left, right]]
        return TableDifferences(np.ascontiguousarray(table), Contrasts.all_pairs(2))

    def labelled(self) -> xr.DataArray:
        """The scores with their labels and their signature."""
        attributes: dict[str, Any] = {"summary": "mean"}
        if self.direction_said:
            attributes["larger_is_better"] = int(self.larger_is_better)
        scale = Scale(self.measure, attributes, self.source)
        return make_dataset(ScoreTable(self.topics, self.systems, (scale,), self.values[None]))[self.measure]

    def complete(self, what: str, instead: str = "") -> Floats:
        """The values, provided that none is missing.

        Args:
            what: needs them.
            instead: what else to do where one is missing.

        Raises:
            InputError: one is; the message says which, and what to do instead.
        """
        missing = np.argwhere(np.isnan(self.values))
        if len(missing):
            topic, system = missing[0]
            empty = (
                f"evaluate with {setting('missing', 'empty')} to count a run's topic as empty"
                if evaluations_in(self.source)
                else ""
            )
            more = f" (and on {len(missing) - 1:,} more)" if len(missing) > 1 else ""
            raise InputError(
                f"{what} needs every system's score on every topic: {quoted(self.systems[system])} has none on topic "
                f"{quoted(self.topics[topic])}{more}; {'; '.join(filter(None, [instead, REMEDY, empty]))}",
                code="missing-score",
                value=cut(self.topics[topic]),
            )
        return self.values


def make_matrix(scores: ScoresLike) -> Matrix:
    """Scores of one measure, from labelled ones.

    Args:
        scores: a DataArray with dims (topic, system), a Dataset of one measure, or a data frame with topics in rows
            and systems in columns.

    Raises:
        UsageError: something else, several measures, or a measure without values of topics.
        InputError: a system or topic that occurs twice, no score at all, or an infinite one.
    """
    matrices = make_matrices(scores)
    if len(matrices) > 1:
        names = ", ".join(shown(matrix.measure) for matrix in matrices)
        raise UsageError(f"this works on one measure, not {len(matrices)}: choose one, as scores[name] ({names})")
    return matrices[0]


def make_matrices(scores: ScoresLike) -> list[Matrix]:
    """Scores of one or several measures; see ``make_matrix``."""
    table = make_table(scores)
    return [_slice(table, number) for number in range(len(table.scales))]


def is_effectiveness(measure: str) -> bool:
    """Whether a measure of this name says how good a list is, as far as is known; "Judged@10 lower" as Judged@10."""
    name, _, end = measure.rpartition(" ")
    try:
        parsed = parse_measures(name if end in ENDS else measure)
    except MeasureError:
        return True
    return any(measure_object.declaration.effectiveness for measure_object in parsed)


def select_effectiveness(scores: xr.Dataset, instead: str = "") -> xr.Dataset:
    """Scores by the measures that say how good a list is, with a warning that names the others.

    Where there are only others, they are what was asked for, and stay.

    Args:
        scores: by several measures.
        instead: how to have the others in, for the warning.
    """
    names = list(scores.data_vars)
    effective = set(select_effectiveness_names(list(map(str, names)), instead))
    return scores if len(effective) == len(names) else scores[[name for name in names if str(name) in effective]]


def select_effectiveness_names(names: Sequence[str], instead: str = "") -> list[str]:
    """Names of measures that say how good a list is, or all where there are only others."""
    effective = [name for name in names if is_effectiveness(name)]
    if not effective or len(effective) == len(names):
        return list(names)
    excluded = [shown(name) for name in names if name not in effective]
    verb = "is not a measure" if len(excluded) == 1 else "are not measures"
    warn(f"{', '.join(excluded)} {verb} of effectiveness and left out{instead}")
    return effective


def _slice(table: ScoreTable, number: int) -> Matrix:
    """One measure of a table.

    Raises:
        UsageError: it has no values of topics.
        InputError: it has no score at all, or scores whose squares are not numbers.
    """
    scale, values = table.scales[number], table.values[number]
    if not scale.has_topics:
        raise UsageError(f"{shown(scale.name)} has no value of a topic: leave it out, or take what it is the mean of")
    if np.isnan(values).all():
        raise InputError(f"{shown(scale.name)} holds no score", code="no-scores")
    refuse_out_of_range(scale.name, float(np.nanmax(np.abs(values))))
    facts = scale.name, table.topics, table.systems, values, scale.larger_is_better, scale.source
    return Matrix(*facts, direction_said=scale.says_direction)

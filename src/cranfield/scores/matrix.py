"""One measure of a table of scores, [topics, systems]: what every analysis of scores begins with.

Where systems stand by one measure: what every analysis asks of scores, however many of them are in memory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence, Sized
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._message import setting
from cranfield._text import cut, quoted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield.errors import InputError, MeasureError, UsageError
from cranfield.measures import parse_measures, summary
from cranfield.scores.dataset import ScoresLike, dataset_of, table_of
from cranfield.scores.missing_scores import REMEDY
from cranfield.scores.ordering import best_first, comparable, ranks
from cranfield.scores.scale import ENDS, Scale
from cranfield.scores.signature import evaluations_in, package_version
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import xarray as xr


HUGE = 1e100
"""Sums of squares of scores below this, and above its reciprocal, neither overflow nor vanish."""


class MeasureScores(ABC):
    """One measure's scores, summarized.

    Args:
        measure: its name.
        systems: in their order.
        larger_is_better: whether it is.
        source: signature of the scores.
    """

    measure: str
    systems: tuple[str, ...]
    larger_is_better: bool
    source: Any

    @property
    @abstractmethod
    def means(self) -> Floats:
        """Of each system over its topics, [systems]."""

    @property
    @abstractmethod
    def exact_means(self) -> Floats:
        """Means as tables of summaries have them, so that no order differs from theirs."""

    @abstractmethod
    def topics_held(self) -> Sized:
        """The topics, or as many numbers."""

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
        """Of each system, without the noise of summation, larger is better, [systems]."""
        return comparable(self.exact_means, self.larger_is_better)

    @property
    def ranks(self) -> Ints:
        """Of each system by its mean, 1 for the best; equal ones share the smallest, [systems]."""
        return ranks(self.exact_means, self.larger_is_better)

    def at_least(self, topics: int, systems: int, what: str) -> None:
        """Raises: InputError: fewer topics or systems than an analysis needs."""
        for have, need, noun in ((len(self.topics_held()), topics, "topics"), (len(self.systems), systems, "systems")):
            if have < need:
                raise InputError(f"{what} needs {need} {noun} or more, and the scores have {have}", code="too-few")

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
    """Raises: InputError: scores go up to numbers whose squares are none."""
    if largest and not 1 / HUGE < largest < HUGE:
        text = f"{shown(measure)} goes up to {largest:g}, whose square is lost: rescale the scores"
        raise InputError(text, code="overflow", value=f"{largest:g}")


@dataclass(frozen=True)
class Matrix(MeasureScores):
    """One measure's scores.

    Args:
        measure: its name.
        topics: in their order.
        systems: in their order.
        values: float64 [topics, systems]; NaN where a system has no score.
        larger_is_better: whether it is.
        source: signature of the scores.
    """

    measure: str
    topics: tuple[str, ...]
    systems: tuple[str, ...]
    values: Floats
    larger_is_better: bool
    source: Any

    @cached_property
    def means(self) -> Floats:
        """Of each system over its topics, [systems]."""
        scored = ~np.isnan(self.values)
        total = np.where(scored, self.values, 0.0).sum(axis=0)
        count = scored.sum(axis=0)
        mean: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return mean

    @cached_property
    def exact_means(self) -> Floats:
        """Means as tables of summaries have them, so that no order differs from theirs."""
        return summary("mean", self.values.T)

    def only(self, systems: Sequence[int]) -> Matrix:
        """The same of some systems, in this order."""
        names = tuple(self.systems[at] for at in systems)
        return replace(self, systems=names, values=np.ascontiguousarray(self.values[:, list(systems)]))

    def labelled(self) -> xr.DataArray:
        """The same, with its labels and its signature."""
        attributes = {"summary": "mean", "larger_is_better": int(self.larger_is_better)}
        scale = Scale(self.measure, attributes, self.source)
        return dataset_of(ScoreTable(self.topics, self.systems, (scale,), self.values[None]))[self.measure]

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

    def topics_held(self) -> tuple[str, ...]:
        """The topics."""
        return self.topics


def matrix_of(scores: ScoresLike) -> Matrix:
    """Scores of one measure, from labelled ones.

    Args:
        scores: a DataArray with dims (topic, system), a Dataset of one measure, or a data frame with topics in rows
            and systems in columns.

    Raises:
        UsageError: something else, several measures, or a measure without values of topics.
        InputError: a system or topic that occurs twice, no score at all, or an infinite one.
    """
    matrices = matrices_of(scores)
    if len(matrices) > 1:
        names = ", ".join(shown(one.measure) for one in matrices)
        raise UsageError(f"this works on one measure, not {len(matrices)}: choose one, as scores[name] ({names})")
    return matrices[0]


def matrices_of(scores: ScoresLike) -> list[Matrix]:
    """Scores of one or several measures; see ``matrix_of``."""
    table = table_of(scores)
    return [_slice(table, number) for number in range(len(table.scales))]


def is_effectiveness(measure: str) -> bool:
    """Whether a measure of this name says how good a list is, as far as is known; "Judged@10 lower" as Judged@10."""
    name, _, end = measure.rpartition(" ")
    try:
        parsed = parse_measures(name if end in ENDS else measure)
    except MeasureError:
        return True
    return any(one.declaration.effectiveness for one in parsed)


def of_effectiveness(scores: xr.Dataset, instead: str = "") -> xr.Dataset:
    """Scores by the measures that say how good a list is, with a warning that names the others.

    Where there are only others, they are what was asked for, and stay.

    Args:
        scores: by several measures.
        instead: how to have the others in, for the warning.
    """
    names = list(scores.data_vars)
    kept = set(names_of_effectiveness(list(map(str, names)), instead))
    return scores if len(kept) == len(names) else scores[[name for name in names if str(name) in kept]]


def names_of_effectiveness(names: Sequence[str], instead: str = "") -> list[str]:
    """Those of measures that say how good a list is, or all where there are only others; see ``of_effectiveness``."""
    kept = [name for name in names if is_effectiveness(name)]
    if not kept or len(kept) == len(names):
        return list(names)
    others = [shown(name) for name in names if name not in kept]
    said = "is no measure" if len(others) == 1 else "are no measures"
    warn(f"{', '.join(others)} {said} of effectiveness and left out{instead}")
    return kept


def _slice(table: ScoreTable, number: int) -> Matrix:
    """One measure of a table.

    Raises:
        UsageError: it has no values of topics.
        InputError: it has no score at all, or scores whose squares are no numbers.
    """
    scale, values = table.scales[number], table.values[number]
    if not scale.has_topics:
        raise UsageError(f"{shown(scale.name)} has no value of a topic: leave it out, or take what it is the mean of")
    if np.isnan(values).all():
        raise InputError(f"{shown(scale.name)} holds no score", code="no-scores")
    refuse_out_of_range(scale.name, float(np.nanmax(np.abs(values))))
    return Matrix(scale.name, table.topics, table.systems, values, scale.larger_is_better, scale.source)

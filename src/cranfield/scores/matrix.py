"""Scores of one measure as a plain matrix: what every analysis of scores begins with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield.arrays import Floats
from cranfield.collection.identifier import first_repeated
from cranfield.errors import InputError, MeasureError, UsageError
from cranfield.measures import parse_measures
from cranfield.scores.attributes import signature_in
from cranfield.scores.files import as_dataset
from cranfield.scores.rows import ENDS
from cranfield.wording import quoted, shown, warn

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

HUGE = 1e100
"""Squares, and sums of squares, of smaller numbers are numbers; and of the reciprocal too."""
ScoresLike: TypeAlias = "xr.DataArray | xr.Dataset | pd.DataFrame"


@dataclass(frozen=True)
class Matrix:
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

    @property
    def called(self) -> str:
        """The measure, safe to print: its name may be that of a stranger's file."""
        return shown(self.measure)

    @cached_property
    def means(self) -> Floats:
        """Of each system over its topics, [systems]."""
        known = ~np.isnan(self.values)
        total = np.where(known, self.values, 0.0).sum(axis=0)
        count = known.sum(axis=0)
        mean: Floats = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return mean

    @cached_property
    def leaderboard(self) -> list[int]:
        """Columns from best to worst mean, equal ones by name."""
        # Means that are equal by rights differ by the order of their sums.
        means = np.round(self.means if self.larger_is_better else -self.means, 12)
        return sorted(range(len(self.systems)), key=lambda at: (-means[at], self.systems[at]))

    def complete(self, what: str, instead: str) -> Floats:
        """The values, of which none may be missing.

        Raises:
            InputError: one is; the message says which, and what to do ``instead``.
        """
        missing = np.argwhere(np.isnan(self.values))
        if len(missing):
            topic, system = missing[0]
            more = f" (and on {len(missing) - 1:,} more)" if len(missing) > 1 else ""
            raise InputError(
                f"{what} needs every system's score on every topic: {quoted(self.systems[system])} has none on topic "
                f"{quoted(self.topics[topic])}{more}; {instead}"
            )
        return self.values

    def at_least(self, topics: int, systems: int, what: str) -> None:
        """Raises: InputError: fewer topics or systems than an analysis needs."""
        for have, need, noun in ((len(self.topics), topics, "topics"), (len(self.systems), systems, "systems")):
            if have < need:
                raise InputError(f"{what} needs {need} {noun} or more, and the scores have {have}")

    def signature(self, analysis: str, **settings: Any) -> dict[str, Any]:
        """All that changes the numbers of an analysis."""
        from cranfield.scoring import package_version

        return {
            "cranfield": package_version(),
            "analysis": analysis,
            "measure": self.measure,
            "settings": settings,
            "scores": self.source,
        }


def matrix_of(scores: ScoresLike) -> Matrix:
    """Scores of one measure, from labelled ones.

    Args:
        scores: a DataArray with dims (topic, system), a Dataset of one measure, or a data frame with topics in rows
            and systems in columns.

    Raises:
        UsageError: something else, several measures, or a measure without values of topics.
        InputError: two systems or topics of one name, no score at all, or an infinite one.
    """
    matrices = matrices_of(scores)
    if len(matrices) > 1:
        names = ", ".join(shown(one.measure) for one in matrices)
        raise UsageError(f"this works on one measure, not {len(matrices)}: choose one, as scores[name] ({names})")
    return matrices[0]


def matrices_of(scores: ScoresLike) -> list[Matrix]:
    """Scores of one or several measures; see ``matrix_of``."""
    dataset = as_dataset(_labelled(scores))
    return [_matrix(dataset, name) for name in dataset.data_vars]


def is_effectiveness(measure: str) -> bool:
    """Whether a measure of this name says how good a list is, as far as is known; "Judged@10 lower" as Judged@10."""
    name, _, end = measure.rpartition(" ")
    try:
        known = parse_measures(name if end in ENDS else measure)
    except MeasureError:
        return True
    return any(one.declaration.effectiveness for one in known)


def of_effectiveness(scores: xr.Dataset, instead: str = "") -> xr.Dataset:
    """Scores by the measures that say how good a list is, with a warning that names the others.

    Where there are only others, they are what was asked for, and stay.

    Args:
        scores: by several measures.
        instead: how to have the others in, for the warning.
    """
    kept = [name for name in scores.data_vars if is_effectiveness(str(name))]
    if not kept or len(kept) == len(scores.data_vars):
        return scores
    others = [shown(str(name)) for name in scores.data_vars if name not in kept]
    said = "is no measure" if len(others) == 1 else "are no measures"
    warn(f"{', '.join(others)} {said} of effectiveness and left out{instead}")
    return scores[kept]


def _labelled(scores: Any) -> xr.DataArray | xr.Dataset:
    if hasattr(scores, "iloc") and hasattr(scores, "columns"):
        import xarray as xr

        labels = {"topic": scores.index.to_numpy(), "system": scores.columns.to_numpy()}
        try:
            values = scores.to_numpy(dtype=np.float64)
        except (TypeError, ValueError):
            raise UsageError(
                "a data frame of scores has topics in rows, systems in columns, and only numbers"
            ) from None
        return xr.DataArray(values, labels, ("topic", "system"), name=scores.attrs.get("measure", "score"))
    labelled: xr.DataArray | xr.Dataset = scores
    return labelled


def _matrix(dataset: xr.Dataset, name: Any) -> Matrix:
    variable = dataset[name].transpose("topic", "system")
    if variable.attrs.get("summary") == "geometric mean":
        raise UsageError(f"{shown(str(name))} has no value of a topic: leave it out, or take what it is the mean of")
    labels = []
    for dim in ("topic", "system"):
        given = variable[dim].to_numpy().tolist() if dim in variable.coords else range(1, variable.sizes[dim] + 1)
        labels.append(tuple(str(label) for label in given))
        twice = first_repeated(labels[-1])
        if twice is not None:
            raise InputError(f"two {dim}s are called {quoted(twice)}: rename one")
    # In one memory order: sums must not depend on how an array came to be.
    values = np.ascontiguousarray(variable.to_numpy(), dtype=np.float64)
    if values.size == 0 or np.isnan(values).all():
        raise InputError(f"{shown(str(name))} holds no score")
    if np.isinf(values).any():
        raise InputError(f"{shown(str(name))} holds an infinite score")
    largest = float(np.nanmax(np.abs(values)))
    if largest and not 1 / HUGE < largest < HUGE:
        raise InputError(f"{shown(str(name))} goes up to {largest:g}, whose square is lost: rescale the scores")
    signature = signature_in(variable.attrs if "signature" in variable.attrs else dataset.attrs, shown(str(name)))
    return Matrix(str(name), labels[0], labels[1], values, bool(variable.attrs.get("larger_is_better", 1)), signature)

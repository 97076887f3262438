"""Two checked arrays of scores over the same items, the input of every correlation."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.statistics.concordance import Codes, Concordance, items_above

Scalar = TypeVar("Scalar", bound=np.generic)


class Pair:
    """Two arrays of scores, checked, with their leading axes made one."""

    def __init__(self, estimate: ArrayLike, truth: ArrayLike) -> None:
        given = [_scores(estimate, "estimate"), _scores(truth, "truth")]
        lengths = [scores.shape[-1] for scores in given]
        if lengths[0] != lengths[1]:
            raise UsageError(f"estimate has {lengths[0]} scores and truth {lengths[1]}: they are of the same items")
        _refuse_other_items(_items(estimate), _items(truth))
        try:
            self.leading = np.broadcast_shapes(*(scores.shape[:-1] for scores in given))
        except ValueError:
            shapes = " and ".join(str(scores.shape) for scores in given)
            raise UsageError(f"estimate and truth have shapes {shapes}: the leading axes should be equal") from None
        self._given = given

    @property
    def x(self) -> Floats:
        """The estimate, [lists, n]."""
        return self._listed(self._given[0])

    @property
    def y(self) -> Floats:
        """Truth, [lists, n]."""
        return self._listed(self._given[1])

    def _listed(self, table: NDArray[Scalar]) -> NDArray[Scalar]:
        n = table.shape[-1]
        lists = int(np.prod(self.leading, dtype=np.int64))
        return np.ascontiguousarray(np.broadcast_to(table, (*self.leading, n))).reshape(lists, n)

    @cached_property
    def counts(self) -> Concordance:
        """Pairs counted; a list that is compared with many is sorted once."""
        x, y = (self._listed(_above(scores)) for scores in self._given)
        return Concordance(x, y)

    def refuse_ties(self, which: str, instead: str) -> None:
        """Raises: InputError: two items of a list have the same score."""
        untied = self.counts.untied_x if which == "estimate" else self.counts.untied_y
        tied = np.flatnonzero(untied < self.counts.pairs)
        if len(tied):
            scores = np.sort((self.x if which == "estimate" else self.y)[tied[0]])
            value = scores[1:][scores[1:] == scores[:-1]][0]
            raise InputError(f"{which} ties two items at {value:g}, which this correlation cannot have: use {instead}")

    def refuse_infinite(self) -> None:
        """Raises: InputError: a score is infinite."""
        for which, scores in zip(("estimate", "truth"), self._given, strict=True):
            if not np.isfinite(scores).all():
                raise InputError(f"{which} holds an infinite score; this needs finite ones")

    def shaped(self, values: Floats) -> Floats:
        """One value of each pair of lists, [...]; a NumPy number where there is one pair."""
        shaped: Any = values.reshape(self.leading)[()]
        return shaped  # type: ignore[no-any-return]


def _items(given: Any) -> list[Any] | None:
    """Labels of the last axis of a labelled array or frame; None of a plain one."""
    if hasattr(given, "indexes") and hasattr(given, "dims"):
        index = given.indexes.get(given.dims[-1]) if given.dims else None
    else:
        index = getattr(given, "columns", getattr(given, "index", None))
    return None if index is None or callable(index) else list(index)


def _refuse_other_items(estimate: list[Any] | None, truth: list[Any] | None) -> None:
    """Raises: UsageError: the labels differ, in their items or in their order."""
    if estimate is None or truth is None or estimate == truth:
        return
    first, other = next(pair for pair in zip(estimate, truth, strict=True) if pair[0] != pair[1])
    raise UsageError(
        f"estimate and truth have different labels ({first!r} where truth has {other!r}): align them first"
    )


def _above(scores: Floats) -> Codes:
    lists = int(np.prod(scores.shape[:-1], dtype=np.int64))
    return items_above(scores.reshape(lists, scores.shape[-1])).reshape(scores.shape)


def _scores(given: ArrayLike, which: str) -> Floats:
    try:
        scores = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{which} is no array of numbers") from None
    if scores.ndim == 0:
        raise UsageError(f"{which} is one number; a correlation is of two lists")
    if np.isnan(scores).any():
        place = np.argwhere(np.isnan(scores))[0].tolist()
        raise InputError(f"{which}{place} is nan: leave the item out of both lists, or give it a score")
    return scores

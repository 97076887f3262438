"""Scores of several measures over the same topics and systems, as information tau compares them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import quoted, shown
from cranfield._typing import Floats
from cranfield.errors import InputError, UsageError
from cranfield.results.result import signed
from cranfield.scores.signature import signature_in

if TYPE_CHECKING:
    import xarray as xr


def signature_of(
    analysis: str, settings: dict[str, Any], scores: Sequence[xr.DataArray] | Sequence[xr.Dataset]
) -> dict[str, Any]:
    """The signature of an analysis, with those of its scores: of a Dataset, or of each measure."""
    names = [shown(str(getattr(one, "name", "the scores"))) for one in scores]
    sources = [signature_in(one.attrs, name) for one, name in zip(scores, names, strict=True)]
    return signed(analysis, settings, scores=sources[0] if len(sources) == 1 else sources)


def aligned(arrays: Sequence[xr.DataArray]) -> Floats:
    """Values of the measures over the same topics and systems, [measures, topics, systems].

    Raises:
        UsageError: other dims than topic and system, or other labels than the first one's.
    """
    for values in arrays:
        if not hasattr(values, "dims") or set(values.dims) != {"topic", "system"}:
            raise UsageError(f"{values.name} has the dims {values.dims}, expected (topic, system)")
        for dim in ("topic", "system"):
            if values[dim].values.tolist() != arrays[0][dim].values.tolist():
                raise UsageError(f"{values.name} and {arrays[0].name} have different labels of the dim {dim}")
    return np.stack([values.transpose("topic", "system").values.astype(np.float64) for values in arrays])


def topic_rows(tables: Floats, arrays: Sequence[xr.DataArray]) -> Iterator[tuple[int, list[Floats]]]:
    """(number, values of each measure) of every topic of which each measure has values.

    Raises:
        InputError: a measure has values of some systems only.
    """
    unknown = np.isnan(tables)
    undefined = unknown.all(axis=2).any(axis=0)
    partly = unknown.any(axis=2) & ~unknown.all(axis=2)
    if partly.any():
        measure, topic = np.argwhere(partly)[0]
        system = int(unknown[measure, topic].argmax())
        values = arrays[measure]
        raise InputError(
            f"{values.name} of system {quoted(str(values['system'].values[system]))} on topic "
            f"{quoted(str(values['topic'].values[topic]))} is missing: leave the topic or the system out, or evaluate "
            "with missing='empty'"
        )
    for topic in np.flatnonzero(~undefined):
        yield int(topic), list(tables[:, topic])


def names_of(given: Sequence[xr.DataArray], universe: Sequence[xr.DataArray]) -> dict[str, list[str]]:
    """What is known and what else pairs are not tied by, as settings have it."""
    return {"given": [str(values.name) for values in given], "universe": [str(values.name) for values in universe]}

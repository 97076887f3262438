"""Rows of lists that stand one after the other in flat arrays: some of them, or those of several groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield._typing import Ints, Mask
from cranfield.collection.rankings import segments
from cranfield.engine import compiled

Columns = dict[str, Any]
"""What has a value for each row, by name."""

PLAIN = ("rank", "document", "grade")


def kept(columns: Mapping[str, Any], starts: Ints, mask: Mask) -> tuple[Columns, Ints, Ints]:
    """The marked rows, where their lists begin, and the place of each among all rows of its list, from 1."""
    engine = compiled()
    if engine is not None and tuple(columns) == PLAIN:
        rank, document = (np.ascontiguousarray(columns[name], dtype=np.int64) for name in PLAIN[:2])
        grade = np.ascontiguousarray(columns["grade"], dtype=np.float64)
        begins, *rows, place = engine.kept_rows(np.ascontiguousarray(mask), starts, rank, document, grade)
        return dict(zip(PLAIN, rows, strict=True)), begins, place
    (chosen,) = mask.nonzero()
    begins = np.searchsorted(chosen, starts)
    place = chosen + 1 - np.repeat(starts[:-1], begins[1:] - begins[:-1])
    return {name: column[chosen] for name, column in columns.items()}, begins, place


def first(columns: Mapping[str, Any], starts: Ints, cutoff: int) -> tuple[Columns, Ints]:
    """The rows down to a rank, which are the first ones of each list, and where their lists begin."""
    before = starts[:-1]
    size = segments.rows_down_to(columns["rank"], starts, np.full(len(before), cutoff)) - before
    begins = np.concatenate([[0], np.cumsum(size)])
    rows = np.arange(begins[-1]) + np.repeat(before - begins[:-1], size)
    return {name: column[rows] for name, column in columns.items()}, begins


def joined(parts: Sequence[Mapping[str, Any]], starts: Sequence[Ints]) -> tuple[Columns, Ints]:
    """The rows of several groups of lists, one group after the other, and where the lists begin."""
    offsets = np.cumsum([0, *(own[-1] for own in starts)])
    begins = [own[:-1] + offset for own, offset in zip(starts, offsets, strict=False)]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return columns, np.concatenate([*begins, offsets[-1:]])

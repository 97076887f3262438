"""Names of intents, the values of field 2: their order, their categories, and the placeholder that names no intent."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from cranfield._typing import Ints

PLACEHOLDER = "0"
"""Field 2 of documents that are relevant to no intent, in TREC 2009's and NTCIREVAL's judgments."""


def category(name: str) -> str:
    """The part of an intent's name before its first point; the whole name without one."""
    return name.partition(".")[0] or name


def places_by_number(names: Sequence[str]) -> Ints:
    """Place of each name among all, numbers ordered by value, int64 [names]."""
    order = sorted(range(len(names)), key=lambda code: _by_number(names[code]))
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return place


def no_intents(measure: str) -> str:
    """Why a diversity measure cannot be computed."""
    return (
        f"{measure} needs intents, but field 2 of the judgments is the same placeholder everywhere; "
        "use qrels whose field 2 names an intent: topic intent document label"
    )


def _by_number(name: str) -> list[tuple[int, int, str]]:
    """Sorts 2 before 10, and 1.2 before 1.10."""
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part), part) if part.isdigit() else (1, 0, part) for part in parts if part]

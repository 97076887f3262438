"""Quality beside cost: the systems that no other beats by every measure at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield._text import shown
from cranfield._typing import Floats, Mask
from cranfield.scores.scale import comparable


def find_unbeaten(means: Floats, larger_is_better: Sequence[bool]) -> Mask:
    """The systems that no other beats: one that is as good by every measure, and better by one of them.

    Args:
        means: [systems, measures]. A system that lacks one neither beats another nor is beaten.
        larger_is_better: of each measure.

    >>> find_unbeaten(np.array([[0.4, 40.0], [0.5, 120.0], [0.45, 210.0]]), [True, False]).tolist()
    [True, True, False]
    """
    gains = np.column_stack([comparable(column, up) for column, up in zip(means.T, larger_is_better, strict=True)])
    beaten = [bool(((gains >= row).all(axis=1) & (gains > row).any(axis=1)).any()) for row in gains]
    return ~np.array(beaten, dtype=bool)


def weighs_costs(larger_is_better: Sequence[bool]) -> bool:
    """Return whether the measures have both directions, so that some are costs and some are gains."""
    return len(set(larger_is_better)) > 1


def describe_unbeaten(names: Sequence[str]) -> str:
    """Say which systems none beats, as a sentence."""
    named = ", ".join(map(shown, names))
    return f"Not beaten (no other system is as good by every mean and better by one): {named}."

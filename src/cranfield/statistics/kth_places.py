"""Where the k-th largest value of a part of each row stands, in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from cranfield.arrays import Floats, Ints

Places: TypeAlias = Callable[[Floats, Ints, Ints, Ints], Ints]
"""``cranfield.contract.Engine.kth_places``."""


def kth_places(values: Floats, begins: Ints, ends: Ints, kth: Ints) -> Ints:
    """See ``cranfield.contract.Engine.kth_places``."""
    found = np.empty((len(begins), len(values)), dtype=np.int64)
    for part, (begin, end, rank) in enumerate(zip(begins.tolist(), ends.tolist(), kth.tolist(), strict=True)):
        some = values[:, begin:end]
        level = np.partition(some, end - begin - rank, axis=1)[:, end - begin - rank, None]
        found[part] = begin + np.argmax(some == level, axis=1)
    return found

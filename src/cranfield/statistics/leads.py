"""How often one row of numbers is below another, in NumPy."""

from __future__ import annotations

import numpy as np

from cranfield.arrays import Ints
from cranfield.contract import Table


def count_leads(table: Table, left: Ints, right: Ints) -> Ints:
    """See ``cranfield.contract.Engine.count_leads``."""
    found = np.empty(len(left), dtype=np.int64)
    for pair, (one, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        found[pair] = (table[one] < table[other]).sum() - (table[one] > table[other]).sum()
    return found

"""One correction over the comparisons of all groups of topics: ``correct_across``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.errors import UsageError
from cranfield.statistics.multiplicity import adjust

Across = Literal["none", "holm"]
OF_PAIRS = ("holm", "none")
"""Corrections by whose results p of each pair by itself is known to be what counts."""


def correct_across(results: Mapping[str, Any]) -> dict[str, Any]:
    """Adjust p by Holm's method over the pairs of all groups together, within each measure.

    Args:
        results: group -> its tests, of one kind: ``pairs`` with a column ``p``, and ``measure`` where there are
            several; ``settings`` with ``correction`` and ``alpha``; and where more than the pairs hangs on p, a method
            ``corrected`` that is given the adjusted p and over how many ``groups`` and ``comparisons``. Results with
            tests of another kind have a class method ``corrected_together`` that is given all of them.

    Raises:
        UsageError: a result without tests of pairs, or one that is corrected in another way.
    """
    together: Any = getattr(type(next(iter(results.values()))), "corrected_together", None)
    if together is not None:
        of_groups: dict[str, Any] = together(results)
        return of_groups
    for one in results.values():
        if "p" not in getattr(one, "pairs", ()):
            raise UsageError(
                f"{type(one).__name__} has no p of pairs, of which Holm's correction across groups is made"
            )
        if one.settings.get("correction") not in OF_PAIRS or one.settings.get("test") in (
            "tukey",
            "randomized-tukey",
            "dunnett",
        ):
            raise UsageError(
                "Holm's correction across groups takes p of each pair by itself: use a test of pairs with "
                "correction='holm'"
            )
    measures = [_measures(one) for one in results.values()]
    p = np.concatenate([one.pairs["p"].to_numpy(dtype=np.float64) for one in results.values()])
    of = np.concatenate(measures)
    adjusted = np.empty(len(p))
    for measure in dict.fromkeys(of.tolist()):
        adjusted[of == measure] = adjust(p[of == measure], "holm")
    across = {"groups": len(results), "comparisons": int((of == of[0]).sum()) if len(of) else 0}
    ends = np.cumsum([len(some) for some in measures])
    return {
        name: _corrected(one, some, across)
        for (name, one), some in zip(results.items(), np.split(adjusted, ends[:-1]), strict=True)
    }


def _corrected(one: Any, adjusted: Floats, across: dict[str, int]) -> Any:
    """A result with other adjusted p-values."""
    if hasattr(one, "corrected"):
        return one.corrected(adjusted, across)
    pairs = one.pairs.assign(p_adjusted=adjusted, significant=adjusted < one.settings["alpha"])
    more = {"across_groups": across}
    return replace(one, pairs=pairs, settings=one.settings | more, signature=one.signature | more)


def _measures(one: Any) -> Any:
    """By which measure each pair was tested, [pairs]."""
    return one.pairs["measure"].to_numpy(dtype=object) if "measure" in one.pairs else np.full(len(one.pairs), "")

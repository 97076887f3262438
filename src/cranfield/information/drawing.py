"""How pairs of documents are drawn, and what of the lists is seen: the options of an experiment that are no reading."""

from __future__ import annotations

from cranfield._validation import share, whole
from cranfield.errors import UsageError
from cranfield.information.pairs import PairWeight

DRAWING = ("cutoff", "pair_weight", "p", "persistence")
"""Their names."""


def check_drawing(
    cutoff: int | None, pair_weight: PairWeight, p: float, persistence: float | None, *, of_labels: bool
) -> None:
    """Raises: UsageError: an option outside its range, or two that exclude each other."""
    if cutoff is not None:
        whole(1, cutoff=cutoff)
    if pair_weight not in ("uniform", "geometric") and not callable(pair_weight):
        raise UsageError(f"pair_weight={pair_weight!r} is not uniform, geometric or a function of two places")
    share(p=p)
    if persistence is None:
        return
    share(persistence=persistence)
    if pair_weight != "uniform":
        raise UsageError("persistence and pair_weight are two kinds of attention: give one of them")
    if not of_labels:
        raise UsageError(
            "persistence compares with the ideal list, which needs labels: give qrels in place of Evidence"
        )

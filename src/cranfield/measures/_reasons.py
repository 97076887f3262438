"""Reasons that several measures have for not obeying a law, each written once: law -> reason; ``|`` joins them."""

from __future__ import annotations


def because(reason: str, *laws: str) -> dict[str, str]:
    """One reason for one or several laws."""
    return dict.fromkeys(laws, reason)


def _swaps(reason: str) -> dict[str, str]:
    return because(reason, "convergence", "top-weightedness")


def _known(reason: str) -> dict[str, str]:
    return because(reason, "localization", "completeness")


# ---- labels

LEVEL = because("labels may cross rel", "shift invariance", "scale invariance")
ZERO = because("unjudged documents keep the gain 0, which the label 0 loses", "shift invariance")
BLIND = _swaps("labels do not matter")

# ---- what is known of the topic

OF_R = _known("it divides by R, which includes documents that are not retrieved")
OF_BEST = _known("it divides by what the best list of the topic reaches")
BEST_GROWS = because("the best list of k + 1 documents reaches more than that of k", "monotonicity")

# ---- where documents stand

ORDER = because("the order of the documents does not matter", "top-weightedness")
FIRST = _swaps("nothing below the first relevant document matters")
SATISFIED = _swaps("who has found enough sees nothing below")
SHARE = because("a document that is not relevant lowers the share", "monotonicity")

# ---- the best score

FEW = because("fewer than R documents cannot hold all that are relevant", "realizability")
FILL = because("one relevant document does not fill k ranks", "realizability")
ENDLESS = because("some attention goes below the end of any list", "realizability")
UNSURE = because("even at the best document the search ends with a chance below 1", "realizability")
COUNTED = because("it grows with the documents that it counts", "boundedness", "realizability")

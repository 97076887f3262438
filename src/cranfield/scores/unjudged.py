"""Unjudged documents at the top of runs: how measures read them, and a sentence where there are many."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield._text import NAMED, counted, percent, shown
from cranfield.findings.catalogue import DEPTH
from cranfield.measures import Measure

JUDGED_ONLY = frozenset({"Bpref", "infAP", "infNDCG", "xinfAP", "GMBpref", "RBPResidual"})
"""Measures that look at which documents are judged, beside those that declare ``judged_only``."""
MANY = 0.2
"""Share of unjudged documents, or of absent topics, above which readers are told."""
TREATED = {
    "zero": "count as not relevant",
    "mean": "have the mean gain of their topic",
    "condense": "are left out, so that a run is judged by what other runs found, whatever else it finds",
}
"""Policy -> what becomes of unjudged documents."""


def choose_told(absent: float, missing: str) -> float:
    """Return the share of judged topics that a run lacks where readers are told of it, else 0.

    Args:
        absent: that share.
        missing: the policy for these topics: of empty rankings many are told, of topics left out of means any.
    """
    return absent if missing != "empty" or absent > MANY else 0.0


def looks_at_judged(measure: Measure) -> bool:
    """Tell if a measure looks at which documents are judged, so that unjudged ones do not count as not relevant."""
    declaration = measure.declaration
    return (
        not declaration.effectiveness or declaration.name in JUDGED_ONLY or bool(measure.parameters.get("judged_only"))
    )


def find_treatment(measure: Measure, policy: str, *, mostly_relevant: bool) -> tuple[int, str] | None:
    """Return how many first documents of a list tell how many are unjudged, and the policy by which these are read.

    None for measures whose labels cannot be estimated, and where unjudged documents count as not relevant by judgments
    most of which are of relevant documents: these list what was known to be relevant, and nearly every other document
    is unjudged.

    Args:
        measure: ten documents are looked at where it has no cutoff or a larger one.
        policy: of the evaluation for unjudged documents.
        mostly_relevant: whether most of the judged documents are relevant.
    """
    leaves_out = measure.parameters.get("judged_only") or measure.declaration.judged_alone
    treated = "condense" if leaves_out else policy
    ignored = looks_at_judged(measure) and not measure.parameters.get("judged_only")
    if ignored or measure.declaration.needs_intents or (mostly_relevant and treated == "zero"):
        return None
    return min(int(measure.parameters.get("cutoff") or DEPTH), DEPTH), treated


def describe_shares(shares: Mapping[str, float], cutoff: int, fate: str) -> str:
    """Say how many of the first documents of runs are unjudged, and what becomes of these.

    Args:
        shares: run -> share of its first documents that is not judged.
        cutoff: how many documents of each list are the first.
        fate: what becomes of them.

    >>> describe_shares({"a": 0.0, "b": 0.4}, 5, TREATED["zero"])
    'many of the first 5 documents are not judged, and count as not relevant (b 40.0%, a 0.0%)'
    """
    first = "first documents" if cutoff == 1 else f"first {cutoff} documents"
    many = "many" if max(shares.values()) > MANY else "some"
    return f"{many} of the {first} are not judged, and {fate} ({name_shares(shares)})"


def name_shares(shares: Mapping[str, float]) -> str:
    """Name the runs with the largest shares, and say how many have smaller ones.

    >>> name_shares({"a": 0.0, "b": 0.4})
    'b 40.0%, a 0.0%'
    """
    worst = sorted(shares, key=lambda name: -shares[name])
    named = [f"{shown(name)} {percent(shares[name])}" for name in worst[:NAMED]]
    more = [f"and {counted(len(worst) - NAMED, 'other run')} less"] if len(worst) > NAMED else []
    return ", ".join([*named, *more])

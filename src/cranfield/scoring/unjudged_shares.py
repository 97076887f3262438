"""Shares of unjudged documents at the top of runs, where they are too large to be passed over in silence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from cranfield._message import setting
from cranfield._text import NAMED, counted, percent, shown
from cranfield.collection.rankings import Rankings
from cranfield.findings.catalogue import DEPTH
from cranfield.measures import Measure, parse_measure, values
from cranfield.scoring.evaluation import Evaluation

JUDGED_ONLY = frozenset({"Bpref", "infAP", "infNDCG", "xinfAP", "GMBpref", "RBPResidual"})
"""Measures that look at which documents are judged, beside those that declare ``judged_only``."""
MANY = 0.2
"""Share of unjudged documents above which readers are warned."""
ALMOST_ALL = 0.9
"""Share of relevant documents among the judged ones above which too few others are judged to learn from."""


def looks_at_judged(measure: Measure) -> bool:
    """Tell if a measure looks at which documents are judged, so that unjudged ones do not count as not relevant."""
    declaration = measure.declaration
    return (
        not declaration.effectiveness or declaration.name in JUDGED_ONLY or bool(measure.parameters.get("judged_only"))
    )


TREATED = {
    "zero": "count as not relevant",
    "mean": "have the mean gain of their topic",
    "condense": "are left out, so that a run is judged by what other runs found, whatever else it finds",
}
"""Policy -> what becomes of unjudged documents."""


def describe_unjudged(scores: Evaluation, remedy: str) -> Iterator[str]:
    """Describe how many of the first documents are unjudged, as ``describe_holes``, and what to do.

    Where almost all judgments are of relevant documents, nothing tells what others are like: then labels are not to be
    estimated, and unjudged documents rather count as not relevant.

    Args:
        scores: with their rankings.
        remedy: what estimates the labels.
    """
    what = f"estimate their labels with {remedy}"
    relevant = float(np.mean(scores.qrels.grade > 0))
    if relevant > ALMOST_ALL:
        policy = scores.rankings.policy.unjudged if scores.rankings is not None else "zero"
        instead = (
            "leave judged_only out of the measure" if policy == "zero" else f"choose {setting('unjudged', 'zero')}"
        )
        what = (
            f"{percent(relevant)} of the judgments are of relevant documents, from which labels of others cannot be "
            f"learnt: {instead}, by which unjudged documents count as not relevant"
        )
    for line in describe_holes(scores):
        yield f"{line}: {what}"


def describe_holes(scores: Evaluation, fate: str = "") -> Iterator[str]:
    """Describe, for each cutoff, how many of the first documents are unjudged, where they are many in any run.

    Nothing is described for measures whose labels cannot be estimated. Nor where unjudged documents count as not
    relevant by judgments most of which are of relevant documents: these list what was known to be relevant, and nearly
    every other document is unjudged.

    Args:
        scores: with their rankings; ten documents are looked at where a measure has no cutoff or a larger one.
        fate: what becomes of unjudged documents, where not what the policy says.
    """
    rankings = scores.rankings
    assert rankings is not None, "the rankings are kept"
    policy = rankings.policy.unjudged
    whole = _keep_whole(rankings)
    mostly_relevant = bool(np.mean(scores.qrels.grade > 0) > 0.5)
    cutoffs: dict[tuple[int, str], None] = {}
    for measure in scores.measures:
        treated: str = "condense" if measure.parameters.get("judged_only") else policy
        ignored = looks_at_judged(measure) and not measure.parameters.get("judged_only")
        if not (ignored or measure.declaration.needs_intents or (mostly_relevant and treated == "zero")):
            cutoffs[min(int(measure.parameters.get("cutoff") or DEPTH), DEPTH), treated] = None
    for cutoff, treated in cutoffs:
        holes = _share_unjudged(scores.systems, whole, cutoff)
        if max(holes.values(), default=0.0) > MANY:
            worst = sorted(holes, key=lambda name: -holes[name])
            shares = [f"{shown(name)} {percent(holes[name])}" for name in worst[:NAMED]]
            more = [f"and {counted(len(worst) - NAMED, 'other run')} less"] if len(worst) > NAMED else []
            first = "first documents" if cutoff == 1 else f"first {cutoff} documents"
            what = fate or TREATED[treated]
            yield f"many of the {first} are not judged, and {what} ({', '.join([*shares, *more])})"


def share_unjudged(scores: Evaluation, cutoff: int) -> dict[str, float]:
    """Return the share of the first documents of each run that are not judged, on the topics that are.

    Args:
        scores: with their rankings.
        cutoff: how many documents of each list are the first.
    """
    assert scores.rankings is not None, "the rankings are kept"
    return _share_unjudged(scores.systems, _keep_whole(scores.rankings), cutoff)


def _keep_whole(rankings: Rankings) -> Rankings:
    """Keep whole lists, whatever becomes of their unjudged documents in measures."""
    return replace(rankings, policy=replace(rankings.policy, unjudged="zero"))


def _share_unjudged(systems: Sequence[str], whole: Rankings, cutoff: int) -> dict[str, float]:
    judged = np.where(whole.length > 0, values(parse_measure(f"Judged@{cutoff}"), whole), np.nan)
    by_system = zip(systems, judged.reshape(len(systems), -1), strict=True)
    return {name: 1 - float(np.nanmean(row)) for name, row in by_system if not np.isnan(row).all()}

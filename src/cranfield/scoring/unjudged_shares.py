"""Shares of unjudged documents at the top of runs, where they are too large to be passed over in silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield._message import setting
from cranfield._text import percent
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.measures import Measure, parse_measure, values
from cranfield.scores.unjudged import MANY, TREATED, describe_shares, find_treatment
from cranfield.scoring.evaluation import Evaluation

ALMOST_ALL = 0.9
"""Share of relevant documents among the judged ones above which too few others are judged to learn from."""


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

    Args:
        scores: with their rankings; see ``find_treatment`` for the measures of which nothing is described.
        fate: what becomes of unjudged documents, where not what the policy says.
    """
    assert scores.rankings is not None, "the rankings are kept"
    for cutoff, treated in list_treatments(scores.measures, scores.qrels, scores.rankings.policy):
        shares = share_unjudged(scores, cutoff)
        if max(shares.values(), default=0.0) > MANY:
            yield describe_shares(shares, cutoff, fate or TREATED[treated])


def list_treatments(measures: Iterable[Measure], qrels: Qrels, policy: Policy) -> list[tuple[int, str]]:
    """List each cutoff at which unjudged documents are counted, with the policy by which they are read.

    Args:
        measures: of the evaluation.
        qrels: its judgments.
        policy: how it reads odd cases.
    """
    if qrels.pool.strata is not None:
        return []  # measures of a sample expect unjudged documents, and others are refused
    mostly = bool(np.mean(qrels.grade > 0) > 0.5) if len(qrels.grade) else False
    found = (find_treatment(measure, policy.unjudged, mostly_relevant=mostly) for measure in measures)
    return list(dict.fromkeys(treatment for treatment in found if treatment is not None))


def sign_shares(runs: Sequence[Mapping[str, Any]], rankings: Rankings, cutoff: int) -> list[dict[str, Any]]:
    """Return what a signature says of runs, with the share of the first documents of each that is not judged.

    Args:
        runs: as they are signed without it.
        rankings: of these runs, in their order.
        cutoff: how many documents of each list are the first.
    """
    shares = _share_unjudged([run["name"] for run in runs], rankings, cutoff)
    found = {name: {"unjudged": {str(cutoff): round(share, 6)}} for name, share in shares.items() if share > 0}
    return [dict(run) | found.get(run["name"], {}) for run in runs]


def share_of_run(rankings: Rankings, cutoffs: Iterable[int]) -> dict[str, float]:
    """Cutoff -> the share of the first documents of a run that are not judged, where there are any.

    Args:
        rankings: of one run.
        cutoffs: how many documents of each list are the first.
    """
    shares = {str(cutoff): _share_unjudged([""], rankings, cutoff).get("", 0.0) for cutoff in dict.fromkeys(cutoffs)}
    return {cutoff: round(share, 6) for cutoff, share in shares.items() if share > 0}


def share_unjudged(scores: Evaluation, cutoff: int) -> dict[str, float]:
    """Return the share of the first documents of each run that are not judged, on the topics that are.

    Args:
        scores: with their rankings.
        cutoff: how many documents of each list are the first.
    """
    assert scores.rankings is not None, "the rankings are kept"
    return _share_unjudged(scores.systems, scores.rankings, cutoff)


def _share_unjudged(systems: Sequence[str], rankings: Rankings, cutoff: int) -> dict[str, float]:
    judged = np.where(rankings.length > 0, values(parse_measure(f"Judged@{cutoff}"), rankings), np.nan)
    by_system = zip(systems, judged.reshape(len(systems), -1), strict=True)
    return {name: 1 - float(np.nanmean(row)) for name, row in by_system if not np.isnan(row).all()}

"""Precision at levels of recall, interpolated."""

from typing import Annotated

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._measure import measure
from cranfield.measures._parameter import JudgedOnly, Meaning, Rel
from cranfield.measures.average_precision import precision
from cranfield.measures.laws import FEW, LEVEL, OF_R, because

HIDDEN = because("a larger precision further down hides it", "convergence", "top-weightedness")

LEVELS = tuple(level / 10 for level in range(11))
REFERENCE = "Buckley & Voorhees 2005, Retrieval System Evaluation, in: TREC, MIT Press"


def interpolated_precision(view: Rankings, rel: float, recall: float | Floats) -> Floats:
    """Largest precision at or below the rank where a level of recall is reached, NaN without relevant documents.

    The level asks for round(recall * R) relevant documents as in trec_eval 10, or floor(recall * R + 0.9) as in 9.
    float64 [segments], or [levels, segments] where ``recall`` is [levels, 1].
    """
    relevant = view.only(rel)
    total = view.n_relevant(rel)
    level = recall * total
    if view.policy.compat == "trec_eval9":
        needed = np.floor(level + 0.9)
    else:
        needed = np.floor(level) + (level - np.floor(level) >= 0.5)
    # From the row on that reaches the level; level 0 is reached before any row.
    row = np.maximum(needed, 1.0).astype(np.int64) - 1
    best = relevant.shared("interpolated", lambda: np.append(relevant.maximum_from(precision(relevant)), 0.0))
    reached = row < relevant.sizes
    return np.where(total > 0, best[np.where(reached, relevant.starts[:-1] + row, -1)], np.nan)


@measure(
    "IPrec",
    consistent=(),
    trec=[Trec("iprec_at_recall", at="recall", values=LEVELS, form="{:.2f}")],
    at="recall",
    required=["recall"],
    reference=REFERENCE,
    declines=HIDDEN | OF_R | FEW | LEVEL,
)
def IPrec(
    rankings: Rankings,
    *,
    rel: Rel = 1,
    judged_only: JudgedOnly = False,
    recall: Annotated[float | None, Meaning("level of recall", low=0, high=1)] = None,
) -> PerRanking:
    """Interpolated precision at a level of recall: the largest precision at or after the rank that reaches it.

    IPrec@x = max over ranks r with at least round(x R) relevant documents in 1..r of P@r.
    """
    assert recall is not None
    return interpolated_precision(rankings.view(judged_only=judged_only), rel, recall)


@measure(
    "11pt",
    consistent=(),
    attribute="ElevenPoint",
    trec=[Trec("11pt_avg")],
    reference=REFERENCE,
    declines=HIDDEN | OF_R | FEW | LEVEL,
)
def ElevenPoint(rankings: Rankings, *, rel: Rel = 1, judged_only: JudgedOnly = False) -> PerRanking:
    """Mean of the interpolated precision at the recall levels 0, 0.1, ..., 1.

    11pt = (1/11) * sum of IPrec@x over the eleven levels x.
    """
    view = rankings.view(judged_only=judged_only)
    # Added level by level: NumPy's mean over an axis adds in an order that depends on how many lists there are.
    total = np.zeros(len(view.length))
    for of_level in interpolated_precision(view, rel, np.array(LEVELS)[:, None]):
        total += of_level
    return total / len(LEVELS)

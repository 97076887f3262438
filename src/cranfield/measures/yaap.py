"""Yet another average precision: the log odds of Robertson's smoothed average precision."""

import math

import numpy as np

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declaration import Trec
from cranfield.measures._measure import measure
from cranfield.measures._parameter import Cutoff, Rel
from cranfield.measures.average_precision import precision_at_relevant
from cranfield.measures.laws import LEVEL, because


@measure(
    "yaap",
    trec=[Trec("yaap")],
    range=(-math.inf, math.inf),
    reference="Robertson 2012, On smoothing average precision, ECIR, doi:10.1007/978-3-642-28997-2_14",
    declines=because("it grows with the relevant documents", "boundedness", "realizability")
    | because("its R counts documents that are not retrieved", "localization")
    | LEVEL,
)
def yaap(rankings: Rankings, *, rel: Rel = 1, cutoff: Cutoff = None) -> PerRanking:
    """Log odds of smoothed average precision, which may be averaged over topics better than AP itself.

    yaap = ln((1 + s) / (1 + R - s)), s = sum over relevant documents at rank r of P@r. On one topic it orders lists as
    AP does.
    """
    total = precision_at_relevant(rankings.top(cutoff), rel)
    return np.log((1.0 + total) / (1.0 + rankings.n_relevant(rel) - total))

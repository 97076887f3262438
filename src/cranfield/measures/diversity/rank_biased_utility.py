"""Rank-biased utility: users who are satisfied intent by intent, lose patience, and pay for every rank."""

from typing import Annotated

import numpy as np

from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures import err
from cranfield.measures._parameter import Cutoff, JudgedOnly, Meaning, Persistence
from cranfield.measures.diversity._declaration import BY_INTENT, COVER, NO_INTENT, intent_measure
from cranfield.measures.diversity._gains import GainRule
from cranfield.measures.diversity.alpha_ndcg import expected
from cranfield.measures.err import POWER, Stop
from cranfield.measures.gain import Gains, MaxRel
from cranfield.measures.laws import UNSURE, ZERO, because

COST = because("every rank that is listed costs effort", "monotonicity", "appending")


@intent_measure(
    "RBU",
    range=(-1.0, 1.0),
    declines=BY_INTENT | NO_INTENT | COVER | UNSURE | COST | POWER | ZERO,
    reference="Amigó, Spina & Carrillo-de-Albornoz 2018, doi:10.1145/3209978.3210024",
)
def RBU(
    rankings: Rankings,
    *,
    p: Persistence = 0.8,
    effort: Annotated[float, Meaning("what looking at a document costs", low=0, high=1)] = 0.03,
    stop: Stop = "exp",
    gains: Gains = None,
    max_rel: MaxRel = None,
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Rank-biased utility: what documents add to intents that are not satisfied yet, minus the effort of each rank.

    RBU@k = (1 - p) * sum over ranks r <= k of p^(r-1) (sum over intents of P(i|q) s_i(r) prod_{j<r} (1 - s_i(j)) -
    effort), with s_i = (2^g - 1) / 2^max_rel for the label g for intent i, 0 where it is not above 0. Only ranks that
    the list has cost effort. The paper weighs rank r by p^r, which is p / (1 - p) times this. The factor of 1 - p, and
    the values of p and effort, are those of the authors' program (https://github.com/jCarrilloDeAlbornoz/RBU), which
    ends the scale at the largest label of the topic for the intent; here it ends at the largest label of the qrels.
    """
    rule = GainRule("RBU", gains=gains, judged_only=judged_only)
    rule.scale(rankings, max_rel)  # refuses what lies beyond, by the right name
    view = rule.view(rankings)
    settings = {"p": p, "stop": stop, "gains": gains, "max_rel": max_rel, "judged_only": False, "cutoff": cutoff}
    utility = err.iRBU.declaration.function(by_intent(view, "RBU")[0], **settings) / p
    ranks = view.length if cutoff is None else np.minimum(view.length, cutoff)
    return (1 - p) * expected(rankings, utility, rule) - effort * (1 - np.power(p, ranks.astype(np.float64)))

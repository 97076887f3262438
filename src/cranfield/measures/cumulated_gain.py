"""Gain that is cumulated without a discount."""

from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._declare import measure
from cranfield.measures._gain import Gains, useful_gain
from cranfield.measures._parameter import Cutoff, JudgedOnly
from cranfield.measures._reasons import BEST_GROWS, OF_BEST, ORDER, ZERO
from cranfield.statistics.ratio import ratio


@measure(
    "NCG",
    aliases=["nCG"],
    additive=True,
    reference="Järvelin & Kekäläinen 2002, doi:10.1145/582415.582418",
    declines=BEST_GROWS | OF_BEST | ORDER | ZERO,
)
def NCG(
    rankings: Rankings, *, gains: Gains = None, judged_only: JudgedOnly = False, cutoff: Cutoff = None
) -> PerRanking:
    """Gain of the first k documents, normalised by the gain of the best k.

    NCG@k = (sum of g over ranks 1..k) / (the same of the ideal list); TREC's Deep Learning track takes k = 100 and 1000
    for first stages of retrieval.
    """
    gain = useful_gain(rankings, gains)
    view = gain.rows(rankings.view(judged_only=judged_only, cutoff=cutoff))

    def best(lists: Rankings) -> PerRanking:
        top = lists.top(cutoff)
        return top.sum(gain.on(top))

    return ratio(view.sum(gain.on(view)), rankings.ideal(("NCG", gain.key, cutoff), gain.of, best))

"""Depths at which lists cover the intents, beside that of the shortest list that does."""

from typing import Annotated

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._parameter import JudgedOnly, Meaning
from cranfield.measures.diversity._declaration import BY_INTENT, COVERAGE, IntentRel, intent_measure
from cranfield.measures.diversity._gains import GainRule, over_intents
from cranfield.measures.diversity._set_cover import smallest, wanted

REFERENCE = "Zhai et al. 2003, doi:10.1145/860435.860440"

Recall = Annotated[float, Meaning("share of the intents that must be covered, at least one of them", low=0, high=1)]


def find_rank(rankings: Rankings, rule: GainRule, recall: float) -> Floats:
    """First rank at which each list covers that share of the intents, infinite where it never does, [segments]."""
    intents = rule.intents(rankings)
    lists, _ = by_intent(rule.view(rankings), rule.measure)
    relevant = lists.relevant(rule.rel)
    first = relevant & (lists.running_count(relevant) == 1)
    rank = np.full(len(lists.length), np.inf)
    rank[lists.segment[first]] = lists.rank[first]
    systems, topics = len(rankings.systems), len(intents.topics)
    segment = (np.arange(systems)[:, None] * topics + intents.topic).ravel()
    order = np.lexsort((rank, segment))
    answered = intents.per_topic(intents.relevant(rule.rel) > 0)
    index = (
        np.searchsorted(segment[order], np.arange(systems * topics)) + rankings.per_topic(wanted(answered, recall)) - 1
    )
    out = np.full(systems * topics, np.inf)
    answerable = rankings.per_topic(answered > 0)
    out[answerable] = rank[order][index[answerable]]
    return out


@intent_measure(
    "S-precision",
    attribute="S_precision",
    at="recall",
    declines=BY_INTENT | COVERAGE,
    reference=REFERENCE,
)
def S_precision(
    rankings: Rankings, *, recall: Recall = 1, rel: IntentRel = 1, judged_only: JudgedOnly = False
) -> PerRanking:
    """Fewest ranks that could cover the intents, divided by the ranks that the list needs for it.

    S-precision@r = least rank at which any list covers a share r of the intents / first rank at which this one does; 0
    where it never does. The least rank is exact for topics of up to 12 intents, by greedy set cover for more, which a
    warning names.
    """
    rule = GainRule("S-precision", rel, judged_only=judged_only)
    best = rankings.per_topic(smallest(rankings.pool, rule.intents(rankings), rel, recall))
    # A greedy cover may be longer than what the list found.
    return np.minimum(best / find_rank(rankings, rule, recall), 1.0)


@intent_measure(
    "WS-precision",
    attribute="WS_precision",
    at="recall",
    declines=BY_INTENT | COVERAGE,
    reference=REFERENCE,
)
def WS_precision(
    rankings: Rankings,
    *,
    recall: Recall = 1,
    a: Annotated[float, Meaning("cost of reading that a document is relevant to an intent", low=0)] = 1,
    b: Annotated[float, Meaning("cost of a document", low=0, open=True)] = 1,
    rel: IntentRel = 1,
    judged_only: JudgedOnly = False,
) -> PerRanking:
    """Least cost of covering the intents, divided by its cost in the list, where redundancy costs too.

    WS-precision@r = least cost of documents that cover a share r of the intents / cost of the list down to the rank
    where it does, a document costing b + a |I(d)|; 0 where it never does. With a = 0 it is S-precision. Exact or greedy
    as there.
    """
    rule = GainRule("WS-precision", rel, judged_only=judged_only)
    intents = rule.intents(rankings)
    best = rankings.per_topic(smallest(rankings.pool, intents, rel, recall, a, b))
    depth = find_rank(rankings, rule, recall)
    lists, _ = by_intent(rule.view(rankings), "WS-precision")
    systems = np.repeat(np.arange(len(rankings.systems)), len(intents.topic))
    limit = depth[systems * len(intents.topics) + np.tile(intents.topic, len(rankings.systems))]
    met = lists.count(lists.relevant(rel) & (lists.rank <= limit[lists.segment]))
    cost = b * depth + a * over_intents(rankings, intents, met, np.ones(len(intents.topic)))
    return np.minimum(best / cost, 1.0)

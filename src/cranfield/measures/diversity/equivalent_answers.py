"""Q-measure where several documents give the same answer, and only the first of them counts."""

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.intents import Intents
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.measures._parameter import Cutoff, JudgedOnly
from cranfield.measures.average_precision import Denominator
from cranfield.measures.diversity._declaration import BY_INTENT, COVERAGE, DIVISOR, IntentRel, intent_measure
from cranfield.measures.diversity._gains import GainRule
from cranfield.measures.gain import Gains
from cranfield.measures.q_measure import BLENDED, Beta
from cranfield.statistics.numeric import ratio


def _first_answers(view: Rankings, rule: GainRule) -> tuple[Floats, Floats]:
    """Find rows that answer a class which nothing above them does, and the largest gain of such, float64 [rows]."""
    lists, row = by_intent(view, rule.measure)
    relevant = lists.relevant(rule.rel)
    first = relevant & (lists.running_count(relevant) == 1)
    answered, gain = np.zeros((2, len(view.rank)))
    answered[row[first]] = 1.0
    np.maximum.at(gain, row[first], rule.gain(view)[1](lists.grade[first]))
    return answered, gain


def _best(view: Rankings, rule: GainRule) -> tuple[Floats, Floats]:
    """Classes with an answer by topic, and, one topic after the other, the running sum of their best gains."""
    intents: Intents = rule.intents(view)
    best = np.zeros(len(intents.topic))
    useful = intents.label >= rule.rel
    has = np.zeros(len(best), dtype=np.bool_)
    has[intents.intent[useful]] = True
    np.maximum.at(best, intents.intent[useful], rule.gain(view)[1](intents.label[useful]))
    classes = np.bincount(intents.topic[has], minlength=len(intents.topics)).astype(np.float64)
    order = np.lexsort((-best[has], intents.topic[has]))
    return classes, best[has][order]


@intent_measure(
    "Q-EC",
    attribute="Q_EC",
    declines=BY_INTENT | COVERAGE | DIVISOR,
    reference=f"{BLENDED}, section on answer equivalence classes",
)
def Q_EC(
    rankings: Rankings,
    *,
    rel: IntentRel = 1,
    beta: Beta = 1,
    gains: Gains = None,
    denominator: Denominator = "min",
    judged_only: JudgedOnly = False,
    cutoff: Cutoff = None,
) -> PerRanking:
    """Q-measure over answers: each intent is a class of equivalent answers, of which only the first one listed counts.

    Q-EC = (1/R) * sum over ranks r that answer a class unanswered above of BR(r), BR(r) = (C(r) + beta cg(r)) / (r +
    beta cg*(r)), with C the count and cg the gain of such documents down to rank r, R the classes that have an answer,
    and cg* that of the best list, the best answer of each class by gain. Q-EC@k divides by min(k, R). A document that
    answers several new classes counts once, with the largest of its gains.
    """
    rule = GainRule("Q-EC", rel, gains, judged_only=judged_only)
    view = rule.view(rankings)
    counts, gain = _first_answers(view, rule)
    classes, best = _best(view, rule)
    starts = np.concatenate([[0], np.cumsum(classes)]).astype(np.int64)
    # The ideal list ends with its last class: beyond it, the sum stays what it is.
    sums = np.concatenate([[0.0], np.cumsum(best)])
    topic = view.segment % len(classes)
    depth = np.minimum(view.rank, classes[topic].astype(np.int64))
    ideal = sums[starts[topic] + depth] - sums[starts[topic]]
    blended = (view.running_sum(counts) + beta * view.running_sum(gain)) / (view.rank + beta * ideal)
    if cutoff is not None:
        counts = np.where(view.rank <= cutoff, counts, 0.0)
    size = classes if denominator == "R" or cutoff is None else np.minimum(classes, cutoff)
    return ratio(view.sum(counts * blended), view.per_topic(size))

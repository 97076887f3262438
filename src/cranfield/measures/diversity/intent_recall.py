"""Which share of the intents is covered."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np

from cranfield._typing import Floats
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._measure import measure
from cranfield.measures._parameter import JudgedOnly, Meaning
from cranfield.measures.diversity._declaration import BY_INTENT, COVERAGE, UNKNOWN, IntentRel
from cranfield.measures.diversity._gains import GainRule, over_intents
from cranfield.measures.diversity._set_cover import smallest
from cranfield.statistics._numeric import ratio

REFERENCE = (
    "Zhai et al. 2003, doi:10.1145/860435.860440; "
    "Sakai et al. 2010, Simple evaluation metrics for diversified search results, EVIA, equation 4"
)

Depth = Annotated[
    int | Literal["n", "l_min"] | None,
    Meaning(
        "ranks that are looked at; n: as many as the topic has intents, l_min: as few as could cover them all; all "
        "where none is given",
        low=1,
    ),
]


@measure(
    "I-rec",
    attribute="I_rec",
    aliases=["I-recall", "StRecall", "S-recall", "strec", "I_recall", "S_recall"],
    needs_intents=True,
    interval=UNKNOWN,
    declines=BY_INTENT | COVERAGE,
    reference=REFERENCE,
)
def I_rec(
    rankings: Rankings, *, rel: IntentRel = 1, judged_only: JudgedOnly = False, cutoff: Depth = None
) -> PerRanking:
    """Share of the topic's intents to which a document of the first k ranks is relevant.

    I-rec@k = |union over ranks r <= k of I(d_r)| / n, with I(d) the intents that d is relevant to and n the intents
    with a relevant document. @n looks at n ranks, @l_min at as few as could cover all intents: exact for topics of up
    to 12 intents, by greedy set cover for more, which a warning names.
    """
    rule = GainRule("I-rec", rel, judged_only=judged_only)
    intents = rule.intents(rankings)
    lists, _ = by_intent(rule.view(rankings), "I-rec")
    number = intents.number(rel)
    if cutoff == "n":
        depth = number
    elif cutoff == "l_min":
        depth = smallest(rankings.pool, intents, rel)
    else:
        depth = np.full(len(number), np.inf if cutoff is None else float(cutoff))
    limit = lists.per_topic(depth[intents.topic])
    covered = lists.count(lists.relevant(rel) & (lists.rank <= limit[lists.segment])) > 0
    total = over_intents(rankings, intents, covered.astype(np.float64), np.ones(len(intents.topic)))
    answered = rankings.per_topic(intents.per_topic(intents.relevant(rel)) > 0)
    return np.where(answered, ratio(total, rankings.per_topic(number)), np.nan)


def with_intent_recall(rankings: Rankings, part: PerRanking, parameters: Mapping[str, Any], name: str) -> PerRanking:
    """gamma I-rec@k + (1 - gamma) part, [segments]; NTCIREVAL adds numbers that it printed with four decimals."""
    kwargs = {parameter: parameters[parameter] for parameter in ("rel", "judged_only", "cutoff")}
    recall = I_rec.declaration.function(rankings, **kwargs)
    if rankings.policy.compat == "ntcireval":
        recall, part = _printed(recall), _printed(part)
    gamma = rankings.per_topic(_gammas(rankings, parameters["gamma"], name))
    # Where a part has no weight, that it is undefined is no matter.
    value: PerRanking = np.where(gamma > 0, gamma * recall, 0.0) + np.where(gamma < 1, (1 - gamma) * part, 0.0)
    return value


def _gammas(rankings: Rankings, gamma: float | Mapping[str, float], name: str) -> Floats:
    assert rankings.pool.intents is not None
    topics = rankings.pool.intents.topics
    if not isinstance(gamma, Mapping):
        return np.full(len(topics), float(gamma))
    lacking = [topic for topic in topics if topic not in gamma]
    if lacking:
        raise MeasureError(f"{name}: gamma has no number for topic {lacking[0]!r}; give every judged topic one")
    return np.array([gamma[topic] for topic in topics], dtype=np.float64)


def _printed(values: Floats) -> Floats:
    """Values as printed with four decimals and read again."""
    return np.array([float(f"{value:.4f}") for value in values.tolist()], dtype=np.float64)

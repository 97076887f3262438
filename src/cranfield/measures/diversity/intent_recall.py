"""The share of intents that a list covers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from cranfield._message import name_value
from cranfield._typing import Floats
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.rankings import PerRanking, Rankings
from cranfield.errors import MeasureError
from cranfield.measures._declaration import ValueFunction
from cranfield.measures._measure import Measure
from cranfield.measures._parameter import JudgedOnly, Meaning
from cranfield.measures.diversity._components import MeasureComponent
from cranfield.measures.diversity._declaration import (
    BY_INTENT,
    COVERAGE,
    Divisor,
    Gamma,
    IntentRel,
    composed,
    intent_measure,
)
from cranfield.measures.diversity._gains import GainRule, over_intents, without_roundings
from cranfield.measures.diversity._reachable import Reach
from cranfield.measures.diversity._set_cover import smallest
from cranfield.statistics.numeric import ratio

REFERENCE = (
    "Zhai et al. 2003, doi:10.1145/860435.860440; "
    "Sakai et al. 2010, Simple evaluation metrics for diversified search results, EVIA, equation 4"
)

REACHABLE = (
    ' Each part can be 1, but often no list makes both so; ideal="reachable" divides by the most that one list of the '
    "topic's documents reaches: exact for topics of up to 12 intents, an upper bound for more, which a warning names."
)

Depth = Annotated[
    int | Literal["n", "l_min"] | None,
    Meaning(
        "ranks that are looked at; n: as many as the topic has intents, l_min: as few as could cover them all; all "
        "where none is given",
        low=1,
    ),
]


@intent_measure(
    "I-rec",
    attribute="I_rec",
    aliases=["I-recall", "StRecall", "S-recall", "strec", "I_recall", "S_recall"],
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


Reaching = Callable[[Mapping[str, Any]], Reach]
"""Parameters -> how the best list of the sum is found."""


def _with_intent_recall(
    rankings: Rankings, part: PerRanking, parameters: Mapping[str, Any], name: str, reach: Reaching | None
) -> PerRanking:
    """gamma I-rec@k + (1 - gamma) part, [segments]; NTCIREVAL adds numbers that it printed with four decimals."""
    kwargs = {parameter: parameters[parameter] for parameter in ("rel", "judged_only", "cutoff")}
    recall = I_rec.declaration.function(rankings, **kwargs)
    if rankings.policy.compat == "ntcireval":
        recall, part = _printed(recall), _printed(part)
    gammas = _gammas(rankings, parameters["gamma"], name)
    gamma = rankings.per_topic(gammas)
    # Where a part has no weight, that it is undefined is no matter.
    value: PerRanking = np.where(gamma > 0, gamma * recall, 0.0) + np.where(gamma < 1, (1 - gamma) * part, 0.0)
    if reach is None or parameters["ideal"] == "each":
        return value
    return without_roundings(ratio(value, reach(parameters).most(rankings, gammas)))


def declare_with_intent_recall(
    name: str,
    plain: str,
    part: MeasureComponent,
    value: ValueFunction,
    *,
    module: str,
    reference: str,
    declines: Mapping[str, str],
    aliases: Sequence[str] = (),
    attribute: str,
    reach: Reaching | None = None,
) -> Measure:
    """Declare the linear combination of intent recall and the measure ``plain``, which is made of ``part``.

    The other arguments are those of ``composed``; ``value`` computes ``plain``, and ``reach`` finds the best list.
    """
    ideal: dict[str, tuple[Any, Any]] = {} if reach is None else {"ideal": (Divisor, "each")}
    return composed(
        name,
        lambda rankings, kwargs: _with_intent_recall(rankings, value(rankings, kwargs), kwargs, name, reach),
        {"gamma": (Gamma, 0.5), "rel": (IntentRel, 1)} | ideal | part.parameters(),
        module=module,
        doc=(
            f"Intent recall and {plain}, combined linearly.",
            f"{name}@k = gamma I-rec@k + (1 - gamma) {plain}@k.{REACHABLE if reach else ''}",
        ),
        reference=reference,
        declines={**part.declines, **declines, **COVERAGE},
        aliases=aliases,
        attribute=attribute,
        required=part.required,
    )


def _gammas(rankings: Rankings, gamma: float | Mapping[str, float], name: str) -> Floats:
    assert rankings.pool.intents is not None
    topics = rankings.pool.intents.topics
    if not isinstance(gamma, Mapping):
        return np.full(len(topics), float(gamma))
    lacking = [topic for topic in topics if topic not in gamma]
    if lacking:
        raise MeasureError(
            f"{name}: gamma has no number for topic {name_value(lacking[0])}; give every judged topic one"
        )
    return np.array([gamma[topic] for topic in topics], dtype=np.float64)


def _printed(values: Floats) -> Floats:
    """Values as printed with four decimals and read again."""
    return np.array([float(f"{value:.4f}") for value in values.tolist()], dtype=np.float64)

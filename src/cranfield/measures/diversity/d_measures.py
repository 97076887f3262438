"""D-measures: one list for all intents, its documents worth their expected gain; D#-measures add how many it covers.

GG(d) = sum over intents of P(i|q) g_i(d), the global gain, replaces the label.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cranfield._typing import Floats
from cranfield.measures._measure import Measure
from cranfield.measures.diversity._components import PARTS, MeasureComponent
from cranfield.measures.diversity._declaration import BY_INTENT, SHARED, composed
from cranfield.measures.diversity._gains import global_gains
from cranfield.measures.diversity._reachable import Reach
from cranfield.measures.diversity.intent_recall import declare_with_intent_recall
from cranfield.measures.gain import discount_divisor

REFERENCE = "Sakai et al. 2010, Simple evaluation metrics for diversified search results, EVIA"
GAIN = "where g is the global gain, GG(d) = sum over intents of P(i|q) g_i(d)"
ALIASES = {"nDCG": ["div-nDCG", "div_nDCG"], "Q": ["div-Q", "div_Q"]}
SHARP_ALIASES = {"nDCG": ["Idiv-nDCG", "Idiv_nDCG"], "Q": ["Idiv-Q", "Idiv_Q"]}
EQUATIONS = {"nDCG": ", equation 7", "Q": ", equations 9 and 10"}
WITH_RECALL = ("nDCG", "Q", "ERR", "RBP", "EBR", "iRBU")
PLAIN = (*WITH_RECALL, "nERR", "NCU", "O-measure", "P-measure", "P-plus")
# AP, P, Success and RR of the global gain are those of the largest label: a document is relevant to some intent.


def _declare_plain(part: MeasureComponent) -> Measure:
    name = f"D-{part.name}"
    return composed(
        name,
        lambda rankings, kwargs: part.value(rankings, name, global_gains, kwargs),
        part.parameters(),
        module=__name__,
        doc=(
            f"{part.name} with global gain: a document's gains for all intents, weighted by their probabilities.",
            f"{part.formula}, {GAIN}.",
        ),
        reference=REFERENCE + EQUATIONS.get(part.name, ""),
        aliases=ALIASES.get(part.name, []),
        required=part.required,
        additive=part.additive,
        declines={**part.declines, **BY_INTENT, **SHARED},
    )


def _reach_of_ndcg(parameters: Mapping[str, Any], name: str) -> Reach:
    """D-nDCG is a sum of gains, each over the discount of its rank and the best sum."""
    part, cutoff = PARTS["nDCG"], parameters["cutoff"]

    def weigh(gain: Floats) -> tuple[Floats, float]:
        rank = np.arange(1.0, min(len(gain), cutoff or len(gain)) + 1)
        weight = 1 / discount_divisor(rank, parameters["discount"], parameters["b"])
        best = float(gain[: len(rank)] @ weight)
        return weight / best if best > 0 else np.zeros(len(rank)), 0.0

    key = ("nDCG", cutoff, parameters["discount"], parameters["b"])
    return Reach(part.rule(name, parameters), parameters["rel"], weigh, key)


def _reach_of_q(parameters: Mapping[str, Any], name: str) -> Reach:
    """D-Q of relevant documents alone is the mean of (r + beta cg(r)) / (r + beta cg*(r)), a sum of their gains too.

    One that is not relevant only takes their places, so that no best list has one above a relevant one.
    """
    part, cutoff, beta = PARTS["Q"], parameters["cutoff"], parameters["beta"]
    within = parameters["denominator"] == "min"

    def weigh(gain: Floats) -> tuple[Floats, float]:
        rank = np.arange(1.0, min(len(gain), cutoff or len(gain)) + 1)
        if not gain.any():
            return np.zeros(len(rank)), 0.0
        hoped = rank + beta * np.cumsum(gain)[: len(rank)]
        size = len(rank) if within else len(gain)
        return np.cumsum((beta / hoped)[::-1])[::-1] / size, float((rank / hoped).sum()) / size

    key = ("Q", cutoff, beta, within)
    return Reach(part.rule(name, parameters), parameters["rel"], weigh, key)


REACHES = {"nDCG": _reach_of_ndcg, "Q": _reach_of_q}


def _declare_sharp(part: MeasureComponent) -> Measure:
    name = f"D#-{part.name}"
    reach = REACHES.get(part.name)
    return declare_with_intent_recall(
        name,
        f"D-{part.name}",
        part,
        lambda rankings, kwargs: part.value(rankings, name, global_gains, kwargs),
        module=__name__,
        reference=REFERENCE + (", equations 11 and 12" if part.name in ALIASES else ""),
        declines=BY_INTENT,
        aliases=SHARP_ALIASES.get(part.name, []),
        attribute=f"Dsharp_{part.name}",
        reach=None if reach is None else lambda parameters: reach(parameters, name),
    )


for _name in PLAIN:
    _declare_plain(PARTS[_name])
for _name in WITH_RECALL:
    _declare_sharp(PARTS[_name])

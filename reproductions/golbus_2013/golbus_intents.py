"""ERR-IA, alpha-DCG and D#-nDCG at rank 20, each straight from its definition, for Table 1 and Figure 1.

All intents of a topic are equally likely. Within a topic systems are only ordered, so that what divides all of them
alike (the number of intents, the best list of alpha-nDCG) is left out.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log2
from pathlib import Path

CUTOFF = 20
Intents = Mapping[str, Mapping[str, int]]
"""Intent -> document -> label above 0."""


def read_intents(path: Path) -> dict[str, dict[str, dict[str, int]]]:
    """Topic -> intents that have a relevant document."""
    found: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    with gzip.open(path, "rt") as lines:
        for line in lines:
            topic, intent, document, label = line.split()[:4]
            if int(label) > 0:
                found[topic][intent][document] = int(label)
    return {topic: dict(intents) for topic, intents in found.items()}


def read_lists(path: Path) -> dict[str, list[str]]:
    """Topic -> the first 20 documents by the rank column, which the authors of these runs mean."""
    rows: dict[str, list[tuple[int, str]]] = defaultdict(list)
    with gzip.open(path, "rt") as lines:
        for line in lines:
            topic, _, document, rank, *_ = line.split()
            rows[topic].append((int(rank), document))
    return {topic: [document for _, document in sorted(row)[:CUTOFF]] for topic, row in rows.items()}


def err_ia(ranked: Sequence[str], intents: Intents) -> float:
    """Sum over intents of ERR with binary labels: a relevant document satisfies with probability 1/2."""
    total = 0.0
    for labels in intents.values():
        left = 1.0
        for rank, document in enumerate(ranked, 1):
            if document in labels:
                total += left / 2 / rank
                left /= 2
    return total


def alpha_dcg(ranked: Sequence[str], intents: Intents) -> float:
    """An intent counts half as much each time it was met above; discount log2(1 + rank)."""
    met: Counter[str] = Counter()
    total = 0.0
    for rank, document in enumerate(ranked, 1):
        for intent, labels in intents.items():
            if document in labels:
                total += 0.5 ** met[intent] / log2(1 + rank)
                met[intent] += 1
    return total


def d_sharp_ndcg(ranked: Sequence[str], intents: Intents) -> float:
    """Mean of intent recall and of nDCG with the label of a document summed over intents."""
    gain: Counter[str] = Counter()
    for labels in intents.values():
        gain.update(labels)
    recall = sum(any(document in labels for document in ranked) for labels in intents.values()) / len(intents)
    best = sorted(gain.values(), reverse=True)[:CUTOFF]
    actual, ideal = (
        sum(value / log2(1 + rank) for rank, value in enumerate(values, 1))
        for values in ([gain[document] for document in ranked], best)
    )
    return (recall + actual / ideal) / 2


MEASURES = {"ERR-IA": err_ia, "alpha-nDCG": alpha_dcg, "D#-nDCG": d_sharp_ndcg}

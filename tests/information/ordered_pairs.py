"""A second hand for all that is asked of pairs: plain Python over all ordered pairs of documents."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from cranfield import Qrels

ABSENT = math.inf
Lists = dict[str, dict[str, float]]
Labels = dict[str, float]


@dataclass(frozen=True)
class Drawn:
    """Judgments, and runs that may miss topics: name -> topic -> document -> score."""

    qrels: dict[str, Labels]
    runs: dict[str, Lists]

    @property
    def judgments(self) -> Qrels:
        """What is taken at its word, although labels that were drawn may look like scores, and scores like labels."""
        return Qrels.from_dict(self.qrels)


DOCUMENTS = "abcdefgh"


def _some(values: Sequence[float]) -> SearchStrategy[dict[str, float]]:
    """A number or none for each document, for at least one."""
    return st.lists(st.none() | st.sampled_from(values), min_size=8, max_size=8).map(
        lambda row: {d: v for d, v in zip(DOCUMENTS, row, strict=True) if v is not None} or {"a": values[0]}
    )


# Made once: to make and check a strategy takes longer than to draw from it.
LABELS = st.sampled_from(
    [_some(kind) for kind in ([0.0, 1.0], [0.0, 1.0, 2.0], [-2.0, 0.0, 1.0], [0.0, 0.5, 1.0, 1.5, 2.0, 3.0])]
)
SCORES, PRESENT = _some([3.0, 2.0, 1.0, 0.5, 0.25]), st.sampled_from([1, 1, 1, 0])


@st.composite
def drawn(draw: st.DrawFn, systems: int = 3) -> Drawn:
    """One or two topics with few labels, and runs with ties, unjudged documents and missing topics."""
    labels = draw(LABELS)
    topics = ["1", "2"][: draw(st.integers(1, 2))]
    qrels = {topic: draw(labels) for topic in topics}
    runs = {}
    for number in range(systems):
        lists = {topic: draw(SCORES) for topic in topics if draw(PRESENT)}
        runs[f"s{number}"] = lists or {topics[0]: {"z": 1.0}}
    return Drawn(qrels, runs)


def places(run: Lists, topic: str, labels: Labels, rel: float = 1, cutoff: int | None = None) -> dict[str, float]:
    """Places from 1 of the judged documents of a topic in a list that ends after its last useful one."""
    scores = run.get(topic, {})
    ranked = sorted(scores, key=lambda document: (scores[document], document), reverse=True)[:cutoff]
    judged = [document for document in ranked if document in labels]
    while judged and labels[judged[-1]] < rel:
        judged.pop()
    return {document: judged.index(document) + 1.0 if document in judged else ABSENT for document in labels}


def said(place: dict[str, float], one: str, other: str) -> int:
    """R of an ordered pair."""
    if place[one] == place[other] == ABSENT:
        return 0
    return 1 if place[one] < place[other] else -1


Weight = Callable[[float, float], float]


def uniform(better: float, worse: float) -> float:
    return 1.0


def geometric(p: float) -> Weight:
    return lambda better, worse: 0.0 if min(better, worse) == ABSENT else p ** (min(better, worse) - 1)


def joint_table(
    labels: Labels, of_systems: Sequence[dict[str, float]], weight: Weight = uniform
) -> Counter[tuple[tuple[int, ...], int]]:
    """Weights of (R_1, ..., R_m), Q over all ordered pairs of documents with different labels."""
    table = Counter[tuple[tuple[int, ...], int]]()
    for one, other in permutations(labels, 2):
        if labels[one] != labels[other]:
            better, worse = (one, other) if labels[one] > labels[other] else (other, one)
            counted = max((weight(place[better], place[worse]) for place in of_systems), default=1.0)
            key = tuple(said(place, one, other) for place in of_systems), int(labels[one] > labels[other])
            table[key] += counted  # type: ignore[assignment]
    return table


def information(table: Counter[tuple[Hashable, Hashable]]) -> float:
    """I(X; Y) of the weights of (x, y); 0 where nothing has weight."""
    total = math.fsum(table.values())
    if not total:
        return 0.0
    of_x, of_y = Counter[Hashable](), Counter[Hashable]()
    for (x, y), weight in table.items():
        of_x[x] += weight
        of_y[y] += weight
    return math.fsum(w / total * math.log2(w * total / (of_x[x] * of_y[y])) for (x, y), w in table.items() if w)


def conditional(table: Counter[tuple[tuple[int, ...], int]]) -> float:
    """I(R_1; Q | R_2) of the weights of (R_1, R_2), Q."""
    total = math.fsum(table.values())
    if not total:
        return 0.0
    return math.fsum(
        sum(part.values()) / total * information(part)
        for second in (-1, 0, 1)
        for part in [Counter({(r[0], q): w for (r, q), w in table.items() if r[1] == second})]
    )


def mean(values: Iterable[float]) -> float:
    """Mean of those that are not NaN."""
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def per_topic(case: Drawn, names: Sequence[str], weight: Weight = uniform, rel: float = 1) -> list[float]:
    """Joint RIC of some systems, topic by topic."""
    found = []
    for topic, labels in case.qrels.items():
        of_systems = [places(case.runs[name], topic, labels, rel) for name in names]
        defined = len(set(labels.values())) > 1
        found.append(information(joint_table(labels, of_systems, weight)) if defined else math.nan)  # type: ignore[arg-type]
    return found

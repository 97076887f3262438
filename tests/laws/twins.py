"""A second hand for every measure: plain Python straight from its definition, one list at a time.

Each takes a ``Seen`` list, that is the labels rank by rank (None where a document was not judged) and the labels of
all judged documents of the topic, and the measure's parameters. NaN is a value without a definition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

Grade = float | None
NAN = math.nan

twins: dict[str, Callable[..., float]] = {}
"""Name of a measure -> its twin."""


def twin(name: str) -> Callable[[Callable[..., float]], Callable[..., float]]:
    """Register the twin of a measure."""

    def add(function: Callable[..., float]) -> Callable[..., float]:
        assert name not in twins
        twins[name] = function
        return function

    return add


@dataclass(frozen=True)
class Seen:
    """One ranked list and the judgments of its topic.

    Args:
        ranked: labels by rank.
        pool: labels of all judged documents.
        largest: largest label of all topics, at least 0.
        keep: whether labels below zero are gains below zero.
        nine: whether recall levels are rounded as in trec_eval 9.
        labels: labels of all topics.
        unjudged: what unjudged documents are.
    """

    ranked: list[Grade]
    pool: list[float]
    largest: float
    keep: bool = False
    nine: bool = False
    labels: tuple[float, ...] = ()
    unjudged: str = "zero"

    def top(self, judged_only: bool = False, cutoff: int | None = None) -> list[Grade]:
        kept = [grade for grade in self.ranked if grade is not None or not judged_only]
        return kept[:cutoff]

    def relevant(self, rel: float) -> int:
        return sum(grade >= rel for grade in self.pool)

    def condensed(self) -> Seen:
        return replace(self, ranked=self.top(judged_only=True))

    def without_negatives(self) -> Seen:
        ranked = [None if grade is None or grade < 0 else grade for grade in self.ranked]
        labels = tuple(label for label in self.labels if label >= 0)
        return replace(self, ranked=ranked, pool=[grade for grade in self.pool if grade >= 0], labels=labels)


def hits(grades: list[Grade], rel: float) -> list[int]:
    """Ranks of the relevant documents."""
    return [rank for rank, grade in enumerate(grades, 1) if grade is not None and grade >= rel]


def share(part: float, whole: float) -> float:
    return part / whole if whole else NAN


def judged(grades: list[Grade]) -> Iterator[tuple[int, float]]:
    """Rank and label of the judged documents."""
    return ((rank, grade) for rank, grade in enumerate(grades, 1) if grade is not None)


# ---- precision and recall


@twin("R")
def recall_at(seen: Seen, *, rel: float, judged_only: bool, cutoff: int) -> float:
    return share(len(hits(seen.top(judged_only, cutoff), rel)), seen.relevant(rel))


@twin("Success")
def success(seen: Seen, *, rel: float, judged_only: bool, cutoff: int) -> float:
    return 1.0 if hits(seen.top(judged_only, cutoff), rel) else 0.0


@twin("RR")
def reciprocal_rank(seen: Seen, *, rel: float, judged_only: bool, cutoff: int | None) -> float:
    for rank, grade in judged(seen.top(judged_only, cutoff)):
        if grade >= rel:
            return 1 / rank
    return 0.0


@twin("infAP")
def inferred(seen: Seen, *, rel: float) -> float:
    rel = max(rel, 0.0)  # a label below zero says that a document was not judged
    total = 0.0
    for rank in hits(seen.ranked, rel):
        above = [grade for grade in seen.ranked[: rank - 1] if grade is not None]
        relevant = sum(grade >= rel for grade in above)
        other = sum(0 <= grade < rel for grade in above)
        expected = (relevant + 1e-5) / (relevant + other + 2e-5)
        total += 1 / rank + (0 if rank == 1 else (rank - 1) / rank * len(above) / (rank - 1) * expected)
    return share(total, seen.relevant(rel))


def interpolated(grades: list[Grade], total: int, rel: float, recall: float, nine: bool) -> float:
    if not total:
        return NAN
    needed = math.floor(recall * total + 0.9) if nine else math.floor(recall * total + 0.5)
    best = 0.0
    for rank in range(1, len(grades) + 1):
        found = len(hits(grades[:rank], rel))
        if found >= needed:
            best = max(best, found / rank)
    return best


@twin("IPrec")
def interpolated_precision(seen: Seen, *, rel: float, judged_only: bool, recall: float) -> float:
    return interpolated(seen.top(judged_only), seen.relevant(rel), rel, recall, seen.nine)


@twin("11pt")
def eleven_points(seen: Seen, *, rel: float, judged_only: bool) -> float:
    grades, total = seen.top(judged_only), seen.relevant(rel)
    return sum(interpolated(grades, total, rel, level / 10, seen.nine) for level in range(11)) / 11


@twin("Bpref")
@twin("GMBpref")
def bpref(seen: Seen, *, rel: float) -> float:
    total = seen.relevant(rel)
    other = len(seen.pool) - total
    value, above = 0.0, 0
    for _, grade in judged(seen.ranked):
        if grade < rel:
            above += 1
        elif above == 0:
            value += 1
        else:
            value += 1 - min(above, total) / min(other, total)
    return share(value, total)


# ---- gains


def gain_of(seen: Seen, dcg: str = "log2", gains: Mapping[float, float] | None = None) -> Callable[[float], float]:
    def gain(grade: float) -> float:
        value = grade if grade > 0 or seen.keep else 0.0
        if gains is not None and grade in gains:
            value = gains[grade]
        if dcg == "log2":
            return value
        return math.copysign(2 ** abs(value) - 1, value)

    return gain


def expected_reciprocal_rank(grades: list[Grade], scale: float) -> float:
    value, goes_on = 0.0, 1.0
    for rank, grade in judged(grades):
        stops = (2 ** max(grade, 0.0) - 1) / 2**scale
        value += goes_on * stops / rank
        goes_on *= 1 - stops
    return value


@twin("RBPResidual")
def rbp_residual(seen: Seen, *, p: float, cutoff: int | None) -> float:
    return 1 - sum((1 - p) * p ** (rank - 1) for rank, _ in judged(seen.top(False, cutoff)))


# ---- sets and counts


@twin("SetP")
def set_precision(seen: Seen, *, rel: float, judged_only: bool, relative: bool = False) -> float:
    grades = seen.top(judged_only)
    whole = min(len(grades), seen.relevant(rel)) if relative else len(grades)
    return share(len(hits(grades, rel)), whole)


@twin("SetRelP")
def relative_precision(seen: Seen, *, rel: float, judged_only: bool) -> float:
    return set_precision(seen, rel=rel, judged_only=judged_only, relative=True)


@twin("SetR")
def set_recall(seen: Seen, *, rel: float) -> float:
    return share(len(hits(seen.ranked, rel)), seen.relevant(rel))


@twin("F1")
def f1(seen: Seen, *, rel: float, judged_only: bool, cutoff: int | None) -> float:
    grades, total = seen.top(judged_only, cutoff), seen.relevant(rel)
    if not total:
        return NAN
    found = len(hits(grades, rel))
    precision, recall = share(found, len(grades) if cutoff is None else cutoff), found / total
    return 2 * precision * recall / (precision + recall) if found else 0.0


@twin("SetF")
def set_f(seen: Seen, *, rel: float, beta: float, judged_only: bool, cutoff: int | None) -> float:
    grades, total = seen.top(judged_only, cutoff), seen.relevant(rel)
    found = len(hits(grades, rel))
    if not found:
        return 0.0 if total else NAN
    precision, recall = found / len(grades), found / total
    return (beta + 1) * precision * recall / (recall + beta * precision)


@twin("SetAP")
def set_average_precision(seen: Seen, *, rel: float, judged_only: bool) -> float:
    return set_precision(seen, rel=rel, judged_only=judged_only) * set_recall(seen, rel=rel)


@twin("Judged")
def judged_share(seen: Seen, *, cutoff: int | None) -> float:
    grades = seen.top(False, cutoff)
    return share(sum(grade is not None for grade in grades), len(grades))


@twin("Unjudged")
def unjudged_share(seen: Seen, *, cutoff: int) -> float:
    return sum(grade is None for grade in seen.top(False, cutoff)) / cutoff


@twin("NumQ")
def topics(seen: Seen) -> float:
    return 1.0


@twin("NumRet")
def retrieved(seen: Seen, *, rel: float | None) -> float:
    return float(len(seen.ranked) if rel is None else len(hits(seen.ranked, rel)))


@twin("NumRel")
def known_relevant(seen: Seen, *, rel: float) -> float:
    return float(seen.relevant(rel))


@twin("NumRelRet")
def relevant_retrieved(seen: Seen, *, rel: float) -> float:
    return float(len(hits(seen.ranked, rel)))


@twin("NumNonRelJudgedRet")
def nonrelevant_retrieved(seen: Seen, *, rel: float) -> float:
    return float(sum(grade < rel for _, grade in judged(seen.ranked)))

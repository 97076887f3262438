"""Moffat's properties of the readings of nDCG, as Gienapp et al. 2020 claim them: every small case tried.

    python reproductions/gienapp_2020_negative_labels/moffat.py

writes ``moffat_tables.md`` beside this file; README.md says what follows. Scores are computed here by the formulas of
the paper, in plain Python; the package's own are compared with them on every counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from math import isnan, log2, nan
from pathlib import Path

import numpy as np

import cranfield
from cranfield.measures import parse_measure, values

HERE = Path(__file__).parent
LABELS = (-2.0, 0.0, 1.0, 3.0)
LARGEST_POOL, DEPTHS = 3, (1, 2)
EPSILON = 1e-12
NAMES = ("NDCG_org", "NDCG_0", "NDCG_min", "NDCG_min_judged", "NDCG_org_judged")

Grade = float | None
Score = Callable[["List", int], float]


@dataclass(frozen=True)
class List:
    """A ranking by its labels (None: not judged), and the labels of judged documents below its end."""

    ranked: tuple[Grade, ...]
    below: tuple[float, ...] = ()

    @property
    def pool(self) -> tuple[float, ...]:
        """Labels of all judged documents."""
        return (*(grade for grade in self.ranked if grade is not None), *self.below)

    def __str__(self) -> str:
        shown = ", ".join("?" if grade is None else f"{grade:g}" for grade in self.ranked)
        return f"[{shown}]" + (f" of {', '.join(f'{grade:g}' for grade in sorted(self.pool, reverse=True))}")


def dcg(gains: Sequence[Grade], k: int) -> float:
    """Of the first k ranks."""
    return sum((gain or 0.0) / log2(rank + 2) for rank, gain in enumerate(gains[:k]))


def share(part: float, whole: float) -> float:
    """Their ratio; NaN where the whole is 0."""
    return part / whole if abs(whole) > EPSILON else nan


def org(found: List, k: int) -> float:
    """DCG over that of the best ranking."""
    return share(dcg(found.ranked, k), dcg(sorted((g for g in found.pool if g > 0), reverse=True), k))


def zeroed(found: List, k: int) -> float:
    """The same with labels below zero as 0."""
    clip = List(tuple(g and max(g, 0.0) for g in found.ranked), tuple(max(g, 0.0) for g in found.below))
    return org(clip, k)


def smallest(found: List, k: int) -> float:
    """Between the worst ranking and the best, with documents of label 0 always there."""
    worst = dcg(sorted(g for g in found.pool if g < 0), k)
    best = dcg(sorted((g for g in found.pool if g > 0), reverse=True), k)
    return share(dcg(found.ranked, k) - worst, best - worst)


def judged(found: List, k: int) -> float:
    """Between the worst and the best order of the judged documents alone."""
    depth = min(k, len(found.pool))
    totals = [dcg(order, depth) for order in permutations(found.pool)] or [0.0]
    return share(dcg(found.ranked, depth) - min(totals), max(totals) - min(totals))


def org_judged(found: List, k: int) -> float:
    """DCG over that of the best order of the judged documents alone, which may be below 0."""
    return share(dcg(found.ranked, k), max(dcg(order, k) for order in permutations(found.pool)))


SCORES: dict[str, Score] = dict(zip(NAMES, (org, zeroed, smallest, judged, org_judged), strict=True))


# ---- cases: (what is claimed of one list or two, whether it holds)


def lists(*, full: bool) -> Iterator[List]:
    """Every list of documents of every small pool; ``full``: of judged documents alone."""
    seen = set()
    for size in range(1, LARGEST_POOL + 1):
        for pool in combinations_with_replacement(LABELS, size):
            documents: tuple[Grade, ...] = pool if full else (*pool, None)
            for order in permutations(documents):
                for length in range(1, len(order) + 1):
                    ranked = order[:length]
                    below = tuple(sorted(g for g in order[length:] if g is not None))
                    if (ranked, below) not in seen and (not full or length == len(order)):
                        seen.add((ranked, below))
                        yield List(ranked, below)


def bounded(score: Score, found: List, k: int) -> bool | None:
    """0 <= score <= 1."""
    value = score(found, k)
    return None if isnan(value) else -EPSILON <= value <= 1 + EPSILON


def convergent_as_printed(score: Score, found: List, k: int) -> bool | None:
    """The score rises if the label of a document in the top k does."""
    before = score(found, k)
    higher = [List((*found.ranked[:at], g + 1, *found.ranked[at + 1 :]), found.below)
              for at, g in enumerate(found.ranked[:k]) if g is not None]  # fmt: skip
    if isnan(before) or not higher:
        return None
    return all(score(other, k) > before + EPSILON for other in higher)


def exchanged(score: Score, found: List, k: int) -> bool | None:
    """The score rises if a document of the top k is exchanged for one of a higher label from below."""
    outside = [g for g in (*found.ranked[k:], *found.below) if g is not None]
    cases = [
        (at, low, high) for at, low in enumerate(found.ranked[:k]) if low is not None for high in outside if high > low
    ]
    if not cases or isnan(score(found, k)):
        return None
    for at, low, high in cases:
        rest = list(outside)
        rest.remove(high)
        after = List((*found.ranked[:at], high, *found.ranked[at + 1 : k]), (*rest, low))
        if not score(after, k) > score(List(found.ranked[:k], tuple(outside)), k) + EPSILON:
            return False
    return True


def realizable(score: Score, found: List, k: int) -> bool | None:
    """With a label above 0 some list of judged documents scores 1."""
    if max(found.pool, default=0.0) <= 0:
        return None
    best = (
        List(order[:length], order[length:])
        for order in permutations(found.pool)
        for length in range(1, len(order) + 1)
    )
    return any(abs(score(other, k) - 1) <= EPSILON for other in best)


def realizable_by_all(score: Score, found: List, k: int) -> bool | None:
    """The same by a list of all judged documents."""
    if max(found.pool, default=0.0) <= 0:
        return None
    return any(abs(score(List(order), k) - 1) <= EPSILON for order in permutations(found.pool))


def reordered(score: Score, found: List, k: int) -> bool | None:
    """The score rises if a document of the top k is exchanged for one of a higher label further down in it."""
    top = found.ranked[:k]
    pairs = [
        (at, to)
        for at, low in enumerate(top)
        for to, high in enumerate(top)
        if at < to and low is not None and high is not None and low < high
    ]
    before = score(found, k)
    if isnan(before) or not pairs:
        return None
    after = []
    for at, to in pairs:
        ranked = list(found.ranked)
        ranked[at], ranked[to] = ranked[to], ranked[at]
        after.append(score(List(tuple(ranked), found.below), k))
    return all(value > before + EPSILON for value in after)


def monotonous(score: Score, found: List, k: int) -> bool | None:
    """The score does not fall as k rises."""
    before, after = score(found, k), score(found, k + 1)
    return None if isnan(before) or isnan(after) else after >= before - EPSILON


def localized(score: Score, found: List, k: int) -> bool | None:
    """The score depends on the labels of the top k alone."""
    other = List(found.ranked, (*found.below, 3.0))
    before, after = score(found, k), score(other, k)
    return None if isnan(before) or isnan(after) else abs(before - after) <= EPSILON


def complete(score: Score, found: List, k: int) -> bool | None:
    """There is a score without any label above 0."""
    return None if max(found.pool, default=0.0) > 0 else not isnan(score(found, k))


def rescaled(score: Score, found: List, k: int) -> bool | None:
    """The score of labels doubled is the same."""
    return unchanged(score, found, k, lambda g: 2 * g)


def shifted(score: Score, found: List, k: int) -> bool | None:
    """The score of labels raised by 1 is the same."""
    return unchanged(score, found, k, lambda g: g + 1)


def unchanged(score: Score, found: List, k: int, change: Callable[[float], float]) -> bool | None:
    """Whether a change of all labels leaves the score."""
    other = List(tuple(g if g is None else change(g) for g in found.ranked), tuple(map(change, found.below)))
    before, after = score(found, k), score(other, k)
    return None if isnan(before) or isnan(after) else abs(before - after) <= 1e-9


CLAIMS: tuple[tuple[str, bool, Callable[[Score, List, int], bool | None]], ...] = (
    ("bounded", True, bounded),
    ("convergent, as printed: labels in the top k increase", True, convergent_as_printed),
    ("top-weighted, as printed (Moffat's convergence): exchange with one below the top k", True, exchanged),
    ("top-weighted as Moffat has it: exchange within the top k", True, reordered),
    ("realizable", True, realizable),
    ("realizable by a ranking of all judged documents", True, realizable_by_all),
    ("monotonous", False, monotonous),
    ("localized", False, localized),
    ("complete", False, complete),
    ("scale invariant (a factor above 0)", True, rescaled),
    ("shift invariant", False, shifted),
)


def tables() -> str:
    """A row for each claim and reading: holds in how many cases, and the first counterexample."""
    parts = []
    for full, title in ((False, "Lists of any documents"), (True, "Lists of all judged documents and no others")):
        everything = list(lists(full=full))
        rows = []
        for claim, said, holds in CLAIMS:
            for name, score in SCORES.items():
                cases = failures = 0
                first = ""
                for k in DEPTHS:
                    for found in everything:
                        outcome = holds(score, found, k)
                        cases += outcome is not None
                        if outcome is False:
                            failures += 1
                            first = first or witness(name, score, found, k)
                found_to = "yes" if not failures else f"no, {failures:,} of {cases:,}"
                rows.append([claim, "yes" if said else "no", name, found_to, first])
        head = ["property", "the paper says", "reading", "holds", "first counterexample"]
        parts += [f"## {title}: {len(everything):,} lists, k = 1 and 2", markdown(head, rows)]
    return "\n\n".join(parts) + "\n"


def witness(name: str, score: Score, found: List, k: int) -> str:
    """The list and its score, which the package gives it too."""
    ours, theirs = score(found, k), package(name, found, k)
    assert (isnan(ours) and isnan(theirs)) or abs(ours - theirs) <= 1e-9, (name, found, k, ours, theirs)
    return f"k = {k}: {found} scores {ours:.3f}"


def package(name: str, found: List, k: int) -> float:
    """The package's score of a list."""
    labels = {f"d{rank}": grade for rank, grade in enumerate(found.ranked) if grade is not None}
    labels |= {f"e{number}": grade for number, grade in enumerate(found.below)}
    run = {"1": {f"d{rank}": -float(rank) for rank in range(len(found.ranked))}}
    rankings = cranfield.evaluation.make_rankings({"run": run}, {"1": labels})
    return float(np.asarray(values(parse_measure(f"{name}@{k}"), rankings))[0])


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    text = tables()
    (HERE / "moffat_tables.md").write_text(text)
    print(text)

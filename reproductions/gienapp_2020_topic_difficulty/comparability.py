"""Can the ease of a topic be compared across experiments? Two sets of systems, the same topics and judgments.

    python reproductions/gienapp_2020_topic_difficulty/comparability.py

writes ``comparability.md`` beside this file; README.md says what follows. The systems of a collection are split into
two halves, and difficulty is estimated from each as if the other did not exist: halves drawn at random, halves in which
better systems are more likely on one side, and the better half against the worse. One system, the baseline, is in both.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

import cranfield
from cranfield import InputOptions
from cranfield.collection import Rankings
from cranfield.measures import parse_measure, values
from cranfield.topic_difficulty.baseline import ease_against
from cranfield.topic_difficulty.earlier_estimates import thirds
from cranfield.topic_difficulty.ease import ease_table

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

SEED, SPLITS, ROUNDING = 2020, 100, 1e-12
REFUSED = "indri-lemur-baseline"  # three of its lines are two lines glued together

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOURCES: dict[str, tuple[str, int, tuple[tuple[str, str], ...]]] = {
    "TREC-COVID round 5": ("trec-covid-round5/qrels.covid-round5.txt.gz", 1, (("trec-covid-round5/runs", "trec"),)),
    "DL 2019": ("trec-dl-2019-passage/qrels.dl19-passage.txt.gz", 2, (("trec-dl-2019-passage/runs", "trec"),)),
    "Robust 2003": ("trec-robust-2003/qrels.txt.gz", 1, (("trec-robust-2003/runs", "trec"),)),
    "Web 2012": (
        "trec-web/2012/qrels.adhoc.txt.gz",
        1,
        (("trec-web-2012-baseline-runs", "trec"), ("trec-web-diversity-runs", "rank")),
    ),
}


@dataclass(frozen=True)
class Collection:
    """NDCG_std@20 and AP of the systems, [topics, systems], and their rankings, from which pools are made."""

    name: str
    systems: tuple[str, ...]
    scores: Floats
    ap: Floats
    parts: Sequence[Rankings]


@dataclass(frozen=True)
class Estimate:
    """An estimate of difficulty: from a collection, its systems and the baseline among them, [topics]."""

    name: str
    of: Callable[[Collection, Ints, int], Floats]
    classes: Callable[[Floats], Ints]


def quarters(found: Floats) -> Ints:
    """The paper's four classes of equal width."""
    return np.searchsorted([0.25, 0.5, 0.75], found, side="left")


def thirds_of(found: Floats) -> Ints:
    """The three classes of equal size of Carterette et al."""
    return np.array([("hard", "medium", "easy").index(name) for name in thirds(found)])


def anchored(collection: Collection, chosen: Ints, baseline: int) -> Floats:
    """The package's estimate for a system of the baseline's ability."""
    names = [collection.systems[system] for system in chosen]
    return ease_against(collection.scores[:, chosen], names, collection.systems[baseline]).anchored


def above_baseline(collection: Collection, chosen: Ints, baseline: int) -> Floats:
    """The share of the other systems above the baseline, the paper's named baseline in place of the random ranker."""
    names = [collection.systems[system] for system in chosen]
    return ease_against(collection.scores[:, chosen], names, collection.systems[baseline]).above


def own_pool(collection: Collection, chosen: Ints, baseline: int) -> Floats:
    """Ease where the pool is what these systems have in their first 20 ranks."""
    rankings = Rankings.concatenate([collection.parts[system] for system in chosen])
    return ease_table(rankings, depth=20).ease


ESTIMATES = (
    Estimate("ease", lambda c, chosen, _: (c.scores[:, chosen] > ROUNDING).mean(axis=1), quarters),
    Estimate("ease above the baseline", above_baseline, quarters),
    Estimate("anchored ease", anchored, quarters),
    Estimate("mean NDCG_std", lambda c, chosen, _: c.scores[:, chosen].mean(axis=1), thirds_of),
    Estimate("average AP", lambda c, chosen, _: c.ap[:, chosen].mean(axis=1), thirds_of),
)


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    text = tables([read(data, name) for name in SOURCES])
    (HERE / "comparability.md").write_text(text)
    print(text)


def read(data: Path, name: str) -> Collection:
    """All runs of a collection, each group ordered by score or by rank; topics whose ease is defined."""
    qrels, rel, groups = SOURCES[name]
    judgments = cranfield.read_qrels(data / qrels)
    parts = []
    for folder, ties in groups:
        paths = sorted(str(path) for path in (data / folder).iterdir() if not path.name.startswith(REFUSED))
        reading = InputOptions(ties=ties)  # type: ignore[arg-type]
        parts += [cranfield.evaluation.make_rankings(path, judgments, reading=reading) for path in paths]
    tables = [ease_table(part) for part in parts]
    scores = np.column_stack([table.scores[:, 0] for table in tables])
    ap = np.column_stack([np.nan_to_num(values(parse_measure(f"AP(rel={rel})"), part)) for part in parts])
    defined = ~np.isnan(scores).any(axis=1)
    assert defined.all(), name
    return Collection(name, tuple(system for part in parts for system in part.systems), scores, ap, parts)


def tables(collections: Sequence[Collection]) -> str:
    """All tables of the page."""
    title = f"{SPLITS} splits of the systems; a baseline of middling AP, drawn anew, is in both halves"
    parts = [f"## Two halves of the systems: {title}"]
    head = ["collection", "halves", "estimate", "tau_b", "classes that change", "kappa", "mean change", "mean shift"]
    parts.append(markdown(head, [row for each in collections for row in halves_table(each)]))
    parts += ["## Ease at its bounds, and what the topics of one class have in common", markdown(*spread(collections))]
    parts += ["## How many systems ease needs: two disjoint samples of n", markdown(*sample_sizes(collections))]
    parts += ["## The pool of each half in place of all judgments: random halves", markdown(*pools(collections))]
    return "\n\n".join(parts) + "\n"


def halves_table(collection: Collection) -> Iterator[list[str]]:
    """Rows of every kind of split and every estimate: means over the splits."""
    for kind in ("random", "uneven", "better and worse"):
        rows = [
            [agreement(estimate, *(estimate.of(collection, half, base) for half in both)) for estimate in ESTIMATES]
            for both, base in splits(collection, kind)
        ]
        for estimate, numbers in zip(ESTIMATES, np.mean(rows, axis=0), strict=True):
            yield [collection.name, kind, estimate.name, *shown(numbers)]


def splits(collection: Collection, kind: str) -> Iterator[tuple[tuple[Ints, Ints], int]]:
    """(two sets of systems that have the baseline in common, the baseline)."""
    rng = np.random.default_rng(SEED)
    order = np.argsort(-collection.ap.mean(axis=0), kind="stable")
    size = len(order)
    for _ in range(SPLITS):
        base = int(order[rng.integers(size // 4, 3 * size // 4)])
        others = order[order != base]
        if kind == "random":
            others = rng.permutation(others)
        elif kind == "uneven":
            # A system is sorted by its rank and a noise of the same spread, so that the halves differ in part.
            others = others[np.argsort(np.arange(len(others)) + rng.normal(0, len(others) / 2, len(others)))]
        half = len(others) // 2
        yield (np.append(others[:half], base), np.append(others[half : 2 * half], base)), base


def agreement(estimate: Estimate, first: Floats, second: Floats) -> list[float]:
    """tau_b, the share of topics in another class, kappa of the classes, mean absolute difference, mean difference."""
    one, other = estimate.classes(first), estimate.classes(second)
    changes = float(np.mean(one != other))
    shares = [np.bincount(each, minlength=5) / len(each) for each in (one, other)]
    by_chance = 1 - float(shares[0] @ shares[1])
    kappa = 1 - changes / by_chance if by_chance > 0 else 1.0
    tau = float(kendalltau(first, second).statistic)
    return [tau, changes, kappa, float(np.mean(np.abs(first - second))), float(np.mean(first - second))]


def shown(numbers: Sequence[float] | Floats) -> list[str]:
    """The cells of one row."""
    tau, changes, kappa, change, shift = map(float, numbers)
    return [f"{tau:.3f}", f"{changes:.1%}", f"{kappa:.2f}", f"{change:.3f}", f"{shift:+.3f}"]


def spread(collections: Sequence[Collection]) -> tuple[list[str], list[list[str]]]:
    """How many topics have an ease of 1, and what their average AP and mean NDCG_std range over."""
    rows = []
    for each in collections:
        ease = (each.scores > ROUNDING).mean(axis=1)
        top = ease > 0.75
        ap, mean = each.ap.mean(axis=1), each.scores.mean(axis=1)
        cells = [str(len(ease)), str(len(each.systems)), str(int((ease == 1).sum())), str(len(np.unique(ease)))]
        ranges = [f"{part[top].min():.3f} to {part[top].max():.3f}" for part in (ap, mean)]
        rows.append([each.name, *cells, str(int(top.sum())), *ranges])
    head = ["collection", "topics", "systems", "ease of 1", "distinct values", "class easy", "their AAP"]
    return [*head, "their mean NDCG_std"], rows


def sample_sizes(collections: Sequence[Collection]) -> tuple[list[str], list[list[str]]]:
    """tau_b and changed classes of ease and of anchored ease, by the number of systems that each is estimated from."""
    rows = []
    for each in collections:
        for size in (4, 8, 16, 32, 60):
            if 2 * size + 1 > len(each.systems):
                continue
            found = []
            for (first, second), base in splits(each, "random"):
                samples = [np.append(half[half != base][:size], base) for half in (first, second)]
                found.append(
                    [number for estimate in ESTIMATES for number in agreement(
                        estimate, *(estimate.of(each, sample, base) for sample in samples)
                    )[:2]]
                )  # fmt: skip
            means = np.mean(found, axis=0).reshape(-1, 2)
            cells = [f"{tau:.3f} / {changes:.1%}" for tau, changes in means]
            rows.append([each.name, str(size), *cells])
    return ["collection", "systems beside the baseline", *(estimate.name for estimate in ESTIMATES)], rows


def pools(collections: Sequence[Collection], repetitions: int = 20) -> tuple[list[str], list[list[str]]]:
    """Ease where each experiment has a pool of its own, of depth 20, beside ease by all judgments."""
    rows = []
    local, shared = Estimate("ease", own_pool, quarters), ESTIMATES[0]
    for each in collections:
        pairs = [pair for _, pair in zip(range(repetitions), splits(each, "random"), strict=False)]
        for estimate, name in ((shared, "all judgments"), (local, "its own, depth 20")):
            found = [agreement(estimate, *(estimate.of(each, half, base) for half in both)) for both, base in pairs]
            rows.append([each.name, name, *shown(np.nanmean(found, axis=0))])
    return ["collection", "pool", "tau_b", "classes that change", "kappa", "mean change", "mean shift"], rows


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()

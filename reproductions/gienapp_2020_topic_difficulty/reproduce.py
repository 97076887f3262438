"""Figure 1 and the claims of section 5 of Gienapp, Stein, Hagen & Potthast 2020 on three public collections.

    python reproductions/gienapp_2020_topic_difficulty/reproduce.py

writes ``tables.md`` and the data of the figure, ``figure1-*.tsv``, beside this file; README.md says what follows.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

import cranfield
from cranfield import plot
from cranfield.collection import Rankings
from cranfield.measures import parse_measure, values
from cranfield.topic_difficulty.earlier_estimates import halves, quarters, thirds
from cranfield.topic_difficulty.ease import CLASSES, EaseTable, classify_ease, ease_table

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

SEED, HALVES = 2020, 200

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Collection:
    """Runs seen through judgments: the ease of topics, and AP [topics, systems] with its smallest relevant label."""

    name: str
    rankings: Rankings
    table: EaseTable
    ap: Floats


SOURCES = {
    "TREC-COVID round 5": ("trec-covid-round5/runs", "trec-covid-round5/qrels.covid-round5.txt.gz", 1),
    "DL 2019": ("trec-dl-2019-passage/runs", "trec-dl-2019-passage/qrels.dl19-passage.txt.gz", 2),
    "Web 2012 baselines": ("trec-web-2012-baseline-runs", "trec-web/2012/qrels.adhoc.txt.gz", 1),
}


def main() -> None:
    """Write the tables, and the figure with its data."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    collections = [collection(data, name) for name in SOURCES]
    for found in collections:
        name = found.name.lower().replace(" ", "-")
        (HERE / f"figure1-{name}.tsv").write_text(figure_1(found))
        plot.save(
            plot.topic_difficulty(cranfield.topic_difficulty.compute_difficulty(found.rankings)),
            HERE / f"figure1-{name}.svg",
        )
    text = tables(collections)
    (HERE / "tables.md").write_text(text)
    print(text)


def collection(data: Path, name: str) -> Collection:
    """Read one of the sources."""
    runs, qrels, rel = SOURCES[name]
    rankings = cranfield.evaluation.make_rankings(
        sorted(str(path) for path in (data / runs).iterdir()), str(data / qrels)
    )
    ap = np.nan_to_num(values(parse_measure(f"AP(rel={rel})"), rankings)).reshape(len(rankings.systems), -1).T
    return Collection(name, rankings, ease_table(rankings), ap)


def tables(collections: Sequence[Collection]) -> str:
    """All tables of the page."""
    parts = ["## Ease by the reading of unjudged documents", unjudged_documents(collections)]
    parts += ["## One system more or less", one_system(collections)]
    parts += ["## Half of the topics", half_of_the_topics(collections)]
    parts += ["## Across the borders of classes", borders(collections)]
    return "\n\n".join(parts) + "\n"


def figure_1(collection: Collection) -> str:
    """What the figure draws: ease and class of each topic, and the quartiles of NDCG_std, easiest first."""
    table = collection.table
    head = ("topic", "ease", "class", "min", "q1", "median", "q3", "max", "mean")
    lines = ["\t".join(head)]
    for topic in np.argsort(-table.ease, kind="stable").tolist():
        scores = table.scores[topic]
        numbers = [*np.quantile(scores, [0, 0.25, 0.5, 0.75, 1]).tolist(), float(scores.mean())]
        cells = (table.topics[topic], f"{table.ease[topic]:.6f}", table.classes[topic], *(f"{x:.6f}" for x in numbers))
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def unjudged_documents(collections: Sequence[Collection]) -> str:
    """Mean ease and classes, by how unjudged documents are read, and agreement on the order of topics."""
    rows = []
    for collection in collections:
        for unjudged in ("zero", "mean", "condense"):
            table = ease_table(collection.rankings, 20, unjudged)
            counts = [str(table.classes.count(name)) for name in CLASSES]
            tau = kendalltau(collection.table.ease, table.ease).statistic
            rows.append([collection.name, unjudged, f"{table.ease.mean():.4f}", *counts, f"{tau:.2f}"])
    return markdown(["collection", "unjudged", "mean ease", *CLASSES, "tau_b with zero"], rows)


def one_system(collections: Sequence[Collection]) -> str:
    """What leaving out one system, or adding the worst possible one, does to three summaries of a topic."""
    rows = []
    for collection in collections:
        size = len(collection.table.systems)
        above = better(collection.table)
        lowest = worst_possible(collection.rankings)
        for name, block, added in (
            ("ease", above, 0.0),
            ("AAP", collection.ap, 0.0),
            ("mean NDCG_std", collection.table.scores, lowest),
            ("median NDCG_std", collection.table.scores, lowest),
        ):
            summary = np.median if name.startswith("median") else np.mean
            whole = summary(block, axis=1)
            less = np.stack([summary(np.delete(block, system, axis=1), axis=1) for system in range(size)])
            outlier = np.broadcast_to(np.asarray(added, dtype=np.float64), whole.shape)
            more = summary(np.column_stack([block, outlier]), axis=1)
            spread = np.ptp(whole)
            changes = [np.abs(less - whole).max(), np.abs(more - whole).max()]
            rows.append(
                [
                    collection.name,
                    name,
                    f"{1 / size:.4f}",
                    *(f"{change:.4f} ({change / spread:.1%})" for change in changes),
                ]
            )
    head = [
        "collection",
        "summary of a topic",
        "1 / systems",
        "largest change, one left out",
        "worst possible one added",
    ]
    return markdown(head, rows)


def better(table: EaseTable) -> Floats:
    """1 where a system beats the random order, [topics, systems]; checked against the ease."""
    above = (table.scores > 1e-12).astype(np.float64)
    assert np.allclose(above.mean(axis=1), table.ease)
    return above


def worst_possible(rankings: Rankings) -> Floats:
    """NDCG_std@20 of the worst order of each topic's pool, float64 [topics]."""
    pool = rankings.pool
    order = np.lexsort((pool.grade, pool.topic))
    best = Rankings.of_pool(pool, rankings.policy)
    worst = replace(best, systems=("worst",), document=order, grade=pool.grade[order])
    return values(parse_measure("NDCG_std@20"), worst)


def half_of_the_topics(collections: Sequence[Collection]) -> str:
    """How often a topic changes its class when only half of the topics are there."""
    rows = []
    for collection in collections:
        rng = np.random.default_rng(SEED)
        classes = {
            "ease": ([classify_ease(ease) for ease in collection.table.ease.tolist()], collection.table.ease, by_ease),
            "Carterette (AAP)": (thirds(collection.ap.mean(axis=1)), collection.ap.mean(axis=1), thirds),
            "Eguchi (median AP)": (thirds(np.median(collection.ap, axis=1)), np.median(collection.ap, axis=1), thirds),
            "Grivolla (median AAP)": (halves(collection.ap.mean(axis=1)), collection.ap.mean(axis=1), halves),
            "Vercoustre (mean, sd of AAP)": (
                quarters(collection.ap.mean(axis=1)),
                collection.ap.mean(axis=1),
                quarters,
            ),
        }
        size = len(collection.table.topics)
        samples = [np.sort(rng.permutation(size)[: size // 2]) for _ in range(HALVES)]
        cells = []
        for whole, by_topic, method in classes.values():
            changed = [
                np.mean([now != whole[topic] for now, topic in zip(method(by_topic[half]), half.tolist(), strict=True)])
                for half in samples
            ]
            cells.append(f"{np.mean(changed):.1%}")
        rows.append([collection.name, *cells])
    return markdown(["topics that change class", *classes], rows)


def by_ease(ease: Floats) -> list[str]:
    """Classes of the ease ratio."""
    return [classify_ease(value) for value in ease.tolist()]


def borders(collections: Sequence[Collection]) -> str:
    """Differences of mean NDCG_std between neighbours by ease, on either side of a border and inside a class."""
    rows = []
    for collection in collections:
        table = collection.table
        order = np.lexsort((table.scores.mean(axis=1), table.ease))
        means, classes = table.scores.mean(axis=1)[order], [table.classes[topic] for topic in order.tolist()]
        step = np.diff(means)
        crossing = np.array([one != other for one, other in pairwise(classes)])
        cells = [f"{np.abs(step[mask]).mean():.3f} ({mask.sum()})" for mask in (crossing, ~crossing)]
        by_class = [
            f"{np.mean([mean for mean, of in zip(means.tolist(), classes, strict=True) if of == name]):.3f}"
            if name in classes
            else ""
            for name in CLASSES
        ]
        tau = [kendalltau(table.ease, of).statistic for of in (table.scores.mean(axis=1), collection.ap.mean(axis=1))]
        rows.append([collection.name, *cells, *by_class, *(f"{value:.2f}" for value in tau)])
    head = ["collection", "mean step across a border (steps)", "inside a class"]
    head += [f"mean NDCG_std, {name}" for name in CLASSES]
    return markdown([*head, "tau_b of ease and mean NDCG_std", "of ease and AAP"], rows)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()

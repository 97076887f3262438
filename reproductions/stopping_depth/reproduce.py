"""Does RIC of a user who stops at a random rank (SRIC) agree with precision-oriented measures, and at what cost.

    python reproductions/stopping_depth/reproduce.py

writes ``tables.md`` beside this file; README.md says what follows. The values of p were fixed before.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, ttest_rel

import cranfield
from cranfield.collection import Rankings
from cranfield.collection.policy import TiesPolicy
from cranfield.collection.pool import Pool
from cranfield.measures import parse_measure, values

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import OUTSIDE  # noqa: E402

SOURCES = {
    "TREC-COVID round 5": (
        "trec-covid-round5/runs",
        "trec-covid-round5/qrels.covid-round5.txt.gz",
        1,
        "covid-r5-teams",
    ),
    "DL 2019": ("trec-dl-2019-passage/runs", "trec-dl-2019-passage/qrels.dl19-passage.txt.gz", 2, "dl19-teams"),
    "Robust 2003": ("trec-robust-2003/runs", "trec-robust-2003/qrels.txt.gz", 1, None),
    "Web 2012 baselines": ("trec-web-2012-baseline-runs", "trec-web/2012/qrels.adhoc.txt.gz", 1, None),
    "Web 2010, seven systems": ("trec-web-diversity-runs", "trec-web/2010/10.adhoc-qrels.final.txt.gz", 1, None),
    "Web 2012, seven systems": ("trec-web-diversity-runs", "trec-web/2012/qrels.adhoc.txt.gz", 1, None),
}
"""Folder of the runs, judgments, level of AP, and teams (each run is one where None)."""
BY_RANK, DAMAGED = "trec-web-diversity-runs", "indri-lemur-baseline"
"""Runs that are ordered by their rank column, because the scores of one contradict it; and one that cannot be read."""
INFORMATION = ("RIC", "RIC@20", "SRIC(p=0.8)", "SRIC(p=0.9)", "SRIC", "SRIC(signed=True)")
TARGET, SPLITS, RESAMPLES, SEED, UNIQUE_AT = "nDCG@20", 200, 1000, 20261122, 20
LEFT_OUT = ("RIC", "SRIC", TARGET)

Floats = NDArray[np.float64]
Table = dict[str, Floats]
"""Measure -> values [systems, topics], NaN where undefined."""


@dataclass(frozen=True)
class Collection:
    """Runs seen through judgments.

    Args:
        name: of the collection.
        rankings: of all runs.
        scores: of all measures; ``AP`` at the level of the track.
        teams: of the runs.
    """

    name: str
    rankings: Rankings
    scores: Table
    teams: tuple[str, ...]


def read(shared: Path, name: str) -> Collection:
    """One collection with its scores."""
    runs, qrels, rel, teams = SOURCES[name]
    files = sorted((shared / "data" / runs).iterdir(), key=_stem)
    paths = {_stem(path): str(path) for path in files if not path.name.startswith(DAMAGED)}
    judgments = cranfield.read_qrels(shared / "data" / qrels)
    ties: TiesPolicy = "rank" if runs == BY_RANK else "trec"
    rankings = cranfield.evaluation.make_rankings(paths, judgments, ties=ties)
    scores = {measure: scored(rankings, measure) for measure in (*INFORMATION, TARGET)}
    scores["AP"] = scored(rankings, f"AP(rel={rel})")
    of_team = dict(zip(paths, paths, strict=True))
    if teams is not None:
        with (shared / "golden" / "information" / f"{teams}.csv").open() as lines:
            of_team = {row["run"]: row["team"] for row in csv.DictReader(lines)}
    return Collection(name, rankings, scores, tuple(of_team[run] for run in paths))


def _stem(path: Path) -> str:
    return path.stem.removeprefix("input.").removesuffix(".run")


def scored(rankings: Rankings, measure: str) -> Floats:
    """Values [systems, topics]; what is undefined counts as it does in the mean of the measure."""
    known = parse_measure(measure)
    found = values(known, rankings).reshape(len(rankings.systems), -1)
    return np.where(np.isnan(found), known.declaration.undefined, found)


def means(scores: Floats, counts: Floats) -> Floats:
    """Means over topics that count so often, [..., systems]."""
    defined = ~np.isnan(scores)
    total: Floats = counts @ np.where(defined, scores, 0.0).T / (counts @ defined.T.astype(np.float64))
    return total


def tau(x: Floats, y: Floats) -> float:
    """Kendall's tau."""
    return float(kendalltau(x, y).statistic)


def best_of(collection: Collection) -> NDArray[np.int64]:
    """The best quarter by the target, ten at least."""
    order = np.argsort(-np.nanmean(collection.scores[TARGET], axis=1), kind="stable")
    return order[: max(10, len(order) // 4)]


def held_out(collection: Collection, measure: str) -> float:
    """Mean tau between a measure on half of the topics and the target on the other half."""
    rng = np.random.default_rng(SEED)
    topics = collection.scores[measure].shape[1]
    found = []
    for _ in range(SPLITS):
        half = np.zeros(topics)
        half[rng.permutation(topics)[: topics // 2]] = 1.0
        found.append(tau(means(collection.scores[measure], half), means(collection.scores[TARGET], 1.0 - half)))
    return float(np.mean(found))


def power(scores: Floats) -> float:
    """Share of the pairs of systems with a paired t-test below .05."""
    kept = scores[:, ~np.isnan(scores).any(axis=0)]
    one, other = np.triu_indices(len(kept), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = ttest_rel(kept[one], kept[other], axis=1).pvalue
    return float(np.mean(np.nan_to_num(p, nan=1.0) < 0.05))


def agreement(collection: Collection) -> list[list[str]]:
    """A row for each measure."""
    whole = {name: np.nanmean(block, axis=1) for name, block in collection.scores.items()}
    best = best_of(collection)
    few = len(best) == len(whole[TARGET])
    return [
        [
            *(collection.name, name),
            *(f"{tau(whole[name], whole[target]):.3f}" for target in ("AP", TARGET)),
            f"{held_out(collection, name):.3f}",
            "" if few else f"{tau(whole[name][best], whole[TARGET][best]):.2f}",
            f"{power(collection.scores[name]):.3f}",
        ]
        for name in (*INFORMATION, TARGET, "AP")
    ]


def gains(collection: Collection) -> list[list[str]]:
    """What is gained over RIC in tau with the target and with AP, with intervals over topics."""
    topics = collection.scores[TARGET].shape[1]
    drawn = np.random.default_rng(SEED).multinomial(topics, np.full(topics, 1 / topics), RESAMPLES).astype(np.float64)
    counts = np.concatenate([np.ones((1, topics)), drawn])
    resampled = {name: means(block, counts) for name, block in collection.scores.items()}
    taus = {
        (name, target): np.array([tau(x, y) for x, y in zip(resampled[name], resampled[target], strict=True)])
        for name in INFORMATION
        for target in (TARGET, "AP")
    }
    rows = []
    for name in INFORMATION[1:]:
        cells = []
        for target in (TARGET, "AP"):
            gain = taus[name, target] - taus["RIC", target]
            low, high = np.nanquantile(gain[1:], [0.025, 0.975])
            cells.append(f"{gain[0]:+.3f} [{low:+.3f}, {high:+.3f}]")
        rows.append([collection.name, name, *cells])
    return rows


def without(rankings: Rankings, gone: NDArray[np.bool_]) -> Rankings:
    """The same lists where some documents of the pool were not judged."""
    pool, kept = rankings.pool, ~gone
    starts = np.concatenate([[0], np.cumsum(kept)])[pool.starts]
    rows = np.flatnonzero(kept[rankings.document])
    return replace(
        rankings,
        pool=Pool(starts, pool.grade[kept], pool.topics),
        starts=np.searchsorted(rows, rankings.starts),
        rank=rankings.rank[rows],
        document=(np.cumsum(kept) - 1)[rankings.document[rows]],
        grade=rankings.grade[rows],
    )


def left_out(collection: Collection) -> list[str]:
    """How far a team's runs move when what only they retrieved above rank 20 was not judged."""
    rankings, teams = collection.rankings, np.array(collection.teams)
    top = rankings.rank <= UNIQUE_AT
    system = rankings.segment // len(rankings.pool.size)
    names = sorted(set(collection.teams))
    number = np.searchsorted(names, teams)
    seen = np.zeros((len(names), len(rankings.pool.grade)), dtype=np.bool_)
    seen[number[system[top]], rankings.document[top]] = True
    alone = seen.sum(axis=0) == 1
    before = {name: ranks(collection.scores[name]) for name in LEFT_OUT}
    moved: dict[str, list[float]] = {name: [] for name in LEFT_OUT}
    for team in range(len(names)):
        less = without(rankings, seen[team] & alone)
        own = np.flatnonzero(number == team)
        for name in LEFT_OUT:
            moved[name] += np.abs(ranks(scored(less, name)) - before[name])[own].tolist()
    cells = (f"{np.mean(moved[name]):.2f} / {np.max(moved[name]):.0f}" for name in LEFT_OUT)
    return [collection.name, str(len(names)), *cells]


def ranks(scores: Floats) -> Floats:
    """Rank of each system by its mean, from 1."""
    order = np.argsort(-np.nanmean(scores, axis=1), kind="stable")
    found = np.empty(len(order))
    found[order] = np.arange(1.0, len(order) + 1)
    return found


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """As Markdown."""
    head = list(head)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)) + "\n"


def tables(shared: Path, names: Iterable[str] = tuple(SOURCES), step: Callable[[str], None] = lambda _: None) -> str:
    """Everything that is held."""
    rows, gained, moved = [], [], []
    for name in names:
        step(name)
        collection = read(shared, name)
        rows += agreement(collection)
        gained += gains(collection)
        moved.append(left_out(collection))
    head = ["collection", "measure", "tau with AP", f"with {TARGET}", "held out", "among the best", "power"]
    return "\n".join(
        [
            "## Agreement and power\n",
            table(head, rows),
            "## Gain over RIC in tau, with 95% intervals over topics\n",
            table(["collection", "measure", f"with {TARGET}", "with AP"], gained),
            "## Ranks that a team's runs move when its unique judgments are left out: mean / largest\n",
            table(["collection", "teams", *LEFT_OUT], moved),
        ]
    )


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=OUTSIDE, help="folder of data and golden values")
    shared = parser.parse_args().shared
    with click.progressbar(length=len(SOURCES), label="collections") as bar:
        (HERE / "tables.md").write_text(tables(shared, step=lambda _: bar.update(1)))


if __name__ == "__main__":
    main()

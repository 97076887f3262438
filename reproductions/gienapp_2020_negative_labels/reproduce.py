"""Tables 1, 2a, 2b and 2c of Gienapp et al. 2020, doi:10.1145/3340531.3412123, as far as public data go.

    python reproductions/gienapp_2020_negative_labels/reproduce.py

writes ``tables.md`` beside this file; README.md says what agrees and why.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau, rankdata, spearmanr

import cranfield
from cranfield import Qrels, Run
from cranfield.label_distribution import LabelCounts, count_labels
from cranfield.scoring import score

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

QRELS = {
    "2010": "trec-web/2010/10.adhoc-qrels.final.txt.gz",
    "2011": "trec-web/2011/qrels.adhoc.txt.gz",
    "2012": "trec-web/2012/qrels.adhoc.txt.gz",
    "2013": "trec-web/2013/qrels.adhoc.txt.gz",
    "2014": "trec-web/2014/qrels.adhoc.txt.gz",
}
BASELINES = "trec-web-2012-baseline-runs"
DIVERSITY = "trec-web-diversity-runs"
REFUSED = "indri-lemur-baseline"  # three of its lines are two lines glued together
READINGS = ("NDCG_org", "NDCG_0", "NDCG_min")
PAIRS = (("NDCG_org", "NDCG_0"), ("NDCG_org", "NDCG_min"), ("NDCG_0", "NDCG_min"))
CUTOFFS = (5, 10, 15, 20)

PRINTED_SHARES = {
    "2010": {-2: 0.05, 0: 0.73, 1: 0.17, 2: 0.05, 3: 0.01, 4: 0.00},
    "2011": {-2: 0.06, 0: 0.77, 1: 0.12, 2: 0.05, 3: 0.10, 4: 0.00},
    "2012": {-2: 0.05, 0: 0.73, 1: 0.14, 2: 0.04, 3: 0.02, 4: 0.06},
    "2013": {-2: 0.02, 0: 0.70, 1: 0.21, 2: 0.08, 3: 0.02, 4: 0.01},
    "2014": {-2: 0.06, 0: 0.57, 1: 0.26, 2: 0.11, 3: 0.03, 4: 0.02},
}
PRINTED_BOUNDS = {
    "2010": ("100%", "44%"),
    "2011": ("94%", "68%"),
    "2012": ("96%", "8%"),
    "2013": ("74%", "18%"),
    "2014": ("70%", "12%"),
}


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    text = real_tables(data) + "\n" + simulated_table()
    (HERE / "tables.md").write_text(text)
    print(text)


def real_tables(data: Path) -> str:
    """Everything but the simulation."""
    counted = {year: count_labels(cranfield.read_qrels(data / path), 10) for year, path in QRELS.items()}
    parts = ["## Table 1: mean share of each label, over the topics in which it occurs", table_1(counted)]
    parts += ["## Labels of -2", spam_shares(data)]
    parts += ["## Table 2a: topics whose NDCG_org can fall below", table_2a(data)]
    collections = {name: scored(data, *where) for name, where in collections_of(data).items()}
    parts += ["## Table 2b: Spearman's rho of mean scores, k = 20", table_2b(collections)]
    parts += ["## Table 2c: systems by NDCG_org and by NDCG_0, k = 20", table_2c(collections)]
    parts += ["## Scores below 0, k = 20", below_zero(collections)]
    parts += ["## Within a topic, k = 20", within_topics(collections)]
    return "\n\n".join(parts) + "\n"


# ---- qrels alone


def table_1(counted: dict[str, LabelCounts]) -> str:
    """Ours beside the paper's."""
    rows = []
    for year, counts in counted.items():
        ours = dict(zip(counts.labels.tolist(), counts.mean_shares.tolist(), strict=True))
        cells = [f"{ours.get(label, 0):.2f} ({printed:.2f})" for label, printed in PRINTED_SHARES[year].items()]
        rows.append([year, str(len(counts.topics)), *cells])
    return markdown(["ours (paper's)", "topics", *map(str, (-2, 0, 1, 2, 3, 4))], rows)


def spam_shares(data: Path) -> str:
    """Shares of -2: means over the topics that have it, as in table 1, and over all, and its share of all labels."""
    rows = []
    for year, path in QRELS.items():
        by_topic = cranfield.read_qrels(data / path).to_frame().groupby("query_id")["relevance"]
        spam, judged = by_topic.agg(lambda labels: (labels == -2).sum()), by_topic.size()
        shares = spam / judged
        cells = shares[spam > 0].mean(), shares.mean(), spam.sum() / judged.sum()
        rows.append([year, str((spam > 0).sum()), *(f"{share:.4f}" for share in cells)])
    return markdown(
        ["year", "topics with it", "mean share there", "mean share of all topics", "share of all labels"], rows
    )


def table_2a(data: Path) -> str:
    """Shares and numbers of topics at several cutoffs."""
    rows = []
    for year, path in QRELS.items():
        qrels = cranfield.read_qrels(data / path)
        for cutoff in CUTOFFS:
            counts = count_labels(qrels, cutoff)
            masks = counts.below_zero, counts.below_minus_one
            cells = [f"{mask.mean():.1%} ({mask.sum()} of {len(mask)})" for mask in masks]
            rows.append([year, str(cutoff), *cells, *PRINTED_BOUNDS[year]])
    return markdown(["track", "k", "< 0", "<= -1", "paper: < 0", "paper: <= -1"], rows)


# ---- systems


class Scores:
    """Scores of some systems by the readings at k = 20: float64 [readings, systems, topics]."""

    def __init__(self, systems: Sequence[str], values: NDArray[np.float64]) -> None:
        self.systems = systems
        self.values = dict(zip(READINGS, values, strict=True))
        self.means = {name: found.mean(axis=1) for name, found in self.values.items()}


def collections_of(data: Path) -> dict[str, tuple[str, list[Path], list[Path]]]:
    """Name -> qrels, runs in score order, runs in rank order."""
    baselines = sorted((data / BASELINES).iterdir())
    diversity = sorted(path for path in (data / DIVERSITY).iterdir() if not path.name.startswith(REFUSED))
    return {
        "2012, 8 baselines": (QRELS["2012"], baselines, []),
        "2012, 7 diversity systems": (QRELS["2012"], [], diversity),
        "2012, all 15": (QRELS["2012"], baselines, diversity),
        "2010, 7 diversity systems": (QRELS["2010"], [], diversity),
        "2011, 7 diversity systems": (QRELS["2011"], [], diversity),
    }


def scored(data: Path, qrels: str, by_score: list[Path], by_rank: list[Path]) -> Scores:
    """The readings of each system."""
    measures = [f"{name}@20" for name in READINGS]
    tables = [
        score([str(path) for path in runs], str(data / qrels), measures, ties=ties)
        for runs, ties in ((by_score, "trec"), (by_rank, "rank"))
        if runs
    ]
    systems = [name for table in tables for name in table.systems]
    return Scores(systems, np.concatenate([table.values.transpose(0, 2, 1) for table in tables], axis=1))


def table_2b(collections: dict[str, Scores]) -> str:
    """Correlation of mean scores."""
    rows = [
        [
            name,
            str(len(scores.systems)),
            *(f"{rho(scores.means[one], scores.means[other]):.2f}" for one, other in PAIRS),
        ]
        for name, scores in collections.items()
    ]
    return markdown(["collection", "systems", *(f"{one} / {other}" for one, other in PAIRS)], rows)


def table_2c(collections: dict[str, Scores]) -> str:
    """Ranks, best first, of all systems of a year."""
    parts = []
    for name in ("2012, all 15", "2010, 7 diversity systems", "2011, 7 diversity systems"):
        scores = collections[name]
        ranks = {reading: rankdata(-scores.means[reading], method="min").astype(int) for reading in READINGS}
        order = np.argsort(ranks["NDCG_org"], kind="stable")
        rows = [
            [scores.systems[number], *(str(ranks[reading][number]) for reading in READINGS)]
            + [f"{scores.means[reading][number]:.4f}" for reading in READINGS]
            for number in order
        ]
        head = [name, *(f"rank by {reading}" for reading in READINGS), *(f"mean {reading}" for reading in READINGS)]
        parts.append(markdown(head, rows))
    return "\n\n".join(parts)


def below_zero(collections: dict[str, Scores]) -> str:
    """How many scores of a topic, and how many means, NDCG_org has below 0."""
    rows = []
    for name, scores in collections.items():
        found = scores.values["NDCG_org"]
        negative = [system for system, mean in zip(scores.systems, scores.means["NDCG_org"], strict=True) if mean < 0]
        rows.append(
            [
                name,
                f"{(found < 0).sum()} of {found.size}",
                f"{found.min():.2f}",
                f"{len(negative)} of {len(scores.systems)}" + (f" ({', '.join(negative)})" if negative else ""),
            ]
        )
    return markdown(["collection", "scores of a topic below 0", "lowest", "means below 0"], rows)


def within_topics(collections: dict[str, Scores]) -> str:
    """Agreement of the readings on the order of systems, topic by topic."""
    rows = []
    for name, scores in collections.items():
        cells = []
        for one, other in PAIRS:
            first, second = (scores.values[reading] for reading in (one, other))
            taus = [kendalltau(first[:, topic], second[:, topic]).statistic for topic in range(first.shape[1])]
            defined = [tau for tau in taus if not np.isnan(tau)]
            cells.append(f"{np.mean(defined):.2f} ({min(defined):.2f})")
        rows.append([name, *cells])
    return markdown(["collection: mean tau_b (least)", *(f"{one} / {other}" for one, other in PAIRS)], rows)


# ---- systems whose spam is known


SYSTEMS, TOPICS, DEPTH, REPETITIONS = 30, 50, 20, 20


def simulated_table() -> str:
    """Correlation of mean scores where systems differ in how much spam they show, whatever their quality."""
    rows = []
    for most in (0.0, 0.05, 0.1, 0.2, 0.4):
        found = np.array([one_simulation(most, seed) for seed in range(REPETITIONS)])
        means, errors = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(REPETITIONS)
        cells = [f"{mean:.3f} ± {error:.3f}" for mean, error in zip(means[:3], errors[:3], strict=True)]
        rows.append([f"0 to {most:g}", *cells, f"{means[3]:.1%}", f"{means[4]:.2f}"])
    head = ["share of spam shown", *(f"{one} / {other}" for one, other in PAIRS), "scores below 0", "means below 0"]
    title = f"## Simulated systems with spam: {SYSTEMS} systems, {TOPICS} topics, k = 20, {REPETITIONS} repetitions"
    return f"{title}\n\n{markdown(head, rows)}\n"


def one_simulation(most: float, seed: int) -> list[float]:
    """Three correlations, the share of scores below 0 and the number of means below 0.

    Each system has a share of spam of its own between 0 and ``most``, independent of its quality; at each rank it
    shows, with that probability, a spam document of the topic before its own next document.
    """
    made = cranfield.simulation.simulate_runs(n_systems=SYSTEMS, n_topics=TOPICS, depth=DEPTH, seed=seed)
    rng = np.random.default_rng(seed)
    spam = {topic: [f"spam{number:02d}" for number in range(DEPTH)] for topic in made.qrels.topics}
    labels = {topic: pool | dict.fromkeys(spam[topic], -2.0) for topic, pool in made.qrels.to_dict().items()}
    runs = {}
    for run in made.runs:
        share = rng.uniform(0, most)
        lists = {topic: with_spam(list(found), spam[topic], share, rng) for topic, found in run.to_dict().items()}
        runs[run.name] = Run.from_dict(lists, name=run.name)
    table = score(runs, Qrels.from_dict(labels), [f"{name}@20" for name in READINGS])
    scores = Scores(table.systems, np.ascontiguousarray(table.values.transpose(0, 2, 1)))
    org = scores.values["NDCG_org"]
    correlations = [rho(scores.means[one], scores.means[other]) for one, other in PAIRS]
    return [*correlations, float((org < 0).mean()), float((scores.means["NDCG_org"] < 0).sum())]


def with_spam(own: list[str], spam: list[str], share: float, rng: np.random.Generator) -> dict[str, float]:
    """A list of the same length in which each rank holds spam with a probability."""
    shown = rng.random(len(own)) < share
    own_left, spam_left = iter(own), iter(rng.permutation(spam).tolist())
    return {next(spam_left if bad else own_left): -float(rank) for rank, bad in enumerate(shown)}


# ---- text


def rho(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Spearman's rank correlation."""
    return float(spearmanr(one, other).statistic)


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()

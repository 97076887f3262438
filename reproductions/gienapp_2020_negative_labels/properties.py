"""Tables 2d to 2f of Gienapp et al. 2020, doi:10.1145/3340531.3412123, on systems whose runs are public.

    python reproductions/gienapp_2020_negative_labels/properties.py

writes ``properties_tables.md`` and figures 2c, 2e and 2f beside this file; properties.md says what agrees and why.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

import cranfield
from cranfield import Qrels, plot
from cranfield.results.sheet import Sheet

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

QRELS = {
    "2010": "trec-web/2010/10.adhoc-qrels.final.txt.gz",
    "2011": "trec-web/2011/qrels.adhoc.txt.gz",
    "2012": "trec-web/2012/qrels.adhoc.txt.gz",
}
READINGS = ("NDCG_org", "NDCG_0", "NDCG_min")
CUTOFFS = (5, 10, 15, 20)
LEVELS = (0.001, 0.01, 0.05, 0.1, 0.25, 0.5)
REFUSED = "indri-lemur-baseline"  # three of its lines are two lines glued together


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    text = tables(data)
    figures(data)
    (HERE / "properties_tables.md").write_text(text)
    print(text)


def tables(data: Path) -> str:
    """All tables of the three years."""
    found = {"reliability": [], "stability": [], "sensitivity": []}  # type: dict[str, list[dict[str, object]]]
    for year, depth_is, k, scores in settings(data):
        where = {"year": year, "systems": scores.sizes["system"], "k is": depth_is, "k": k}
        found["reliability"].append(where | reliability(scores))
        found["stability"].append(where | stability(scores))
        found["sensitivity"].append(where | sensitivity(scores))
    blocks = [block(name, pd.DataFrame(rows)) for name, rows in found.items()]
    return "\n".join([*blocks, block("artefact", artefact()), block("variance components, k = 20", components(data))])


def figures(data: Path) -> None:
    """Figures 2c at k = 20, and 2e and 2f at every cutoff."""
    for year, depth_is, k, scores in settings(data):
        if depth_is != "cutoff":
            continue
        readings = scores[list(READINGS)]
        rates = [cranfield.trust.estimate_stability(readings[name]) for name in READINGS]
        curves = plot.asl_curves(cranfield.trust.estimate_sensitivity(readings))
        at = "" if k == max(CUTOFFS) else f"_k{k}"
        plot.save(plot.error_rates(rates), HERE / f"figure_2e_{year}{at}.svg")
        plot.save(curves, HERE / f"figure_2f_{year}{at}.svg")
        if k == max(CUTOFFS):
            ranks = cranfield.compare_rankings(readings, reference="NDCG_org")
            plot.save(plot.rank_scatter(ranks, "NDCG_0"), HERE / f"figure_2c_{year}.svg")


def settings(data: Path) -> Iterator[tuple[str, str, int, xr.Dataset]]:
    """Scores of each year, with k as the cutoff of the measure or as the depth of the pool."""
    diversity = sorted(p for p in (data / "trec-web-diversity-runs").iterdir() if not p.name.startswith(REFUSED))
    for year, path in QRELS.items():
        runs = [(path, "rank") for path in diversity]
        if year == "2012":
            runs += [(path, "trec") for path in sorted((data / "trec-web-2012-baseline-runs").iterdir())]
        qrels = cranfield.read_qrels(data / path)
        tops = {path: top(path, ties, max(CUTOFFS)) for path, ties in runs}
        for k in CUTOFFS:
            yield year, "cutoff", k, evaluate(runs, qrels, f"@{k}")
        for k in CUTOFFS:
            yield year, "pool depth", k, evaluate(runs, pooled(qrels, list(tops.values()), k), "")


def evaluate(runs: list[tuple[Path, str]], qrels: Qrels, cutoff: str) -> xr.Dataset:
    """All three readings; runs of each tie policy apart."""
    measures = [name + cutoff for name in READINGS]
    parts = []
    for ties in ("rank", "trec"):
        paths = [path for path, order in runs if order == ties]
        if paths:
            found = cranfield.evaluate(paths, qrels, measures, ties=ties)  # type: ignore[arg-type]
            parts.append(found.drop_vars(["tag", "sha256"]).drop_attrs(deep=False))
    scores = xr.concat(parts, "system", join="exact")
    return scores.rename(dict(zip(measures, READINGS, strict=True)))


def top(path: Path, ties: str, depth: int) -> dict[str, list[str]]:
    """The first documents of each topic, by rank or by score and id."""
    lists: dict[str, list[tuple[float, str]]] = {}
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as lines:
        for line in lines:
            topic, _, document, rank, score, _ = line.split()
            lists.setdefault(topic, []).append((-float(rank) if ties == "rank" else float(score), document))
    return {topic: [doc for _, doc in sorted(rows, reverse=True)[:depth]] for topic, rows in lists.items()}


def pooled(qrels: Qrels, tops: list[dict[str, list[str]]], k: int) -> Qrels:
    """Only the judged documents that a system shows in its first k; a topic without any keeps its first."""
    kept = {}
    for topic, pool in qrels.to_dict().items():
        shown = {document for run in tops for document in run.get(topic, [])[:k]}
        kept[topic] = {doc: label for doc, label in pool.items() if doc in shown} or dict(list(pool.items())[:1])
    return Qrels.from_dict(kept)


def reliability(scores: xr.Dataset) -> dict[str, object]:
    """Phi of each reading, and beside it what the published formula gives."""
    found: dict[str, object] = {}
    for name in READINGS:
        found[name] = float(
            cranfield.trust.estimate_reliability(scores[name], n_topics=[scores.sizes["topic"]]).curve["Phi"].iloc[0]
        )
    return found | {f"{name}, published formula": published(scores[name].to_numpy()) for name in READINGS}


def components(data: Path) -> pd.DataFrame:
    """Variance components of each reading by the two-way model, and their shares, at k = 20."""
    rows = []
    for year, depth_is, k, scores in settings(data):
        if k == max(CUTOFFS):
            for name in READINGS:
                found = cranfield.trust.estimate_reliability(scores[name]).components
                cells = {source: f"{row['variance']:.4f} ({row['share']:.2f})" for source, row in found.iterrows()}
                rows.append({"year": year, "k is": depth_is, "reading": name} | cells)
    return pd.DataFrame(rows)


def published(table: np.ndarray) -> float:
    """Phi from a regression without intercept on run and topic number: the mean is in MS_run, a trend is the topic."""
    n, systems = table.shape
    number = np.arange(n) - (n - 1) / 2
    means = table.mean(axis=0)
    slope = (table * number[:, None]).sum() / (systems * (number**2).sum())
    residual = table - means - slope * number[:, None]
    ms_run = n * (means**2).sum() / systems
    ms_topic = slope**2 * systems * (number**2).sum()
    ms_e = (residual**2).sum() / (n * systems - systems - 1)
    run, topic = (ms_run - ms_e) / n, max(0.0, (ms_topic - ms_e) / systems)
    return float(run / (run + (topic + ms_e) / n))


def stability(scores: xr.Dataset) -> dict[str, object]:
    """Error / tie rates at half of the topics, without ties, and as the paper counts them: topics inside a subset."""
    half = scores.sizes["topic"] // 2
    found: dict[str, object] = {}
    for name in READINGS:
        rates = cranfield.trust.estimate_stability(scores[name], n_topics=[half]).rates.iloc[0]
        found[name] = f"{rates['error_rate']:.4f} / {rates['tie_rate']:.3f}"
    for name in READINGS:
        found[f"{name}, f=0"] = (
            cranfield.trust.estimate_stability(scores[name], n_topics=[half], fuzziness=0.0).rates["error_rate"].iloc[0]
        )
    for name in READINGS:
        rates = cranfield.trust.estimate_stability(scores[name], n_topics=[5, half], unit="topic").rates["error_rate"]
        found[f"{name}, topics, 5 -> half"] = f"{rates.iloc[0]:.3f} -> {rates.iloc[1]:.3f}"
    return found


def sensitivity(scores: xr.Dataset) -> dict[str, object]:
    """Share of pairs up to some levels, for each reading."""
    asl = cranfield.trust.estimate_sensitivity(scores[list(READINGS)]).asl
    return {name: " ".join(f"{(asl[name] <= level).mean():.2f}" for level in LEVELS) for name in READINGS}


def artefact() -> pd.DataFrame:
    """Scores without any difference between systems, and with some: true Phi, ours, and the published formula's."""
    rows = []
    for spread in (0.0, 0.02, 0.05):
        rng = np.random.default_rng(1)
        ours, theirs = [], []
        for _ in range(50):
            systems = rng.normal(0, spread, 30)
            table = 0.4 + systems + rng.normal(0, 0.15, (50, 1)) + rng.normal(0, 0.12, (50, 30))
            study = cranfield.statistics.generalizability.generalizability(table)
            ours.append(float(study.coefficient("Phi", 50)))
            theirs.append(published(table))
        true = spread**2 / (spread**2 + (0.15**2 + 0.12**2) / 50)
        rows.append(
            {"spread of systems": spread, "true Phi": true, "ours": np.mean(ours), "published": np.mean(theirs)}
        )
    return pd.DataFrame(rows)


def block(title: str, table: pd.DataFrame) -> str:
    """A table as text."""
    note = f" (share of pairs with ASL up to {', '.join(map(str, LEVELS))})" if title == "sensitivity" else ""
    return f"## {title}{note}\n\n```\n{as_text(table)}```\n"


def as_text(table: pd.DataFrame, caption: str = "") -> str:
    """As the commands print it."""
    return Sheet.from_frame(table, caption, {}).text("table", plain=True)


if __name__ == "__main__":
    main()

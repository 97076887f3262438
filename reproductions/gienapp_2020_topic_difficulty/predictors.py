"""Section 2's estimates of difficulty scored against ease by sMARE, and section 6's selection of topics by ease.

    python reproductions/gienapp_2020_topic_difficulty/predictors.py

writes ``predictors.md`` beside this file; README.md says what follows.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

import cranfield
from cranfield.topic_difficulty import compute_prediction_errors, estimate_difficulty_otherwise

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

SOURCES = {
    "TREC-COVID round 5": ("trec-covid-round5/runs", "trec-covid-round5/qrels.covid-round5.txt.gz", 1),
    "DL 2019": ("trec-dl-2019-passage/runs", "trec-dl-2019-passage/qrels.dl19-passage.txt.gz", 2),
    "Web 2012 baselines": ("trec-web-2012-baseline-runs", "trec-web/2012/qrels.adhoc.txt.gz", 1),
}
ESTIMATES = ("aap", "median_ap", "shtok", "perez_iglesias", "aslam_pavlu")
SIZES, SEEDS = (5, 10), 20


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    text = tables(parser.parse_args().data, list(SOURCES))
    (HERE / "predictors.md").write_text(text)
    print(text)


def tables(data: Path, names: Sequence[str]) -> str:
    """Both tables, of these collections."""
    errors, selections = [], []
    for name in names:
        folder, qrels, rel = SOURCES[name]
        runs = sorted(str(path) for path in (data / folder).iterdir())
        ease = cranfield.estimate_difficulty(runs, str(data / qrels)).ease
        errors += prediction_rows(name, runs, str(data / qrels), rel, ease)
        selections += selection_rows(name, runs, str(data / qrels), ease)
    head = ["collection", "estimate", "sMARE", "Pearson", "tau_b", "Spearman"]
    parts = ["## Estimates of section 2 against ease (sMARE: smaller is better)", markdown(head, errors)]
    head = ["collection", "topics", "by ease", "greedy by Phi", "random", "random, 2.5% to 97.5%"]
    title = f"## Phi of nDCG@10 on the half of the systems that did not choose, means of {SEEDS} divisions"
    return "\n\n".join([*parts, title, markdown(head, selections)]) + "\n"


def prediction_rows(name: str, runs: list[str], qrels: str, rel: int, ease: object) -> list[list[str]]:
    """A row an estimate; what is large for hard topics is negated."""
    found = estimate_difficulty_otherwise(runs, qrels, rel=rel).values[list(ESTIMATES)]
    found = found.assign(aslam_pavlu=-found["aslam_pavlu"]).rename(columns={"aslam_pavlu": "-aslam_pavlu"})
    means = compute_prediction_errors(found, ease).means  # type: ignore[arg-type]
    return [
        [name, str(one), *(f"{value:.3f}" for value in row)] for one, row in zip(means.index, means.values, strict=True)
    ]


def selection_rows(name: str, runs: list[str], qrels: str, ease: object) -> list[list[str]]:
    """Topics of middle ease, greedy ones and random ones, checked by the other half of the systems."""
    scores = cranfield.evaluate(runs, qrels, "nDCG@10")
    rows = []
    for size in SIZES:
        curves = [
            (
                cranfield.select_topics(scores, size, objective="ease", ease=ease, seed=seed).curve.loc[size],  # type: ignore[arg-type]
                cranfield.select_topics(scores, size, seed=seed).curve.loc[size],
            )
            for seed in range(1, SEEDS + 1)
        ]
        by_ease, greedy = (np.mean([pair[at]["held_out"] for pair in curves]) for at in (0, 1))
        random, low, high = (
            np.mean([pair[0][column] for pair in curves]) for column in ("random", "random_low", "random_high")
        )
        rows.append([name, str(size), f"{by_ease:.3f}", f"{greedy:.3f}", f"{random:.3f}", f"{low:.3f} to {high:.3f}"])
    return rows


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()

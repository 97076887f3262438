"""What the scores of submitted runs say of claims about runs that are not public.

    python reproductions/submitted_runs/reproduce.py

writes ``tables.md``, and figure 1 of the paper on topic difficulty, beside this file; README.md says what follows. The
runs of TREC 8 (ad hoc) and of the Web Tracks 2011 and 2012 cannot be had, but Urbano & Nagler published their scores, a
topic a row and a run a column.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd
import xarray as xr
from numpy.typing import NDArray

import cranfield
from cranfield import plot
from cranfield.statistics.generalizability import generalizability
from cranfield.topic_difficulty import Difficulty
from cranfield.topic_difficulty.ease import classify_ease

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

SCORES = "urbano/sigir2019-statistical"
TRACKS = {
    "TREC 8, AP": "adhoc8_ap.csv",
    "Web 2011, nDCG@20": "web2011_ndcg20.csv",
    "Web 2012, nDCG@20": "web2012_ndcg20.csv",
}
QRELS_2012, CUTOFF = "trec-web/2012/qrels.adhoc.txt.gz", 20
PRINTED_EASE = {"159": ".81", "174": ".81", "177": "", "194": "", "195": ""}
PRINTED_POWER = {"TREC 8, AP": ".716"}
PRINTED_PHI = {"Web 2011, nDCG@20": ".975", "Web 2012, nDCG@20": ".940"}
"""Of NDCG_0 at k = 20, which is nDCG where labels below zero count 0, here with linear gains."""

Floats = NDArray[np.float64]


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    text = tables(data)
    (HERE / "tables.md").write_text(text)
    found = difficulty(ease_of_2012(data, read(data, TRACKS["Web 2012, nDCG@20"])))
    (HERE / "figure_1.tsv").write_text(figure_1(found))
    plot.save(plot.topic_difficulty(found), HERE / "figure_1.svg")
    print(text)


def tables(data: Path) -> str:
    """All tables of the page."""
    tracks = {name: read(data, file) for name, file in TRACKS.items()}
    parts = ["## Discriminative power and reliability", markdown(*properties(tracks))]
    ease = ease_of_2012(data, tracks["Web 2012, nDCG@20"])
    parts += ["## Ease of Web 2012 from nDCG@20 and the judgments", markdown(*named_topics(ease))]
    parts += ["## Without the lowest run", markdown(*without_the_lowest(ease))]
    return "\n\n".join(parts) + "\n"


def read(data: Path, file: str) -> Floats:
    """The scores of a track, [topics, runs]."""
    return pd.read_csv(data / SCORES / file).to_numpy(dtype=np.float64)


def properties(tracks: dict[str, Floats]) -> tuple[list[str], list[list[str]]]:
    """Power of the paired bootstrap, and Phi by variance components and by the published formula."""
    rows = []
    for name, scores in tracks.items():
        table = xr.DataArray(scores, dims=("topic", "system"), name="measure")
        power = cranfield.trust.estimate_sensitivity(table).table["power"].iloc[0]
        phi = generalizability(scores).coefficient("Phi", len(scores))
        cells = [f"{power:.3f}", PRINTED_POWER.get(name, ""), f"{float(phi):.3f}", f"{published(scores):.3f}"]
        rows.append([name, f"{scores.shape[1]} x {len(scores)}", *cells, PRINTED_PHI.get(name, "")])
    head = ["scores", "runs x topics", "power", "printed", "Phi", "Phi by the published formula", "printed for NDCG_0"]
    return head, rows


def published(scores: Floats) -> float:
    """Phi by the formula of the notebook that was published with the paper on negative labels."""
    return float(module_of(HERE.parent / "gienapp_2020_negative_labels" / "properties.py").published(scores))


def module_of(path: Path) -> ModuleType:
    """The module of another reproduction."""
    spec = importlib.util.spec_from_file_location(f"submitted_runs_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ease_of_2012(data: Path, scores: Floats) -> pd.DataFrame:
    """Scores less what a random order of the judged documents has, a topic a row.

    The published scores are gdeval's, whose gain of a label g is 2^g - 1, and 0 below zero; so is the random order's.
    """
    labels = cranfield.read_qrels(data / QRELS_2012).to_dict()
    assert len(labels) == len(scores)
    above = {}
    for row, (topic, pool) in zip(scores, sorted(labels.items(), key=lambda item: int(item[0])), strict=True):
        gains = np.exp2(np.maximum(np.array(list(pool.values()), dtype=np.float64), 0.0)) - 1
        discounts = 1 / np.log2(np.arange(2, min(CUTOFF, len(gains)) + 2))
        ideal = float(np.sort(gains)[::-1][: len(discounts)] @ discounts)
        above[topic] = row - float(gains.mean() * discounts.sum()) / ideal
    return pd.DataFrame(above).T


def difficulty(above: pd.DataFrame) -> Difficulty:
    """Ease and class of each topic, by scores less those of chance, topics x runs."""
    ease = (above > 0).mean(axis=1)
    values = xr.Dataset(
        {
            "ease": ("topic", ease.to_numpy()),
            "class": ("topic", [classify_ease(value) for value in ease.tolist()]),
            "ndcg_std": (("topic", "system"), above.to_numpy()),
        },
        {"topic": above.index.to_numpy(dtype=str), "system": [f"run {number}" for number in range(above.shape[1])]},
    )
    return Difficulty(values, {"cutoff": CUTOFF, "unjudged": "zero"}, {})


def figure_1(found: Difficulty) -> str:
    """What the figure draws: ease and class of each topic, and quartiles of its scores above chance, easiest first."""
    values = found.values
    lines = ["\t".join(("topic", "ease", "class", "min", "q1", "median", "q3", "max", "mean"))]
    for row in np.argsort(-values["ease"].to_numpy(), kind="stable").tolist():
        scores = values["ndcg_std"].to_numpy()[row]
        numbers = [*np.quantile(scores, [0, 0.25, 0.5, 0.75, 1]).tolist(), float(scores.mean())]
        ease, name = float(values["ease"][row]), str(values["class"].to_numpy()[row])
        cells = [str(values["topic"].to_numpy()[row]), f"{ease:.6f}", name, *(f"{number:.6f}" for number in numbers)]
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def named_topics(above: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Ease, its rank, and the quartiles of the scores above chance of the topics that the paper names."""
    ease, median = (above > 0).mean(axis=1), above.median(axis=1)
    rows = []
    for topic, printed in PRINTED_EASE.items():
        places = [f"{1 + int((values > values[topic]).sum())} of {len(values)}" for values in (ease, median)]
        quartiles = [f"{value:.3f}" for value in above.loc[topic].quantile([0, 0.25, 0.5, 0.75, 1])]
        rows.append([topic, f"{ease[topic]:.2f}", printed, classify_ease(float(ease[topic])), *quartiles, *places])
    head = ["topic", "ease", "printed", "class", "lowest", "q1", "median", "q3", "highest", "rank by ease"]
    return [*head, "rank by median"], rows


def without_the_lowest(above: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """What the lowest run of a topic does to the rank of its ease and of its mean."""
    rows = []
    for topic in ("177", "195"):
        row = above.loc[topic].sort_values()
        others = above.drop(index=topic)
        cells = []
        for before, after, rest in (
            ((row > 0).mean(), (row.iloc[1:] > 0).mean(), (others > 0).mean(axis=1)),
            (row.mean(), row.iloc[1:].mean(), others.mean(axis=1)),
        ):
            ranks = [1 + int((rest > value).sum()) for value in (before, after)]
            cells.append(f"{before:.3f} -> {after:.3f} (rank {ranks[0]} -> {ranks[1]})")
        rows.append([topic, f"{row.iloc[0]:.3f}", f"{row.iloc[1]:.3f}", *cells])
    return ["topic", "lowest", "next", "ease", "mean above chance"], rows


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *rows])


if __name__ == "__main__":
    warnings.simplefilter("ignore", cranfield.CranfieldWarning)
    main()

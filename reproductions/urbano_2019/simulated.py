"""The study of Urbano, Lima & Hanjalic 2019 on simulated collections, and its exception put to the test.

    python reproductions/urbano_2019/simulated.py

writes ``simulated.md`` beside this file; README.md says what follows. Run from the project's root.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

from cranfield.simulation import simulate_scores
from cranfield.standardization import study_standardization

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from real_collections import OUTSIDE  # noqa: E402

MATRICES = ("terabyte2006_ap", "terabyte2006_ndcg")
SCHEMES = ("raw", "N", "U", "E")
MADE, TRIALS, SEED = 300, 1000, 2019
HALF = 35
"""Topics of each set where the exception is tested: half of the smallest part of the topics."""


def main() -> None:
    """Write the tables."""
    matrices = {name: published(name) for name in MATRICES}
    made = {
        (name, copula): simulate_scores(scores, MADE, copula=copula, margins="simIReff", seed=SEED).scores  # type: ignore[arg-type]
        for name, scores in matrices.items()
        for copula in ("gaussian", "vine")
    }
    text = tables(matrices, made)
    (HERE / "simulated.md").write_text(text)
    print(text)


def published(name: str) -> xr.DataArray:
    """A published matrix, dims (topic, system)."""
    frame = pd.read_csv(OUTSIDE / "data/urbano/sigir2019-standardization/data" / f"{name}.csv")
    frame.index = pd.Index([f"t{at + 1}" for at in range(len(frame))], name="topic")
    frame.columns = pd.Index([f"s{at + 1}" for at in range(frame.shape[1])], name="system")
    return xr.DataArray(frame, name="score")


def tables(matrices: dict[str, xr.DataArray], made: dict[tuple[str, str], xr.DataArray]) -> str:
    """Both tables of this folder's page."""
    rows: list[list[str]] = []
    for name, scores in matrices.items():
        rows += study_rows(name, "published", scores)
        for copula in ("gaussian", "vine"):
            rows += study_rows(name, f"simulated, {copula}", made[name, copula])
    head = ["scores", "topics", "scheme", "within: tau_b", "tau_ap,b", "power .05"]
    head += ["between: tau_b", "tau_ap,b", "power .05", "Type I .05"]
    title = f"## The study on {MADE:,} simulated topics, {TRIALS:,} trials of 50 topics"
    parts = [title, markdown(head, rows)]
    head = ["scores", "what", "topics", "systems", "raw", "N", "E", "E - raw", "se"]
    exceptional: list[list[str]] = []
    for name, scores in matrices.items():
        for what, part in parts_of(scores):
            exceptional.append([name, what, *exception(part)])
        for copula in ("gaussian", "vine"):
            exceptional.append([name, f"simulated, {copula}", *exception(made[name, copula])])
    parts += [f"## tau_ap,b between two sets of {HALF} topics: is it lower with E?", markdown(head, exceptional)]
    return "\n\n".join(parts) + "\n"


def study_rows(name: str, what: str, scores: xr.DataArray) -> list[list[str]]:
    """A row a scheme."""
    means = {}
    for design in ("within", "between"):
        study = study_standardization(scores, SCHEMES, design, n_topics=50, trials=TRIALS, alphas=[0.05], seed=SEED)  # type: ignore[arg-type]
        found = study.summary()
        for row in found.itertuples():
            means[design, str(row.scheme), str(row.statistic)] = float(row.mean)
    wanted = [("within", one) for one in ("tau_b", "tau_ap_b", "power")]
    wanted += [("between", one) for one in ("tau_b", "tau_ap_b", "power", "type_1")]
    schemes = sorted({scheme for _, scheme, _ in means}, key=[*map(str, SCHEMES)].index)
    return [
        [
            f"{name}, {what}",
            str(scores.sizes["topic"]),
            scheme,
            *(f"{means[at, scheme, one]:.3f}" for at, one in wanted),
        ]
        for scheme in schemes
    ]


def parts_of(scores: xr.DataArray) -> Iterator[tuple[str, xr.DataArray]]:
    """All topics, and without a third or half of them or of the systems."""
    table = scores.to_numpy()
    tied = np.array([len(row) - len(np.unique(row)) for row in table])
    mean, spread = table.mean(axis=1), table.std(axis=1)
    keep = len(table) - len(table) // 3
    yield "all topics", scores
    for name, order in (
        ("without the third with most ties", tied),
        ("without the hardest third", -mean),
        ("without the third that spreads systems least", -spread),
        ("without the easiest third", mean),
    ):
        yield name, scores.isel(topic=np.sort(np.argsort(order, kind="stable")[:keep]))
    ranked = np.argsort(-table.mean(axis=0), kind="stable")
    size = table.shape[1]
    yield "best half of the systems", scores.isel(system=np.sort(ranked[: size // 2]))
    yield "without the best sixth of the systems", scores.isel(system=np.sort(ranked[size // 6 :]))


def exception(scores: xr.DataArray) -> list[str]:
    """tau_ap,b between sets of topics under raw scores, N and E, and the difference with its standard error."""
    schemes = ("raw", "N", "E")
    study = study_standardization(scores, schemes, "between", n_topics=HALF, trials=TRIALS, alphas=[0.05], seed=SEED)
    values = study.trials["tau_ap_b"].to_numpy()
    apart = values[2] - values[0]
    cells = [f"{value:.3f}" for value in (*np.nanmean(values, axis=1), np.nanmean(apart))]
    error = np.nanstd(apart, ddof=1) / np.sqrt(np.isfinite(apart).sum())
    return [str(scores.sizes["topic"]), str(scores.sizes["system"]), *cells, f"{error:.4f}"]


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main()

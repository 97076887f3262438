"""Figure 1 of Urbano, Lima & Hanjalic 2019 by the recipe published with the paper (R/99-paper.R).

    python reproductions/urbano_2019/figure_1.py

The recipe draws the 49 topics of Robust 2004 (rows 51 to 99) with AP: the maps from raw to standardized scores under
N, U and E, and the scores of every topic. Writes ``figure_1_maps.csv`` and ``figure_1_maps.svg``, and
``figure_1.md`` with the ranges that the recipe prints.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
import xarray as xr

from cranfield import CranfieldWarning, plot, read_scores, standardize
from cranfield.standardization import fit_standardization

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from real_collections import DATA  # noqa: E402

SCORES = "urbano/sigir2019-standardization/data/robust2004_ap.csv"
TOPICS_OF_2004 = slice(50, 99)
SCHEMES = ("N", "U", "E")
POINTS = 26


def main() -> None:
    """Write the table, the figure and its data."""
    warnings.simplefilter("ignore", CranfieldWarning)
    scores = topics_of_2004(DATA)
    found = maps(scores)
    found.to_csv(HERE / "figure_1_maps.csv", index=False, float_format="%.4f")
    plot.save(draw(found), HERE / "figure_1_maps.svg")
    (HERE / "figure_1.md").write_text(ranges(scores))


def topics_of_2004(data: Path) -> xr.DataArray:
    """AP of the 110 runs on the topics of 2004; those of 2003 stand before them in the published matrix."""
    return read_scores(data / SCORES)["robust2004_ap"].isel(topic=TOPICS_OF_2004)


def maps(scores: xr.DataArray) -> pd.DataFrame:
    """Raw score x to standardized score y, of each topic under each scheme, at equal steps of x from 0 to 1."""
    steps = np.linspace(0, 1, POINTS)
    names = [f"{step:.2f}" for step in steps]
    grid = xr.DataArray(
        np.tile(steps, (scores.sizes["topic"], 1)),
        {"topic": scores["topic"].values, "system": names},
        ("topic", "system"),
        name=scores.name,
        attrs=scores.attrs,
    )
    parts = []
    for scheme in SCHEMES:
        scaled = fit_standardization(scores, scheme).apply(grid)
        frame = scaled.to_pandas().melt(ignore_index=False, var_name="x", value_name="y").reset_index()
        parts.append(frame.assign(scheme=scheme, x=frame["x"].astype(float))[["scheme", "topic", "x", "y"]])
    return pd.concat(parts)


def draw(found: pd.DataFrame) -> alt.FacetChart:
    """A panel for each scheme, a line for each topic."""
    lines = (
        alt.Chart(found)
        .mark_line(strokeWidth=0.6, opacity=0.5)
        .encode(
            x=alt.X("x:Q", title="raw score x"),
            y=alt.Y("y:Q", title="standardized score y", scale=alt.Scale(domain=[0, 1])),
            detail="topic:N",
        )
        .properties(width=220, height=220)
    )
    return lines.facet(alt.Column("scheme:N", sort=list(SCHEMES), title=None))


def ranges(scores: xr.DataArray) -> str:
    """Means and standard deviations of topics, and how much of the range of y a topic's own scores use."""
    rows = []
    for scheme in ("raw", *SCHEMES):
        values = standardize(scores, scheme).to_numpy()
        means, deviations = values.mean(axis=1), values.std(axis=1, ddof=1)
        spread = values.max(axis=1) - values.min(axis=1)
        cells = [f"{part.min():.3f} to {part.max():.3f}" for part in (means, deviations, spread)]
        rows.append(f"| {scheme} | {' | '.join(cells)} |\n")
    head = "| scheme | mean of a topic | sd of a topic | largest less smallest score |\n| --- | --- | --- | --- |\n"
    return f"## Figure 1: AP of Robust 2004, {scores.sizes['topic']} topics of 2004\n\n{head}{''.join(rows)}"


if __name__ == "__main__":
    main()

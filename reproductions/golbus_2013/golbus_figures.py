"""The paper's figures as charts; their data stand beside them."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import altair as alt
import numpy as np
import xarray as xr
from golbus_collections import Collection
from golbus_tables import slug

from cranfield import plot
from cranfield.information.tau import InformationTau
from cranfield.plot._theme import PALETTE, layered, styled

Tau = Callable[..., InformationTau]
SIDE = 320


def draw_topics(scores: xr.Dataset, tau: Tau, year: int, folder: Path) -> None:
    """Figure 1: ERR-IA and D#-nDCG topic by topic, alone and given what they are made of."""
    chart = plot.topic_tau(tau(scores, "D#-nDCG", ()), tau(scores, "D#-nDCG", ("nDCG", "ERR")))
    plot.save(chart, folder / f"figure1-{year}.svg")


def draw_collection(collection: Collection, pair: tuple[int, int], folder: Path) -> None:
    """Figure 2, Figure 4 of two systems, and Figure 5 where its pairs are not too many to be seen."""
    names = list(collection.paths)
    scores = scores_of(collection)
    plot.save(plot.measure_scatter(scores, "AP", "RIC"), folder / f"figure2-{slug(collection.name)}.svg")
    one, other = (names[number] for number in pair)
    plot.save(
        plot.information_shares(collection.difference, one, other), folder / f"figure4-{slug(collection.name)}.svg"
    )
    if len(names) < 100:
        chart = plot.difference_scatter(collection.difference, scores["AP"])
        plot.save(chart, folder / f"figure5-{slug(collection.name)}.svg")


def draw_sets(name: str, folder: Path) -> None:
    """Figure 3 from its data: joint RIC of ten systems across, RIC of what is made of them up, by reading of labels."""
    with (folder / f"figure3-{slug(name)}.tsv").open() as lines:
        sets = list(csv.DictReader(lines, delimiter="\t"))
    readings = list(dict.fromkeys(row["labels"] for row in sets))
    panels = [panel([row for row in sets if row["labels"] == labels], labels) for labels in readings]
    title = f"{name}: joint RIC of ten systems and RIC of what is made of them"
    notes = [
        f"{len(sets) // len(readings)} sets of ten systems; dashed: equal",
        "the joint RIC includes what chance gives",
    ]
    chart = styled(alt.hconcat(*panels), title, notes, title)
    plot.save(chart, folder / f"figure3-{slug(name)}.svg")


def panel(sets: list[dict[str, str]], labels: str) -> alt.LayerChart:
    """Five lists that are made of the systems of each set."""
    made = ("combMNZ", "Condorcet", "Majoritarian", "Pareto", "Naive")
    rows = [{"joint": float(row["joint"]), "made": float(row[kind]), "kind": kind} for row in sets for kind in made]
    points = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_point(filled=True, size=25)
        .encode(
            x=alt.X(
                "joint:Q", title=f"joint RIC from the table, {labels} labels (bits)", scale=alt.Scale(domain=[0, 1])
            ),
            y=alt.Y("made:Q", title="RIC (bits)", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("kind:N", title="", sort=list(made), scale=alt.Scale(range=list(PALETTE))),
        )
    )
    equal = alt.Chart(alt.InlineData(values=[{"at": 0}, {"at": 1}])).mark_line(strokeDash=[4, 4], color="gray")
    return layered(equal.encode(x="at:Q", y="at:Q"), points).properties(width=SIDE, height=SIDE)


def scores_of(collection: Collection) -> xr.Dataset:
    """AP and RIC of every run and of the topics in which both are defined, dims (topic, system)."""
    defined = np.all([np.isfinite(collection.scores[name]).all(axis=0) for name in ("AP", "RIC")], axis=0)
    topics = [topic for topic, kept in zip(collection.qrels.topics, defined, strict=True) if kept]
    return xr.Dataset(
        {name: (("topic", "system"), collection.scores[name].T[defined]) for name in ("AP", "RIC")},
        coords={"topic": topics, "system": list(collection.paths)},
    )

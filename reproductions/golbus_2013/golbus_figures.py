"""The paper's figures as charts; their data stand beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import xarray as xr
from golbus_collections import Collection
from golbus_tables import slug

from cranfield import plot
from cranfield.information.tau import InformationTau

Tau = Callable[..., InformationTau]


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


def scores_of(collection: Collection) -> xr.Dataset:
    """AP and RIC of every run and of the topics in which both are defined, dims (topic, system)."""
    defined = np.all([np.isfinite(collection.scores[name]).all(axis=0) for name in ("AP", "RIC")], axis=0)
    topics = [topic for topic, kept in zip(collection.qrels.topics, defined, strict=True) if kept]
    return xr.Dataset(
        {name: (("topic", "system"), collection.scores[name].T[defined]) for name in ("AP", "RIC")},
        coords={"topic": topics, "system": list(collection.paths)},
    )

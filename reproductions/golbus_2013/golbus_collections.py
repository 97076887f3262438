"""The collections that the paper is repeated on."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cranfield
from cranfield import Qrels
from cranfield.collection import Rankings
from cranfield.information.difference import InformationDifference
from cranfield.information.experiment import Experiment
from cranfield.measures import parse_measure, values

Floats = NDArray[np.float64]


class Collection:
    """Runs seen through judgments. ``rel``: the smallest relevant label of AP, as the track reported it."""

    def __init__(self, name: str, paths: dict[str, str], qrels: Qrels, rel: int, teams: list[str]) -> None:
        self.name = name
        self.rel = rel
        self.paths = paths
        self.qrels = qrels
        self.parts = [cranfield.evaluation.make_rankings({name: path}, self.qrels) for name, path in self.paths.items()]
        self.teams = teams

    @cached_property
    def binary(self) -> Collection:
        """The same runs where a document is relevant, with label ``rel`` or more, or is not."""
        labels = {
            topic: {document: float(label >= self.rel) for document, label in documents.items()}
            for topic, documents in self.qrels.to_dict().items()
        }
        return Collection(self.name, self.paths, Qrels.from_dict(labels, name="binary"), 1, self.teams)

    @cached_property
    def rankings(self) -> Rankings:
        """All runs."""
        return Rankings.concatenate(self.parts)

    @cached_property
    def asked(self) -> Experiment:
        """Their pairs of documents."""
        return cranfield.information.prepare_experiment(self.rankings, self.qrels)

    @cached_property
    def difference(self) -> InformationDifference:
        """Information difference of every two runs."""
        return cranfield.information.compute_information_difference(self.asked)

    @cached_property
    def scores(self) -> dict[str, Floats]:
        """Measure -> values [runs, topics]; undefined ones are NaN for RIC and 0 for the others, as in their means."""
        asked = {
            "RIC": "RIC",
            "signed RIC": "RIC(signed=True)",
            "AP": f"AP(rel={self.rel})",
            "GAP": "GAP",
            "nDCG": "nDCG",
            "Bpref": f"Bpref(rel={self.rel})",
        }
        blocks = {name: values(parse_measure(text), self.rankings) for name, text in asked.items()}
        shape = len(self.paths), -1
        return {
            name: (block if "RIC" in name else np.nan_to_num(block)).reshape(shape) for name, block in blocks.items()
        }

    @cached_property
    def means(self) -> dict[str, Floats]:
        """Measure -> means of the runs."""
        return {name: np.nanmean(block, axis=1) for name, block in self.scores.items()}

    @cached_property
    def ap(self) -> Floats:
        """Mean AP of the runs."""
        return self.means["AP"]


def _stem(path: Path) -> str:
    return path.stem.removeprefix("input.").removesuffix(".run")


def _teams(runs: list[str], file: Path | None) -> list[str]:
    """Team of each run: from a list, or the letters that its tag begins with."""
    if file is None:
        return ["".join(letter if letter.isalpha() else " " for letter in run).split()[0].lower() for run in runs]
    with file.open() as lines:
        teams = {row["run"]: row["team"] for row in csv.DictReader(lines)}
    return [teams[run] for run in runs]


def collections(shared: Path, names: Iterable[str] | None = None) -> list[Collection]:
    """The collections that are there, in order."""
    data, golden = shared / "data", shared / "golden" / "information"
    sources = {
        "TREC-COVID round 5": (
            *("trec-covid-round5/runs", "trec-covid-round5/qrels.covid-round5.txt.gz", 1, "covid-r5-teams.csv"),
        ),
        "DL 2019": ("trec-dl-2019-passage/runs", "trec-dl-2019-passage/qrels.dl19-passage.txt.gz", 2, "dl19-teams.csv"),
        "Robust 2003": ("trec-robust-2003/runs", "trec-robust-2003/qrels.txt.gz", 1, None),
        "Web 2012 baselines": ("trec-web-2012-baseline-runs", "trec-web/2012/qrels.adhoc.txt.gz", 1, None),
    }
    found = []
    for name, (runs, qrels, rel, teams) in sources.items():
        if names is None or name in names:
            paths = {_stem(path): str(path) for path in sorted((data / runs).iterdir(), key=_stem)}
            of_team = _teams(list(paths), teams and golden / teams)
            found.append(Collection(name, paths, cranfield.read_qrels(data / qrels), rel, of_team))
    return found

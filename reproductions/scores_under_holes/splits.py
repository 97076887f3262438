"""Collections whose judgments are complete, and which of these are taken away: teams, halves of teams, deep ranks."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import cranfield

Labels = dict[str, dict[str, float]]
Pair = tuple[str, str]
CANDIDATES = 100
"""Ranks whose unjudged documents are estimated."""


@dataclass(frozen=True, eq=False)
class Collection:
    """A collection, read once.

    Args:
        name: of it.
        runs: name -> run.
        team: name -> team.
        qrels: topic -> document -> label.
        ranked: name -> the first 100 documents of each topic, as pairs of topic and document in the order of ranks.
        unknown: pairs of these without a label, which count 0 for every method.
        measures: that are estimated.
        depth: ranks of a run that are judged where it is pooled.
        shallow: ranks that are judged in the study of shallow pools.
        splits: of halves of the teams.
        pooled: teams of a split that are judged.
    """

    name: str
    runs: Mapping[str, cranfield.Run]
    team: Mapping[str, str]
    qrels: Labels
    ranked: Mapping[str, Mapping[str, list[str]]]
    unknown: set[Pair]
    measures: Sequence[str]
    depth: int
    shallow: int
    splits: int
    pooled: int

    @property
    def teams(self) -> list[str]:
        """Names of the teams in ASCII order."""
        return sorted(set(self.team.values()))

    def first(self, names: Sequence[str], depth: int) -> set[Pair]:
        """The first documents of these runs."""
        return {
            (topic, document)
            for name in names
            for topic, documents in self.ranked[name].items()
            for document in documents[:depth]
        }

    def runs_of(self, teams: set[str]) -> list[str]:
        """Names of the runs of these teams."""
        return [name for name in self.runs if self.team[name] in teams]

    def restrict(self, keeps: Callable[[Pair], bool]) -> Labels:
        """The judgments of these pairs."""
        return {
            topic: {document: label for document, label in documents.items() if keeps((topic, document))}
            for topic, documents in self.qrels.items()
        }

    def without_unknown(self, labels: Labels) -> Labels:
        """These judgments, and 0 for documents that the collection itself lacks."""
        completed = {topic: dict(documents) for topic, documents in labels.items()}
        for topic, document in self.unknown:
            completed[topic][document] = 0.0
        return completed


@dataclass(frozen=True, eq=False)
class Split:
    """Judgments with holes, and the runs that are scored by them.

    Args:
        labels: what is judged.
        scored: names of the runs whose scores are compared with the truth.
        evaluated: names of the runs whose unjudged documents are candidates.
    """

    labels: Labels
    scored: Sequence[str]
    evaluated: Sequence[str]


def team_out(collection: Collection) -> Iterator[Split]:
    """Each team taken out of the pool: its uniques lose their labels, and its runs are scored."""
    for team in collection.teams:
        names = collection.runs_of({team})
        others = collection.runs_of(set(collection.teams) - {team})
        uniques = collection.first(names, collection.depth) - collection.first(others, collection.depth)
        # Where a team has no judged unique, nothing is missing.
        if not any(document in collection.qrels[topic] for topic, document in uniques):
            continue
        yield Split(collection.restrict(lambda pair, uniques=uniques: pair not in uniques), names, names)


def half(collection: Collection) -> Iterator[Split]:
    """Some teams judged, and the runs of the others scored."""
    for split in range(collection.splits):
        order = np.random.default_rng(300 + split).permutation(len(collection.teams))
        pooled = {collection.teams[at] for at in order[: collection.pooled]}
        judged = collection.first(collection.runs_of(pooled), collection.depth)
        scored = collection.runs_of(set(collection.teams) - pooled)
        yield Split(collection.restrict(judged.__contains__), scored, list(collection.runs))


def shallow(collection: Collection) -> Iterator[Split]:
    """All runs judged to few ranks, and all of them scored."""
    judged = collection.first(list(collection.runs), collection.shallow)
    yield Split(collection.restrict(judged.__contains__), list(collection.runs), list(collection.runs))


def covid(data: Path) -> Collection:
    """TREC-COVID, round 5: 126 runs of 28 teams."""
    folder = data / "trec-covid-round5"
    with (folder / "round5-leaderboard.csv").open() as file:
        teams = {row["tag"]: row["team"] for row in csv.DictReader(file)}
    paths = {path.name.removesuffix(".xz"): path for path in (folder / "runs").iterdir()}
    qrels = folder / "qrels.covid-round5.txt.gz"
    measures = ["nDCG@10", "nDCG@20", "P@10"]
    return _read("TREC-COVID round 5", paths, {name: teams[name] for name in paths}, qrels, measures, (20, 5, 2, 14))


def deep_learning(data: Path) -> Collection:
    """Deep Learning 2019: 37 runs of eleven teams."""
    folder = data / "trec-dl-2019-passage"
    paths = {path.name.removeprefix("input.").removesuffix(".gz"): path for path in (folder / "runs").iterdir()}
    with (data.parent / "golden" / "information" / "dl19-teams.csv").open() as file:
        team = {row["run"]: row["team"] for row in csv.DictReader(file)}
    measures = ["nDCG@10", "nDCG@20", "P(rel=2)@10", "AP(rel=2)"]
    return _read("Deep Learning 2019", paths, team, folder / "qrels.dl19-passage.txt.gz", measures, (20, 5, 8, 5))


def robust(data: Path) -> Collection:
    """Robust 2003: 17 runs, each its own team."""
    folder = data / "trec-robust-2003"
    paths = {path.name.removeprefix("input.").removesuffix(".gz"): path for path in (folder / "runs").iterdir()}
    measures = ["nDCG@10", "nDCG@20", "P@10", "AP"]
    team = {name: name for name in paths}
    return _read("Robust 2003", paths, team, folder / "qrels.txt.gz", measures, (100, 10, 2, 8))


COLLECTIONS = (deep_learning, robust, covid)


def _read(
    name: str,
    paths: Mapping[str, Path],
    team: Mapping[str, str],
    qrels: Path,
    measures: Sequence[str],
    numbers: tuple[int, int, int, int],
) -> Collection:
    labels: Labels = cranfield.read_qrels(qrels).to_dict()
    runs = {tag: cranfield.read_run(paths[tag]) for tag in sorted(paths)}
    ranked: dict[str, dict[str, list[str]]] = {}
    unknown: set[Pair] = set()
    for tag, run in runs.items():
        ranked[tag] = {}
        for topic, scores in run.to_dict().items():
            if topic not in labels:
                continue
            ordered = sorted(scores.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)[:CANDIDATES]
            ranked[tag][topic] = [document for document, _ in ordered]
            unknown |= {(topic, document) for document, _ in ordered if document not in labels[topic]}
    return Collection(name, runs, team, labels, ranked, unknown, measures, *numbers)

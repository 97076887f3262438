"""Scores of runs with holes whose truth is known: teams taken out of the pool, half of the teams, and real holes.

    python reproductions/scores_under_holes/reproduce.py

writes ``tables.md`` beside this file; README.md says what to make of it. No number is chosen here.
"""

from __future__ import annotations

import argparse
import csv
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

import cranfield
from cranfield.errors import CranfieldWarning

HERE = Path(__file__).parent
DATA = HERE.parents[1].parent / "shared" / "data"
DEPTH, CANDIDATES, DRAWS = 20, 100, 200
"""Ranks that are judged, ranks whose unjudged documents are estimated, and draws."""
SPLITS, POOLED = 8, 5
Labels = dict[str, dict[str, float]]


@dataclass(frozen=True, eq=False)
class Collection:
    """A collection, read once.

    Args:
        runs: name -> run.
        team: name -> team.
        qrels: topic -> document -> label.
        first: name -> topic and document of the first 20 of each topic.
        unknown: documents of the runs without a label, which count 0 for every method.
        measures: that are estimated.
    """

    runs: Mapping[str, cranfield.Run]
    team: Mapping[str, str]
    qrels: Labels
    first: Mapping[str, set[tuple[str, str]]]
    unknown: set[tuple[str, str]]
    measures: Sequence[str]

    @classmethod
    def read(cls, paths: Sequence[Path], team: Mapping[str, str], qrels: Path, measures: Sequence[str]) -> Collection:
        """Read all files of a collection; names of runs are those of ``team``."""
        labels: Labels = cranfield.read_qrels(qrels).to_dict()
        runs = {name: cranfield.read_run(path) for name, path in zip(sorted(team), paths, strict=True)}
        first, unknown = {}, set()
        for name, run in runs.items():
            first[name] = set()
            for topic, scores in run.to_dict().items():
                if topic not in labels:
                    continue
                ordered = sorted(scores.items(), key=lambda pair: (pair[1], pair[0]), reverse=True)
                first[name] |= {(topic, document) for document, _ in ordered[:DEPTH]}
                unknown |= {(topic, document) for document in scores if document not in labels[topic]}
        return cls(runs, team, labels, first, unknown, measures)

    @property
    def teams(self) -> list[str]:
        """Names of the teams in ASCII order."""
        return sorted(set(self.team.values()))

    def without_team(self, team: str) -> Labels:
        """The judgments without the documents that this team alone has among the first 20."""
        own = set().union(*(self.first[name] for name in self.runs if self.team[name] == team))
        others = set().union(*(self.first[name] for name in self.runs if self.team[name] != team))
        return self._restricted(lambda pair: pair not in own - others)

    def of_teams(self, teams: set[str]) -> Labels:
        """The judgments of the first 20 of the runs of these teams."""
        judged = set().union(*(self.first[name] for name in self.runs if self.team[name] in teams))
        return self._restricted(judged.__contains__)

    def _restricted(self, keeps) -> Labels:  # type: ignore[no-untyped-def]
        return {
            topic: {document: label for document, label in documents.items() if keeps((topic, document))}
            for topic, documents in self.qrels.items()
        }

    def score(self, teams: set[str], labels: Labels) -> pd.DataFrame:
        """Truth, zero, condensed and the estimate with its interval, of the runs of these teams."""
        inside = {name: run for name, run in self.runs.items() if self.team[name] in teams}
        outside = {name: run for name, run in self.runs.items() if self.team[name] not in teams}
        team, ignored = dict(self.team), self.unknown
        completed = {topic: dict(documents) for topic, documents in labels.items()}
        for topic, document in ignored:
            completed[topic][document] = 0.0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CranfieldWarning)
            fitted = cranfield.estimate_holes(
                inside, labels, contributors=outside, teams=team, depth=CANDIDATES, ignore=ignored
            )
            table = fitted.evaluate(self.measures, draws=DRAWS).table
            table["truth"] = _means(inside, self.qrels, self.measures)
            table["condensed"] = _means(inside, completed, self.measures, unjudged="condense")
        return table


def _means(runs: Mapping[str, cranfield.Run], labels: Labels, measures: Sequence[str], **policy: str) -> np.ndarray:
    scores = cranfield.evaluate(runs, labels, measures, **policy)  # type: ignore[arg-type]
    return np.concatenate([scores[name].mean("topic").values for name in scores.data_vars])


def covid(data: Path) -> Collection:
    """TREC-COVID, round 5: 126 runs of 28 teams."""
    folder = data / "trec-covid-round5"
    with (folder / "round5-leaderboard.csv").open() as file:
        teams = {row["tag"]: row["team"] for row in csv.DictReader(file)}
    paths = sorted((folder / "runs").iterdir(), key=lambda path: path.name.removesuffix(".xz"))
    team = {path.name.removesuffix(".xz"): teams[path.name.removesuffix(".xz")] for path in paths}
    return Collection.read(paths, team, folder / "qrels.covid-round5.txt.gz", ["nDCG@10", "nDCG@20", "P@10"])


def deep_learning(data: Path) -> Collection:
    """Deep Learning 2019: 37 runs of eleven teams, by the beginning of their names."""
    folder = data / "trec-dl-2019-passage"
    team = {}
    paths = {}
    for path in (folder / "runs").iterdir():
        name = path.name.removeprefix("input.").removesuffix(".gz")
        match = re.match(r"[A-Z]+\d*(?=-)|[A-Z]+(?=_)|[a-z]+", name)
        team[name] = match.group() if match else name
        paths[name] = path
    ordered = [paths[name] for name in sorted(team)]
    measures = ["nDCG@10", "nDCG@20", "P(rel=2)@10"]
    return Collection.read(ordered, team, folder / "qrels.dl19-passage.txt.gz", measures)


def team_out(collection: Collection) -> Iterator[pd.DataFrame]:
    """Each team taken out of the pool, and its runs scored."""
    for team in collection.teams:
        yield collection.score({team}, collection.without_team(team))


def half(collection: Collection) -> Iterator[pd.DataFrame]:
    """Five teams judged, the runs of the others scored; eight splits."""
    for split in range(SPLITS):
        order = np.random.default_rng(300 + split).permutation(len(collection.teams))
        pooled = {collection.teams[at] for at in order[:POOLED]}
        yield collection.score(set(collection.teams) - pooled, collection.of_teams(pooled))


def summarize(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Root mean squared errors over runs, the bias of the estimate, and the share of intervals that hold the truth."""
    rows = []
    for measure, table in pd.concat(tables).groupby("measure", sort=False):
        errors = {name: table[name] - table["truth"] for name in ("zero", "condensed", "estimate")}
        row = {"measure": measure, "runs": len(table)}
        row |= {name: float(np.sqrt((error**2).mean())) for name, error in errors.items()}
        row["bias"] = float(errors["estimate"].mean())
        row["covered"] = float(((table["lower"] <= table["truth"]) & (table["truth"] <= table["upper"])).mean())
        rows.append(row)
    return pd.DataFrame(rows)


STUDIES = {
    "Deep Learning 2019, each team taken out": (deep_learning, team_out),
    "Deep Learning 2019, five of eleven teams judged, eight splits": (deep_learning, half),
}


def real_holes(data: Path) -> pd.DataFrame:
    """The three dense runs of BEIR's TREC-COVID, with the truth of the later judgments."""
    folder = data / "trec-covid-beir-holes"
    runs = {name: folder / "runs" / f"{name}.run.gz" for name in ("ance", "colbert", "tas-b")}
    table = cranfield.estimate_holes(runs, folder / "qrels.holes.txt.gz").evaluate("nDCG@10").table
    truth = cranfield.evaluate(runs, folder / "qrels.complete.txt.gz", "nDCG@10")["nDCG@10"].mean("topic")
    table["truth"] = truth.values
    return table.reset_index()


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    data = parser.parse_args().data
    parts = []
    for title, (read, study) in STUDIES.items():
        table = summarize(list(study(read(data))))
        parts.append(f"## {title}\n\n```\n{table.round(4).to_string(index=False)}\n```\n\n")
    parts.append(f"## BEIR's TREC-COVID, blind\n\n```\n{real_holes(data).round(4).to_string(index=False)}\n```\n")
    text = "".join(parts)
    (HERE / "tables.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()

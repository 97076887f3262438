"""Preferences between lists against exact fractions and the authors' pref_eval; see golden/preference."""

from __future__ import annotations

import functools
from typing import Any, get_args

import pytest

from cranfield import Run, engine, read_run
from cranfield.comparison import ListPreferences, prefer
from cranfield.engine import Engine
from cranfield.statistics import Preference
from data_sets import DATA, GOLDEN, Tally, rows

FOLDER = GOLDEN / "preference"
DL = DATA / "trec-dl-2019-passage"
PREFERENCES: tuple[Preference, ...] = get_args(Preference)
AVERAGED: tuple[Preference, ...] = ("rpp", "invrpp", "dcgrpp")
"""Preferences that take the labels as grades."""

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
needs_dl = pytest.mark.data("data/trec-dl-2019-passage")


@functools.cache
def run_of(name: str) -> Run:
    return read_run(DL / "runs" / f"input.{name}.gz")


def of_dl(names: list[str], preference: Preference, **options: Any) -> ListPreferences:
    return prefer({name: run_of(name) for name in names}, str(DL / "qrels.dl19-passage.txt.gz"), preference, **options)


def by_pair(found: ListPreferences) -> dict[tuple[str, str, str], float]:
    """Preference of either system over the other on each topic, and over all."""
    out = {}
    for table, topics in ((found.to_frame("topics"), True), (found.pairs, False)):
        for row in table.to_dict("records"):
            topic = row["topic"] if topics else "all"
            out[row["system"], row["other"], topic] = row["preference"]
            out[row["other"], row["system"], topic] = -row["preference"]
    return out


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "options"), [("rel>=1", {}), ("rel>=2", {"rel": 2}), ("graded", {"graded": True})])
def test_the_generated_lists(setting: str, options: dict[str, Any], each_engine: Any) -> None:
    tally = Tally(1e-12)
    expected = [row for row in rows(FOLDER / "expected.generated.tsv") if row["setting"] == setting]
    runs = [str(FOLDER / "a.run"), str(FOLDER / "b.run")]
    for preference in PREFERENCES if setting != "graded" else AVERAGED:
        found = by_pair(prefer(runs, str(FOLDER / "generated.qrels"), preference, **options))  # type: ignore[arg-type]
        for row in expected:
            tally.add((setting, row["topic"], preference), found["a", "b", row["topic"]], float(row[preference]))
    tally.check(at_least=150)


@needs_dl
@pytest.mark.parametrize(
    ("file", "preference", "options"),
    [
        *(("expected.dl19.tsv.gz", preference, {"rel": 2}) for preference in PREFERENCES),
        *(("expected.dl19-graded.tsv.gz", preference, {"graded": True}) for preference in AVERAGED),
    ],
)
def test_eight_runs_of_dl_by_topic(file: str, preference: Preference, options: dict[str, Any]) -> None:
    expected = list(rows(FOLDER / file))
    systems = sorted({row["runi"] for row in expected} | {row["runj"] for row in expected})
    found = by_pair(of_dl(systems, preference, **options))
    tally = Tally(1e-12)
    for row in expected:
        pair = row["runi"], row["runj"], row["topic"]
        tally.add(pair, found[pair], float(row[preference]))
    tally.check(at_least=800)


@pytest.mark.slow
@needs_dl
@pytest.mark.parametrize("preference", PREFERENCES)
def test_the_means_of_all_pairs_of_dl(
    preference: Preference, compiled: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "current", lambda: compiled)  # plain Python reads the same lists, in ten times the time
    pairs = prefer(str(DL / "runs" / "*"), str(DL / "qrels.dl19-passage.txt.gz"), preference, rel=2).pairs
    means = {(row["system"], row["other"]): row["preference"] for row in pairs.to_dict("records")}
    means |= {(other, system): -value for (system, other), value in means.items()}
    tally = Tally(1e-12)
    for row in rows(FOLDER / "expected.dl19-means.tsv.gz"):
        tally.add((row["runi"], row["runj"]), means[row["runi"], row["runj"]], float(row[preference]))
    tally.check(at_least=400)

"""The page's section of teams, beside what Python returns."""

from __future__ import annotations

from typing import Any

import pytest

import cranfield
from reading_pages import data_of


@pytest.fixture(scope="module")
def collection() -> Any:
    return cranfield.simulation.simulate_runs(n_systems=8, n_topics=20, depth=30, seed=5)


def make_page(collection: Any, **options: Any) -> dict[str, Any]:
    names = [run.name for run in collection.runs]
    entries = {
        name: {"team": "abc"[number % 3] if number < 7 else "", "type": "manual" if number in (0, 1) else "automatic"}
        for number, name in enumerate(names)
    }
    return data_of(cranfield.report(collection.runs, collection.qrels, ["AP"], entries=entries, **options).html)


@pytest.mark.parametrize("public", [False, True])
def test_the_page_has_the_table_of_python(collection: Any, public: bool) -> None:
    data = make_page(collection, public=public)
    (section,) = (section for section in data["sections"] if section["id"] == "teams")
    scores = cranfield.evaluate(collection.runs, collection.qrels, "AP")["AP"]
    names = [run.name for run in collection.runs]
    with_team = scores.sel(system=names[:7])
    result = cranfield.comparison.estimate_team_ranks(
        with_team, teams={name: "abc"[number % 3] for number, name in enumerate(names[:7])}
    )
    first, automatic = section["tables"][:2]
    rows = [[name[0] if isinstance(name, list) else name for name in row] for row in first["rows"]]
    assert [row[1] for row in rows] == result.table.index.tolist()
    assert [data["systems"][row[2]][0] for row in rows] == result.table["best_run"].tolist()
    assert [row[-2:] for row in rows] == result.table[["low", "high"]].to_numpy().tolist()
    assert automatic["title"] == "Teams by AP of their best runs of type automatic"
    words = " ".join(section["words"])
    assert "1 run has no team and is left out here." in words
    assert "first of 3 teams" in words


def test_two_teams_that_may_be_first_are_either_of_two(collection: Any) -> None:
    runs = [run for run in collection.runs if run.name in ("system1", "system6")]
    entries = {"system6": {"team": "a"}, "system1": {"team": "b"}}
    data = data_of(cranfield.report(runs, collection.qrels, ["AP"], entries=entries).html)
    (section,) = (section for section in data["sections"] if section["id"] == "teams")
    assert section["words"][0].endswith("is first of 2 teams; either of two teams may be: b and a.")


def test_ranks_within_a_type_are_a_column(collection: Any) -> None:
    board = make_page(collection)["sections"][0]["tables"][0]
    heads = [column["name"] for column in board["columns"]]
    kinds, ranks = ([row[heads.index(name)] for row in board["rows"]] for name in ("type", "rank in type"))
    for kind in ("manual", "automatic"):
        own = [rank for rank, of in zip(ranks, kinds, strict=True) if of == kind]
        assert own == list(range(1, len(own) + 1))


def test_without_teams_there_is_no_section(collection: Any) -> None:
    data = data_of(cranfield.report(collection.runs, collection.qrels, ["AP"]).html)
    assert "teams" not in [section["id"] for section in data["sections"]]
    assert "teams" not in [section["id"] for section in make_page(collection, sections=["topics"])["sections"]]

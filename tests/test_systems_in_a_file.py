"""A table whose rows are of several systems: refused where one run would be made of them, and read as each is named."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

import cranfield
from cli.command import cranfield as shell
from cranfield import InputError, UsageError

ROWS = pd.DataFrame(
    [(t, d, score, version) for version in ("old", "new") for t in ("q1", "q2") for d, score in (("d1", 3), ("d2", 2))],
    columns=["topic", "document", "score", "version"],
)
ROWS.loc[ROWS["version"] == "new", "score"] = [2, 3, 3, 2]
JUDGED = "q1 0 d1 1\nq2 0 d1 1\n"
BY = ("--columns", "system=version")
MEANS = {"old": 1.0, "new": 0.75}


@pytest.fixture(autouse=True, params=["csv", "jsonl", "json", "parquet"])
def table(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text(JUDGED)
    name = f"runs.{request.param}"
    match request.param:
        case "csv":
            ROWS.to_csv(name, index=False)
        case "parquet":
            ROWS.to_parquet(name)
        case kind:
            ROWS.to_json(name, orient="records", lines=kind == "jsonl")
    return name


def test_the_advice_on_a_document_that_occurs_twice_holds(table: str) -> None:
    refused = shell("evaluate", "qrels.txt", table)
    assert "if the column 'version' names systems, --columns system=version separates them" in refused.err
    rows = json.loads(shell("evaluate", "qrels.txt", table, *BY, "-m", "RR", "-f", "json").out)["rows"]
    assert {row["system"]: row["value"] for row in rows} == MEANS
    assert "2 runs checked, 0 refused" in shell("check", "qrels.txt", table, *BY).out


def test_a_column_that_may_name_systems_is_asked_about(table: str) -> None:
    if table.endswith("csv"):
        ROWS.rename(columns={"version": "model"}).to_csv(table, index=False)
        ended = shell("evaluate", "qrels.txt", table)
        assert "--columns system=model reads each as a run of its own, and FILE#SYSTEM one" in ended.err
        assert shell("evaluate", "qrels.txt", table, "--columns", "system=model").status == 0


def test_tags_are_not_asked_of_systems_that_a_table_names(table: str) -> None:
    assert (
        "without it, the name is that of the file, or of the system in a table"
        in shell("evaluate", "qrels.txt", table, *BY, "--names", "tag").err
    )


def test_one_of_them(table: str) -> None:
    ended = shell("diff", "qrels.txt", f"{table}#old", f"{table}#new", *BY, "-m", "RR", "--by-topic", "-f", "json")
    assert [(row["topic"], row["old"], row["new"]) for row in json.loads(ended.out)["rows"]] == [("q1", 1.0, 0.5)]
    assert (
        shell("gate", "qrels.txt", f"{table}#old", f"{table}#new", *BY, "-m", "RR").status == 4
    )  # two topics tell little
    several = shell("diff", "qrels.txt", table, table, *BY)
    assert "name one of them, FILE#SYSTEM" in several.err
    with pytest.raises(InputError, match=r"has no system 'other': its systems are 'old', 'new'"):
        cranfield.evaluate(f"{table}#other", "qrels.txt", columns={"system": "version"})


def test_python_reads_them_alike(table: str) -> None:
    scores = cranfield.evaluate(table, "qrels.txt", "RR", columns={"system": "version"})
    assert (
        dict(zip(scores["system"].to_numpy().tolist(), scores["RR"].mean("topic").to_numpy().tolist(), strict=True))
        == MEANS
    )
    with pytest.raises((InputError, UsageError), match="one run is read here: name it as FILE#SYSTEM"):
        cranfield.read_run(table, columns={"system": "version"})

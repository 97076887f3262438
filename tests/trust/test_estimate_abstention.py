"""Abstention: what confidence is, what is left out first, the command, and the page's numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import cranfield
from cranfield import InputError, UsageError
from cranfield.cli import app
from cranfield.statistics import nauc
from data_sets import DATA

PAGE = Path(__file__).resolve().parents[2] / "docs" / "questions" / "when-should-a-system-abstain.md"
RUN = {"1": {"a": 9.0, "b": 1.0}, "2": {"c": 2.0, "d": 1.5, "e": 1.5}, "3": {"e": 5.0}}
QRELS = {"1": {"b": 1}, "2": {"c": 1}, "3": {"e": 1}, "4": {"f": 1}}


@pytest.mark.filterwarnings("ignore:.*judged topic 4 missing:cranfield.CranfieldWarning")
def test_confidence_is_of_the_scores_of_each_list() -> None:
    found = cranfield.trust.estimate_abstention(RUN, QRELS, "RR").systems.iloc[0]
    scores = [0.5, 1.0, 1.0, 0.0]
    none = -np.inf  # the topic without a list
    confidence = {"max": [9, 2, 5, none], "std": [4, np.std([2, 1.5, 1.5]), 0, none], "diff1": [8, 0.5, 0, none]}
    for kind, sure in confidence.items():
        assert found[kind] == nauc(sure, scores), kind
    assert found["mean"] == np.mean(scores)


def test_a_measure_of_what_should_be_little_is_turned_for_confidence_and_printed_as_it_is() -> None:
    runs = {"run": RUN | {"4": {"a": 1.0, "b": 0.5, "c": 0.1}}}
    values = cranfield.evaluate(runs, QRELS, "Unjudged@3")["Unjudged@3"].to_numpy().ravel()
    assert values.std() > 0
    found = cranfield.trust.estimate_abstention(runs, QRELS, "Unjudged@3")
    assert found.systems.iloc[0]["mean"] == np.mean(values)
    assert found.systems.iloc[0]["max"] == nauc([9, 2, 5, 1], -values)
    curve = found.curves[found.curves["confidence"] == "oracle"]["mean"].to_numpy()
    assert curve[0] == pytest.approx(np.mean(values)) and curve[-1] < curve[0] and (curve >= 0).all()


@pytest.mark.filterwarnings("ignore:.*judged topic 4 missing:cranfield.CranfieldWarning")
def test_curves_have_an_oracle_above_them() -> None:
    curves = cranfield.trust.estimate_abstention(RUN, QRELS, "RR").curves
    table = curves.pivot(index="rate", columns="confidence", values="mean")
    assert table.loc[0.0].tolist() == [0.625] * 4
    assert (table.to_numpy() <= table[["oracle"]].to_numpy()).all()


def test_odd_calls_are_refused() -> None:
    with pytest.raises(UsageError, match="one measure"):
        cranfield.trust.estimate_abstention(RUN, QRELS, "RR, AP")
    with pytest.raises(InputError):
        cranfield.trust.estimate_abstention({"9": {"a": 1.0}}, QRELS, "RR")


@pytest.mark.heavy
@pytest.mark.data("data/trec-dl-2019-passage")
def test_the_page_prints_what_the_command_does() -> None:
    folder = DATA / "trec-dl-2019-passage"
    lines = [line.split("|")[1:-1] for line in PAGE.read_text().split("## An answer", 1)[1].splitlines() if "|" in line]
    rows = {name.strip(" `"): [cell.strip() for cell in cells] for name, *cells in lines[2:]}
    runs = [str(folder / "runs" / f"input.{run}.gz") for run in rows]
    call = ["difficulty", "abstention", str(folder / "qrels.dl19-passage.txt.gz"), *runs, "-f", "tsv"]
    shown = CliRunner().invoke(app, call, catch_exceptions=False).stdout.splitlines()[1:]
    assert len(shown) == len(rows) == 5
    for system, *values in (line.split("\t") for line in shown):
        name = system.removeprefix("input.")
        assert rows[name] == [f"{float(value):.3f}" for value in values], name

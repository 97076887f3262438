"""Group fairness: a peer's arithmetic, what the measures say of extreme lists, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

import cranfield
from cranfield import InputError
from cranfield.errors import MeasureError
from data_sets import DATA

GROUPS = {"q": {"1": {f"a{i}": 1.0 for i in range(6)}, "2": {f"b{i}": 1.0 for i in range(4)}, "3": {"c": 2.0}}}
TARGET = {"q": {"1": 0.5, "2": 0.3, "3": 0.2}}


def value_of(measure: str, documents: list[str], weights: object = TARGET) -> float:
    run = {"q": {document: float(-rank) for rank, document in enumerate(documents)}}
    return cranfield.evaluate_means(run, GROUPS, [measure], intent_weights=weights)["run"][measure]  # type: ignore[arg-type]


def test_awrf_is_what_the_tracks_script_computes() -> None:
    documents = ["a0", "b0", "a1", "unknown", "c", "a2", "b1"]
    rows = {"a": [1, 0, 0], "b": [0, 1, 0], "c": [0, 0, 1], "u": [0, 0, 0]}
    discount = 1 / np.log2(np.maximum(np.arange(1, len(documents) + 1), 2))
    drawn = discount @ np.array([rows[document[0]] for document in documents])
    # SciPy scales both to sums of 1, and its distance is the root of the divergence in nats.
    wanted = 1 - jensenshannon(drawn / discount.sum(), list(TARGET["q"].values())) ** 2
    assert value_of("AWRF", documents) == pytest.approx(wanted, abs=1e-12)


def test_shares_on_target_are_fair_and_one_group_alone_is_not() -> None:
    fair = ["a0", "b0"]  # both ranks draw the same attention
    even = {"q": {"1": 0.5, "2": 0.5, "3": 0.0}}
    assert value_of("AWRF", fair, even) == 1
    assert value_of("AWRF(base=2)", ["c"], even) == pytest.approx(0, abs=1e-15)
    assert value_of("AWRF", ["c"], even) == pytest.approx(1 - math.log(2), abs=1e-15)


def test_order_matters_to_nmd_and_not_to_jsd() -> None:
    only_first = {"q": {"1": 1.0, "2": 0.0, "3": 0.0}}
    near, far = ["b0"], ["a0", "c"][1:]
    jsd = [value_of("GF(gains={2:1})", documents, only_first) for documents in (near, far)]
    nmd = [value_of('GF(similarity="NMD",gains={2:1})', documents, only_first) for documents in (near, far)]
    assert jsd[0] == pytest.approx(jsd[1])
    assert nmd == pytest.approx([1 / 2 * 1 / 2, 0])


@pytest.mark.parametrize("measure", ["AWRF", "GF", "GFR"])
def test_judgments_without_groups_are_refused(measure: str) -> None:
    with pytest.raises(InputError, match=f"{measure}.* intents"):
        cranfield.evaluate_means({"q": {"a": 1.0}}, {"q": {"a": 1}}, [measure])


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("AWRF(base=1)", "base=1"),
        ('GF(similarity="KL")', "JSD, NMD, RNOD"),
        ('GFR(relevance="nDCG")', "ERR, iRBU"),
        ("GF(max_rel=1)", "the qrels hold the label 2"),
    ],
)
def test_odd_parameters_are_refused(measure: str, said: str) -> None:
    with pytest.raises(MeasureError, match=said):
        value_of(measure, ["a0"])


@pytest.mark.heavy
@pytest.mark.data("data/trec-web", "data/trec-web-diversity-runs")
@pytest.mark.filterwarnings("ignore::cranfield.CranfieldWarning")
def test_the_page_has_the_values_of_seven_systems() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "diversity.md"
    section = page.read_text().split("## Fairness to groups\n", 1)[1].split("\n## ", 1)[0]
    header, _, *rows = (
        [cell.strip(" `") for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("|")
    )
    runs = [str(DATA / "trec-web-diversity-runs" / f"{system}.run.gz") for system, *_ in rows]
    qrels = str(DATA / "trec-web" / "2012" / "qrels.diversity.txt.gz")
    found = cranfield.evaluate_means(runs, qrels, header[1:])
    assert len(rows) == 7
    for system, *values in rows:
        assert values == [f"{value:.3f}" for value in found[system].values()], system

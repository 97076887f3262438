"""Risk against one baseline and many: two independent computations and two published tools; see golden/risk."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from cranfield.comparison import estimate_risk
from cranfield.statistics import risk_against_all
from data_sets import GOLDEN, Tally, rows

FOLDER = GOLDEN / "risk"
BASELINES = {"bm25base_p": "bm25base_p", "p_bert": "p_bert", "mean of 37": ()}


@functools.cache
def scores() -> xr.DataArray:
    table = pd.read_csv(GOLDEN / "information/dl19-ndcg10.csv.gz", index_col="run", dtype={"run": str}).T
    labels = {"topic": table.index.to_numpy(dtype=object), "system": table.columns.to_numpy(dtype=object)}
    return xr.DataArray(table.to_numpy(), labels, ("topic", "system"), name="nDCG@10")


def found(baseline: str, alpha: str, **options: Any) -> Any:
    return estimate_risk(scores(), BASELINES[baseline], loss_weight=float(alpha), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("baseline", BASELINES)
def test_one_baseline(baseline: str) -> None:
    tally = Tally(1e-9)
    expected = [row for row in rows(FOLDER / "expected.single.tsv.gz") if row["baseline"] == baseline]
    for alpha in sorted({row["alpha"] for row in expected}):
        ours = found(baseline, alpha).systems.set_index("system")
        published = found(baseline, alpha, deviation="population").systems.set_index("system")
        for row in expected:
            if row["alpha"] == alpha:
                mine = ours.loc[row["system"]]
                for name in ("wins", "losses", "ties", "reward", "risk", "urisk", "trisk"):
                    tally.add((row, name), mine[name], float(row[name]))
                tally.add((row, "p"), mine["p"], float(row["pvalue"]))
                tally.add((row, "trisk_c"), published.loc[row["system"], "trisk"], float(row["trisk_c"]))
                tally.add((row, "pvalue_c"), published.loc[row["system"], "p"], float(row["pvalue_c"]))
    tally.check(at_least=500)


def test_every_topic() -> None:
    tally = Tally(1e-9)
    expected = list(rows(FOLDER / "expected.topics.tsv.gz"))
    for alpha in sorted({row["alpha"] for row in expected}):
        ours, published = (
            found("bm25base_p", alpha, deviation=deviation).topics.set_index(["system", "topic"]).sort_index()
            for deviation in ("sample", "population")
        )
        for row in expected:
            if row["alpha"] == alpha:
                key = row["system"], row["topic"]
                tally.add((row, "x"), ours.loc[key, "weighed"], float(row["x"]))
                tally.add((row, "tri"), ours.loc[key, "tri"], float(row["tri"]))
                tally.add((row, "tri_c"), published.loc[key, "tri"], float(row["tri_c"]))
    tally.check(at_least=300)


def test_many_baselines() -> None:
    sets = {
        "all37": list(scores()["system"].to_numpy()),
        "five": ["runid4", "bm25base_p", "bm25tuned_rm3_p", "ms_duet_passage", "p_bert"],
        "two": ["idst_bert_p1", "bm25base_p"],
    }
    tally = Tally(1e-9)
    for row in rows(FOLDER / "expected.multiple.tsv"):
        few = sets[row["systems"]]
        ours = risk_against_all(scores().sel(system=few).to_numpy(), float(row["alpha"]))
        place = few.index(row["system"])
        tally.add((row, "zrisk"), ours.zrisk[place], float(row["zrisk"]))
        tally.add((row, "georisk"), ours.georisk[place], float(row["georisk"]))
    tally.check(at_least=150)


def test_a_topic_and_a_system_without_any_score() -> None:
    table = np.array([[0.5, 0.25, 0, 0.25], [0, 0, 0, 0], [1, 0.5, 0, 0], [0.2, 0.4, 0, 0.6]])
    tally = Tally(1e-9)
    lines = (FOLDER / "expected.tiny.tsv").read_text().splitlines()[2:]
    for system, alpha, zrisk, georisk in (line.split("\t") for line in lines):
        ours = risk_against_all(table, float(alpha))
        tally.add((system, alpha), ours.zrisk["ABCD".index(system)], float(zrisk))
        tally.add((system, alpha), ours.georisk["ABCD".index(system)], float(georisk))
    tally.check(at_least=10)

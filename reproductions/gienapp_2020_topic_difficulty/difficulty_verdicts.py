"""Words of the page of all reproductions about this paper, each by a rule over the tables."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from prose import read_tables, verdict

HERE = Path(__file__).resolve().parent


def compute_verdicts() -> dict[str, str]:
    """Compute every verdict: name -> word."""
    tables = read_tables(HERE / "tables.md")
    halves = next(
        found for name, found in read_tables(HERE / "comparability.md").items() if name.startswith("Two halves")
    )
    rows = halves.reset_index().set_index(["halves", "estimate", "collection"])
    ease, aap = (rows.xs(("random", name), level=("halves", "estimate")) for name in ("ease", "average AP"))
    fewer = ease["classes that change"].map(_percent) < aap["classes that change"].map(_percent)
    by_topics = tables["Half of the topics"]["ease"].map(_percent)
    borders = tables["Across the borders of classes"]
    across = borders["mean step across a border (steps)"].str.split(" ").str[0].astype(float)
    inside = borders["inside a class"].str.split(" ").str[0].astype(float)
    return {
        "class_verdict": verdict([*(by_topics == 0), *fewer]),
        "comparable_verdict": verdict(ease["tau_b"].astype(float) > aap["tau_b"].astype(float)),
        "halves_verdict": verdict(by_topics == 0),
        "borders_verdict": verdict(across <= 2 * inside),
        "outlier_verdict": verdict(_outliers(tables["One system more or less"].reset_index())),
        **_topics(),
    }


def _outliers(table: pd.DataFrame) -> list[bool]:
    """Whether one system moves ease by at most 1 / systems, and by less than AAP."""
    out = table.assign(change=table["largest change, one left out"].str.split(" ").str[0].astype(float))
    wide = out.pivot_table(index="collection", columns="summary of a topic", values="change")
    most = out.groupby("collection")["1 / systems"].first().astype(float)
    return [*(wide["ease"] <= most + 1e-9), *(wide["ease"] < wide["AAP"])]


def _topics() -> dict[str, str]:
    """Of the topics that section 5 names, on 15 public systems and on 48 submitted runs."""
    own = read_tables(HERE / "section_5.md")
    submitted = read_tables(HERE.parent / "submitted_runs" / "tables.md")
    every = [own["NDCG_std@20 of 15 systems of Web 2012"], submitted["Ease of Web 2012 from nDCG@20 and the judgments"]]
    equal, upper, high, quarter = [], [], [], []
    for table in every:
        ease, median, most, q1 = (table[name] for name in ("ease", "median", "highest", "q1"))
        equal.append(ease["159"] == ease["174"])
        upper.append(float(median["159"]) > float(most["174"]))
        high.append(int(table.loc["194", "rank by median"].split(" ")[0]) <= 10)
        quarter.append(float(q1["194"]) < 0)
    without = [own["15 systems: without the lowest of them"], submitted["Without the lowest run"]]
    stays = [len(set(re.findall(r"\d+", table.loc[topic, "ease"].partition("rank ")[2]))) == 1
             for table in without for topic in ("177", "195")]  # fmt: skip
    alone = [
        float(table.loc[topic, "lowest"]) != float(table.loc[topic, "next"])
        for table in without[1:]
        for topic in ("177", "195")
    ]
    return {
        "pair_verdict": verdict([*equal, *upper]),
        "median_verdict": verdict([*high, *quarter]),
        "tail_verdict": verdict([*stays, *alone]),
    }


def _percent(cell: str) -> float:
    return float(cell.rstrip("%"))

"""Words of the page of all reproductions about this paper, each by a rule over the tables."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from prose import constants, read_tables, verdict

HERE = Path(__file__).resolve().parent
THREE = ["TREC-COVID round 5", "DL 2019", "Robust 2003"]
ALIKE, NEARLY = 0.1, 0.05
"""What alike and nearly the same mean here, of tau and of RIC."""


def compute_verdicts() -> dict[str, str]:
    """Compute every verdict: name -> word."""
    tables = read_tables(HERE / "tables.md")
    bits = tables["Table 1: information tau of diversity measures"].map(lambda cell: float(cell.split(" ")[0]))
    left = bits.loc["ERR-IA; alpha-nDCG given nDCG, ERR"] / bits.loc["ERR-IA; alpha-nDCG"]
    apart = tables["Figure 5: information difference and difference of AP"]["tau with AP"].astype(float)
    return {
        "components_verdict": verdict(left < 0.5),
        "apart_verdict": verdict(apart < 0.5),
        **_correlations(tables["Figure 2: RIC and other measures"]),
        **_sets(tables),
    }


def _correlations(table: pd.DataFrame) -> dict[str, str]:
    """RIC beside other measures, over three collections."""
    rows = table.reset_index().set_index(["measures", "collection"])

    def tau(pair: str, column: str = "all: tau / rho") -> pd.Series:
        return rows.loc[pair, column].str.split(" / ").str[0].reindex(THREE).astype(float)

    best = tau("RIC, AP", "ten best by the first")
    printed = constants("printed")
    own = pd.concat([tau("RIC, AP"), tau("RIC, nDCG")], axis=1).max(axis=1)
    return {
        "figure_2_verdict": verdict(tau("RIC, AP") >= float(printed["ric_tau"])),
        "less_verdict": verdict(own < tau("AP, nDCG")),
        "best_verdict": verdict(best >= float(printed["ric_best"])),
        "bpref_verdict": verdict(tau("RIC, Bpref") > tau("RIC, AP")),
    }


def _sets(tables: dict[str, pd.DataFrame]) -> dict[str, str]:
    """Sets of ten systems: joint RIC, fusion and bounds."""
    table = next(found for name, found in tables.items() if name.startswith("Table 3")).reset_index()
    joint = table[table["estimate"] == "joint"].set_index(["labels", "collection"])
    cells = joint.drop(columns="estimate").map(lambda cell: [float(part) for part in cell.split(" / ")] if cell else [])
    graded, binary = cells.loc["graded"].loc[THREE], cells.loc["binary"].loc[THREE]
    tau = graded.map(lambda cell: cell[0])
    apart = (tau - binary.map(lambda cell: cell[0])).abs().max(axis=1)
    naive = [cell[2] for part in (graded, binary) for cell in part["Naive"]]
    order = sorted(["combANZ", "combMNZ", "Condorcet", "Majoritarian", "Pareto", "Naive"],
                   key=lambda name: cells.loc[("binary", "TREC 8, in print"), name][0])  # fmt: skip
    ordered = [list(tau.loc[name, order].sort_values(kind="stable").index) == order for name in THREE]
    means = tables["Means over sets of ten"].reset_index().set_index(["labels", "collection"]).astype(float)
    means = means.loc["graded"].loc[THREE]
    exceed = next(found for name, found in tables.items() if "exceeds the joint RIC" in name)
    none = exceed.drop(columns="labels").map(lambda cell: cell.startswith("0 of "))
    fused = ["combANZ", "combMNZ", "combSUM", "Condorcet", "best fused"]
    return {
        "exceeds_verdict": verdict([*none[fused].all(), *none[["Majoritarian", "Pareto", "Naive"]].all()]),
        "table_3_verdict": verdict([*(tau["combANZ"] < tau["combMNZ"]), *(tau["combMNZ"] < tau["Naive"]), *ordered]),
        "alike_verdict": verdict([*_near(tau, "combMNZ", "Majoritarian"), *_near(tau, "combMNZ", "Condorcet")]),
        "inferior_verdict": verdict(means["combANZ"] < means[["Condorcet", "combMNZ"]].min(axis=1)),
        "bound_verdict": verdict(means["Majoritarian"] - means[["Condorcet", "combMNZ"]].max(axis=1) < ALIKE),
        "naive_verdict": verdict(means["Naive"] - means["Pareto"] < NEARLY),
        "anz_verdict": verdict(tau["combANZ"].abs() < ALIKE),
        "labels_verdict": verdict(apart <= ALIKE),
        "rmse_verdict": verdict(error < NEARLY for error in naive),
    }


def _near(tau: pd.DataFrame, one: str, other: str) -> pd.Series:
    return (tau[one] - tau[other]).abs() <= ALIKE

"""Numbers and verdicts in the prose of this folder, from the tables of its scripts."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from golbus_values import compute_cells, compute_words  # noqa: E402
from golbus_verdicts import compute_verdicts  # noqa: E402

from prose import listed, read_tables, short, span, verdict, where  # noqa: E402

__all__ = ["compute_cells", "compute_values"]

COLLECTIONS = ("TREC-COVID round 5", "DL 2019", "Robust 2003")
FUSED = ["combANZ", "combMNZ", "Condorcet", "Majoritarian", "Pareto", "Naive"]
THREE = ["combANZ", "combMNZ", "Naive"]


def compute_values() -> dict[str, str]:
    """Compute every value: name -> text."""
    tables = read_tables(HERE / "tables.md")
    power = tables["Table 2: discriminative power"].astype(float)
    return {**_power(power), **_joint(tables), **_tau(), **compute_words(), **compute_verdicts()}


def _power(table: pd.DataFrame) -> dict[str, str]:
    """Where RIC is at least as sensitive as the other measures."""
    held = {
        name: [table.loc[name, "RIC"] >= table.loc[name, other] for other in ("AP", "GAP", "nDCG")]
        for name in COLLECTIONS
    }
    cells = {
        name: ", ".join(f"{measure} {short(table.loc[name, measure])}" for measure in ("RIC", "AP", "GAP", "nDCG"))
        for name in COLLECTIONS
    }
    at_least = {
        name: _measures([other for other, value in zip(("AP", "GAP", "nDCG"), found, strict=True) if value])
        for name, found in held.items()
    }
    return {
        "power_sentence": "; ".join(f"on {name} as {at_least[name]} ({cells[name]})" for name in COLLECTIONS),
        "power_verdict": verdict(value for found in held.values() for value in found),
    }


def _tau() -> dict[str, str]:
    """What of ERR-IA and alpha-nDCG's agreement is left given nDCG and ERR, with eight and with simulated systems."""
    left = {}
    for name, table in read_tables(HERE / "table_1.md").items():
        bits = table.map(lambda cell: float(cell.split(" ")[0]))
        given = bits.loc["ERR-IA; alpha-nDCG given nDCG, ERR"] / bits.loc["ERR-IA; alpha-nDCG"]
        left[name.split()[0]] = listed(f"{100 * share:.0f}" for share in given)
    return {"left_of_eight": left["8"], "left_of_many": left["25"]}


def _joint(tables: dict[str, pd.DataFrame]) -> dict[str, str]:
    """Table 3: agreement with joint RIC, and distance from it."""
    table = next(found for name, found in tables.items() if name.startswith("Table 3")).reset_index()
    joint = table[table["estimate"] == "joint"]
    cells = {
        (row["collection"], row["labels"]): [[float(part) for part in row[name].split(" / ")] for name in FUSED]
        for _, row in joint.iterrows()
    }
    taus = {where: dict(zip(FUSED, (cell[0] for cell in found), strict=True)) for where, found in cells.items()}
    errors = {where: found[-1][2] for where, found in cells.items()}
    printed = taus["TREC 8, in print", "binary"]
    order = sorted(FUSED, key=printed.__getitem__)
    as_printed = {name: sorted(FUSED, key=taus[name, "graded"].__getitem__) == order for name in COLLECTIONS}
    lower = {name: [taus[name, "graded"][method] < printed[method] for method in FUSED] for name in COLLECTIONS}
    same = {name: _order(taus[name, "graded"]) == _order(taus[name, "binary"]) for name in COLLECTIONS}
    above = [
        (name, method) for name, found in lower.items() for method, low in zip(FUSED, found, strict=True) if not low
    ]
    return {
        "order": where(as_printed, "on all three collections", "on none of three collections"),
        "above_printed": "; ".join(
            f"{method} on {name} ({short(taus[name, 'graded'][method], 2)}, in print {short(printed[method])})"
            for name, method in above
        ),
        "three_order": where(same, "on all three", "on none", "on"),
        "rmse_graded": span(errors[name, "graded"] for name in COLLECTIONS),
        "rmse_binary": span(errors[name, "binary"] for name in COLLECTIONS),
        "rmse_printed": short(errors["TREC 8, in print", "binary"]),
    }


def _measures(names: list[str]) -> str:
    return listed(names) if names else "none of them"


def _order(taus: dict[str, float]) -> list[str]:
    """The three methods of the text by their agreement."""
    return sorted(THREE, key=taus.__getitem__)


if __name__ == "__main__":
    for name, value in compute_values().items():
        print(name, "=", value)

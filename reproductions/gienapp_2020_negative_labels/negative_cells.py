"""Cells of this folder's tables by systematic names."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from prose import fixed, read_tables, short

HERE = Path(__file__).resolve().parent
READINGS = ("NDCG_org", "NDCG_0", "NDCG_min")
KINDS = {"cutoff": "cutoff", "pool": "pool depth"}
AT_05 = 2
"""The place of .05 among the levels of a cell."""


def compute_cells() -> dict[str, str]:
    """``power.2012.cutoff.10.NDCG_org`` (pairs up to ASL .05), ``rate.2012.cutoff.5.NDCG_min``, ..."""
    tables = {name.split(" (")[0]: table for name, table in read_tables(HERE / "properties_tables.md").items()}
    found: dict[str, str] = {}
    for name, kind in KINDS.items():
        for year, k, row in _rows(tables["sensitivity"], kind):
            found |= {f"power.{year}.{name}.{k}.{each}": fixed(float(row[each].split()[AT_05])) for each in READINGS}
        for year, k, row in _rows(tables["stability"], kind):
            rates = {each: float(row[each].split(" / ")[0]) for each in READINGS}
            found |= {f"rate.{year}.{name}.{k}.{each}": short(rate) for each, rate in rates.items()}
    return {**found, **_artefact(tables["artefact"]), **_falls(), **_moffat()}


def _rows(table: pd.DataFrame, kind: str) -> list[tuple[str, str, pd.Series]]:
    flat = table.reset_index()
    return [(row["year"], row["k"], row) for _, row in flat[flat["k is"] == kind].iterrows()]


def _artefact(table: pd.DataFrame) -> dict[str, str]:
    """What the published formula gives where the truth is 0, and where it is larger."""
    none, _, last = (row for _, row in table.iterrows())
    return {
        "artefact.none": short(float(none["published"])),
        "artefact.truth": short(float(last["true Phi"]), 2),
        "artefact.some": short(float(last["published"])),
    }


def _falls() -> dict[str, str]:
    """Table 2a: shares of topics at k = 10, and the topics of one case: ``fall.2010``, ``fall.2010.15``."""
    table = read_tables(HERE / "tables.md")["Table 2a: topics whose NDCG_org can fall below"].reset_index()
    found = {}
    for _, row in table.iterrows():
        share, count = re.fullmatch(r"([\d.]+)% \((\d+ of \d+)\)", row["<= -1"]).groups()  # type: ignore[union-attr]
        found[f"fall.{row['track']}.{row['k']}"] = short(float(share), 1)
        found[f"fall.{row['track']}.{row['k']}.topics"] = count
        less = int(count.split(" ")[0]) - 1
        found[f"fall.{row['track']}.{row['k']}.one_less"] = f"{less} of {count.split(' ')[-1]}"
        found[f"fall.{row['track']}.{row['k']}.share_one_less"] = f"{100 * less / int(count.split(' ')[-1]):.2f}%"
    return found


def _moffat() -> dict[str, str]:
    """``cases.monotonous.NDCG_min``: counterexamples among lists of any documents."""
    table = next(iter(read_tables(HERE / "moffat_tables.md").values())).reset_index()
    return {
        f"cases.{row['property']}.{row['reading']}": row["holds"].removeprefix("no, ")
        for _, row in table.iterrows()
        if " " not in row["property"]
    }

"""Words of the page of all reproductions about this paper, each by a rule over the tables."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from prose import read_tables, verdict

HERE = Path(__file__).resolve().parent
READINGS = ["NDCG_org", "NDCG_0", "NDCG_min"]
BOUNDED = ["NDCG_0", "NDCG_min"]


def compute_verdicts() -> dict[str, str]:
    """Compute every verdict: name -> word."""
    tables = read_tables(HERE / "tables.md")
    rho = tables["Table 2b: Spearman's rho of mean scores, k = 20"]["NDCG_org / NDCG_min"].astype(float)
    ten = tables["Table 2a: topics whose NDCG_org can fall below"].query("k == '10'")
    spam = tables["Labels of -2"]["mean share there"].astype(float).round(2)
    shares = next(table for name, table in tables.items() if name.startswith("Table 1"))
    return {
        "shares_verdict": verdict(_own_is_printed(cell) for cell in shares.drop(columns="topics").to_numpy().ravel()),
        "spam_verdict": verdict(spam.between(0.02, 0.06)),
        "fall_verdict": verdict(
            round(float(cell.split("%")[0])) == int(paper.rstrip("%"))
            for cell, paper in zip(ten["<= -1"], ten["paper: <= -1"], strict=True)
        ),
        "rho_min_verdict": verdict(rho >= 0.99),
        **_moffat(),
        **_properties(),
    }


def _own_is_printed(cell: str) -> bool:
    own, printed = re.findall(r"[\d.]+", cell)
    return own == printed


def _moffat() -> dict[str, str]:
    """Of Moffat's properties, over lists of any documents."""
    any_lists, own_lists = read_tables(HERE / "moffat_tables.md").values()

    def holds(start: str, readings: list[str], table: pd.DataFrame = any_lists) -> list[bool]:
        rows = table.reset_index().set_index(["property", "reading"])["holds"]
        name = next(name for name in rows.index.unique("property") if name == start or name.startswith(f"{start},"))
        return [rows[name, reading] == "yes" for reading in readings]

    undefined = any_lists.reset_index().set_index(["property", "reading"])["holds"]["complete"]
    counts = [undefined[reading].removeprefix("no, ").split(" of ") for reading in READINGS]
    never = {name: [not held for held in holds(name, READINGS)] for name in ("monotonous", "localized")}
    judged = [*READINGS, "NDCG_min_judged"]
    return {
        "bounded_verdict": verdict(holds("bounded", BOUNDED)),
        "convergent_verdict": verdict(holds("convergent", READINGS)),
        "exchange_verdict": verdict(holds("top-weighted", READINGS)),
        "realizable_verdict": verdict(holds("realizable", READINGS)),
        "monotonous_verdict": verdict(never["monotonous"]),
        "localized_verdict": verdict(never["localized"]),
        "complete_verdict": verdict(count == cases for count, cases in counts),
        "scale_verdict": verdict(
            [*holds("scale invariant (a factor above 0)", judged),
             *(not held for held in holds("shift invariant", judged, own_lists))]
        ),
    }  # fmt: skip


def _properties() -> dict[str, str]:
    """Of reliability, stability and sensitivity."""
    found = read_tables(HERE / "properties_tables.md")
    named = {name.split(" (")[0]: table.reset_index() for name, table in found.items()}
    parts = named["variance components, k = 20"].query("year == '2012' and `k is` == 'cutoff'").set_index("reading")
    share = parts["topics"].str.extract(r"\(([\d.]+)\)")[0].astype(float)
    rates = named["stability"]
    rise, alike = [], []
    for _, rows in rates.groupby(["year", "k is"]):
        first, last = (rows[rows["k"] == k].iloc[0] for k in ("5", "20"))
        rise += [_rate(last[name]) > _rate(first[name]) for name in ("NDCG_org", "NDCG_0")]
        small, least = _rate(first["NDCG_min"]), min(_rate(first[name]) for name in ("NDCG_org", "NDCG_0"))
        alike += [small >= 0.5 * least, _rate(last["NDCG_min"]) < min(_rate(last["NDCG_org"]), _rate(last["NDCG_0"]))]
    power = named["sensitivity"][READINGS].map(lambda cell: float(cell.split()[2]))
    below = power["NDCG_0"] < power[["NDCG_org", "NDCG_min"]].min(axis=1)
    return {
        "topics_verdict": verdict([share["NDCG_min"] < min(share["NDCG_org"], share["NDCG_0"])]),
        "rise_verdict": verdict(rise),
        "small_k_verdict": verdict(alike),
        "power_verdict": verdict(below),
    }


def _rate(cell: str) -> float:
    return float(cell.split(" / ", maxsplit=1)[0])

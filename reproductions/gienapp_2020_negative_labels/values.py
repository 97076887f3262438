"""Numbers and verdicts in the prose of this folder, from the tables of its scripts."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from negative_cells import compute_cells  # noqa: E402
from negative_verdicts import compute_verdicts  # noqa: E402
from readme_values import compute_readme_values  # noqa: E402

from prose import listed, read_tables, short, span, verdict  # noqa: E402

__all__ = ["compute_cells", "compute_values"]

READINGS = ["NDCG_org", "NDCG_0", "NDCG_min"]


def compute_values() -> dict[str, str]:
    """Compute every value: name -> text."""
    tables = read_tables(HERE / "properties_tables.md")
    found = {name.split(" (")[0]: table.reset_index() for name, table in tables.items()}
    spam = read_tables(HERE / "tables.md")["Labels of -2"].astype(float)
    return {
        "spam_means": listed(short(value, 2) for value in spam["mean share there"]),
        "spam_2013": short(spam.loc["2013", "mean share there"], 4),
        "spam_2013_all_topics": short(spam.loc["2013", "mean share of all topics"], 4),
        **_reliability(found["reliability"]),
        **_stability(found["stability"]),
        **_sensitivity(found["sensitivity"]),
        **_components(found["variance components, k = 20"]),
        **compute_readme_values(),
        **compute_verdicts(),
    }


def _reliability(table: pd.DataFrame) -> dict[str, str]:
    phi = table[READINGS].astype(float)
    least = table[phi["NDCG_org"] < phi[["NDCG_0", "NDCG_min"]].min(axis=1)]
    cutoffs = table[table["k is"] == "cutoff"]
    spread = phi.max(axis=1) - phi.min(axis=1)
    above = phi["NDCG_min"] > phi["NDCG_0"]
    return {
        "org_least": _rows(least),
        "org_least_verdict": verdict(table.index.isin(least.index)),
        "org_most_2012": _rows(
            table[(table["k is"] == "cutoff") & (table["year"] == "2012") & (phi["NDCG_org"] == phi.max(axis=1))]
        ),
        "phi_org_2012": span(phi.loc[cutoffs.index[cutoffs["year"] == "2012"], "NDCG_org"], 3),
        "phi_min_2012": span(phi.loc[cutoffs.index[cutoffs["year"] == "2012"], "NDCG_min"], 3),
        "phi_0_2012": span(phi.loc[cutoffs.index[cutoffs["year"] == "2012"], "NDCG_0"], 3),
        "phi_pool_20": listed(
            short(value)
            for value in phi.loc[_at(table, "2012", "pool depth", "20"), ["NDCG_org", "NDCG_min", "NDCG_0"]]
        ),
        "phi_spread_2010": short(spread[cutoffs.index[cutoffs["year"] == "2010"]].max()),
        "min_above_0": _rows(table[above]),
        "min_above_0_verdict": verdict(above),
    }


def _stability(table: pd.DataFrame) -> dict[str, str]:
    rates = table[READINGS].map(lambda cell: float(cell.split(" / ")[0]))
    others = rates[["NDCG_org", "NDCG_0"]].min(axis=1)
    by_cutoff = table[table["k is"] == "cutoff"]
    falls = {
        f"{year}, {name}": rates.loc[rows.index, name].is_monotonic_decreasing
        for year, rows in by_cutoff.groupby("year")
        for name in READINGS
    }
    first = _at(table, "2012", "cutoff", "5")
    ties = table.loc[first, READINGS].map(lambda cell: float(cell.split(" / ")[1]))
    plain = table.loc[first, [f"{name}, f=0" for name in READINGS]].astype(float)
    return {
        "rate_rows": str(len(rates)),
        "rate_lower": str((rates["NDCG_min"] < others).sum()),
        "rate_same": _rows(table[rates["NDCG_min"] == others]),
        "rates_2012": listed(short(rates.loc[first, name], 4) for name in READINGS),
        "rate_verdict": verdict(rates["NDCG_min"] < others),
        "ties_2012": listed(short(value) for value in ties),
        "rates_plain_2012": listed(short(value) for value in plain),
        "rates_fall": f"{sum(falls.values())} of {len(falls)}",
        "rates_org_2010": listed(
            short(value, 4) for value in rates.loc[by_cutoff.index[by_cutoff["year"] == "2010"], "NDCG_org"]
        ),
        "rates_pool_2012": "; ".join(
            f"{name} {short(rates.loc[_at(table, '2012', 'pool depth', '5'), name])} to "
            f"{short(rates.loc[_at(table, '2012', 'pool depth', '20'), name])}"
            for name in READINGS
        ),
    }


def _sensitivity(table: pd.DataFrame) -> dict[str, str]:
    shares = table[READINGS].map(lambda cell: float(cell.split()[2]))
    spread = shares.max(axis=1) - shares.min(axis=1)
    early = table["year"].isin(("2010", "2011"))
    widest = spread[early].idxmax()
    return {
        "power_spread": short(spread[early].max(), 2),
        "power_spread_at": _rows(table.loc[[widest]]),
        "power_widest": listed(f"{name} {short(shares.loc[widest, name], 2)}" for name in READINGS),
    }


def _components(table: pd.DataFrame) -> dict[str, str]:
    """Of scores by cutoff in 2012: the variance over topics, and its share."""
    rows = table[(table["year"] == "2012") & (table["k is"] == "cutoff")].set_index("reading")
    topics = rows["topics"].str.extract(r"([\d.]+) \(([\d.]+)\)").astype(float)
    return {
        "topic_variance": listed(f"{name} {short(topics.loc[name, 0], 4)}" for name in READINGS),
        "topic_share": listed(short(topics.loc[name, 1], 2) for name in READINGS),
    }


def _at(table: pd.DataFrame, year: str, kind: str, k: str) -> int:
    """The row of a setting."""
    return int(table.index[(table["year"] == year) & (table["k is"] == kind) & (table["k"] == k)][0])


def _rows(table: pd.DataFrame) -> str:
    """Settings in words: by cutoff 5 and 10 of 2012."""
    parts = []
    for (year, kind), rows in table.groupby(["year", "k is"], sort=False):
        parts.append(f"{kind} {listed(rows['k'])} of {year}")
    return listed(parts) if parts else "none"


if __name__ == "__main__":
    for name, value in compute_values().items():
        print(name, "=", value)

"""Numbers in the prose of README.md about the claims of section 5, from tables.md and section_5.md."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from prose import claim, listed, read_tables, short, span

HERE = Path(__file__).resolve().parent
COVID, DL, WEB = "TREC-COVID round 5", "DL 2019", "Web 2012 baselines"
COLLECTIONS = {"covid": COVID, "dl": DL, "web": WEB}


def compute_claims() -> dict[str, str]:
    """Compute every value: name -> text."""
    tables = read_tables(HERE / "tables.md")
    return {
        **_of_readings(tables["Ease by the reading of unjudged documents"].reset_index()),
        **_of_one_system(tables["One system more or less"].reset_index()),
        **_of_halves(tables["Half of the topics"]),
        **_across_borders(tables["Across the borders of classes"]),
        **_of_topics(read_tables(HERE / "section_5.md")),
    }


def _of_readings(table: pd.DataFrame) -> dict[str, str]:
    """Mean ease with label 0, mean gain, and unjudged documents dropped."""
    rows = table.set_index(["collection", "unjudged"])
    mean, tau = rows["mean ease"].astype(float), rows["tau_b with zero"].astype(float)
    return {
        **{f"ease_{key}": listed(short(value, 4) for value in mean[name]) for key, name in COLLECTIONS.items()},
        "ease_tau": span(tau.drop("zero", level=1), 2),
    }


def _of_one_system(table: pd.DataFrame) -> dict[str, str]:
    rows = table.set_index(["collection", "summary of a topic"])
    out = rows["largest change, one left out"].str.split(" ").str[0].astype(float)
    added = rows["worst possible one added"].str.extract(r"([\d.]+) \((.*)\)")
    names = {"ease": "ease", "mean": "mean NDCG_std"}
    return {
        **{f"out_aap_{key}": short(out[name, "AAP"], 4) for key, name in COLLECTIONS.items()},
        **{f"out_ease_{key}": short(out[name, "ease"], 4) for key, name in COLLECTIONS.items()},
        **{f"worst_{key}": short(float(added.loc[(name, "mean NDCG_std"), 0]), 3) for key, name in COLLECTIONS.items()},
        **{
            f"worst_share_{key}": " against ".join(added.loc[(COLLECTIONS[key], own), 1] for own in names.values())
            for key in COLLECTIONS
        },
    }


def _of_halves(table: pd.DataFrame) -> dict[str, str]:
    shares = table.drop(columns="ease").map(lambda cell: float(cell.rstrip("%")))
    return {
        "classes_change": f"{shares.min().min():.0f} to {shares.max().max():.0f}%",
        "classes_change_ease": span((float(cell.rstrip("%")) for cell in table["ease"]), 0) + "%",
    }


def _across_borders(table: pd.DataFrame) -> dict[str, str]:
    across, inside = (
        table[column].str.split(" ").str[0].astype(float)
        for column in ("mean step across a border (steps)", "inside a class")
    )
    taus = {"trend_mean": "tau_b of ease and mean NDCG_std", "trend_aap": "of ease and AAP"}
    return {
        **{f"step_{key}": short(across[name]) for key, name in COLLECTIONS.items()},
        **{f"inside_{key}": short(inside[name]) for key, name in COLLECTIONS.items()},
        **{key: listed(short(float(value), 2) for value in table[column]) for key, column in taus.items()},
    }


def _of_topics(tables: dict[str, pd.DataFrame]) -> dict[str, str]:
    """The topics that the paper names, on 15 systems and on the eight baselines."""
    fifteen, eight = (tables[f"NDCG_std@20 of {which} of Web 2012"] for which in ("15 systems", "8 baselines"))
    without, eight_without = (tables[f"{which}: without the lowest of them"] for which in ("15 systems", "8 baselines"))
    moved = {
        f"{name}_{topic}": "from rank {} to {}".format(*re.findall(r"rank (\d+) -> (\d+)", without.loc[topic, name])[0])
        for name in ("mean", "median")
        for topic in ("177", "195")
    }
    return {
        "ease_159_174": listed(short(float(fifteen.loc[topic, "ease"]), 2) for topic in ("159", "174")),
        "median_159": short(float(fifteen.loc["159", "median"])),
        "best_174": short(float(fifteen.loc["174", "highest"])),
        "median_194": f"{float(fifteen.loc['194', 'median']):.2f}".removeprefix("0"),
        "median_194_8": short(float(eight.loc["194", "median"]), 2),
        "ranks_194": listed(each.loc["194", "rank by median"] for each in (fifteen, eight)),
        "ease_194": short(float(fifteen.loc["194", "ease"]), 2),
        "ease_rank_194": fifteen.loc["194", "rank by ease"].split(" ")[0],
        "q1_177": short(float(fifteen.loc["177", "q1"])),
        **moved,
        **{f"places_{topic}": _places(without.loc[topic, "mean"]) for topic in ("177", "195")},
        "ranks_of_194": listed(
            re.findall(r"rank (\d+) ->", without.loc["194", name])[0] for name in ("mean", "median")
        ),
        "rank_194_15": fifteen.loc["194", "rank by median"].split(" ")[0],
        "upper_half": claim(
            "the upper half of 159 is above all of 174",
            float(fifteen.loc["159", "median"]) > float(fifteen.loc["174", "highest"]),
        ),
        "ease_without": listed(re.findall(r"rank (\d+) ->", without.loc[topic, "ease"])[0] for topic in ("177", "195")),
        "median_177_8": "from rank {} to {}".format(
            *re.findall(r"rank (\d+) -> (\d+)", eight_without.loc["177", "median"])[0]
        ),
    }


def _places(cell: str) -> str:
    """By how many ranks a topic moves, of "... (rank 22 -> 18)"."""
    before, after = map(int, re.findall(r"rank (\d+) -> (\d+)", cell)[0])
    return str(abs(after - before))

"""Cells of this folder's tables by systematic names."""

from __future__ import annotations

from pathlib import Path

from prose import read_tables, short, together

HERE = Path(__file__).resolve().parent
COLLECTIONS = {"covid": "TREC-COVID round 5", "dl": "DL 2019", "robust": "Robust 2003", "web": "Web 2012"}
ESTIMATES = {"ease": "ease", "aap": "average AP", "mean": "mean NDCG_std", "anchored": "anchored ease"}
HALVES = {"random": "random", "worse": "better and worse"}


def compute_cells() -> dict[str, str]:
    """Every cell that the prose may name: name -> text."""
    return {**_comparability(), **_trends()}


def _comparability() -> dict[str, str]:
    """``tau.random.ease.covid``, ``shift.worse.ease.dl``, ``samples.4.covid``, ``pool.own.every``, ``aap_at_1``."""
    tables = {name.split(":", maxsplit=1)[0]: table for name, table in read_tables(HERE / "comparability.md").items()}
    table = tables["Two halves of the systems"].reset_index()
    found: dict[str, str] = {}
    for halves, words in HALVES.items():
        for name, estimate in ESTIMATES.items():
            cells = table[(table["halves"] == words) & (table["estimate"] == estimate)].set_index("collection")
            for called, column in (("tau", "tau_b"), ("shift", "mean shift")):
                texts = {key: short(float(cells.loc[where, column]), 2) for key, where in COLLECTIONS.items()}
                found |= together(f"{called}.{halves}.{name}", texts)
    samples = (
        tables["How many systems ease needs"].reset_index().set_index(["collection", "systems beside the baseline"])
    )
    for (where, size), cells in samples.iterrows():
        key = next(key for key, name in COLLECTIONS.items() if name == where)
        found[f"samples.{size}.{key}"] = short(float(cells["ease"].split(" / ")[0]), 2)
    pools = tables["The pool of each half in place of all judgments"].reset_index().set_index(["pool", "collection"])
    for name, pool in (("all", "all judgments"), ("own", "its own, depth 20")):
        texts = {key: short(float(pools.loc[(pool, where), "tau_b"])) for key, where in COLLECTIONS.items()}
        found |= together(f"pool.{name}", texts)
    bounds = tables["Ease at its bounds, and what the topics of one class have in common"].loc["Robust 2003"]
    low, high = (short(float(end), 2) for end in bounds["their AAP"].split(" to "))
    return {
        **found,
        "at_1.topics": f"{bounds['ease of 1']} of {bounds['topics']}",
        "at_1.aap": f"{low} to {high}",
        "at_1.low": low,
        "at_1.high": high,
    }


def _trends() -> dict[str, str]:
    """``trend.mean.every`` and ``trend.aap.every``: tau of ease with other summaries of a topic."""
    table = read_tables(HERE / "tables.md")["Across the borders of classes"]
    columns = {"mean": "tau_b of ease and mean NDCG_std", "aap": "of ease and AAP"}
    return {
        name: text
        for key, column in columns.items()
        for name, text in together(
            f"trend.{key}", {where: short(float(cell), 2) for where, cell in table[column].items()}
        ).items()
    }

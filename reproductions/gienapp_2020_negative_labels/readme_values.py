"""Numbers in the prose of README.md, from tables.md and moffat_tables.md."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd

from prose import claim, constants, listed, read_tables, short, span, verdict

HERE = Path(__file__).resolve().parent
BASELINES, ALL, DIVERSITY = "2012, 8 baselines", "2012, all 15", ", 7 diversity systems"
NUMBERS = ("no", "one", "two", "three", "four", "five")
READINGS = ("NDCG_org", "NDCG_0", "NDCG_min")
FILTERED = ("ql-cata-filtered", "rm-cata-filtered")


def compute_readme_values() -> dict[str, str]:
    """Compute every value: name -> text."""
    tables = read_tables(HERE / "tables.md")
    return {
        **_below(tables["Table 2a: topics whose NDCG_org can fall below"].reset_index()),
        **_orders(tables),
        **_scores(tables),
        **_defined(read_tables(HERE / "moffat_tables.md")),
    }


def _below(table: pd.DataFrame) -> dict[str, str]:
    """Topics that can fall below a bound, at the k that the column was made at and at the depths that are stated."""
    ten, stated = table[table["k"] == "10"], {"2010": "20", "2011": "20", "2012": "20"}
    depth = table[[stated.get(year, "15") == k for year, k in zip(table["track"], table["k"], strict=True)]]
    cells = ten["<= -1"]
    return {
        "below_0": listed(_counts(ten["< 0"])),
        "below_0_printed": f"as printed in {_agree(ten['< 0'], ten['paper: < 0'])} years",
        "below_0_2010": _counts(ten["< 0"])[0],
        "below_0_short": _short_counts(_counts(ten["< 0"])),
        "below_0_verdict": verdict(_as_printed(ten["< 0"], ten["paper: < 0"])),
        "below_1_exactly": claim("exactly", all(_as_printed(cells, ten["paper: <= -1"])[1:])),
        "below_1": listed(cells),
        "below_1_printed": f"{_agree(cells, ten['paper: <= -1'])} as printed",
        "below_1_at_depth": listed(_percents(depth["<= -1"])),
    }


def _counts(cells: pd.Series) -> list[str]:
    return [re.findall(r"\d+ of \d+", cell)[0] for cell in cells]


def _percents(cells: pd.Series) -> list[str]:
    return [short(float(cell.split("%")[0]), 1) for cell in cells]


def _agree(cells: pd.Series, printed: pd.Series) -> str:
    """In how many years the shares are those in print, to a whole percent."""
    same = _as_printed(cells, printed)
    return f"{NUMBERS[sum(same)]} of {NUMBERS[len(same)]}"


def _as_printed(cells: pd.Series, printed: pd.Series) -> list[bool]:
    """Whether each share is the one in print, to a whole percent."""
    return [
        round(float(cell.split("%")[0])) == int(paper.rstrip("%")) for cell, paper in zip(cells, printed, strict=True)
    ]


def _short_counts(counts: list[str]) -> str:
    """48 of 48, 47, 48, 37 and 35 of 50: topics of 2010, and of four years with as many each."""
    first, *others = counts
    total = {count.split(" of ")[1] for count in others}
    return f"{first}, {listed(count.split(' of ')[0] for count in others)} of {total.pop()}"


def _orders(tables: dict[str, pd.DataFrame]) -> dict[str, str]:
    """Correlations of systems by two readings, on public runs, in the simulation and within topics."""
    rho = tables["Table 2b: Spearman's rho of mean scores, k = 20"].iloc[:, 1:].astype(float)
    of_zero, of_min = "NDCG_org / NDCG_0", "NDCG_org / NDCG_min"
    made = next(table for name, table in tables.items() if name.startswith("Simulated systems with spam"))
    simulated = made[[of_zero, of_min]].map(lambda cell: float(cell.split(" ± ")[0]))
    within = tables["Within a topic, k = 20"].loc[BASELINES, of_zero].split(" (")
    ranks = tables["Table 2c: systems by NDCG_org and by NDCG_0, k = 20"]
    change = ranks["rank by NDCG_0"].astype(int) - ranks["rank by NDCG_org"].astype(int)
    moved = change[change != 0]
    most = [index.split(" to ")[1] for index in simulated.index]
    above = max(
        at for at, value in enumerate(simulated[of_zero]) if value > float(constants("printed")["rho_org_0_2011"])
    )
    return {
        "rho_min": _same(rho[of_min]),
        "rho_min_simulated": span(simulated[of_min].iloc[1:], 2),
        "rho_org_0_public": _same(rho[of_zero]),
        "rho_2011": _fixed(rho.loc[f"2011{DIVERSITY}", of_zero]),
        "rho_8": _fixed(rho.loc[BASELINES, of_zero]),
        "rho_15": _fixed(rho.loc[ALL, of_zero]),
        "rho_7": _same(rho.loc[rho.index.str.endswith(DIVERSITY), of_zero]),
        "rho_5": short(simulated.loc["0 to 0.05", of_zero], 2),
        "rho_40": short(simulated.loc["0 to 0.4", of_zero], 2),
        "rho_printed_between": " and ".join(f"{float(most[at]):.0%}" for at in (above, above + 1)),
        "spam_least": f"{float(most[1]):.0%}",
        "spam_most": f"{float(most[-1]):.0%}",
        "moved": listed(f"`{name}`" for name in moved.index),
        "moved_ranks": listed(sorted(ranks.loc[moved.index, "rank by NDCG_org"], key=int)),
        "moved_of_7": claim(
            "of 7 none",
            not any(_moves(tables[name]) for name in tables if name.startswith("Table 2c") and "7 diversity" in name),
        ),
        "moved_by": span(moved.abs(), 0),
        "tau_8": short(float(within[0]), 2),
        "tau_8_least": short(float(within[1].rstrip(")")), 2),
    }


def _moves(table: pd.DataFrame) -> bool:
    """Whether a system has another rank by NDCG_0."""
    return bool((table["rank by NDCG_org"] != table["rank by NDCG_0"]).any())


def _fixed(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _same(values: pd.Series) -> str:
    """One number, or the least and the largest."""
    low, high = _fixed(values.min()), _fixed(values.max())
    return low if low == high else f"{low} to {high}"


def _scores(tables: dict[str, pd.DataFrame]) -> dict[str, str]:
    """Scores and means below 0."""
    row = tables["Scores below 0, k = 20"].loc[BASELINES]
    below, every = row["scores of a topic below 0"].split(" of ")
    names = re.findall(r"[\w-]+", row["means below 0"].partition("(")[2])
    means = tables["Table 2c: systems by NDCG_org and by NDCG_0, k = 20"]["mean NDCG_org"].astype(float)
    return {
        "scores_8": every,
        "scores_8_below": below,
        "scores_8_lowest": short(float(row["lowest"]), 2),
        "means_below_count": NUMBERS[len(names)],
        "means_below": f"{NUMBERS[len(names)]} baselines, {listed(f'`{name}`' for name in names)},",
        "means_below_values": listed(short(means[name], 4) for name in names),
        "means_filtered": listed(short(means[name], 4) for name in FILTERED),
    }


def _defined(tables: dict[str, pd.DataFrame]) -> dict[str, str]:
    """Cases without a relevant document in which NDCG_min has a value."""
    table = next(iter(tables.values())).reset_index()
    complete = table[table["property"] == "complete"].set_index("reading")["holds"]
    undefined = {name: re.findall(r"\d+", cell) for name, cell in complete.items()}
    count, cases = map(int, undefined["NDCG_min"])
    cells = table[table["property"].isin(["monotonous", "localized"])].set_index(["property", "reading"])["holds"]
    return {
        "min_defined": str(cases - count),
        "min_undefined": str(count),
        "cases_without_relevant": str(cases),
        **{f"{name}_cases": _cases([cells[name, reading].removeprefix("no, ") for reading in READINGS])
           for name in ("monotonous", "localized")},
    }  # fmt: skip


def _cases(cells: list[str]) -> str:
    """330, 175 of 1,442, 377 of 1,658: the first two are of as many cases."""
    first, second, third = (cell.split(" of ") for cell in cells)
    assert first[1] == second[1]
    return f"{first[0]}, {' of '.join(second)}, {' of '.join(third)}"

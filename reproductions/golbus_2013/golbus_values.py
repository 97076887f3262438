"""Cells of this folder's tables by systematic names, and words that hold while the tables say so."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from prose import claim, constants, fixed, listed, percent, read_tables, short, span, together

HERE = Path(__file__).resolve().parent
THREE = {"covid": "TREC-COVID round 5", "dl": "DL 2019", "robust": "Robust 2003"}
FOUR = {**THREE, "web": "Web 2012 baselines"}
YEARS = ("2010", "2011", "2012")
PAIRS = ("alpha-nDCG", "D#-nDCG")
OWN = ["combANZ", "combMNZ", "Naive"]
CONDITIONS = {"nothing": "", "ndcg": " given nDCG", "err": " given ERR", "both": " given nDCG, ERR"}

Tables = Mapping[str, pd.DataFrame]


def compute_cells() -> dict[str, str]:
    """Every cell that the prose may name: name -> text."""
    tables = read_tables(HERE / "tables.md")
    return {
        **_information_tau(tables["Table 1: information tau of diversity measures"]),
        **_correlations(tables["Figure 2: RIC and other measures"]),
        **_sets(tables),
        **_differences(tables),
        **_estimates(read_tables(HERE / "entropy_estimators.md")),
        **_judges(read_tables(HERE / "evidence.md")),
    }


def compute_words() -> dict[str, str]:
    """Values that are used each: name -> text."""
    tables = read_tables(HERE / "tables.md")
    return {**_intervals(tables), **_teams(tables), **_of_sets(tables), **_models(tables), **_of_estimates()}


def _information_tau(table: pd.DataFrame) -> dict[str, str]:
    """``bits.alpha.2010.err``; ``left.2010.err``: percent of what is shared given nothing."""
    bits = table.map(lambda cell: float(cell.split(" ")[0]))
    found: dict[str, str] = {}
    for pair, key in zip(PAIRS, ("alpha", "sharp"), strict=True):
        rows = {given: bits.loc[f"ERR-IA; {pair}{words}"] for given, words in CONDITIONS.items()}
        for year in YEARS:
            cells = {given: short(row[year]) for given, row in rows.items()}
            found |= {f"bits.{key}.{year}.{given}": cell for given, cell in cells.items()}
            found[f"bits.{key}.{year}.row"] = " | ".join(cells.values())
        for given, row in rows.items():
            shares = {year: percent(row[year] / rows["nothing"][year]) for year in YEARS}
            found |= together(f"left.{key}.{given}", shares)
    return found


def _intervals(tables: Tables) -> dict[str, str]:
    """Of the last column of table 1, with seven systems."""
    table = tables["Table 1: information tau of diversity measures"]
    cells = [table.loc[f"ERR-IA; {pair} given nDCG, ERR", year] for pair in PAIRS for year in YEARS]
    ends = [cell.partition("[")[2].partition("]")[0].split(", ") for cell in cells]
    shares = [_bits(table, f"ERR-IA; alpha-nDCG{CONDITIONS['both']}", year) / _bits(table, "ERR-IA; alpha-nDCG", year)
              for year in YEARS]  # fmt: skip
    return {
        "both_intervals": ", ".join(f"{short(float(low))} to {short(float(high))}" for low, high in ends),
        "orders_as_printed": claim("as printed on DL 2019 and Robust 2003", _orders_as_ap(tables)),
        "about_half": claim("About half", all(0.4 <= share <= 0.6 for share in shares)),
    }


def _orders_as_ap(tables: Tables) -> bool:
    """Whether tau of RIC with AP, GAP and nDCG is at least the .799 in print on two collections, and not on a third."""
    table = tables["Figure 2: RIC and other measures"].reset_index().set_index(["measures", "collection"])
    least = {
        where: min(
            float(table.loc[(f"RIC, {other}", where), "all: tau / rho"].split(" / ")[0])
            for other in ("AP", "GAP", "nDCG")
        )
        for where in THREE.values()
    }
    printed = float(constants("printed")["ric_tau"])
    return min(least["DL 2019"], least["Robust 2003"]) >= printed > least["TREC-COVID round 5"]


def _bits(table: pd.DataFrame, row: str, year: str) -> float:
    return float(table.loc[row, year].split(" ")[0])


def _correlations(table: pd.DataFrame) -> dict[str, str]:
    """``tau.RIC.AP.dl``, ``rho``, ``pearson``, ``best`` (tau of the ten best by the first), ``best_second``."""
    rows = table.reset_index().set_index(["measures", "collection"])
    columns: dict[str, tuple[str, int]] = {
        "tau": ("all: tau / rho", 0),
        "rho": ("all: tau / rho", 1),
        "best": ("ten best by the first", 0),
        "best_second": ("ten best by the second", 0),
        "pearson": ("all: Pearson's r", 0),
    }
    found: dict[str, str] = {}
    for pair in rows.index.unique("measures"):
        for name, (column, which) in columns.items():
            of = THREE if name.startswith("best") else FOUR
            values = {key: float(rows.loc[(pair, where), column].split(" / ")[which]) for key, where in of.items()}
            called = f"{name}.{pair.replace(', ', '.').replace(' ', '_')}"
            found |= together(called, {key: short(value) for key, value in values.items()})
            found |= together(f"{called}.three", {key: short(values[key]) for key in THREE})
            found |= together(f"{called}.two_digits", {key: fixed(values[key]) for key in THREE})
    return found


def _sets(tables: Tables) -> dict[str, str]:
    """Table 3: ``joint.graded.combANZ.dl`` (tau; of any estimate); means: ``mean.graded.Naive.dl``, ``mean2``."""
    table = next(found for name, found in tables.items() if name.startswith("Table 3")).reset_index()
    rows = table[table["collection"] != "TREC 8, in print"].set_index(["estimate", "labels", "collection"])
    printed = table[table["collection"] == "TREC 8, in print"].iloc[0]
    taus_in_print = {name: float(printed[name].split(" / ")[0]) for name in rows.columns if printed[name]}
    found = {f"in_print.{name}": short(tau) for name, tau in taus_in_print.items()}
    found |= {f"in_print.two_digits.{name}": short(tau, 2) for name, tau in taus_in_print.items()}
    for estimate in rows.index.unique("estimate"):
        for labels in rows.index.unique("labels"):
            for method in rows.columns:
                taus = {
                    key: short(float(rows.loc[(estimate, labels, where), method].split(" / ")[0]), 2)
                    for key, where in THREE.items()
                }
                found |= together(f"{estimate}.{labels}.{method.replace(' ', '_')}", taus)
    means = tables["Means over sets of ten"].reset_index().set_index(["labels", "collection"]).astype(float)
    for labels in means.index.unique("labels"):
        for method in means.columns:
            values = {key: float(means.loc[(labels, where), method]) for key, where in THREE.items()}
            called = f"{labels}.{method.replace(' ', '_')}"
            found |= together(f"mean.{called}", {key: short(value) for key, value in values.items()})
            found |= together(f"mean2.{called}", {key: short(value, 2) for key, value in values.items()})
    return found


def _of_sets(tables: Tables) -> dict[str, str]:
    """What the sets of ten say of bounds and of fusion."""
    table = next(found for name, found in tables.items() if name.startswith("Table 3")).reset_index()
    joint = table[(table["estimate"] == "joint") & (table["collection"] != "TREC 8, in print")]
    tau = joint.set_index(["labels", "collection"]).drop(columns="estimate")
    tau = tau.map(lambda cell: float(cell.split(" / ")[0]))
    apart = {name: (tau.loc["graded"].loc[name] - tau.loc["binary"].loc[name]).abs().max() for name in THREE.values()}
    graded = tau.loc["graded"]
    low_high = [
        graded.loc[name, "combANZ"] < graded.loc[name, "combMNZ"] < graded.loc[name, "Naive"] for name in THREE.values()
    ]
    means = tables["Means over sets of ten"].reset_index().set_index(["labels", "collection"]).astype(float)
    means = means.loc["graded"]
    lesser = (means["combANZ"] < means[["combMNZ", "Condorcet"]].min(axis=1)).reindex(THREE.values())
    exceed = next(found for name, found in tables.items() if "exceeds the joint RIC" in name).reset_index()
    exceed = exceed[exceed["labels"] == "graded"].set_index("sets in which it exceeds the joint RIC")
    over = exceed.drop(columns="labels").map(lambda cell: int(cell.split(" of ")[0]))
    sets = exceed.drop(columns="labels").map(lambda cell: int(cell.split(" of ")[1]))["Naive"]
    plain = over[["combANZ", "combMNZ", "combSUM", "Condorcet"]]
    null = means["Miller-Madow"].rsub(means["joint"]) < means["null"] / 2
    return {
        **{f"labels_apart_{key}": short(apart[name], 2) for key, name in THREE.items()},
        "anz_elsewhere": span(graded.loc[["TREC-COVID round 5", "Robust 2003"], "combANZ"]),
        "lowest_highest": claim("combANZ is lowest and Naive highest", all(low_high)),
        "anz_below": claim("combANZ is below combMNZ and Naive as printed", all(low_high)),
        "anz_inferior": f"{('none', 'one', 'two', 'three')[lesser.sum()]} of three collections",
        "no_fusion_exceeds": f"{sum(sets) - int(plain.max(axis=1).sum())} of {sum(sets)}",
        "bounds_exceed": claim(f"all {sum(sets)} sets", over[["Naive", "Pareto"]].eq(sets, axis=0).all(axis=None)),
        "majority_exceeds": f"{over.loc[THREE['covid'], 'Majoritarian']} of the {sets[THREE['covid']]} of TREC-COVID",
        "far_less_than_null": claim("far less than the null does", null.all()),
        "robust_either_way": claim(
            "either way", graded.loc["Robust 2003", OWN].eq(tau.loc["binary"].loc["Robust 2003", OWN]).all()
        ),
        "nulls_agree": claim(
            ".005", tables["Largest difference from independent code"]["mean null"].astype(float).abs().max() <= 0.005
        ),
        "less_by_madow": listed(short(value, 2) for value in means["joint"] - means["Miller-Madow"]),
    }


def _differences(tables: Tables) -> dict[str, str]:
    """Figure 5: ``apart.tau.dl`` and ``apart.rho.dl``."""
    table = tables["Figure 5: information difference and difference of AP"]
    return {
        name: text
        for statistic, column in (("tau", "tau with AP"), ("rho", "rho"))
        for name, text in together(
            f"apart.{statistic}", {key: fixed(float(table.loc[where, column]), 3) for key, where in FOUR.items()}
        ).items()
    }


def _teams(tables: Tables) -> dict[str, str]:
    """Table 4: pairs of one team among the closest."""
    table = tables["Table 4: runs of one team"].reset_index().set_index(["collection", "bins"])
    covid, six, dl = (table.loc[key] for key in ((THREE["covid"], "20"), (THREE["covid"], "6"), (THREE["dl"], "6")))
    closest = "id: closest of one team"
    first, _, of = covid[closest].split(" ")
    shown = tables["Table 4: the closest pairs of DL 2019"].reset_index()
    tuned = shown[(shown["system 1"] == "bm25base_p") & (shown["system 2"] == "bm25tuned_p")]
    chance = int(of) * float(covid["base rate"])
    return {
        "team_covid": f"{first} of the {of}",
        "team_leading": covid["id: leading pairs of one team"],
        "team_pairs": covid["pairs"],
        "team_share": f"{100 * float(covid['base rate']):.0f}%",
        "team_by_ap": covid["AP: closest of one team"].split(" ")[0],
        "team_by_chance": short(chance, 1),
        "team_closer": short(float(covid["id: P(same team is closer)"]), 2),
        "team_closer_ap": short(float(covid["AP: P(same team is closer)"]), 2),
        "team_six": six[closest],
        "team_six_leading": six["id: leading pairs of one team"],
        "team_dl": f"{dl['id: leading pairs of one team']} of {dl['pairs']} pairs",
        "team_dl_leading": dl["id: leading pairs of one team"],
        "team_tuned": short(float(tuned["id"].item())),
    }


def _models(tables: Tables) -> dict[str, str]:
    """Which runs of one collection are near, by the model and by what is searched."""
    web = next(found for name, found in tables.items() if name.startswith("Ranking models")).reset_index()
    first, second = (web[column].str.split("-", n=1) for column in ("system 1", "system 2"))
    same_documents = first.str[1] == second.str[1]
    same_model = first.str[0] == second.str[0]
    near = web["id"].astype(float)
    own = read_tables(HERE / "ranking_models.md")["Information difference of every two, in bits"].reset_index()
    usual = "BM25, k1 = 1.2, b = .75"
    bits = own.set_index(["run", "other"])["information difference"].astype(float)
    language = own[own["models"] == "within language model"]["information difference"].astype(float)
    return {
        "closest_models": claim(
            f"the {('no', 'one', 'two', 'three', 'four')[same_documents.sum()]} closest of\nthe {len(web)} pairs",
            near[same_documents].max() < near[~same_documents].min(),
        ),
        "model_bits": span(near[same_documents], 3),
        "filter_bits": span(near[same_model], 3),
        "bm25_jelinek": short(bits[usual, "Jelinek-Mercer, .5"]),
        "bm25_dirichlet": short(bits[usual, "Dirichlet, mu = 1,000"]),
        "bm25_settings": short(bits[usual, "BM25, k1 = .9, b = .4"]),
        "language_models": span(language, 3),
    }


def _estimates(tables: Tables) -> dict[str, str]:
    """``estimate.table.independent.few``, ``share.logistic.nothing.many``, ``truth.correlated``."""
    table = next(iter(tables.values())).reset_index()
    found: dict[str, str] = {}
    for (systems, documents), rows in table.groupby(["systems", "documents"], sort=False):
        size = "few" if documents.startswith("20 ") else "many"
        row, case = rows.iloc[0], systems.replace(" ", "_")
        found[f"truth.{case}"] = short(float(row["truth"]))
        for estimate in ("table", "miller-madow", "shrinkage", "logistic"):
            value, share = (float(part) for part in row[estimate].split(" / "))
            found[f"estimate.{estimate}.{case}.{size}"] = short(value)
            found[f"share.{estimate}.{case}.{size}"] = short(share)
    return found


def _of_estimates() -> dict[str, str]:
    """How far a normalized estimate is from 0 where the systems know nothing."""
    table = next(iter(read_tables(HERE / "entropy_estimators.md").values()))
    cells = table.loc["nothing", ["table", "miller-madow", "shrinkage", "logistic"]].to_numpy().ravel()
    most = max(abs(float(cell.split(" / ")[1])) for cell in cells)
    return {"null_within": claim(".04", most <= 0.04)}


def _judges(tables: Tables) -> dict[str, str]:
    """``evidence.own.labels`` and ``evidence.shared.labels+reference``: tau with the truth."""
    table = next(iter(tables.values())).reset_index()
    kinds = {"of its own": "own", "half that of relatives": "shared"}
    cell = "+".join
    pairs = {
        f"evidence.{kinds[row['noise of the reference']]}.{cell(row['judges'].split(', '))}.pairs": row[
            "pairs of a topic"
        ]
        for _, row in table.iterrows()
    }
    return pairs | {
        f"evidence.{kinds[row['noise of the reference']]}.{cell(row['judges'].split(', '))}": short(
            float(row["tau with the truth"])
        )
        for _, row in table.iterrows()
    }

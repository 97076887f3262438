"""Numbers and verdicts in the prose of this folder, from the tables of its scripts."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from graded_values import of_graded  # noqa: E402
from sakai_cells import compute_cells, compute_verdicts, of_three_topics  # noqa: E402

from prose import listed, read_tables, short, span, verdict, where  # noqa: E402

__all__ = ["compute_cells", "compute_values"]

YEARS = ("2009", "2010", "2011", "2012")
OTHERS = YEARS[1:]
GAMMAS = ["gamma=0", "gamma=0.2", "gamma=0.5", "gamma=0.8", "gamma=1"]
ALPHA, IA, SAME, HALF = "alpha-nDCG@10", "nDCG-IA@10", "D#-Q@10, same gamma", "gamma = .5"
NAMES = {
    "D#-nDCG@10": "nd",
    "D#-Q@10": "q",
    "D-nDCG@10": "d",
    "D-Q@10": "dq",
    ALPHA: "alpha",
    IA: "ia",
    "I-rec@10": "irec",
}


def compute_values() -> dict[str, str]:
    """Compute every value: name -> text."""
    return {
        **_of_seven(),
        **_of_more(),
        **_of_power(),
        **_of_reachable(),
        **of_graded(),
        **of_three_topics(),
        **compute_verdicts(),
        **_of_clicks(),
    }


def _of_seven() -> dict[str, str]:
    """Of the seven systems: tables.md."""
    tables = read_tables(HERE / "tables.md")
    parts = {year: _parts(tables, f"Web Track {year}, binary gains") for year in YEARS}
    first = [parts["2009"][name] for name in ("Tables 2 and 3", "Table 4")]
    axes = {year: parts[year]["tau / tau_ap between"].loc["D-nDCG@10", "I-rec@10"] for year in YEARS}
    table_4 = {year: _cells(parts[year]["Table 4"], 0) for year in YEARS}
    graded = {year: _parts(tables, f"Web Track {year}, graded gains") for year in ("2011", "2012")}
    plane = {year: (parts[year]["Figure 1"], graded[year]["Figure 1"]) for year in graded}
    between = {year: (parts[year]["tau / tau_ap between"], graded[year]["tau / tau_ap between"]) for year in graded}
    rows = {year: _gammas(parts[year]["Tables 2 and 3"], "baseline", "D#-nDCG@10", IA) for year in YEARS}
    most = tables["Section 3.3: the largest Idiv-nDCG@10"]
    doc2vec = ("dssa-doc2vec", "D-nDCG@10")
    return {
        "first_tau": short(min(value for table in first for value in _cells(table, 0))),
        "first_tau_ap": short(min(value for table in first for value in _cells(table, 1))),
        "axes_tau": short(_tau(axes["2009"])),
        "axes_tau_ap": short(_tau_ap(axes["2009"])),
        "axes_tau_others": listed(short(_tau(axes[year])) for year in OTHERS),
        "table_4_least": short(min(min(table_4[year]) for year in OTHERS), 2),
        "figure_3_2009": _agreement(HERE / "tables.md", "2009"),
        "seven_alpha": span(
            value
            for part in parts.values()
            for value in _gammas(part["Tables 2 and 3"], "baseline", "D#-nDCG@10", ALPHA)
        ),
        "seven_like_ia_2009": listed(short(value) for value in rows["2009"]),
        "seven_ia_verdict": verdict(_falls(row) for row in rows.values()),
        "seven_ia_where": where({year: _falls(row) for year, row in rows.items()}, "in all four years", "in none"),
        **{f"unreachable_{year}": most.loc[year, "no list has 1"] for year in YEARS},
        **{f"topics_{year}": most.loc[year, "topics"] for year in YEARS},
        "graded_doc2vec": short(float(plane["2011"][1].loc[doc2vec])),
        "binary_doc2vec": short(float(plane["2011"][0].loc[doc2vec])),
        "graded_alpha": short(_tau(between["2011"][1].loc["D#-nDCG@10", ALPHA])),
        "binary_alpha": short(_tau(between["2011"][0].loc["D#-nDCG@10", ALPHA])),
        "graded_axes": short(_tau(between["2011"][1].loc["D-nDCG@10", "I-rec@10"])),
        "binary_axes": short(_tau(between["2011"][0].loc["D-nDCG@10", "I-rec@10"])),
    }


def _of_more() -> dict[str, str]:
    """Of eight systems and of 25 simulated ones: more_systems.md."""
    tables = read_tables(HERE / "more_systems.md")
    eight = {year: _find(tables, f"Web Track {year}, binary gains: 8 systems") for year in YEARS}
    many = _find(tables, "Web Track 2009: 25 simulated systems")
    power = _find(tables, "Section 3.2: discriminative power").astype(float)

    def row(table: pd.DataFrame, measure: str, other: str) -> list[float]:
        return _gammas(table, "with", measure, other)

    def of_eight(measure: str, other: str) -> dict[str, list[float]]:
        return {year: row(table, measure, other) for year, table in eight.items()}

    nd, q = "D#-nDCG@10", "D#-Q@10"
    pairs = _find(tables, "Table 5: discriminative power, binary gains / Web Track 2009: 25")["pairs"]
    found = pairs.str.split(" of ").str[0].astype(int)
    like_ia, like_q = of_eight(nd, IA), of_eight(nd, SAME)
    ia_holds = {year: _falls(values) for year, values in like_ia.items()}
    q_holds = {year: _best_at_large(values) for year, values in like_q.items()}
    own = {year: [*row(table, nd, f"{nd}, {HALF}"), *row(table, q, f"{q}, {HALF}")] for year, table in eight.items()}
    many_own = [*row(many, nd, f"{nd}, {HALF}"), *row(many, q, f"{q}, {HALF}")]
    table_2 = [value for values in of_eight(nd, ALPHA).values() for value in values]
    table_3 = [value for values in of_eight(q, ALPHA).values() for value in values]
    least = min(own, key=lambda year: min(own[year]))
    by_r = power["Q"] > power["RBP, p = .95"]
    return {
        **{f"many_power_{short_name}": str(found[name]) for name, short_name in NAMES.items()},
        "many_alpha": span(row(many, nd, ALPHA)),
        "many_alpha_q": span(row(many, q, ALPHA)),
        "many_ia": span(row(many, nd, IA)),
        "many_ia_at_1": short(row(many, nd, IA)[-1], 2),
        "many_ia_at_0": short(row(many, nd, IA)[0], 2),
        "many_q": listed(short(value, 2) for value in row(many, nd, SAME)),
        "many_q_span": span(row(many, nd, SAME)),
        "many_verdict": "hold" if _falls(row(many, nd, IA)) and _best_at_large(row(many, nd, SAME)) else "hold in part",
        "eight_alpha": span(table_2),
        "eight_alpha_q": span(table_3),
        "eight_alpha_half": listed(short(values[2], 2) for values in of_eight(nd, ALPHA).values()),
        "eight_ia_at_1": listed(short(values[-1], 2) for values in like_ia.values()),
        "eight_ia_at_0": listed(short(values[0], 2) for values in like_ia.values()),
        "eight_ia_where": where(ia_holds, "in all four years", "in none of the four years"),
        "eight_q_where": where(q_holds, "in all four years", "in none of the four years"),
        "eight_q_not": "; ".join(
            f"{year} ({', '.join(short(value, 2) for value in like_q[year])})" for year in YEARS if not q_holds[year]
        ),
        "table_4_first": short(min([*own["2009"], *many_own]), 2),
        "table_4_eight_least": short(min(own[least]), 2),
        "table_4_eight_least_year": least,
        "q_verdict": verdict([*q_holds.values(), _best_at_large(row(many, nd, SAME))]),
        "q_power": listed(short(value) for value in power["Q"]),
        "rbp_power": listed(short(value) for value in power["RBP, p = .95"]),
        "rbp_8_power": listed(short(value) for value in power["RBP, p = .8"]),
        "by_r": listed(name for name, held in by_r.items() if held),
        "not_by_r": listed(name for name, held in by_r.items() if not held),
        "dl_rbp": short(power.loc["DL 2019", "RBP, p = .95"]),
        "dl_q": short(power.loc["DL 2019", "Q"]),
        "dl_ndcg": short(power.loc["DL 2019", "nDCG"]),
        "dl_ap": short(power.loc["DL 2019", "AP"]),
    }


def _of_power() -> dict[str, str]:
    """Of discriminative power: discriminative_power_tables.md."""
    tables = read_tables(HERE / "discriminative_power_tables.md")
    pairs = {year: tables[f"Web Track {year}, binary gains"]["pairs, paper's P"].astype(int) for year in YEARS}
    equal = tables["Web Track 2009, binary gains"]["pairs, equal P"].astype(int)
    required = tables["Web Track 2009, binary gains"]["required, paper's P"].astype(float)
    first = pairs["2009"]
    below = {year: _below(found) for year, found in pairs.items()}
    nd, q = "D#-nDCG@10", "D#-Q@10"
    same = [year for year, found in pairs.items() if found.nunique() == 1]
    return {
        **{f"power_{short_name}": str(first[name]) for name, short_name in NAMES.items()},
        "power_equal_nd": str(equal[nd]),
        "power_equal_ia": str(equal[IA]),
        "power_q_share": f"{100 * first[q] / 21:.1f}",
        "required_span": span(required, 3),
        "power_all_same": listed(same),
        "power_below": listed(
            f"in {year} {' and '.join(f'{name} {own} against {part}' for name, own, part in found)}"
            for year, found in below.items()
            if found
        ),
        "power_2010_first": pairs["2010"].index[0],
        "power_idiv_verdict": verdict(above for found in pairs.values() for above in _above(found)),
        "power_others": "; ".join(
            f"{year} {pairs[year][q]} and {pairs[year][nd]} against {pairs[year][ALPHA]} and {pairs[year][IA]}"
            for year in YEARS
        ),
        "power_others_verdict": verdict(min(found[q], found[nd]) >= found[ALPHA] for found in pairs.values()),
    }


def _of_reachable() -> dict[str, str]:
    """Of the most that a list reaches: reachable_tables.md."""
    tables = read_tables(HERE / "reachable_tables.md")
    nd, q = "D#-nDCG@10", "D#-Q@10"
    most = tables["The most that a list reaches"].set_index("measure", append=True).astype(float)
    least = {name: most.xs(name, level=1)["least"] for name in (nd, q)}
    mean = {name: most.xs(name, level=1)["mean"] for name in (nd, q)}
    raised, other, changed, powers = [], [], [], []
    for year in YEARS:
        parts = {
            name.partition(" / ")[2]: table for name, table in tables.items() if name.startswith(f"Web Track {year}")
        }
        means = parts["Means"].astype(float)
        raised += [float((means[f"{name}, reachable"] - means[f"{name}, each"]).max()) for name in (nd, q)]
        taus = parts["Tables 2 to 4: tau / tau_ap"].set_index(["ideal", "with"], append=True)
        for name in (nd, q):
            own = _taus(taus.loc[name, "reachable", "each, same gamma"])
            changed += [f"{name} with gamma {gamma} in {year}" for gamma, tau in own.items() if tau < 1]
            for against in (ALPHA, IA):
                pair = [_taus(taus.loc[name, ideal, against]) for ideal in ("each", "reachable")]
                other += [
                    f"{name} with {against} in {year} ({short(pair[0][gamma])} and {short(pair[1][gamma])})"
                    for gamma in pair[0]
                    if pair[0][gamma] != pair[1][gamma]
                ]
        pairs = next(table for name, table in parts.items() if name.startswith("Table 5"))
        pairs = pairs.set_index("ideal", append=True).astype(int)
        powers += [pairs.loc[name, "each"].equals(pairs.loc[name, "reachable"]) for name in (nd, q)]
    return {
        "reach_least": listed(f"{short(least[nd][year], 2)} in {year}" for year in YEARS),
        "reach_mean": span(mean[nd], 3),
        "reach_q_least": short(least[q].min(), 3),
        "reach_raised": short(max(raised), 3),
        "reach_changed": listed(changed or ["nothing"]),
        "reach_other": listed(other or ["nothing"]),
        "reach_power": "the same numbers" if all(powers) else "other numbers",
    }


def _of_clicks() -> dict[str, str]:
    """Of gamma from clicks: gamma_from_clicks_tables.md."""
    tables = read_tables(HERE / "gamma_from_clicks_tables.md")
    planted = _find(tables, "gamma planted and found").astype(float).loc[["0.2", "0.5", "0.8"]]
    users = _find(tables, "Users with one intent each")
    paper, equal = (users.loc[name] for name in ("the P of the paper", "intents equally likely"))
    errors = users[["rmse at it", "at .5", "at 0", "at 1"]].astype(float)
    half = {
        "if intents have the paper's probabilities": errors.iloc[0],
        "if they are equally likely": errors.iloc[1],
    }
    return {
        "clicks_found": listed(
            f"{short(float(row['mean found']))} for {short(float(gamma), 1)}" for gamma, row in planted.iterrows()
        ),
        "clicks_sd": span(planted["sd"], 3),
        "clicks_error": span(planted["by topic: mean error"]),
        "clicks_error_90": span(planted["by topic: error, 90%"]),
        **{
            f"clicks_gamma_{name}": f"{short(float(row['gamma']), 2)} "
            f"[{', '.join(short(float(end), 2) for end in row['95% over topics'].split(' to '))}]"
            for name, row in (("paper", paper), ("equal", equal))
        },
        "clicks_users": span(users["gamma"].astype(float), 3),
        "clicks_rmse_half": listed(short(value) for value in errors["at .5"]),
        "clicks_rmse_best": listed(short(value) for value in errors["rmse at it"]),
        "clicks_rmse_alone": span(errors[["at 0", "at 1"]].to_numpy().ravel(), 3),
        "clicks_half_where": where(
            {name: bool(row["at .5"] < min(row["at 0"], row["at 1"])) for name, row in half.items()},
            "in both cases",
            "in neither case",
            "",
        ).strip(),
    }


def _taus(row: pd.Series) -> dict[str, float]:
    """Gamma -> tau."""
    return {short(float(column.partition("=")[2]), 1): _tau(row[column]) for column in GAMMAS}


def _below(pairs: pd.Series) -> list[tuple[str, int, int]]:
    """Combinations that find fewer pairs than a component: name, pairs, pairs of the component."""
    found = []
    for part in ("nDCG", "Q"):
        most = max(pairs[f"D-{part}@10"], pairs["I-rec@10"])
        if pairs[f"D#-{part}@10"] < most:
            found.append((f"D#-{part}", int(pairs[f"D#-{part}@10"]), int(most)))
    return found


def _above(pairs: pd.Series) -> list[bool]:
    """Whether each combination finds more pairs than both of its components."""
    parts = (("D#-nDCG@10", "D-nDCG@10"), ("D#-Q@10", "D-Q@10"))
    return [pairs[whole] > max(pairs[part], pairs["I-rec@10"]) for whole, part in parts]


def _parts(tables: dict[str, pd.DataFrame], heading: str) -> dict[str, pd.DataFrame]:
    """The tables below a heading, by the first words of their own."""
    names = ("Tables 2 and 3", "Table 4", "tau / tau_ap between", "Figure 1", "Figure 3")
    below = {name.partition(" / ")[2]: table for name, table in tables.items() if name.startswith(heading)}
    return {name: next(table for title, table in below.items() if title.startswith(name)) for name in names}


def _find(tables: dict[str, pd.DataFrame], start: str) -> pd.DataFrame:
    return next(table for name, table in tables.items() if name.startswith(start))


def _gammas(table: pd.DataFrame, column: str, measure: str, other: str) -> list[float]:
    """tau of a row, from gamma 0 to 1."""
    return [_tau(cell) for cell in table.loc[[measure]].set_index(column).loc[other, GAMMAS]]


def _cells(table: pd.DataFrame, which: int) -> list[float]:
    """tau (0) or tau_ap (1) in all columns of gamma."""
    columns = [column for column in table.columns if column.startswith("gamma=")]
    return [float(cell.split(" / ")[which]) for cell in table[columns].to_numpy().ravel()]


def _tau(cell: str) -> float:
    return float(cell.split(" / ", maxsplit=1)[0])


def _tau_ap(cell: str) -> float:
    return float(cell.split(" / ")[1])


def _falls(values: Sequence[float]) -> bool:
    """Whether no value is above the one before it."""
    return all(later <= earlier for earlier, later in itertools.pairwise(values))


def _best_at_large(values: Sequence[float]) -> bool:
    """Whether the values at gamma .8 and 1 are no lower than any at a smaller gamma."""
    return min(values[-2:]) >= max(values[:-2])


def _agreement(path: Path, year: str) -> str:
    """Of how many topics figure 3 says that all three measures agree."""
    text = path.read_text(encoding="utf-8").partition(f"## Web Track {year}, binary gains")[2]
    agreed = text.partition("All three agree on ")[2].partition(" ")[0]
    topics = text.partition(" topics\n\n| measure | other")[0].rpartition(" on ")[2]
    return f"{agreed} of {topics}"

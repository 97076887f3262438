"""Numbers and words of README.md, from the tables and means of reproduce.py and simulated.py."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from prose import claim, listed, read_tables, short, span, together, verdict

HERE = Path(__file__).resolve().parent
MATRICES = ("robust2004_ap", "robust2004_ndcg", "terabyte2006_ap", "terabyte2006_ndcg")
STANDARDIZED = ["E", "N", "U", "z"]

Tables = Mapping[str, pd.DataFrame]


def compute_cells() -> dict[str, str]:
    """Cells of the tables: ``within.tau_b.E.robust2004_ap``, ``simulated.power_within.E.ap_vine``, ``hard.ap``, ..."""
    tables = read_tables(HERE / "results.md")
    return {**_means(tables), **_further(tables), **_simulated(), **_figures()}


def compute_words() -> dict[str, str]:
    """Values that are used each: name -> text."""
    tables = read_tables(HERE / "results.md")
    means = pd.read_csv(HERE / "figures_2_3.csv")
    return {
        **_agreement(means),
        **_alike(means),
        **_topics(tables),
        **_power(tables, means),
        **_stable(means),
        **_covid(),
        **_few(tables),
    }


def _means(tables: Tables) -> dict[str, str]:
    """Ours of the main tables, and lists over the four matrices."""
    found: dict[str, str] = {}
    for design in ("within", "between"):
        table = _start(tables, f"{design}, ours").reset_index().set_index(["scheme", "scores"])
        for scheme in table.index.unique("scheme"):
            for statistic in table.columns:
                cells = {name: short(_first(table.loc[(scheme, name), statistic]), 4) for name in MATRICES}
                found |= together(f"{design}.{statistic}.{scheme}", cells)
    return found


def _further(tables: Tables) -> dict[str, str]:
    """TREC-COVID: ``covid.between.tau_b.E.nDCG``."""
    found: dict[str, str] = {}
    for name, table in tables.items():
        design = name.rpartition(" / ")[2]
        if not name.partition(" / ")[2].startswith("Further") and not name.startswith("Further"):
            continue
        for (scores, scheme), row in table.reset_index().set_index(["scores", "scheme"]).iterrows():
            measure = scores.removeprefix("covid_").partition("@")[0]
            for statistic, cell in row.items():
                found[f"covid.{design}.{statistic}.{scheme}.{measure}"] = short(float(cell.split(" ")[0]))
    return found


def _simulated() -> dict[str, str]:
    """simulated.md: ``simulated.between.tau_b.E.ap.vine``, ``exception.ap.all_topics``."""
    study, exception = read_tables(HERE / "simulated.md").values()
    columns = {"within.power": "power .05", "between.tau_b": "between: tau_b"}
    found: dict[str, str] = {}
    for _, row in study.reset_index().iterrows():
        measure, kind = re.fullmatch(r"terabyte2006_(\w+),.* (\w+)", row["scores"]).groups()  # type: ignore[union-attr]
        for name, column in columns.items():
            cell = row[column].iloc[0] if isinstance(row[column], pd.Series) else row[column]
            found[f"simulated.{name}.{row['scheme']}.{measure}.{kind}"] = short(float(cell))
    for _, row in exception.reset_index().iterrows():
        what = re.sub(r"\W+", "_", row["what"])
        value = float(row["E - raw"])
        measure = row["scores"].removeprefix("terabyte2006_")
        found[f"exception.{measure}.{what}"] = short(value)
        found[f"exception.{measure}.{what}.signed"] = f"{'+' if value > 0 else ''}{short(value)}"
    return found | {"exception.errors": span(exception["se"].astype(float), 3)}


def _figures() -> dict[str, str]:
    """How far the means of each row of figures 2 and 3 are from print, in standard errors: ``errors.within.tau_b``."""
    means = pd.read_csv(HERE / "figures_2_3.csv")
    found: dict[str, str] = {}
    for (design, statistic), rows in means.groupby(["design", "statistic"]):
        errors = rows["standard_errors"].abs().dropna()
        if len(errors):
            found[f"errors.{design}.{statistic}"] = f"{errors.max():.1f}"
            found[f"errors.{design}.{statistic}.means"] = str(len(errors))
            found[f"errors.{design}.{statistic}.above_2"] = str((errors > 2).sum())
    return found


def _agreement(means: pd.DataFrame) -> dict[str, str]:
    """How far our means are from the published ones."""
    text = (HERE / "results.md").read_text(encoding="utf-8")
    said = re.search(r"([\d,]+) means; the largest difference is ([\d.]+).* (\d+) exceed 2, of (\d+) to expect", text)
    assert said is not None
    errors = means.assign(size=means["standard_errors"].abs()).dropna(subset="size")
    large = errors[errors["size"] > 2.5]
    raw = (large["scheme"] == "raw") & (large["design"] == "between") & large["scores"].str.startswith("terabyte2006")
    return {
        "type_1_verdict": verdict([_type_1_off() <= 0.15]),
        "means_compared": said[1],
        "largest_error": said[2],
        "errors_above_2": said[3],
        "errors_expected": said[4],
        "largest_of_raw": claim(
            f"the {len(large)} largest, all above 2.5, are power and Type I of *raw* scores",
            (raw & large["statistic"].isin(["power", "type_1"])).all(),
        ),
    }


def _type_1_off() -> float:
    """The largest difference of a rate of Type I errors from its level, as a share of the level."""
    found = re.search(r"its level.* is (\d+)%", (HERE / "results.md").read_text(encoding="utf-8"))
    assert found is not None
    return float(found[1]) / 100


def _alike(means: pd.DataFrame) -> dict[str, str]:
    """How far U and z are from each other."""
    wide = means.pivot_table(
        index=["design", "statistic", "scores", "alpha"], columns="scheme", values="mean", dropna=False
    )
    wide = wide.dropna(how="all")
    apart = (wide["U"] - wide["z"]).abs()
    return {
        "alike_verdict": verdict([apart.loc["within"].max() <= 0.005]),
        "alike_between_verdict": verdict([apart.loc["between"].max() <= 0.005]),
        "alike": short(apart.max(), 4),
        "alike_tau": short(apart.loc[("between", "tau_b")].max(), 4),
        "alike_tau_ap": short(apart.loc[("between", "tau_ap_b")].max(), 4),
    }


def _topics(tables: Tables) -> dict[str, str]:
    """Means and standard deviations of topics."""
    table = tables["Figure 1: means and standard deviations of topics"].reset_index().set_index(["scheme", "scores"])
    ends = {scheme: _ends(table.loc[(scheme, "terabyte2006_ap"), "mean of a topic"]) for scheme in "ENU"}
    all_e = [_ends(cell)[1] for cell in table.loc["E", "mean of a topic"]]
    others = [*ends["N"], *ends["U"]]
    return {
        "e_mean_most": claim(short(ends["E"][1]), ends["E"][1] == max(all_e)),
        "e_sd_least": short(_ends(table.loc[("E", "terabyte2006_ap"), "sd of a topic"])[0]),
        "covid_runs_and_topics": next(
            re.findall(r"round 5, (.* topics)", name)[0] for name in tables if "round 5" in name
        ),
        "others_mean": f"{short(min(others))} and {short(max(others))}",
        "type_1_off": str(re.search(r"its level.* is (\d+%)", (HERE / "results.md").read_text(encoding="utf-8"))[1]),  # type: ignore[index]
    }


def _power(tables: Tables, means: pd.DataFrame) -> dict[str, str]:
    """Which schemes have more power than raw scores, and how much more."""
    levels = _start(tables, "What the figures are said to show").reset_index().set_index(["scores", "design"])
    within, between = (levels.xs(design, level="design") for design in ("within", "between"))
    power = means[(means["statistic"] == "power") & (means["design"] == "within")]
    published = power.pivot_table(index=["scores", "alpha"], columns="scheme", values="published")
    ours = power.pivot_table(index=["scores", "alpha"], columns="scheme", values="mean")
    more = (published["U"] > published["raw"]).groupby("scores").sum()
    robust = ours.loc["robust2004_ap"]
    less = robust.index[robust["E"] < robust["raw"]]
    at = ours.xs(0.05, level="alpha")
    change = (at[STANDARDIZED].div(at["raw"], axis=0) - 1).abs().max(axis=None)
    counts = within[STANDARDIZED].astype(int)
    only = [name for name in MATRICES if (counts.loc[name] == 19).all()]
    most = ours[["raw", *STANDARDIZED]].idxmax(axis=1).groupby("scores").agg(lambda names: names.mode()[0])
    ahead = at[["N", "E"]].min(axis=1) > at[["U", "z"]].max(axis=1)
    twice = [ratio >= 1.75 for level in (0.001, 0.01, 0.05) for ratio in _times(means, level)]
    return {
        "more_verdict": verdict((counts == 19).to_numpy().ravel()),
        "outperformed_verdict": verdict([*(most == "E"), *ahead]),
        "twice_verdict": verdict(twice),
        "more_only": claim("only on Robust 2004 with nDCG", only == ["robust2004_ndcg"]),
        "more_z_robust": str(counts.loc["robust2004_ap", "z"]),
        "more_u_robust": listed([str(more["robust2004_ap"]), str(counts.loc["robust2004_ap", "U"])]).replace(
            "and", "or"
        ),
        "more_e_robust": str(counts.loc["robust2004_ap", "E"]),
        "more_z_terabyte": str(counts.loc["terabyte2006_ap", "z"] or "none"),
        "more_u_terabyte": str(counts.loc["terabyte2006_ap", "U"]),
        "more_n_terabyte": str(counts.loc["terabyte2006_ap", "N"]),
        "e_most_everywhere": claim(
            "at every level on Terabyte 2006", (within.loc[list(MATRICES[2:]), "E the most"] == "19").all()
        ),
        "n_most": claim("N-std has the most at every level", (robust.idxmax(axis=1) == "N").all()),
        "less_from": claim(
            short(less.min(), 2), list(less) == [level for level in robust.index if level >= less.min()]
        ),
        "power_change": claim("5%", change <= 0.05),
        "more_between": claim("at every level", (between[STANDARDIZED].astype(int) == 19).all(axis=None)),
        **{
            f"times_{name}": span(_times(means, level), 1)
            for name, level in (("001", 0.001), ("01", 0.01), ("05", 0.05))
        },
    }


def _times(means: pd.DataFrame, level: float) -> pd.Series:
    """Power of E over that of raw scores between collections."""
    rows = means[(means["statistic"] == "power") & (means["design"] == "between") & (means["alpha"] == level)]
    wide = rows.pivot_table(index="scores", columns="scheme", values="mean")
    return wide["E"] / wide["raw"]


def _stable(means: pd.DataFrame) -> dict[str, str]:
    """By how much N is more stable than E between collections."""
    tau = means[(means["design"] == "between") & (means["statistic"] == "tau_b")]
    wide = tau.pivot_table(index="scores", columns="scheme", values="mean")
    least = means[(means["design"] == "within") & means["statistic"].isin(["tau_b", "tau_ap_b", "r"])]
    within = least.pivot_table(index=["statistic", "scores"], columns="scheme", values="mean")
    ahead = (wide["N"] - wide["E"]).drop("terabyte2006_ndcg")
    return {
        **_between(means),
        "least_verdict": verdict(within.idxmin(axis=1) == "E"),
        "most_stable_verdict": verdict(wide.idxmax(axis=1) == "E"),
        "least_like_raw": claim(
            "E-std's means are ordered least like raw means, then N-std's",
            within.drop(columns="raw").apply(lambda row: list(row.sort_values().index[:2]) == ["E", "N"], axis=1).all(),
        ),
        "e_most_stable_on": claim(
            "only on Terabyte with nDCG",
            wide.idxmax(axis=1).eq("E").sum() == 1 and wide.loc["terabyte2006_ndcg"].idxmax() == "E",
        ),
        "n_ahead": claim(span(ahead, 4), (ahead > 0).all()),
        "e_ordered_least": claim("the lowest of each", (within.idxmin(axis=1) == "E").all()),
    }


def _between(means: pd.DataFrame) -> dict[str, str]:
    """Stability between collections against that of raw scores, by each correlation."""
    rows = means[(means["design"] == "between") & means["statistic"].isin(["r", "tau_b", "tau_ap_b"])]
    wide = rows.pivot_table(index=["statistic", "scores"], columns="scheme", values="mean")
    above = wide[STANDARDIZED].gt(wide["raw"], axis=0)
    tau, tau_ap, r = (above.loc[statistic] for statistic in ("tau_b", "tau_ap_b", "r"))
    robust = tau_ap.index.str.startswith("robust")
    numbers = ("none", "one", "two", "three", "four")
    return {
        "stable_verdict": verdict(tau.to_numpy().ravel()),
        "stable_tau": claim(
            "By τ_b, N-std and E-std are above raw scores on all four\n  matrices; U-std and z-std are below on two.",
            tau[["N", "E"]].all(axis=None) and list((~tau[["U", "z"]]).sum()) == [2, 2],
        ),
        "stable_tau_ap": claim(
            "E-std and N-std are above raw scores on Robust 2004 and below on Terabyte 2006",
            tau_ap.loc[robust, ["E", "N"]].all(axis=None) and not tau_ap.loc[~robust, ["E", "N"]].any(axis=None),
        ),
        "less_by_r": f"{numbers[(~r['E']).sum()]} of {numbers[len(r)]}",
    }


def _covid() -> dict[str, str]:
    """Whether E is more stable than raw scores on TREC-COVID with nDCG and ERR, and not with RBP."""
    means = pd.read_csv(HERE / "covid.csv")
    rows = means[(means["design"] == "between") & (means["statistic"] == "tau_b")]
    wide = rows.pivot_table(index="scores", columns="scheme", values="mean")
    more = wide["E"] > wide["raw"]
    held = more.drop("covid_RBP").all() and not more["covid_RBP"]
    return {"covid_stable": claim("E-std is more stable", held)}


def _few(tables: Tables) -> dict[str, str]:
    """Factors learnt from few systems."""
    table = _start(tables, "Future work: factors learnt from few systems").reset_index().set_index("learnt from")
    columns = ("E: tau_b", "N: tau_b", "E: tau_ap,b", "E: largest difference")
    rows = {size: [span([_first(cell) for cell in table.loc[size, column]], 3) for column in columns]
            for size in ("5", "10", "20", "40")}  # fmt: skip
    tau = {scheme: {size: table.loc[size, f"{scheme}: tau_b"].map(_first).mean() for size in rows} for scheme in "EN"}
    return {
        "few_times": claim(
            "four times as many as N-std",
            abs(tau["E"]["40"] - tau["N"]["10"]) < 0.005 > tau["E"]["20"] - tau["N"]["10"],
        ),
        "few_rows": "\n".join(f"| {size} | {' | '.join(cells)} |" for size, cells in rows.items()),
        "few_worst": span([_first(cell) for cell in table.loc["20", columns[-1]]], 2),
    }


def _start(tables: Tables, words: str) -> pd.DataFrame:
    return next(
        table
        for name, table in tables.items()
        if any(part.startswith(words) for part in name.split(" / ")) or words in name
    )


def _first(cell: str) -> float:
    return float(cell.split(" ", maxsplit=1)[0])


def _ends(cell: str) -> list[float]:
    return [float(end) for end in cell.split(" to ")]

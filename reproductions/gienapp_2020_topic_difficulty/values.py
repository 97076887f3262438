"""Numbers and verdicts in the prose of this folder, from the tables of its scripts."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from claims_values import compute_claims  # noqa: E402
from difficulty_cells import compute_cells  # noqa: E402
from difficulty_verdicts import compute_verdicts  # noqa: E402

from prose import claim, listed, read_tables, short, span, verdict  # noqa: E402

__all__ = ["compute_cells", "compute_values"]

SELECTED = "Phi of nDCG@10 on the half of the systems that did not choose, means of 20 divisions"


def compute_values() -> dict[str, str]:
    """Compute every value: name -> text."""
    table = read_tables(HERE / "predictors.md")[SELECTED].reset_index()
    ease, greedy, mean = (table[name].astype(float) for name in ("by ease", "greedy by Phi", "random"))
    most = table["random, 2.5% to 97.5%"].str.split(" to ").str[1].astype(float)
    ten = table[table["topics"] == "10"]
    return {
        **_of_halves(),
        **_of_estimates(),
        **compute_claims(),
        **compute_verdicts(),
        "phi_where": claim("on all three collections", (ease > mean).all()),
        "phi_ease": listed(short(float(value)) for value in ten["by ease"]),
        "phi_random": listed(short(float(value)) for value in ten["random"]),
        "phi_greedy": listed(short(float(value)) for value in ten["greedy by Phi"]),
        "ease_verdict": verdict([*(ease > mean), *(ease > most), *(ease >= greedy)]),
        "ease_above_mean": f"{(ease > mean).sum()} of {len(table)}",
        "ease_above_range": f"{(ease > most).sum()} of {len(table)}",
        "greedy_better": listed(dict.fromkeys(table["collection"][greedy > ease])),
    }


def _of_halves() -> dict[str, str]:
    """Of two halves of the systems: comparability.md."""
    table = next(
        table for name, table in read_tables(HERE / "comparability.md").items() if name.startswith("Two halves")
    )
    rows = table.reset_index().set_index(["halves", "estimate"])

    def row(halves: str, estimate: str, column: str, digits: int = 2) -> str:
        return listed(short(float(cell), digits) for cell in rows.loc[(halves, estimate), column])

    def changed(halves: str, estimate: str) -> str:
        cells = rows.loc[(halves, estimate), "classes that change"]
        return f"{listed(cell.rstrip('%') for cell in cells)}%"

    ease, aap = (rows.loc[("random", name), "tau_b"].astype(float).to_numpy() for name in ("ease", "average AP"))
    estimates = {"ease": "ease", "aap": "average AP", "mean": "mean NDCG_std", "anchored": "anchored ease"}
    anchored = [float(cell.rstrip("%")) for cell in rows.loc[("random", "anchored ease"), "classes that change"]]
    moved = [float(cell.rstrip("%")) for cell in rows.loc[("random", "ease above the baseline"), "classes that change"]]
    return {
        "better_only": claim("only on Web 2012", list(table.index.unique()[ease > aap]) == ["Web 2012"]),
        "changed_anchored_three": f"{min(anchored[:-1])} to {max(anchored[:-1])}%",
        "changed_anchored_web": f"{anchored[-1]}%",
        "less_comparable": f"{(ease < aap).sum()} of {len(ease)}",
        **{f"halves_{name}": row("random", estimate, "tau_b") for name, estimate in estimates.items()},
        "halves_baseline": row("random", "ease above the baseline", "tau_b"),
        **{f"changed_{name}": changed("random", estimates[name]) for name in ("ease", "aap", "anchored")},
        "changed_baseline": f"{min(moved)} to {max(moved)}%",
        "changed_worse": changed("better and worse", "ease"),
        **{f"kappa_{name}": row("random", estimates[name], "kappa") for name in ("ease", "anchored")},
        **{f"shift_{name}": row("better and worse", estimates[name], "mean shift") for name in ("ease", "anchored")},
    }


def _of_estimates() -> dict[str, str]:
    """Of the estimates of section 2: predictors.md."""
    table = next(table for name, table in read_tables(HERE / "predictors.md").items() if name.startswith("Estimates"))
    smare = table.reset_index().set_index(["estimate", "collection"])["sMARE"].astype(float)
    covid, dl, web = (smare[:, name] for name in ("TREC-COVID round 5", "DL 2019", "Web 2012 baselines"))
    judged = [each[name] for each in (covid, dl) for name in ("aap", "median_ap")]
    return {
        "smare_covid": short(covid["-aslam_pavlu"]),
        "smare_dl": short(dl["-aslam_pavlu"]),
        "smare_web": short(web["-aslam_pavlu"]),
        "smare_web_aap": short(web["aap"]),
        "smare_ap": span(judged, 3),
        "smare_shtok": listed(short(each["shtok"]) for each in (covid, dl, web)),
        "smare_perez": listed(short(each["perez_iglesias"]) for each in (covid, dl, web)),
    }

"""Scores of runs with holes whose truth is known: teams taken out of the pool, half of the teams, and real holes.

    python reproductions/scores_under_holes/reproduce.py

writes ``tables.md`` beside this file; README.md says what to make of it. No number is chosen here.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

import cranfield
from cranfield.errors import CranfieldWarning

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import other_methods  # noqa: E402
import splits  # noqa: E402

from real_collections import DATA  # noqa: E402

DRAWS, SEED = other_methods.DRAWS, other_methods.SEED
KEYS = ["measure", "system"]
STUDIES = {
    "each team taken out": splits.team_out,
    "half of the teams judged": splits.half,
    "only the first ranks judged": splits.shallow,
}
COMPARED = ("zero", "condensed", "middle", "bootstrap", "estimate")
OTHERS = ("independent", "experts", "predicted", "mean loss", "split water")
"""Methods that are compared on halves of the teams, beside zero and the estimate."""


def fit(collection: splits.Collection, split: splits.Split) -> cranfield.holes.Holes:
    """The model of a split, with all runs as contributors."""
    return cranfield.estimate_holes(
        {name: collection.runs[name] for name in split.evaluated},
        split.labels,
        contributors=collection.runs,
        teams=dict(collection.team),
        depth=splits.CANDIDATES,
        ignore=collection.unknown,
    )


def score(collection: splits.Collection, split: splits.Split, *, others: bool) -> pd.DataFrame:
    """Truth, zero, condensed, the middle of bounds, the bootstrap and the estimate, each with its interval."""
    measures, names = list(collection.measures), list(split.scored)
    truth = other_methods.score_plainly(collection, names, collection.qrels)
    table = truth.rename(columns={"value": "truth"}).set_index(KEYS)
    completed = collection.without_unknown(split.labels)
    plain = other_methods.score_plainly(collection, names, split.labels)
    table["zero"] = plain.set_index(KEYS)["value"]
    condensed = other_methods.score_plainly(collection, names, completed, unjudged="condense")
    table["condensed"] = condensed.set_index(KEYS)["value"]
    bounds = other_methods.score_plainly(collection, names, completed, bounds=True).set_index(KEYS)["value"].unstack(0)
    for measure in measures:
        middle = (bounds[f"{measure} lower"] + bounds[f"{measure} upper"]) / 2.0
        table.loc[measure, "middle"] = middle.reindex(table.loc[measure].index).to_numpy()
    fitted = fit(collection, split)
    methods = {"estimate": fitted.evaluate(measures, draws=DRAWS, seed=SEED).table.reset_index()}
    methods["bootstrap"] = other_methods.bootstrap(collection, split)
    if others:
        methods["independent"] = other_methods.draw_independently(fitted, split, measures)
        methods["experts"] = other_methods.weigh_experts(fitted, split, measures)
        table["predicted"] = other_methods.predict_labels(collection, split, fitted).set_index(KEYS)["value"]
        table["split water"] = other_methods.split_water(collection, split).set_index(KEYS)["value"]
        table["mean loss"] = other_methods.add_mean_loss(collection, split, plain).set_index(KEYS)["value"]
    for name, found in methods.items():
        columns = found.set_index(KEYS)[["estimate", "lower", "upper"]]
        table[[name, f"{name} lower", f"{name} upper"]] = columns
    # Below rank 100 of AP, unjudged documents would be dropped, which the collection itself never judged.
    table.loc[[name.partition("(")[0] == "AP" for name, _ in table.index], ["condensed", "middle"]] = np.nan
    return table.reset_index()


def study(collection: splits.Collection, name: str) -> pd.DataFrame:
    """All splits of a study, with a column of their number."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CranfieldWarning)
        tables = [
            score(collection, split, others=name.startswith("half")).assign(split=number)
            for number, split in enumerate(STUDIES[name](collection))
        ]
    return pd.concat(tables, ignore_index=True)


def study_average_precision(collection: splits.Collection) -> pd.DataFrame:
    """Zero and the estimate of AP alone in each study, a block of draws at a time: whole lists take gigabytes."""
    ap = replace(collection, measures=["AP"])
    rows = []
    with warnings.catch_warnings(), ThreadPoolExecutor(1) as executor:
        warnings.simplefilter("ignore", CranfieldWarning)
        for name, make_splits in STUDIES.items():
            tables = []
            for number, split in enumerate(make_splits(ap)):
                names = list(split.scored)
                truth, zero = (other_methods.score_plainly(ap, names, labels) for labels in (ap.qrels, split.labels))
                table = truth.rename(columns={"value": "truth"}).set_index(KEYS)
                table["zero"] = zero.set_index(KEYS)["value"]
                found = fit(ap, split).evaluate("AP", draws=DRAWS, seed=SEED, executor=executor).table.reset_index()
                columns = found.set_index(KEYS)[["estimate", "lower", "upper"]]
                table[["estimate", "estimate lower", "estimate upper"]] = columns
                tables.append(table.reset_index().assign(split=number))
            runs = pd.concat(tables, ignore_index=True)
            row = {
                "study": name,
                "runs": len(runs),
                **{column: _error(runs, column) for column in ("zero", "estimate")},
            }
            row |= {"bias": float((runs["estimate"] - runs["truth"]).mean()), "covered": _covered(runs, "estimate")}
            rows.append(row | {f"tau {column}": _tau(runs, column) for column in ("zero", "estimate")})
    return pd.DataFrame(rows)


def describe_average_precision(data: Path) -> str:
    """The table of AP on TREC-COVID, whose runs are too many for AP beside the other measures."""
    collection = splits.covid(data)
    return f"## {collection.name}, AP\n\n{_print(study_average_precision(collection))}"


def describe_joint_orders(data: Path) -> str:
    """Kendall's tau of nDCG@10 with the truth over the runs of all halves together, where a run may be there twice."""
    rows = []
    for read in splits.COLLECTIONS:
        collection = replace(read(data), measures=["nDCG@10"])
        tables = []
        for split in splits.half(collection):
            names, completed = list(split.scored), collection.without_unknown(split.labels)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CranfieldWarning)
                scored = {
                    "truth": other_methods.score_plainly(collection, names, collection.qrels),
                    "zero": other_methods.score_plainly(collection, names, split.labels),
                    "condensed": other_methods.score_plainly(collection, names, completed, unjudged="condense"),
                }
            tables.append(pd.DataFrame({name: table["value"] for name, table in scored.items()}))
        runs = pd.concat(tables)
        taus = {f"tau {name}": kendalltau(runs[name], runs["truth"]).statistic for name in ("zero", "condensed")}
        rows.append({"collection": collection.name, "runs": len(runs), **taus})
    return f"## nDCG@10, halves of the teams, all runs in one order\n\n{_print(pd.DataFrame(rows))}"


def summarize(table: pd.DataFrame) -> pd.DataFrame:
    """Root mean squared errors over runs, the bias of the estimate, and the share of intervals that hold the truth."""
    rows = []
    for measure, runs in table.groupby("measure", sort=False):
        row = {"measure": measure, "runs": len(runs)}
        row |= {name: _error(runs, name) for name in COMPARED}
        row["bias"] = float((runs["estimate"] - runs["truth"]).mean())
        row["covered"] = _covered(runs, "estimate")
        row["bootstrap covers"] = _covered(runs, "bootstrap")
        rows.append(row | {f"tau {name}": _tau(runs, name) for name in ("zero", "condensed", "estimate")})
    return pd.DataFrame(rows)


def summarize_others(table: pd.DataFrame) -> pd.DataFrame:
    """Errors of the other methods, and the coverage of those that have intervals."""
    rows = []
    for measure, runs in table.groupby("measure", sort=False):
        row = {"measure": measure, "runs": len(runs)}
        row |= {name: _error(runs, name) for name in ("zero", "estimate", *OTHERS)}
        rows.append(row | {f"{name} covers": _covered(runs, name) for name in ("estimate", "independent", "experts")})
    return pd.DataFrame(rows)


def _error(runs: pd.DataFrame, name: str) -> float:
    return float(np.sqrt(((runs[name] - runs["truth"]) ** 2).mean(skipna=False)))


def _covered(runs: pd.DataFrame, name: str) -> float:
    lower, upper = runs[f"{name} lower"], runs[f"{name} upper"]
    if lower.isna().any():
        return float("nan")
    return float(((lower <= runs["truth"] + 1e-12) & (runs["truth"] <= upper + 1e-12)).mean())


def _tau(runs: pd.DataFrame, name: str) -> float:
    """Kendall's tau with the truth: of all runs where each is scored once, else the mean over splits."""
    if runs[name].isna().any():
        return float("nan")
    parts = [runs] if not runs["system"].duplicated().any() else [part for _, part in runs.groupby("split")]
    return float(np.mean([kendalltau(part[name], part["truth"]).statistic for part in parts]))


def real_holes(data: Path) -> Iterator[tuple[str, pd.DataFrame]]:
    """The three dense runs of BEIR's TREC-COVID, with the truth of the later judgments."""
    folder = data / "trec-covid-beir-holes"
    runs = {name: folder / "runs" / f"{name}.run.gz" for name in ("ance", "colbert", "tas-b")}
    truth = cranfield.evaluate(runs, folder / "qrels.complete.txt.gz", "nDCG@10")["nDCG@10"].mean("topic")
    qrels = folder / "qrels.holes.txt.gz"
    fitted = cranfield.estimate_holes(runs, qrels)
    table = fitted.evaluate("nDCG@10", seed=SEED).table
    yield "blind", table.assign(truth=truth.values).reset_index()
    pooled = splits.covid(data)
    teams = {**pooled.team, **{name: name for name in runs}}
    for name, learn_from in (
        (
            "pool, learning from the round of the residual runs",
            data / "trec-covid-round5" / "qrels.covid-round5.txt.gz",
        ),
        ("pool, learning from all judgments", None),
    ):
        by_pool = cranfield.estimate_holes(runs, qrels, contributors=pooled.runs, teams=teams, learn_from=learn_from)
        yield name, by_pool.evaluate("nDCG@10", seed=SEED).table.assign(truth=truth.values).reset_index()
    pairs = fitted.compare_pairs(seed=SEED)
    columns = ("system", "other", "zero", "estimate", "lower", "upper", "prob_better")
    differences = pd.DataFrame([{name: getattr(pair, name) for name in columns} for pair in pairs])
    values = dict(zip(runs, truth.values.tolist(), strict=True))
    differences["truth"] = [values[pair.system] - values[pair.other] for pair in pairs]
    yield "blind, differences", differences


def _print(table: pd.DataFrame) -> str:
    return f"```\n{table.round(4).to_string(index=False, na_rep='')}\n```\n\n"


def tabulate(collection: splits.Collection) -> Iterator[str]:
    """The tables of all studies of a collection."""
    for name in STUDIES:
        table = study(collection, name)
        yield describe(collection.name, name, table)


def describe(collection: str, name: str, table: pd.DataFrame) -> str:
    """The tables of a study."""
    text = f"## {collection}, {name}\n\n{_print(summarize(table))}"
    if not name.startswith("half"):
        return text
    return f"{text}Other methods on the same splits:\n\n{_print(summarize_others(table))}"


def describe_real_holes(data: Path) -> str:
    """The tables of BEIR's TREC-COVID."""
    return "".join(f"## BEIR's TREC-COVID, {name}\n\n{_print(table)}" for name, table in real_holes(data))


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the collections")
    options = parser.parse_args()
    parts = [text for read in splits.COLLECTIONS for text in tabulate(read(options.data))]
    parts += [describe_average_precision(options.data), describe_joint_orders(options.data)]
    parts.append(describe_real_holes(options.data))
    text = "".join(parts).rstrip("\n") + "\n"
    (HERE / "tables.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

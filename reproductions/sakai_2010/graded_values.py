"""Numbers and words of graded.md, from the tables of graded.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from prose import listed, read_tables, short, span, where

HERE = Path(__file__).resolve().parent
SHARP, D, IA, RBU, ALPHA = "D#-nDCG@10", "D-nDCG@10", "nDCG-IA@10", "RBU@10", "alpha-nDCG@10"
TAKE_GRADES = {SHARP: "sharp", D: "d", IA: "ia", RBU: "rbu"}
KINDS = ("binary", "graded")
EVERYWHERE, NOWHERE = "on every collection", "on none of the collections"

Tables = Mapping[str, pd.DataFrame]


def of_graded() -> dict[str, str]:
    """Compute every value: name -> text."""
    tables = read_tables(HERE / "graded_tables.md")
    names = list(dict.fromkeys(key.partition(" / ")[0] for key in tables if key.startswith("Web Track")))
    own = {_called(name): _below(tables, name) for name in names}
    labels = tables["Labels of documents for intents"].astype(int)
    relevant = labels.filter(like="label").sum(axis=1)
    published = [name for name in names if "published" in name]
    pairs = {name: int(_title(tables, name).split("pairs of ")[1].split(",")[0]) for name in names}
    return {
        "graded_systems": listed(name.split(": ")[1].split()[0] for name in published),
        "graded_pairs": listed(str(pairs[name]) for name in published),
        "graded_fours": str(labels.loc["2012", "label 4"]),
        "graded_2012": str(relevant["2012"]),
        "graded_fours_2014": str(labels.loc["2014", "label 4"]),
        "graded_2014": str(relevant["2014"]),
        "graded_columns": " | ".join(f"{_called(name)}, of {pairs[name]}" for name in names),
        "graded_rules": " | ".join(["---"] * len(names)),
        **_of_power({_called(name): found for name, found in pairs.items()}, own),
        **_of_agreement(own),
    }


def _of_power(pairs: Mapping[str, int], own: Mapping[str, Tables]) -> dict[str, str]:
    found = {name: tables["Significant"].filter(like="pairs").astype(int) for name, tables in own.items()}
    required = {name: tables["Significant"].filter(like="required").astype(float) for name, tables in own.items()}
    cases = [(name, measure) for name in own for measure in TAKE_GRADES]

    def counts(holds: Callable[[int, int], bool]) -> int:
        return sum(holds(*found[name].loc[measure, ["pairs, binary", "pairs, graded"]]) for name, measure in cases)

    more, less = counts(lambda binary, graded: graded > binary), counts(lambda binary, graded: graded < binary)
    shares = {case: _loss(found[case[0]].loc[case[1]]) / pairs[case[0]] for case in cases}
    name, measure = max(shares, key=lambda case: shares[case])
    binary, graded = found[name].loc[measure, ["pairs, binary", "pairs, graded"]]
    others = [value for table in required.values() for value in table.drop(index=RBU).to_numpy().ravel()]
    return {
        **{
            f"graded_row_{word}": " | ".join(
                str(table.loc[measure, "pairs, binary"])
                if measure == ALPHA
                else f"{table.loc[measure, 'pairs, binary']} and {table.loc[measure, 'pairs, graded']}"
                for table in found.values()
            )
            for measure, word in (*TAKE_GRADES.items(), (ALPHA, "alpha"))
        },
        "graded_power_sentence": (
            f"**Grades {'add' if more > less else 'do not add'} power.** Of {len(cases)} cases, four measures on "
            f"{len(own)} collections, graded gains find more significant pairs than binary ones in {more or 'none'}, "
            f"fewer in {less}, and as many in {len(cases) - more - less}."
        ),
        "graded_more": str(more or "none"),
        "graded_cases": str(len(cases)),
        "graded_loss": f"{measure.removesuffix('@10')} on {name}, from {binary} to {graded} of {pairs[name]}",
        "graded_sharp_ia": _where_sharp(found, IA),
        "graded_sharp_rbu": _where_sharp(found, RBU),
        "graded_rbu_required": span([value for table in required.values() for value in table.loc[RBU].to_numpy()], 3),
        "graded_required": span(others, 3),
    }


def _of_agreement(own: Mapping[str, Tables]) -> dict[str, str]:
    def cells(one: str, truth: str, kind: str, which: int = 0) -> list[float]:
        return [_cell(tables[f"tau / tau_ap, {kind}"].loc[one, truth], which) for tables in own.values()]

    def row(values: Sequence[float]) -> str:
        return listed(short(value, 2) for value in values)

    changed = {measure: [_cell(tables["tau / tau_ap of"].loc[measure].iloc[0]) for tables in own.values()]
               for measure in TAKE_GRADES}  # fmt: skip
    least = [own_tau >= max(rest) for own_tau, *rest in zip(*changed.values(), strict=True)]
    falls = [
        [graded < binary for binary, graded in zip(cells(measure, ALPHA, "binary"), cells(measure, ALPHA, "graded"),
                                                   strict=True)]
        for measure in TAKE_GRADES
    ]  # fmt: skip
    every = [all(column) for column in zip(*falls, strict=True)]
    closest = [
        max(_cell(tables["tau / tau_ap, binary"].loc[RBU, truth]) for truth in (SHARP, D, IA))
        <= _cell(tables["tau / tau_ap, binary"].loc[RBU, ALPHA])
        for tables in own.values()
    ]
    return {
        **{f"graded_own_{word}": row(changed[measure]) for measure, word in TAKE_GRADES.items()},
        "graded_sharp_least": _where(own, least),
        "graded_alpha_falls": _where(own, every),
        **{f"graded_sharp_alpha_{kind}": row(cells(SHARP, ALPHA, kind)) for kind in KINDS},
        **{f"graded_sharp_alpha_ap_{kind}": row(cells(SHARP, ALPHA, kind, 1)) for kind in KINDS},
        **{f"graded_rbu_alpha_{kind}": row(cells(RBU, ALPHA, kind)) for kind in KINDS},
        "graded_rbu_closest": _where(own, closest),
        **{f"graded_d_ia_{kind}": row(cells(D, IA, kind)) for kind in KINDS},
        "graded_best": _where(own, [tables["Best"].loc[SHARP].nunique() > 1 for tables in own.values()]),
    }


def _where_sharp(found: Tables, other: str) -> str:
    holds = [table.loc[SHARP, "pairs, graded"] >= table.loc[other, "pairs, graded"] for table in found.values()]
    return _where(found, holds)


def _where(names: Mapping[str, object], holds: Sequence[bool]) -> str:
    return where(dict(zip(names, holds, strict=True)), EVERYWHERE, NOWHERE, "on")


def _loss(row: pd.Series) -> int:
    return int(row["pairs, binary"] - row["pairs, graded"])


def _called(name: str) -> str:
    """2011 published, of "Web Track 2011: 7 published systems"."""
    year, _, kind = name.removeprefix("Web Track ").partition(": ")
    return f"{year} {kind.split()[1]}"


def _below(tables: Tables, name: str) -> dict[str, pd.DataFrame]:
    """The tables of a collection, by the first words of their headings."""
    starts = ("Significant", "tau / tau_ap, binary", "tau / tau_ap, graded", "tau / tau_ap of", "Best")
    below = {key.partition(" / ")[2]: table for key, table in tables.items() if key.startswith(f"{name} / ")}
    return {start: next(table for key, table in below.items() if key.startswith(start)) for start in starts}


def _title(tables: Tables, name: str) -> str:
    return next(key for key in tables if key.startswith(f"{name} / Significant"))


def _cell(text: str, which: int = 0) -> float:
    return float(text.split(" / ")[which])

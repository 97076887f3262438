"""Numbers and words of reference_systems.md, from the tables of reference_systems.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from prose import read_tables, span, where

HERE = Path(__file__).resolve().parent
SCHEMES = {"E": "E", "K": "K", "lines": "lines", "N": "N", "U": "U", "z": "z"}
DRAWS, TRIALS, INTERVALS = 10, 200, 12
"""As in reference_systems.py; a test compares them."""


def of_few_systems() -> dict[str, str]:
    """Compute every value: name -> text."""
    numbers = pd.read_csv(HERE / "reference_systems.csv")
    tables = read_tables(HERE / "reference_systems_tables.md")
    least = next(table for name, table in tables.items() if name.startswith("Reference systems from which"))
    few = numbers[numbers["reference"] < numbers["systems"]].set_index(["scheme", "reference", "scores"]).sort_index()
    whole = numbers[numbers["reference"] == numbers["systems"]].set_index(["scheme", "scores"])
    bounded = few.drop(index="z", level="scheme")["type_1"]

    def ahead(column: str) -> dict[int, bool]:
        return {
            int(size): bool((few.loc[("K", size), column] >= few.loc[("E", size), column]).all())
            for size in few.index.unique("reference")
        }

    better = [ahead(column) for column in ("order", "tau_b", "power_between")]
    smaller = [size for size in better[0] if all(held[size] for held in better)]
    return {
        "few_draws": str(DRAWS),
        "few_trials": str(TRIALS),
        "few_intervals": str(INTERVALS),
        "few_table": "\n".join(_row(scheme, least.loc[scheme]) for scheme in SCHEMES),
        "few_type_1": span(bounded, 3),
        "few_type_1_z": span(few.loc["z", "type_1"], 3),
        **{f"few_order_{name}": span(few.loc[(name, 5), "order"], 3) for name in ("E", "K", "lines", "N")},
        "few_nearer": _with(better[0]),
        "few_bias": span(whole.loc["K", "order"], 3),
        "few_stable": _with(better[1]),
        "few_powerful": _with(better[2]),
        **{f"few_power_{name}": span(few.loc[(name, 5), "power_between"], 3) for name in ("E", "K")},
        "few_verdict": (
            f"K is better in all three on all four matrices with {_sizes(smaller)} reference systems, and is a scheme "
            "of `cranfield standardize`; the lines are not"
            if smaller
            else "neither form is better in all three at any number of systems"
        ),
        **_of_coverage(next(table for name, table in tables.items() if name.startswith("95% intervals"))),
    }


def _row(scheme: str, cells: pd.Series) -> str:
    enough = max(cells.iloc[:3], key=_number)
    return f"| {scheme} | {' | '.join([*cells.iloc[:3], enough, cells.iloc[3]])} |"


def _number(cell: str) -> float:
    return float("inf") if cell.startswith("above") else float(cell)


def _with(holds: dict[int, bool]) -> str:
    """For which numbers of reference systems it holds on all four matrices."""
    named = {str(size): held for size, held in holds.items()}
    return where(named, "with every k, on all four matrices", "with no k on all four matrices", "with")


def _sizes(sizes: list[int]) -> str:
    return f"{min(sizes)} to {max(sizes)}"


def _of_coverage(table: pd.DataFrame) -> dict[str, str]:
    sizes = [column for column in table.columns if column != "scheme"]
    held = table.set_index("scheme")[sizes].map(lambda cell: float(cell.split(", ")[0]))
    pick: Callable[[str, str], str] = lambda size, scheme: span(held.loc[scheme, size], 2)  # noqa: E731
    enough = {size: bool((held[size] >= 0.9).all()) for size in sizes}
    return {
        "few_coverage": "\n".join(
            f"| {size} | {' | '.join(pick(size, scheme) for scheme in ('E', 'K', 'N'))} |" for size in sizes
        ),
        "few_coverage_sentence": (
            f"At least .90 hold {where(enough, 'with every k', 'with no k', 'with')} on both and with every scheme."
        ),
    }

"""The sentence with which a table of ``cranfield judges`` begins: how far conclusions depend on who judged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cranfield._text import numeral, percent, shown

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.agreement.ranking_agreement import Agreement

NAMES = 5
"""Systems that a sentence names; of others it has the number."""


def describe_conclusions(agreed: Agreement) -> str:
    """Describe how many conclusions of the reference hold under the closest source, and under the farthest."""
    ordered = agreed.table.sort_values("tau_b", ascending=False, kind="stable", na_position="last")
    ends = [0] if len(ordered) == 1 else [0, -1]
    parts = [_describe_source(ordered, at, shown(agreed.reference) if at == 0 else "it") for at in ends]
    none = "; no difference is significant by the reference" if ordered["kept"].isna().all() else ""
    return f"{'; '.join(parts)}{none}."


def _describe_source(ordered: pd.DataFrame, at: int, reference: str) -> str:
    row, name = ordered.iloc[at], shown(str(ordered.index[at]))
    tau_b = numeral(row["tau_b"], ".3f")
    if len(ordered) > 1:
        name += f", the {'farthest from' if at else 'closest to'} {reference}"
    name += f" (tau_b {tau_b})," if len(ordered) > 1 else f" (tau_b {tau_b} with {reference})"
    if math.isnan(row["kept"]):
        return f"{name} has its own order of systems"
    whose = f"the significant differences by {reference}" if len(ordered) == 1 else "its significant differences"
    return (
        f"{name} keeps {percent(row['kept'])} of {whose}, loses {percent(row['lost'])} and "
        f"reverses {percent(row['reversed'])}"
    )


def describe_label_agreement(table: pd.DataFrame, reference: str) -> str:
    """Describe which judge agrees most with the labels of the reference.

    Args:
        table: ``judge`` is the index; ``equal``, ``kappa`` and ``documents``.
        reference: its name.
    """
    ordered = table.sort_values("kappa", ascending=False, kind="stable", na_position="last")
    row = ordered.iloc[0]
    most = "" if len(ordered) == 1 else f", the most of {len(ordered):,} judges"
    kappa = numeral(row["kappa"], ".3f")
    return (
        f"{shown(str(ordered.index[0]))} gives the label of {shown(reference)} to {percent(row['equal'])} of "
        f"{int(row['documents']):,} documents (kappa {kappa}{most})."
    )


def describe_favour(favour: pd.DataFrame, alpha: float) -> str:
    """Describe which systems a judge significantly favours or disfavours.

    Args:
        favour: rows with ``judge``, ``system``, ``favour`` and ``p_adjusted``.
        alpha: level of significance.
    """
    parts = []
    for judge, rows in favour.groupby("judge", sort=False):
        significant = rows[rows["p_adjusted"] < alpha]
        up, down = (significant[significant["favour"] * sign > 0]["system"].tolist() for sign in (1, -1))
        verdicts = [
            f"{verb} {_name(systems)}" for verb, systems in (("favours", up), ("disfavours", down)) if len(systems)
        ]
        parts.append(f"{shown(str(judge))} {' and '.join(verdicts) or 'favours and disfavours none'}")
    return f"Significantly at {alpha:g}: {'; '.join(parts)}."


def _name(systems: Sequence[str]) -> str:
    names = [shown(str(system)) for system in systems]
    more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    return ", ".join(names[:NAMES]) + more

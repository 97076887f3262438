"""Sentences above and below tables of agreement: how far conclusions depend on who judged, and what is undefined."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cranfield._message import call_setting
from cranfield._text import counted, join_first, numeral, percent, shown

if TYPE_CHECKING:
    import pandas as pd


def describe_conclusions(agreed: Any) -> str:
    """Describe how many conclusions of the reference hold under the closest source, and under the farthest."""
    ordered = agreed.table.sort_values("tau_b", ascending=False, kind="stable", na_position="last")
    ends = [0] if len(ordered) == 1 else [0, -1]
    pairs = agreed.significant
    parts = [_describe_source(ordered, at, shown(agreed.reference) if at == 0 else "it", pairs) for at in ends]
    none = "; no difference is significant by the reference" if ordered["kept"].isna().all() else ""
    return f"{'; '.join(parts)}{none}."


def _describe_source(ordered: pd.DataFrame, at: int, reference: str, pairs: int) -> str:
    row, name = ordered.iloc[at], shown(str(ordered.index[at]))
    tau_b = numeral(row["tau_b"], ".3f")
    if len(ordered) > 1:
        name += f", the {'farthest from' if at else 'closest to'} {reference}"
    name += f" (tau_b {tau_b})," if len(ordered) > 1 else f" (tau_b {tau_b} with {reference})"
    if math.isnan(row["kept"]):
        return f"{name} has its own order of systems"
    differences = counted(pairs, "significant difference")
    whose = f"{differences} by {reference}" if len(ordered) == 1 else f"its {differences}"
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
        f"{shown(str(ordered.index[0]))} agrees with {shown(reference)} on {percent(row['equal'])} of "
        f"{int(row['documents']):,} labels (kappa {kappa}{most})."
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
    return join_first([shown(str(system)) for system in systems])


def describe_remedy() -> str:
    """Advise against conclusions from different documents."""
    return f"keep only what all judges judged ({call_setting('common', True)})"


def describe_test(agreed: Any) -> str:
    """Describe the reference, the number of systems, and the test."""
    settings = agreed.settings
    sizes = f"reference {shown(agreed.reference)}; {counted(len(agreed.ranks), 'system')}"
    return f"{sizes}; test={settings['test']}, {settings['correction']}, alpha={settings['alpha']:g}"


def explain_systems(agreed: Any, *, remedy: str = "", shares: bool = True) -> Iterator[str]:
    """Explain how shares and ranks are to be read.

    Args:
        agreed: the result to explain.
        remedy: advice against leaderboards over different topics.
        shares: whether shares of pairs are shown.
    """
    topics = agreed.topics
    if len(set(map(frozenset, topics.values()))) > 1:
        each = [f"{shown(name)} {len(held):,}" for name, held in topics.items()]
        both = counted(len(frozenset.intersection(*map(frozenset, topics.values()))), "topic")
        note = f"leaderboards over different topics: {join_first(each)}; all have {both} in common"
        yield f"{note}; {remedy}" if remedy else note
    if shares:
        yield from _explain_undefined(agreed, len(topics[agreed.reference]))


def _explain_undefined(agreed: Any, topics: int) -> Iterator[str]:
    """Explain why shares are nan: there is no share of zero pairs."""
    whose = f"{shown(agreed.reference)}, over {counted(topics, 'topic')},"
    parts = {"": ""}
    if "top_kept" in agreed.table:
        parts["top_"] = f" among the {agreed.settings['top']:,} best systems"
    for part, among in parts.items():
        if agreed.table[f"{part}kept"].isna().any():
            three = f"{part}kept, {part}lost and {part}reversed"
            yield f"{three} are undefined (nan): {whose} finds no pair significant{among}"
        if agreed.table[f"{part}gained"].isna().any():
            yield f"{part}gained is undefined (nan): {whose} finds every pair significant{among}"

"""What stands below a table of agreement: what was compared, over which topics, and why a share is nan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cranfield._text import counted, shown
from cranfield.synthesis.ranking_agreement import Agreement

if TYPE_CHECKING:
    import xarray as xr

REMEDY = "--common keeps what all judges judged"
MOST = 5
"""Sources of which topics are counted one by one."""


def caption_of(agreed: Agreement) -> str:
    """The reference, how many systems, and how they were tested."""
    how = agreed.settings
    sizes = f"reference {shown(agreed.reference)}; {counted(len(agreed.ranks), 'system')}"
    return f"{sizes}; test={how['test']}, {how['correction']}, alpha={how['alpha']:g}"


def notes_of(agreed: Agreement, scores: Mapping[str, xr.DataArray], show: str, remedy: str = "") -> Iterator[str]:
    """Lines on how the shares and ranks are to be read.

    Args:
        agreed: what is shown.
        scores: of every source, dims (topic, system).
        show: the table; others than ``systems`` and ``movers`` are over the topics that both have.
        remedy: against leaderboards over different topics.
    """
    if show not in ("systems", "movers"):
        return
    topics = {name: frozenset(one["topic"].values.tolist()) for name, one in scores.items()}
    if len(set(topics.values())) > 1:
        each = [f"{shown(name)} {len(held):,}" for name, held in topics.items()]
        more = f" and {len(each) - MOST:,} more" if len(each) > MOST else ""
        both = counted(len(frozenset.intersection(*topics.values())), "topic")
        said = f"leaderboards over different topics: {', '.join(each[:MOST])}{more}; all have {both} in common"
        yield f"{said}; {remedy}" if remedy else said
    if show == "systems":
        yield from _undefined(agreed, len(topics[agreed.reference]))


def _undefined(agreed: Agreement, topics: int) -> Iterator[str]:
    """Why shares are nan: of no pairs there is no share."""
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

"""The pairs of many systems that a reader of a table looks for, and the answer of a comparison in a sentence."""

from __future__ import annotations

import math
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, shown
from cranfield.cli._options import LINES, limit_rows
from cranfield.results.frames import sort_by_size
from cranfield.results.sheet import readable

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.comparison.result import Comparison

NAMES = 5
"""Systems that a sentence names; of others it has the number."""


def choose_pairs(comparison: Comparison, limit: int | None, format_: str) -> tuple[pd.DataFrame, str]:
    """Choose the rows of a table, with a note on the others.

    For people and without ``--limit``: pairs of the first place, neighbours in the ranking and the smallest
    significant differences, in turn until the table is full, in the order of the ranking. Otherwise the largest
    differences first.
    """
    pairs = comparison.pairs if comparison.margins is None else comparison.margins
    ranked = comparison.margins is None and not comparison.settings["baseline"]
    if limit is not None or format_ != "table" or len(pairs) <= LINES or not ranked:
        return limit_rows(sort_by_size(pairs), limit, format_, "the largest differences first")
    rank = {system: at for at, system in enumerate(comparison.means.index)}
    systems = zip(pairs["system"], pairs["other"], strict=True)
    places = [tuple(sorted((rank[left], rank[right]))) for left, right in systems]
    order = sorted(range(len(pairs)), key=places.__getitem__)
    sizes = pairs["difference"].abs().tolist()
    lists = (
        [at for at in order if places[at][0] == 0],
        [at for at in order if places[at][1] - places[at][0] == 1],
        sorted(np.flatnonzero(pairs["significant"]).tolist(), key=sizes.__getitem__),
    )
    turns = chain.from_iterable(zip_longest(*lists))
    chosen = list(dict.fromkeys(at for at in turns if at is not None))[:LINES]
    note = (
        f"{len(chosen):,} of {len(pairs):,} pairs, of the first place, of neighbours in the ranking, and the smallest "
        "significant differences; --limit 0 shows all"
    )
    return pairs.iloc[sorted(chosen, key=places.__getitem__)].reset_index(drop=True), note


def describe_first(comparison: Comparison) -> str:
    """Describe which system is first, and which others it is not separated from; of a single pair, the difference.

    Nothing is said where rows say it: with baselines or a margin, or where pairs have topics of their own.
    """
    means, pairs, settings = comparison.means, comparison.pairs, comparison.settings
    if len(pairs) == 1 and comparison.margins is None:
        return _describe_pair(comparison)
    ranked = len(means) > 2 and not settings["baseline"] and comparison.margins is None
    if not ranked or pairs["topics"].nunique() > 1 or not pairs["difference"].notna().all():
        return ""
    best, value = str(means.index[0]), means.iloc[0]
    extreme = "largest" if value >= means.iloc[-1] else "smallest"
    with_best = pairs[(pairs["system"] == best) | (pairs["other"] == best)]
    open_pairs = with_best[~with_best["significant"]]
    unseparated = {*open_pairs["system"], *open_pairs["other"]} - {best}
    names = [shown(str(system)) for system in means.index if system in unseparated]
    better = len(with_best) - len(names)
    others = "all" if better == len(with_best) else f"{better:,} of the"
    text = f"{shown(best)} has the {extreme} mean ({value:.4f}) and is significantly better than {others} "
    text = f"{text}{counted(len(with_best), 'other')}" if names else f"{text}{len(with_best):,} others"
    if not names:
        return text
    more = f" and {len(names) - NAMES:,} more" if len(names) > NAMES else ""
    return f"{text}, but not separated from {', '.join(names[:NAMES])}{more}"


def _describe_pair(comparison: Comparison) -> str:
    """Describe the difference of two systems, with its interval and verdict."""
    pair, settings = comparison.pairs.iloc[0], comparison.settings
    if math.isnan(pair["difference"]) or math.isnan(pair["p_adjusted"]):
        return ""
    system, other, difference = shown(str(pair["system"])), shown(str(pair["other"])), float(pair["difference"])
    if difference == 0:
        return f"{system} and {other} have the same mean"
    side = "above" if difference > 0 else "below"
    verdict = "a significant difference" if pair["significant"] else "not a significant difference"
    interval = ""
    if not math.isnan(pair["low"]):
        interval = f"{100 * settings['level']:.4g}% interval {pair['low']:.4f} to {pair['high']:.4f}; "
    p = readable(float(pair["p_adjusted"]), "p_adjusted")
    p = f"p {p}" if p.startswith("<") else f"p = {p}"
    size = f"The mean of {system} is {abs(difference):.4f} {side} that of {other}"
    return f"{size}, {verdict} at {settings['alpha']:g} ({interval}{p})"

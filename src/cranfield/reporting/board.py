"""The leaderboard: means and ranks with intervals, raw beside standardized."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.reporting.analyses import Analyses, best_first
from cranfield.reporting.content import Column, Gap, Section, Table
from cranfield.reporting.tabling import rows_of, table_of
from cranfield.scores.matrix import matrix_of
from cranfield.statistics.intervals import t_interval

LEVEL = 0.95


def leaderboard(of: Analyses, empty: Section) -> Section:
    """The section of systems by their means."""
    words = [
        f"Best by {of.first} first, with Student's {LEVEL:.0%} interval of the mean over topics. The rank interval "
        f"holds the ranks that a system may have on all such topics, with {LEVEL:.0%} coverage for all systems "
        "together (paired t of every two systems, sign flips, corrected for all pairs in both directions).",
        "Standardized scores are shares of the systems that a score reaches on the same topic, so that easy and hard "
        "topics count alike; “moves” are places gained by them.",
        "Choose a system (its name) to see its topics, and to find it in every chart and table.",
    ]
    if of.question.factors is not None:
        words[1] = "Standardized scores are on the scale of the factors given; “moves” are places gained by them."
    missing = [Gap(name, "it is undefined on every topic") for name in of.undefined]
    for name, what in (
        ("ranks", "Rank intervals"),
        ("standardized", "Standardized scores"),
        ("baselines", "Baselines"),
    ):
        if name in of.refused:
            missing.append(Gap(what, of.refused[name]))
    tables = [_board(of)]
    if of.get("baselines") is not None:
        tables.append(_baselines(of.get("baselines")))
    return replace(empty, words=tuple(words), tables=tuple(tables), missing=tuple(missing))


def _board(of: Analyses) -> Table:
    order = best_first(of.scores[of.first])
    place = {system: at for at, system in enumerate(of.table.systems)}
    systems = [place[name] for name in order]
    matrix = matrix_of(of.scores[of.first])
    low, high = _interval(matrix.values)
    columns: list[tuple[Column, list[Any]]] = [
        (Column("rank", "whole"), matrix.ranks[systems].tolist()),
        (Column("system", "system"), list(order)),
        (Column(of.first), matrix.means[systems].tolist()),
        (Column("low", meaning=f"lower end of the {LEVEL:.0%} interval"), low[systems].tolist()),
        (Column("high", meaning=f"upper end of the {LEVEL:.0%} interval"), high[systems].tolist()),
    ]
    if of.get("standardized") is not None and of.first in of.get("standardized"):
        scaled = matrix_of(of.get("standardized")[of.first])
        after = scaled.ranks[systems].tolist()
        before = columns[0][1]
        columns += [
            (Column("standardized", meaning=f"mean of standardized {of.first}"), scaled.means[systems].tolist()),
            (Column("its rank", "whole", "rank by standardized scores"), after),
            (Column("moves", "whole", "places gained by standardized scores"), _moves(before, after)),
        ]
    if of.get("ranks") is not None:
        meaning = f"rank, and the ranks it may have on all such topics ({LEVEL:.0%}, all systems together)"
        columns.append((Column("rank interval", "text", meaning), of.get("ranks").written()[order].tolist()))
    columns += [(Column(name), matrix_of(of.scores[name]).means[systems].tolist()) for name in of.measures[1:]]
    return Table(
        "leaderboard",
        f"Systems by {of.first}, means over {len(of.table.topics):,} topics",
        tuple(column for column, _ in columns),
        rows_of(values for _, values in columns),
    )


def _moves(before: list[int], after: list[int]) -> list[int]:
    return [old - new for old, new in zip(before, after, strict=True)]


def _interval(values: Any) -> tuple[Any, Any]:
    """Student's interval of each mean over the topics that have a score, [systems]; NaN for one topic."""
    known = (~np.isnan(values)).sum(axis=0)
    many = known > 1
    low, high = np.full((2, values.shape[1]), np.nan)
    if many.any():
        some = values[:, many]
        error = np.nanstd(some, axis=0, ddof=1) / np.sqrt(known[many])
        found = t_interval(np.nanmean(some, axis=0), error, known[many] - 1.0, LEVEL)
        low[many], high[many] = found.low, found.high
    return low, high


def _baselines(found: Any) -> Table:
    kinds: Any = {"system": "system", "other": "system", "p": "p", "p_adjusted": "p", "significant": "truth"}
    kinds |= dict.fromkeys(("wins", "ties", "losses", "topics"), "whole")
    return table_of(
        "baselines", f"Each system and the baselines, by {found.measure} (paired t-tests, Holm)", found.pairs, kinds
    )

"""Text of ``cranfield standardize``: standardized scores beside raw ones."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np

from cranfield._text import counted, in_full, shown
from cranfield.results.sheet import Sheet
from cranfield.results.table_text import Grid
from cranfield.scores.dataset import make_table
from cranfield.scores.named_direction import ENDS
from cranfield.scores.premises import describe_premises
from cranfield.scores.rows import ALL, HEADER, list_rows
from cranfield.scores.scale import best_first
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import xarray as xr


def format_leaderboard(raw: xr.Dataset, scaled: xr.Dataset, *, by_topic: bool, plain: bool) -> str:
    """Format systems by the standardized mean of the first measure, with their raw means and changes of rank."""
    scheme = str(scaled.attrs["standardization"])
    before, after = make_table(raw), make_table(scaled)
    names, systems, topics = before.names, before.systems, before.topics
    first, *_ = orders = [
        (_rank_systems(before, measure), _rank_systems(after, measure)) for measure in range(len(names))
    ]
    titles = [title for name in names for title in (f"{scheme}: {name}", name, "moves")]
    topic_title = [("topic", False)] if by_topic else []
    grid = Grid([("", True), ("system", False), *topic_title, *((shown(title, 200), True) for title in titles)])
    tables = [table.values[measure] for measure in range(len(names)) for table in (after, before)]
    for system in sorted(range(len(systems)), key=first[1].__getitem__):
        name = in_full(systems[system])
        if by_topic:
            for row, topic in enumerate(topics):
                values = [_format_score(table[row, system]) for table in tables]
                cells = (text for pair in zip(values[::2], values[1::2], strict=True) for text in (*pair, ""))
                grid.add("", name, in_full(topic), *cells)
        means = (
            text
            for now, was, (old, new) in zip(after.summaries, before.summaries, orders, strict=True)
            for text in (_format_score(now[system]), _format_score(was[system]), _format_move(old[system], new[system]))
        )
        grid.add(str(first[1][system]), name, *([ALL] if by_topic else []), *means, ends=by_topic)
    signature = json.loads(scaled.attrs["signature"])
    learned, premises = signature["reference_systems"], describe_premises(signature)
    missing = sum(int(np.isnan(table).sum()) for table in tables[1::2])
    caption = (
        f"{counted(len(systems), 'system')}, {counted(len(topics), 'topic')}; scheme {scheme}, learned from "
        f"{counted(len(learned), 'system')}; moves: ranks gained (+) or lost (-) relative to the raw scores"
    ) + (f"; {counted(missing, 'missing score')} left out of the means" if missing else "")
    return grid.page("\n".join([caption, *(premise.text for premise in premises)]), plain=plain)


def list_scores(scaled: xr.Dataset, *, by_topic: bool) -> Sheet:
    """List standardized scores as rows, with those of topics or only the means."""
    table = make_table(scaled)
    columns = HEADER if table.lower is None else (*HEADER, *ENDS)
    return Sheet(columns, list(list_rows(table, by_topic=by_topic)), "", table.source)


def _rank_systems(table: ScoreTable, measure: int) -> list[int]:
    """Return the rank of each system by a measure, ties broken by name."""
    order = best_first(table.summaries[measure], table.systems, table.scales[measure].larger_is_better)
    ranks = [0] * len(order)
    for rank, system in enumerate(order, 1):
        ranks[system] = rank
    return ranks


def _format_move(before: int, after: int) -> str:
    return f"{before - after:+d}" if before != after else ""


def _format_score(value: float) -> str:
    text = "nan" if math.isnan(value) else f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text

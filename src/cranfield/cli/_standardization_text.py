"""Text of ``cranfield standardize``: standardized scores beside raw ones, and studies of schemes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import escaping
from cranfield._text import counted, in_full, shown
from cranfield.results.table_text import Grid
from cranfield.scores.dataset import make_table
from cranfield.scores.rows import ALL, decimal
from cranfield.scores.scale import best_first
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.standardization.study import StandardizationStudy

STATISTICS = {"r": "r", "tau_b": "tau_b", "tau_ap_b": "tau_ap,b", "power": "power", "type_1": "Type I"}
SHOWN_ALPHAS = (0.01, 0.05)
"""The levels that a table for people shows where there are more than three."""
COLUMNS = ("topics", "statistic", "alpha", "scheme", "mean", "sd", "se", "trials")


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
    learned = json.loads(scaled.attrs["signature"])["reference_systems"]
    missing = sum(int(np.isnan(table).sum()) for table in tables[1::2])
    caption = (
        f"{counted(len(systems), 'system')}, {counted(len(topics), 'topic')}; scheme {scheme}, learned from "
        f"{counted(len(learned), 'system')}; moves: ranks gained (+) or lost (-) relative to the raw scores"
    ) + (f"; {counted(missing, 'missing score')} left out of the means" if missing else "")
    return grid.page(caption, plain=plain)


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


def format_study(studies: Sequence[StandardizationStudy], format: str, *, plain: bool) -> str:
    """Format studies of several numbers of topics: a table for people, or every mean in rows."""
    if format == "table":
        return _format_study_table(studies, plain=plain)
    rows = list(_list_study_rows(studies))
    if format == "json":
        named = [dict(zip(COLUMNS, map(_replace_nan, row), strict=True)) for row in rows]
        lines = ",\n".join("  " + json.dumps(row, allow_nan=False) for row in named)
        # Studies of one call differ only in their number of topics.
        first = studies[0]
        settings = first.settings | {"topics": [study.topics for study in studies]}
        signature = first.signature | {"settings": settings}
        return f'{{"signature": {json.dumps(signature, allow_nan=False)},\n "rows": [\n{lines}\n]}}\n'
    separator = "\t" if format == "tsv" else ","
    written = escaping.csv if format == "csv" else str
    texts = ([decimal(cell) if isinstance(cell, float) else written(str(cell)) for cell in row] for row in rows)
    return "".join(separator.join(row) + "\n" for row in (COLUMNS, *texts))


def _replace_nan(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _list_study_rows(studies: Sequence[StandardizationStudy]) -> Iterator[tuple[Any, ...]]:
    for study in studies:
        for row in study.summary().to_dict("records"):
            yield study.topics, *(row[column] for column in COLUMNS[1:])


def _format_study_table(studies: Sequence[StandardizationStudy], *, plain: bool) -> str:
    alphas = studies[0].trials["alpha"].to_numpy().tolist()
    usual = [alpha for alpha in alphas if alpha in SHOWN_ALPHAS]
    alphas = usual if len(alphas) > 3 and usual else alphas
    means = {
        (topics, scheme, statistic, None if math.isnan(alpha) else alpha): (mean, se)
        for topics, statistic, alpha, scheme, mean, _, se, _ in _list_study_rows(studies)
    }
    columns = dict.fromkeys((statistic, alpha) for _, _, statistic, alpha in means if alpha is None or alpha in alphas)
    levels = {(statistic, alpha): "" if alpha is None else f" at {alpha:g}" for statistic, alpha in columns}
    titles = [(STATISTICS[statistic] + level, True) for (statistic, _), level in levels.items()]
    grid = Grid([("topics", True), ("scheme", False), *titles])
    for study in studies:
        for scheme in study.schemes:
            cells = (_format_with_error(*means[study.topics, scheme, *column]) for column in columns)
            grid.add(str(study.topics), shown(scheme, 200), *cells, ends=scheme == study.schemes[-1])
    first = studies[0]
    against = (
        "means of each scheme against raw means of the same topics"
        if first.design == "within"
        else "means on one half of the topics against those on the other"
    )
    caption = (
        f"{shown(str(first.signature['measure']), 200)}, {first.design}: {against}; mean ± standard error of "
        f"{counted(first.settings['trials'], 'trial')}, seed {first.seed}"
    )
    return grid.page(caption, plain=plain)


def _format_with_error(mean: float, error: float) -> str:
    if math.isnan(mean):
        return "nan"
    return f"{mean:.4f}" if math.isnan(error) else f"{mean:.4f} ±{error:.4f}"

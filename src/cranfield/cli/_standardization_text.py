"""Standardized scores beside raw ones, and studies, as text."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import escaping
from cranfield._text import in_full, shown
from cranfield.results.table_text import Grid
from cranfield.scores.dataset import table_of
from cranfield.scores.rows import ALL, decimal
from cranfield.scores.scale import best_first
from cranfield.scores.table import ScoreTable

if TYPE_CHECKING:
    import xarray as xr

    from cranfield.standardization.study import StandardizationStudy

STATISTICS = {"r": "r", "tau_b": "tau_b", "tau_ap_b": "tau_ap,b", "power": "power", "type_1": "Type I"}
SHOWN_ALPHAS = (0.01, 0.05)
"""The levels that a table for people shows, if they are among several."""
COLUMNS = ("topics", "statistic", "alpha", "scheme", "mean", "sd", "se", "trials")


def leaderboard_of(raw: xr.Dataset, scaled: xr.Dataset, *, by_topic: bool, plain: bool) -> str:
    """Systems by the first measure's standardized mean, with their raw means and how many places they move."""
    scheme = str(scaled.attrs["standardization"])
    before, after = table_of(raw), table_of(scaled)
    names, systems, topics = before.names, before.systems, before.topics
    first, *_ = orders = [(_places(before, measure), _places(after, measure)) for measure in range(len(names))]
    titles = [title for name in names for title in (f"{scheme}: {name}", name, "moves")]
    topic_title = [("topic", False)] if by_topic else []
    grid = Grid([("", True), ("system", False), *topic_title, *((shown(title, 200), True) for title in titles)])
    tables = [table.values[measure] for measure in range(len(names)) for table in (after, before)]
    for system in sorted(range(len(systems)), key=first[1].__getitem__):
        name = in_full(systems[system])
        if by_topic:
            for row, topic in enumerate(topics):
                values = [_cell(table[row, system]) for table in tables]
                cells = (text for pair in zip(values[::2], values[1::2], strict=True) for text in (*pair, ""))
                grid.add("", name, in_full(topic), *cells)
        means = (
            text
            for now, was, (old, new) in zip(after.summaries, before.summaries, orders, strict=True)
            for text in (_cell(now[system]), _cell(was[system]), _moves(old[system], new[system]))
        )
        grid.add(str(first[1][system]), name, *([ALL] if by_topic else []), *means, ends=by_topic)
    learnt = json.loads(scaled.attrs["signature"])["reference_systems"]
    missing = sum(int(np.isnan(table).sum()) for table in tables[1::2])
    caption = (
        f"{_count(len(systems), 'system')}, {_count(len(topics), 'topic')}; scheme {scheme}, learnt from "
        f"{_count(len(learnt), 'system')}; moves: places gained (+) or lost (-) against the raw scores"
    ) + (f"; {_count(missing, 'missing score')} left out of the means" if missing else "")
    return grid.page(caption, plain=plain)


def _places(table: ScoreTable, measure: int) -> list[int]:
    """Place of each system by a measure, best first, ties by name."""
    order = best_first(table.summaries[measure], table.systems, table.scales[measure].larger_is_better)
    places = [0] * len(order)
    for place, system in enumerate(order, 1):
        places[system] = place
    return places


def _moves(before: int, after: int) -> str:
    return f"{before - after:+d}" if before != after else ""


def _cell(value: float) -> str:
    text = "nan" if math.isnan(value) else f"{value:.4f}"
    return "0.0000" if text == "-0.0000" else text


def _count(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def study_as_text(studies: Sequence[StandardizationStudy], format: str, *, plain: bool) -> str:
    """Studies of several numbers of topics: a table for people, or every mean in rows."""
    if format == "table":
        return _study_table(studies, plain=plain)
    rows = list(_study_rows(studies))
    if format == "json":
        named = [dict(zip(COLUMNS, map(_or_null, row), strict=True)) for row in rows]
        lines = ",\n".join("  " + json.dumps(row, allow_nan=False) for row in named)
        # Studies of one call differ in nothing but their number of topics.
        first = studies[0]
        settings = first.settings | {"topics": [study.topics for study in studies]}
        signature = first.signature | {"settings": settings}
        return f'{{"signature": {json.dumps(signature, allow_nan=False)},\n "rows": [\n{lines}\n]}}\n'
    separator = "\t" if format == "tsv" else ","
    written = escaping.csv if format == "csv" else str
    texts = ([decimal(cell) if isinstance(cell, float) else written(str(cell)) for cell in row] for row in rows)
    return "".join(separator.join(row) + "\n" for row in (COLUMNS, *texts))


def _or_null(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _study_rows(studies: Sequence[StandardizationStudy]) -> Iterator[tuple[Any, ...]]:
    for study in studies:
        for row in study.summary().to_dict("records"):
            yield study.topics, *(row[column] for column in COLUMNS[1:])


def _study_table(studies: Sequence[StandardizationStudy], *, plain: bool) -> str:
    alphas = studies[0].trials["alpha"].to_numpy().tolist()
    some = [alpha for alpha in alphas if alpha in SHOWN_ALPHAS]
    alphas = some if len(alphas) > 3 and some else alphas
    means = {
        (topics, scheme, statistic, None if math.isnan(alpha) else alpha): (mean, se)
        for topics, statistic, alpha, scheme, mean, _, se, _ in _study_rows(studies)
    }
    columns = dict.fromkeys((statistic, alpha) for _, _, statistic, alpha in means if alpha is None or alpha in alphas)
    levels = {(statistic, alpha): "" if alpha is None else f" at {alpha:g}" for statistic, alpha in columns}
    titles = [(STATISTICS[statistic] + level, True) for (statistic, _), level in levels.items()]
    grid = Grid([("topics", True), ("scheme", False), *titles])
    for study in studies:
        for scheme in study.schemes:
            cells = (_with_error(*means[study.topics, scheme, *column]) for column in columns)
            grid.add(str(study.topics), shown(scheme, 200), *cells, ends=scheme == study.schemes[-1])
    first = studies[0]
    against = (
        "means of each scheme against raw means of the same topics"
        if first.design == "within"
        else "means on one half of the topics against those on the other"
    )
    caption = (
        f"{shown(str(first.signature['measure']), 200)}, {first.design}: {against}; mean ± standard error of "
        f"{_count(first.settings['trials'], 'trial')}, seed {first.seed}"
    )
    return grid.page(caption, plain=plain)


def _with_error(mean: float, error: float) -> str:
    if math.isnan(mean):
        return "nan"
    return f"{mean:.4f}" if math.isnan(error) else f"{mean:.4f} ±{error:.4f}"

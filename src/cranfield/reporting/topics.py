"""Topics: how hard each is, who does what on it, and how much of what was retrieved is judged."""

from __future__ import annotations

from typing import Any

import numpy as np

from cranfield.reporting.analyses import JUDGED, Analyses, best_first
from cranfield.reporting.content import Column, Section, Table
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import rows_of

MOST_CELLS = 60_000
"""Of the heat map: where there are more, it shows the best systems."""


def topics(of: Analyses, empty: Section) -> Section:
    """The section of topics."""
    from cranfield import plot

    drawn = Drawings(of)
    drawn.add(
        "topic-difficulty",
        "difficulty",
        "Difficulty of topics",
        plot.topic_difficulty,
        lambda result: plot.topic_difficulty(result, horizontal=True),
    )
    scores = of.scores[of.first]
    words = [
        "Ease is the share of systems that order the judged documents of a topic better than chance, by NDCG_std: 1 is "
        "easiest. A topic on which most systems fail may be hard, or its judgments may be odd."
    ]
    order = best_first(scores)
    most = max(1, MOST_CELLS // max(1, len(of.table.topics)))
    if len(order) > most:
        words.append(f"The heat map shows the best {most:,} of {len(order):,} systems.")
        scores = scores.sel(system=order[:most])
    drawn.draw("heat-map", "Scores of systems on topics", lambda: plot.heat_map(scores))
    return drawn.section(empty, words, [_table(of)])


def _table(of: Analyses) -> Table:
    """A row a topic, hardest first where that is known."""
    scores = of.scores[of.first].transpose("topic", "system").to_numpy()
    known = ~np.isnan(scores)
    means = np.where(known, scores, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    means = np.where(known.any(axis=1), means, np.nan)
    columns: list[tuple[Column, list[Any]]] = [(Column("topic", "topic"), list(of.table.topics))]
    order = np.argsort(means, kind="stable")
    difficulty = of.get("difficulty")
    if difficulty is not None:
        values = difficulty.values
        order = np.lexsort((means, np.nan_to_num(values["ease"].to_numpy(), nan=2.0)))
        columns += [
            (Column("ease", "number", "share of systems better than chance"), values["ease"].values.tolist()),
            (Column("class", "text"), values["class"].values.tolist()),
            (Column("judged", "whole", "judged documents"), values["judged"].values.tolist()),
            (Column("mean label", "number", "of the judged documents"), values["pool_mean"].values.tolist()),
            (Column("random nDCG", "number", "of a random order of them"), values["random_ndcg"].values.tolist()),
        ]
    unjudged = 1 - of.scores[JUDGED].transpose("topic", "system").to_numpy()
    columns += [
        (Column(f"mean {of.first}", "number", "over systems"), means.tolist()),
        (Column("unjudged", "share", "of the first 10 retrieved documents, over systems"), _mean(unjudged).tolist()),
    ]
    rows = rows_of([values[at] for at in order] for _, values in columns)
    return Table("topics", "Topics, hardest first", tuple(column for column, _ in columns), rows)


def _mean(values: Any) -> Any:
    known = ~np.isnan(values)
    total = np.where(known, values, 0).sum(axis=1)
    return np.divide(total, known.sum(axis=1), out=np.full(len(values), np.nan), where=known.any(axis=1))

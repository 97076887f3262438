"""Topics: how hard each is, the scores of systems on it, and how much of what was retrieved is judged."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cranfield.arrays import Floats
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.comparable import JUDGED, best_first
from cranfield.reporting.content import Column, Section, Table
from cranfield.reporting.drawing import Drawings
from cranfield.reporting.tabling import rows_of

MOST_CELLS = 60_000
"""Of the heat map: where there are more, it shows the best systems."""


def topics(analyses: Analyses, empty: Section) -> Section:
    """The section of topics."""
    from cranfield import plot

    drawn = Drawings(analyses.public)
    drawn.add(
        "topic-difficulty",
        analyses.by_rankings.difficulty,
        "Topic difficulty",
        plot.topic_difficulty,
        lambda result: plot.topic_difficulty(result, horizontal=True),
    )
    scores = analyses.scores[analyses.first]
    words = [
        "The ease of a topic is the share of systems that rank its judged documents better than chance (NDCG_std above "
        "0); 1 is easiest. Low ease may indicate a hard topic or unreliable judgments."
    ]
    order = best_first(scores)
    most = max(1, MOST_CELLS // max(1, len(analyses.table.topics)))
    if len(order) > most:
        words.append(f"The heat map shows the best {most:,} of {len(order):,} systems.")
        scores = scores.sel(system=order[:most])
    drawn.draw("heat-map", "Scores of systems on topics", lambda: plot.heat_map(scores))
    return drawn.section(empty, words, [_table(analyses)])


def _table(analyses: Analyses) -> Table:
    """A row a topic: by ease where that is known, else by mean score."""
    means = _mean(analyses.scores[analyses.first].transpose("topic", "system").to_numpy())
    columns: list[tuple[Column, Sequence[object]]] = [(Column("topic", "topic"), analyses.table.topics)]
    order = np.argsort(means, kind="stable")
    difficulty = analyses.by_rankings.difficulty.result
    if difficulty is not None:
        values = difficulty.values
        order = np.lexsort((means, np.nan_to_num(values["ease"].to_numpy(), nan=2.0)))
        columns += [
            (Column("ease", "number", "share of systems better than chance"), values["ease"].values.tolist()),
            (Column("class", "text"), values["class"].values.tolist()),
            (Column("judged", "whole", "number of judged documents"), values["judged"].values.tolist()),
            (Column("mean label", "number", "of the judged documents"), values["pool_mean"].values.tolist()),
            (
                Column("random nDCG", "number", "expected for a random ranking of the judged documents"),
                values["random_ndcg"].values.tolist(),
            ),
        ]
    unjudged = 1 - analyses.scores[JUDGED].transpose("topic", "system").to_numpy()
    columns += [
        (Column(f"mean {analyses.first}", "number", "over systems"), means.tolist()),
        (Column("unjudged", "share", "of the top 10 retrieved documents, mean over systems"), _mean(unjudged).tolist()),
    ]
    rows = rows_of([values[row] for row in order] for _, values in columns)
    return Table("topics", "Topics, hardest first", tuple(column for column, _ in columns), rows)


def _mean(values: Floats) -> Floats:
    """Mean over the systems that have a value, [topics]; NaN without any."""
    defined = ~np.isnan(values)
    total = np.where(defined, values, 0).sum(axis=1)
    means: Floats = np.divide(total, defined.sum(axis=1), out=np.full(len(values), np.nan), where=defined.any(axis=1))
    return means

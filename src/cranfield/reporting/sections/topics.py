"""Topics: how hard each is, the scores of systems on it, and how much of what was retrieved is judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield._text import counted, shown
from cranfield._typing import Floats
from cranfield.reporting.charts import Drawings, boxes, heat
from cranfield.reporting.collection import Analyses
from cranfield.reporting.content import Column, Figure, Section, Table
from cranfield.reporting.inputs import JUDGED
from cranfield.reporting.leaders import of_largest, of_smallest, who
from cranfield.reporting.tables import listed_names, rows_of
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.scores.ordering import best_first, comparable
from cranfield.statistics.chart_statistics import box, outliers
from cranfield.topic_difficulty.ease import CLASSES
from cranfield.topic_difficulty.estimation import Difficulty

LEAST = -1.5
"""Where the axis of NDCG_std ends at the latest: a few scores far below 0 would leave no room for all others."""
EASE = (
    "The ease of a topic is the share of systems that rank its judged documents better than chance (NDCG_std above "
    "0); 1 is easiest. Low ease may indicate a hard topic or unreliable judgments."
)
LISTS = "Click a topic to see what it asks, who did best on it, and what was retrieved."
SCORES = "Click a topic to see which systems did best on it."


def topics(analyses: Analyses, empty: Section) -> Section:
    """The section of topics."""
    drawn = Drawings(analyses.public)
    drawn.add(analyses.by_rankings.difficulty, "Topic difficulty", _difficulty)
    drawn.draw("Scores of systems on topics", lambda: _heat(analyses))
    words = [EASE] if analyses.retrieved is not None else []
    return replace(drawn.section(empty, words, [_table(analyses)]), act=LISTS if words else SCORES)


def _difficulty(result: Difficulty) -> Figure:
    values = result.values
    scores = values["ndcg_std"].transpose("topic", "system").values
    ease, classes = values["ease"].values, [str(name) or "no ease" for name in values["class"].values.tolist()]
    names = [str(name) for name in values["topic"].values]
    rising = _hardest_first(result)
    known = [row for row in reversed(rising) if np.isfinite(ease[row])]
    order = known + [row for row in rising if row not in known]
    floor = max(LEAST, float(min(0.0, np.nanmin(scores, initial=0.0))))
    present = [name for name in (*CLASSES[::-1], "no ease") if name in classes]
    found = []
    for row in order:
        beyond = sorted({round(max(floor, float(scores[row, at])), 2) for at in outliers(scores[row])})
        found.append((row, *box(scores[row]).values(), ease[row], present.index(classes[row]), beyond))
    counts = ", ".join(f"{classes.count(name)} {name}" for name in present)
    seen = f"{counts[0].upper()}{counts[1:]}."
    hardest, easiest = of_smallest(names, ease.tolist()), of_largest(names, ease.tolist())
    if hardest:
        verb = "is" if len(hardest) == 1 else "are"
        seen = f"{seen[:-1]}; the hardest {verb} {listed_names(hardest)}, the easiest {listed_names(easiest)}."
    elif len(known) > 1:
        seen = f"{seen[:-1]}; the ease of all is {ease[known[0]]:.2f}."
    notes = (
        f"NDCG_std@{result.settings['cutoff']} of all systems, easiest topic first: boxes hold the middle half of "
        "them, dots are outliers, diamonds the ease. At the line at 0 a system is as good as a random order of the "
        "judged documents."
    )
    below = int((scores < floor).sum())
    if below:
        notes += f" {counted(below, 'score')} below {floor:g} {'is' if below == 1 else 'are'} drawn there."
    form = boxes(f"NDCG_std@{result.settings['cutoff']}", floor, present, found)
    return Figure("topic-difficulty", "Topic difficulty", seen, notes, form)


def _hardest_first(result: Difficulty) -> list[int]:
    """Topics by ease, then by the median of NDCG_std; those without an ease at the end."""
    values = result.values
    scores = values["ndcg_std"].transpose("topic", "system").values
    medians = np.array([box(row)["median"] for row in scores])
    ease = values["ease"].values
    order: list[int] = np.lexsort((np.nan_to_num(medians, nan=-9.0), np.nan_to_num(ease, nan=2.0))).tolist()
    return order


def _heat(analyses: Analyses) -> Figure:
    matrix = matrix_of(analyses.scores[analyses.first])
    means = matrix_means(matrix.values)
    columns = best_first(means, matrix.topics, matrix.larger_is_better)
    seen = _ends(matrix, comparable(means, matrix.larger_is_better).tolist())
    notes = (
        "Best systems on top, topics with the best means on the left; the scale above says which colours are better. "
        "Cells without a score are empty."
    )
    form = heat(analyses.first, matrix.leaderboard, columns, smaller=not matrix.larger_is_better)
    return Figure("heat-map", f"{shown(analyses.first)} of every system on every topic", seen, notes, form)


def _ends(matrix: Matrix, of_topics: Sequence[float]) -> str:
    """The best systems and the worst topics, each by their means; ``of_topics`` is larger where it is better."""
    best = of_largest(matrix.systems, matrix.comparable_means.tolist())
    worst = of_smallest(matrix.topics, of_topics)
    systems = (
        f"{who(best, 'has', 'have')} the best mean over topics" if best else "No system has a better mean than another"
    )
    if not worst:
        return f"{systems}; no topic has a worse mean than another."
    noun = "topic" if len(worst) == 1 else "topics"
    return f"{systems}; {noun} {who(worst, 'has', 'have')} the worst mean over systems."


def _table(analyses: Analyses) -> Table:
    """A row a topic: by ease where that is known, else by mean score."""
    matrix, title = matrix_of(analyses.scores[analyses.first]), "Topics, worst mean first"
    means = matrix_means(matrix.values)
    columns: list[tuple[Column, Sequence[object]]] = [(Column("topic", "topic"), analyses.table.topics)]
    order = best_first(means, matrix.topics, matrix.larger_is_better)[::-1]
    difficulty = analyses.by_rankings.difficulty.result
    if difficulty is not None:
        values = difficulty.values
        order, title = _hardest_first(difficulty), "Topics, hardest first"
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
    columns.append((Column(f"mean {analyses.first}", "number", "over systems"), means.tolist()))
    if JUDGED in analyses.scores:
        unjudged = matrix_means(1 - analyses.scores[JUDGED].transpose("topic", "system").values)
        meaning = "of the top 10 retrieved documents, mean over systems"
        columns.append((Column("unjudged", "share", meaning), unjudged.tolist()))
    rows = rows_of([values[row] for row in order] for _, values in columns)
    return Table("topics", title, tuple(column for column, _ in columns), rows)


def matrix_means(values: Floats) -> Floats:
    """Mean over the systems that have a value, [topics]; NaN without any."""
    defined = ~np.isnan(values)
    total = np.where(defined, values, 0).sum(axis=1)
    means: Floats = np.divide(total, defined.sum(axis=1), out=np.full(len(values), np.nan), where=defined.any(axis=1))
    return means

"""Topics: how hard each is, the scores of systems on it, and the share of retrieved documents that is judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cranfield._typing import Floats
from cranfield.charts.scores import chart_scores
from cranfield.charts.topics import chart_difficulty
from cranfield.collection.topics import select_texts
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.charts import SectionCharts, make_figure
from cranfield.reporting.content import Figure, FilledColumns, PageColumn, Section, Table, join_columns
from cranfield.reporting.page_sections import PageSection
from cranfield.reporting.sections.summary import (
    classify_means,
    compute_topic_means,
    describe_mean_classes,
    find_caution,
    name_top,
)
from cranfield.scores.scale import best_first
from cranfield.statistics.chart_statistics import box
from cranfield.topic_difficulty.estimation import Difficulty

EASE = (
    "The ease of a topic is the share of systems that rank its judged documents better than chance (NDCG_std above "
    "0); 1 is easiest. Low ease may indicate a hard topic or unreliable judgments."
)
LISTS_HINT = "Click a topic to see the systems that did best on it, and the documents retrieved."
TEXTS_HINT = "Click a topic to see its text, the systems that did best on it, and the documents retrieved."
SCORES_HINT = "Click a topic to see which systems did best on it."


def _fill(analyses: Analyses, section: Section) -> Section:
    """Fill the section."""
    charts = SectionCharts(analyses.inputs.redact)
    caution = find_caution(analyses)
    if caution:
        charts.omit("The ease of topics", caution, warned=False)
    else:
        charts.add(analyses.from_rankings.difficulty, "Topic difficulty", _draw_difficulty)
    charts.draw("Scores of systems on topics", lambda: _draw_scores(analyses))
    paragraphs = [] if analyses.retrieved is None else [describe_mean_classes(analyses) if caution else EASE]
    complete = charts.complete(section, paragraphs, [_make_topics(analyses)])
    if not paragraphs:
        return replace(complete, hint=SCORES_HINT)
    texts = select_texts(analyses.request.texts, analyses.inputs.table.topics)
    return replace(complete, hint=TEXTS_HINT if texts else LISTS_HINT)


def _draw_difficulty(result: Difficulty) -> Figure:
    """Draw the scores of systems on each topic as a box, with its ease."""
    topics = [str(topic) for topic in result.values["topic"].values]
    return make_figure(
        "topic-difficulty", chart_difficulty(result), topics={topic: at for at, topic in enumerate(topics)}
    )


def _sort_by_ease(result: Difficulty) -> list[int]:
    """Sort topics by ease, hardest first, then by the median of NDCG_std; those without an ease come last."""
    values = result.values
    scores = values["ndcg_std"].transpose("topic", "system").values
    medians = np.array([box(row)["median"] for row in scores])
    ease = values["ease"].values
    order: list[int] = np.lexsort((np.nan_to_num(medians, nan=-9.0), np.nan_to_num(ease, nan=2.0))).tolist()
    return order


def _draw_scores(analyses: Analyses) -> Figure:
    """Draw the score of every system on every topic, from the scores that the page holds."""
    table = analyses.inputs.table
    systems, topics = ({name: at for at, name in enumerate(names)} for names in (table.systems, table.topics))
    return make_figure("heat-map", chart_scores(analyses.inputs.main), systems, topics, held=True)


def _make_topics(analyses: Analyses) -> Table:
    """Make the table of topics: by ease where that is known, else by mean score."""
    matrix, title = analyses.inputs.main, "Topics, worst mean first"
    means = compute_topic_means(matrix.values)
    columns: FilledColumns = [(PageColumn("topic", "topic"), analyses.inputs.table.topics)]
    order = best_first(means, matrix.topics, matrix.larger_is_better)[::-1]
    difficulty = analyses.from_rankings.difficulty.result
    if difficulty is not None and find_caution(analyses):
        pool = difficulty.values["judged"].values.tolist()
        columns += [
            (PageColumn("class", "text", "by the mean score"), classify_means(matrix)),
            (PageColumn("judged", "whole", "number of judged documents"), pool),
            (
                PageColumn(f"median {matrix.measure}", "number", "over systems"),
                [box(row)["median"] for row in matrix.values],
            ),
            (
                PageColumn("spread", "number", "standard deviation over systems"),
                [_spread(row) for row in matrix.values],
            ),
        ]
    elif difficulty is not None:
        values = difficulty.values
        order, title = _sort_by_ease(difficulty), "Topics, hardest first"
        columns += [
            (PageColumn("ease", "number", "share of systems better than chance"), values["ease"].values.tolist()),
            (PageColumn("class", "text"), values["class"].values.tolist()),
            (PageColumn("judged", "whole", "number of judged documents"), values["judged"].values.tolist()),
            (PageColumn("mean label", "number", "of the judged documents"), values["pool_mean"].values.tolist()),
            (
                PageColumn("random nDCG", "number", "expected for a random ranking of the judged documents"),
                values["random_ndcg"].values.tolist(),
            ),
        ]
    columns.append((PageColumn(f"mean {analyses.inputs.main_measure}", "number", "over systems"), means.tolist()))
    if analyses.inputs.judged is not None:
        name, depth = analyses.inputs.judged
        unjudged = compute_topic_means(1 - analyses.inputs.scores[name].transpose("topic", "system").values)
        meaning = f"of the {name_top(depth)}, mean over systems"
        columns.append((PageColumn("unjudged", "share", meaning), unjudged.tolist()))
    return join_columns("topics", title, [(column, [values[row] for row in order]) for column, values in columns])


def _spread(scores: Floats) -> float:
    """Return the standard deviation of the defined scores; NaN without any."""
    defined = scores[~np.isnan(scores)]
    return float(defined.std()) if len(defined) else float("nan")


SECTION = PageSection(
    title="Topics",
    place=50,
    fill=_fill,
)

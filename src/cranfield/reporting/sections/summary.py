"""The summary: who may be first, which differences hold, whether topics suffice, and what is hard or unjudged."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from cranfield._text import counted, percent, shown
from cranfield._typing import Floats
from cranfield.charts.sentences import join_names
from cranfield.comparison.dominance_shares import DominanceShares
from cranfield.measures import summary
from cranfield.reporting.analyses import Analyses
from cranfield.reporting.certainty import describe_first, describe_topics
from cranfield.reporting.content import Section
from cranfield.reporting.inputs import PageScores
from cranfield.reporting.page_sections import PageSection
from cranfield.scores.measure_scores import Scores
from cranfield.scores.scale import comparable
from cranfield.topic_difficulty.earlier_estimates import quarters
from cranfield.topic_difficulty.ease import qualify_ease

SCORES_ALONE = (
    "This page is made from scores alone. It leaves out what needs judgments and runs: the difficulty of topics, "
    "retrieved documents, systems that carry the same information, fusion, and diversity. To include them, use "
    "cranfield report QRELS RUN..."
)
"""The remark to organisers on a page of scores."""


def _fill(analyses: Analyses, section: Section) -> Section:
    """Fill the section: what to know before using the ranking."""
    return replace(section, paragraphs=tuple(_summarize(analyses)))


def _summarize(analyses: Analyses) -> Iterator[str]:
    """Answer who may be first, which differences hold and whether topics suffice; then what is hard or unjudged."""
    yield from describe_first(analyses)
    yield from describe_topics(analyses)
    dominance = analyses.from_rankings.dominance.result
    if dominance is not None:
        yield from _describe_dominance(dominance)
    difficulty = analyses.from_rankings.difficulty.result
    if difficulty is not None and find_caution(analyses):
        yield _name_hard_by_mean(analyses)
    elif difficulty is not None:
        topics, classes = (difficulty.values[name].values.tolist() for name in ("topic", "class"))
        hard = [str(topic) for topic, name in zip(topics, classes, strict=True) if name == "hard"]
        yield _describe_hard_topics(hard, defined=sum(map(bool, classes)), topics=len(topics))
    yield from _describe_unjudged(analyses.inputs)
    if analyses.inputs.origin.judgments is None and not analyses.request.options["public"]:
        yield SCORES_ALONE


def _find_unjudged(inputs: PageScores) -> float:
    """Find the share of unjudged documents among those that the measure reads which orders systems; NaN if unknown."""
    if inputs.judged is None:
        return math.nan
    return 1 - float(summary("mean", inputs.scores[inputs.judged[0]].values.reshape(1, -1))[0])


def _describe_unjudged(inputs: PageScores) -> Iterator[str]:
    """State this share."""
    unjudged = _find_unjudged(inputs)
    if inputs.judged is not None and np.isfinite(unjudged):
        _, depth = inputs.judged
        share = "none" if unjudged == 0 else percent(unjudged)
        verb = "is" if unjudged == 0 or depth == 1 else "are"
        yield f"On average over systems and topics, {share} of the {name_top(depth)} {verb} unjudged."


def name_top(depth: int) -> str:
    """The first documents of lists."""
    return "top retrieved documents of lists" if depth == 1 else f"top {depth:,} retrieved documents"


def _describe_dominance(dominance: DominanceShares) -> Iterator[str]:
    """State how many significant differences hold whatever the measure; nothing where there are none."""
    [row] = dominance.table.to_dict("records")
    if not row["significant"]:
        return
    ranks = "whole lists" if np.isnan(row["cutoff"]) else f"{row['cutoff']:.0f} ranks"
    firm = percent(row["robust"] / row["significant"])
    yield (
        f"Of {counted(row['significant'], 'significant difference')} by {shown(row['measure'])} (paired t-test, not "
        f"corrected), {row['robust']:,} ({firm}) hold whatever the measure: no strictly consistent measure that "
        f"reads {ranks} can reverse them. On single topics, every consistent measure must give "
        f"{percent(row['dominated'])} of its differences."
    )


def _describe_hard_topics(hard: list[str], *, defined: int, topics: int) -> str:
    """Name the topics on which most systems fail, where the ease of any topic is defined."""
    if not defined:
        return "Topic difficulty is undefined: on no topic do the labels of the judged documents differ."
    scope = "on every topic" if defined == topics else f"on each of the {counted(defined, 'topic')} with a defined ease"
    if not hard:
        beaten = "more than a quarter of the systems beat a random ranking of the judged documents"
        start = f"{scope[0].upper()}{scope[1:]}"
        return f"{start}, {beaten}, so none is classed as hard. The class does not depend on how high the scores are."
    return (
        f"On {counted(len(hard), 'topic')}, at most a quarter of the systems beat a random ranking of the judged "
        f"documents: {join_names(hard)}."
    )


def find_caution(analyses: Analyses) -> str:
    """Say why ease tells little on this collection, in a clause; empty where it does, and where it is not known.

    Lists without unjudged documents can be told from a random order whatever the labels.
    """
    difficulty, unjudged = analyses.from_rankings.difficulty.result, _find_unjudged(analyses.inputs)
    if difficulty is None or not unjudged > 0:
        return ""
    return qualify_ease(difficulty.values["random_ndcg"].values, difficulty.settings["unjudged"])


def compute_topic_means(values: Floats) -> Floats:
    """Return the mean over the systems that have a value, [topics]; NaN without any."""
    defined = ~np.isnan(values)
    total = np.where(defined, values, 0).sum(axis=1)
    means: Floats = np.divide(total, defined.sum(axis=1), out=np.full(len(values), np.nan), where=defined.any(axis=1))
    return means


def classify_means(matrix: Scores) -> list[str]:
    """Put topics into the four classes of Vercoustre et al., by their means over systems."""
    return quarters(comparable(compute_topic_means(matrix.values), matrix.larger_is_better))


def describe_mean_classes(analyses: Analyses) -> str:
    """Say how topics are classed where their ease tells little."""
    return (
        f"Topics are classed by their mean {shown(analyses.inputs.main_measure)} over systems: easy and hard ones are "
        "more than a standard deviation of all topics away from the mean of all (Vercoustre et al.). Low scores may "
        "also come from missing judgments."
    )


def _name_hard_by_mean(analyses: Analyses) -> str:
    """Name the topics that are hard by their mean scores."""
    matrix = analyses.inputs.main
    hard = [topic for topic, name in zip(matrix.topics, classify_means(matrix), strict=True) if name == "hard"]
    if not hard:
        return f"No topic is hard by its mean {shown(matrix.measure)} over systems: see Topics."
    verb = "is" if len(hard) == 1 else "are"
    mean = f"mean {shown(matrix.measure)} over systems"
    return f"{counted(len(hard), 'topic')} {verb} hard by the {mean}: {join_names(hard)}."


SECTION = PageSection("What to know", 40, _fill)

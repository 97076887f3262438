"""The door through which analyses get scores: checked for what an analysis needs, with the units that it resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import hearing, shown
from cranfield.errors import InputError, UsageError
from cranfield.scores.dataset import ScoresLike, make_table
from cranfield.scores.direction import Direction, choose_directions, find_direction
from cranfield.scores.measure_scores import PLAIN, Scores
from cranfield.scores.missing_scores import MissingScores, fill_gaps
from cranfield.scores.scale import refuse_out_of_range
from cranfield.scores.system_runs import average_runs
from cranfield.scores.table import MAX_IN_MEMORY
from cranfield.scores.topic_clusters import MeanOver, cluster_topics, refuse_mean_over
from cranfield.scores.topic_table import TopicTable
from cranfield.scores.topic_weights import DIFFICULTY, estimate_weights, read_weights

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike


@dataclass(frozen=True, slots=True)
class Needs:
    """Requirements of an analysis on its scores.

    Args:
        what: the analysis, as messages name it.
        topics: the least number of topics.
        systems: the least number of systems.
        complete: whether every system needs a score on every topic.
        instead: what else to do where one is missing.
        blockwise: whether it can do with blocks of topics where these are very many, and none is missing; otherwise all
            scores are in memory.
    """

    what: str = ""
    topics: int = 0
    systems: int = 0
    complete: bool = False
    instead: str = ""
    blockwise: bool = False


ANY = Needs()
MeasureNames: TypeAlias = str | Sequence[str]


def find_directions(
    scores: Sequence[Scores], larger_is_better: MeasureNames, smaller_is_better: MeasureNames
) -> dict[str, Direction | None]:
    """Measure -> its direction, where a call says it of some of them; see ``choose_directions``."""
    known = {
        one.measure: find_direction(one.measure, larger_is_better=one.larger_is_better, said=one.direction_said)
        for one in scores
    }
    return choose_directions(known, larger_is_better, smaller_is_better)


def direct(scores: Sequence[Scores], larger_is_better: MeasureNames, smaller_is_better: MeasureNames) -> list[Scores]:
    """The scores, of which a call says whether larger or smaller ones are better."""
    if not len(larger_is_better) + len(smaller_is_better):
        return list(scores)
    chosen = find_directions(scores, larger_is_better, smaller_is_better)
    return [
        one.directed(found.larger_is_better) if (found := chosen[one.measure]) and found.how == "said" else one
        for one in scores
    ]


def open_scores(
    scores: ScoresLike | Scores,
    needs: Needs = ANY,
    *,
    missing_scores: MissingScores | None = None,
    topic_clusters: GroupsLike | None = None,
    mean_over: MeanOver = "topics",
    replicates: GroupsLike | None = None,
    topic_weights: GroupsLike | None = None,
    larger_is_better: MeasureNames = (),
    smaller_is_better: MeasureNames = (),
) -> Scores:
    """Open the scores of one measure for an analysis.

    Args:
        scores: a DataArray with dims (topic, system), a Dataset of one measure, a data frame with topics in rows and
            systems in columns, or such as were opened before.
        needs: of the analysis.
        missing_scores: what to do where systems lack scores; scores that were opened before are left as they are.
        topic_clusters: topic -> cluster; see ``TopicGroups.from_source``.
        mean_over: what weighs the same in a mean, each of the ``topics`` or of the ``clusters``.
        replicates: run -> its system; see ``average_runs``.
        topic_weights: topic -> its weight; see ``read_weights``.
        larger_is_better, smaller_is_better: measures of which the call says so.

    Raises:
        UsageError: something else, several measures, or a measure without values of topics.
        InputError: a system or topic that occurs twice, no score at all, an infinite one, fewer or less complete scores
            than the analysis needs, clusters or runs that are refused, or scores that do not fit into the memory
            allowed.
    """
    opened = _read(scores, missing_scores)
    if len(opened) > 1:
        names = ", ".join(shown(measure.measure) for measure in opened)
        raise UsageError(f"this works on one measure, not {len(opened)}: choose one, as scores[name] ({names})")
    opened = direct(opened, larger_is_better, smaller_is_better)
    return _prepare(opened, needs, topic_clusters, mean_over, replicates, topic_weights)[0]


def open_measures(
    scores: ScoresLike | Sequence[Scores],
    needs: Needs = ANY,
    *,
    missing_scores: MissingScores | None = None,
    topic_clusters: GroupsLike | None = None,
    mean_over: MeanOver = "topics",
    replicates: GroupsLike | None = None,
    topic_weights: GroupsLike | None = None,
    larger_is_better: MeasureNames = (),
    smaller_is_better: MeasureNames = (),
) -> list[Scores]:
    """Open the scores of each of several measures; see ``open_scores``."""
    opened = direct(_read(scores, missing_scores), larger_is_better, smaller_is_better)
    return _prepare(opened, needs, topic_clusters, mean_over, replicates, topic_weights)


def _read(scores: ScoresLike | Scores | Sequence[Scores], missing_scores: MissingScores | None) -> list[Scores]:
    """Take scores as they were opened before, or each measure of labelled ones.

    Raises:
        UsageError: a measure has no values of topics.
        InputError: one has no score at all, or scores whose squares are not numbers.
    """
    if isinstance(scores, Scores):
        return [scores]
    if isinstance(scores, Sequence) and scores and all(isinstance(measure, Scores) for measure in scores):
        return list(scores)
    labelled: Any = scores
    table, opened = make_table(labelled if missing_scores is None else fill_gaps(labelled, missing_scores)), []
    for scale, values in zip(table.scales, table.values, strict=True):
        name, better = scale.name, scale.larger_is_better
        if not scale.has_topics:
            raise UsageError(f"{shown(name)} has no value of a topic: leave it out, or take what it is the mean of")
        if np.isnan(values).all():
            raise InputError(f"{shown(name)} holds no score", code="no-scores")
        refuse_out_of_range(name, float(np.nanmax(np.abs(values))))
        storage = TopicTable(table.topics, values)
        opened.append(Scores(name, table.systems, storage, better, scale.source, scale.says_direction))
    return opened


def _prepare(
    scores: Sequence[Scores],
    needs: Needs,
    topic_clusters: GroupsLike | None,
    mean_over: MeanOver,
    replicates: GroupsLike | None,
    topic_weights: GroupsLike | None,
) -> list[Scores]:
    """Join scores and their units, refuse what the analysis cannot use, and store the rest as it can use it."""
    if topic_clusters is not None or replicates is not None or mean_over != "topics":
        scores = _join_units(scores, topic_clusters, mean_over, replicates)
    if topic_weights is not None:
        scores = _join_weights(scores, topic_weights)
    prepared = []
    for measure in scores:
        measure.at_least(needs.topics, needs.systems, needs.what)
        if needs.complete:
            measure.require_complete(needs.what, needs.instead)
        many = measure.topic_count > MAX_IN_MEMORY and measure.units is PLAIN
        in_blocks, in_memory = needs.blockwise and many and measure.is_complete, isinstance(measure.storage, TopicTable)
        if in_blocks and in_memory:
            from cranfield.scores.blocks import ScoreBlocks

            prepared.append(replace(measure, storage=ScoreBlocks.from_table(measure.measure, measure.table)))
        else:
            prepared.append(measure if in_blocks or in_memory else measure.in_memory())
    return prepared


def _join_units(
    scores: Sequence[Scores], topic_clusters: GroupsLike | None, mean_over: MeanOver, replicates: GroupsLike | None
) -> Sequence[Scores]:
    """Join scores of the same topics and systems by several measures and their clusters and replicates."""
    if topic_clusters is None:
        refuse_mean_over(mean_over)
    if replicates is not None:
        first = _average(scores[0], replicates)
        with hearing():  # what is true of one measure is true of the others
            scores = [first, *(_average(measure, replicates) for measure in scores[1:])]
    if topic_clusters is not None:
        clusters = cluster_topics(scores[0].topics, topic_clusters, mean_over)
        scores = [replace(measure, units=replace(measure.units, clusters=clusters)) for measure in scores]
    return scores


def _join_weights(scores: Sequence[Scores], topic_weights: GroupsLike) -> Sequence[Scores]:
    """Join scores of the same topics and the weights of these.

    Raises:
        UsageError: systems have several runs, or each cluster weighs the same.
    """
    units = scores[0].units
    if units.replicates is not None:
        raise UsageError(
            f"{setting('topic_weights')} and {setting('replicates')} do not go together: leave one of them out"
        )
    if units.weighs_clusters:
        raise UsageError(
            f"{setting('mean_over', 'clusters')} gives each cluster the same weight, whatever "
            f"{setting('topic_weights')} says: leave one of them out"
        )
    if isinstance(topic_weights, str) and topic_weights == DIFFICULTY:
        return [_weigh_by_difficulty(measure) for measure in scores]
    weights = read_weights(topic_weights, scores[0].topics)
    return [replace(measure, units=replace(measure.units, topic_weights=weights)) for measure in scores]


def _weigh_by_difficulty(scores: Scores) -> Scores:
    """Weigh topics by what these systems leave of the best score.

    Raises:
        InputError: smaller scores are better, or they do not lie between 0 and 1.
    """
    if not scores.larger_is_better:
        raise InputError(
            f"weights by difficulty take scores of which larger are better, and not {scores.called}",
            code="not-a-weight",
        )
    weights = estimate_weights(scores.values, scores.topics, scores.systems, scores.measure)
    return replace(scores, units=replace(scores.units, topic_weights=weights))


def _average(scores: Scores, replicates: GroupsLike) -> Scores:
    """Average the runs of each system."""
    systems, values, runs = average_runs(scores.systems, scores.values, replicates)
    storage, units = TopicTable(scores.topics, values), replace(scores.units, replicates=runs)
    return replace(scores, systems=systems, storage=storage, units=units)

"""From the results of each part to the sums of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted
from cranfield._typing import Floats, Ints
from cranfield.collection.ids import encode_ids, taken
from cranfield.engine.protocol import Facts
from cranfield.errors import InputError, TopicError
from cranfield.findings.finding import Finding, notice_all, notice_tag, remarks
from cranfield.findings.location import Location
from cranfield.scoring.list_scorer import ListScorer
from cranfield.scoring.partial_sums import Partial
from cranfield.scoring.remarks import missing_topics
from cranfield.scoring.topic_id_sets import IntegerTopics
from cranfield.scoring.undefined_topics import Lacks, merge_lacking, remarks_on_lacking
from cranfield.streaming.partitions.batches import topic_columns
from cranfield.streaming.partitions.executor import split_outcomes
from cranfield.streaming.partitions.part_scoring import Failed, Keep, PartResult, PartWork
from cranfield.streaming.partitions.parts import Part
from cranfield.streaming.partitions.plan import Plan
from cranfield.streaming.partitions.qrels import JudgedTopics
from cranfield.streaming.partitions.topic_scores import RunScores


class Storing(Protocol):
    """Does the work on a part and stores the scores of its topics; see ``stored``."""

    @property
    def uncovered(self) -> Keep:
        """Receives the scores of topics that are in no part."""
        ...

    def __call__(self, part: Part) -> PartResult:
        """The result of a part."""
        ...

    def done(self, results: Sequence[PartResult]) -> None:
        """Finish when all parts are done; ``uncovered`` has received the scores of topics that are in none of them."""
        ...


EachPart = Callable[[Callable[[Part], Any]], Iterator[Any]]
"""Does a task with every part, and gives the result of each, or the reason why there is none."""


def scored(
    work: PartWork,
    plan: Plan,
    location: Location,
    each: EachPart,
    go_on: bool,
    storing: Storing | None = None,
    gathering: RunScores | None = None,
) -> tuple[Partial, int, list[Failed], list[Finding]]:
    """The sums of all topics, how many of them were missing, parts that failed, and remarks.

    ``storing`` does the work and stores the scores of topics; ``gathering`` receives them.

    Raises:
        InputError: a part failed where that ends it all, or a topic is in two parts.
        TopicError: see ``merged``.
    """
    keep = storing.uncovered if storing is not None else work.keep
    results, wrong = split_outcomes(each(storing or work))
    if wrong and (not go_on or not results):
        raise wrong[0].error
    total, missing, noticed = merged(work, results, plan, location, keep, gathering, complete=not wrong)
    if storing is not None:
        storing.done(results)
    return total, missing, wrong, noticed


def merged(
    work: PartWork,
    results: Sequence[PartResult],
    plan: Plan,
    location: Location,
    keep: Keep | None = None,
    gathering: RunScores | None = None,
    *,
    complete: bool = True,
) -> tuple[Partial, int, list[Finding]]:
    """The sums of all topics, how many of these no part had documents of, and remarks.

    ``keep`` receives the scores of those that no part had documents of, where no part has scored them, ``gathering``
    those of all. Unless the parts are the ``whole`` run, nobody knows which topics it lacks: those that were met are
    summed up alone.

    Raises:
        InputError: a topic is in two parts.
        TopicError: no judged topic was met, or one is missing where the policy refuses that.
    """
    ordered = sorted(results, key=lambda result: result.part)
    total = _united(ordered, plan)
    if gathering is not None:
        for result in ordered:
            gathering.add(result.scores)
    missing = sum(result.missing for result in ordered)
    lacking = [name for result in ordered for name in result.facts.get("absent", [])][:5]
    lacks: list[Lacks] = [result.facts.get("lacks", {}) for result in ordered]
    if plan.judged is not None and complete:
        absent = _absent(plan.judged, total)
        missing, lacking = len(absent), [plan.judged.name(int(number)) for number in absent[:5]]
        keeps: list[Keep] = [receiver for receiver in (keep, gathering) if receiver is not None]
        keep_all = partial(_send_scores, keeps, plan.judged) if keeps else None
        scorer = ListScorer(work.measures, work.summaries, work.policy, plan.judged.judgments, keep_all)
        scorer.add_missing(absent)
        moments = tuple(left + right for left, right in zip(total.moments, scorer.finish(), strict=True))
        lacks.append(work.lacks(scorer, plan.judged))
        total = Partial(total.scorer, total.measures, total.topics, moments)
    topics = len(total.topics) + (missing if plan.judged is not None else 0)
    if missing == topics:
        raise TopicError("run and qrels share no topic: look at the ids of both", location, code="no-shared-topic")
    of_judgments = remarks_on_lacking(merge_lacking(lacks), work.measures, work.policy, topics, work.qrels)
    noticed = [*of_judgments, *_collect_facts(ordered, location)]
    if missing:
        if work.policy.missing == "error":
            names = f": {', '.join(map(quoted, lacking))}{', ...' if missing > len(lacking) else ''}" if lacking else ""
            text = f"{missing:,} of {topics:,} judged topics are missing ({setting('missing=error')}){names}"
            raise TopicError(text, location, code="missing-topics", value=lacking[0] if lacking else "")
        # The first five by name, and the others by their number, as for a run in one file.
        names_or_blanks = lacking + [""] * (missing - len(lacking))
        noticed.append(missing_topics(location, names_or_blanks, work.policy))
    return total, missing, noticed


def _send_scores(keeps: Sequence[Keep], judged: JudgedTopics, numbers: Ints, scores: Floats) -> None:
    for keep in keeps:
        keep(None, taken(judged.topics, numbers), scores)


def _united(results: Sequence[PartResult], plan: Plan) -> Partial:
    """The sums of all parts, merged in pairs of similar size."""
    waiting: list[tuple[int, Partial]] = []
    for result in results:
        size, sums = 1, result.partial
        while waiting and waiting[-1][0] <= size:
            before, earlier = waiting.pop()
            size, sums = size + before, _together(earlier, sums, results, plan)
        waiting.append((size, sums))
    total = waiting.pop()[1]
    while waiting:
        total = _together(waiting.pop()[1], total, results, plan)
    return total


def _together(left: Partial, right: Partial, results: Sequence[PartResult], plan: Plan) -> Partial:
    try:
        return left | right
    except InputError as error:
        if error.code != "duplicate":
            raise
        raise _twice(error.value, results, plan) from None


def _twice(topic: str, results: Sequence[PartResult], plan: Plan) -> InputError:
    """The error for a topic in two parts: both locations, which are looked up only now."""
    parts = {part.number: part for part in plan.parts}
    holding = [parts[result.part] for result in results if topic in result.partial.topics][:2]
    locations = [locate_topic(part, topic, plan) for part in holding]
    text = (
        f"topic {quoted(topic)} is also in {locations[0]}; say {setting('topic_layout', 'split')} where the rows of a "
        "topic are in several files"
    )
    return InputError(text, locations[1], code="split", value=topic)


def locate_topic(part: Part, topic: str, plan: Plan) -> Location:
    """The first row of a topic in a part."""
    for fragment in part.run:
        if fragment.form == "trec":
            return fragment.location
        for topics, first in topic_columns(fragment, plan.kinds, 1 << 17):
            name = topic.encode()
            at = next((row for row, text in enumerate(encode_ids(topics)) if text == name), None)
            if at is not None:
                return fragment.where(first + at)
    return part.location


def _absent(judged: JudgedTopics, total: Partial) -> Ints:
    """Numbers of the topics that no part had documents of."""
    ids, met = judged.topics, total.topics
    if isinstance(met, IntegerTopics) and not isinstance(ids, tuple):
        return np.flatnonzero(~met.holds(ids))
    return np.array([number for number, text in enumerate(encode_ids(ids)) if text.decode() not in met], dtype=np.int64)


def _collect_facts(results: Sequence[PartResult], location: Location) -> list[Finding]:
    """Findings of all parts."""
    facts: Facts = {"noticed": {}}
    for result in results:
        notice_all(facts, result.facts)
        if "tag" in result.facts:
            notice_tag(facts, result.facts["tag"])
    for fact in facts["noticed"].values():
        fact.pop("line", None)  # of one of many files, which the location of them all does not name
    return list(remarks(facts, location))

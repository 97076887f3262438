"""From what was found in each part to the sums of all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted
from cranfield._typing import Floats, Ints
from cranfield.collection.ids import taken, texts_of
from cranfield.engine.protocol import Facts
from cranfield.errors import InputError, TopicError
from cranfield.findings.finding import Finding, notice_all, notice_tag, remarks
from cranfield.findings.location import Place
from cranfield.partitions.batches import topic_columns
from cranfield.partitions.executor import gathered
from cranfield.partitions.part_scoring import Failed, Found, Keep, Work
from cranfield.partitions.parts import Part
from cranfield.partitions.plan import Plan
from cranfield.partitions.qrels import JudgedTopics
from cranfield.partitions.split_topics import scored_split
from cranfield.partitions.topic_scores import Gathered
from cranfield.scoring.list_scorer import ListScorer
from cranfield.scoring.partial_sums import Partial
from cranfield.scoring.remarks import missing_topics
from cranfield.scoring.topic_id_sets import WholeTopics
from cranfield.scoring.undefined_topics import Lacks, put_together, remarks_on_lacks


class Storing(Protocol):
    """Does the work on a part and stores the scores of its topics; see ``stored``."""

    @property
    def rest(self) -> Keep:
        """Receives the scores of topics that are in no part."""
        ...

    def __call__(self, part: Part) -> Found:
        """What was found in a part."""
        ...

    def done(self, found: Sequence[Found]) -> None:
        """All parts are done; ``rest`` has received the scores of topics that are in none of them."""
        ...


Each = Callable[[Callable[[Part], Any]], Iterator[Any]]
"""Does a task with every part, and gives what each comes to, or why it comes to nothing."""


def scored(
    work: Work,
    plan: Plan,
    place: Place,
    each: Each,
    go_on: bool,
    storing: Storing | None = None,
    gathering: Gathered | None = None,
) -> tuple[Partial, int, list[Failed], list[Finding]]:
    """The sums of all topics, how many of them were missing, parts that failed, and what is to be known.

    Where it was not said how topics lie in the files, and a topic turns out to be in two, both passes are made.
    ``storing`` does the work and stores the scores of topics; ``gathering`` receives them.

    Raises:
        InputError: a part failed where that ends it all, or a topic is in two parts.
        TopicError: see ``merged``.
    """
    rest = storing.rest if storing is not None else work.keep
    if work.topics != "split":
        found, wrong = gathered(each(storing or work))
        if wrong and (not go_on or not found):
            raise wrong[0].error
        try:
            total, missing, noticed = merged(work, found, plan, place, rest, gathering, whole=not wrong)
        except InputError as error:
            if error.code != "split" or not plan.may_be_split or rest is not None:
                raise
        else:
            if storing is not None:
                storing.done(found)
            return total, missing, wrong, noticed
    if gathering is not None:
        gathering.clear()
    found = [scored_split(work if rest is None else replace(work, keep=rest), plan, _all_of(each))]
    total, missing, noticed = merged(work, found, plan, place, rest, gathering)
    if storing is not None:
        storing.done([])
    return total, missing, [], noticed


def _all_of(each: Each) -> Each:
    """The same, ending with the first failure."""

    def every(task: Callable[[Part], Any]) -> Iterator[Any]:
        for outcome in each(task):
            if isinstance(outcome, Failed):
                raise outcome.error
            yield outcome

    return every


def merged(
    work: Work,
    found: Sequence[Found],
    plan: Plan,
    place: Place,
    keep: Keep | None = None,
    gathering: Gathered | None = None,
    *,
    whole: bool = True,
) -> tuple[Partial, int, list[Finding]]:
    """The sums of all topics, how many of these no part had documents of, and what is to be known.

    ``keep`` receives the scores of those that no part had documents of, where no part has scored them, ``gathering``
    those of all. Unless the parts are the ``whole`` run, nobody knows which topics it lacks: those that were met are
    summed up alone.

    Raises:
        InputError: a topic is in two parts.
        TopicError: no judged topic was met, or one is missing where the policy refuses that.
    """
    ordered = sorted(found, key=lambda one: one.part)
    total = _united(ordered, plan)
    if gathering is not None:
        for one in ordered:
            gathering.add(one.scores)
    missing = sum(one.missing for one in ordered)
    lacking = [name for one in ordered for name in one.facts.get("absent", [])][:5]
    lacks: list[Lacks] = [one.facts.get("lacks", {}) for one in ordered]
    if plan.judged is not None and whole:
        absent = _absent(plan.judged, total)
        missing, lacking = len(absent), [plan.judged.name(int(number)) for number in absent[:5]]
        keeps: list[Keep] = [one for one in (keep, gathering) if one is not None]
        kept = partial(_kept, keeps, plan.judged) if keeps else None
        scorer = ListScorer(work.asked, work.summaries, work.policy, plan.judged.judgments, kept)
        scorer.add_missing(absent)
        moments = tuple(one + two for one, two in zip(total.moments, scorer.finish(), strict=True))
        lacks.append(work.lacks(scorer, plan.judged))
        total = Partial(total.scorer, total.measures, total.topics, moments)
    topics = len(total.topics) + (missing if plan.judged is not None else 0)
    if missing == topics:
        raise TopicError("run and qrels share no topic: look at the ids of both", place, code="no-shared-topic")
    of_judgments = remarks_on_lacks(put_together(lacks), work.asked, work.policy, topics, work.qrels)
    noticed = [*of_judgments, *_facts_of(ordered, place)]
    if missing:
        if work.policy.missing == "error":
            names = f": {', '.join(map(quoted, lacking))}{', ...' if missing > len(lacking) else ''}" if lacking else ""
            text = f"{missing:,} of {topics:,} judged topics are missing ({setting('missing=error')}){names}"
            raise TopicError(text, place, code="missing-topics", value=lacking[0] if lacking else "")
        noticed.append(_missing(place, lacking, missing, work))
    return total, missing, noticed


def _kept(keeps: Sequence[Keep], judged: JudgedTopics, numbers: Ints, scores: Floats) -> None:
    for keep in keeps:
        keep(None, taken(judged.topics, numbers), scores)


def _united(found: Sequence[Found], plan: Plan) -> Partial:
    """The sums of all parts; two of like size are put together at a time."""
    waiting: list[tuple[int, Partial]] = []
    for one in found:
        size, sums = 1, one.partial
        while waiting and waiting[-1][0] <= size:
            before, other = waiting.pop()
            size, sums = size + before, _together(other, sums, found, plan)
        waiting.append((size, sums))
    total = waiting.pop()[1]
    while waiting:
        total = _together(waiting.pop()[1], total, found, plan)
    return total


def _together(one: Partial, other: Partial, found: Sequence[Found], plan: Plan) -> Partial:
    try:
        return one | other
    except InputError as error:
        if error.code != "duplicate":
            raise
        raise _twice(error.value, found, plan) from None


def _twice(topic: str, found: Sequence[Found], plan: Plan) -> InputError:
    """What to say of a topic in two parts: both places, which are looked for only now."""
    parts = {part.number: part for part in plan.parts}
    holding = [parts[one.part] for one in found if topic in one.partial.topics][:2]
    places = [place_of_topic(part, topic, plan) for part in holding]
    text = (
        f"topic {quoted(topic)} is also in {places[0]}; say topics='split' (--topic-layout split) where the rows of a "
        "topic are in several files"
    )
    return InputError(text, places[1], code="split", value=topic)


def place_of_topic(part: Part, topic: str, plan: Plan) -> Place:
    """The first row of a topic in a part."""
    for fragment in part.run:
        if fragment.form == "trec":
            return fragment.place
        for topics, first in topic_columns(fragment, plan.kinds, 1 << 17):
            wanted = topic.encode()
            at = next((row for row, text in enumerate(texts_of(topics)) if text == wanted), None)
            if at is not None:
                return fragment.where(first + at)
    return part.place


def _absent(judged: JudgedTopics, total: Partial) -> Ints:
    """Numbers of the topics that no part had documents of."""
    ids, met = judged.topics, total.topics
    if isinstance(met, WholeTopics) and not isinstance(ids, tuple):
        return np.flatnonzero(~met.holds(ids))
    return np.array([number for number, text in enumerate(texts_of(ids)) if text.decode() not in met], dtype=np.int64)


def _facts_of(found: Sequence[Found], place: Place) -> list[Finding]:
    """What was noticed in all parts."""
    facts: Facts = {"noticed": {}}
    for one in found:
        notice_all(facts, one.facts)
        if "tag" in one.facts:
            notice_tag(facts, one.facts["tag"])
    for fact in facts["noticed"].values():
        fact.pop("line", None)  # of one of many files, which the place of them all does not name
    return list(remarks(facts, place))


def _missing(place: Place, lacking: list[str], missing: int, work: Work) -> Finding:
    """As of a run in one file, which names the first five."""
    names = lacking + [""] * (missing - len(lacking))
    return missing_topics(place, names, work.policy)

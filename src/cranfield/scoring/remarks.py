"""What a careful reader should know of judgments and runs that were scored, in sentences."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import numpy as np

from cranfield._text import listed
from cranfield._typing import Mask
from cranfield.collection.measure_notices import listening
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.errors import MeasureError
from cranfield.findings.catalogue import MANY
from cranfield.findings.finding import Finding, finding, remarks
from cranfield.findings.location import Place
from cranfield.io.inputs import NamedRun
from cranfield.io.ir_datasets import official_measures
from cranfield.io.judging import JudgedRun, place_of
from cranfield.measures import Measure, parse_measures, values


def remarks_on_qrels(
    qrels: Qrels, asked: Sequence[Measure], policy: Policy, *, has_values: bool = False
) -> Iterator[Finding]:
    """Topics without a value whatever is retrieved, mostly because no document is relevant; and what else is odd.

    Where every topic is known to have values (``has_values``) none is tried.
    """
    without_by_reason: dict[str, Mask] = {}
    said: dict[str, None] = {}
    for measure, without, heard in () if has_values else _without_value(qrels, asked, policy):
        said |= heard
        if np.isnan(measure.undefined):
            if without.any():
                topics = [qrels.topics[topic] for topic in np.flatnonzero(without)]
                yield finding("no-value", qrels.place, measure=str(measure), topics=topics)
            continue
        what = needed_by(measure)
        already_said = any(np.array_equal(without, earlier) for earlier in without_by_reason.values())
        if without.any() and (what in without_by_reason or not already_said):
            without_by_reason[what] = without | without_by_reason.get(what, False)
    if qrels.intents is not None and any(measure.declaration.needs_intents for measure in asked):
        yield from qrels.intents.remarks()
    elif qrels.weights.rule == "given":
        yield finding("idle-weights", qrels.place)
    yield from (finding("odd-judgments", qrels.place, said=text) for text in said)
    fate = fate_of_undefined(policy)
    for what, without in without_by_reason.items():
        topics = [] if without.all() else [qrels.topics[topic] for topic in np.flatnonzero(without)]
        yield finding("nothing-to-find", qrels.place, topics=topics, what=what, fate=fate)


def needed_by(measure: Measure) -> str:
    """Which documents a measure has no value without."""
    rel = measure.parameters.get("rel")
    return "with a gain" if rel is None else f"of label {rel:g} or more"


def fate_of_undefined(policy: Policy) -> str:
    """What measures do in topics where they are undefined."""
    return "give 0 there" if policy.undefined == "declared" and policy.compat != "gdeval" else "have no value there"


def _without_value(
    qrels: Qrels, asked: Sequence[Measure], policy: Policy
) -> Iterator[tuple[Measure, Mask, dict[str, None]]]:
    """Each measure, those with a level of relevance first, the topics it has no value in, and what it says of them."""
    everything = Rankings.of_pool(qrels.pool, policy)
    for measure in sorted(asked, key=lambda measure: measure.parameters.get("rel") is None):
        with listening() as heard:
            without = np.isnan(values(measure, everything))
        yield measure, without, heard


def remarks_on_level(given: object, place: Place, asked: Sequence[Measure]) -> Iterator[Finding]:
    """Measures that take another level of relevance than the documentation of the data set, and were given none.

    Args:
        given: what was given as judgments, or these as they were read.
        place: of the judgments.
        asked: the measures.
    """
    official: dict[str, float] = {}
    for text in official_measures(given.path if isinstance(given, Qrels) and given.path else given):
        with contextlib.suppress(MeasureError):  # it may be a measure that we do not have
            official |= {one.name: one.parameters["rel"] for one in parse_measures(text) if _has_level(one)}
    usual = max(official.values(), default=1)
    others: dict[tuple[float, float], list[str]] = {}
    for measure in asked:
        if _has_level(measure) and "rel" not in measure.given:
            used, level = measure.parameters["rel"], official.get(measure.name, usual)
            if used != level:
                others.setdefault((level, used), []).append(str(measure))
    for (level, used), names in others.items():
        verb = "counts" if len(names) == 1 else "count"
        said = (
            f"{listed(names, 'measure')} {verb} labels of {used:g} or more as relevant, and the data set's "
            f"documentation those of {level:g} or more: give --rel {level:g}, or --rel {used:g} if you mean it"
        )
        yield finding("other-level", place, said=said)


def _has_level(measure: Measure) -> bool:
    """Whether documents are relevant to it or not, whatever it is given."""
    known = measure.declaration.parameters.get("rel")
    return known is not None and known.default is not None


def remarks_on_run(run: NamedRun, qrels: Qrels, judged: JudgedRun) -> Iterator[Finding]:
    """What was noticed while a run was read, and what of it was not found in the judgments."""
    if judged.facts.get("noticed"):
        yield from remarks(judged.facts, place_of(run))
    rankings = judged.rankings
    if not rankings.length.all():
        absent = np.flatnonzero(rankings.length == 0)
        yield missing_topics(place_of(run), [qrels.topics[topic] for topic in absent], rankings.policy)
    if is_foreign(rankings):
        yield none_judged(place_of(run), qrels)


def is_foreign(rankings: Rankings) -> bool:
    """Whether a run has many documents, and none of them is judged: they may be named otherwise."""
    return not len(rankings.rank) and bool(rankings.length.sum() >= MANY)


def none_judged(place: Place, qrels: Qrels) -> Finding:
    """What is said of such a run."""
    return finding("none-judged", place, example=qrels.documents[0])


def missing_topics(place: Place, lacking: list[str], policy: Policy) -> Finding:
    """Judged topics of which a run has no documents."""
    empty = "counted as an empty ranking" if len(lacking) == 1 else "counted as empty rankings"
    fate = empty if policy.missing == "empty" else "left out of its means"
    return finding("missing-topics", place, topics=lacking, fate=fate)

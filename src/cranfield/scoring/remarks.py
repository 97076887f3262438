"""Remarks on the judgments and runs of an evaluation that a careful reader should know."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cranfield._message import setting
from cranfield._text import listed
from cranfield._typing import Mask
from cranfield.collection.measure_notices import listening
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.errors import InputError, MeasureError
from cranfield.findings.catalogue import MANY
from cranfield.findings.finding import Finding, finding, remarks
from cranfield.findings.location import STDIN, Location
from cranfield.io.inputs import NamedRun, QrelsLike
from cranfield.io.ir_datasets import official_measures
from cranfield.io.judging import JudgedRun, locate_run
from cranfield.io.system_names import TELLING
from cranfield.io.trec import load_run
from cranfield.measures import Measure, parse_measures, values
from cranfield.scores.relevance_level import (
    PROPORTIONAL,
    USUAL,
    count_labels,
    describe_counting,
    describe_large,
    group_by_level,
    takes_level,
)

SEEN = 1000
"""The documents that are looked at, of a run of which none is judged."""
SEPARATOR = re.compile(r"[^0-9A-Za-z]+[A-Za-z]*")
"""Marks between a document and the number of a passage: ``#``, ``_``, ``-p``."""


def remarks_on_judgments(
    source: QrelsLike, qrels: Qrels, measures: tuple[Measure, ...], policy: Policy, *, has_values: bool = False
) -> list[Finding]:
    """All remarks on judgments.

    Args:
        source: what they were read from.
        qrels: as they were read.
        measures: of the evaluation.
        policy: of the evaluation.
        has_values: whether some list has a value by each measure in every topic; then none lacks what it needs.
    """
    if has_values:
        remarks = list(_remarks_on_qrels(qrels, measures, policy, ()))
    else:
        remarks = qrels.pool.shared(
            ("remarks", measures, policy),
            lambda: list(_remarks_on_qrels(qrels, measures, policy, _without_value(qrels, measures, policy))),
        )
    return [*remarks, *remarks_on_measures(source, qrels.location, measures)]


def _remarks_on_qrels(
    qrels: Qrels,
    measures: Sequence[Measure],
    policy: Policy,
    without_value: Iterable[tuple[Measure, Mask, dict[str, None]]],
) -> Iterator[Finding]:
    """Topics without a value whatever is retrieved, mostly because no document is relevant; and other oddities."""
    yield from _remarks_on_labels(qrels, measures)
    without_by_need: dict[str, Mask] = {}
    notices: dict[str, None] = {}
    for measure, without, heard in without_value:
        notices |= heard
        if np.isnan(measure.undefined):
            if without.any():
                topics = [qrels.topics[topic] for topic in np.flatnonzero(without)]
                yield finding("no-value", qrels.location, measure=str(measure), topics=topics)
            continue
        need = needed_by(measure)
        is_known = any(np.array_equal(without, earlier) for earlier in without_by_need.values())
        if without.any() and (need in without_by_need or not is_known):
            without_by_need[need] = without | without_by_need.get(need, False)
    if qrels.intents is not None and any(measure.declaration.needs_intents for measure in measures):
        yield from qrels.intents.remarks()
    elif qrels.weights.rule == "given":
        yield finding("idle-weights", qrels.location)
    yield from (finding("odd-judgments", qrels.location, message=text) for text in notices)
    for need, without in without_by_need.items():
        topics = [] if without.all() else [qrels.topics[topic] for topic in np.flatnonzero(without)]
        yield finding("nothing-to-find", qrels.location, topics=topics, what=need, fate=describe_undefined(policy))


def _remarks_on_labels(qrels: Qrels, measures: Sequence[Measure]) -> Iterator[Finding]:
    """Labels that a level of relevance leaves out, as fractions, and those that look like counts."""
    open_ = tuple(filter(takes_level, measures))
    labels = count_labels(qrels.grade, open_)
    if not labels:
        return
    smallest, largest = float(qrels.grade[qrels.grade > 0].min()), float(qrels.grade.max())
    for level, names in group_by_level(open_).items():
        if low := labels["below"][f"{level:g}"]:
            said = describe_counting(names, level, low, labels["above_0"])
            yield finding("low-labels", qrels.location, message=f"{said}: {setting('rel', smallest)} counts these too")
    if largest > USUAL:
        fractions = bool((qrels.grade != np.floor(qrels.grade)).any())
        exchanged = fractions or _ranks_documents(qrels)
        guess = "scores of a run, exchanged with its judgments" if exchanged else "counts"
        text = f"{describe_large(largest, labels)}: are they {guess}? M{PROPORTIONAL[1:]}"
        yield finding("high-labels", qrels.location, message=text)


def _ranks_documents(qrels: Qrels) -> bool:
    """Tell if no two documents of a topic have the same label, and some topic has ten, as is usual of scores."""
    sizes = np.diff(qrels.starts)
    topic = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((qrels.grade, topic))
    equal = (np.diff(qrels.grade[order]) == 0) & (np.diff(topic) == 0)
    return bool(sizes.max() >= 10 and not equal.any())


def needed_by(measure: Measure) -> str:
    """Return which documents a measure has no value without."""
    rel = measure.parameters.get("rel")
    return "with a gain" if rel is None else f"of label {rel:g} or more"


def describe_undefined(policy: Policy) -> str:
    """Return what measures do in topics where they are undefined."""
    return "give 0 there" if policy.undefined == "declared" and policy.compat != "gdeval" else "have no value there"


def _without_value(
    qrels: Qrels, measures: Sequence[Measure], policy: Policy
) -> Iterator[tuple[Measure, Mask, dict[str, None]]]:
    """Each measure, those with a level of relevance first, the topics it has no value in, and its notices."""
    everything = Rankings.of_pool(qrels.pool, policy)
    for measure in sorted(measures, key=lambda measure: measure.parameters.get("rel") is None):
        with listening() as heard:
            without = np.isnan(values(measure, everything))
        yield measure, without, heard


def remarks_on_measures(source: object, location: Location, measures: Sequence[Measure]) -> Iterator[Finding]:
    """Remark on variants that reward other documents, and on levels that the data set's documentation does not have.

    Args:
        source: what the judgments were read from, or these as they were read.
        location: of the judgments.
        measures: of the evaluation.
    """
    for measure in measures:
        for variant in measure.variants():
            if variant.rewards:
                yield finding("rewarding-variant", location, message=f"{measure} {variant.rewards}")
    yield from remarks_on_level(source, location, measures)


def remarks_on_level(source: object, location: Location, measures: Sequence[Measure]) -> Iterator[Finding]:
    """Measures whose default level of relevance is not that of the data set's documentation.

    Args:
        source: what the judgments were read from, or these as they were read.
        location: of the judgments.
        measures: of the evaluation.
    """
    documented = official_measures(source.path if isinstance(source, Qrels) and source.path else source)
    if not documented:
        return
    official: dict[str, float] = {}
    for name in documented:
        with contextlib.suppress(MeasureError):  # it may be a measure that we do not have
            parsed = [measure for measure in parse_measures(name) if _has_level(measure)]
            official |= {measure.name: measure.parameters["rel"] for measure in parsed}
    usual = max(official.values(), default=1)
    by_levels: dict[tuple[float, float], list[str]] = {}
    for measure in measures:
        if takes_level(measure):
            used, level = measure.parameters["rel"], official.get(measure.name, usual)
            if used != level:
                by_levels.setdefault((level, used), []).append(str(measure))
    for (level, used), names in by_levels.items():
        verb = "counts" if len(names) == 1 else "count"
        text = (
            f"{listed(names, 'measure')} {verb} labels of {used:g} or more as relevant, and the data set's "
            f"documentation those of {level:g} or more: give --rel {level:g}, or --rel {used:g} if you mean it"
        )
        yield finding("other-level", location, message=text)


def _has_level(measure: Measure) -> bool:
    """Return whether the measure always takes documents as relevant or not."""
    level = measure.declaration.parameters.get("rel")
    return level is not None and level.default is not None


def remarks_on_run(
    run: NamedRun, qrels: Qrels, judged: JudgedRun, file_options: Mapping[str, Any] | None = None
) -> Iterator[Finding]:
    """Return what was noticed while a run was read, and what it lacks of the judgments.

    Args:
        run: that was read.
        qrels: the judgments.
        judged: the run as they see it.
        file_options: how files are read.
    """
    if judged.facts.get("noticed"):
        yield from remarks(judged.facts, locate_run(run))
    rankings = judged.rankings
    if not rankings.length.all():
        absent = np.flatnonzero(rankings.length == 0)
        yield missing_topics(locate_run(run), [qrels.topics[topic] for topic in absent], rankings.policy)
    if is_foreign(rankings):
        yield none_judged(locate_run(run), qrels, _read_documents(run, file_options or {}), rankings.policy)


def hash_judged(rankings: Rankings) -> bytes:
    """Hash which judged documents a run has at which ranks; nothing where two runs may have the same by chance."""
    import hashlib  # here, as a short call does without

    if len(rankings.rank) < TELLING:
        return b""
    return hashlib.sha256(
        np.stack([rankings.document, rankings.rank], dtype=np.int32, casting="same_kind").tobytes()
    ).digest()


def remarks_on_copies(runs: Sequence[NamedRun], digests: Sequence[bytes]) -> Iterator[Finding]:
    """Remark on runs that have the same judged documents at the same ranks: one system may be here under two names.

    Args:
        runs: all of them.
        digests: from ``hash_judged``.
    """
    first: dict[bytes, NamedRun] = {}
    for run, digest in zip(runs, digests, strict=True):
        known = first.setdefault(digest, run)
        if digest and known is not run:
            yield finding(
                "same-rankings",
                locate_run(run),
                other=str(locate_run(known)),
                which="judged documents at the same ranks",
            )


def _read_documents(run: NamedRun, file_options: Mapping[str, Any]) -> list[str]:
    """The first documents of a run; none where its file cannot be read again, as standard input cannot."""
    if not isinstance(run.data, str):
        return run.data.documents[:SEEN]
    if run.data == STDIN:
        return []
    with contextlib.suppress(InputError):
        return load_run(run.data, **file_options, on_duplicate="first")[0].documents[:SEEN]
    return []


def is_foreign(rankings: Rankings) -> bool:
    """Return whether a run has many documents, and none of them is judged: they may be named otherwise."""
    return not len(rankings.rank) and bool(rankings.length.sum() >= MANY)


def none_judged(location: Location, qrels: Qrels, documents: Sequence[str], policy: Policy) -> Finding:
    """The finding about such a run, some of whose documents are given: are they passages of judged ones?"""
    named = {"example": qrels.documents[0], "own": documents[0] if documents else "", "separator": ""}
    judged = set() if policy.passages else set(qrels.documents.tolist())
    best = 0
    for separator in sorted({mark for document in documents for mark in SEPARATOR.findall(document)}):
        passages = [document for document in documents if document.rpartition(separator)[0] in judged]
        if len(passages) > max(best, len(documents) // 2):
            best = len(passages)
            named = {"example": passages[0].rpartition(separator)[0], "own": passages[0], "separator": separator}
    return finding("none-judged", location, **named)


def missing_topics(location: Location, lacking: list[str], policy: Policy) -> Finding:
    """Judged topics of which a run has no documents."""
    empty = "counted as an empty ranking" if len(lacking) == 1 else "counted as empty rankings"
    fate = empty if policy.missing == "empty" else "left out of its means"
    return finding("missing-topics", location, topics=lacking, fate=fate)

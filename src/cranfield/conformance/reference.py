"""The first of two references: values of cases as exact numbers, right, or with one named mistake.

A topic's list is ordered, its measure computed for that order (or for all orders of equal scores), and the topics are
averaged, each step as the case's policy says; a mistake changes exactly one of these steps.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import factorial, prod

from cranfield.conformance import _diversity_reference, _measure_reference
from cranfield.conformance._reference_topic import MOST_ORDERS, NotApplicableError, ReferenceMeasure, Topic
from cranfield.conformance.cases import ConformanceCase, RunLine
from cranfield.conformance.error_classes import ERROR_CLASSES
from cranfield.conformance.exact_numbers import ONE, ZERO, Exact, root
from cranfield.errors import UsageError

MEASURES: dict[str, ReferenceMeasure] = {**_measure_reference.MEASURES, **_diversity_reference.MEASURES}
"""The measures of the suite, by name."""

UNDEFINED_POLICIES = {"undefined-skipped": "skip", "undefined-one": "one", "undefined-zero": "zero"}


@dataclass(frozen=True, slots=True)
class ExactValues:
    """The values of a case.

    Attributes:
        topics: of each topic that is evaluated; None where it is undefined and left out of the mean.
        mean: over topics; None where no topic counts.
    """

    topics: Mapping[str, Exact | None]
    mean: Exact | None


class RefusedDuplicateError(Exception):
    """A document is listed twice, and the case's policy refuses that."""


def compute_values(case: ConformanceCase, mistake: str = "") -> ExactValues:
    """The exact values of a case.

    Args:
        case: see ``ConformanceCase``.
        mistake: one of ``list_mistakes()``; empty for the right values.

    Raises:
        NotApplicableError: the mistake cannot be made here, or its value depends on a choice that the case leaves open.
        RefusedDuplicateError: the right answer is to refuse the list.
        UsageError: the measure or the mistake is unknown, or the case has a document twice without a policy for it.
    """
    if mistake and mistake not in ERROR_CLASSES:
        raise UsageError(f"the mistake {mistake!r} is unknown; see cranfield.conformance.list_mistakes")
    if case.measure["name"] not in MEASURES:
        raise UsageError(f"case {case.id}: the measure {case.measure['name']!r} is not in the suite")
    _check_duplicates(case)
    values = {name: _topic_value(case, name, mistake) for name in _evaluated_topics(case, mistake)}
    counted = {name: value for name, value in values.items() if value is not None}
    return ExactValues(values, _average(case, list(counted.values()), mistake))


def compute_wrong_means(case: ConformanceCase) -> dict[str, Exact | None]:
    """The mean that each mistake gives, for those whose mean differs from the right one."""
    right = compute_values(case).mean
    means = {}
    for mistake in ERROR_CLASSES:
        try:
            mean = compute_values(case, mistake).mean
        except NotApplicableError:
            continue
        if not _same(mean, right):
            means[mistake] = mean
    return means


def _same(mean: Exact | None, right: Exact | None) -> bool:
    if mean is None or right is None:
        return mean is right
    return mean.equals(right)


def _check_duplicates(case: ConformanceCase) -> None:
    twice = any(len({line.document for line in lines}) < len(lines) for lines in case.run.values())
    if twice and case.policy["duplicates"] == "refuse":
        raise RefusedDuplicateError
    if twice and case.policy["duplicates"] == "none":
        raise UsageError(f"case {case.id}: a document is listed twice, and the policy on duplicates is none")


def _evaluated_topics(case: ConformanceCase, mistake: str) -> Iterator[str]:
    for name in case.qrels:
        if name not in case.run and (case.policy["missing"] == "skip" or mistake == "missing-skipped"):
            continue
        if not case.run.get(name) and mistake == "empty-lists-skipped":
            continue
        yield name
    if mistake == "extra-topics-counted":
        yield from (name for name in case.run if name not in case.qrels)


def _topic_value(case: ConformanceCase, name: str, mistake: str) -> Exact | None:
    """The value of one topic; None where it is left out of the mean."""
    topic = Topic.from_case(case, name, mistake)
    if name not in case.qrels:
        return ZERO
    measure = MEASURES[case.measure["name"]]
    lines = case.run.get(name, ())
    if mistake == "unjudged-dropped":
        lines = tuple(line for line in lines if line.document in topic.judged)
    if mistake == "duplicates-last":
        lines = tuple({line.document: line for line in lines}.values())
    values = [measure(replace(topic, order=order)) for order in _orders(case, lines, mistake)]
    defined = [value for value in values if value is not None]
    if len(defined) < len(values):
        return _undefined(UNDEFINED_POLICIES.get(mistake, case.policy["undefined"]))
    return _choose(defined, mistake)


def _undefined(policy: str) -> Exact | None:
    if policy == "none":
        raise NotApplicableError("a topic is undefined, and the case does not say how it counts")
    return {"zero": ZERO, "one": ONE, "skip": None}[policy]


def _choose(values: Sequence[Exact], mistake: str) -> Exact:
    """The value over all orders of equal scores."""
    if mistake == "ties-best":
        return max(values, key=lambda value: value.value)
    if mistake == "ties-worst":
        return min(values, key=lambda value: value.value)
    total = sum(values[1:], start=values[0])
    return total.scale(Fraction(1, len(values)))


def _orders(case: ConformanceCase, lines: Sequence[RunLine], mistake: str) -> list[tuple[str, ...]]:
    """The orders of a list over which its value is taken: one, or all of equal scores."""
    if mistake == "file-order":
        return [_first_of_each([line.document for line in lines], mistake)]
    score = _single if mistake == "scores-as-float32" else float
    direction = 1 if mistake == "ascending-scores" else -1
    ordered = sorted(lines, key=lambda line: direction * score(line.score))
    groups = [list(group) for _, group in itertools.groupby(ordered, key=lambda line: score(line.score))]
    ties = mistake.removeprefix("ties-") if mistake.startswith("ties-") else case.policy["ties"]
    choices: Iterable[tuple[Sequence[RunLine], ...]]
    if ties in ("expected", "best", "worst"):
        if prod(factorial(len(group)) for group in groups) > MOST_ORDERS:
            text = f"case {case.id}: more than {MOST_ORDERS:,} orders of equal scores"
            raise NotApplicableError(text) if mistake else UsageError(text)
        choices = itertools.product(*(itertools.permutations(group) for group in groups))
    else:
        choices = [tuple(_break_ties(group, ties) for group in groups)]
    documents = [[line.document for group in choice for line in group] for choice in choices]
    return [_first_of_each(order, mistake) for order in documents]


def _break_ties(group: list[RunLine], ties: str) -> list[RunLine]:
    """Lines of one score in order; without a policy as trec_eval has them, which only a mistake can need."""
    if ties == "file-order":
        return group
    key = _numeric_key if ties == "docid-numeric" else _bytes_key
    return sorted(group, key=key, reverse=ties != "docid-ascending")


def _bytes_key(line: RunLine) -> bytes:
    return line.document.encode()


def _numeric_key(line: RunLine) -> tuple[bool, int, bytes]:
    number = line.document if line.document.isascii() and line.document.isdigit() else "0"
    return number is line.document, int(number), line.document.encode()


def _first_of_each(order: Sequence[str], mistake: str) -> tuple[str, ...]:
    """The list with each document at its first rank only."""
    return tuple(order) if mistake == "duplicates-counted" else tuple(dict.fromkeys(order))


def _single(score: float) -> float:
    single: float = struct.unpack("f", struct.pack("f", score))[0]
    return single


def _average(case: ConformanceCase, values: list[Exact], mistake: str) -> Exact | None:
    if not values:
        return None
    if case.measure["name"] == "gmap" and mistake != "arithmetic-mean":
        floor = Exact({"": Fraction(case.measure["floor"])})
        product = ONE
        for value in values:
            product = product * (value if value.exceeds(floor) else floor)
        return root(len(values), product)
    total = sum(values[1:], start=values[0])
    return total if case.measure.get("over_topics") == "sum" else total.scale(Fraction(1, len(values)))

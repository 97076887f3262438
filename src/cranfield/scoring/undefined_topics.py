"""Topics in which measures have no value whatever is retrieved: counted part by part, and the first ones named."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypedDict

import numpy as np

from cranfield._typing import Ints, Mask
from cranfield.collection.policy import Policy
from cranfield.collection.rankings import Rankings
from cranfield.findings.finding import Finding, finding
from cranfield.findings.location import Place
from cranfield.measures import Measure, values
from cranfield.scoring.list_scorer import TOPICS, Judgments
from cranfield.scoring.remarks import fate_of_undefined, needed_by

NAMED = 5
"""Topics that a sentence names."""


class Lacking(TypedDict):
    """Topics of some parts without what a measure needs.

    Args:
        count: how many there are.
        names: of the first ones.
        which: a digest of them for each part, by which equal sets are recognised.
    """

    count: int
    names: list[str]
    which: list[str]


OF_JUDGMENTS = ("no-value", "nothing-to-find")
"""Codes of what is said of judgments, the same by every run."""
Lacks = dict[str, Lacking]
"""What is needed, or the name of a measure that nobody gives a value there -> topics without it."""


def lacks_of(
    asked: Sequence[Measure], policy: Policy, judgments: Judgments, numbers: Ints, name_of: Callable[[int], str]
) -> Lacks:
    """What some topics lack.

    Args:
        asked: the measures.
        policy: of the evaluation.
        judgments: of the topics.
        numbers: of the topics that may lack something, ascending.
        name_of: the id of a topic.
    """
    masks: dict[str, list[Mask]] = {}
    for start in range(0, len(numbers), TOPICS):
        pool, _ = judgments.of(numbers[start : start + TOPICS])
        everything, of_block = Rankings.of_pool(pool, policy), dict[str, Mask]()
        for measure in sorted(asked, key=lambda measure: measure.parameters.get("rel") is None):
            key = str(measure) if np.isnan(measure.undefined) else needed_by(measure)
            of_block[key] = np.isnan(values(measure, everything)) | of_block.get(key, False)
        for key, mask in of_block.items():
            masks.setdefault(key, []).append(mask)
    found = {key: numbers[np.concatenate(some)] for key, some in masks.items()}
    return {
        key: Lacking(
            count=len(some),
            names=[name_of(int(number)) for number in some[:NAMED]],
            which=[hashlib.sha256(some.tobytes()).hexdigest()[:16]],
        )
        for key, some in found.items()
        if len(some)
    }


def put_together(parts: Sequence[Lacks]) -> Lacks:
    """Of all parts."""
    keys = dict.fromkeys(key for one in parts for key in one)
    none = Lacking(count=0, names=[], which=[""])
    every = {key: [one.get(key, none) for one in parts] for key in keys}
    return {
        key: Lacking(
            count=sum(one["count"] for one in some),
            names=[name for one in some for name in one["names"]][:NAMED],
            which=[digest for one in some for digest in one["which"]],
        )
        for key, some in every.items()
    }


def remarks_on_lacks(
    lacks: Lacks, asked: Sequence[Measure], policy: Policy, topics: int, place: Place
) -> Iterator[Finding]:
    """The same findings as of judgments in memory; the topics after the first ones are counted alone."""
    without_value = {str(measure) for measure in asked if np.isnan(measure.undefined)}
    said: list[list[str]] = []
    for key, one in lacks.items():
        names = one["names"] + [""] * (one["count"] - len(one["names"]))
        if key in without_value:
            yield finding("no-value", place, measure=key, topics=names)
        elif one["which"] not in said:
            said.append(one["which"])
            every = [] if one["count"] == topics else names
            yield finding("nothing-to-find", place, topics=every, what=key, fate=fate_of_undefined(policy))


def said_once(findings: Sequence[Finding], *, first: bool) -> list[Finding]:
    """What is to be known by a run; what is so of the judgments, only by the ``first`` run."""
    return [one for one in findings if first or one.code not in OF_JUDGMENTS]

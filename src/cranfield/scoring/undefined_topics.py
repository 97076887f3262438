"""Topics in which measures have no value whatever is retrieved, counted part by part, with the first ones named."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import TypedDict

import numpy as np

from cranfield._text import NAMED
from cranfield._typing import Ints, Mask
from cranfield.collection.policy import Policy
from cranfield.collection.rankings import Rankings
from cranfield.findings.finding import Finding, finding
from cranfield.findings.location import Location
from cranfield.measures import Measure, values
from cranfield.scoring.list_scorer import TOPICS, Judgments
from cranfield.scoring.remarks import describe_undefined, needed_by


class Lacking(TypedDict):
    """Topics that lack what a measure needs.

    Args:
        count: how many there are.
        names: of the first ones.
        which: a digest of them for each part, by which equal sets are recognised.
    """

    count: int
    names: list[str]
    which: list[str]


OF_JUDGMENTS = ("no-value", "nothing-to-find")
"""Codes of the findings about judgments, which are the same by every run."""
Lacks = dict[str, Lacking]
"""Needs of measures, or the name of a measure that is left undefined -> topics that lack them."""


def find_lacking(
    measures: Sequence[Measure], policy: Policy, judgments: Judgments, numbers: Ints, name_of: Callable[[int], str]
) -> Lacks:
    """Find the topics that lack what a measure needs.

    Args:
        measures: of the evaluation.
        policy: of the evaluation.
        judgments: of the topics.
        numbers: of the topics that may lack something, ascending.
        name_of: the id of a topic.
    """
    masks: dict[str, list[Mask]] = {}
    for start in range(0, len(numbers), TOPICS):
        pool, _ = judgments.select(numbers[start : start + TOPICS])
        everything, of_block = Rankings.of_pool(pool, policy), dict[str, Mask]()
        for measure in sorted(measures, key=lambda measure: measure.parameters.get("rel") is None):
            key = str(measure) if np.isnan(measure.undefined) else needed_by(measure)
            of_block[key] = np.isnan(values(measure, everything)) | of_block.get(key, False)
        for key, mask in of_block.items():
            masks.setdefault(key, []).append(mask)
    lacking = {key: numbers[np.concatenate(topics)] for key, topics in masks.items()}
    return {
        key: Lacking(
            count=len(topics),
            names=[name_of(int(number)) for number in topics[:NAMED]],
            which=[hashlib.sha256(topics.tobytes()).hexdigest()[:16]],
        )
        for key, topics in lacking.items()
        if len(topics)
    }


def merge_lacking(parts: Sequence[Lacks]) -> Lacks:
    """Add up the topics of all parts."""
    keys = dict.fromkeys(key for part in parts for key in part)
    none = Lacking(count=0, names=[], which=[""])
    every = {key: [part.get(key, none) for part in parts] for key in keys}
    return {
        key: Lacking(
            count=sum(part["count"] for part in lacking),
            names=[name for part in lacking for name in part["names"]][:NAMED],
            which=[digest for part in lacking for digest in part["which"]],
        )
        for key, lacking in every.items()
    }


def remarks_on_lacking(
    lacks: Lacks, measures: Sequence[Measure], policy: Policy, topics: int, location: Location
) -> Iterator[Finding]:
    """The findings that judgments in memory would give; topics after the first ones are only counted."""
    without_value = {str(measure) for measure in measures if np.isnan(measure.undefined)}
    reported: list[list[str]] = []
    for key, lacking in lacks.items():
        names = lacking["names"] + [""] * (lacking["count"] - len(lacking["names"]))
        if key in without_value:
            yield finding("no-value", location, measure=key, topics=names)
        elif lacking["which"] not in reported:
            reported.append(lacking["which"])
            every = [] if lacking["count"] == topics else names
            yield finding("nothing-to-find", location, topics=every, what=key, fate=describe_undefined(policy))


def drop_repeated(findings: Sequence[Finding], *, first: bool) -> list[Finding]:
    """The findings of a run, with those about the judgments only for the ``first`` run."""
    return [remark for remark in findings if first or remark.code not in OF_JUDGMENTS]

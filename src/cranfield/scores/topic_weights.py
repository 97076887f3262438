"""Weights of topics, such as how often a query is asked, or their difficulty: read or estimated, and checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, cut, quoted, shown, warn
from cranfield._typing import Floats
from cranfield._validation import is_decimal
from cranfield.errors import InputError
from cranfield.findings.location import Location
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.clustered_tests import FEW_DF, cluster_df

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike


@dataclass(frozen=True)
class TopicWeights:
    """The weight of each topic of some scores.

    Args:
        weights: not below 0, and above it for two topics or more, [topics].
        source: the signature of the file, or how they were estimated.
    """

    weights: Floats
    source: dict[str, Any]

    @property
    def settings(self) -> dict[str, Any]:
        """Entries on the weights in settings and signature of an analysis."""
        shares = self.weights / self.weights.sum()
        facts = {"largest": float(shares.max()), "effective": count_effective(self.weights)}
        return {"topic_weights": {**self.source, **facts}}


def count_effective(weights: Floats) -> float:
    """Return the effective number of topics, those of equal weight with the same variance, (sum w)^2 / sum w^2.

    Reference:
        Kish 1965, Survey sampling.
    """
    return float(weights.sum() ** 2 / (weights**2).sum())


def describe_weights(settings: dict[str, Any]) -> str:
    """Describe the weights: ``weighted, which count as 12.3 of equal weight``."""
    weights = settings["topic_weights"]
    if "estimated" in weights:
        return f"weighted by difficulty, 1 minus the mean score of {weights['systems']:,} systems"
    return f"weighted, which count as {settings['topic_weights']['effective']:,.1f} of equal weight"


def read_weights(source: GroupsLike, topics: Sequence[str]) -> TopicWeights:
    """Read the weight of each topic; warn of lines for other topics, and of a topic that has most of the weight.

    Args:
        source: topic -> weight, a Series with topics in its index, a data frame with columns of topics and weights, or
            a file of lines ``topic weight`` or ``FILE#COLUMN``; see ``TopicGroups.from_source``.
        topics: of the scores.

    Raises:
        InputError: the file is refused, a topic has two weights or none, one is not a number or below 0, or fewer than
            two are above it.
    """
    table = TopicGroups.from_source(source, "weight")
    weights = np.empty(len(topics))
    for at, topic in enumerate(topics):
        if topic not in table.of_topic:
            raise InputError(
                f"topic {quoted(topic)} has no weight: give each topic of the scores one, or leave the topic out",
                table.location,
                code="no-weight",
            )
        weights[at] = _read_number(table.of_topic[topic], topic, table)
    unknown = len(table.of_topic) - len(topics)
    if unknown:
        warn(f"{counted(unknown, 'topic')} with a weight {'is' if unknown == 1 else 'are'} not in the scores: ignored")
    _warn_of_few(weights, topics, table.location)
    return TopicWeights(weights, dict(table.signature()))


def _warn_of_few(weights: Floats, topics: Sequence[str], location: Location | None = None) -> None:
    """Warn of a topic with most of the weight, and of few degrees of freedom.

    Raises:
        InputError: fewer than two weights are above 0, or their sum is infinite.
    """
    above = weights[weights > 0]
    if len(above) < 2:
        raise InputError(f"{counted(len(above), 'topic')} with a weight above 0, of 2 needed", location, code="too-few")
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise InputError("the sum of the weights is infinite: give smaller ones", location, code="not-a-weight")
    share = weights.max() / total
    if len(above) > 2 and share > 0.5:
        warn(f"topic {shown(topics[int(weights.argmax())])} has {share:.0%} of the weight: what is said rests on it")
    df = cluster_df(above)
    if df < min(FEW_DF, len(above) - 1.5):
        warn(f"{counted(len(above), 'topic')} of such weights leave {df:.1f} degrees of freedom: tests are uncertain")


DIFFICULTY = "difficulty"
"""The word in place of weights that asks to estimate them."""


def estimate_weights(scores: Floats, topics: Sequence[str], systems: Sequence[str], measure: str) -> TopicWeights:
    """The difficulty of each topic as its weight: 1 minus the mean score of the systems, [topics, systems].

    A weight is made of the scores of its topic alone, so that topics are drawn with their weights: the error of the
    weighted mean is that of a ratio estimator, and holds what the estimation of weights adds.

    Args:
        scores: from 0 to 1, the larger the better; NaN where there is none.
        topics: their names.
        systems: their names.
        measure: whose scores these are.

    Raises:
        InputError: a score lies outside 0 to 1, or fewer than two topics are not perfectly solved by all.
    """
    if np.nanmin(scores) < 0 or np.nanmax(scores) > 1:
        raise InputError(
            f"weights by difficulty are 1 minus the mean score, which takes scores from 0 to 1, and {shown(measure)} "
            f"goes from {np.nanmin(scores):g} to {np.nanmax(scores):g}: give a file of weights",
            code="not-a-weight",
        )
    weights = difficulty_without(scores)
    _warn_of_few(weights, topics)
    return TopicWeights(weights, {"estimated": DIFFICULTY, "systems": len(systems)})


def difficulty_without(scores: Floats, left_out: int | None = None) -> Floats:
    """1 minus the mean score of all systems, or of all but one, on each topic, [topics]; 0 where none has a score."""
    of_others = scores if left_out is None else np.delete(scores, left_out, axis=1)
    known = ~np.isnan(of_others)
    count = known.sum(axis=1)
    sums = np.where(known, of_others, 0.0).sum(axis=1)
    return np.where(count > 0, 1.0 - sums / np.maximum(count, 1), 0.0)


def _read_number(text: str, topic: str, table: TopicGroups) -> float:
    """The number that a weight is written as.

    Raises:
        InputError: it is none, or not above 0.
    """
    weight = float(text) if is_decimal(text) else math.nan
    if not (math.isfinite(weight) and weight >= 0):
        raise InputError(
            f"the weight of topic {quoted(topic)} is {quoted(cut(text))}, and should be a number, 0 or above",
            table.location,
            code="not-a-weight",
            value=cut(text),
        )
    return weight

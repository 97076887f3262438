"""Weights of topics, such as how often a query is asked: read, checked, and joined with scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._text import counted, quoted, shown, warn
from cranfield._typing import Floats
from cranfield.errors import InputError
from cranfield.scores.topic_clusters import FEW_DF
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.clustered_tests import cluster_df

if TYPE_CHECKING:
    from cranfield.scores.topic_groups import GroupsLike


@dataclass(frozen=True)
class TopicWeights:
    """The weight of each topic of some scores.

    Args:
        weights: above 0, [topics].
        source: the signature of the file, or of what they were estimated from.
    """

    weights: Floats
    source: dict[str, Any]

    @property
    def settings(self) -> dict[str, Any]:
        """What settings and signature of an analysis say of the weights."""
        shares = self.weights / self.weights.sum()
        facts = {"largest": float(shares.max()), "effective": count_effective(self.weights)}
        return {"topic_weights": {**self.source, **facts}}


def count_effective(weights: Floats) -> float:
    """How many topics of equal weight a mean has the variance of, (sum w)^2 / sum w^2.

    Reference:
        Kish 1965, Survey sampling.
    """
    return float(weights.sum() ** 2 / (weights**2).sum())


def describe_weights(settings: dict[str, Any]) -> str:
    """Describe the weights: ``weighted, which count as 12.3 of equal weight``."""
    return f"weighted, which count as {settings['topic_weights']['effective']:,.1f} of equal weight"


def read_weights(source: GroupsLike, topics: Sequence[str]) -> TopicWeights:
    """Read the weight of each topic; warn of lines for other topics, and of a topic that has most of the weight.

    Args:
        source: topic -> weight, a Series with topics in its index, a data frame with columns of topics and weights, or
            a file of lines ``topic weight`` or ``FILE#COLUMN``; see ``TopicGroups.from_source``.
        topics: of the scores.

    Raises:
        InputError: the file is refused, a topic has two weights or none, or one is not a number above 0.
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
    share = weights.max() / weights.sum()
    if len(topics) > 2 and share > 0.5:
        warn(f"topic {shown(topics[int(weights.argmax())])} has {share:.0%} of the weight: what is said rests on it")
    df = cluster_df(weights)
    if df < min(FEW_DF, len(topics) - 1.5):
        warn(f"{counted(len(topics), 'topic')} of such weights leave {df:.1f} degrees of freedom: tests are uncertain")
    return TopicWeights(weights, dict(table.signature()))


def _read_number(text: str, topic: str, table: TopicGroups) -> float:
    """The number that a weight is written as.

    Raises:
        InputError: it is none, or not above 0.
    """
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not (math.isfinite(weight) and weight > 0):
        raise InputError(
            f"the weight of topic {quoted(topic)} is {quoted(text)}, and should be a number above 0; a topic that "
            "should not count is left out of the scores",
            table.location,
            code="not-a-weight",
            value=text,
        )
    return weight

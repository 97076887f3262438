"""The labels of judgments, and what labels below zero do to the range of nDCG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import check_integer
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, JudgmentOptions
from cranfield.io.inputs import QrelsLike, convert_qrels
from cranfield.measures._gain import Discounting, label_gain
from cranfield.results.frames import melted, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.signature import fingerprint
from cranfield.statistics.numeric import ratio

if TYPE_CHECKING:
    import pandas as pd

MARGIN = 1e-12
"""Bounds that are -1 in exact arithmetic are often a rounding away from it."""


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Labels of a qrels in plain arrays.

    Args:
        topics: in order of first appearance, T of them.
        labels: that occur, ascending, float64 [labels].
        counts: judged documents of each, int64 [topics, labels].
        lowest: NDCG_org@k of the worst ranking of each topic, float64 [topics]; NaN without a label above zero.
        cutoff: k.
    """

    topics: tuple[str, ...]
    labels: Floats
    counts: Ints
    lowest: Floats
    cutoff: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Labels as they are written: ``-2``, ``1``, ``0.5``."""
        return tuple(repr(label).removesuffix(".0") for label in self.labels.tolist())

    @cached_property
    def judged(self) -> Ints:
        """Judged documents of each topic, int64 [topics]."""
        judged: Ints = self.counts.sum(axis=1)
        return judged

    @cached_property
    def shares(self) -> Floats:
        """Share of each label among the judged documents of a topic, float64 [topics, labels]."""
        shares: Floats = self.counts / self.judged[:, None]
        return shares

    @cached_property
    def occurs(self) -> Ints:
        """Topics in which each label occurs, int64 [labels]."""
        topics: Ints = np.count_nonzero(self.counts, axis=0)
        return topics

    @cached_property
    def mean_shares(self) -> Floats:
        """Mean share of each label over the topics in which it occurs, float64 [labels]; together they may exceed 1."""
        means: Floats = self.shares.sum(axis=0) / self.occurs
        return means

    @cached_property
    def below_zero(self) -> Mask:
        """Topics in which a ranking can have an NDCG_org@k below 0, bool [topics]."""
        return self.lowest < 0

    @cached_property
    def below_minus_one(self) -> Mask:
        """Topics in which a ranking can have an NDCG_org@k of -1 or less, bool [topics]."""
        return self.lowest <= -1 + MARGIN


@dataclass(frozen=True, eq=False, repr=False)
class LabelReport(Result):
    """Labels of a qrels, labelled.

    Args:
        by_topic: a row a ``topic``: ``judged`` documents, ``lowest`` and ``highest`` attainable NDCG_org@k, and a
            column for the ``share`` of each label.
        by_label: a row a ``label``: ``documents``, ``topics`` in which it occurs, its ``mean_share`` over those topics,
            and over ``all_topics``.
        below_zero: share of topics in which NDCG_org@k can be below 0.
        below_minus_one: share of topics in which it can be -1 or less.
        settings: the cutoff.
        signature: all that changes these numbers.
    """

    by_topic: pd.DataFrame
    by_label: pd.DataFrame
    below_zero: float
    below_minus_one: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        ends = ["judged", "lowest", "highest"]
        shares = self.by_topic.drop(columns=ends).set_axis(self.by_label.index, axis=1)
        return {
            "topics": lambda: tidy(self.by_topic[ends]),
            "labels": lambda: tidy(self.by_label),
            "shares": lambda: melted(shares, "label", "share"),
        }


def describe_labels(
    qrels: QrelsLike, cutoff: int = 20, *, reading: InputOptions | None = None, **options: Unpack[JudgmentOptions]
) -> LabelReport:
    """Shares of the labels by topic and overall, and the range that labels below zero leave to nDCG.

    share of a label in a topic = its documents / judged documents of the topic. NDCG_org@k, whose gains below zero are
    kept, lies between WDCG@k / IDCG@k and 1: the worst ranking shows the labels below zero, the lowest first.

    Args:
        qrels: a path, Qrels, topic -> document -> label, or a data frame.
        cutoff: k, at least 1.
        reading: how a file is read, see ``InputOptions``.

    Raises:
        InputError: the qrels cannot be read.
        UsageError: a cutoff below 1, or a word that contradicts the object given.

    Source: tables 1 and 2a of Gienapp, Fröbe, Hagen & Potthast 2020, doi:10.1145/3340531.3412123.

    >>> import cranfield
    >>> report = cranfield.describe_labels({"1": {"a": 2, "b": 0, "spam": -2}, "2": {"c": 1, "d": 0}}, cutoff=1)
    >>> report.by_topic["lowest"].tolist(), report.below_zero
    ([-1.0, 0.0], 0.5)
    """
    import pandas as pd

    judgments = convert_qrels(qrels, **InputOptions.of(reading, options, JudgmentOptions).judgment_options)
    counted = count_labels(judgments, cutoff)
    topics = pd.Index(counted.topics, name="topic", dtype=object)
    labels = pd.Index(counted.labels, name="label")
    by_topic = pd.DataFrame({"judged": counted.judged, "lowest": counted.lowest}, index=topics)
    by_topic["highest"] = np.where(np.isnan(counted.lowest), np.nan, 1.0)
    shares = pd.DataFrame(counted.shares, index=topics, columns=[f"share({name})" for name in counted.names])
    by_label = {
        "documents": counted.counts.sum(axis=0),
        "topics": counted.occurs,
        "mean_share": counted.mean_shares,
        "all_topics": counted.shares.mean(axis=0),
    }
    return LabelReport(
        by_topic.join(shares),
        pd.DataFrame(by_label, index=labels),
        float(counted.below_zero.mean()),
        float(counted.below_minus_one.mean()),
        {"cutoff": cutoff},
        signature(judgments, cutoff),
    )


def count_labels(qrels: Qrels, cutoff: int = 20) -> LabelCounts:
    """Labels of a qrels in plain arrays; see ``describe_labels``."""
    check_integer(1, cutoff=cutoff)
    pool = qrels.pool
    labels, code = np.unique(pool.grade, return_inverse=True)
    cells: NDArray[np.int64] = np.bincount(pool.topic * len(labels) + code, minlength=len(pool.size) * len(labels))
    return LabelCounts(
        qrels.topics, labels, cells.reshape(len(pool.size), len(labels)), _lowest(qrels, int(cutoff)), int(cutoff)
    )


def signature(qrels: Qrels, cutoff: int) -> dict[str, Any]:
    """Everything that changes these numbers."""
    inputs = {"engine": engine.current().NAME, "qrels": {"name": qrels.name, "sha256": fingerprint(qrels)}}
    return signed("labels", {"cutoff": cutoff}, **inputs)


def _lowest(qrels: Qrels, cutoff: int) -> Floats:
    everything = Rankings.of_pool(qrels.pool, Policy())
    discounting = Discounting(label_gain(everything, "log2", None, "keep"), cutoff=cutoff)
    return ratio(discounting.worst(everything), discounting.best(everything))

"""Scores of some topics of a run as exact sums, and what the sums of all parts come to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cranfield._text import quoted
from cranfield._typing import Floats
from cranfield._validation import share
from cranfield.errors import InputError
from cranfield.measures import Summary
from cranfield.measures.compute import averaged
from cranfield.scores.scale import Scale
from cranfield.scoring.topic_id_sets import Topics, unite
from cranfield.statistics.exact_differences import student
from cranfield.statistics.exact_sums import Moments
from cranfield.statistics.rounding import NOISE


@dataclass(frozen=True, slots=True)
class Partial:
    """The findings of a ``Scorer`` in some topics; parts are merged with ``|``, in any order and to the same bits.

    Args:
        scorer: digest of the judgments, measures and policies.
        measures: names.
        topics: that were scored.
        moments: exact sums of each measure's scores.
    """

    scorer: str
    measures: tuple[str, ...]
    topics: Topics
    moments: tuple[Moments, ...]

    def __or__(self, other: Partial) -> Partial:
        """Both together.

        Raises:
            InputError: a topic is in both, or they are of different judgments, measures or policies.
        """
        if not isinstance(other, Partial):
            return NotImplemented
        if self.scorer != other.scorer:
            raise InputError("these sums are of different judgments, measures or policies; merge those of one Scorer")
        topics, twice = unite(self.topics, other.topics)
        if twice is not None:
            text = f"topic {quoted(twice)} is in two parts; give each topic whole, in one part"
            raise InputError(text, code="duplicate", value=twice)
        moments = tuple(left + right for left, right in zip(self.moments, other.moments, strict=True))
        return Partial(self.scorer, self.measures, topics, moments)


@dataclass(frozen=True, slots=True)
class PartTotals:
    """The totals of all parts.

    Args:
        means: measure -> mean over topics, or what else it declares as its summary, as ``evaluate`` summarizes.
        counts: measure -> topics with a score.
        variances: measure -> unbiased variance of these scores, of their logarithms for a geometric mean.
        topics: that were scored.
        missing: judged topics of which no part had documents.
        summaries: measure -> what ``means`` has of it: a mean, a sum, a geometric mean.
    """

    means: dict[str, float]
    counts: dict[str, int]
    variances: dict[str, float]
    topics: int
    missing: int
    summaries: dict[str, Summary] = field(default_factory=dict)

    @property
    def standard_errors(self) -> dict[str, float]:
        """Measure -> standard error of the mean over topics."""
        return {name: math.sqrt(self.variances[name] / max(count, 1)) for name, count in self.counts.items()}

    def intervals(self, level: float = 0.95) -> dict[str, tuple[float, float]]:
        """Measure -> Student's interval of the mean over topics like these, as ``estimate_means`` gives it.

        It is NaN for what is not a mean, such as a sum, of fewer than two topics, and where all scores are equal.
        """
        share(level=level)
        errors, none = self.standard_errors, (math.nan, math.nan)
        return {
            name: student(mean, errors[name], self.counts[name], level)
            if self.summaries.get(name, "mean") == "mean" and errors[name] > NOISE * abs(mean)
            else none
            for name, mean in self.means.items()
        }


def sum_moments(kinds: Sequence[Summary], values: Floats) -> tuple[Moments, ...]:
    """Exact sums of each measure's scores, [measures, topics]; of their logarithms for geometric means."""
    return tuple(Moments.from_values(averaged(kind, row)) for kind, row in zip(kinds, values, strict=True))


def compute_totals(scales: Sequence[Scale], moments: Sequence[Moments], topics: int, missing: int) -> PartTotals:
    """Return what exact sums over all topics come to."""
    named = list(zip(scales, moments, strict=True))
    return PartTotals(
        means={scale.name: _summary(scale, sums) for scale, sums in named},
        counts={scale.name: sums.count for scale, sums in named},
        variances={scale.name: sums.variance for scale, sums in named},
        topics=topics,
        missing=missing,
        summaries={scale.name: scale.summary for scale in scales},
    )


def _summary(scale: Scale, moments: Moments) -> float:
    peer = scale.attributes.get("peer_summary")
    if peer is not None:
        return float(peer)
    if scale.summary == "sum":
        return moments.sum
    return float(np.exp(moments.mean)) if scale.summary == "geometric mean" else moments.mean

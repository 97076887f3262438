"""Input checks of a comparison of topics in clusters: what it accepts, refuses and warns of."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cranfield._message import setting
from cranfield._text import counted, quoted, warn
from cranfield._typing import Floats, Ints
from cranfield.comparison.outcome import DRAWN, IntervalKind, PairedOutcome, Procedure
from cranfield.errors import UsageError
from cranfield.scores.measure_scores import Scores, Units
from cranfield.scores.topic_clusters import LEAST, TopicClusters
from cranfield.statistics.clustered_tests import cluster_means, clustered_t
from cranfield.statistics.contrasts import Contrasts
from cranfield.statistics.intervals import PairIntervals
from cranfield.statistics.multiple_testing import adjust
from cranfield.statistics.paired_tests import paired_t
from cranfield.statistics.test_names import SIMULTANEOUS, Test

FOR_BOOTSTRAP = 20
"""Clusters from which on percentiles of a bootstrap are an interval."""
BY_CLUSTER_MEAN = ("wilcoxon", "sign")
"""Tests of cluster means, each of which weighs the same."""
PAIRS_NAMED = 3
"""Pairs that a warning names."""


WEIGHTED = ("t", "permutation", "bootstrap")
"""Tests of weighted means."""


def refuse_for_units(test: Test, interval: IntervalKind | None, units: Units, alpha: float) -> None:
    """Refuse tests and intervals that do not work with clusters, or with weights, of topics.

    Raises:
        UsageError: the message says what to take instead.
    """
    if units.topic_weights is not None and test not in WEIGHTED:
        raise UsageError(
            f"{setting('test', test)} does not work with weights of topics: take one of {setting('test', *WEIGHTED)}"
        )
    if units.clusters is not None:
        refuse_for_clusters(test, interval, units.clusters, alpha)


def refuse_for_clusters(test: Test, interval: IntervalKind | None, clusters: TopicClusters, alpha: float) -> None:
    """Refuse tests and intervals that do not work with clusters, or need more of them.

    Raises:
        UsageError: the message says what to take instead.
    """
    if test in (*SIMULTANEOUS, "welch", "mcnemar"):
        raise UsageError(
            f"{setting('test', test)} does not work with clusters: "
            f"take {setting('test', 't')} or {setting('test', 'permutation')}"
        )
    if test in BY_CLUSTER_MEAN and clusters.mean_over == "topics":
        raise UsageError(
            f"{setting('test', test)} takes the mean of each cluster: add {setting('mean_over', 'clusters')}, or take "
            f"{setting('test', 't')} or {setting('test', 'permutation')}"
        )
    if interval in DRAWN and clusters.count < FOR_BOOTSTRAP:
        raise UsageError(
            f"{setting('interval', interval)} of {clusters.count:,} clusters is too short: it takes {FOR_BOOTSTRAP} or "
            f"more; take {setting('interval', 't')}"
        )
    if test == "permutation":
        refuse_few_flips(clusters, alpha)


def refuse_for_runs(test: Test, interval: IntervalKind | None) -> None:
    """Refuse tests and intervals that ignore how runs of a system differ.

    Raises:
        UsageError: the message says what to take instead.
    """
    if test != "t":
        raise UsageError(
            f"{setting('test', test)} does not work with several runs of a system: take {setting('test', 't')}"
        )
    if interval in DRAWN:
        raise UsageError(f"{setting('interval', interval)} draws topics alone: take {setting('interval', 't')}")


def refuse_few_flips(clusters: TopicClusters, alpha: float) -> None:
    """Refuse flips of so few clusters that no p is as small as alpha.

    Raises:
        UsageError: there are too few.
    """
    smallest = 2.0 ** (1 - clusters.count)
    if smallest > alpha:
        enough = int(np.ceil(1.0 - np.log2(alpha)))
        raise UsageError(f"{clusters.count:,} clusters allow no p below {smallest:.4g}: at least {enough:,}")


def without_small_pairs(scores: Scores, pairs: Contrasts, outcome: PairedOutcome) -> PairedOutcome:
    """The outcome without p and interval of pairs whose topics are in fewer than five clusters, of which it warns."""
    assert outcome.clusters is not None, "topics are in clusters"
    few = outcome.clusters < LEAST
    if not few.any():
        return outcome
    warn(
        f"{scores.called}: {_name_pairs(scores, pairs, few)} share topics of fewer than {LEAST} clusters, which say "
        "nothing of other clusters: no p and no interval"
    )
    columns = {name: np.where(few, np.nan, getattr(outcome, name)) for name in ("error", "df", "p")}
    interval = PairIntervals(*(np.where(few, np.nan, end) for end in outcome.interval))
    return replace(outcome, interval=interval, **columns)


def warn_of_estimands(scores: Scores, pairs: Contrasts, procedure: Procedure, alpha: float) -> None:
    """Warn of pairs whose sign, or verdict by t, differs between a mean over topics and one over clusters."""
    assert scores.units.clusters is not None, "topics are in clusters"
    alike = scores.is_complete and len(set(scores.units.clusters.sizes.tolist())) == 1
    if alike or scores.units.topic_weights is not None:
        return
    means, ps = [], []
    for by in ("topics", "clusters"):
        mean, p = _test_means(scores.values, pairs, scores.units.clusters.cluster, means=by == "clusters")
        means.append(mean)
        correction = procedure.correction if procedure.correction in ("none", "bonferroni", "bh") else "holm"
        ps.append(adjust(p, correction))
    differ = (means[0] * means[1] < 0) | ((ps[0] < alpha) != (ps[1] < alpha))
    if differ.any():
        warn(
            f"{scores.called}: {_name_pairs(scores, pairs, differ)} differ in sign, or in the verdict by t, between a "
            "mean over topics and one over clusters: say which is meant"
        )


def _test_means(table: Floats, pairs: Contrasts, clusters: Ints, *, means: bool) -> tuple[Floats, Floats]:
    """The mean difference of each pair and p by t, of one estimand, [pairs]."""
    mean, p = np.full((2, len(pairs)), np.nan)
    for at, (left, right) in enumerate(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)):
        z = table[:, left] - table[:, right]
        known = ~np.isnan(z)
        _, cluster = np.unique(clusters[known], return_inverse=True)
        if cluster.max(initial=-1) + 1 < LEAST:
            continue
        z = z[known][:, None]
        if means:
            y = cluster_means(z, cluster)
            mean[at], p[at] = y.mean(), paired_t(y, np.zeros(1)).p[0]
        else:
            tested = clustered_t(z, cluster)
            mean[at], p[at] = tested.mean[0], tested.p[0]
    return mean, p


def _name_pairs(scores: Scores, pairs: Contrasts, which: NDArray[np.bool_]) -> str:
    """Name the first pairs, and count the others."""
    at = np.flatnonzero(which)
    named = [
        f"{quoted(scores.systems[pairs.left[pair]])} and {quoted(scores.systems[pairs.right[pair]])}" for pair in at
    ]
    more = f" (and {counted(len(named) - PAIRS_NAMED, 'more pair')})" if len(named) > PAIRS_NAMED else ""
    return "; ".join(named[:PAIRS_NAMED]) + more

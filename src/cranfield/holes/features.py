"""Who retrieved a document, where, and how good these teams are on what others confirm: what predicts its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.rankings import Rankings
from cranfield.pooling.pools import Pools

DEPTH = 100
"""Ranks of a run that count as having retrieved a document."""
SHARED_DEPTH = 20
"""Ranks among which teams confirm each other."""
PSEUDO = 10.0
"""Documents of the base rate that are added to the confirmed ones of a team."""


@dataclass(frozen=True, eq=False)
class HoleDocuments:
    """Judged documents that were retrieved (rows) and unjudged ones whose label is wanted (candidates).

    Shapes: D documents, G teams.

    Args:
        pools: of all runs, to rank 100.
        index: the pool row of each document, [D].
        topic: of each, [D].
        label: of each, labels below 0 as 0, NaN of candidates, [D].
        best: best rank of each over the runs of a team, infinite beyond 100, [D, G].
        teams: names, in the order of the columns.
        team_of_run: of each run of the pools.
        predicted: the label of each by a language model, [D]; None where there are none.
    """

    pools: Pools
    index: Ints
    topic: Ints
    label: Floats
    best: Floats
    teams: tuple[str, ...]
    team_of_run: tuple[str, ...]
    predicted: Floats | None = None

    @property
    def judged(self) -> Mask:
        """Which documents are rows, [D]."""
        return ~np.isnan(self.label)

    @property
    def shares(self) -> Floats:
        """a_g = (1 / r_g) / sum of 1 / r_g, 0 where g has not retrieved the document, [D, G]."""
        weight = 1.0 / self.best
        return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def gather_documents(
    pools: Pools,
    teams: Sequence[str],
    evaluated: Sequence[bool],
    depth: int,
    *,
    ignored: Mask | None = None,
    removed: Mask | None = None,
) -> HoleDocuments:
    """The rows and candidates of runs.

    Args:
        pools: of the evaluated runs and the contributors, to rank 100.
        teams: of each run.
        evaluated: whether each run is one of the evaluated.
        depth: ranks of evaluated runs whose unjudged documents are candidates.
        ignored: pool rows that stay 0 and are neither, [documents].
        removed: pool rows that are neither, and that no rank counts, as residual runs lack them, [documents].
    """
    names = tuple(sorted(set(teams)))
    team_of = np.array([names.index(team) for team in teams])
    rankings = pools.rankings
    system = rankings.segment // len(pools.topics)
    wanted = np.zeros(len(pools.label), dtype=bool)
    first = rankings.rank <= depth
    wanted[rankings.document[first & np.asarray(evaluated)[system]]] = True
    unjudged = np.isnan(pools.label)
    retrieved = np.zeros(len(pools.label), dtype=bool)
    retrieved[rankings.document[rankings.rank <= DEPTH]] = True
    chosen = np.where(unjudged, wanted, retrieved)
    for excluded in (ignored, removed):
        if excluded is not None:
            chosen &= ~excluded
    index = np.flatnonzero(chosen)
    place = np.full(len(pools.label), -1)
    place[index] = np.arange(len(index))
    best = np.full((len(index), len(names)), np.inf)
    used = (place[rankings.document] >= 0) & (rankings.rank <= DEPTH)
    rank = rankings.rank if removed is None else _residual_ranks(rankings, removed)
    np.minimum.at(best, (place[rankings.document[used]], team_of[system[used]]), rank[used].astype(np.float64))
    topic = np.searchsorted(rankings.pool.starts, index, side="right") - 1
    return HoleDocuments(pools, index, topic, np.maximum(pools.label[index], 0.0), best, names, tuple(teams))


def _residual_ranks(rankings: Rankings, removed: Mask) -> Ints:
    """The rank of each row among the documents of its list that are not removed, [rows]."""
    above = np.concatenate([[0], np.cumsum(removed[rankings.document])])
    first = np.repeat(rankings.starts[:-1], rankings.sizes)
    return np.asarray(rankings.rank - (above[:-1] - above[first]), dtype=np.int64)


def features(documents: HoleDocuments, level: float, *, pool: bool) -> Floats:
    """Return the predictors of whether the label of a document reaches a level, [D, features].

    x1 = ln min(b1, 101), x2 = ln min(b2, 101) with b1 <= b2 the two best ranks; x3 = ln(.01 + the mean over teams of
    [r_g <= 100] / log2(1 + r_g)); x4 = sum of a_g q_g, q_g being the quality of a team at this level. In pool mode all
    four; in blind mode x1, and x4 where there are two teams. Predicted labels are one more.

    Args:
        documents: rows and candidates.
        level: of labels.
        pool: whether the runs that made the pool are among the runs.
    """
    best, teams = documents.best, documents.best.shape[1]
    two = (
        np.partition(best, 1, axis=1)[:, :2] if teams > 1 else np.column_stack([best[:, 0], np.full(len(best), np.inf)])
    )
    first, second = np.log(np.minimum(two, DEPTH + 1.0)).T
    columns = [first]
    if pool:
        columns += [second, np.log(0.01 + (np.isfinite(best) / np.log2(1.0 + best)).mean(axis=1))]
    if pool or teams > 1:
        columns.append(documents.shares @ team_quality(documents, level, confirmed=2 if pool else 1))
    if documents.predicted is not None:
        columns.append(documents.predicted)
    return np.column_stack(columns)


def feature_names(documents: HoleDocuments, *, pool: bool) -> list[str]:
    """The name of each column of ``features``."""
    names = ["ln best rank"]
    if pool:
        names += ["ln second rank", "ln support"]
    if pool or documents.best.shape[1] > 1:
        names.append("quality of teams")
    return names if documents.predicted is None else [*names, "predicted label"]


def team_quality(documents: HoleDocuments, level: float, confirmed: int) -> Floats:
    """ln((m + 10 base) / (n + 10 - m - 10 base)) of each team, [G].

    n are the judged documents that the team has among its first twenty and at least ``confirmed`` teams have among
    theirs; one team in blind mode. m of them reach the level; base is the share of all
    confirmed documents that do, within [.001, .999].
    """
    near = documents.best <= SHARED_DEPTH
    is_confirmed = documents.judged & (near.sum(axis=1) >= confirmed)
    reaches = documents.label >= level
    base = float(np.clip(reaches[is_confirmed].mean() if is_confirmed.any() else 0.001, 0.001, 0.999))
    own = near & is_confirmed[:, None]
    n, m = own.sum(axis=0), (own & reaches[:, None]).sum(axis=0)
    return np.asarray(np.log((m + PSEUDO * base) / (n + PSEUDO - m - PSEUDO * base)))


def share_holes(pools: Pools, systems: Sequence[str], depth: int) -> Floats:
    """The share of unjudged documents among the first ``depth`` of each of these runs, [systems]."""
    rankings = pools.rankings
    near = rankings.rank <= depth
    system = rankings.segment[near] // len(pools.topics)
    unjudged = np.isnan(pools.label[rankings.document[near]])
    counts = np.bincount(system, minlength=len(pools.systems))
    shares = np.bincount(system, unjudged, len(pools.systems)) / np.maximum(counts, 1)
    return np.array([shares[pools.systems.index(name)] for name in systems])

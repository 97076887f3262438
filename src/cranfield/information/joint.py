"""Joint RIC: what several systems tell of relevance together, beside what chance would seem to tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack, get_args

import numpy as np

from cranfield.collection.pool import Floats
from cranfield.errors import UsageError
from cranfield.information.cells import Cells, Estimator
from cranfield.information.experiment import Experiment, JudgmentsLike, Options, experiment
from cranfield.io.runs import RunsLike
from cranfield.showing import Shown

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

PERMUTATIONS = 20


@dataclass(frozen=True)
class JointRIC(Shown):
    """What a set of systems tells together.

    Args:
        value: joint RIC, bits, the mean over topics with a pair.
        null: its mean where labels are dealt at random to the judged documents; NaN where none was asked for.
        normalized: (value - null) / (1 - null): 0 where the set tells no more than chance, 1 where it tells all.
        topics: dims (topic): ``joint``, ``null``, ``silent`` (share of pairs of which no system retrieves either
            document), ``pairs``, ``cells`` (different outcomes that occur, mirror images and silence apart).
        systems: in rows: ``RIC`` alone, and ``contribution``, what the joint RIC loses without the system.
        settings: estimator, permutations, seed.
        signature: all else that changes these numbers.
    """

    value: float
    null: float
    normalized: float
    topics: xr.Dataset = field(repr=False)
    systems: pd.DataFrame = field(repr=False)
    settings: dict[str, Any]
    signature: dict[str, Any] = field(repr=False)


def joint_ric(
    runs: RunsLike | Experiment,
    judgments: JudgmentsLike | None = None,
    *,
    systems: Sequence[str] | None = None,
    estimator: Estimator = "table",
    permutations: int = PERMUTATIONS,
    seed: int = 1,
    **options: Unpack[Options],
) -> JointRIC:
    """What several systems tell of relevance together, in bits, without their lists being fused.

    RIC(S_1, ..., S_m) = I(R_1, ..., R_m; Q), never less than the best RIC of one of them, and 1 where every pair is
    decided. Estimated from the table of the 3^m outcomes it overfits: ten random lists tell little each and much
    together. So the value stands beside its null, the mean over ``permutations`` of the labels among the judged
    documents (lists end anew each time), and (value - null) / (1 - null). ``estimator="logistic"`` overfits less: it is
    1 - the cross entropy, in bits, of the best weighted sum of the m outcomes as a predictor of Q.

    Args:
        runs, judgments, options: see ``cranfield.experiment``.
        systems: some of the systems; all where None.
        estimator: ``table`` or ``logistic``.
        permutations: 0 for no null.
        seed: of the permutations.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an argument outside its range.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 6; the null and the logistic estimator are ours.

    >>> import cranfield
    >>> runs = {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"c": 2, "d": 1}}}
    >>> found = cranfield.joint_ric(runs, {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}, permutations=0)
    >>> found.systems["RIC"].round(3).to_dict(), round(found.value, 3)
    ({'one': 0.5, 'two': 0.5}, 1.0)
    """
    import pandas as pd
    import xarray as xr

    if estimator not in get_args(Estimator):
        raise UsageError(f"estimator={estimator!r} is not one of {', '.join(get_args(Estimator))}")
    asked = experiment(runs, judgments, **options)
    if systems is not None:
        asked = asked.of_systems(list(systems))
    check_source(asked, estimator)
    cells = [asked.cells(topic) for topic in range(len(asked.topics))]
    joint = per_topic(asked, cells, estimator)
    null = null_of(asked, estimator, permutations, seed)
    value, chance = mean(joint), mean(null)
    size = len(asked.systems)
    others = [[s for s in range(size) if s != left] for left in range(size)]
    contribution = joint - np.stack([per_topic(asked, [c.of(some) for c in cells], estimator) for some in others])
    topics = xr.Dataset(
        {
            "joint": ("topic", joint),
            "null": ("topic", null),
            "silent": ("topic", np.array([c.silent / c.total if c.total else np.nan for c in cells])),
            "pairs": ("topic", np.array([pairs.size for pairs in asked.pairs])),
            "cells": ("topic", np.array([c.occupied for c in cells])),
        },
        {"topic": np.array(asked.topics, dtype=object)},
    )
    alone = [mean(per_topic(asked, [c.of([s]) for c in cells], estimator)) for s in range(size)]
    table = pd.DataFrame(
        {"RIC": alone, "contribution": [mean(row) for row in contribution]},
        index=pd.Index(asked.systems, name="system"),
    )
    settings = {"estimator": estimator, "permutations": permutations, "seed": seed}
    return JointRIC(value, chance, normalized(value, chance), topics, table, settings, asked.signature)


def per_topic(asked: Experiment, cells: Sequence[Cells], estimator: Estimator) -> Floats:
    """Information of each topic, float64 [topics]; NaN where there is nothing to ask or a skipped run is absent."""
    told = np.array([found.information(estimator) for found in cells])
    everyone: Floats = np.where(asked.places.present.all(axis=0), told * asked.counted, np.nan)
    return everyone


def null_of(asked: Experiment, estimator: Estimator, permutations: int, seed: int) -> Floats:
    """Mean information of each topic where labels are dealt at random, float64 [topics]; NaN without permutations.

    Each topic draws from a generator of its own, spawned from the seed: runs drawn from the same seed must not
    meet their own random numbers again.

    Raises:
        UsageError: a number of permutations or a seed below 0.
    """
    for name, number in (("permutations", permutations), ("seed", seed)):
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 0:
            raise UsageError(f"{name}={number!r} should be a whole number of at least 0")
    if permutations == 0:
        return np.full(len(asked.topics), np.nan)
    total = np.zeros(len(asked.topics))
    for topic in range(len(asked.topics)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(topic,)))
        size = int(asked.places.pool.size[topic])
        for _ in range(permutations):
            total[topic] += asked.cells(topic, rng.permutation(size)).information(estimator)
    everyone: Floats = np.where(asked.places.present.all(axis=0), total / permutations * asked.counted, np.nan)
    return everyone


def normalized(value: float, null: float) -> float:
    """(value - null) / (1 - null); NaN where chance tells all."""
    return (value - null) / (1 - null) if null < 1 else float("nan")


def mean(values: Floats) -> float:
    """Mean of the values that there are; NaN if there is none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def check_source(asked: Experiment, estimator: Estimator) -> None:
    """Raises: UsageError: the logistic estimator with several sources."""
    if estimator == "logistic" and any(pairs.evidence is not None for pairs in asked.pairs):
        raise UsageError("estimator='logistic' predicts one source of judgments; use 'table' for Evidence of several")

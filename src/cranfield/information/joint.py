"""Joint RIC: the joint information of several systems about relevance, compared with chance.

What a fusion of systems may be expected to reach: a weighted sum of their outcomes, learned on other topics.

What is asked of one topic after the other, on all cores.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, Unpack, get_args

import numpy as np

from cranfield import engine
from cranfield._message import setting
from cranfield._typing import Bytes, Floats, Ints
from cranfield._validation import whole, word
from cranfield.engine.protocol import CODES
from cranfield.errors import UsageError
from cranfield.information.experiment import Experiment, JudgmentsLike, Options, prepare_experiment
from cranfield.information.outcome_counts import DENSE, Cells, Estimator, count, observe, sampled, sees_all
from cranfield.information.pairs import Pairs, Small
from cranfield.io.inputs import RunsLike
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.dataset import labelled_arrays
from cranfield.scoring import Progress
from cranfield.statistics._kernels.sign_codes import unpack_signs
from cranfield.statistics.entropy import Correction
from cranfield.statistics.logistic import ROUGH, ManySigns, cross_entropy_with, sign_weights
from cranfield.threads import beside, cpus, side_by_side

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


PERMUTATIONS = 20
OF_MANY = 2
"""Permutations for more than ten systems, where none are asked for: a fit takes long, and the mean is over topics."""


@dataclass(frozen=True, eq=False, repr=False)
class JointRIC(Result):
    """The joint information of a set of systems about relevance, and what chance gives.

    Args:
        normalized: (value - null) / (1 - null): 0 where the set tells no more than chance, 1 where it tells all. It is
            what to look at first.
        reachable: what a weighted sum of the outcomes tells of topics that its weights were not learned on, in bits:
            what a fusion may be expected to reach, and no bound. NaN of Evidence of several sources, of a user who
            stops, and of fewer than two topics.
        value: joint RIC in bits, the mean over topics that have a pair; never to be read without its null.
        null: its mean over random permutations of the labels, in bits; NaN where none was asked for.
        topics: dims (``topic``): ``joint`` and ``null`` in bits, ``silent`` (share of pairs of which no system
            retrieves either document), number of ``pairs``, ``cells`` (different outcomes that occur; an outcome and
            its mirror image are one, and silence is none).
        settings: estimator, permutations, seed.
        signature: all that changes these numbers.
        asked: the experiment.
        on_request: the table ``systems``: each ``system`` with its ``RIC`` and ``contribution``.
    """

    on_request: ClassVar[tuple[str, ...]] = ("systems",)
    normalized: float
    reachable: float
    value: float
    null: float
    topics: xr.Dataset
    settings: dict[str, Any]
    signature: dict[str, Any]
    asked: Experiment = field(repr=False, compare=False)

    def _tables(self) -> Tables:
        tables = {"topics": lambda: unrolled(self.topics), "systems": lambda: tidy(self.systems)}
        return {"values": self._values, **tables}

    @cached_property
    def systems(self) -> pd.DataFrame:
        """Of each system in bits: its ``RIC`` alone, and its ``contribution``, what the joint RIC loses without it.

        Each of many systems is left out in turn, which takes much longer than all else: it waits until it is asked for.
        """
        import pandas as pd

        asked, estimator = self.asked, self.settings["estimator"]
        size = len(asked.systems)
        alone, without = np.empty((2, size, len(asked.topics)))
        for topic, pairs in enumerate(asked.pairs):

            def told(places: Small, weight: Floats | None, pairs: Pairs = pairs) -> Floats:
                cells, some = count(pairs, places, weight), observe(pairs, places, weight, estimator)
                of_one = [cells.of([one]).information(estimator) for one in range(size)]
                return np.array([of_one, some.without_each(estimator)])

            alone[:, topic], without[:, topic] = asked.expect(topic, told)
        joint = self.topics["joint"].values
        rows = [
            (mean(everyone(asked, one)), mean(joint - everyone(asked, rest)))
            for one, rest in zip(alone, without, strict=True)
        ]
        return pd.DataFrame(rows, columns=["RIC", "contribution"], index=pd.Index(asked.systems, name="system"))


def compute_joint_ric(
    runs: RunsLike | Experiment,
    judgments: JudgmentsLike | None = None,
    *,
    systems: Sequence[str] | None = None,
    estimator: Estimator | None = None,
    permutations: int | None = None,
    seed: int = 1,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> JointRIC:
    """The joint information of several systems about relevance, in bits, without fusing their lists.

    RIC(S_1, ..., S_m) = I(R_1, ..., R_m; Q), estimated as 1 - the cross entropy, in bits, of the best weighted sum of
    the m outcomes as a predictor of Q (``estimator="logistic"``). The weights fit chance too, more the more systems
    there are: so the value stands beside its null, the mean over ``permutations`` of the labels among the judged
    documents (lists end anew each time), and (value - null) / (1 - null) is what to look at first. ``reachable`` has
    its weights from other topics. ``estimator="table"`` is the published estimate, from the table of the 3^m outcomes:
    it overfits by far more, ten random lists telling little each and much together.

    Args:
        runs, judgments, options: see ``cranfield.information.prepare_experiment``.
        systems: names of some of the systems; all where None.
        estimator: ``logistic`` or ``table``; where None, ``logistic``, but ``table`` with Evidence of several sources.
            ``miller-madow`` and ``shrinkage`` are the table corrected for the cells that occur, or with frequencies
            shrunk towards equal ones (Hausser & Strimmer 2009); without weights of pairs. Both correct too little.
            Of more than ten systems ``logistic`` looks at 4 million outcomes of each topic: of more pairs than have
            them, 33,288 of 126 systems, at a sample.
        permutations: of the labels, for the null; 0 for no null; where None, 20, and 2 of more than ten systems.
        seed: of the permutations and of the folds of topics, at least 0.
        progress: called with how many topics are done, of how many, where the null is computed.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an unknown word or system, an argument outside its range, an estimator other than the table with
            Evidence of several sources, or a corrected table with weights of pairs.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 6; the null, the logistic estimator and
        ``reachable`` are ours.

    >>> import cranfield
    >>> runs = {"one": {"q": {"a": 2, "b": 1}}, "two": {"q": {"c": 2, "d": 1}}}
    >>> found = cranfield.information.compute_joint_ric(runs, {"q": {"a": 1, "b": 0, "c": 1, "d": 0}}, permutations=0)
    >>> found.systems["RIC"].round(3).to_dict(), round(found.value, 3)
    ({'one': 0.5, 'two': 0.5}, 1.0)
    """
    asked = prepare_experiment(runs, judgments, **options)
    if systems is not None:
        asked = asked.of_systems(list(systems))
    estimator = estimator_of(asked, estimator)
    permutations = permutations_of(asked, permutations)

    whole(0, permutations=permutations, seed=seed)

    def ask(topic: int) -> tuple[float, ...]:
        # By chance too, while the pairs that are looked at are known.
        return *_of_topic(asked, topic, estimator), chance_of(asked, topic, estimator, permutations, seed)

    learning = beside(lambda: reachable(asked, seed))
    told = np.zeros((len(asked.topics), 4))
    for topic, found in enumerate(each_topic(asked, ask, range(len(asked.topics)))):
        told[topic] = found
        if progress is not None and permutations:
            progress(topic + 1, len(told))
    silent, occupied = told[:, 1], told[:, 2]
    joint, null = everyone(asked, told[:, 0]), everyone(asked, told[:, 3])
    value, chance = mean(joint), mean(null)
    topics = labelled_arrays(
        {
            "joint": ("topic", joint),
            "null": ("topic", null),
            "silent": ("topic", silent),
            "pairs": ("topic", np.array([pairs.size for pairs in asked.pairs])),
            "cells": ("topic", occupied.astype(np.int64)),
        },
        {"topic": np.array(asked.topics, dtype=object)},
    )
    settings = {"estimator": estimator, "permutations": permutations, "seed": seed}
    signature = asked.signature | signed("joint ric", settings)
    return JointRIC(normalized(value, chance), learning.result(), value, chance, topics, settings, signature, asked)


def _of_topic(asked: Experiment, topic: int, estimator: Estimator) -> tuple[float, float, int]:
    """Joint information about a topic, the share of its pairs that are silent, and how many outcomes occur."""
    cells = asked.cells(topic)
    silent = cells.silent / cells.total if cells.total else np.nan
    return told_of(asked, topic, estimator, counted=cells), silent, cells.occupied


def told_of(
    asked: Experiment, topic: int, estimator: Estimator, order: Ints | None = None, counted: Cells | None = None
) -> float:
    """Joint information of all systems about a topic; see ``Places.ended`` for ``order``.

    ``counted`` are its cells without an order, where they are known: they are what is looked at if all pairs are.
    """
    pairs = asked.pairs[topic]
    if counted is not None and asked.stopping is None and sees_all(pairs, len(asked.systems), estimator):
        return counted.information(estimator)
    return asked.expect(
        topic, lambda places, weight: observe(pairs, places, weight, estimator).information(estimator), order
    )


def per_topic(asked: Experiment, cells: Iterable[Cells], estimator: Estimator) -> Floats:
    """Information of each topic, float64 [topics]; NaN where there is nothing to ask or a skipped run is absent."""
    return everyone(asked, np.array([cell.information(estimator) for cell in cells]))


def everyone(asked: Experiment, told: Floats) -> Floats:
    """What was told of each topic, where there is something to ask and every system answered; else NaN."""
    bits: Floats = np.where(asked.places.present.all(axis=0), told * asked.counted, np.nan)
    return bits


def null_of(asked: Experiment, estimator: Estimator, permutations: int, seed: int) -> Floats:
    """Mean information of each topic with permuted labels, float64 [topics]; NaN without permutations.

    Raises:
        UsageError: a number of permutations or a seed below 0.
    """
    whole(0, permutations=permutations, seed=seed)
    told = each_topic(
        asked, lambda topic: chance_of(asked, topic, estimator, permutations, seed), range(len(asked.topics))
    )
    return everyone(asked, np.array(list(told), dtype=np.float64))


def chance_of(asked: Experiment, topic: int, estimator: Estimator, permutations: int, seed: int) -> float:
    """Mean information of a topic with permuted labels; NaN without permutations.

    Each topic draws from a generator of its own, spawned from the seed: runs drawn from the same seed must not
    meet their own random numbers again.
    """
    if permutations == 0:
        return float("nan")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(topic,)))
    size = int(asked.places.pool.size[topic])
    return sum(told_of(asked, topic, estimator, rng.permutation(size)) for _ in range(permutations)) / permutations


def normalized(value: float, null: float) -> float:
    """(value - null) / (1 - null); NaN where chance tells all."""
    return (value - null) / (1 - null) if null < 1 else float("nan")


def mean(values: Floats) -> float:
    """Mean of the values that there are; NaN if there is none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def estimator_of(asked: Experiment, estimator: Estimator | None) -> Estimator:
    """The estimator that is asked for, or the one for these judgments.

    Raises:
        UsageError: an unknown word, another than the table with several sources, or a corrected table of weights.
    """
    several = any(pairs.evidence is not None for pairs in asked.pairs)
    if estimator is None:
        return "table" if several else "logistic"
    word("estimator", estimator, get_args(Estimator))
    if estimator != "table" and several:
        raise UsageError(
            f"{setting('estimator', estimator)} is for one source of judgments; use 'table' for Evidence of several"
        )
    if estimator in get_args(Correction) and asked.pair_weight != "uniform":
        raise UsageError(
            f"{setting('estimator', estimator)} needs numbers of pairs: use 'table' or 'logistic' with pair_weight"
        )
    return estimator


def permutations_of(asked: Experiment, permutations: int | None) -> int:
    """How many permutations are asked for, or the usual number."""
    if permutations is not None:
        return permutations
    return PERMUTATIONS if len(asked.systems) <= DENSE else OF_MANY


FOLDS = 5
POOLED = 1 << 16
"""Of many systems, pairs of all topics that are looked at."""


def reachable(asked: Experiment, seed: int) -> float:
    """1 - cross entropy, in bits, of one logistic regression of Q on the outcomes, cross-validated over topics.

    The regression has no intercept and is over the oriented pairs of the topics of four folds, each topic weighing the
    same; the value is that on the topics of the fifth. It needs no null. NaN of Evidence of several sources, of a user
    who stops, and of fewer than two topics.

    Args:
        asked: the experiment.
        seed: of the folds.
    """
    several = any(pairs.evidence is not None for pairs in asked.pairs)
    topics = np.flatnonzero((asked.counted == 1) & asked.places.present.all(axis=0))
    if several or asked.stopping is not None or len(topics) < 2:
        return float("nan")
    rows = _rows(asked, topics)
    if rows is None:
        return 0.0
    codes, topic, toward, against = rows
    systems = len(asked.systems)
    fold = np.random.default_rng(seed).permutation(len(topics)) % FOLDS
    told = np.zeros(len(topics))
    for held_out in np.unique(fold):
        learned = fold[topic] != held_out
        if not learned.any():
            continue
        b = _weights(codes[learned], systems, toward[learned], against[learned])
        for one in np.flatnonzero(fold == held_out):
            here = topic == one
            if here.any():
                x = unpack_signs(codes[here], systems, np.float64)
                told[one] = 1.0 - cross_entropy_with(b, x, toward[here], against[here])
    return float(told.mean())


def _rows(asked: Experiment, topics: Ints) -> tuple[Bytes, Ints, Floats, Floats] | None:
    """Outcomes as codes [rows, systems / 5], topics by their number among ``topics``, and shares of the topic's pairs.

    None where no pair of any topic has weight.
    """
    parts = []
    for number, topic in enumerate(topics.tolist()):
        cells = _cells(asked, topic, len(topics))
        if cells.total:
            shares = cells.toward / cells.total, cells.against / cells.total
            parts.append((cells.codes, np.full(len(cells.toward), number), *shares))
    if not parts:
        return None
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return columns[0], columns[1], columns[2], columns[3]


def _cells(asked: Experiment, topic: int, topics: int) -> Cells:
    places, weight = asked.looks(topic)
    if len(places) <= DENSE:
        return count(asked.pairs[topic], places, weight)
    return sampled(asked.pairs[topic], places, weight, max(1, POOLED // topics))


def _weights(codes: Bytes, systems: int, toward: Floats, against: Floats) -> Floats:
    """The best weights, of each different outcome once where the systems are few."""
    if systems > DENSE:
        return ManySigns(codes, systems, toward, against, engine.current()).weights
    x = unpack_signs(codes, systems, np.float64)
    code = functools.reduce(lambda code, column: code * CODES + column, codes.T, np.zeros(len(codes), dtype=np.int64))
    _, first, same = np.unique(code, return_index=True, return_inverse=True)
    one, other = (np.bincount(same.ravel(), side).astype(np.float64) for side in (toward, against))
    return sign_weights(x[first], one, other, ROUGH)


Told = TypeVar("Told")


def each_topic(asked: Experiment, ask: Callable[[int], Told], topics: Sequence[int]) -> Iterator[Told]:
    """What is asked of each of these topics, in their order; on several threads where there are many systems.

    With few a topic takes less than it takes to hand it to a thread. The threads change no bit.
    """
    return side_by_side(ask, topics, cpus() if len(asked.systems) > DENSE else 1)

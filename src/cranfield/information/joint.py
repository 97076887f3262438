"""Joint RIC: the joint information of several systems about relevance, compared with chance.

``reachable`` estimates what a fusion may reach: a weighted sum of the outcomes, learned on other topics.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, Unpack, get_args

import numpy as np

from cranfield import engine
from cranfield._message import setting
from cranfield._text import counted, percent
from cranfield._typing import Bytes, Floats, Ints, Returned
from cranfield.collection.reading import InputOptions, LevelOptions
from cranfield.declarations.analysis import View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.engine.protocol import CODES
from cranfield.errors import UsageError
from cranfield.information.experiment import (
    DRAWING_RULES,
    FROM_JUDGED_RUNS,
    CutoffOption,
    Experiment,
    JudgmentsLike,
    PairDecayOption,
    PairWeightOption,
    PersistenceOption,
    take_experiment,
)
from cranfield.information.outcome_counts import DENSE, Estimator, OutcomeCells, count, observe, sampled, sees_all
from cranfield.information.pairs import Pairs, SmallInts
from cranfield.io.inputs import RunsLike
from cranfield.results.columns import Column
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Progress
from cranfield.statistics.entropy import EntropyCorrection
from cranfield.statistics.kernels.sign_codes import unpack_signs
from cranfield.statistics.logistic import ROUGH, ManySigns, cross_entropy_with, sign_weights
from cranfield.threads import beside, cpus, side_by_side

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


PERMUTATIONS = 20
FEW_PERMUTATIONS = 2
"""Default permutations for more than ten systems: a fit takes long, and the mean is over topics."""
FOLDS = 5
POOLED = 1 << 16
"""Pairs of all topics together that are used if there are many systems."""
JointEstimatorOption: TypeAlias = Annotated[
    Estimator | None,
    Option(
        "Estimate from the best weighted sum of the outcomes (logistic), from the table of joint outcomes (the "
        "paper's; overfits far more), or from the table with a correction.",
        default="logistic; table with several judges",
    ),
]
PermutationsOption: TypeAlias = Annotated[
    int | None,
    Option(
        "Permutations of the labels, for the null; 0 for no null.", low=0, default="20; 2 for more than ten systems"
    ),
]


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
        null: its mean over random permutations of the labels, in bits; NaN where none was requested.
        topics: dims (``topic``): ``joint`` and ``null`` in bits, ``silent`` (share of pairs of which no system
            retrieves either document), number of ``pairs``, ``cells`` (different outcomes that occur; an outcome and
            its mirror image are one, and silence is none).
        settings: estimator, permutations, seed.
        signature: all that changes these numbers.
        experiment: the experiment.
    """

    on_request: ClassVar[tuple[str, ...]] = ("systems",)
    absent: ClassVar[str] = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("system"),
            Column("normalized", "information beyond chance, (joint - null) / (1 - null)"),
            Column("reachable", "what a weighted sum of the outcomes reaches on topics that its weights do not know"),
            Column("RIC", "of `all` the joint RIC, of a system its own"),
            Column("null", "the joint RIC with permuted labels"),
            Column("contribution", "what the joint RIC loses without the system"),
        ),
    }
    normalized: float
    reachable: float
    value: float
    null: float
    topics: xr.Dataset
    settings: dict[str, Any]
    signature: dict[str, Any]
    experiment: Experiment = field(repr=False, compare=False)

    def _tables(self) -> Tables:
        tables = {"topics": lambda: unrolled(self.topics), "systems": lambda: tidy(self.systems)}
        return {"values": self._values, **tables}

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The systems below a row for all of them together."""
        import pandas as pd

        rows = self.to_frame(table)
        if table != "systems":
            return rows
        together = {"normalized": self.normalized, "reachable": self.reachable, "RIC": self.value, "null": self.null}
        every = {"system": "all", **together}
        return pd.concat([pd.DataFrame([every]), rows], ignore_index=True)[[*every, "contribution"]]

    def caption(self, table: str) -> str:
        """Sizes, pairs about which no system says anything, and how the information is estimated."""
        silent = float(self.topics["silent"].mean())
        text = (
            "no topic has two labels, so there is no information about relevance"
            if math.isnan(silent)
            else f"in {percent(silent)} of the pairs, no system retrieves either document"
        )
        sizes = f"{counted(len(self.experiment.systems), 'system')}, {counted(len(self.experiment.topics), 'topic')}"
        return f"{sizes}; {text}\n{describe_estimate(self.settings)}"

    @cached_property
    def systems(self) -> pd.DataFrame:
        """For each system, in bits: its ``RIC`` alone, and its ``contribution``, what the joint RIC loses without it.

        Each of many systems is left out in turn, which takes much longer than all else: computed on first access.
        """
        import pandas as pd

        experiment, estimator = self.experiment, self.settings["estimator"]
        size = len(experiment.systems)
        alone, without = np.empty((2, size, len(experiment.topics)))
        for topic, pairs in enumerate(experiment.pairs):

            def compute(positions: SmallInts, weight: Floats | None, pairs: Pairs = pairs) -> Floats:
                cells, observed = count(pairs, positions, weight), observe(pairs, positions, weight, estimator)
                alone_bits = [cells.select([system]).information(estimator) for system in range(size)]
                return np.array([alone_bits, observed.without_each(estimator)])

            alone[:, topic], without[:, topic] = experiment.expect(topic, compute)
        joint = self.topics["joint"].values
        rows = [
            (mean(answered_by_all(experiment, system)), mean(joint - answered_by_all(experiment, without_it)))
            for system, without_it in zip(alone, without, strict=True)
        ]
        return pd.DataFrame(rows, columns=["RIC", "contribution"], index=pd.Index(experiment.systems, name="system"))


def describe_estimate(settings: Mapping[str, Any]) -> str:
    """Describe how joint information was estimated."""
    return ", ".join(f"{name}={settings[name]}" for name in ("estimator", "permutations", "seed"))


@analysis(
    "information joint",
    "Print the joint information of systems about relevance (joint RIC).",
    FROM_JUDGED_RUNS,
    views=(View("systems"),),
    rules=DRAWING_RULES,
    words=("joint_ric",),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --estimator table"),
)
def compute_joint_ric(
    runs: RunsLike | Experiment,
    qrels: JudgmentsLike | None = None,
    *,
    systems: str | Sequence[str] | None = None,
    estimator: JointEstimatorOption = None,
    permutations: PermutationsOption = None,
    seed: SeedOption = 1,
    cutoff: CutoffOption = None,
    pair_weight: PairWeightOption = "uniform",
    p: PairDecayOption = 0.8,
    persistence: PersistenceOption = None,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[LevelOptions],
) -> JointRIC:
    """Measure the joint information of the systems about relevance (joint RIC), in bits, and compare it with chance.

    RIC(S_1, ..., S_m) = I(R_1, ..., R_m; Q), estimated as 1 - the cross entropy, in bits, of the best weighted sum of
    the m outcomes as a predictor of Q (``estimator="logistic"``). The weights fit chance too, more the more systems
    there are: so the value stands beside its null, the mean over ``permutations`` of the labels among the judged
    documents (lists end anew each time), and (value - null) / (1 - null) is what to look at first. ``reachable`` has
    its weights from other topics. ``estimator="table"`` is the published estimate, from the table of the 3^m outcomes:
    it overfits by far more, ten random lists telling little each and much together.

    ``miller-madow`` and ``shrinkage`` are the table corrected for the cells that occur, or with frequencies shrunk
    towards equal ones (Hausser & Strimmer 2009), of pairs without weights; both correct too little. Of more than ten
    systems ``logistic`` looks at 4 million outcomes of each topic: of more pairs than have them, 33,288 of 126 systems,
    at a sample.

    Args:
        runs, qrels, reading, options: see ``cranfield.information.prepare_experiment``.
        systems: names of some of the systems; all where None.
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
    experiment = take_experiment(runs, qrels, cutoff, pair_weight, p, persistence, reading, options)
    if systems is not None:
        experiment = experiment.of_systems(systems)
    estimator = choose_estimator(experiment, estimator)
    permutations = choose_permutations(experiment, permutations)

    def compute(topic: int) -> tuple[float, ...]:
        return _compute_topic(experiment, topic, estimator, permutations, seed)

    learning = beside(lambda: reachable(experiment, seed))
    values = np.zeros((len(experiment.topics), 4))
    for topic, topic_values in enumerate(each_topic(experiment, compute, range(len(experiment.topics)))):
        values[topic] = topic_values
        if progress is not None and permutations:
            progress(topic + 1, len(values))
    joint, null = answered_by_all(experiment, values[:, 0]), answered_by_all(experiment, values[:, 3])
    value, chance = mean(joint), mean(null)
    topics = _tabulate_topics(experiment, joint, null, silent=values[:, 1], cells=values[:, 2])
    settings = record_options(compute_joint_ric, locals())
    signature = experiment.signature | signed("joint ric", settings)
    return JointRIC(
        normalized(value, chance), learning.result(), value, chance, topics, settings, signature, experiment
    )


def _tabulate_topics(experiment: Experiment, joint: Floats, null: Floats, silent: Floats, cells: Floats) -> xr.Dataset:
    """The columns of ``JointRIC.topics``."""
    import xarray as xr

    columns = {
        "joint": joint,
        "null": null,
        "silent": silent,
        "pairs": np.array([pairs.size for pairs in experiment.pairs]),
        "cells": cells.astype(np.int64),
    }
    labels = {"topic": np.array(experiment.topics, dtype=object)}
    return xr.Dataset({name: ("topic", column) for name, column in columns.items()}, labels)


def _compute_topic(
    experiment: Experiment, topic: int, estimator: Estimator, permutations: int, seed: int
) -> tuple[float, float, int, float]:
    """Joint information about a topic, its share of silent pairs, its different outcomes, and the mean by chance."""
    cells = experiment.cells(topic)
    silent = cells.silent / cells.total if cells.total else np.nan
    value = compute_information(experiment, topic, estimator, counted=cells)
    # The null is computed here too, while the pairs of the topic are cached.
    return value, silent, cells.occupied, compute_chance(experiment, topic, estimator, permutations, seed)


def compute_information(
    experiment: Experiment,
    topic: int,
    estimator: Estimator,
    order: Ints | None = None,
    counted: OutcomeCells | None = None,
) -> float:
    """Joint information of all systems about a topic; see ``Positions.ended`` for ``order``.

    ``counted`` are its cells without an order, where they are known: they are what is looked at if all pairs are.
    """
    pairs = experiment.pairs[topic]
    if counted is not None and experiment.stopping is None and sees_all(pairs, len(experiment.systems), estimator):
        return counted.information(estimator)
    return experiment.expect(
        topic, lambda positions, weight: observe(pairs, positions, weight, estimator).information(estimator), order
    )


def per_topic(experiment: Experiment, cells: Iterable[OutcomeCells], estimator: Estimator) -> Floats:
    """Information of each topic, float64 [topics]; NaN where there is nothing to ask or a skipped run is absent."""
    return answered_by_all(experiment, np.array([cell.information(estimator) for cell in cells]))


def answered_by_all(experiment: Experiment, values: Floats) -> Floats:
    """The values of topics that have a pair and that every system answered; NaN for other topics."""
    bits: Floats = np.where(experiment.positions.present.all(axis=0), values * experiment.counted, np.nan)
    return bits


def compute_null(experiment: Experiment, estimator: Estimator, permutations: int, seed: int) -> Floats:
    """Mean information of each topic with permuted labels, float64 [topics]; NaN without permutations."""
    values = each_topic(
        experiment,
        lambda topic: compute_chance(experiment, topic, estimator, permutations, seed),
        range(len(experiment.topics)),
    )
    return answered_by_all(experiment, np.array(list(values), dtype=np.float64))


def compute_chance(experiment: Experiment, topic: int, estimator: Estimator, permutations: int, seed: int) -> float:
    """Mean information of a topic with permuted labels; NaN without permutations.

    Each topic draws from a generator of its own, spawned from the seed: runs drawn from the same seed must not
    meet their own random numbers again.
    """
    if permutations == 0:
        return float("nan")
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(topic,)))
    size = int(experiment.positions.pool.size[topic])
    return (
        sum(compute_information(experiment, topic, estimator, rng.permutation(size)) for _ in range(permutations))
        / permutations
    )


def normalized(value: float, null: float) -> float:
    """(value - null) / (1 - null); NaN where chance tells all."""
    return (value - null) / (1 - null) if null < 1 else float("nan")


def mean(values: Floats) -> float:
    """Mean of the values that there are; NaN if there is none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else float("nan")


def choose_estimator(experiment: Experiment, estimator: Estimator | None) -> Estimator:
    """The requested estimator, or the default for these judgments.

    Raises:
        UsageError: another than the table with several sources, or a corrected table of weights.
    """
    multiple = any(pairs.evidence is not None for pairs in experiment.pairs)
    if estimator is None:
        return "table" if multiple else "logistic"
    if estimator != "table" and multiple:
        raise UsageError(
            f"{setting('estimator', estimator)} is for one source of judgments; use 'table' for Evidence of several"
        )
    if estimator in get_args(EntropyCorrection) and experiment.pair_weight != "uniform":
        raise UsageError(
            f"{setting('estimator', estimator)} needs numbers of pairs: use 'table' or 'logistic' with pair_weight"
        )
    return estimator


def choose_permutations(experiment: Experiment, permutations: int | None) -> int:
    """The requested number of permutations, or the default."""
    if permutations is not None:
        return permutations
    return PERMUTATIONS if len(experiment.systems) <= DENSE else FEW_PERMUTATIONS


def reachable(experiment: Experiment, seed: int) -> float:
    """1 - cross entropy, in bits, of one logistic regression of Q on the outcomes, cross-validated over topics.

    The regression has no intercept and is over the oriented pairs of the topics of four folds, each topic weighing the
    same; the value is that on the topics of the fifth. It needs no null. NaN of Evidence of several sources, of a user
    who stops, and of fewer than two topics.

    Args:
        experiment: the experiment.
        seed: of the folds.
    """
    multiple = any(pairs.evidence is not None for pairs in experiment.pairs)
    topics = np.flatnonzero((experiment.counted == 1) & experiment.positions.present.all(axis=0))
    if multiple or experiment.stopping is not None or len(topics) < 2:
        return float("nan")
    rows = _rows(experiment, topics)
    if rows is None:
        return 0.0
    codes, topic, toward, against = rows
    systems = len(experiment.systems)
    fold = np.random.default_rng(seed).permutation(len(topics)) % FOLDS
    values = np.zeros(len(topics))
    for held_out in np.unique(fold):
        learned = fold[topic] != held_out
        if not learned.any():
            continue
        b = _weights(codes[learned], systems, toward[learned], against[learned])
        for index in np.flatnonzero(fold == held_out):
            here = topic == index
            if here.any():
                x = unpack_signs(codes[here], systems, np.float64)
                values[index] = 1.0 - cross_entropy_with(b, x, toward[here], against[here])
    return float(values.mean())


def _rows(experiment: Experiment, topics: Ints) -> tuple[Bytes, Ints, Floats, Floats] | None:
    """Outcomes as codes [rows, systems / 5], topics by their number among ``topics``, and shares of the topic's pairs.

    None where no pair of any topic has weight.
    """
    parts = []
    for number, topic in enumerate(topics.tolist()):
        cells = _cells(experiment, topic, len(topics))
        if cells.total:
            shares = cells.toward / cells.total, cells.against / cells.total
            parts.append((cells.codes, np.full(len(cells.toward), number), *shares))
    if not parts:
        return None
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return columns[0], columns[1], columns[2], columns[3]


def _cells(experiment: Experiment, topic: int, topics: int) -> OutcomeCells:
    positions, weight = experiment.looks(topic)
    if len(positions) <= DENSE:
        return count(experiment.pairs[topic], positions, weight)
    return sampled(experiment.pairs[topic], positions, weight, max(1, POOLED // topics))


def _weights(codes: Bytes, systems: int, toward: Floats, against: Floats) -> Floats:
    """The best weights, of each different outcome once where the systems are few."""
    if systems > DENSE:
        return ManySigns.from_counts(codes, systems, toward, against, engine.current()).weights
    x = unpack_signs(codes, systems, np.float64)
    code = functools.reduce(lambda code, column: code * CODES + column, codes.T, np.zeros(len(codes), dtype=np.int64))
    _, first, same = np.unique(code, return_index=True, return_inverse=True)
    toward_counts, against_counts = (np.bincount(same.ravel(), side).astype(np.float64) for side in (toward, against))
    return sign_weights(x[first], toward_counts, against_counts, ROUGH)


def each_topic(experiment: Experiment, compute: Callable[[int], Returned], topics: Sequence[int]) -> Iterator[Returned]:
    """Compute a value of each of these topics, in their order; on several threads where there are many systems.

    With few a topic takes less than it takes to hand it to a thread. The threads change no bit.
    """
    return side_by_side(compute, topics, cpus() if len(experiment.systems) > DENSE else 1)

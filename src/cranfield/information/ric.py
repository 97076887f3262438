"""RIC of every system and topic, with the counts of pairs behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, Unpack

import numpy as np

from cranfield._message import setting
from cranfield._text import counted
from cranfield._typing import Floats
from cranfield.collection.policy import Policy
from cranfield.collection.reading import InputOptions, LevelOptions
from cranfield.declarations.analysis import View, analysis, with_options
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
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
from cranfield.information.outcome_counts import count
from cranfield.information.stopping_user import StoppingUser
from cranfield.io.inputs import RunsLike
from cranfield.measures.sric import PERSISTENCE, expected_bits
from cranfield.results.columns import Column
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, signed
from cranfield.scores.dataset import with_signature
from cranfield.statistics.entropy import Estimate

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


COUNTS = ("C", "D", "Z")
EstimatorOption: TypeAlias = Annotated[
    Estimate,
    Option("Estimate from raw frequencies, or with one of two corrections for chance, which both correct too little."),
]


@with_options(*DRAWING_RULES)
def compute_ric(
    runs: RunsLike | Experiment,
    qrels: JudgmentsLike | None = None,
    *,
    estimator: EstimatorOption = "plug-in",
    cutoff: CutoffOption = None,
    pair_weight: PairWeightOption = "uniform",
    p: PairDecayOption = 0.8,
    persistence: PersistenceOption = None,
    reading: InputOptions | None = None,
    **options: Unpack[LevelOptions],
) -> xr.Dataset:
    """RIC, its sign, and the pairs behind it, of every system on every topic.

    RIC = (C + D)/N (1 - h(C/(C + D))) bits, N = C + D + Z: C pairs of documents in the order of their labels, D against
    it, Z of which neither is retrieved; in numbers, or in weights. h(x) = -x log2 x - (1 - x) log2(1 - x) is the
    entropy of two outcomes. ``RIC_signed`` is below 0 where D > C: information has no sign, and a list in exactly the
    wrong order is as informative as one in the right order. The measure ``RIC`` gives the same values in ``evaluate``;
    weights by a function and Evidence need an experiment. ``SRIC`` and ``SRIC_signed`` are those of a user who stops at
    a random rank, see the measure ``SRIC``.

    A weight by ranks is here that of each system alone; ``persistence`` is that of ``SRIC``, 0.95 where none is given.
    A correction of the estimate changes little, as there are three outcomes alone; ``SRIC`` and its signed form are
    then left out: they compare a list with the ideal one, of which chance is not part.

    Args:
        runs, qrels, reading, options: see ``cranfield.information.prepare_experiment``.

    Returns:
        Variables ``RIC``, ``RIC_signed``, ``SRIC`` and ``SRIC_signed`` where judgments are labels, ``C``, ``D``, ``Z``,
        dims (topic, system), for ``summarize`` and all that takes scores; NaN where a topic has no pair. Of Evidence of
        several sources, C counts agreement with the first of them that speaks of a pair.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: an argument outside its range, or a correction where it has no meaning: of Evidence of several
            sources, of weights of pairs, and of a user who stops.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 5.

    >>> import cranfield
    >>> worst = {"q": {"b": 3, "c": 2, "a": 1}}
    >>> found = cranfield.information.compute_ric(worst, {"q": {"a": 1, "b": 0, "c": 0}})
    >>> found[["RIC", "RIC_signed", "C", "D", "Z"]].squeeze().to_pandas().to_dict()
    {'RIC': 1.0, 'RIC_signed': -1.0, 'C': 0.0, 'D': 2.0, 'Z': 0.0}
    >>> round(found["SRIC"].item(), 2), round(found["SRIC_signed"].item(), 2)
    (0.9, -0.9)
    """
    experiment = take_experiment(runs, qrels, cutoff, pair_weight, p, persistence, reading, options)
    check_correction(experiment, estimator)
    return _compute(experiment, estimator)


def _compute(experiment: Experiment, estimator: Estimate) -> xr.Dataset:
    import xarray as xr

    shape = len(experiment.topics), len(experiment.systems)
    ric, signed = np.full(shape, np.nan), np.full(shape, np.nan)
    counts = np.full((len(COUNTS), *shape), np.nan)
    for topic, pairs in enumerate(experiment.pairs):
        positions = experiment.positions.ended(topic)
        for system in np.flatnonzero(experiment.positions.present[:, topic]):
            here = positions[system : system + 1]
            cells = count(pairs, here, pairs.weights(here, experiment.pair_weight, experiment.p))
            spoken = cells.outcome.any(axis=1)
            right, wrong = float(cells.toward[spoken].sum()), float(cells.against.sum())
            counts[:, topic, system] = right, wrong, cells.silent
            if pairs.size:
                ric[topic, system] = cells.information("table" if estimator == "plug-in" else estimator)
                signed[topic, system] = np.sign(right - wrong) * ric[topic, system]
    mean, total = {"summary": "mean"}, {"summary": "sum"}
    variables = {"RIC": (("topic", "system"), ric, mean), "RIC_signed": (("topic", "system"), signed, mean)}
    for name, by_depth in (_by_depth(experiment) if estimator == "plug-in" else {}).items():
        variables[name] = ("topic", "system"), by_depth, mean
    variables |= {name: (("topic", "system"), block, total) for name, block in zip(COUNTS, counts, strict=True)}
    coordinates = {
        "topic": np.array(experiment.topics, dtype=object),
        "system": np.array(experiment.systems, dtype=object),
    }
    estimator_entry = {} if estimator == "plug-in" else {"estimator": estimator}
    return with_signature(xr.Dataset(variables, coordinates), experiment.signature | estimator_entry)


@dataclass(frozen=True, eq=False, repr=False)
class RICSummary(Result):
    """The information of each ranking about which of two documents is more relevant, in bits.

    Args:
        systems: a row for each ``system``, the most informative first.
        topics: a row for each ``system`` and ``topic``.
        settings: how pairs are drawn, and the estimator.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("RIC", "mean over topics"),
            Column("RIC_signed", "below 0 where more pairs are against the order of labels than in it"),
            Column("SRIC", "for a user who stops at a random rank, as a share of that of the ideal list"),
            Column("SRIC_signed", "likewise with a sign"),
            Column("C", "pairs in the order of their labels, of all topics"),
            Column("D", "pairs against it"),
            Column("Z", "pairs of which neither document is retrieved"),
        ),
    }
    systems: pd.DataFrame
    topics: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Numbers of systems and topics, and how the information is estimated."""
        topics = self.topics["topic"].nunique()
        text = f"{counted(len(self.systems), 'system')}, {counted(topics, 'topic')}"
        estimator = self.settings["estimator"]
        return text if estimator == "plug-in" else f"{text}; estimator={estimator}"


@analysis(
    "information ric",
    "Print the information of each ranking about relevance (RIC).",
    FROM_JUDGED_RUNS,
    views=(View("systems"), View("topics", "Print every topic, not only the summary.", ("--by-topic", "-q"))),
    rules=DRAWING_RULES,
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --by-topic --cutoff 10"),
)
def summarize_ric(
    runs: RunsLike | Experiment,
    qrels: JudgmentsLike | None = None,
    *,
    estimator: EstimatorOption = "plug-in",
    cutoff: CutoffOption = None,
    pair_weight: PairWeightOption = "uniform",
    p: PairDecayOption = 0.8,
    persistence: PersistenceOption = None,
    reading: InputOptions | None = None,
    **options: Unpack[LevelOptions],
) -> RICSummary:
    """Measure the information of each ranking about which of two documents is more relevant (RIC), in bits.

    What ``compute_ric`` gives, on average over topics; C, D and Z are sums. A corrected estimator has no SRIC.

    Args:
        runs, qrels, reading, options: see ``cranfield.information.prepare_experiment``.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        UsageError: as of ``compute_ric``.
    """
    from cranfield.evaluation import summarize

    experiment = take_experiment(runs, qrels, cutoff, pair_weight, p, persistence, reading, options)
    check_correction(experiment, estimator)
    scores = _compute(experiment, estimator)
    systems = summarize(scores).rename_axis("system").reset_index()
    systems = systems.sort_values("RIC", ascending=False, kind="stable", ignore_index=True)
    topics = unrolled(scores.transpose("system", "topic"))[["system", "topic", *scores.data_vars]]
    if experiment.pair_weight == "uniform":
        systems, topics = (table.astype(dict.fromkeys(COUNTS, "Int64")) for table in (systems, topics))
    settings = record_options(summarize_ric, locals(), **experiment.settings)
    return RICSummary(systems, topics, settings, experiment.signature | signed("ric", settings))


def _by_depth(experiment: Experiment) -> dict[str, Floats]:
    """``SRIC`` and ``SRIC_signed``, [topics, systems] each; nothing of Evidence, which has no ideal list."""
    if not experiment.of_labels:
        return {}
    p = PERSISTENCE if experiment.stopping is None else experiment.stopping.persistence
    policy, rel, cutoff = Policy(), experiment.settings["rel"], experiment.settings["cutoff"]
    stopping = experiment.stopping or StoppingUser.make(experiment.positions.pool, policy, rel, p, cutoff)
    known = experiment.positions.present & (stopping.ideal > 0)
    ideal = np.where(known, np.where(stopping.ideal > 0, stopping.ideal, 1.0), np.nan)
    lists = experiment.positions.lists(policy)
    tables = {
        name: expected_bits(lists, rel, p, signed=signed).reshape(ideal.shape) / ideal
        for name, signed in (("SRIC", False), ("SRIC_signed", True))
    }
    return {name: np.ascontiguousarray(table.T) for name, table in tables.items()}


def check_correction(experiment: Experiment, estimator: Estimate) -> None:
    """Refuse a corrected estimate where it has no meaning.

    Raises:
        UsageError: a correction of Evidence of several sources, of weights of pairs, or of a user
            who stops.
    """
    if estimator == "plug-in":
        return
    because = {
        "corrections are for one source of judgments, and this is Evidence of several": any(
            pairs.evidence is not None for pairs in experiment.pairs
        ),
        "corrections need numbers of pairs, and these have weights (pair_weight)": experiment.pair_weight != "uniform",
        "a user who stops (persistence) compares lists with the ideal list, of which chance is not part": (
            experiment.stopping is not None
        ),
    }
    for why, so in because.items():
        if so:
            raise UsageError(f"{setting('estimator', estimator)} has no meaning here: {why}; use 'plug-in'")

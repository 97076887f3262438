"""RIC of every system and topic, with the counts of pairs behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack, get_args

import numpy as np

from cranfield._message import setting
from cranfield._typing import Floats
from cranfield._validation import word
from cranfield.collection.policy import Policy
from cranfield.errors import UsageError
from cranfield.information.experiment import Experiment, JudgmentsLike, Options, prepare_experiment
from cranfield.information.outcome_counts import count
from cranfield.information.stopping_user import Stopping
from cranfield.io.inputs import RunsLike
from cranfield.measures.sric import PERSISTENCE, expected_bits
from cranfield.scores.dataset import with_signature
from cranfield.statistics.entropy import Estimate

if TYPE_CHECKING:
    import xarray as xr


COUNTS = ("C", "D", "Z")


def compute_ric(
    runs: RunsLike | Experiment,
    judgments: JudgmentsLike | None = None,
    *,
    estimator: Estimate = "plug-in",
    **options: Unpack[Options],
) -> xr.Dataset:
    """RIC, its sign, and the pairs behind it, of every system on every topic.

    RIC = (C + D)/N (1 - h(C/(C + D))) bits, N = C + D + Z: C pairs of documents in the order of their labels, D against
    it, Z of which neither is retrieved; in numbers, or in weights. h(x) = -x log2 x - (1 - x) log2(1 - x) is the
    entropy of two outcomes. ``RIC_signed`` is below 0 where D > C: information has no sign, and a list in exactly the
    wrong order is as informative as one in the right order. The measure ``RIC`` gives the same values in ``evaluate``;
    weights by a function and Evidence need an experiment. ``SRIC`` and ``SRIC_signed`` are those of a user who stops at
    a random rank, see the measure ``SRIC``.

    Args:
        runs, judgments, options: see ``cranfield.information.prepare_experiment``. A weight by places is here that of
            each system alone; a ``persistence`` is that of ``SRIC``, 0.95 where none is given.
        estimator: ``plug-in``, from frequencies as they are; ``miller-madow`` or ``shrinkage``, corrected for what
            chance adds as in ``compute_joint_ric``: little, as there are three outcomes alone. ``SRIC`` and its signed
            form are then left out: they compare a list with the ideal one, of which chance is not part.

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
    import xarray as xr

    experiment = prepare_experiment(runs, judgments, **options)
    check_correction(experiment, estimator)
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


def _by_depth(experiment: Experiment) -> dict[str, Floats]:
    """``SRIC`` and ``SRIC_signed``, [topics, systems] each; nothing of Evidence, which has no ideal list."""
    if not experiment.of_labels:
        return {}
    p = PERSISTENCE if experiment.stopping is None else experiment.stopping.persistence
    policy, rel, cutoff = Policy(), experiment.settings["rel"], experiment.settings["cutoff"]
    stopping = experiment.stopping or Stopping.make(experiment.positions.pool, policy, rel, p, cutoff)
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
        UsageError: an unknown word, or a correction of Evidence of several sources, of weights of pairs, or of a user
            who stops.
    """
    word("estimator", estimator, get_args(Estimate))
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

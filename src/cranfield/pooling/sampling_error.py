"""How far scores estimated from a sample of judgments may be from those by all judgments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield._typing import Floats
from cranfield._validation import share
from cranfield.collection.policy import Policy
from cranfield.collection.reading import Reading, ReadingWords
from cranfield.io.inputs import QrelsLike, RunsLike, named_runs
from cranfield.measures import Measure, sampling_error
from cranfield.pooling.fewer_judgments import judged_once
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, MeasuresLike, Progress

if TYPE_CHECKING:
    import pandas as pd

MEASURES = ("xinfAP", "infNDCG")
LEVEL = 0.95


@dataclass(frozen=True, eq=False, repr=False)
class SampledScores(Result):
    """Scores estimated from judgments of a sample, with their errors of sampling.

    Args:
        systems: a row for each ``measure`` and ``system``: the mean ``score`` of its topics; the standard ``error``
            that the sample leaves in it; ``bias``, how much too large it is on average; and the interval from
            ``lower`` to ``upper`` around score - bias. ``without`` counts topics whose error is unknown, since nothing
            was sampled of a stratum, or nothing relevant was: they add no error.
        topics: the same of each ``topic``, NaN where the error is unknown.
        settings: the level of the intervals.
        signature: all that changes these numbers.
    """

    systems: pd.DataFrame
    topics: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"systems": lambda: tidy(self.systems), "topics": lambda: tidy(self.topics)}


def estimate_sampling_error(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = MEASURES,
    *,
    level: float = LEVEL,
    reading: Reading | None = None,
    policy: Policy | None = None,
    progress: Progress | None = None,
    **words: Unpack[ReadingWords],
) -> SampledScores:
    """How far scores by judgments of a sample may be from those by the judgments of the whole pool.

    Another sample would have given other scores. Each sampled document is left out in turn, the others of its stratum
    standing for it, and the spread of what is then estimated gives error and bias: the jackknife of stratified
    sampling. Topics were sampled independently of each other. The topics themselves are taken as given: these intervals
    say nothing of other topics, see ``compare`` for these.

    Args:
        runs, qrels, measures: as in ``evaluate``; the judgments are prels, and the measures estimate from them.
        level: of the intervals, above 0 and below 1.
        reading: how files and runs are read, as one object, see ``Reading``.
        policy: its policies alone, see ``Policy``.
        progress: called with how much is done, of how much: of the runs that are read.
        words: the reading one by one: those of ``Policy``, ``input_format``, ``names``, ``rel``, ``intent_weights``,
            ``weight_sum`` and ``keep_empty_intents``.

    Raises:
        InputError: a file is refused, or runs and judgments do not fit together.
        MeasureError: a measure that does not estimate from a sample.
        UsageError: a level outside its range, or a word that contradicts the object given.

    References:
        Yilmaz, Kanoulas & Aslam 2008, A simple and efficient sampling method for estimating AP and NDCG.
        doi:10.1145/1390334.1390437
    """
    share(level=level)
    how = Reading.of(reading, policy, words)
    given = named_runs(runs, how.names, how.columns)
    scores, rankings = judged_once(given, qrels, measures, how, progress)
    shape = len(rankings.systems), len(scores.topics)
    found = [
        _of_measure(scores, number, found.error.reshape(shape), found.bias.reshape(shape), level)
        for number, found in enumerate(sampling_error(measure, rankings) for measure in scores.measures)
    ]
    return _result(scores, found, {"level": level})


def _of_measure(
    scores: Evaluation, number: int, error: Floats, bias: Floats, level: float
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of systems and of topics by one measure; error and bias are float64 [systems, topics]."""
    import pandas as pd

    measure: Measure = scores.measures[number]
    values = scores.values[number].T
    counted = ~np.isnan(values)
    size = np.maximum(counted.sum(axis=1), 1)
    known = counted & ~np.isnan(error)
    spread, shift = (np.where(known, part, 0.0) for part in (error, bias))
    means = {"score": scores.summaries[number], "error": np.sqrt((spread**2).sum(axis=1)) / size}
    means |= {"bias": shift.sum(axis=1) / size}
    of_systems = pd.DataFrame({"measure": str(measure), "system": list(scores.systems), **_ends(means, level)})
    topics = {"score": values.ravel(), "error": error.ravel(), "bias": bias.ravel()}
    names = {
        "measure": str(measure),
        "system": np.repeat(np.array(scores.systems, dtype=object), len(scores.topics)),
        "topic": list(scores.topics) * len(scores.systems),
    }
    return of_systems.assign(without=(counted & ~known).sum(axis=1)), pd.DataFrame(names | _ends(topics, level))


def _ends(facts: dict[str, Any], level: float) -> dict[str, Any]:
    """The same with the normal interval around score - bias."""
    from scipy.special import ndtri

    centre, half = facts["score"] - facts["bias"], float(ndtri(0.5 + level / 2)) * facts["error"]
    return {**facts, "lower": centre - half, "upper": centre + half}


def _result(
    scores: Evaluation, found: list[tuple[pd.DataFrame, pd.DataFrame]], settings: dict[str, Any]
) -> SampledScores:
    import pandas as pd

    systems, topics = (pd.concat(parts, ignore_index=True) for parts in zip(*found, strict=True))
    return SampledScores(systems, topics, settings, scores.signature() | signed("sampling error", settings))

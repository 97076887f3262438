"""Which topics a system should rather not answer: does its confidence know where it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield._text import condensed, counted, shown, warn
from cranfield._typing import Floats
from cranfield.agreement.judge_agreement import one_measure
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.collection.run import Run
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.settings import record_options
from cranfield.errors import InputError
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels, with_intents
from cranfield.io.loading import loaded_runs
from cranfield.measures import MeasureLike
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scores.dataset import make_dataset
from cranfield.scores.opening import Needs, open_scores
from cranfield.scoring import Progress, score
from cranfield.statistics.abstention import RATES, abstention_curve, nauc

if TYPE_CHECKING:
    import pandas as pd

CONFIDENCE = ("max", "std", "diff1")


@dataclass(frozen=True, eq=False, repr=False)
class Abstention(Result):
    """Benefit of leaving out topics on which a system's own scores suggest that it fails.

    Args:
        systems: one row a ``system``.
        curves: one row a ``system``, ``confidence`` and ``rate``; the confidence ``oracle`` is the best possible.
        measure: its name.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("mean"),
            Column("max", "nAUC where confidence is the largest score of a list"),
            Column("std", "where it is the standard deviation of its scores"),
            Column("diff1", "where it is the first score minus the second"),
        ),
        "curves": (
            Column("rate", "share of topics that are left out"),
            Column("mean", "over the topics that are left"),
        ),
    }
    systems: pd.DataFrame
    curves: pd.DataFrame
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """The measure."""
        return f"nAUC of abstention by {shown(self.measure)}; topics without a list are left out first"


@analysis(
    "difficulty abstention",
    "Test whether systems know which topics to leave unanswered (nAUC).",
    FromRuns(("nDCG@10",), measures="one"),
    views=(
        View("systems"),
        View("curves", "Print the mean of the remaining topics by the share that is left unanswered.", ("--curves",)),
    ),
    words=("nauc",),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --curves"),
)
def estimate_abstention(
    runs: RunsLike,
    qrels: QrelsLike,
    measure: MeasureLike = "nDCG@10",
    *,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **kwargs: Unpack[ReadingOptions],
) -> Abstention:
    """Drop the least confident topics first: does the mean of the remaining topics improve?

    nAUC is 1 where confidence orders topics as their scores do, 0 where it is no better than chance, and below 0 where
    it misleads. A topic without a list is
    the first to be left out. Scores of different systems need not be comparable, but those of different topics must.

    Args:
        runs, qrels: as in ``evaluate``.
        measure: one.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called after each run.

    Raises:
        InputError: a file is refused, or a topic has no score.
        UsageError: several measures, or a word that contradicts the object given.

    >>> runs = {"1": {"a": 9.0, "b": 1.0}, "2": {"c": 2.0, "d": 1.5}, "3": {"e": 5.0, "f": 4.0}}
    >>> qrels = {"1": {"a": 1}, "2": {"x": 1}, "3": {"f": 1}}
    >>> estimate_abstention(runs, qrels, "RR").systems.round(3)
      system  mean  max  std  diff1
    0    run   0.5  1.0  1.0    1.0
    """
    reading = InputOptions.of(reading, kwargs)
    named = loaded_runs(runs, reading, progress)
    weighing = reading.intent_weights, reading.weight_sum, reading.keep_empty_intents
    judgments = with_intents(convert_qrels(qrels, **reading.judgment_options), *weighing)
    evaluation = score(dict(named), judgments, one_measure(measure, "abstention"), reading=reading.list_options)
    for line in condensed(evaluation.remarks):
        warn(line)
    instead = "leave the topic out of the judgments"
    matrix = open_scores(make_dataset(evaluation), Needs("abstention", complete=True, instead=instead))
    sign = 1 if matrix.larger_is_better else -1
    scores = sign * matrix.values
    rows: list[dict[str, Any]] = []
    curves: list[dict[str, Any]] = []
    for name, run in named:
        values = scores[:, matrix.systems.index(name)]
        result = confidence(run, matrix.topics)
        rows.append(
            {"system": name, "mean": sign * values.mean()} | {kind: nauc(result[kind], values) for kind in CONFIDENCE}
        )
        for kind, sure in {**result, "oracle": values}.items():
            curve = sign * abstention_curve(sure, values)
            points = zip(RATES.round(1).tolist(), curve.tolist(), strict=True)
            curves += [{"system": name, "confidence": kind, "rate": rate, "mean": mean} for rate, mean in points]
    import pandas as pd

    settings = record_options(estimate_abstention, locals(), measure=str(matrix.measure))
    signature = evaluation.signature() | signed("abstention", settings)
    return Abstention(pd.DataFrame(rows), pd.DataFrame(curves), str(matrix.measure), settings, signature)


def confidence(run: Run, topics: tuple[str, ...]) -> dict[str, Floats]:
    """Three kinds of confidence of each topic, least where there is no list.

    Raises:
        InputError: the run has no list of any of them.
    """
    index = {topic: number for number, topic in enumerate(run.topics)}
    if not index.keys() & set(topics):
        raise InputError(f"{run.name}: has no list of any of {counted(len(topics), 'judged topic')}")
    result = {kind: np.full(len(topics), -np.inf) for kind in CONFIDENCE}
    for number, topic in enumerate(topics):
        at = index.get(topic)
        scores = np.empty(0) if at is None else np.sort(run.score[run.starts[at] : run.starts[at + 1]])[::-1]
        if len(scores):
            result["max"][number], result["std"][number] = scores[0], scores.std()
            result["diff1"][number] = scores[0] - scores[1] if len(scores) > 1 else 0.0
    return result

"""Trade-offs of systems between intent coverage and relevance, and pairs on which diversity measures disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield._message import name_value
from cranfield._text import condensed, warn
from cranfield._typing import Floats
from cranfield.collection.intent_rankings import by_intent
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, IntentOptions
from cranfield.errors import UsageError
from cranfield.evaluation import make_rankings
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels, refuse_exchanged, with_intents
from cranfield.measures import Measure, MeasureLike, parse_measure
from cranfield.results.frames import melted, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scoring import Evaluation, MeasuresLike, check_intents, read_measures, score
from cranfield.statistics.rounding import NOISE

if TYPE_CHECKING:
    import pandas as pd

COMPARED = ("D#-nDCG", "nDCG-IA", "alpha-nDCG")
"""The measures of the paper's Figure 3, at the cutoff of the plane."""

LEVELS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True, eq=False, repr=False)
class DiversityPlane(Result):
    """Systems in the plane of coverage and relevance; see ``map_diversity``.

    Args:
        systems: a row a ``system``; columns: the two coordinates, then the combined measure for each gamma; as tidy
            rows each ``coordinate`` and its ``value``.
        contours: lines of equal combined value, clipped to the unit square: ``gamma``, ``level``, and the ends ``x0``,
            ``y0``, ``x1``, ``y1``.
        coverage: a row an intent (``topic``, ``intent``): its ``probability``, its ``relevant`` documents, and for each
            system whether it is ``covered`` by the first ranks.
        differences: a row a topic, a column a ``measure``: the ``difference``, the first run's value minus the
            second's; None without a pair.
        disagreements: a row a pair of measures (``measure``, ``other``): topics where they prefer different runs
            (``opposed``), where only one is undecided (``undecided``), and where they agree (``agreed``); None without
            a pair.
        settings: cutoff, gammas, the pair, and how probabilities were read.
        signature: all that changes these numbers.
    """

    systems: pd.DataFrame
    contours: pd.DataFrame
    coverage: pd.DataFrame
    differences: pd.DataFrame | None
    disagreements: pd.DataFrame | None
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        tables: dict[str, Callable[[], pd.DataFrame]] = {
            "systems": lambda: melted(self.systems, "coordinate", "value"),
            "contours": lambda: tidy(self.contours),
            "coverage": lambda: melted(self.coverage, "system", "covered", ["probability", "relevant"]),
        }
        differences, disagreements = self.differences, self.disagreements
        if differences is not None:
            tables["differences"] = lambda: melted(differences, "measure", "difference")
        if disagreements is not None:
            tables["disagreements"] = lambda: tidy(disagreements)
        return tables

    @property
    def agreed(self) -> int:
        """Topics on which all compared measures agree about the pair."""
        if self.differences is None:
            raise UsageError("no pair of runs was compared: map_diversity(..., pair=(system, other))")
        signs = _signs(self.differences.to_numpy())
        return int((signs == signs[:, :1]).all(axis=1).sum())


def map_diversity(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    relevance: MeasureLike = "D-nDCG",
    cutoff: int = 10,
    gammas: Sequence[float] = (0.2, 0.5, 0.8),
    levels: Iterable[float] = LEVELS,
    pair: tuple[str, str] | None = None,
    compared: MeasuresLike | None = None,
    reading: InputOptions | None = None,
    **kwargs: Unpack[IntentOptions],
) -> DiversityPlane:
    """Place runs by the intents they cover and by their relevance: the data of Sakai et al. 2010, Figures 1 to 3.

    combined(gamma) = gamma I-rec@k + (1 - gamma) relevance@k, means over topics; a contour is where it is constant.

    Args:
        runs: as in ``evaluate``.
        qrels: as in ``evaluate``; field 2 names intents.
        relevance: the measure on the vertical axis, without a cutoff.
        cutoff: number of top ranks used, by I-rec and relevance, and by ``compared`` where that is not given.
        gammas: weights of I-rec for which the combined value and contours are given, each between 0 and 1.
        levels: values whose contours are given.
        pair: names of two runs whose topics are compared.
        compared: measures that compare them; D#-nDCG, nDCG-IA and alpha-nDCG where None.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
            An intent is covered by a document of label 1 or more.

    Raises:
        InputError: a file is refused, or the judgments name no intents.
        UsageError: a gamma outside 0 to 1, a run of the pair that is not there, a reading with a level of relevance, or
            a word that contradicts the object given.
    """
    reading = _checked(InputOptions.of(reading, kwargs, IntentOptions), gammas)
    refuse_exchanged(runs, qrels)
    weighing = reading.intent_weights, reading.weight_sum, reading.keep_empty_intents
    judgments = with_intents(convert_qrels(qrels, **reading.judgment_options), *weighing)
    reading = reading.weighed
    vertical = parse_measure(relevance)(cutoff=cutoff)
    axes = (parse_measure("I-rec") @ cutoff, vertical)
    compared_measures = read_measures(COMPARED if compared is None else compared)
    if compared is None:
        compared_measures = tuple(measure(cutoff=cutoff) for measure in compared_measures)
    check_intents(judgments, axes)
    table = score(runs, judgments, [*axes, *compared_measures], reading=reading)
    for line in condensed(table.remarks):
        warn(line)
    settings = {"cutoff": cutoff, "gammas": tuple(gammas), "pair": pair, "relevance": str(vertical)}
    settings |= {"weight_sum": weighing[1], "intent_weights": judgments.weights.name}
    settings |= {"keep_empty_intents": weighing[2]}
    differences = None if pair is None else _differences(table, compared_measures, pair)
    return DiversityPlane(
        _systems(table, axes, gammas),
        _contours(gammas, levels),
        _coverage(make_rankings(runs, judgments, reading=reading), judgments, table.systems, cutoff),
        differences,
        None if differences is None else _disagreements(differences),
        settings,
        table.signature() | signed("diversity plane", settings),
    )


def _checked(reading: InputOptions, gammas: Sequence[float]) -> InputOptions:
    """The reading, if it and the gammas suit the plane.

    Raises:
        UsageError: a gamma outside 0 to 1, or a reading with a level of relevance.
    """
    outside = [gamma for gamma in gammas if not 0 <= gamma <= 1]
    if outside:
        raise UsageError(f"gammas: {name_value(outside[0])} is not between 0 and 1")
    if reading.rel is not None:
        raise UsageError(
            f"rel={reading.rel:g} means nothing here: an intent is covered by a document of label 1 or more"
        )
    return reading


def _systems(table: Evaluation, axes: tuple[Measure, Measure], gammas: Sequence[float]) -> pd.DataFrame:
    import pandas as pd

    across, up = (table.summaries[table.measures.index(axis)] for axis in axes)
    columns = {str(axes[0]): across, str(axes[1]): up}
    columns |= {f"gamma={gamma:g}": gamma * across + (1 - gamma) * up for gamma in gammas}
    return pd.DataFrame(columns, index=pd.Index(table.systems, name="system"))


def _contours(gammas: Sequence[float], levels: Iterable[float]) -> pd.DataFrame:
    import pandas as pd

    rows = []
    for gamma in gammas:
        for level in levels:
            ends = _line(gamma, level)
            if ends is not None:
                rows.append((gamma, level, *ends))
    return pd.DataFrame(rows, columns=["gamma", "level", "x0", "y0", "x1", "y1"])


def _line(gamma: float, level: float) -> tuple[float, float, float, float] | None:
    """Ends, left to right, of gamma x + (1 - gamma) y = level within the unit square; None where it misses it."""
    if not 0 <= level <= 1:
        return None
    if gamma == 0:
        return 0.0, level, 1.0, level
    if gamma == 1:
        return level, 0.0, level, 1.0
    left = max(0.0, (level - (1 - gamma)) / gamma)
    right = min(1.0, level / gamma)
    return left, (level - gamma * left) / (1 - gamma), right, (level - gamma * right) / (1 - gamma)


def _coverage(rankings: Rankings, qrels: Qrels, systems: Sequence[str], cutoff: int) -> pd.DataFrame:
    import pandas as pd

    intents = qrels.intents
    assert intents is not None
    lists, _ = by_intent(rankings, "I-rec")
    top = lists.top(cutoff)
    covered = (top.count(top.relevant(1)) > 0).reshape(len(systems), -1)
    counted = intents.counted(1)
    index = pd.MultiIndex.from_arrays(
        [[intents.topics[topic] for topic in intents.topic], list(intents.name)], names=["topic", "intent"]
    )
    columns: dict[str, Any] = {
        "probability": intents.probabilities(1),
        "relevant": intents.relevant(1).astype(np.int64),
    }
    columns |= dict(zip(systems, covered, strict=True))
    table: pd.DataFrame = pd.DataFrame(columns, index=index)[counted]
    return table


def _differences(table: Evaluation, compared: Sequence[Measure], pair: tuple[str, str]) -> pd.DataFrame:
    import pandas as pd

    for name in pair:
        if name not in table.systems:
            raise UsageError(f"pair: there is no run {name_value(name)}; there are {', '.join(table.systems)}")
    first, second = (table.systems.index(name) for name in pair)
    columns = {}
    for measure in compared:
        block = table.values[table.measures.index(measure)]
        columns[str(measure)] = block[:, first] - block[:, second]
    return pd.DataFrame(columns, index=pd.Index(table.topics, name="topic"))


def _disagreements(differences: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    signs = _signs(differences.to_numpy())
    names, rows = list(differences.columns), []
    for left in range(len(names)):
        for right in range(left + 1, len(names)):
            product, equal = signs[:, left] * signs[:, right], signs[:, left] == signs[:, right]
            opposed, agreed = int((product < 0).sum()), int(equal.sum())
            rows.append((names[left], names[right], opposed, len(signs) - opposed - agreed, agreed))
    return pd.DataFrame(rows, columns=["measure", "other", "opposed", "undecided", "agreed"])


def _signs(differences: Floats) -> Floats:
    signs: Floats = np.where(np.abs(differences) <= NOISE, 0.0, np.sign(differences))
    return signs

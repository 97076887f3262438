"""Means as people would judge them, from few topics judged by people and many judged by a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
from scipy import stats

from cranfield._message import setting
from cranfield._text import counted, listed, quoted, shown
from cranfield._typing import Floats
from cranfield.declarations.analysis import FromJudges, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.result import Result, signed
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores
from cranfield.statistics.prediction_powered_inference import Tuning, powered_mean

if TYPE_CHECKING:
    import pandas as pd

Quantiles = Literal["student", "normal"]
COLUMNS = (
    Column("mean_reference", "over the topics that people judged, by their labels, with its interval"),
    Column("mean_reference_low"),
    Column("mean_reference_high"),
    Column("estimate", "prediction-powered mean, with its interval"),
    Column("low"),
    Column("high"),
    Column("trust", "lambda of the judge's labels"),
    Column("width", "length of the second interval over that of the first, below 1 where the judge helps"),
)


@dataclass(frozen=True, eq=False, repr=False)
class PoweredMeans(Result):
    """Prediction-powered means of systems, and of differences of systems, beside those of people alone.

    Args:
        table: every system, best estimate first.
        pairs: the same of every difference ``system`` - ``other``, largest first.
        topics: how many the reference judged.
        topics_of_judge: how many more the judge judged.
        halving: how many topics the reference would have to judge in all to halve the median width of the systems'
            intervals at this trust; NaN where all topics do not suffice.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (Column("system"), *COLUMNS, Column("mean", "over all topics by the judge's labels")),
        "pairs": (
            Column("system"),
            Column("other"),
            *COLUMNS,
            Column("excludes_0", "whether the interval by itself does not hold 0"),
        ),
    }
    table: pd.DataFrame
    pairs: pd.DataFrame
    topics: int
    topics_of_judge: int
    halving: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Who judged how many topics, and how many more people would have to judge."""
        halving = "judging all topics would not halve the intervals"
        if self.halving == self.halving:
            halving = f"{self.halving:.0f} topics judged by people would halve the intervals"
        people, model = (
            shown(str((self.signature[role] or {}).get("qrels", {}).get("name", other)))
            for role, other in (("reference", "the reference"), ("judge", "the judge"))
        )
        return (
            f"{counted(self.topics, 'topic')} judged by {people}, {self.topics_of_judge} more by {model}; intervals "
            f"{self.settings['level']:g}; width: relative to people's judgments alone, below 1 where the model helps; "
            f"{halving}\n"
            "they hold if people's topics are a random sample whose first documents they judged without gaps; for a "
            "sample of documents, see pool estimate"
        )


@analysis(
    "judges",
    "",
    FromJudges(runs=True, scored=True),
    given=("runs",),
    views=(
        View("means", "estimates for topics without people's labels.", table="table"),
        View("differences", "of the same.", table="pairs"),
    ),
)
def estimate_powered_means(
    reference: ScoresLike,
    judge: ScoresLike,
    *,
    tuning: Tuning = "tuned",
    quantiles: Annotated[
        Quantiles,
        Option("Quantiles of Student's t, or normal ones, too short below 50 topics.", shell=False),
    ] = "student",
    level: LevelOption = 0.95,
) -> PoweredMeans:
    """Mean scores as people would judge them, where a model judged more topics than people did.

    theta = lambda mean(U) + mean(Y - lambda F): Y and F are a system's scores by people's and by the model's labels on
    the topics that both judged, U its scores by the model's labels on the others. The interval is right for people's
    labels however wrong the model is, if the topics that people judged are a random sample. A model that agrees with
    people on the mean but not topic by topic helps little; lambda is then near 0, and the interval that of people.

    Args:
        reference: scores of one measure by people's labels, dims (topic, system).
        judge: scores of the same measure and systems by a model's labels, on these topics and on others.
        tuning: lambda from 0 to 1, or ``"tuned"`` (PPI++), of each system and each difference by itself.

    Raises:
        InputError: other systems, fewer than two topics by people or by the model alone, or a missing score.
        UsageError: scores of several measures, or an argument outside its range.

    References:
        Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-powered inference. doi:10.1126/science.adi6000
        Oosterhuis, Jagerman, Qin, Wang & Bendersky 2024, Reliable confidence intervals for information retrieval
        evaluation using generative A.I. doi:10.1145/3637528.3671883
    """
    import pandas as pd

    by_people, by_model = open_scores(reference), open_scores(judge)
    human, both, remaining = _align_scores(by_people, by_model)
    options: dict[str, Any] = {"tuning": tuning, "level": level, "ddof": 1 if quantiles == "student" else 0}
    rows = [
        {"system": name, **_make_row(human[:, number], both[:, number], remaining[:, number], options)}
        for number, name in enumerate(by_people.systems)
    ]
    table = pd.DataFrame(rows).sort_values(
        "estimate", ascending=not by_people.larger_is_better, kind="stable", ignore_index=True
    )
    pairs = [
        {"system": by_people.systems[a], "other": by_people.systems[b]}
        | _make_row(human[:, a] - human[:, b], both[:, a] - both[:, b], remaining[:, a] - remaining[:, b], options)
        for a, b in combinations(range(len(by_people.systems)), 2)
    ]

    def quantile(topics: int) -> float:
        tail = (1 + level) / 2
        return float(stats.t.ppf(tail, topics - 1) if quantiles == "student" else stats.norm.ppf(tail))

    settings = record_options(estimate_powered_means, locals(), measure=by_people.measure, tuning=tuning)
    return PoweredMeans(
        table,
        _sort_pairs(pairs),
        len(human),
        len(remaining),
        _count_topics_to_halve(
            human, both, remaining, table.set_index("system")["trust"][list(by_people.systems)].to_numpy(), quantile
        ),
        settings,
        signed("powered means", settings, reference=by_people.source, judge=by_model.source),
    )


def _align_scores(people: Scores, model: Scores) -> tuple[Floats, Floats, Floats]:
    """Return Y, F and U, [topics, systems]."""
    if set(people.systems) != set(model.systems):
        unshared = sorted(set(people.systems) ^ set(model.systems))
        raise InputError(f"people and model score different systems: {listed(unshared, 'system')} in one only")
    if people.measure != model.measure:
        raise UsageError(f"people's scores are of {quoted(people.measure)}, and the model's of {quoted(model.measure)}")
    rows = {topic: row for row, topic in enumerate(model.topics)}
    missing = [topic for topic in people.topics if topic not in rows]
    if missing:
        raise InputError(f"the model did not judge {listed(missing, 'topic')} that people judged: leave these out")
    judged = set(people.topics)
    columns = [model.systems.index(name) for name in people.systems]
    for scores in (model, people):
        scores.require_complete("a prediction-powered mean", f"use {setting('missing', 'empty')}")
    values, human = model.values[:, columns], people.values
    remaining = [row for topic, row in rows.items() if topic not in judged]
    if len(human) < 2 or len(remaining) < 2:
        raise InputError(
            f"people judged {counted(len(human), 'topic')} and the model {len(remaining)} more: each needs 2 or more; "
            "give the model's judgments of all topics, and people's of some"
        )
    return human, values[[rows[topic] for topic in people.topics]], values[remaining]


def _make_row(human: Floats, both: Floats, remaining: Floats, options: dict[str, Any]) -> dict[str, Any]:
    people = powered_mean(human, both, remaining, **options | {"tuning": 0.0})
    powered = powered_mean(human, both, remaining, **options)
    length = people.high - people.low
    return {
        "mean_reference": people.estimate,
        "mean_reference_low": people.low,
        "mean_reference_high": people.high,
        "estimate": powered.estimate,
        "low": powered.low,
        "high": powered.high,
        "trust": powered.lambdas[0],
        "width": (powered.high - powered.low) / length if length > 0 else float("nan"),
        "mean": float(np.concatenate([both, remaining]).mean()),
    }


def _sort_pairs(pairs: Sequence[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    columns = ["system", "other", *(column.name for column in COLUMNS)]
    table = pd.DataFrame(list(pairs), columns=columns)
    table["excludes_0"] = (table["low"] > 0) | (table["high"] < 0)
    return table.sort_values("estimate", key=lambda values: -values.abs(), kind="stable", ignore_index=True)


def _count_topics_to_halve(
    human: Floats, both: Floats, remaining: Floats, lambdas: Floats, quantile: Callable[[int], float]
) -> float:
    """Count the topics that people would have to judge for half the median width, at these variances and this trust.

    Half a width is ``quantile`` of the topics that people judged, times the standard error.
    """
    error, model_error = (human - lambdas * both).var(axis=0, ddof=1), lambdas**2 * remaining.var(axis=0, ddof=1)
    total = len(human) + len(remaining)

    def width(n: int) -> float:
        model_part = np.where(lambdas > 0, model_error / max(total - n, 1), 0.0)
        return float(np.median(quantile(n) * np.sqrt(error / n + model_part)))

    goal = width(len(human)) / 2
    enough = [n for n in range(len(human), total) if width(n) <= goal]
    return float(enough[0]) if enough and goal > 0 else float("nan")

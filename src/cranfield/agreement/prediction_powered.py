"""Means as people would judge them, from few topics judged by people and many judged by a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import stats

from cranfield._message import setting
from cranfield._text import listed, quoted
from cranfield._typing import Floats
from cranfield._validation import share, word
from cranfield.errors import InputError, UsageError
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.matrix import Matrix, matrix_of
from cranfield.statistics.prediction_powered_inference import Tuning, powered_mean

if TYPE_CHECKING:
    import pandas as pd

Quantiles = Literal["student", "normal"]


@dataclass(frozen=True, eq=False, repr=False)
class PoweredMeans(Result):
    """Prediction-powered means of systems, and of differences of systems, beside those of people alone.

    Args:
        table: every ``system``, best estimate first: its mean over the topics that people judged, ``people`` with
            ``people_low`` to ``people_high``; the prediction-powered ``estimate`` with ``low`` to ``high``; ``trust``,
            the lambda of the model's labels; ``width``, the length of the second interval over that of the first,
            below 1 where the model helps; ``model``, its mean over all topics by the model's labels.
        pairs: the same of every difference ``system`` - ``other``, largest first, with ``excludes_0`` of each interval
            by itself.
        topics: how many people judged.
        topics_of_model: how many more the model judged.
        halving: how many topics people would have to judge in all to halve the median width of the systems' intervals
            at this trust; NaN where all topics do not suffice.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table: pd.DataFrame
    pairs: pd.DataFrame
    topics: int
    topics_of_model: int
    halving: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"table": lambda: tidy(self.table), "pairs": lambda: tidy(self.pairs)}


def estimate_powered_means(
    people: ScoresLike,
    model: ScoresLike,
    *,
    tuning: Tuning = "tuned",
    quantiles: Quantiles = "student",
    level: float = 0.95,
) -> PoweredMeans:
    """Mean scores as people would judge them, where a model judged more topics than people did.

    theta = lambda mean(U) + mean(Y - lambda F): Y and F are a system's scores by people's and by the model's labels on
    the topics that both judged, U its scores by the model's labels on the others. The interval is right for people's
    labels however wrong the model is, if the topics that people judged are a random sample. A model that agrees with
    people on the mean but not topic by topic helps little; lambda is then near 0, and the interval that of people.

    Args:
        people: scores of one measure by people's labels, dims (topic, system).
        model: scores of the same measure and systems by the model's labels, on these topics and on others.
        tuning: lambda from 0 to 1, or ``"tuned"`` (PPI++), of each system and each difference by itself.
        quantiles: ``student``, with n - 1 degrees of freedom, or ``normal``, as the authors have it, which is too short
            below about 50 topics.
        level: of the intervals, in (0, 1).

    Raises:
        InputError: other systems, fewer than two topics by people or by the model alone, or a missing score.
        UsageError: scores of several measures, or an argument outside its range.

    References:
        Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-powered inference. doi:10.1126/science.adi6000
        Oosterhuis, Jagerman, Qin, Wang & Bendersky 2024, Reliable confidence intervals for information retrieval
        evaluation using generative A.I. doi:10.1145/3637528.3671883
    """
    import pandas as pd

    share(level=level)
    word("quantiles", quantiles, ("student", "normal"))
    ours, theirs = matrix_of(people), matrix_of(model)
    human, both, rest = _shared(ours, theirs)
    how: dict[str, Any] = {"tuning": tuning, "level": level, "ddof": 1 if quantiles == "student" else 0}
    rows = [
        {"system": name, **_row(human[:, number], both[:, number], rest[:, number], how)}
        for number, name in enumerate(ours.systems)
    ]
    table = pd.DataFrame(rows).sort_values(
        "estimate", ascending=not ours.larger_is_better, kind="stable", ignore_index=True
    )
    pairs = [
        {"system": ours.systems[one], "other": ours.systems[other]}
        | _row(human[:, one] - human[:, other], both[:, one] - both[:, other], rest[:, one] - rest[:, other], how)
        for one, other in combinations(range(len(ours.systems)), 2)
    ]
    settings = {"measure": ours.measure, "tuning": tuning, "quantiles": quantiles, "level": level}
    return PoweredMeans(
        table,
        _sorted(pairs),
        len(human),
        len(rest),
        _halving(human, both, rest, table["trust"].to_numpy(), list(table["system"]), ours.systems),
        settings,
        signed("powered means", settings, people=ours.source, model=theirs.source),
    )


def _shared(ours: Matrix, theirs: Matrix) -> tuple[Floats, Floats, Floats]:
    """Y, F and U, [topics, systems]."""
    if set(ours.systems) != set(theirs.systems):
        only = sorted(set(ours.systems) ^ set(theirs.systems))
        raise InputError(f"people and model score different systems: {listed(only, 'system')} in one only")
    if ours.measure != theirs.measure:
        raise UsageError(f"people's scores are of {quoted(ours.measure)}, and the model's of {quoted(theirs.measure)}")
    place = {topic: row for row, topic in enumerate(theirs.topics)}
    lacking = [topic for topic in ours.topics if topic not in place]
    if lacking:
        raise InputError(f"the model did not judge {listed(lacking, 'topic')} that people judged: leave these out")
    judged = set(ours.topics)
    columns = [theirs.systems.index(name) for name in ours.systems]
    values = theirs.complete("a prediction-powered mean", f"use {setting('missing', 'empty')}")[:, columns]
    human = ours.complete("a prediction-powered mean", f"use {setting('missing', 'empty')}")
    others = [row for topic, row in place.items() if topic not in judged]
    if len(human) < 2 or len(others) < 2:
        raise InputError(
            f"people judged {len(human)} topics and the model {len(others)} more: each needs 2 or more; give the "
            "model's judgments of all topics, and people's of some"
        )
    return human, values[[place[topic] for topic in ours.topics]], values[others]


def _row(human: Floats, both: Floats, rest: Floats, how: dict[str, Any]) -> dict[str, Any]:
    alone = powered_mean(human, both, rest, **how | {"tuning": 0.0})
    made = powered_mean(human, both, rest, **how)
    length = alone.high - alone.low
    return {
        "people": alone.estimate,
        "people_low": alone.low,
        "people_high": alone.high,
        "estimate": made.estimate,
        "low": made.low,
        "high": made.high,
        "trust": made.lambdas[0],
        "width": (made.high - made.low) / length if length > 0 else float("nan"),
        "model": float(np.concatenate([both, rest]).mean()),
    }


def _sorted(pairs: Sequence[dict[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    columns = ["system", "other", "people", "people_low", "people_high", "estimate", "low", "high", "trust", "width"]
    table = pd.DataFrame(list(pairs), columns=[*columns, "model"]).drop(columns="model")
    table["excludes_0"] = (table["low"] > 0) | (table["high"] < 0)
    return table.sort_values("estimate", key=lambda one: -one.abs(), kind="stable", ignore_index=True)


def _halving(
    human: Floats, both: Floats, rest: Floats, trust: Floats, order: list[str], systems: tuple[str, ...]
) -> float:
    """Topics that people would have to judge for half the median width, at the variances and the trust found here."""
    lambdas = np.array([trust[order.index(name)] for name in systems])
    apart, beyond = (human - lambdas * both).var(axis=0, ddof=1), lambdas**2 * rest.var(axis=0, ddof=1)
    total = len(human) + len(rest)

    def width(n: int) -> float:
        left = np.where(lambdas > 0, beyond / max(total - n, 1), 0.0)
        return float(np.median(stats.t.ppf(0.975, n - 1) * np.sqrt(apart / n + left)))

    goal = width(len(human)) / 2
    enough = [n for n in range(len(human), total) if width(n) <= goal]
    return float(enough[0]) if enough and goal > 0 else float("nan")

"""Generalizability of systems' scores where each system has several runs, such as those of several seeds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from cranfield._text import counted, shown
from cranfield._typing import Floats
from cranfield.declarations.analysis import FromScores, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import MissingScoresOption, ReplicatesOption
from cranfield.errors import InputError
from cranfield.results.columns import Column
from cranfield.results.frames import tidy
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import Needs, open_scores
from cranfield.scores.system_runs import describe_runs
from cranfield.statistics.replicated_tests import ReplicateComponents, replicate_components
from cranfield.trust.reliability import compute_coefficients, tabulate_components, warn_of_negative

if TYPE_CHECKING:
    import pandas as pd

SOURCES = {"systems": "MSs", "replicates": "MSr", "topics": "MSt", "systems_topics": "MSst", "residual": "MSe"}
"""Component -> its mean square."""


@dataclass(frozen=True, eq=False, repr=False)
class ReplicateReliability(Result):
    """Variance components of scores of systems with several runs, and the reliability of other numbers of both.

    Args:
        components: of each ``source``: ``systems``, ``replicates`` in systems, ``topics``, ``systems_topics`` and
            ``residual``.
        curve: of each number of ``runs`` of a system and of ``topics``.
        sentence: whether more runs, or more topics, make the order more reliable.
        measure: whose scores.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "curve": (
            Column("runs", "how many each system has", integer=True),
            Column("topics", "how many", integer=True),
            Column("Erho2", "reliability of the order of systems by means over them"),
            Column("Phi", "reliability of the means themselves"),
            Column("se_of_difference", "standard error of a difference of two systems"),
        ),
        "components": (
            Column("variance", "which may be estimated below 0"),
            Column("mean_square", "of the same source"),
        ),
    }
    components: pd.DataFrame
    curve: pd.DataFrame
    sentence: str
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"curve": lambda: tidy(self.curve), "components": lambda: tidy(self.components)}

    def answer(self, table: str) -> str:
        """Say whether more runs, or more topics, make the order more reliable."""
        return f"{shown(self.measure)}: {self.sentence}"

    def caption(self, table: str) -> str:
        """State the number of runs of each system."""
        return describe_runs(self.settings)


@analysis(
    "audit reliability",
    "",
    FromScores("each"),
    given=("replicates",),
    views=(View("curve"), View("components", unused=("n_replicates", "n_topics"))),
)
def estimate_replicate_reliability(
    scores: ScoresLike,
    replicates: ReplicatesOption,
    *,
    n_replicates: Annotated[
        Sequence[int] | None,
        Option(
            "Number of runs of each system to project to.",
            low=1,
            default="1, 2, 4, 8, all, and twice as many",
        ),
    ] = None,
    n_topics: Annotated[
        Sequence[int] | None,
        Option(
            "Number of topics to project to.",
            low=1,
            default="half, all, and twice as many",
            flags=("-n",),
        ),
    ] = None,
    missing_scores: MissingScoresOption = None,
) -> ReplicateReliability:
    """Estimate whether more runs of each system, or more topics, make the order of systems more reliable.

    A score is mu + system + run of the system + topic + system x topic + residual, all random. From mean squares of
    complete scores of equally many runs follow the variances v; of means over R runs on n topics

        rel = v_r / R + v_st / n + v_e / (n R),  abs = rel + v_t / n,
        Erho2 = v_s / (v_s + rel),  Phi = v_s / (v_s + abs).

    Runs without end leave v_st / n, and topics without end v_r / R. A variance estimated below 0 counts as 0 in what
    follows from it, with a warning.

    Args:
        scores: of runs, by one measure, dims (topic, system), complete.

    Raises:
        InputError: fewer than two systems, runs of each or topics, systems of different numbers of runs, a run without
            a system, or a missing score.
        UsageError: numbers outside their range.

    References:
        Brennan 2001, Generalizability Theory. doi:10.1007/978-1-4757-3456-0
    """
    needs = Needs("reliability", topics=2, systems=2, complete=True)
    matrix = open_scores(scores, needs, missing_scores=missing_scores, replicates=replicates)
    assert matrix.units.replicates is not None, "systems have several runs"
    runs_by_system = matrix.units.replicates.scores
    raw, mean_squares = replicate_components(_stack_runs(runs_by_system))
    warn_of_negative(matrix, SOURCES, raw)
    parts = ReplicateComponents(*(max(0.0, value) for value in raw))
    count, size = runs_by_system[0].shape[1], matrix.topic_count
    numbers = (
        list(n_replicates or sorted({1, 2, 4, 8, count, 2 * count})),
        list(n_topics or (max(1, size // 2), size, 2 * size)),
    )
    settings = record_options(
        estimate_replicate_reliability, locals(), n_replicates=numbers[0], n_topics=numbers[1], **matrix.units.settings
    )
    return ReplicateReliability(
        tabulate_components(SOURCES, raw, mean_squares),
        _project(parts, *numbers),
        _answer(parts, count, size),
        matrix.measure,
        settings,
        matrix.signature("replicate reliability", **settings),
    )


def _stack_runs(runs: Sequence[Floats]) -> Floats:
    """The scores of all runs, [topics, systems, runs].

    Raises:
        InputError: systems have different numbers of runs.
    """
    counts = [table.shape[1] for table in runs]
    if len(set(counts)) > 1:
        raise InputError(
            f"systems have {min(counts)} to {max(counts)} runs: components need as many of each; leave some out",
            code="too-few",
        )
    return np.stack(runs, axis=1)


def _coefficients(parts: ReplicateComponents, runs: float, topics: float) -> tuple[float, float, float]:
    """Erho2, Phi and the standard error of a difference; NaN where nothing varies."""
    relative = parts.replicates / runs + parts.systems_topics / topics + parts.residual / (runs * topics)
    absolute = relative + parts.topics / topics
    return compute_coefficients(parts.systems, relative, absolute)


def _project(parts: ReplicateComponents, runs: Sequence[int], topics: Sequence[int]) -> pd.DataFrame:
    import pandas as pd

    rows = [
        (count, size, *_coefficients(parts, count, size))
        for count in dict.fromkeys(runs)
        for size in dict.fromkeys(topics)
    ]
    columns = ["runs", "topics", "Erho2", "Phi", "se_of_difference"]
    return pd.DataFrame(rows, columns=columns).set_index(["runs", "topics"])


def _answer(parts: ReplicateComponents, count: int, size: int) -> str:
    """Answer in a sentence whether more runs, or more topics, are more reliable."""
    now, runs, topics = (
        _coefficients(parts, *design)[0] for design in ((count, size), (2 * count, size), (count, 2 * size))
    )
    if math.isnan(now):
        return "all systems have equal scores, which leaves reliability undefined"
    return (
        f"Erho2 is {now:.3f} with {counted(count, 'run')} of each system on {counted(size, 'topic')}, {runs:.3f} with "
        f"twice the runs and {topics:.3f} with twice the topics"
    )

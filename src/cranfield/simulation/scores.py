"""Simulated scores of systems whose true means are known, on any number of topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted
from cranfield._typing import Floats
from cranfield.declarations.analysis import ByHand, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import UsageError
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Result, Tables
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import open_scores
from cranfield.scores.topic_table import TopicTable
from cranfield.simulation.fitted import FittedScores
from cranfield.statistics.marginals import Margin

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

WantedMeans = float | Mapping[str, float] | None
Copula = Literal["gaussian", "vine"]
Families = Literal["usual", "simIReff"]


@dataclass(frozen=True, eq=False, repr=False)
class SimulatedScores(Result):
    """Simulated scores, and their true means.

    Args:
        scores: dims (``topic``, ``system``); as tidy rows each ``score``.
        truth: of each ``system`` (the index) the true ``mean`` over the population of topics, the ``family`` of its
            distribution and the ``aic`` of its fit.
        settings: of the simulation.
        signature: all that changes these numbers.
    """

    scores: xr.DataArray
    truth: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"scores": lambda: unrolled(self.scores, "score"), "truth": lambda: tidy(self.truth)}


@analysis(
    "simulate scores",
    "Simulate scores on new topics for systems like these.",
    ByHand(),
    examples=("--scores scores.csv -o simulated.csv", "qrels.txt runs/*.run --n-topics 100 --null"),
)
def simulate_scores(
    scores: ScoresLike,
    n_topics: Annotated[
        int | None, Option("Number of topics to make.", low=1, default="as many as the scores have")
    ] = None,
    *,
    means: Annotated[
        float | Mapping[str, float] | None,
        Option(
            "True mean of every system, or of SYSTEM, the others as observed.",
            flags=("--mean",),
            metavar="[SYSTEM=]MEAN",
            default="the observed means",
        ),
    ] = None,
    null: Annotated[bool, Option("Make all systems exchangeable, without true differences.")] = False,
    copula: Annotated[Copula, Option("Dependence between systems; vine needs cranfield[vine].")] = "gaussian",
    margins: Annotated[
        Families, Option("Families of distributions; simIReff adds beta kernels and discrete kernels.")
    ] = "usual",
    seed: SeedOption = 1,
) -> SimulatedScores:
    """Simulate new topics for systems that behave like those of a real matrix, with known true means.

    Each system's scores get a distribution (truncated normal, beta or kernel, by AIC; beta-binomial for a measure of
    few values), which is forced to a given mean. A Gaussian copula with the correlations of the systems' normal scores
    reproduces their dependence; ``copula="vine"`` fits a vine of copulas of two systems instead, which can be
    asymmetric and stronger among the worst topics than among the best, at the price of many more choices made from few
    topics.

    With ``null=True`` there are no true differences: every system has the distribution fitted to all scores together,
    and every two the mean correlation, so that all are exchangeable; a test at level alpha finds a difference in a
    proportion alpha of such matrices. Then there is one mean, and the copula is Gaussian. ``margins="simIReff"`` also
    tries beta kernels (Chen 1999) and discrete kernels (Wang & van Ryzin 1981), as the authors' program does.

    Args:
        scores: of one measure, dims (topic, system), complete, in [0, 1]: what to imitate.

    Raises:
        InputError: scores outside [0, 1], a missing score, fewer than four topics, or a system whose scores are
            all equal.
        UsageError: numbers outside their range, an unknown system or word, or a vine of exchangeable or single systems.

    Reference:
        Urbano & Nagler 2018, Stochastic simulation of test collections: evaluation scores. doi:10.1145/3209978.3210043
    """
    matrix = open_scores(scores)
    vine, more = copula == "vine", margins == "simIReff"
    if vine and (null or len(matrix.systems) < 2):
        raise UsageError(
            f"{setting('copula', 'vine')} needs two systems or more, whose pairs differ: leave null=True to the "
            "Gaussian"
        )
    imitation = FittedScores.fit(matrix, "simulation", exchangeable=null, vine=vine, more=more)
    n = len(imitation.table) if n_topics is None else n_topics
    imitation = imitation.with_means(_wanted(matrix, imitation.table, means, null=null))
    values = imitation.scores(imitation.uniform(n, np.random.default_rng(seed)))
    means_setting = dict(means) if isinstance(means, Mapping) else means
    settings = record_options(simulate_scores, locals(), n_topics=n, means=means_setting)
    return _result(matrix, values, imitation.margins, settings)


def _wanted(matrix: Scores, table: Floats, means: WantedMeans, *, null: bool) -> Floats:
    """True mean of each system."""
    if isinstance(means, Mapping):
        if null:
            raise UsageError("null=True gives all systems one mean: give means as one number")
        wanted: Floats = table.mean(axis=0)
        for name, mean in means.items():
            if name not in matrix.systems:
                raise UsageError(f"means names {quoted(name)}, which is not a system")
            wanted[matrix.systems.index(name)] = mean
    elif means is None:
        wanted = np.full(table.shape[1], table.mean()) if null else table.mean(axis=0)
    else:
        wanted = np.full(table.shape[1], float(means))
    return wanted


def _result(matrix: Scores, values: Floats, margins: Sequence[Margin], settings: dict[str, Any]) -> SimulatedScores:
    import pandas as pd

    signature = matrix.signature("simulated scores", **settings)
    topics = tuple(str(number + 1) for number in range(len(values)))
    simulated = Scores(matrix.measure, matrix.systems, TopicTable(topics, values), matrix.larger_is_better, signature)
    truth = pd.DataFrame(
        {
            "mean": [margin.mean for margin in margins],
            "family": [margin.family for margin in margins],
            "aic": [margin.aic for margin in margins],
        },
        index=pd.Index(matrix.systems, name="system", dtype=object),
    )
    return SimulatedScores(simulated.labelled(), truth, settings, signature)

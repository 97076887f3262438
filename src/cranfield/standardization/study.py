"""The study of Urbano et al. 2019 on any scores: the effects of each scheme, over repeated samples of topics."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from cranfield._executor import choose_executor
from cranfield._message import name_value, setting
from cranfield._text import counted, cut, quoted, shown
from cranfield._typing import Floats
from cranfield._validation import first_repeated, one_or_more
from cranfield.declarations.analysis import FromScores, analysis
from cranfield.declarations.executor import ExecutorOption
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import SeedOption
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.dataset import ScoresLike, as_dataset, make_table
from cranfield.scores.table import ScoreTable
from cranfield.standardization.factors import fit_standardization
from cranfield.standardization.schemes import DEFAULT_SCHEMES, SchemeLike, parse_scheme
from cranfield.standardization.trials import SchemeTrials, between, draw, run, within
from cranfield.threads import cpus

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

TrialDesign = Literal["within", "between"]

ALPHAS = (*(step / 1000 for step in range(1, 10)), *(step / 100 for step in range(1, 11)))
"""Those of Urbano et al. 2019: .001 to .009, .01 to .09, and .1."""
STATISTICS = {"r": "r", "tau_b": "tau_b", "tau_ap_b": "tau_ap,b", "power": "power", "type_1": "Type I"}
"""Statistic -> its title for people."""
SHOWN_ALPHAS = (0.01, 0.05)
"""The levels that people are shown where there are more than three."""
MOST_TOPICS = 50
"""Topics of a trial where none are asked for: as many as a TREC collection usually has."""


@dataclass(frozen=True, eq=False, repr=False)
class StandardizationStudy(Result):
    """The outcome of every trial, and how trials were drawn.

    Args:
        trials: dims (scheme, ``trial``) of ``r``, ``tau_b`` and ``tau_ap_b``, and (scheme, alpha, trial) of ``power``
            and, between collections, ``type_1``; NaN where a trial has no such value.
        design: ``within`` or ``between``.
        n_topics: of each set of topics in a trial.
        seed: of the draws.
        settings: schemes, design, n_topics, trials, alphas, seed.
        signature: all that changes these numbers.

    In rows it is first ``summary()``.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "summary": (
            Column("n_topics", "topics of each set"),
            Column("statistic", "r, tau_b and tau_ap,b of means; power and Type I errors of tests"),
            Column("alpha", "level of the tests"),
            Column("scheme"),
            Column("mean", "over trials"),
            Column("sd", "over trials"),
            Column("standard_error", "of the mean"),
            Column("trials", "with a value"),
        ),
    }
    trials: xr.Dataset
    design: TrialDesign
    n_topics: int
    seed: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        rates = [name for name, values in self.trials.items() if "alpha" in values.dims]
        return {
            "summary": self.summary,
            "correlations": lambda: unrolled(self.trials.drop_vars([*rates, "alpha"])),
            "rates": lambda: unrolled(self.trials[rates]),
        }

    def summary(self) -> pd.DataFrame:
        """Average every statistic of every scheme over trials; correlations have no ``alpha``."""
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for name, variable in self.trials.data_vars.items():
            for alpha in variable["alpha"].to_numpy().tolist() if "alpha" in variable.dims else [np.nan]:
                chosen = variable if np.isnan(alpha) else variable.sel(alpha=alpha)
                for scheme, values in zip(self.schemes, chosen.to_numpy(), strict=True):
                    row = {"n_topics": self.n_topics, "statistic": str(name), "alpha": alpha, "scheme": scheme}
                    rows.append(row | _moments(values))
        return pd.DataFrame(rows)

    def for_people(self, table: str, rows: pd.DataFrame) -> pd.DataFrame:
        """A row for each scheme, with a column for each statistic at the usual levels."""
        import pandas as pd

        if table != "summary":
            return super().for_people(table, rows)
        alphas = [alpha for alpha in dict.fromkeys(rows["alpha"].tolist()) if not np.isnan(alpha)]
        usual = [alpha for alpha in alphas if alpha in SHOWN_ALPHAS]
        levels = usual if len(alphas) > 3 and usual else alphas
        schemes: dict[str, dict[str, Any]] = {}
        for row in rows.to_dict("records"):
            if np.isnan(row["alpha"]) or row["alpha"] in levels:
                level = "" if np.isnan(row["alpha"]) else f" at {row['alpha']:g}"
                cells = schemes.setdefault(row["scheme"], {"n_topics": row["n_topics"], "scheme": row["scheme"]})
                cells[STATISTICS[row["statistic"]] + level] = _format_mean(row["mean"], row["standard_error"])
        return pd.DataFrame(list(schemes.values()))

    def caption(self, table: str) -> str:
        """Describe the means that are compared, and the number of trials."""
        against = (
            "means of each scheme against raw means of the same topics"
            if self.design == "within"
            else "means on one half of the topics against those on the other"
        )
        return (
            f"{shown(str(self.signature['measure']), 200)}, {self.design}: {against}; mean ± standard error of "
            f"{counted(self.settings['trials'], 'trial')}, seed {self.seed}"
        )

    @property
    def schemes(self) -> list[str]:
        """Names of the schemes, in the order asked for."""
        return [str(scheme) for scheme in self.trials["scheme"].to_numpy().tolist()]


def _format_mean(mean: float, error: float) -> str:
    if math.isnan(mean):
        return "nan"
    return f"{mean:.4f}" if math.isnan(error) else f"{mean:.4f} ±{error:.4f}"


@analysis(
    "standardize study",
    "Study whether schemes change comparisons within a collection or between two.",
    FromScores("one"),
    each="n_topics",
    progress="drawing topics",
    steps=lambda options: int(options["trials"]),
    examples=("qrels.txt runs/*.run", "--scores ap.csv --design between -n 10 -n 25 -n 50"),
)
def study_standardization(
    scores: ScoresLike,
    schemes: Annotated[
        SchemeLike | Sequence[SchemeLike],
        Option(
            "A scheme of `cranfield standardize`.",
            default="raw, N, U, z and E",
            flags=("--scheme", "-s"),
            metavar="SCHEME",
        ),
    ] = DEFAULT_SCHEMES,
    design: Annotated[
        TrialDesign, Option("Compare schemes within one collection, or two halves of the topics with each other.")
    ] = "within",
    *,
    n_topics: Annotated[
        int | None,
        Option("Topics of each set in a trial.", low=2, default="50, or half of fewer", flags=("-n",)),
    ] = None,
    trials: Annotated[int, Option("Number of draws.", low=1)] = 10_000,
    alphas: Annotated[
        Sequence[float],
        Option(
            "Significance level.",
            low=0,
            high=1,
            open=True,
            default=".001 to .009, .01 to .1",
            flags=("--alpha",),
        ),
    ] = ALPHAS,
    seed: SeedOption = 1,
    executor: ExecutorOption = None,
    progress: Callable[[int, int], None] | None = None,
) -> StandardizationStudy:
    """Study whether standardization changes comparisons within a collection or between two, on these scores.

    Factors are learnt once, from all systems on all topics. Then, in each trial:

    - ``within``: n topics are drawn. The systems' means under each scheme are compared with their raw means on the same
      topics by Pearson's r, tau_b and tau_ap,b (low: the scheme orders systems differently). ``power`` is the share
      of all pairs of systems with a significant paired t-test.
    - ``between``: two sets of n topics without a common one are drawn. The means on one are compared with those on the
      other (high: the scheme makes systems comparable across topics). ``power`` is the share of ordered pairs of
      different systems with a significant Welch test between the sets, ``type_1`` that of systems with themselves.

    Tests without variance (identical systems) leave the denominator. Means are rounded to 12 decimals before they are
    ranked, so that ties are not broken by the noise of summation.

    Args:
        scores: of one measure, dims (topic, system), without NaN, at least two systems.
        progress: called with the trials that are done and all of them.

    Raises:
        InputError: NaN or infinite scores, fewer than two systems or too few topics.
        UsageError: an unknown scheme or design, scores of several measures, or a number outside its range.

    Reference:
        Urbano, Lima & Hanjalic 2019, A new perspective on score standardization. doi:10.1145/3331184.3331315
    """
    import xarray as xr

    chosen = [parse_scheme(scheme) for scheme in ([schemes] if callable(schemes) else one_or_more(schemes))]
    dataset = as_dataset(scores)
    table = make_table(dataset)
    name = _only(table)
    values = _complete(table)
    levels = _take_levels(chosen, alphas)
    size = _size(design, n_topics, len(values))
    tables = [values]
    for scheme in chosen:
        tables.append(make_table(fit_standardization(dataset, scheme).apply(dataset)).values[0])
    draws = draw(np.random.default_rng(seed), len(values), size if design == "within" else 2 * size, trials)
    kernel = within if design == "within" else between
    with choose_executor(executor) as chosen_pool:
        outcome = run(kernel, tables, draws, levels, cpus(), progress, chosen_pool)
    names = [str(scheme) for scheme in chosen]
    settings = record_options(study_standardization, locals(), schemes=names, n_topics=size, alphas=levels.tolist())
    signature = signed("standardization study", settings, measure=name, scores=table.source)
    labels = {"scheme": np.array(names, dtype=object), "alpha": levels}
    arrays = xr.Dataset(_variables(outcome), labels, {"signature": json.dumps(signature)})
    return StandardizationStudy(arrays, design, size, seed, settings, signature)


def _variables(trials: SchemeTrials) -> dict[str, tuple[tuple[str, ...], Floats]]:
    plain = {name: (("scheme", "trial"), getattr(trials, name)) for name in ("r", "tau_b", "tau_ap_b")}
    rates = {
        name: (("scheme", "alpha", "trial"), values.swapaxes(1, 2))
        for name, values in (("power", trials.power), ("type_1", trials.type_1))
        if values is not None
    }
    return {**plain, **rates}


def _moments(values: Floats) -> dict[str, Any]:
    defined = values[~np.isnan(values)]
    count = len(defined)
    sd = float(defined.std(ddof=1)) if count > 1 else np.nan
    mean = float(defined.mean()) if count else np.nan
    return {"mean": mean, "sd": sd, "standard_error": sd / np.sqrt(count) if count else np.nan, "trials": count}


def _only(table: ScoreTable) -> str:
    if len(table.names) > 1:
        raise UsageError(f"the study is of one measure: choose one of {', '.join(map(shown, table.names))}")
    return table.names[0]


def _complete(table: ScoreTable) -> Floats:
    name = table.names[0]
    values: Floats = table.values[0]
    if np.isnan(values).any():
        topic, system = np.argwhere(np.isnan(values))[0]
        labels = quoted(table.systems[system]), quoted(table.topics[topic])
        count = int(np.isnan(values).sum())
        are = "1 score is" if count == 1 else f"{count:,} scores are"
        raise InputError(
            f"{shown(name)}: {are} nan (first {labels[0]} on topic {labels[1]}); the study needs every system on "
            "every topic: leave out systems or topics",
            code="missing-score",
            value=cut(table.topics[topic]),
        )
    if values.shape[1] < 2:
        text = f"{shown(name)}: the study compares systems and needs at least two, not {values.shape[1]}"
        raise InputError(text, code="too-few")
    return values


def _take_levels(schemes: Sequence[SchemeLike], alphas: Sequence[float]) -> Floats:
    names = [str(scheme) for scheme in schemes]
    if not names:
        raise UsageError("schemes=[] should name at least one")
    twice = first_repeated(names)
    if twice is not None:
        raise UsageError(f"schemes: {twice} occurs twice")
    if not len(alphas):
        raise UsageError(f"alphas={name_value(list(alphas))} should be at least one level between 0 and 1")
    levels = np.asarray(alphas, dtype=np.float64)
    if len(set(levels.tolist())) < len(levels):
        raise UsageError(f"alphas={name_value(list(alphas))}: a level occurs twice")
    return levels


def _size(design: str, n_topics: int | None, available: int) -> int:
    """Topics of one set; every trial must be able to differ from the others, and a t-test needs two."""
    half = available // 2
    most = available - 1 if design == "within" else half
    size = n_topics
    if size is None:
        size = MOST_TOPICS if most >= MOST_TOPICS else half
    elif size > most:
        need = "leave a topic out of every trial" if design == "within" else "be drawn twice without a common topic"
        raise UsageError(
            f"{setting('n_topics', size)} should be at most {most}, to {need} ({available} topics in the scores)"
        )
    if size < 2:
        raise InputError(f"the study needs at least 4 topics to draw from, not {available}", code="too-few")
    return size

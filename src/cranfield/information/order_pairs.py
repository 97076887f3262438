"""Information tau of every two measures of a study, given nothing, each of some conditions, and all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from cranfield._message import setting
from cranfield._text import counted
from cranfield._validation import list_names, word
from cranfield.declarations.analysis import FromScores, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, SeedOption
from cranfield.errors import UsageError
from cranfield.information.tau import (
    PERMUTATIONS,
    compute_information_tau,
    estimate_information_tau_null,
    make_signature,
)
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.statistics.entropy import Estimate
from cranfield.statistics.information_tau import TauTies
from cranfield.statistics.test_names import INTERVAL_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@dataclass(frozen=True, eq=False, repr=False)
class InformationTauPairs(Result):
    """Information tau of every two measures, given nothing, each condition, and all of them.

    Args:
        pairs: a row for each two measures and condition.
        systems: number of systems.
        topics: number of topics.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "pairs": (
            Column("measure"),
            Column("other"),
            Column("given", "the measures that are known"),
            Column("information_tau", "mean over topics, in bits"),
            Column("low", "limits of its interval over topics"),
            Column("high"),
            Column("topics", "topics that have a value"),
            Column("null", "its value where the second order is random"),
            Column("null_95", "what 95% of random orders do not exceed"),
            Column("p", "share of random orders that reach the value"),
        )
    }
    pairs: pd.DataFrame
    systems: int
    topics: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Sizes, intervals and ties."""
        options = self.settings
        sizes = f"{counted(self.systems, 'system')}, {counted(self.topics, 'topic')}"
        drawn = f"{options['level']:.0%} intervals, {options['resamples']:,} resamples, seed {options['seed']}"
        text = f"{sizes}; {drawn if options['resamples'] else 'no intervals'}, tau_ties={options['tau_ties']}"
        if options["estimator"] != "plug-in":
            text += f", estimator={options['estimator']}"
        if options["null_resamples"] is not None:
            text += f"; null: {options['null_resamples']:,} random orders of the second measure on each topic"
        return text


@analysis(
    "information tau",
    "Print the information tau of every two measures, in bits.",
    FromScores("all", default=(), further="given"),
    views=(View("pairs", pairs="in the order of their measures"),),
    words=("information_tau", "tau_i"),
    examples=("qrels.txt runs/*.run -m nDCG@10 -m AP --given P@10", "--scores scores.csv --null-resamples 1000"),
)
def compare_orders(
    scores: xr.Dataset,
    measures: str | Sequence[str] | None = None,
    *,
    given: Annotated[
        str | Sequence[str], Option("Also condition on this measure, and on all of them.", metavar="MEASURE")
    ] = (),
    tau_ties: Annotated[TauTies, Option("Tied pairs of systems: leave out, or count as a third outcome.")] = "drop",
    tau_tolerance: Annotated[float, Option("Largest difference between tied values.", low=0)] = 0.0,
    estimator: Annotated[
        Estimate,
        Option(
            "Estimate from raw frequencies, or with one of two corrections for what chance adds; both correct too "
            "little, as pairs share systems."
        ),
    ] = "plug-in",
    level: LevelOption = 0.95,
    resamples: Annotated[int, Option("Bootstrap samples of topics; 0 for no intervals.", low=0)] = INTERVAL_RESAMPLES,
    null_resamples: Annotated[
        int | None,
        Option(
            "Also print information tau of a random second order, its 95% point and p, from this many permutations.",
            low=PERMUTATIONS,
            default="no null",
        ),
    ] = None,
    seed: SeedOption = 1,
) -> InformationTauPairs:
    """Measure how much the order of systems by one measure says about that by another (information tau), in bits.

    With ``given``, information tau is conditional on other measures, over the same pairs of systems: those that none of
    the measures ties. It is computed topic by topic and averaged, see ``compute_information_tau``.

    Args:
        scores: from ``evaluate``, dims (topic, system), of all measures.
        measures: names of those to compare; all that are not given where None.

    Raises:
        InputError: a NaN among the values; a topic of which a measure has no value at all is left out.
        UsageError: fewer than two measures, one that there are no scores of, or an argument outside its range.

    Reference:
        Golbus & Aslam 2013, doi:10.1145/2484028.2484073, section 4.
    """
    import pandas as pd

    fixed = list_names(given=given)
    names = [str(name) for name in scores.data_vars]
    compared = [name for name in names if name not in fixed] if measures is None else list_names(measures=measures)
    for name in (*compared, *fixed):
        word("measures" if name in compared else "given", name, names)
    if len(compared) < 2:
        raise UsageError(f"information tau compares measures: name two or more with {setting('measures')}, or none")
    universe = [scores[name] for name in fixed]
    shared: dict[str, Any] = {"tau_ties": tau_ties, "tau_tolerance": tau_tolerance, "estimator": estimator}
    conditions = [(), *((name,) for name in fixed), *([tuple(fixed)] if len(fixed) > 1 else [])]
    rows = []
    for (measure, second), condition in product(combinations(compared, 2), conditions):
        first, other, known = scores[measure], scores[second], [scores[name] for name in condition]
        estimate = compute_information_tau(
            first, other, known, universe=universe, level=level, resamples=resamples, seed=seed, **shared
        )
        row: dict[str, Any] = {"measure": measure, "other": second, "given": ", ".join(condition)}
        row |= {"information_tau": estimate.value, "low": estimate.low, "high": estimate.high}
        row["topics"] = int(estimate.topics.notnull().sum())
        if null_resamples is not None:
            chance = estimate_information_tau_null(
                first, other, known, universe=universe, resamples=null_resamples, seed=seed, **shared
            )
            row |= {"null": chance.null, "null_95": chance.null_95, "p": chance.p}
        rows.append(row)
    settings = record_options(compare_orders, locals(), measures=compared, given=fixed)
    signature = make_signature("information tau of pairs", settings, [scores])
    return InformationTauPairs(pd.DataFrame(rows), scores.sizes["system"], scores.sizes["topic"], settings, signature)

"""Standardized means with intervals that say how far other reference systems, and other topics, would move them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np

from cranfield._text import counted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield.declarations.analysis import FromScores, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption, MissingScoresOption, SeedOption
from cranfield.errors import InputError
from cranfield.results.columns import Column
from cranfield.results.result import Result
from cranfield.scores.dataset import ScoresLike
from cranfield.scores.opening import Needs, open_scores
from cranfield.standardization.factors import (
    ReferenceSystemsOption,
    SchemeOption,
    find_columns,
    learn_reference,
    warn_of_references,
)
from cranfield.standardization.reference import learn
from cranfield.standardization.schemes import Raw, Scheme, parse_scheme

if TYPE_CHECKING:
    import pandas as pd

Over = Literal["both", "systems", "topics"]

ENOUGH = {"z": 40, "N": 6}
"""Reference systems from which on no collection of the study loses more than 5% of its power, within or between, or
.01 of tau_b between halves, against factors from all systems (reproductions/urbano_2019/reference_systems.md)."""
ENOUGH_OTHERWISE = 8
"""The same of E, K and U."""


@dataclass(frozen=True, eq=False, repr=False)
class StandardizedMeans(Result):
    """Means of standardized scores, and their intervals.

    Args:
        means: a row a ``system``, best first.
        measure: whose scores.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "means": (
            Column("mean", "of standardized scores"),
            Column("low", "of the interval"),
            Column("high", "of the interval"),
            Column("standard_error", "over what the interval is over"),
            Column("systems_standard_error", "over reference systems alone, on these topics"),
            Column("topics_standard_error", "over topics alone, with these reference systems"),
            Column("raw_mean", "of the scores as they are"),
        )
    }
    means: pd.DataFrame
    measure: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """The scheme, how many systems it was learnt from, and what was resampled."""
        settings = self.settings
        over = {"both": "reference systems and topics", "systems": "reference systems", "topics": "topics"}
        return (
            f"{shown(self.measure)}, {settings['scheme']} of "
            f"{counted(len(settings['reference_systems']), 'reference system')}; {settings['level']:.0%} intervals "
            f"over {over[settings['interval_over']]}: {settings['resamples']:,} resamples, seed {settings['seed']}"
        )


@analysis(
    "standardize means",
    "Print standardized means with intervals over reference systems and topics.",
    FromScores("each", directed=True),
    progress="resampling",
    steps=lambda options: int(options["resamples"]),
    examples=("qrels.txt runs/*.run", "--scores ap.csv --scheme N --interval-over systems"),
)
def estimate_standardized_means(
    scores: ScoresLike,
    scheme: SchemeOption = "E",
    *,
    reference_systems: ReferenceSystemsOption = None,
    interval_over: Annotated[
        Over, Option("Resample reference systems, topics, or both: what else the means could have been learnt from.")
    ] = "both",
    level: LevelOption = 0.95,
    resamples: Annotated[int, Option("Times that reference systems and topics are drawn.", low=2)] = 1000,
    seed: SeedOption = 1,
    missing_scores: MissingScoresOption = None,
    progress: Callable[[int, int], None] | None = None,
) -> StandardizedMeans:
    """Estimate the mean of each system's standardized scores, with an interval over other reference systems and topics.

    A standardized score says where a score stands among those of the reference systems, so that its mean depends on
    them, and the less the more there are. Reference systems are drawn with replacement, as many as there are, and
    factors learnt from them; topics likewise, independently. The interval is between quantiles of the means over
    resamples. A resample without two different reference systems is drawn again.

    Systems that are their own reference stay scored where a resample leaves them out, as other systems would be.

    Args:
        scores: of one measure, dims (topic, system), complete.
        progress: called with the resamples that are done and all of them.

    Warns:
        CranfieldWarning: fewer reference systems than the study within and between collections asks for: 6 for ``N``,
            40 for ``z``, 8 for others.

    Raises:
        InputError: fewer than two reference systems or topics, or a missing score.
        UsageError: an unknown scheme, or a number outside its range.

    References:
        Urbano, Lima & Hanjalic 2019, A new perspective on score standardization. doi:10.1145/3331184.3331315
        Efron & Tibshirani 1993, An Introduction to the Bootstrap.
    """
    import pandas as pd

    chosen = parse_scheme(scheme)
    matrix = open_scores(scores, Needs("intervals", topics=2, systems=2, complete=True), missing_scores=missing_scores)
    columns = find_columns(matrix.systems, reference_systems)
    if len(columns) < 2:
        text = f"{shown(matrix.measure)}: intervals over reference systems need two or more, not {len(columns)}"
        raise InputError(text, code="too-few")
    reference = learn_reference(matrix.measure, matrix.topics, matrix.values[:, columns], chosen)
    warn_of_references(matrix.measure, reference, chosen)
    _warn_of_few(matrix.measure, len(columns), chosen)
    scaled = chosen.apply(matrix.values, reference)
    drawn = _resample(chosen, matrix.values, columns, scaled, resamples, np.random.default_rng(seed), progress)
    low, high = np.quantile(drawn[interval_over], ((1 - level) / 2, (1 + level) / 2), axis=0)
    errors = {name: values.std(axis=0, ddof=1) for name, values in drawn.items()}
    frame = pd.DataFrame(
        {
            "system": matrix.systems,
            "mean": scaled.mean(axis=0),
            "low": low,
            "high": high,
            "standard_error": errors[interval_over],
            "systems_standard_error": errors["systems"],
            "topics_standard_error": errors["topics"],
            "raw_mean": matrix.values.mean(axis=0),
        }
    ).sort_values("mean", ascending=not matrix.larger_is_better, kind="stable", ignore_index=True)
    settings = record_options(
        estimate_standardized_means,
        locals(),
        scheme=str(chosen),
        reference_systems=[matrix.systems[column] for column in columns],
    )
    signature = matrix.signature("standardized means", **settings)
    return StandardizedMeans(frame, matrix.measure, settings, signature)


def _warn_of_few(measure: str, count: int, scheme: Scheme) -> None:
    enough = ENOUGH.get(str(scheme), ENOUGH_OTHERWISE)
    if count < enough and not isinstance(scheme, Raw):
        warn(
            f"{shown(measure)}: {scheme} is learnt from {counted(count, 'reference system')}; on published scores "
            f"fewer than {enough} cost power or stability: learn from more systems"
        )


def draw_references(rng: np.random.Generator, count: int) -> Ints:
    """Draw as many references as there are, with replacement, until two differ."""
    while True:
        found: Ints = rng.integers(count, size=count)
        if (found != found[0]).any():
            return found


def _resample(
    scheme: Scheme,
    values: Floats,
    columns: Sequence[int],
    scaled: Floats,
    resamples: int,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None,
) -> dict[str, Floats]:
    """Means of all systems over resamples of reference systems, of topics, and of both, [resamples, systems] each."""
    topics, systems = values.shape
    out: dict[str, Floats] = {name: np.empty((resamples, systems)) for name in ("both", "systems", "topics")}
    names = tuple(map(str, range(topics)))
    for number in range(resamples):
        chosen = np.asarray(columns)[draw_references(rng, len(columns))]
        share = np.bincount(rng.integers(topics, size=topics), minlength=topics) / topics
        table = scheme.apply(values, learn(names, values[:, chosen]))
        out["systems"][number] = table.mean(axis=0)
        out["both"][number] = share @ table
        out["topics"][number] = share @ scaled
        if progress is not None:
            progress(number + 1, resamples)
    return out

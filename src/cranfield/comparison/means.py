"""Means over topics with their intervals, and over collections: ``estimate_means`` and ``average_collections``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from cranfield._text import counted, quoted, shown, warn
from cranfield._typing import PathLike
from cranfield._validation import list_names
from cranfield.declarations.analysis import FromFiles, FromScores, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption
from cranfield.errors import InputError, UsageError
from cranfield.findings.location import Location
from cranfield.io.source import as_text
from cranfield.measures import summary
from cranfield.results.columns import Column
from cranfield.results.result import PAPER, Result, signed
from cranfield.results.sheet import Cell, Sheet, shorten_signature
from cranfield.scores.dataset import ScoresLike, as_dataset, make_table
from cranfield.scores.files import read_scores, score_file_name
from cranfield.scores.measure_selection import choose_measures
from cranfield.scores.missing_scores import MissingScores, fill_gaps
from cranfield.scores.scale import best_first, summarize_scores
from cranfield.scores.signature import together
from cranfield.scores.table import ScoreTable
from cranfield.scoring import DEFAULT
from cranfield.statistics.intervals import mean_interval

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@dataclass(frozen=True, eq=False, repr=False)
class Means(Result):
    """Means of systems over topics.

    Args:
        rows: one row a ``system`` and ``measure``, the best by the first measure first.
        settings: the options.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "rows": (
            Column("system"),
            Column("measure"),
            Column("topics", "on which the system has a score"),
            Column("mean", "over them, or the measure's own summary, such as a sum"),
            Column("low", "of the interval of that mean over topics like these; missing for what is not a mean"),
            Column("high"),
        )
    }
    rows: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """Describe the intervals."""
        return f"interval: {self.settings['level']:.0%} t intervals of each mean by itself, over topics like these"

    def sheet(
        self, table: str | None = None, format: str = "table", limit: int | None = None, *, pairs: str = ""
    ) -> Sheet:
        """The means; for people and papers with a row a system, and each mean followed by its interval."""
        if format not in (*PAPER, "table"):
            return super().sheet(table, format, limit, pairs=pairs)
        measures = list(dict.fromkeys(self.rows["measure"]))
        rows: dict[str, list[Cell]] = {}
        for row in self.rows.to_dict("records"):
            rows.setdefault(row["system"], [row["system"]]).extend([float(row[end]) for end in ("mean", "low", "high")])
        columns = ["system", *(name for measure in measures for name in (measure, "low", "high"))]
        marked = "" if format == "table" else f"; {shorten_signature(self.signature)}"
        return Sheet(columns, list(rows.values()), self.caption("rows") + marked, self.signature)


@analysis(
    "evaluate",
    "",
    FromScores("all", DEFAULT, of_runs=True),
    given=("topic_groups",),
    views=(View("systems", table="rows"),),
    formats=("latex", "markdown"),
)
def estimate_means(
    scores: ScoresLike, *, level: LevelOption = 0.95, missing_scores: MissingScores | None = None
) -> Means:
    """Give each system's mean over topics, with the interval in which the mean over all topics like these lies.

    The intervals are of each system by itself. Whether two systems differ is a question for ``compare``: topics are
    shared, so that intervals which overlap say little about it.

    Args:
        scores: dims (topic, system), by one measure or several.
        missing_scores: ``drop-topics``, ``drop-systems`` or ``refuse``, where systems lack scores; see ``read_scores``.

    Raises:
        UsageError: no labelled scores, or a level outside (0, 1).
        InputError: there is no topic or system, one occurs twice, or a score is infinite, or missing and refused.

    >>> import cranfield
    >>> made = cranfield.simulation.simulate_runs(n_systems=2, n_topics=25)
    >>> scores = cranfield.evaluate(made.runs, made.qrels, "AP")
    >>> cranfield.estimate_means(scores).rows.round(3)
        system measure  topics   mean    low   high
    0  system1      AP      25  0.749  0.680  0.817
    1  system2      AP      25  0.128  0.102  0.155
    """
    import pandas as pd

    table = make_table(fill_gaps(scores, missing_scores))
    frames = []
    for number, scale in enumerate(table.scales):
        values = table.values[number]
        low = high = np.full(len(table.systems), np.nan)
        means = summarize_scores(scale, values)
        if scale.summary == "mean":
            low, high = mean_interval(values, level, means)
        topics = (~np.isnan(values)).sum(axis=0)
        columns = {"system": table.systems, "measure": scale.name, "topics": topics, "mean": means}
        frames.append(pd.DataFrame({**columns, "low": low, "high": high}))
    order = best_first(table.summaries[0], table.systems, table.scales[0].larger_is_better)
    rows = pd.concat([frame.iloc[[system]] for system in order for frame in frames], ignore_index=True)
    settings = record_options(estimate_means, locals())
    sources = together([(scale.name, scale.source) for scale in table.scales])
    signature = signed("estimate_means", settings, measures=list(table.names), scores=sources)
    return Means(rows, settings, signature)


@dataclass(frozen=True, eq=False, repr=False)
class MacroMeans(Result):
    """Means over collections of means over topics.

    Args:
        rows: a row for each ``system`` and ``measure``, the best by the first measure first.
        collections: a row for each ``collection``, ``system`` and ``measure``.
        settings: the options, and the names of the ``collections``.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "rows": (
            Column("system"),
            Column("measure"),
            Column("collections", "in which the system has a score"),
            Column("mean", "over collections; missing where the system lacks one"),
        ),
        "collections": (
            Column("collection"),
            Column("system"),
            Column("measure"),
            Column("topics", "on which the system has a score"),
            Column("mean"),
        ),
    }
    rows: pd.DataFrame
    collections: pd.DataFrame
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """The collections."""
        names = self.settings["collections"]
        return f"{counted(len(names), 'collection')}, each counts alike: {', '.join(map(shown, names))}"


@analysis(
    "board average",
    "Average means over collections with equal weight.",
    FromFiles("SCORES", several=True),
    views=(
        View("rows"),
        View("collections", "Print the mean in each collection, and over how many topics.", ("--by-collection",)),
    ),
    guide="Average the means of systems over collections: each counts alike, however many topics it has.\n\nEach of "
    "SCORES is a file with the scores of one collection by topic, as `cranfield evaluate -q -f csv` writes it, and "
    "names the collection. A system that lacks a collection has no average; a warning names it.",
    formats=("latex", "markdown"),
    examples=("robust.csv web.csv -m AP", "*.csv --by-collection -f csv"),
)
def average_collections(
    scores: Mapping[str, ScoresLike] | Sequence[PathLike],
    *,
    measures: Annotated[
        str | Sequence[str],
        Option(
            "Measure such as nDCG@10 or AP(rel=2).",
            flags=("--measure", "-m"),
            metavar="MEASURE",
            default="all of the first collection",
        ),
    ] = (),
) -> MacroMeans:
    """Average each system's means over several collections, each of which counts alike, however many topics it has.

    A system that lacks a collection, or a score on one of its topics, has no average, which a warning says: an average
    over fewer is of something else.

    Args:
        scores: name of a collection -> its scores, dims (topic, system), as of ``evaluate``, all by the same measures;
            or files of scores, each of which names its collection.

    Raises:
        UsageError: no collection, two of one name, no labelled scores, or measures that are not the same.
        InputError: a file cannot be read or lacks a measure, there is no topic or system, one occurs twice, or a score
            is infinite.
    """
    import pandas as pd

    if isinstance(scores, str) or not isinstance(scores, (Mapping, Sequence)) or not scores:
        raise UsageError(
            "average_collections takes scores by the name of their collection, {name: scores, ...}, or files of scores"
        )
    wanted = list_names(measures=measures)
    named = scores if isinstance(scores, Mapping) else _read_collections(scores, wanted)
    chosen = {name: choose_measures(as_dataset(one), wanted) if wanted else one for name, one in named.items()}
    tables = {str(name): make_table(collection) for name, collection in chosen.items()}
    first = next(iter(tables.values()))
    for name, table in tables.items():
        if table.names != first.names:
            measures = ", ".join(map(shown, table.names))
            raise UsageError(
                f"collection {quoted(name)} has scores by {measures}, and the first has {', '.join(first.names)}"
            )
    collections = pd.DataFrame([row for name, table in tables.items() for row in _collection_rows(name, table)])
    systems = list(dict.fromkeys(collections["system"]))
    gaps = _find_gaps(tables)
    rows = []
    for measure in first.names:
        for system in systems:
            chosen = (collections["system"] == system) & (collections["measure"] == measure)
            values = collections["mean"].to_numpy()[chosen.to_numpy()]
            scored = int((~np.isnan(values)).sum())
            gap = gaps.get((system, measure), "")
            mean = np.nan if gap or scored < len(tables) else summary("mean", values[np.newaxis])[0]
            rows.append({"system": system, "measure": measure, "collections": scored, "mean": float(mean)})
            if scored < len(tables):
                gap = f"in {scored} of {len(tables)} collections"
            if gap:
                warn(f"{shown(system)} has {measure} {gap}, and no average over them")
    averages = pd.DataFrame(rows)
    of_first = averages["mean"].to_numpy()[: len(systems)]
    order = best_first(of_first, tuple(systems), first.scales[0].larger_is_better)
    ordered = [averages.iloc[[at + len(systems) * number]] for at in order for number in range(len(first.names))]
    sources = [
        {"collection": name, "signature": together([(scale.name, scale.source) for scale in table.scales])}
        for name, table in tables.items()
    ]
    settings = record_options(average_collections, locals(), measures=list(first.names), collections=list(tables))
    signature = signed("average_collections", settings, measures=list(first.names), scores=sources)
    return MacroMeans(pd.concat(ordered, ignore_index=True), collections, settings, signature)


def _read_collections(paths: Sequence[PathLike], measures: Sequence[str]) -> dict[str, xr.Dataset]:
    """Read the scores of each collection by the requested measures, or by those of the first file.

    Raises:
        InputError: a file cannot be read, or lacks a measure.
        UsageError: two files have one name.
    """
    collections: dict[str, xr.Dataset] = {}
    for path in map(as_text, paths):
        name = score_file_name(path)
        if name in collections:
            raise UsageError(f"two collections are called {quoted(name)}: rename one of the files")
        dataset = read_scores(path)
        try:
            collections[name] = choose_measures(dataset, measures)
        except InputError as error:
            raise InputError(error.text, Location(path), code=error.code, value=error.value) from None
        measures = measures or [str(measure) for measure in dataset.data_vars]
    return collections


def _find_gaps(tables: Mapping[str, ScoreTable]) -> dict[tuple[str, str], str]:
    """System and measure -> the first collection on some of whose topics it alone has no score, in words."""
    gaps: dict[tuple[str, str], str] = {}
    for name, table in tables.items():
        for scale, values in zip(table.scales, table.values, strict=True):
            known = ~np.isnan(values)
            of, counts = int(known.any(axis=1).sum()), known.sum(axis=0).tolist()
            for system, count in zip(table.systems, counts, strict=True):
                if 0 < count < of:
                    gaps.setdefault((system, scale.name), f"on {count:,} of the {of:,} topics of {shown(name)}")
    return gaps


def _collection_rows(name: str, table: ScoreTable) -> Iterator[dict[str, Any]]:
    for number, scale in enumerate(table.scales):
        values = table.values[number]
        counts, means = (~np.isnan(values)).sum(axis=0).tolist(), summarize_scores(scale, values).tolist()
        for system, topics, mean in zip(table.systems, counts, means, strict=True):
            yield {"collection": name, "system": system, "measure": scale.name, "topics": topics, "mean": mean}

"""Which conclusions change if a measure's values are replaced by their ranks among all it can take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, Unpack, cast

import numpy as np

from cranfield._text import condensed, quoted, shown, warn
from cranfield._typing import Floats
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.comparison.pairwise import compare
from cranfield.declarations.analysis import FromRuns, Groups, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import AlphaOption
from cranfield.errors import InputError, UsageError
from cranfield.io.inputs import QrelsLike, RunsLike
from cranfield.measures import MeasuresLike
from cranfield.measures.attainable_values import attainable
from cranfield.results.columns import Column
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Result, Tables, signed
from cranfield.results.sheet import Sheet
from cranfield.scores.dataset import make_dataset, make_table
from cranfield.scores.measure_scores import Scores
from cranfield.scores.opening import Needs, open_measures
from cranfield.scores.rows import HEADER, as_text, list_rows
from cranfield.scores.scale import Scale
from cranfield.scores.table import ScoreTable
from cranfield.scores.topic_table import TopicTable
from cranfield.scoring import Evaluation, Progress, read_measures, score
from cranfield.statistics.contrasts import every_pair
from cranfield.statistics.rank_correlation import tau_b
from cranfield.statistics.test_names import Test

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

NEAR = 1e-9
"""The largest distance, relative to the largest value, at which a score is an attainable value but for rounding."""


PairTest: TypeAlias = Literal["t", "wilcoxon", "sign", "permutation", "bootstrap", "tukey", "randomized-tukey"]
"""Tests of all pairs of systems on the same topics."""


class RowsOfScores(Sheet):
    """Scores as rows that ``read_scores`` reads, sealed in json."""

    table: ScoreTable

    @classmethod
    def of(cls, scores: xr.Dataset, signature: dict[str, Any]) -> RowsOfScores:
        """Make the rows of scores.

        Args:
            scores: of systems on topics.
            signature: all that changes them.
        """
        table = make_table(scores)
        rows = cls(HEADER, list(list_rows(table, by_topic=True)), "", signature)
        object.__setattr__(rows, "table", table)
        return rows

    def text(self, format: str, *, plain: bool = False) -> str:
        """The rows in a format for programs."""
        return as_text(self.table, format, by_topic=True)


@dataclass(frozen=True, eq=False, repr=False)
class ScaleComparison(Result):
    """Comparison of measures by their values and by the ranks of these among all attainable values.

    Args:
        measures: one row a ``measure``.
        systems: one row a ``measure`` and ``system``.
        scores: the ranks of every system on every topic, by the name of the measure, as analyses of scores take them;
            as tidy rows, each ``system``, ``topic`` and ``score``.
        settings: the options.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "measures": (
            Column("fewest", "to most, attainable values of a topic"),
            Column("most"),
            Column("one_scale", "whether all topics have the same"),
            Column("tau_b", "between the orders of systems by means of values and by means of ranks"),
            Column("pairs", "of systems"),
            Column("reversed", "those in opposite order by means"),
            Column("significant", "pairs that are, by values"),
            Column("significant_ranked", "by ranks"),
            Column("lost", "pairs significant by values only"),
            Column("gained", "by ranks only"),
        ),
        "systems": (
            Column("mean", "of values"),
            Column("rank", "by it"),
            Column("mean_ranked", "of ranks, from 0, the smallest attainable value, to 1, the largest"),
            Column("rank_ranked", "by it"),
        ),
    }
    on_request = ("scores",)
    measures: pd.DataFrame
    systems: pd.DataFrame
    scores: xr.Dataset
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "measures": lambda: tidy(self.measures),
            "systems": lambda: tidy(self.systems),
            "scores": self._by_topic,
        }

    def caption(self, table: str) -> str:
        """State the size and the settings of the comparison; for measures, explain the columns as well."""
        settings, sizes = self.settings, self.scores.sizes
        line = (
            f"{sizes['system']:,} systems, {sizes['topic']:,} topics; test={settings['test']}, alpha "
            f"{settings['alpha']:g}; ranks: among all attainable values of a topic, scaled from 0 to 1"
        )
        if table != "measures":
            return line
        return (
            f"{line}\nfewest, most: attainable values of a topic; tau_b: between both orders; reversed: pairs in "
            "opposite order by means; lost, gained: pairs significant by values only, by ranks only"
        )

    def sheet(
        self, table: str | None = None, format: str = "table", limit: int | None = None, *, pairs: str = ""
    ) -> Sheet:
        """One table with its words; scores for programs are rows that other analyses read."""
        if table == "scores" and format in ("csv", "tsv", "json"):
            return RowsOfScores.of(self.scores, self.signature)
        return super().sheet(table, format, limit, pairs=pairs)

    def _by_topic(self) -> pd.DataFrame:
        import pandas as pd

        frames = []
        for name, array in self.scores.data_vars.items():
            frame = unrolled(array.transpose("system", "topic"), "score")
            frames.append(frame.assign(measure=str(name)))
        return pd.concat(frames, ignore_index=True)[["measure", "system", "topic", "score"]]


@analysis(
    "audit scales",
    "Compare conclusions from values with those from ranks of attainable values.",
    FromRuns(("P@10",)),
    views=(
        View("measures", "what changes."),
        View("systems", "both means and ranks."),
        View("scores", "the ranks of values by topic, as rows for --scores of other commands."),
    ),
    groups=Groups(tested=True),
    examples=("qrels.txt runs/*.run -m RR", "qrels.txt runs/*.run -m RR -m P@10 --show systems"),
)
def compare_scales(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = "P@10",
    *,
    test: Annotated[PairTest, Option("Test of all pairs of systems, with its usual correction.")] = "t",
    alpha: AlphaOption = 0.05,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **kwargs: Unpack[ReadingOptions],
) -> ScaleComparison:
    """Compare conclusions by a measure with those by the ranks of its values among all that it can take.

    Means, t-tests and all that adds up differences take it that equal differences mean the same everywhere.
    Ferrante, Ferro & Fuhr map a measure to such a scale: all rankings of k documents are listed, by the labels in them,
    and every value becomes its place among the distinct values, from 0 to 1 in equal steps. Moffat objects that a
    measure's values are themselves numbers with a meaning, such as what a user gains, and that places depend on which
    rankings are counted. This takes no side: it says what changes.

    Of a measure that looks at the ranked documents alone all topics have one scale; of one that looks at the judgments
    too, as nDCG and AP, a topic's values are those of rankings that its judgments allow, and steps differ by topic.

    Args:
        runs: as in ``evaluate``; two systems or more.
        qrels: as in ``evaluate``.
        measures: each with a cutoff k.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called after each run with the number of those read, and of all.

    Raises:
        MeasureError: a measure without a cutoff, or with too many rankings; the message says how many.
        InputError: a file is refused, fewer than two systems or topics, or a score that no ranking can have.
        UsageError: an unknown word, ties left open, or a level outside (0, 1).

    References:
        Ferrante, Ferro & Fuhr 2021, Towards meaningful statements in IR evaluation: mapping evaluation measures to
        interval scales. doi:10.1109/ACCESS.2021.3116857
        Moffat 2022, Batch evaluation metrics in information retrieval: measures, scales, and meaning.
        doi:10.48550/arXiv.2207.03103
    """
    import pandas as pd

    reading = InputOptions.of(reading, kwargs)
    reading.policy.check_order("a scale of attainable values")
    table = score(runs, qrels, measures, reading=reading, keep_rankings=True, progress=progress)
    for line in condensed(table.remarks):
        warn(line)
    requested = read_measures(measures, reading.rel)
    settings = record_options(compare_scales, locals(), measures=[str(measure) for measure in requested])
    signature = signed("scales", settings, scores=table.signature())
    assert table.rankings is not None
    rows, systems, ranked = [], [], []
    needs = Needs("a comparison of scales", topics=2, systems=2)
    for measure, matrix in zip(requested, open_measures(_dataset(table), needs), strict=True):
        values = attainable(measure, table.rankings)
        ranks = replace(matrix, storage=TopicTable(matrix.topics, _attainable_ranks(matrix, values)), source=signature)
        ranked.append(ranks)
        rows.append(_row(matrix, ranks, values, test, alpha))
        systems.append(_systems(matrix, ranks))
    scales = tuple(_scale(matrix, signature) for matrix in ranked)
    scores = ScoreTable(ranked[0].topics, ranked[0].systems, scales, np.stack([matrix.values for matrix in ranked]))
    return ScaleComparison(
        pd.DataFrame(rows), pd.concat(systems, ignore_index=True), make_dataset(scores), settings, signature
    )


def _dataset(table: Evaluation) -> xr.Dataset:
    for scale in table.scales:
        if not scale.has_topics:
            raise UsageError(f"{shown(scale.name)} has no value of a topic: take what it is the mean of")
    return make_dataset(table)


def _scale(matrix: Scores, signature: dict[str, Any]) -> Scale:
    return Scale(matrix.measure, {"summary": "mean", "larger_is_better": int(matrix.larger_is_better)}, signature)


def _attainable_ranks(matrix: Scores, values: Sequence[Floats]) -> Floats:
    """The rank of each score among the attainable ones, from 0 to 1.

    Raises:
        InputError: a score is none of them.
    """
    out = np.full(matrix.values.shape, np.nan)
    for topic, (scores, of_topic) in enumerate(zip(matrix.values, values, strict=True)):
        known = ~np.isnan(scores)
        if not len(of_topic) or not known.any():
            continue
        after = np.clip(np.searchsorted(of_topic, scores[known]), 1, max(1, len(of_topic) - 1))
        near = np.stack([of_topic[after - 1], of_topic[np.minimum(after, len(of_topic) - 1)]])
        chosen = np.abs(near - scores[known]).argmin(axis=0)
        gap = np.abs(near[chosen, np.arange(len(chosen))] - scores[known])
        if (gap > NEAR * np.abs(of_topic).max()).any():
            at = np.flatnonzero(known)[gap.argmax()]
            raise InputError(
                f"{matrix.called}: {quoted(matrix.systems[at])} has {scores[at]:g} on topic "
                f"{quoted(matrix.topics[topic])}, which no full ranking of judged and unjudged documents has",
                code="score",
            )
        out[topic, known] = (after - 1 + chosen) / max(1, len(of_topic) - 1)
    return out


def _row(matrix: Scores, ranks: Scores, values: Sequence[Floats], test: Test, alpha: float) -> dict[str, Any]:
    sizes = [len(table) for table in values if len(table)]
    means = np.stack([matrix.comparable_means, ranks.comparable_means])
    left, right = every_pair(len(matrix.systems))
    order = np.sign(means[:, left] - means[:, right])
    comparison = [compare(table.labelled(), test=test, alpha=alpha).pairs for table in (matrix, ranks)]
    significant = [
        {frozenset((row.system, row.other)) for row in pairs.itertuples() if row.significant} for pairs in comparison
    ]
    return {
        "measure": matrix.measure,
        "fewest": min(sizes),
        "most": max(sizes),
        "one_scale": all(table is values[0] for table in values),
        "tau_b": float(cast(Any, tau_b(means[0], means[1]))),
        "pairs": len(left),
        "reversed": int((order[0] * order[1] < 0).sum()),
        "significant": len(significant[0]),
        "significant_ranked": len(significant[1]),
        "lost": len(significant[0] - significant[1]),
        "gained": len(significant[1] - significant[0]),
    }


def _systems(matrix: Scores, ranks: Scores) -> pd.DataFrame:
    import pandas as pd

    order = matrix.leaderboard
    columns = {
        "system": np.array(matrix.systems, dtype=object),
        "mean": matrix.means,
        "rank": matrix.ranks,
        "mean_ranked": ranks.means,
        "rank_ranked": ranks.ranks,
    }
    frame = pd.DataFrame({name: column[order] for name, column in columns.items()})
    frame.insert(0, "measure", matrix.measure)
    return frame

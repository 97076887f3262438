"""The labels of judgments, and what labels below zero do to the range of nDCG."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield._text import counted, shown
from cranfield._typing import Floats, Ints, Mask
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, JudgmentOptions, LabelOptions
from cranfield.declarations.analysis import FromJudgments, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels
from cranfield.measures.gain import Discounting, label_gain
from cranfield.results.columns import Column
from cranfield.results.frames import melted, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.results.sheet import Cell, Sheet
from cranfield.scores.signature import sign_qrels
from cranfield.scoring import score
from cranfield.statistics.numeric import ratio
from cranfield.statistics.rounding import NOISE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

READINGS = ("NDCG_org", "NDCG_0", "NDCG_min")
SHARE_OF_TOPICS = {"below_zero": "below_0", "below_minus_one": "below_-1"}
"""Field -> what rows for programs call it."""
NdcgCutoffOption = Annotated[int, Option("Cutoff of NDCG_org.", low=1, flags=("-k",), metavar="N")]


@dataclass(frozen=True, eq=False)
class LabelCounts:
    """Labels of a qrels in plain arrays.

    Args:
        topics: in order of first appearance, T of them.
        labels: that occur, ascending, float64 [labels].
        counts: judged documents of each, int64 [topics, labels].
        lowest: NDCG_org@k of the worst ranking of each topic, float64 [topics]; NaN without a label above zero.
        cutoff: k.
    """

    topics: tuple[str, ...]
    labels: Floats
    counts: Ints
    lowest: Floats
    cutoff: int

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Labels as they are written: ``-2``, ``1``, ``0.5``."""
        return tuple(write_labels(self.labels))

    @cached_property
    def judged(self) -> Ints:
        """Judged documents of each topic, int64 [topics]."""
        judged: Ints = self.counts.sum(axis=1)
        return judged

    @cached_property
    def shares(self) -> Floats:
        """Share of each label among the judged documents of a topic, float64 [topics, labels]."""
        shares: Floats = self.counts / self.judged[:, None]
        return shares

    @cached_property
    def occurs(self) -> Ints:
        """Topics in which each label occurs, int64 [labels]."""
        topics: Ints = np.count_nonzero(self.counts, axis=0)
        return topics

    @cached_property
    def mean_shares(self) -> Floats:
        """Mean share of each label over the topics in which it occurs, float64 [labels]; together they may exceed 1."""
        means: Floats = self.shares.sum(axis=0) / self.occurs
        return means

    @cached_property
    def below_zero(self) -> Mask:
        """Topics in which a ranking can have an NDCG_org@k below 0, bool [topics]."""
        return self.lowest < 0

    @cached_property
    def below_minus_one(self) -> Mask:
        """Topics in which a ranking can have an NDCG_org@k of -1 or less, bool [topics]."""
        return self.lowest <= -1 + NOISE


@dataclass(frozen=True, eq=False, repr=False)
class LabelReport(Result):
    """Labels of a qrels, labelled.

    Args:
        by_topic: a row a topic, with a column for the share of each label.
        by_label: a row a label.
        below_zero: share of topics in which NDCG_org@k can be below 0.
        below_minus_one: share of topics in which it can be -1 or less.
        settings: the cutoff.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "topics": (
            Column("topic"),
            Column("judged", "documents"),
            Column("lowest", "attainable NDCG_org@k"),
            Column("highest", "attainable NDCG_org@k"),
        ),
        "labels": (
            Column("label"),
            Column("documents"),
            Column("topics", "in which it occurs"),
            Column("mean_share", "over those topics"),
            Column("all_topics", "the mean share over all topics"),
        ),
        "shares": (Column("topic"), Column("label"), Column("share", "of the label among the judged documents")),
    }
    by_topic: pd.DataFrame
    by_label: pd.DataFrame
    below_zero: float
    below_minus_one: float
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        ends = ["judged", "lowest", "highest"]
        shares = self.by_topic.drop(columns=ends).set_axis(self.by_label.index, axis=1)
        return {
            "topics": lambda: tidy(self.by_topic[ends]),
            "labels": lambda: tidy(self.by_label),
            "shares": lambda: melted(shares, "label", "share"),
        }

    def sheet(
        self, table: str | None = None, format: str = "table", limit: int | None = None, *, pairs: str = ""
    ) -> Sheet:
        """One table with its words; for programs, every number in a row of its own."""
        by_topic = table == "topics"
        if format != "table":
            return Sheet(("topic", "measure", "value"), self._list_values(by_topic=by_topic), "", self.signature)
        if by_topic:
            columns, rows = self._lay_out_topics()
            return Sheet(columns, [*rows, self._sum_up()], self.caption("topics"), self.signature)
        names = ("label", "documents", "topics", "mean share", "over all topics")
        rows = [[name, *row] for name, row in self._facts_of_labels().items()]
        return Sheet(names, rows, self.caption("labels"), self.signature)

    def caption(self, table: str) -> str:
        """Count the topics on which NDCG_org can fall below zero."""
        total = len(self.by_topic)

        def part(share: float) -> str:
            return f"{round(share * total):,} of {total:,} ({share:.0%})"

        text = (
            f"{counted(total, 'topic')} of {shown(self.signature['qrels']['name'], 200)}; "
            f"NDCG_org@{self.settings['cutoff']} can be below 0 in {part(self.below_zero)}, "
            f"-1 or less in {part(self.below_minus_one)}"
        )
        undefined = int(self.by_topic["lowest"].isna().sum())
        return text + (f"; undefined in {undefined:,}, without a label above 0" if undefined else "")

    def _facts_of_labels(self) -> dict[str, list[Cell]]:
        """Label -> documents, topics, share where it occurs, share over all topics."""
        columns = [self.by_label[name].tolist() for name in ("documents", "topics", "mean_share", "all_topics")]
        return dict(zip(write_labels(self.by_label.index), map(list, zip(*columns, strict=True)), strict=True))

    def _lay_out_topics(self) -> tuple[tuple[str, ...], list[list[Cell]]]:
        names = [f"share({name})" for name in write_labels(self.by_label.index)]
        columns = ("judged", *names, "lowest")
        values = [self.by_topic[name].tolist() for name in columns]
        return ("topic", *columns), [list(row) for row in zip(self.by_topic.index, *values, strict=True)]

    def _sum_up(self) -> list[Cell]:
        """The last row of the table of topics: the mean of each share, and the lowest value over topics."""
        means = self.by_label["mean_share"].tolist()
        return ["all", int(self.by_topic["judged"].sum()), *means, float(self.by_topic["lowest"].min())]

    def _list_values(self, *, by_topic: bool) -> list[list[Cell]]:
        """Every number in a row: those of topics, in the order of the qrels, or those of ``all``."""
        if by_topic:
            columns, rows = self._lay_out_topics()
            return [[row[0], name, value] for row in rows for name, value in zip(columns[1:], row[1:], strict=True)]
        triples: list[list[Cell]] = []
        facts = self._facts_of_labels()
        for position, name in enumerate(("documents", "topics", "share", "all_topics")):
            triples += [["all", f"{name}({label})", row[position]] for label, row in facts.items()]
        together = self._sum_up()
        triples += [["all", "judged", together[1]], ["all", "lowest", together[-1]]]
        return triples + [["all", name, getattr(self, field)] for field, name in SHARE_OF_TOPICS.items()]


@dataclass(frozen=True, eq=False, repr=False)
class LabelEffects(Result):
    """Effects of labels below zero on the nDCG of runs, the best by NDCG_org first.

    Args:
        systems: a row a system.
        topics: how many there are.
        settings: the cutoff.
        signature: of the scores.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("system"),
            Column("NDCG_org", "at the cutoff, as the next two: labels below zero are kept"),
            Column("NDCG_0", "labels below zero are 0"),
            Column("NDCG_min", "scaled to the attainable range"),
            Column("below_zero", "documents with labels below 0 in the first ranks, a mean over topics"),
            Column("topics_below_0", "topics whose NDCG_org is below 0"),
        )
    }
    systems: pd.DataFrame
    topics: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The systems, with measures by their names."""
        return self.systems.rename(columns={name: f"{name}@{self.settings['cutoff']}" for name in READINGS})

    def caption(self, table: str) -> str:
        """Explain what the last two columns count."""
        cutoff = self.settings["cutoff"]
        return (
            f"{counted(self.topics, 'topic')} of {shown(self.signature['qrels']['name'], 200)}; below_zero: documents "
            f"with labels below 0 in the first {cutoff} ranks, a mean over topics; topics_below_0: topics whose "
            f"NDCG_org@{cutoff} is below 0"
        )


GUIDE = (
    "Print the shares of labels in a qrels, and the range of NDCG_org where labels are below zero.\n\n"
    "share(L) is the share of label L among the judged documents of a topic; its summary is the mean over the topics "
    "in which L occurs, and all_topics(L) the mean over all topics. lowest is NDCG_org of the worst ranking, the lower "
    "end of its range; below_0 and below_-1 are the shares of topics in which lowest is below 0, and -1 or less.\n\n"
    "With RUN..., print what labels below zero do to these runs: their mean NDCG_org, NDCG_0 (such labels as 0) and "
    "NDCG_min, the mean number of such documents in the first ranks, and the topics whose NDCG_org is below 0."
)


@analysis(
    "check labels",
    "Print the shares of labels, and what spam does to nDCG.",
    FromJudgments(),
    views=(View("labels"), View("topics", "Print every topic, not only the summary.", ("--by-topic", "-q"))),
    examples=("qrels.txt", "qrels.txt -k 20 --by-topic"),
    guide=GUIDE,
)
def describe_labels(
    qrels: QrelsLike,
    cutoff: NdcgCutoffOption = 20,
    *,
    reading: InputOptions | None = None,
    **options: Unpack[JudgmentOptions],
) -> LabelReport:
    """Shares of the labels by topic and overall, and the range that labels below zero leave to nDCG.

    share of a label in a topic = its documents / judged documents of the topic. NDCG_org@k, whose gains below zero are
    kept, lies between WDCG@k / IDCG@k and 1: the worst ranking shows the labels below zero, the lowest first.

    Args:
        qrels: a path, Qrels, topic -> document -> label, or a data frame.
        reading: how a file is read, see ``InputOptions``.

    Raises:
        InputError: the qrels cannot be read.
        UsageError: a word that contradicts the object given.

    Source: tables 1 and 2a of Gienapp, Fröbe, Hagen & Potthast 2020, doi:10.1145/3340531.3412123.

    >>> import cranfield
    >>> report = cranfield.describe_labels({"1": {"a": 2, "b": 0, "spam": -2}, "2": {"c": 1, "d": 0}}, cutoff=1)
    >>> report.by_topic["lowest"].tolist(), report.below_zero
    ([-1.0, 0.0], 0.5)
    """
    import pandas as pd

    judgments = convert_qrels(qrels, **InputOptions.of(reading, options, JudgmentOptions).judgment_options)
    counted = count_labels(judgments, cutoff)
    topics = pd.Index(counted.topics, name="topic", dtype=object)
    labels = pd.Index(counted.labels, name="label")
    by_topic = pd.DataFrame({"judged": counted.judged, "lowest": counted.lowest}, index=topics)
    by_topic["highest"] = np.where(np.isnan(counted.lowest), np.nan, 1.0)
    shares = pd.DataFrame(counted.shares, index=topics, columns=[f"share({name})" for name in counted.names])
    by_label = {
        "documents": counted.counts.sum(axis=0),
        "topics": counted.occurs,
        "mean_share": counted.mean_shares,
        "all_topics": counted.shares.mean(axis=0),
    }
    return LabelReport(
        by_topic.join(shares),
        pd.DataFrame(by_label, index=labels),
        float(counted.below_zero.mean()),
        float(counted.below_minus_one.mean()),
        record_options(describe_labels, locals()),
        signature(judgments, cutoff),
    )


@analysis("check labels", "", FromJudgments(runs=True), given=("runs",), views=(View("labels", table="systems"),))
def describe_label_effects(
    runs: RunsLike,
    qrels: QrelsLike,
    cutoff: NdcgCutoffOption = 20,
    *,
    reading: InputOptions | None = None,
    **options: Unpack[LabelOptions],
) -> LabelEffects:
    """Compare three readings of nDCG where labels are below zero, and count such documents in the first ranks.

    Args:
        runs: as in ``evaluate``.
        qrels: a path, Qrels, topic -> document -> label, or a data frame.
        reading: how files are read, see ``InputOptions``.

    Raises:
        InputError: a file cannot be read.

    >>> import cranfield
    >>> found = cranfield.describe_label_effects({"a": {"1": {"spam": 2.0, "x": 1.0}}}, {"1": {"x": 1, "spam": -2}}, 2)
    >>> found.systems[["system", "below_zero", "topics_below_0"]].values.tolist()
    [['a', 1.0, 1]]
    """
    import pandas as pd

    measures = [f"{name}@{cutoff}" for name in READINGS]
    scores = score(runs, qrels, measures, reading=InputOptions.of(reading, options, LabelOptions), keep_rankings=True)
    assert scores.rankings is not None, "they are kept"
    top = scores.rankings.top(cutoff)
    harmful = top.sum((top.grade < 0).astype(np.float64)).reshape(len(scores.systems), -1)
    systems = pd.DataFrame({"system": list(scores.systems)}, dtype=object)
    for name, values in zip(READINGS, np.nan_to_num(scores.values), strict=True):
        systems[name] = values.mean(axis=0)
    systems["below_zero"] = harmful.mean(axis=1)
    systems["topics_below_0"] = (np.nan_to_num(scores.values[0]) < 0).sum(axis=0)
    systems = systems.sort_values(READINGS[0], ascending=False, kind="stable", ignore_index=True)
    settings = record_options(describe_label_effects, locals())
    signature = scores.signature() | {"analysis": "label effects", "settings": settings}
    return LabelEffects(systems, len(scores.topics), settings, signature)


def write_labels(labels: Any) -> list[str]:
    """Labels as they are written: ``-2``, ``1``, ``0.5``."""
    return [repr(label).removesuffix(".0") for label in labels.tolist()]


def count_labels(qrels: Qrels, cutoff: int = 20) -> LabelCounts:
    """Labels of a qrels in plain arrays; see ``describe_labels``."""
    pool = qrels.pool
    labels, code = np.unique(pool.grade, return_inverse=True)
    cells: NDArray[np.int64] = np.bincount(pool.topic * len(labels) + code, minlength=len(pool.size) * len(labels))
    return LabelCounts(
        qrels.topics, labels, cells.reshape(len(pool.size), len(labels)), _lowest(qrels, int(cutoff)), int(cutoff)
    )


def signature(qrels: Qrels, cutoff: int) -> dict[str, Any]:
    """Everything that changes these numbers."""
    inputs = {"engine": engine.current().NAME, "qrels": sign_qrels(qrels)}
    return signed("labels", {"cutoff": cutoff}, **inputs)


def _lowest(qrels: Qrels, cutoff: int) -> Floats:
    everything = Rankings.of_pool(qrels.pool, Policy())
    discounting = Discounting(label_gain(everything, "log2", None, "keep"), cutoff=cutoff)
    return ratio(discounting.worst(everything), discounting.best(everything))

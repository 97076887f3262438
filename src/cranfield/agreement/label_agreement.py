"""Agreement of judges on the labels of the same documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, quoted, shown
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import list_names
from cranfield.agreement._answers import describe_label_agreement
from cranfield.agreement._judge_intervals import make_intervals, resample_labels
from cranfield.agreement.judges import (
    CombinedBy,
    Judges,
    Levels,
    choose_levels,
    choose_reference,
    list_labels,
    name_judges,
    sign_judges,
    warn_of_equal_judges,
    warn_of_irrelevant,
)
from cranfield.agreement.label_combination import add_combined_judges
from cranfield.collection.qrels import Qrels
from cranfield.declarations.analysis import FromJudges, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import (
    BootstrapOption,
    CommonOption,
    JudgeLevelsOption,
    LevelOption,
    ReferenceOption,
    SeedOption,
    TopicClustersOption,
)
from cranfield.errors import InputError, UsageError
from cranfield.results.columns import Column
from cranfield.results.frames import melted, stacked, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.topic_clusters import read_clusters
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.interrater import cohen_kappa, krippendorff_alpha
from cranfield.statistics.test_names import INTERVAL_RESAMPLES

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

CombinedOption: TypeAlias = Annotated[CombinedBy, Option("Add a judge that combines the others.", metavar="NAME")]
OF_INTERVALS = ("level", "seed", "topic_clusters")


@dataclass(frozen=True, eq=False, repr=False)
class LabelAgreement(Result):
    """Labels of judges compared with those of a reference, on the documents that both judged.

    Args:
        table: of each other judge (the index), on the documents in common.
        confusion: judge -> ``documents`` by the reference's label (rows, ``label_reference``) and the judge's (columns,
            ``label``).
        intervals: one row a judge and statistic, the kappas and alpha.
        by_topic: ``kappa_binary`` of each ``topic`` and judge; NaN where both use one label only.
        alpha: Krippendorff's, ordinal, of all judges and the reference together; NaN where only one label is used.
        reference: its name.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "table": (
            Column("judge"),
            Column("documents", "in common with the reference"),
            Column("judged", "documents that the judge labelled"),
            Column("equal", "share of equal labels"),
            Column("kappa", "Cohen's, of labels as names"),
            Column("kappa_linear", "weighted by differences of labels"),
            Column("kappa_quadratic", "weighted by their squares"),
            Column("kappa_binary", "of relevant or not"),
            Column("alpha", "Krippendorff's, of ordinal labels"),
            Column("relevant", "the judge's share of relevant documents in common"),
            Column("relevant_reference", "the reference's share"),
        ),
        "intervals": (
            Column("judge"),
            Column("statistic"),
            Column("value"),
            Column("low", "lower end of its interval over topics"),
            Column("high"),
            Column("among_best", "whether no other judge is significantly ahead"),
        ),
    }
    table: pd.DataFrame
    confusion: dict[str, pd.DataFrame]
    intervals: pd.DataFrame
    by_topic: pd.DataFrame
    alpha: float
    reference: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {
            "table": lambda: tidy(self.table),
            "confusion": lambda: stacked(
                {
                    judge: melted(counts.rename_axis(index="label_reference", columns=None), "label", "documents")
                    for judge, counts in self.confusion.items()
                },
                "judge",
            ),
            "intervals": lambda: tidy(self.intervals),
            "by_topic": lambda: melted(self.by_topic, "judge", "kappa_binary"),
        }

    def answer(self, table: str) -> str:
        """Which judge agrees most with the labels of the reference."""
        return describe_label_agreement(self.table, self.reference)

    def caption(self, table: str) -> str:
        """The reference, how many judges are compared with it, and whose labels reach as far as others do not."""
        head = f"reference {shown(self.reference)}; {counted(len(self.table), 'judge')}"
        if table == "by_topic":
            return head
        unlike = self.unlike_scales()
        compared = [f"{unlike}: where scales are unlike, kappa_binary alone compares them"] if unlike else []
        alpha = "alpha: Krippendorff's, of ordinal labels"
        if table == "intervals":
            units = "clusters of topics" if "topic_clusters" in self.settings else "topics"
            alpha += (
                f"; {100 * self.settings['level']:g}% intervals, by {self.settings['resamples']:,} resamples of {units}"
            )
        return "; ".join([f"{head}; {alpha}", *compared])

    def unlike_scales(self) -> str:
        """Say whose labels do not end where those of the reference do; empty where all do."""
        ends = {}
        for judge, counts in self.confusion.items():
            theirs, own = (list(axis[used.to_numpy() > 0]) for axis, used in (
                (counts.index, counts.sum(axis=1)), (counts.columns, counts.sum(axis=0))))  # fmt: skip
            if theirs and own and max(theirs) != max(own):
                ends[judge] = f"{shown(judge)} (largest {max(own):g}, not {max(theirs):g})"
        if not ends:
            return ""
        return f"labels that do not end where those of {shown(self.reference)} do: {', '.join(ends.values())}"

    def printed_rows(self, table: str) -> pd.DataFrame:
        """The rows of a table; topics have a column for each judge."""
        return self.by_topic.reset_index() if table == "by_topic" else self.to_frame(table)


@analysis(
    "judges",
    "",
    FromJudges(),
    views=(
        View("labels", "agreement of labels.", table="table", unused=OF_INTERVALS),
        View("intervals"),
        View("topics", "kappa by topic.", table="by_topic", unused=OF_INTERVALS),
    ),
)
def compare_labels(
    judges: Judges,
    *,
    reference: ReferenceOption = None,
    rel: JudgeLevelsOption = 1,
    common: CommonOption = False,
    combine_by: CombinedOption = (),
    level: LevelOption = 0.95,
    resamples: BootstrapOption = INTERVAL_RESAMPLES,
    seed: SeedOption = 1,
    topic_clusters: TopicClustersOption = None,
) -> LabelAgreement:
    """Compare judges' labels with a reference's, document by document.

    Kappa needs both to mean the same by a label; where scales differ (0 to 3 beside 0 and 1), ``kappa_binary`` with a
    level of each is what can be compared. Weights are differences of the labels as numbers. Intervals resample topics,
    not documents, because the labels of one topic depend on each other.

    Args:
        judges: name -> judgments, or several, called by their names; of several labels of a document (by
            field 2) the largest counts.

    Raises:
        InputError: a judge shares no document with the reference, two judges have one name, fewer than five clusters,
            or a topic without one.
        UsageError: fewer than two judges, or an unknown name.

    References:
        Cohen 1960, A coefficient of agreement for nominal scales. doi:10.1177/001316446002000104
        Krippendorff 2011, Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    """
    import pandas as pd

    named = name_judges(judges)
    qrels_by_judge, chosen, levels = choose_judges(named, reference, rel, combine_by, common=common)
    warn_of_equal_judges(named, levels)
    labels = list_labels(qrels_by_judge)
    warn_of_irrelevant(qrels_by_judge, levels)
    pool = labels.pop(chosen)
    of_topic, units = (None, {}) if topic_clusters is None else _cluster_labels(topic_clusters, pool)
    rows, confusion, topics, resampled = {}, {}, {}, {}
    for name, judge_labels in labels.items():
        shared = [key for key in pool if key in judge_labels]
        if not shared:
            raise InputError(f"{quoted(name)} and {quoted(chosen)} judge no document in common")
        expected, judged = np.array([pool[key] for key in shared]), np.array([judge_labels[key] for key in shared])
        rows[name] = _make_row(expected, judged, len(judge_labels), levels[chosen], levels[name])
        values, table = _count_confusion(expected, judged)
        confusion[name] = pd.DataFrame(table, index=values, columns=values).rename_axis(index=chosen, columns=name)
        topics[name] = _compute_kappa_by_topic(shared, expected >= levels[chosen], judged >= levels[name])
        draws = (levels[chosen], levels[name]), rows[name], of_topic
        resampled[name] = resample_labels(pool, judge_labels, *draws, resamples=resamples, seed=seed)
    resolved = {"reference": chosen, "rel": levels, "combine_by": list_names(combine_by=combine_by)}
    settings = record_options(compare_labels, locals(), **resolved, **units)
    return LabelAgreement(
        pd.DataFrame.from_dict(rows, orient="index").rename_axis("judge"),
        confusion,
        make_intervals(resampled, level),
        pd.DataFrame(topics).reindex(list(qrels_by_judge[chosen].topics)).rename_axis("topic"),
        _compute_alpha([pool, *labels.values()]),
        chosen,
        settings,
        signed("label agreement", settings, judges=sign_judges(qrels_by_judge)),
    )


def _cluster_labels(
    topic_clusters: GroupsLike, labels: Mapping[tuple[str, str], float]
) -> tuple[Mapping[str, str], dict[str, Any]]:
    """The cluster of each topic that is judged, and what settings say of clusters."""
    groups = TopicGroups.from_source(topic_clusters, "cluster")
    clusters = read_clusters(groups, list(dict.fromkeys(topic for topic, _ in labels)), "topics")
    return groups.of_topic, {"topic_clusters": clusters.settings["topic_clusters"]}


def choose_judges(
    judges: dict[str, Qrels], reference: str | None, rel: Levels, combine_by: CombinedBy, *, common: bool
) -> tuple[dict[str, Qrels], str, dict[str, float]]:
    """Return the judges that are compared, the name of the reference, and the smallest relevant label of each.

    Args:
        judges: name -> judgments.
        reference: its name; the first where None.
        rel: smallest relevant label, for all, or by name.
        combine_by: how all but the reference are combined into further judges.
        common: whether only documents that all judged are kept.

    Raises:
        UsageError: an unknown name, or fewer than two judges to be combined.
    """
    chosen, levels = choose_reference(judges, reference), choose_levels(judges, rel)
    methods = list_names(combine_by=combine_by)
    if methods:
        if len(judges) < 3:
            raise UsageError(f"{setting('combine_by', *methods)} needs two or more judges beside the reference")
        judges, levels = add_combined_judges(judges, methods, chosen, levels)
    return keep_common_documents(judges) if common else judges, chosen, levels


def keep_common_documents(qrels_by_judge: dict[str, Qrels]) -> dict[str, Qrels]:
    """Drop the documents that some judge did not judge.

    Raises:
        InputError: there is none.
    """
    labels = {name: qrels.to_dict() for name, qrels in qrels_by_judge.items()}
    first, *others = labels.values()
    keys = {
        topic: [document for document in pool if all(document in judge.get(topic, {}) for judge in others)]
        for topic, pool in first.items()
    }
    if not any(keys.values()):
        raise InputError("no document was judged by all judges")
    return {
        name: Qrels.from_dict(
            {topic: {document: by_topic[topic][document] for document in pool} for topic, pool in keys.items() if pool},
            name=name,
        )
        for name, by_topic in labels.items()
    }


def _count_confusion(expected: Floats, judged: Floats) -> tuple[Floats, Ints]:
    values = np.unique(np.concatenate([expected, judged]))
    cells = np.searchsorted(values, expected) * len(values) + np.searchsorted(values, judged)
    return values, np.bincount(cells, minlength=len(values) ** 2).reshape(len(values), len(values))


def _make_row(expected: Floats, judged: Floats, documents: int, level: float, judge_level: float) -> dict[str, Any]:
    values, table = _count_confusion(expected, judged)
    binary = _count_confusion((expected >= level).astype(np.float64), (judged >= judge_level).astype(np.float64))
    counts = np.zeros((len(expected), len(values)), dtype=np.int64)
    for labels in (expected, judged):
        counts[np.arange(len(expected)), np.searchsorted(values, labels)] += 1
    return {
        "documents": len(expected),
        "judged": documents,
        "equal": float((expected == judged).mean()),
        "kappa": cohen_kappa(table, values),
        "kappa_linear": cohen_kappa(table, values, "linear"),
        "kappa_quadratic": cohen_kappa(table, values, "quadratic"),
        "kappa_binary": cohen_kappa(binary[1], binary[0]),
        "alpha": krippendorff_alpha(counts, values, "ordinal"),
        "relevant": float((judged >= judge_level).mean()),
        "relevant_reference": float((expected >= level).mean()),
    }


def _compute_kappa_by_topic(shared: list[tuple[str, str]], expected: Mask, judged: Mask) -> dict[str, float]:
    rows_by_topic: dict[str, list[int]] = {}
    for row, (topic, _) in enumerate(shared):
        rows_by_topic.setdefault(topic, []).append(row)
    kappas = {}
    for topic, rows in rows_by_topic.items():
        values, table = _count_confusion(expected[rows].astype(np.float64), judged[rows].astype(np.float64))
        kappas[topic] = cohen_kappa(table, values)
    return kappas


def _compute_alpha(judges: list[dict[tuple[str, str], float]]) -> float:
    """Compute alpha of all judges together, on the documents that two or more of them judged."""
    keys = {key: row for row, key in enumerate(dict.fromkeys(key for labels in judges for key in labels))}
    values = np.unique(np.array([label for labels in judges for label in labels.values()]))
    counts = np.zeros((len(keys), len(values)), dtype=np.int64)
    for labels in judges:
        rows = np.array([keys[key] for key in labels])
        counts[rows, np.searchsorted(values, np.array(list(labels.values())))] += 1
    return krippendorff_alpha(counts, values, "ordinal")

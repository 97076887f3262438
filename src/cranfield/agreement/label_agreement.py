"""Agreement of judges on the labels of the same documents."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._message import setting
from cranfield._text import quoted, warn
from cranfield._typing import Floats, Ints, Mask
from cranfield._validation import check_integer, one_or_more, share
from cranfield.agreement._judge_intervals import make_intervals, resample_labels
from cranfield.collection.ids import refuse_equal_keys
from cranfield.collection.qrels import Qrels
from cranfield.errors import InputError, UsageError
from cranfield.io.inputs import QrelsLike, convert_qrels
from cranfield.io.source import as_text
from cranfield.io.system_names import system_names
from cranfield.results.frames import melted, stacked, tidy
from cranfield.results.result import Result, Tables, signed
from cranfield.scores.signature import fingerprint
from cranfield.scores.topic_clusters import read_clusters
from cranfield.scores.topic_groups import TopicGroups
from cranfield.statistics.interrater import cohen_kappa, krippendorff_alpha

if TYPE_CHECKING:
    import pandas as pd

    from cranfield.scores.topic_groups import GroupsLike

RESAMPLES = 2000
Judges = Mapping[str, QrelsLike] | Sequence[QrelsLike]
Levels = float | Mapping[str, float]


@dataclass(frozen=True, eq=False, repr=False)
class LabelAgreement(Result):
    """Labels of judges compared with those of a reference, on the documents that both judged.

    Args:
        table: of each other ``judge`` (the index): ``documents`` in common, out of its own ``judged``; the share of
            ``equal`` labels; ``kappa`` (nominal), ``kappa_linear`` and ``kappa_quadratic``; ``kappa_binary`` of
            relevant or not; Krippendorff's ``alpha`` of ordinal labels; ``relevant``, the judge's share of relevant
            documents in common, and ``relevant_reference``.
        confusion: judge -> ``documents`` by the reference's label (rows, ``label_reference``) and the judge's (columns,
            ``label``).
        intervals: one row a ``judge`` and ``statistic`` (the kappas and alpha): its ``value``; ``low`` to ``high``, its
            interval over topics; and ``among_best``, whether no other judge is significantly ahead of it.
        by_topic: ``kappa_binary`` of each ``topic`` and judge; NaN where both use one label only.
        alpha: Krippendorff's, ordinal, of all judges and the reference together; NaN where only one label is used.
        reference: its name.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

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
                {judge: _melt_confusion(counts) for judge, counts in self.confusion.items()}, "judge"
            ),
            "intervals": lambda: tidy(self.intervals),
            "by_topic": lambda: melted(self.by_topic, "judge", "kappa_binary"),
        }


def _melt_confusion(confusion: pd.DataFrame) -> pd.DataFrame:
    """Return a row for every two labels."""
    return melted(confusion.rename_axis(index="label_reference", columns=None), "label", "documents")


def compare_labels(
    judges: Judges,
    *,
    reference: str | None = None,
    rel: Levels = 1,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 1,
    topic_clusters: GroupsLike | None = None,
) -> LabelAgreement:
    """Compare judges' labels with a reference's, document by document.

    Kappa needs both to mean the same by a label; where scales differ (0 to 3 beside 0 and 1), ``kappa_binary`` with a
    level of each is what can be compared. Weights are differences of the labels as numbers. Intervals resample topics,
    not documents, because the labels of one topic depend on each other.

    Args:
        judges: name -> judgments, or several, called by their names; of several labels of a document (by
            field 2) the largest counts.
        reference: what the others are compared with; the first, by default.
        rel: smallest relevant label, for all, or by name (1 for those left out).
        level: of the intervals, in (0, 1).
        resamples, seed: of the topics.
        topic_clusters: as in ``compare``; whole clusters are resampled.

    Raises:
        InputError: a judge shares no document with the reference, two judges have one name, fewer than five clusters,
            or a topic without one.
        UsageError: fewer than two judges, or an unknown name.

    References:
        Cohen 1960, A coefficient of agreement for nominal scales. doi:10.1177/001316446002000104
        Krippendorff 2011, Computing Krippendorff's alpha-reliability. University of Pennsylvania.
    """
    import pandas as pd

    share(level=level)
    check_integer(1, resamples=resamples)
    check_integer(0, seed=seed)
    qrels_by_judge = name_judges(judges)
    chosen, levels = choose_reference(qrels_by_judge, reference), choose_levels(qrels_by_judge, rel)
    labels = {name: list_labels(qrels) for name, qrels in qrels_by_judge.items()}
    warn_of_irrelevant(labels, levels)
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
    settings = {"reference": chosen, "rel": levels, "level": level, "resamples": resamples, "seed": seed} | units
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


def warn_of_irrelevant(labels: Mapping[str, Mapping[tuple[str, str], float]], levels: Mapping[str, float]) -> None:
    """Warn of a judge without any relevant document."""
    for name, judged_labels in labels.items():
        if judged_labels and max(judged_labels.values()) < levels[name]:
            warn(f"{quoted(name)} has no label of {levels[name]:g} or more, and so no relevant document")


def _cluster_labels(
    topic_clusters: GroupsLike, labels: Mapping[tuple[str, str], float]
) -> tuple[Mapping[str, str], dict[str, Any]]:
    """The cluster of each topic that is judged, and what settings say of clusters."""
    groups = TopicGroups.from_source(topic_clusters, "cluster")
    clusters = read_clusters(groups, list(dict.fromkeys(topic for topic, _ in labels)), "topics")
    return groups.of_topic, {"topic_clusters": clusters.settings["topic_clusters"]}


def name_judges(judges: Judges, *, least: int = 2, **options: Any) -> dict[str, Qrels]:
    """Return judgments by name.

    Raises:
        InputError: two of one name.
        UsageError: fewer than ``least``.
    """
    if isinstance(judges, Mapping):
        refuse_equal_keys(judges, "the judges", "judge")
        named = {str(name): convert_qrels(judge, **options) for name, judge in judges.items()}
    else:
        named = {}
        sources = one_or_more(judges)
        if all(isinstance(judge, (str, os.PathLike)) for judge in sources):
            # As for runs: files of one name are called by their folders too.
            paths = [as_text(judge) for judge in sources]
            return name_judges(dict(zip(system_names(paths, "judgments"), paths, strict=True)), least=least, **options)
        for judge in sources:
            qrels = convert_qrels(judge, **options)
            if qrels.name in named:
                raise InputError(f"two judgments are called {quoted(qrels.name)}: give them as name -> judgments")
            named[qrels.name] = qrels
    if len(named) < least:
        number = {1: "one set of", 2: "two"}.get(least, f"{least}")
        raise UsageError(f"agreement needs at least {number} judgments, and there is {len(named)}")
    return named


def choose_reference(judges: Mapping[str, object], reference: str | None) -> str:
    """Return the name of the reference, by default the first."""
    if reference is None:
        return next(iter(judges))
    if reference not in judges:
        names = ", ".join(map(quoted, judges))
        raise UsageError(f"no judge is called {quoted(reference)}: the reference must be one of {names}")
    return reference


def choose_levels(judges: Mapping[str, object], rel: Levels) -> dict[str, float]:
    """Return the smallest relevant label of each judge."""
    if not isinstance(rel, Mapping):
        return dict.fromkeys(judges, float(rel))
    for name in rel:
        if name not in judges:
            raise UsageError(
                f"{setting('rel')} names {quoted(name)}, and the judges are {', '.join(map(quoted, judges))}"
            )
    return {name: float(rel.get(name, 1.0)) for name in judges}


def sign_judges(judgments: Mapping[str, Qrels]) -> dict[str, dict[str, str]]:
    """Return the name and the hash of each judge's judgments."""
    return {name: {"name": qrels.name, "sha256": fingerprint(qrels)} for name, qrels in judgments.items()}


def list_labels(qrels: Qrels) -> dict[tuple[str, str], float]:
    """Return (topic, document) -> label."""
    return {(topic, document): label for topic, pool in qrels.to_dict().items() for document, label in pool.items()}


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

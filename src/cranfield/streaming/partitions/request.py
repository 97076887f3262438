"""The inputs of an evaluation part by part: data sets and judgments, measures and policies, and a plan."""

from __future__ import annotations

import glob
import hashlib
import os
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cranfield import engine
from cranfield._message import setting
from cranfield._text import quoted
from cranfield._typing import PathLike
from cranfield._version import package_version
from cranfield.collection.qrels import Qrels, group
from cranfield.collection.reading import InputOptions
from cranfield.collection.streams import is_stream
from cranfield.engine.protocol import Facts
from cranfield.errors import EngineError, InputError, UsageError
from cranfield.findings.finding import notice, warn_of
from cranfield.findings.location import Location
from cranfield.io.inputs import QrelsLike, convert_qrels
from cranfield.io.trec import load_qrels
from cranfield.measures import Measure, MeasuresLike
from cranfield.memory import budget, parse_size
from cranfield.scores.relevance_level import count_labels
from cranfield.scores.scale import Scale
from cranfield.scores.signature import sign_qrels
from cranfield.scoring.evaluation import make_scales
from cranfield.scoring.loop import read_measures
from cranfield.streaming.partitions.dataset import ENDINGS, Dataset
from cranfield.streaming.partitions.fragment import Fragment
from cranfield.streaming.partitions.part_scoring import Failed, Keep, PartWork
from cranfield.streaming.partitions.parts import TopicLayout
from cranfield.streaming.partitions.plan import Limits, Plan, planned
from cranfield.streaming.partitions.spooled import SpooledDataset


@dataclass(frozen=True)
class PartitionRequest:
    """Runs and judgments with the settings of their evaluation.

    Args:
        reading: the options of runs and judgments.
        measures: in their order.
        sets: the runs.
        judgments: in many files, or read already.
        limits: what memory has room for.
        plans: of each run.
        refused: runs that are left out, and why.
    """

    reading: InputOptions
    measures: tuple[Measure, ...]
    sets: list[Dataset]
    judgments: Dataset | Qrels
    limits: Limits
    plans: list[Plan]
    refused: list[Failed]

    @classmethod
    def build(
        cls,
        runs: StreamedRunsLike,
        qrels: QrelsLike | Dataset,
        measures: MeasuresLike,
        topics: TopicLayout,
        reading: InputOptions,
        storage_options: Mapping[str, Any] | None,
        memory: int | str | None,
        *,
        leaves_out: bool = False,
    ) -> PartitionRequest:
        """Open the data of ``evaluate_partitions``; ``leaves_out``: whether a run that is refused is left out.

        Raises:
            InputError: a data set, or each, cannot be read, or judgments have no room.
            UsageError: an unknown word or measure, or one that cannot be had part by part.
        """
        chosen = _measures(measures, reading)
        limits = Limits(budget() if memory is None else parse_size(memory))
        sets = open_datasets(runs, reading, storage_options)
        judgments = open_judgments(qrels, reading, storage_options)
        if isinstance(judgments, Qrels) and judgments.excluded is not None:
            raise UsageError("judgments that exclude documents need whole runs, which data sets are not read as")
        files, refused = _open_files(sets, leaves_out=leaves_out)
        plans = planned(list(files.values()), judgments, topics, limits)
        readable = [dataset for dataset in sets if dataset.name in files]
        return cls(reading, chosen, readable, judgments, limits, plans, refused)

    def close(self) -> None:
        """Remove temporary files."""
        for plan in self.plans:
            plan.close()
        for dataset in self.sets:
            if isinstance(dataset, SpooledDataset):
                dataset.discard()

    def work(self, plan: Plan, scales: Sequence[Scale], keep: Keep | None, *, collect: bool) -> PartWork:
        """The work on each part of a run; see ``PartWork``."""
        names, reading, limits = tuple(scale.name for scale in scales), self.reading, self.limits
        facts = names, sorted(reading.policy.as_dict().items()), plan.labels.tolist()
        return PartWork(
            measures=self.measures,
            names=names,
            summaries=tuple(scale.summary for scale in scales),
            policy=reading.policy,
            digest=hashlib.sha256(repr(facts).encode()).hexdigest(),
            labels=plan.labels,
            kinds=plan.kinds,
            topics=plan.topics,
            judged=plan.judged,
            rows=limits.rows,
            held=limits.held,
            keep=keep,
            collect=collect,
            qrels=self.judgments.location,
        )

    def scales(self, plan: Plan) -> tuple[Scale, ...]:
        """Return the scale of each measure, with quirks of peers where the judgments are at hand.

        Raises:
            UsageError: such a quirk was requested, and they are not.
        """
        policy = self.reading.policy
        if isinstance(self.judgments, Qrels):
            return make_scales(self.measures, self.judgments.pool, policy, None)
        if any(measure.declaration.peer_summary for measure in self.measures) and policy.compat != "none":
            text = (
                f"{setting('compat', policy.compat)} sums up judgments as a peer does: give them as one file, "
                "not a data set"
            )
            raise UsageError(text)
        return tuple(Scale(str(measure), measure.declaration.attributes) for measure in self.measures)

    def inputs(self) -> dict[str, Any]:
        """The part of a signature that is not in the settings."""
        qrels, labels = self.judgments, {}
        if isinstance(qrels, Qrels):
            labels = count_labels(qrels.grade, self.measures)
        return {
            "engine": engine.current().NAME,
            "measures": [str(measure) for measure in self.measures],
            "max_rel": float(max(self.plans[0].labels.max(initial=0.0), 0.0)),
            **({"labels": labels} if labels else {}),
            "qrels": sign_qrels(qrels) if isinstance(qrels, Qrels) else qrels.facts(),
            "runs": [dataset.facts() for dataset in self.sets],
        }

    def signature(self) -> dict[str, Any]:
        """The signature of scores of topics, as of an evaluation of complete runs."""
        return {"cranfield": package_version(), **self.inputs(), **self.reading.policy.as_dict()}


def _measures(measures: MeasuresLike, reading: InputOptions) -> tuple[Measure, ...]:
    """Raises: UsageError: an unknown measure, or one that cannot be computed part by part."""
    requested = read_measures(measures, reading.rel)
    for measure in requested:
        if measure.declaration.needs_intents:
            raise UsageError(f"{measure} needs intents, which judgments in a data set do not have: leave it out")
    for name, value in reading.policy.rewriting.items():
        text = f"{setting(name, value)} rewrites whole runs, which data sets are not read as"
        raise UsageError(f"{text}: rewrite the data set itself, or give each run as one file")
    if reading.exclude is not None:
        raise UsageError(
            f"{setting('exclude')} rewrites whole runs, which data sets are not read as: give each run as one file"
        )
    if reading.policy.ties == "rank":
        raise UsageError(
            f"{setting('ties', 'rank')} needs ranks, which are not read of a data set: choose trec or docid"
        )
    return requested


StreamedRunLike: TypeAlias = "Dataset | PathLike"
StreamedRunsLike: TypeAlias = "StreamedRunLike | Sequence[StreamedRunLike] | Mapping[str, StreamedRunLike]"


def open_datasets(runs: StreamedRunsLike, reading: InputOptions, options: Mapping[str, Any] | None) -> list[Dataset]:
    """Every run as a data set.

    Raises:
        InputError: two of one name, or none.
    """
    columns = dict(reading.columns or {})
    if isinstance(runs, Mapping):
        pairs = [(str(name), data) for name, data in runs.items()]
    else:
        inputs = runs if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]
        pairs = [("", data) for data in inputs]
    datasets: list[Dataset] = []
    for name, data in pairs:
        if is_stream(data):
            datasets.append(SpooledDataset(data, columns, name))
            continue
        dataset = data if isinstance(data, Dataset) else Dataset(data, columns=columns, storage_options=options)
        datasets.append(dataset if not name else dataset.named(name))
    if not datasets:
        raise InputError("no run was given", code="empty")
    names = [dataset.name for dataset in datasets]
    repeated = [name for number, name in enumerate(names) if name in names[:number]]
    if repeated:
        text = f"two runs are called {repeated[0]!r}; give them names: {{name: Dataset(...), ...}}"
        raise InputError(text, code="equal-names", value=repeated[0])
    return datasets


def _open_files(sets: Sequence[Dataset], *, leaves_out: bool) -> tuple[dict[str, list[Fragment]], list[Failed]]:
    """Run -> its files, and the runs that are refused, where these are left out.

    Raises:
        InputError: a run, or each where they are left out, cannot be read.
    """
    files: dict[str, list[Fragment]] = {}
    refused: list[Failed] = []
    for number, dataset in enumerate(sets):
        try:
            files[dataset.name] = dataset.fragments("score")
        except InputError as error:
            if not leaves_out:
                raise
            refused.append(Failed(number, str(dataset.location), error))
    if not files:
        raise refused[0].error
    return files, refused


def open_judgments(
    qrels: QrelsLike | Dataset, reading: InputOptions, options: Mapping[str, Any] | None
) -> Dataset | Qrels:
    """Judgments in many files, or judgments that are read now.

    Raises:
        InputError: they cannot be read.
    """
    is_dataset = isinstance(qrels, (str, os.PathLike)) and is_many(str(qrels))
    judged = Dataset(qrels, columns=dict(reading.columns or {}), storage_options=options) if is_dataset else qrels
    if not isinstance(judged, Dataset):
        return convert_qrels(judged, **reading.judgment_options)
    if not judged.is_text:
        if reading.labels:
            raise UsageError(
                f"{setting('labels')}: a data set of judgments is read in parts and holds numbers alone: write numbers "
                "into its column of labels, or give the judgments as one file or frame"
            )
        return judged
    return read_together([path for path, _ in judged.files], judged.path, judged.name, reading.file_judgment_options)


def is_many(path: str) -> bool:
    """Tell whether a path is read as a data set: a folder, a glob, an address, or a file of columns."""
    columns = path.lower().endswith(tuple(ENDINGS))
    return columns or "://" in path or glob.has_magic(path) or os.path.isdir(path)  # noqa: PTH112 (any name is answered)


def read_together(paths: Sequence[str], path: str, name: str, options: Mapping[str, Any]) -> Qrels:
    """Judgments of several files of text, read as if they were one; findings are warned of.

    Args:
        paths: of the files.
        path: of all of them, as the user named it.
        name: of the judgments.
        options: of the files, ``input_format``, ``columns`` and ``labels``.

    Raises:
        InputError: a file cannot be read, or a document of a topic has another label in another file.
    """
    ends: list[int] = []
    topics: list[str] = []
    iterations: list[str] = []
    documents: list[str] = []
    labels: list[float] = []
    facts: Facts = {}
    for file in paths:
        read, noticed = load_qrels(file, **options)
        warn_of(noticed, Location(file))
        of_topic, of_iteration, of_document, label = read.rows()
        topics += of_topic
        iterations += of_iteration
        documents += of_document
        labels += label.tolist()
        ends.append(len(labels))
    ids = [text.encode() for text in topics], [text.encode() for text in iterations]
    try:
        columns = group(*ids, [text.encode() for text in documents], labels, range(1, len(labels) + 1), facts)
    except EngineError as error:
        if error.code != "conflict":
            raise
        file, second_file = (paths[bisect_right(ends, number - 1)] for number in (error.line, error.number))
        text = f"document {quoted(error.more)} of topic {quoted(error.value)} has another label in {second_file}"
        raise InputError(f"{text}; keep one of them", Location(file), code="conflict", value=error.more) from None
    warn_of(_without_lines(facts), Location(path))
    return Qrels.from_columns(columns, name=name, path=path)


def _without_lines(facts: Facts) -> Facts:
    """Findings of all files, without numbers of rows, which are not lines of a file."""
    summary: Facts = {}
    for code, fact in facts.get("noticed", {}).items():
        parts: dict[str, Any] = {name: value for name, value in fact.items() if name not in ("count", "line")}
        notice(summary, code, fact["count"], **parts)
    return summary

"""Inputs of a page from its files, each of which is read once: scores, the file check, and the top of each list.

The scores of a page are computed from runs (``score_runs``) or supplied by the caller (``load_scores``).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield._message import setting
from cranfield._text import counted, hearing, listed, quoted, shown, warn
from cranfield._typing import Floats, Ints
from cranfield._version import package_version
from cranfield.checking.checks import FileCheck, find_depth
from cranfield.checking.result import Findings
from cranfield.checking.tied_scores import Tied, looked_at
from cranfield.collection.policy import CHOICES, Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions
from cranfield.collection.run import Run
from cranfield.comparison.pair_choice import find_columns
from cranfield.errors import InputError, MeasureError, UsageError
from cranfield.evaluation import to_dataset
from cranfield.findings.finding import Finding, warn_of
from cranfield.findings.location import STDIN, Location
from cranfield.fusion.fusion_inputs import A_LINE
from cranfield.io.inputs import NamedRun, convert_qrels, named_runs, refuse_exchanged, with_intents
from cranfield.io.judging import JudgedRun, build_index, judge_loaded, judge_run
from cranfield.io.redaction import PathRedactor
from cranfield.io.run_transforms import rewritten
from cranfield.io.source import as_text
from cranfield.io.trec import load_qrels, load_run
from cranfield.measures import Measure, parse_measure, values
from cranfield.memory import budget
from cranfield.reporting.content import Retrieved
from cranfield.reporting.entries import Entries
from cranfield.reporting.left_out import LACKS_SCORES, LeftRun, refused_runs
from cranfield.reporting.request import RunsRequest, ScoresRequest
from cranfield.reporting.runner import Stage
from cranfield.scores.dataset import as_dataset, make_dataset, make_table
from cranfield.scores.measure_scores import Scores
from cranfield.scores.measure_selection import choose_measures, select_effectiveness_names
from cranfield.scores.missing_scores import fill_gaps
from cranfield.scores.named_direction import ENDS
from cranfield.scores.opening import open_scores
from cranfield.scores.table import ScoreTable
from cranfield.scoring import DEFAULT, Evaluation, Progress, read_measures, score
from cranfield.scoring.loop import refuse_shared_stream
from cranfield.threads import LABELLED, importing
from cranfield.topic_difficulty.list_divergence import top_lists

if TYPE_CHECKING:
    import xarray as xr

JUDGED = "Judged@"
"""The measure, before its cutoff, that is always computed: the page states the share of documents that is unjudged."""
RUNLESS_SETTINGS = ("cranfield", "engine", "bounds", *CHOICES, "max_rel")
"""Settings in a signature that name no run."""
DEPTH = 10
"""Documents of a list that a page shows."""
MAX_DOCUMENTS = 300_000
"""Documents in all lists of a page: where there are more, it shows the lists of the best systems."""

TopDocuments = dict[str, tuple[bytes, ...]]
"""Topic -> the first documents of a list, best first."""


@dataclass(frozen=True)
class Origin:
    """The origin of scores.

    Args:
        name: the judgments, or a description of the scores that the caller supplied.
        judgments: their number; None where the caller supplied scores.
        signature: all that changes the scores.
        remarks: what was noticed in the files of runs and judgments.
        warnings: what was noticed in scores that the caller supplied.
    """

    name: str
    judgments: int | None
    signature: dict[str, Any] = field(repr=False)
    remarks: tuple[Finding, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The title of a page for which the caller chose none."""
        if self.judgments is None:
            return f"{self.name[0].upper()}{self.name[1:]}"
        return f"Evaluation on {self.name}"

    def sign_subset(self, subset: Sequence[str], systems: Sequence[str]) -> dict[str, Any]:
        """Return a signature that names the files of a subset of systems alone.

        Nothing is copied but what is listed here: the runs of others, whether read or refused, and files of scores may
        be called by the names of others, and a signature that a file of scores holds may contain anything.

        Args:
            subset: systems that may be named.
            systems: all systems, in their order.
        """
        source = self.signature
        signature: dict[str, Any] = {
            name: source[name] for name in RUNLESS_SETTINGS if isinstance(source.get(name), (str, int, float))
        }
        if self.judgments is not None and "intents" in source:
            signature["intents"] = source["intents"]
        if isinstance(source.get("qrels"), dict):
            signature["qrels"] = {name: source["qrels"].get(name) for name in ("name", "sha256")}
        runs = source.get("runs")
        if isinstance(runs, list) and len(runs) == len(systems):
            signature["runs"] = [run for name, run in zip(systems, runs, strict=True) if name in subset]
        if isinstance(source.get("scores"), list):
            signature["scores"] = [{"sha256": file["sha256"]} for file in source["scores"] if "sha256" in file]
        return signature


@dataclass(frozen=True)
class PageScores:
    """The scores of a page, and what is known about them.

    Args:
        origin: where they come from.
        table: the scores in plain arrays.
        scores: the same with labels.
        measures: those that are analysed; the first orders systems.
        undefined: measures without a score on any topic, which are left out.
        entries: what organisers supply about the runs.
        redact: rewrites texts that name files for a page.
        left_out: runs that were refused, or lack scores, and are not among the systems.
    """

    origin: Origin
    table: ScoreTable
    scores: xr.Dataset
    measures: tuple[str, ...]
    undefined: tuple[str, ...]
    entries: Entries
    redact: PathRedactor
    left_out: tuple[LeftRun, ...]

    @property
    def main_measure(self) -> str:
        """The measure that orders systems."""
        return self.measures[0]

    @property
    def depth(self) -> int:
        """The documents that the measure which orders systems reads of a list; ten where it reads whole lists."""
        try:
            return find_depth(parse_measure(self.main_measure))
        except MeasureError:  # that of another tool
            return DEPTH

    @cached_property
    def judged(self) -> tuple[str, int] | None:
        """The name of the share of judged documents, and its depth: that of the measure which orders systems, if any.

        Scores that the caller supplied may hold it for another depth alone, or for none.
        """
        names = sorted(map(str, self.scores.data_vars), key=lambda name: name != f"{JUDGED}{self.depth}")
        chosen = next((name for name in names if is_judged(name)), None)
        return None if chosen is None else (chosen, int(chosen.removeprefix(JUDGED)))

    @cached_property
    def main(self) -> Scores:
        """The scores by the measure that orders systems."""
        return open_scores(self.scores[self.main_measure])

    @property
    def order(self) -> list[str]:
        """Systems, best first."""
        return sort_systems(self.main)

    @property
    def numbers(self) -> dict[str, int]:
        """System -> its number on the page."""
        return {name: number for number, name in enumerate(self.table.systems)}


@dataclass(frozen=True)
class ScoredRuns(PageScores):
    """The scores of runs that were read.

    Args:
        table: the scores, with all that is known about the runs.
        reader: what else was noted while the runs were read.
    """

    table: Evaluation
    reader: RunReader

    @property
    def run_names(self) -> list[str]:
        """Names of the runs as the caller wrote them, without those that were refused and left out."""
        request = self.reader.request
        runs = named_runs(request.runs, request.reading.names, request.reading.columns)
        return [run.name for run in runs if run.name in self.reader.top_documents]

    @property
    def top_documents(self) -> dict[str, TopDocuments]:
        """System -> the first documents of its lists."""
        noted = self.reader.top_documents
        return {system: noted[name] for system, name in zip(self.table.systems, self.run_names, strict=True)}

    def take_runs(self) -> dict[str, Run]:
        """Hand over the runs that are still in memory, by system; they are not held from now on."""
        runs = self.reader.cache.take() if self.reader.cache is not None else {}
        return {name: runs[run] for name, run in zip(self.table.systems, self.run_names, strict=True) if run in runs}


def score_runs(
    request: RunsRequest, *, stage: Stage, progress: Progress | None = None, keep_runs: bool = False
) -> ScoredRuns:
    """Read every file once and score.

    Args:
        request: files, measures and policies.
        stage: called with the name of each stage as it begins.
        progress: called as ``progress(done, total)`` while runs are read.
        keep_runs: whether runs stay in memory for analyses of complete lists.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: a policy under which systems have ranges of scores, or an unknown measure or baseline.
    """
    if request.reading.policy.ties == "bounds":
        raise UsageError(
            f"{setting('ties', 'bounds')} gives each score as a range, and a report needs single scores: choose "
            "another order of ties"
        )
    reading = request.reading
    requested = _with_topic_scores(read_measures(request.measures or DEFAULT, reading.rel))
    stage("reading and scoring runs")
    refuse_exchanged(request.runs, request.qrels)
    runs = named_runs(request.runs, reading.names, reading.columns)
    refuse_shared_stream(request.qrels, runs)
    reader = RunReader.open(request, requested, keep_runs=keep_runs)
    # The tree of systems is drawn where there are several, and its library can be imported while files are read.
    clustering = ("scipy.cluster.hierarchy",) if keep_runs and len(runs) > 1 else ()
    with importing(*LABELLED, "scipy.special", *clustering):
        table = score(
            request.runs, reader.qrels, requested, reading=reading, progress=progress, keep_rankings=True, judge=reader
        )
    left_out = refused_runs()
    entries = Entries.read(request.options["entries"], table.systems, [run.name for run in left_out])
    find_columns(table.systems, request.baseline)  # which raises UsageError for one that is not there
    scores = _with_judged(to_dataset(table), table, requested)
    means, undefined = _choose_comparable(requested, scores)
    paths = [*request.paths, *(run.data for run in table.runs if isinstance(run.data, str))]
    redact = PathRedactor(paths, names_only=request.options["public"])
    origin = Origin(table.qrels.name, len(table.qrels.grade), table.signature(), table.remarks)
    return ScoredRuns(origin, table, scores, means, undefined, entries, redact, left_out, reader)


def _with_judged(scores: xr.Dataset, table: Evaluation, requested: Sequence[Measure]) -> xr.Dataset:
    """Add the share of judged documents, where it was not asked for."""
    judged = parse_measure(f"{JUDGED}{find_depth(choose_main(requested))}")
    if judged in requested:
        return scores
    assert table.rankings is not None, "the rankings are kept"
    shares = values(judged, table.rankings).reshape(len(table.systems), -1)
    return scores.assign({str(judged): (("system", "topic"), shares)})


def choose_main(requested: Sequence[Measure]) -> Measure:
    """The measure that orders systems, unless it turns out to be undefined on every topic."""
    return next(filter(_compares_systems, requested), requested[0])


def is_judged(name: str) -> bool:
    """Return whether a measure of this name is the share of judged documents down to some rank."""
    return name.startswith(JUDGED) and name.removeprefix(JUDGED).isdecimal()


def _choose_comparable(requested: Sequence[Measure], scores: xr.Dataset) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the measures that analyses use, and those left out because they are undefined on every topic.

    Raises:
        InputError: all are undefined.
    """
    candidates = tuple(str(measure) for measure in requested if _compares_systems(measure)) or (str(requested[0]),)
    defined = tuple(name for name in candidates if not np.isnan(scores[name].values).all())
    if not defined:
        raise InputError(
            f"{listed(candidates, 'measure')}: undefined on every topic, which leaves nothing to report: ask for other "
            "measures"
        )
    return defined, tuple(name for name in candidates if name not in defined)


def _with_topic_scores(requested: Sequence[Measure]) -> tuple[Measure, ...]:
    """Return the measures, with AP in front where GMAP, which has no value of a topic, is all that could order systems.

    A warning says so: AP is what GMAP is the geometric mean of.
    """
    first = requested[0]
    if first.declaration.summary != "geometric mean" or any(map(_compares_systems, requested)):
        return tuple(requested)
    average = parse_measure("AP")(**first.given)
    warn(f"{first} has no value of a topic: the report is about {average}, of which it is the geometric mean")
    return (average, *requested)


def _compares_systems(measure: Measure) -> bool:
    """Return whether the mean of a measure compares systems: it is neither a sum nor a share of judged documents."""
    return measure.declaration.summary == "mean" and measure.declaration.effectiveness


@dataclass
class RunReader:
    """Judges runs for ``score``, and notes what else a page shows of them.

    Args:
        request: the options by which they are read.
        qrels: the judgments, with the weights of their intents.
        check: of the files; None where some are not files.
        top_documents: name of a run, as the caller wrote it -> the first documents of its lists.
        cache: the runs themselves; None where they are not needed again.
    """

    request: RunsRequest
    qrels: Qrels
    check: FileCheck | None
    top_documents: dict[str, TopDocuments] = field(default_factory=dict)
    cache: RunCache | None = None

    def __post_init__(self) -> None:
        self._index = build_index(self.qrels) if self.check is None else self.check.index
        self._findings: dict[str, list[Finding]] = {}

    @classmethod
    def open(cls, request: RunsRequest, measures: Sequence[Measure], *, keep_runs: bool) -> RunReader:
        """Read the judgments.

        Args:
            request: what the report is requested of.
            measures: that are scored.
            keep_runs: whether runs stay in memory for analyses of complete lists.

        Raises:
            InputError: the judgments cannot be read.
        """
        reading = request.reading
        main = choose_main(measures)
        # By a measure of intents the others would be strangers to the page.
        ranking = [measure for measure in measures if not is_judged(str(measure))]
        looked_over = ranking if main.declaration.needs_intents else looked_at(ranking)
        # The first one that equal scores move is named: the one that ranks, where it is moved.
        looked_over = (main, *(measure for measure in looked_over if measure != main))
        check = None if request.files is None else FileCheck(reading, measures=looked_over, main=main)
        if check is None or not isinstance(request.qrels, (str, os.PathLike)):
            qrels = convert_qrels(request.qrels, **reading.judgment_options)
        else:
            path = as_text(request.qrels)
            qrels, facts = load_qrels(path, **reading.file_judgment_options)
            warn_of(facts, Location(path))
            qrels = convert_qrels(qrels, **reading.judgment_options)
            check.use_qrels(qrels, facts, Location(path))
        weighted = with_intents(qrels, reading.intent_weights, reading.weight_sum, reading.keep_empty_intents)
        return cls(request, weighted, check, cache=RunCache() if keep_runs else None)

    def __call__(self, run: NamedRun) -> JudgedRun:
        """Judge a run; safe to call from many threads.

        Raises:
            InputError: it cannot be read, or does not fit the policy.
            TopicError: it has no judged topic.
        """
        policy, source = self.request.reading.policy, run.data
        if isinstance(source, Run):
            judged = judge_run(run, self.qrels, self._index, policy)
            self._note_top_documents(run.name, source)
            return judged
        options = {**self.request.reading.of_files, "on_duplicate": policy.on_duplicate}
        data, facts = load_run(source, **options, name=run.name)
        checked = self.check is not None and source != STDIN
        tied = Tied.find(data, find_depth(self.check.main)) if self.check is not None and checked else None
        # The check needs the run by the default policy and others: where it is scored by the default one, at once.
        policies = tied.policies if tied is not None and policy == Policy() else (policy,)
        judged_runs = judge_loaded(run, data, facts, self.qrels, self._index, policies)
        self._note_top_documents(run.name, data)
        if self.cache is not None and source != STDIN:
            self.cache.add(run.name, data)
        if self.check is not None and checked:
            shared = judged_runs if policy == Policy() else ()
            findings = self.check.check_loaded_run(data, facts, Location(source), tied, shared, run.name)
            self._findings[run.name] = list(findings)
        return judged_runs[0]

    def _note_top_documents(self, name: str, run: Run) -> None:
        policy = self.request.reading.policy
        self.top_documents[name] = select_top_documents(rewritten(run, policy, self.qrels.excluded), policy)

    def list_findings(self, runs: Sequence[str]) -> Findings | None:
        """Return the findings of the file check, runs in this order; None where some inputs are not files."""
        if self.check is None:
            return None
        self.check.findings += [finding for name in runs for finding in self._findings.get(name, ())]
        return self.check.result(len(runs))


class RunCache:
    """Runs by name, from the reading to the fusions; none where they are too many to be fused in the memory allowed."""

    def __init__(self) -> None:
        self._runs: dict[str, Run] = {}
        self._bytes_left = budget()
        self._lock = threading.Lock()

    def add(self, name: str, run: Run) -> None:
        """Hold a run; safe to call from many threads."""
        with self._lock:
            self._bytes_left -= len(run.score) * A_LINE
            if self._bytes_left < 0:
                self._runs.clear()
            else:
                self._runs[name] = run

    def take(self) -> dict[str, Run]:
        """Hand over all runs, which are not held from now on."""
        runs, self._runs = self._runs, {}
        return runs


def select_top_documents(run: Run, policy: Policy) -> TopDocuments:
    """Return the first documents of each topic, in the order of the tie policy.

    Only the documents that could be among them are sorted, which are few of a list of a thousand.
    """
    rows = _select_candidates(run, policy)
    starts: Ints = np.searchsorted(rows, run.starts).astype(np.int64)
    rank = None if run.rank is None else run.rank[rows]
    candidates = Run(run.name, run.topics, starts, run.documents.take(rows), run.score[rows], rank)
    return {topic: tuple(top.documents) for topic, top in top_lists(candidates, DEPTH, policy).items()}


def _select_candidates(run: Run, policy: Policy) -> Ints:
    """Return the rows that may be among the first of their topic, ascending: all no worse than the last of these."""
    if policy.ties == "file":
        return np.arange(len(run.score))
    if policy.ties == "rank" and run.rank is not None:
        return _select_largest(run.starts, -run.rank.astype(np.float64))
    return _select_largest(run.starts, run.score)


def _select_largest(starts: Ints, score: Floats) -> Ints:
    """Return the rows that have one of the ``DEPTH`` largest scores of their list in single precision, ascending."""
    with np.errstate(over="ignore"):
        rounded = score.astype(np.float32)
    rows = [np.zeros(0, dtype=np.int64)]
    for begin, end in pairwise(starts.tolist()):
        own = rounded[begin:end]
        least = np.partition(own, -DEPTH)[-DEPTH] if len(own) > DEPTH else -np.inf
        rows.append(begin + np.flatnonzero(own >= least))
    return np.concatenate(rows)


def reads_intents(measures: Iterable[Measure], reading: InputOptions) -> bool:
    """Tell if field 2 of the judgments is read as intents, which a round of judging may be as well."""
    return reading.intent_weights is not None or any(measure.declaration.needs_intents for measure in measures)


def collect_retrieved(
    top_documents: Mapping[str, TopDocuments],
    systems: Sequence[str],
    order: Sequence[str],
    qrels: Qrels,
    *,
    with_intents: bool = False,
) -> Retrieved:
    """Collect the lists of as many of the best systems as a page can carry.

    Args:
        top_documents: system -> the first documents of its lists.
        systems: all systems, in the order of their numbers.
        order: the same, best first.
        qrels: the judgments.
        with_intents: whether to list the intents that each document covers.
    """
    limit = max(2, MAX_DOCUMENTS // (DEPTH * max(1, len(qrels.topics))))
    listed_systems = set(order[:limit]) & set(top_documents)
    numbers = [number for number, name in enumerate(systems) if name in listed_systems]
    intents = qrels.intents if with_intents else None
    retrieved = Retrieved(tuple(numbers), [], [], [], None if intents is None else [])
    texts = qrels.documents.tobytes()
    for topic, (start, end) in zip(qrels.topics, pairwise(qrels.starts.tolist()), strict=True):
        rows = dict(zip(texts[start:end], range(start, end), strict=True))
        index: dict[bytes, int] = {}
        lists = [top_documents[systems[number]].get(topic, ()) for number in numbers]
        retrieved.lists.append([[index.setdefault(document, len(index)) for document in ids] for ids in lists])
        retrieved.documents.append([document.decode("utf-8", "replace") for document in index])
        judged = [rows.get(document) for document in index]
        retrieved.labels.append([None if row is None else float(qrels.grade[row]) for row in judged])
        if intents is not None and retrieved.intents is not None:
            retrieved.intents.append([[] if row is None else list(intents.covered_by(row)) for row in judged])
    return retrieved


def load_scores(request: ScoresRequest) -> PageScores:
    """Read the scores, and choose the measures that compare systems.

    Raises:
        InputError: a file is refused, a requested measure is missing, or no measure has means that can be compared.
        UsageError: scores without labels, ranges of scores, or an unknown baseline.
    """
    with hearing() as messages:
        chosen = choose_measures(request.dataset, request.measures)
        candidates = _select_means(make_table(chosen))
        given = [str(name) for name in chosen["system"].values]
        left_out: tuple[LeftRun, ...] = ()
        if request.options["missing_scores"] is not None:
            complete = as_dataset(fill_gaps(chosen[candidates], request.options["missing_scores"]))
            chosen = chosen.sel(topic=complete["topic"], system=complete["system"]).assign(complete.data_vars)
            left_out = tuple(LeftRun(name, LACKS_SCORES) for name in given if name not in set(chosen["system"].values))
        table = make_table(chosen)
    for message in messages:
        warn(message)
    values = dict(zip(table.names, table.values, strict=True))
    defined = tuple(name for name in candidates if not np.isnan(values[name]).all())
    if not defined:
        raise InputError(f"{listed(candidates, 'measure')}: no score on any topic, which leaves nothing to report")
    find_columns(table.systems, request.baseline)  # which raises UsageError for one that is not there
    return PageScores(
        origin=Origin(_describe_scores(request), None, _sign_scores(table), warnings=tuple(messages)),
        table=table,
        scores=make_dataset(table),
        measures=defined,
        undefined=tuple(name for name in candidates if name not in defined),
        entries=Entries.read(request.options["entries"], table.systems, [run.name for run in left_out]),
        redact=PathRedactor(request.paths, names_only=request.options["public"]),
        left_out=left_out,
    )


def _select_means(table: ScoreTable) -> list[str]:
    """Return the measures by whose means systems can be compared, with a warning that names the others.

    Raises:
        UsageError: there are ranges of scores.
    """
    ranges = [name for name in table.names if name.rpartition(" ")[2] in ENDS]
    if ranges:
        raise UsageError(
            f"{quoted(ranges[0])} is an end of a range of scores, and a report needs single scores: choose measures"
        )
    names = [name for name in table.names if not is_judged(name)] or list(table.names)
    effective = select_effectiveness_names(names)
    summed = [scale.name for scale in table.scales if scale.summary != "mean" and scale.name in effective]
    if not summed or len(summed) == len(effective):
        return effective
    clause = "is not a mean over topics" if len(summed) == 1 else "are not means over topics"
    warn(f"{', '.join(map(shown, summed))} {clause} and left out")
    return [name for name in effective if name not in summed]


def _describe_scores(request: ScoresRequest) -> str:
    """Name the scores in a sentence."""
    if not request.files:
        return "scores in memory"
    if len(request.files) > 1:
        return f"scores in {counted(len(request.files), 'file')}"
    return f"scores in {'standard input' if request.files[0] == STDIN else Path(as_text(request.files[0])).name}"


def _sign_scores(table: ScoreTable) -> dict[str, Any]:
    """Return all that changes the scores, as far as it is known."""
    source = table.source
    known = source if isinstance(source, dict) else {} if source is None else {"source": source}
    return {"cranfield": package_version(), "measures": list(table.names), **known}


def sort_systems(matrix: Scores) -> list[str]:
    """Sort systems by their means of one measure, equal ones by name."""
    return [matrix.systems[row] for row in matrix.leaderboard]

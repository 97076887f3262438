"""Checks of untrusted files: everything that would change numbers or refuse a run, in one report.

A shared task runs them on each submission and mails the report to its participants.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, Unpack

import numpy as np

from cranfield import engine
from cranfield._text import percent, shown
from cranfield._typing import Progress
from cranfield._validation import list_names, one_or_more
from cranfield.checking.result import Findings, in_order
from cranfield.checking.tied_scores import Tied, looked_at
from cranfield.collection.policy import OnDuplicate, Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.reading import InputOptions, LabelOptions
from cranfield.collection.run import Run
from cranfield.declarations.analysis import FromRuns, Groups, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.engine.protocol import Facts
from cranfield.errors import InputError, MeasureError, TopicError
from cranfield.findings.catalogue import DEPTH, TABLE
from cranfield.findings.finding import Finding, finding, noticed, refused
from cranfield.findings.location import Location
from cranfield.io.inputs import NamedRun, QrelsLike, RunsLike, convert_qrels, named_runs
from cranfield.io.judging import JudgedRun, build_index, judge_loaded, locate_run
from cranfield.io.source import as_text
from cranfield.io.system_names import name_clashes, system_names
from cranfield.io.topic_files import read_topics
from cranfield.io.trec import load_qrels, load_run
from cranfield.measures import Measure, parse_measure, values
from cranfield.results.result import signed
from cranfield.scoring.compute import compute_cells
from cranfield.scoring.remarks import SEEN, is_foreign, none_judged

if TYPE_CHECKING:
    from cranfield.io.topic_files import TopicsLike

UNJUDGED = "none"
"""The word in place of judgments where nothing is judged yet."""
TaskTopicsOption: TypeAlias = Annotated[
    "TopicsLike | None",
    Option(
        "Topics that each run should have, and no others: any file of topics; from Python also a mapping.",
        metavar="FILE",
        default="those judged",
    ),
]
NOT_OPENED = frozenset({"missing-file", "folder", "unreadable", "unreachable", "memory", "fault"})
"""Codes of errors that whoever makes the call can mend, and whoever wrote the file cannot."""
CONTRADICTION = "rank-contradicts-score"
"""The finding that nobody needs where runs are read by their rank column."""


@analysis(
    "check",
    "Report what is wrong or odd in judgments and runs.",
    FromRuns(
        measures="none",
        rel=None,
        policies=("on_duplicate",),
        named=False,
        forgiving=True,
        progress="checking runs",
    ),
    groups=Groups(
        refused="complete files are checked; whether groups fit the topics is checked by commands that use them"
    ),
    words=("stats", "validate"),
    examples=("qrels.txt runs/*.run", "none mine.run --strict --topics topics.xml --depth 1000"),
    guide=(
        "Report what is wrong or odd in judgments and runs, continuing after a broken file. QRELS is the word none "
        "where nothing is judged yet.\n\n"
        "A run with an error is refused; a warning may change numbers; a note changes no printed digit. Of several "
        "warnings or notes of one kind, only the worst or the first is printed. With an error, the exit status is 1. "
        "The report can be sent to the teams: files are named as in the call, and absolute paths are shortened."
    ),
    about="evaluate",
    light=True,
)
def check(
    runs: RunsLike,
    qrels: QrelsLike | None,
    *,
    strict: Annotated[
        bool,
        Option(
            "Check as a submission site does: topics that are missing, and a run tag that is not the file's name, are "
            "errors too, and the exit status is 3 where a run is refused or breaks a rule, and 1 where a file of the "
            "site's own cannot be read, or a run is not there."
        ),
    ] = False,
    topics: TaskTopicsOption = None,
    depth: Annotated[int | None, Option("Largest number of documents that a topic may have.", low=1)] = None,
    documents: Annotated[
        str | Iterable[str] | None,
        Option(
            "Ids of the collection's documents, one per line; from Python a list.",
            default="do not check ids",
            flags=("--docids",),
            metavar="FILE",
            read="cranfield.io.source:read_lines",
        ),
    ] = None,
    on_duplicate: OnDuplicate = "error",
    progress: Progress | None = None,
    reading: InputOptions | None = None,
    **options: Unpack[LabelOptions],
) -> Findings:
    """Read everything, go on after a broken file, and report what would change numbers or refuse a run.

    Args:
        runs: as in ``evaluate``: a path, or a pattern such as ``runs/*.run``, a Run, a dict, a data frame, or several.
        qrels: as in ``evaluate``; None, or the word ``none``, where nothing is judged yet.
        on_duplicate: whether a document twice in a topic refuses a run (``error``), or is kept once (``first``).
        progress: called as ``progress(done, total)`` after each run.
        reading: how the files are read, see ``InputOptions``.

    Raises:
        UsageError: an unknown format, or one that contradicts the object given.

    >>> import cranfield
    >>> cranfield.write(cranfield.Run.from_dict({"q1": {"d1": 1.0, "d2": 1.0}}), "tied.run")
    >>> cranfield.write(cranfield.Qrels.from_dict({"q1": {"d1": 1}, "q2": {"d1": 1}}), "qrels.txt")
    >>> [finding.code for finding in cranfield.check(["tied.run"], "qrels.txt").findings]
    ['constant-scores', 'missing-topics', 'ties', 'unjudged']
    """
    settings = InputOptions.of(reading, options, LabelOptions)
    ids = (
        None
        if documents is None
        else {name.encode("utf-8", "surrogatepass") for name in list_names(documents=documents)}
    )
    Policy(on_duplicate=on_duplicate)
    on_duplicate = settings.on_duplicate if on_duplicate == "error" else on_duplicate
    wanted = None if topics is None else read_topics(topics)
    checks = FileCheck(settings, depth, ids, on_duplicate=on_duplicate, topics=wanted, strict=strict)
    if qrels is None or (isinstance(qrels, str) and qrels == UNJUDGED and not Path(UNJUDGED).exists()):
        checks.sign(Location(name="no judgments"), None)
    else:
        checks.look_at_qrels(qrels)
    listed = _list_runs(runs, settings)
    clashes = name_clashes([run.data for run in listed if isinstance(run, NamedRun) and isinstance(run.data, str)])
    checks.findings += [refused("equal-names", Location(error.path), error) for error, _ in clashes]
    confused = frozenset[str]().union(*(files for _, files in clashes))
    refusals = 0
    for number, run in enumerate(listed, 1):
        findings = list(checks.check_run(run))
        is_confused = isinstance(run, NamedRun) and isinstance(run.data, str) and run.data in confused
        refusals += is_confused or any(TABLE[finding.code].refuses for finding in findings)
        checks.findings += findings
        if progress is not None:
            progress(number, len(listed))
    return checks.result(len(listed), refusals)


@dataclass
class FileCheck:
    """A check of several runs: its settings, and the findings so far.

    Args:
        reading: of the files.
        most: documents that a topic may have.
        ids: of the collection.
        measures: that equal scores may move.
        on_duplicate: see ``check``.
        topics: that each run should have, and no others; those judged where None.
        strict: whether what breaks a rule of a shared task is an error.
        main: the measure by which runs are ordered, and which says how many documents of a list are looked at.
    """

    reading: InputOptions
    most: int | None = None
    ids: set[bytes] | None = None
    measures: Sequence[Measure] = field(default_factory=looked_at)
    on_duplicate: OnDuplicate = "error"
    main: Measure = field(default_factory=lambda: parse_measure(MEASURE))
    topics: Collection[str] | None = None
    strict: bool = False
    qrels: Qrels | None = None
    index: Any = None
    findings: list[Finding] = field(default_factory=list)
    ranges: dict[str, ScoreRange] = field(default_factory=dict)
    """Run -> between what its score could lie if its unjudged documents were judged."""
    files: list[dict[str, str | None]] = field(default_factory=list)
    """Name and SHA-256 of every file, the qrels first; None for one that cannot be read."""
    seen: dict[str, str] = field(default_factory=dict)
    """Digest of a file, or of its rankings -> the first file that has it."""

    def look_at_qrels(self, judged: QrelsLike) -> None:
        """Read the judgments, with which runs are then checked."""
        is_file = isinstance(judged, (str, os.PathLike))
        location = Location(as_text(judged)) if is_file else Location(name="the judgments")
        try:
            qrels, facts = (
                load_qrels(location.path, **self.reading.file_judgment_options)
                if is_file
                else (convert_qrels(judged, **self.reading.judgment_options), Facts())
            )
        except InputError as error:
            self.findings.append(refused(_code_of_refusal(error), location, error))
            self.sign(location, None)
        else:
            self.use_qrels(qrels, facts, location)

    def use_qrels(self, qrels: Qrels, facts: Facts, location: Location) -> None:
        """Check judgments that are read already, with which runs are then checked."""
        self.qrels, self.index = qrels, build_index(qrels)
        self.findings += [*noticed(facts, location), *_check_labels(qrels, location)]
        self.sign(location, qrels)

    def result(self, runs: int, refusals: int = 0) -> Findings:
        """All findings in ``runs`` runs, ``refusals`` of which evaluation refuses."""
        open_order = find_open_orders(self.ranges, self.main)
        if open_order is not None:
            self.findings.append(finding("open-order", Location(str(self.files[0]["name"])), **open_order))
        if self.strict:
            self.findings = [
                replace(found, graver="error") if TABLE[found.code].rule else found for found in self.findings
            ]
        return Findings(in_order(self.findings), runs, refusals, self.settings, self.signature())

    def check_run(self, named: NamedRun | InputError) -> Iterator[Finding]:
        """The findings on a run, in a file or in memory; or on what was given as one and is none."""
        location = Location(name="the runs") if isinstance(named, InputError) else locate_run(named)
        try:
            if isinstance(named, InputError):
                raise named
            if isinstance(named.data, Run):
                findings = list(self.check_loaded_run(named.data, {}, location, system=named.name))
                self.sign(location, named.data)
                yield from findings
                return
            run, facts = load_run(named.data, **self.reading.of_files, on_duplicate="first")
        except InputError as error:
            self.sign(location, None)
            yield refused(_code_of_refusal(error), location, error)
            return
        self.sign(location, run)
        facts_noticed = facts["noticed"]
        if self.on_duplicate == "first" and "duplicate" in facts_noticed:
            facts_noticed["duplicate-kept"] = facts_noticed.pop("duplicate")
        yield from self.check_loaded_run(run, facts, location)
        yield from self._check_copies(run, location)
        if self.strict and run.tag and run.tag != (name := system_names([named.data])[0]):
            yield finding("other-tag", location, tag=run.tag, name=name)

    def _check_copies(self, run: Run, location: Location) -> Iterator[Finding]:
        """Tell if a file that was checked before is the same, or ranks the same documents in the same order."""
        for code, digest in (("same-file", run.sha256), ("same-rankings", hash_rankings(run))):
            first = self.seen.setdefault(digest, location.file)
            if first != location.file:
                yield finding(code, location, other=first)
                return

    def check_loaded_run(
        self,
        run: Run,
        facts: Facts,
        location: Location,
        tied: Tied | None = None,
        judged: Sequence[JudgedRun] = (),
        system: str | None = None,
    ) -> Iterator[Finding]:
        """The findings on a run that is read already; safe to call from many threads.

        Args:
            run: with all its documents.
            facts: noticed while it was read.
            location: where it is.
            tied: its equal scores, where they have been looked for already.
            judged: the same run under ``tied.policies``, where it has been judged already.
            system: the name of the run in findings about several runs; that of its file where None.
        """
        yield from noticed(facts, location)
        yield from _check_lists(run, location, self.most, self.ids)
        if self.topics is not None:
            yield from _check_topics(run, location, self.topics)
        if self.qrels is None:
            return
        tied = tied or Tied.find(run, self.depth)
        try:
            named = NamedRun(run.name, run)
            seen = judged or judge_loaded(named, run, {}, self.qrels, self.index, tied.policies)
        except TopicError as error:
            yield refused("no-shared-topic", location, error)
            return
        by_rank = self.reading.policy.ties == "rank"  # the order is that of the rank column, whatever the scores
        found = noticed(seen[0].facts, location)
        yield from (one for one in found if not (by_rank and one.code == CONTRADICTION))
        yield from self._check_judged(seen[0], self.qrels, location, location.file if system is None else system, run)
        if not by_rank:
            yield from tied.findings([run_seen.rankings for run_seen in seen], location, self.measures)

    def _check_judged(
        self, judged: JudgedRun, qrels: Qrels, location: Location, name: str, run: Run
    ) -> Iterator[Finding]:
        """Findings about the run as it is seen through the judgments."""
        rankings = judged.rankings
        absent = [topic for topic, length in zip(qrels.topics, rankings.length, strict=True) if length == 0]
        if absent and self.topics is None:
            yield finding("missing-topics", location, topics=absent)
        if is_foreign(rankings):
            yield none_judged(location, qrels, run.documents[:SEEN], rankings.policy)
            return
        share = float(1 - values(parse_measure(f"Judged@{self.depth}"), rankings)[rankings.length > 0].mean())
        score_range = ScoreRange.find(rankings, share, self.main)
        if score_range is not None:
            self.ranges[name] = score_range
        if share == 1:
            yield finding("all-unjudged", location, depth=self.depth)
        elif share > 0:
            yield finding("unjudged", location, share=share, depth=self.depth)

    @property
    def depth(self) -> int:
        """The documents of a list that are looked at."""
        return find_depth(self.main)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the check; of ids of topics and documents only their number."""
        sizes = {
            name: None if ids is None else len(ids) for name, ids in (("topics", self.topics), ("documents", self.ids))
        }
        duplicates = {} if self.on_duplicate == "error" else {"on_duplicate": self.on_duplicate}
        further = record_options(check, {"strict": self.strict, "depth": self.most}, **sizes)
        return {**_file_settings(self.reading), **duplicates, **further}

    def signature(self) -> dict[str, Any]:
        """Everything that changes the findings."""
        name = engine.current().NAME
        return signed("check", self.settings, engine=name, qrels=self.files[0], runs=self.files[1:])

    def sign(self, location: Location, data: Run | Qrels | None) -> None:
        """Remember which file it was, in the order of the calls."""
        self.files.append({"name": location.file, "sha256": None if data is None else data.sha256 or data.digest})


def _file_settings(reading: InputOptions) -> dict[str, Any]:
    """The reading of files as settings; columns only where they are named."""
    return {name: value for name, value in reading.file_judgment_options.items() if name == "input_format" or value}


def _code_of_refusal(error: InputError) -> str:
    """The kind of finding that the refusal of a whole file is."""
    return "not-opened" if error.code in NOT_OPENED else "unreadable"


def _list_runs(runs: RunsLike, reading: InputOptions) -> list[NamedRun | InputError]:
    """Each run, in a file or in memory; or the error of what is none."""
    alone = isinstance(runs, (str, os.PathLike))
    if alone or (isinstance(runs, (list, tuple)) and all(isinstance(run, (str, os.PathLike)) for run in runs)):
        return [file for pattern in one_or_more(runs) for file in _expand(pattern, reading)]
    try:
        return [*named_runs(runs, "tag", reading.columns)]
    except InputError as error:
        return [error]


def _expand(pattern: str | os.PathLike[str], reading: InputOptions) -> list[NamedRun]:
    """The files that a path names; the path itself where there are none, so that reading it raises the error."""
    try:
        return named_runs(pattern, "tag", reading.columns)
    except InputError:
        return [NamedRun("", as_text(pattern))]


def _check_labels(qrels: Qrels, location: Location) -> Iterator[Finding]:
    negative = int((qrels.grade < 0).sum())
    if negative:
        yield finding("negative-labels", location, count=negative, labels=len(qrels.grade))
    without = np.flatnonzero(qrels.pool.count(low=1) == 0)
    if len(without):
        yield finding("no-relevant", location, topics=[qrels.topics[topic] for topic in without])


def _check_lists(run: Run, location: Location, most: int | None, ids: set[bytes] | None) -> Iterator[Finding]:
    """Findings that need no judgments."""
    length = np.diff(run.starts)
    if most is not None and (length > most).any():
        deep = [topic for topic, count in zip(run.topics, length, strict=True) if count > most]
        yield finding("too-deep", location, limit=most, topics=deep, longest=int(length.max()))
    if ids is not None:
        unknown = list(dict.fromkeys(document for document in run.documents.tobytes() if document not in ids))
        if unknown:
            yield finding("unknown-document", location, documents=[document.decode() for document in unknown])
    yield from _check_own_documents(run, location)
    low, high = (extreme.reduceat(run.score, run.starts[:-1]) for extreme in (np.minimum, np.maximum))
    constant = (low == high) & (length > 1)
    if constant.any():
        flat = [topic for topic, is_flat in zip(run.topics, constant, strict=True) if is_flat]
        yield finding("constant-scores", location, topics=flat)


def _check_topics(run: Run, location: Location, wanted: Collection[str]) -> Iterator[Finding]:
    """Check whether the run has the topics of the task, and no others."""
    had = {*run.topics}
    if absent := [topic for topic in wanted if topic not in had]:
        yield finding("absent-topics", location, topics=absent)
    if others := [topic for topic in run.topics if topic not in wanted]:
        yield finding("other-topics", location, topics=others)


def hash_rankings(run: Run) -> str:
    """Hash the rankings of a run: documents by score, equal ones by their ids, topic by topic."""
    digest = hashlib.sha256()
    for at in sorted(range(len(run.topics)), key=run.topics.__getitem__):
        rows = np.arange(run.starts[at], run.starts[at + 1])
        scores = run.score[rows].tolist()
        listed = sorted(zip(scores, run.documents.take(rows).tobytes(), strict=True), reverse=True)
        parts = (run.topics[at].encode("utf-8", "surrogatepass"), *(document for _, document in listed))
        digest.update(b"".join(len(part).to_bytes(4, "little") + part for part in (*parts, b"")))
    return digest.hexdigest()


def _check_own_documents(run: Run, location: Location) -> Iterator[Finding]:
    """Check whether many topics, a tenth and two at least, retrieve the document of their own id first."""
    topics: list[str] = []
    for topic, (a, b) in zip(run.topics, pairwise(run.starts.tolist()), strict=True):
        best = a + np.flatnonzero(run.score[a:b] == run.score[a:b].max())
        if topic in run.documents.take(best).tolist():
            topics.append(topic)
    if len(topics) >= max(2, len(run.topics) / 10):
        yield finding("own-document", location, count=len(topics), topics=len(run.topics), topic=topics[0])


# ---- Neighbours whose order judging unjudged documents could reverse: no model is needed, only what labels could be.


MEASURE = "nDCG@10"
"""The measure that runs are ordered by where none is named."""


def find_depth(measure: Measure) -> int:
    """The documents that a measure reads of a list; ten where it reads whole lists."""
    return int(measure.parameters.get("cutoff") or DEPTH)


@dataclass(frozen=True)
class ScoreRange:
    """The mean score of a run, and between what it could lie if its unjudged documents were judged.

    Args:
        holes: share of the first documents that are unjudged, as many as the measure reads.
        score: with these as not relevant.
        low: by the worst labels, each topic by itself.
        high: by the best labels.
    """

    holes: float
    score: float
    low: float
    high: float

    @classmethod
    def find(cls, rankings: Rankings, holes: float, measure: Measure) -> ScoreRange | None:
        """Return the range of a run; None where its score is not defined or labellings are too many to be tried."""
        try:
            score, low, high = compute_cells([measure], rankings, Policy(), "judgments")[:, 0]
        except MeasureError:
            return None
        defined = ~np.isnan(score)
        if not defined.any():
            return None
        return cls(holes, *(float(values[defined].mean()) for values in (score, low, high)))

    def describe(self, name: str, depth: int) -> str:
        """Name the run, its score, what that could be, and of how many documents the share is."""
        could = f"{self.score:.4f}, could be {self.low:.4f} to {self.high:.4f}"
        share = "none" if self.holes == 0 else percent(self.holes)
        return f"{shown(name)} ({could}; {share} of its {'first' if depth == 1 else f'first {depth:,}'} unjudged)"


def find_open_orders(ranges: Mapping[str, ScoreRange], measure: Measure) -> dict[str, Any] | None:
    """Return how many neighbours have overlapping ranges, and the first of them; None where there are none.

    Ranges are each run's own. Two runs with the same unjudged documents share their labels, so that fewer orders may be
    open; none that is open is left out.
    """
    order = sorted(ranges, key=lambda name: (-ranges[name].score, name))
    pairs = list(pairwise(order))
    is_open = [
        (better, other)
        for better, other in pairs
        if ranges[other].high > ranges[better].low and ranges[better] != ranges[other]
    ]
    if not is_open:
        return None
    better, other = (ranges[name].describe(name, find_depth(measure)) for name in is_open[0])
    falls = any(f"{ranges[name].low:.4f}" != f"{ranges[name].score:.4f}" for name in is_open[0])
    counts = {"count": len(is_open), "neighbours": len(pairs), "measure": str(measure)}
    return {**counts, "better": better, "other": other, "falls_below": find_depth(measure) if falls else 0}

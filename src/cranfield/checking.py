"""Checks of strangers' files: everything that would change numbers or refuse a run, in one report.

A shared task runs it on each submission and mails what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np

from cranfield.collection.policy import Policy, Ties
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import FileWords, InputFormat, Reading
from cranfield.collection.run import Run
from cranfield.contract import Facts
from cranfield.errors import InputError, TopicError
from cranfield.io.judging import JudgedRun, build_index, judge_run, source_name
from cranfield.io.names import system_names
from cranfield.io.runs import NamedRun, named_runs
from cranfield.io.source import display_name
from cranfield.io.trec import load_qrels, load_run
from cranfield.measures import parse_measure, values
from cranfield.wording import Remark, in_full, listed, quoted, remarks

Severity = Literal["error", "warning", "note"]
DEPTH = 10
"""Ranks that the checks of ties and judgments look at."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of finding: how grave, what it means, and what to do about it."""

    severity: Severity
    meaning: str
    remedy: str


KINDS = {
    "unreadable": Kind("error", "The file cannot be read; evaluation refuses it.", "Mend the line that is named."),
    "duplicate": Kind(
        "error",
        "A document stands twice in a topic; evaluation refuses the run.",
        "Keep one line of each document, or evaluate with `--on-duplicate first`.",
    ),
    "equal-names": Kind(
        "error",
        "Two runs would have one name, or a run is given twice; evaluation refuses them together.",
        "Rename a file, leave one out, or evaluate with `--names tag`.",
    ),
    "no-shared-topic": Kind(
        "error",
        "The run holds none of the judged topics.",
        "Compare the topic ids; they are text, zeros in front count.",
    ),
    "too-deep": Kind("error", "A topic has more documents than the task allows (`--max-depth`).", "Cut the lists."),
    "unknown-document": Kind(
        "error", "An id is not in the collection's list (`--docids`).", "Compare the ids with the list."
    ),
    "missing-topics": Kind(
        "warning",
        "Judged topics are missing from the run; they count as empty rankings.",
        "Retrieve something for them, or choose `--missing skip` knowingly.",
    ),
    "extra-topics": Kind("warning", "Topics of the run that are not judged; they are ignored.", "None needed."),
    "ties": Kind(
        "warning",
        f"Equal scores among the first {DEPTH} ranks, as doubles or as trec_eval 9 reads them (float32): their order "
        "is the tie policy's, and tools differ in it.",
        "Write scores that order the list as meant, with enough digits.",
    ),
    "constant-scores": Kind(
        "warning", "All scores of a list are equal: ids alone order it.", "Write the system's scores, or ranks negated."
    ),
    "rank-contradicts-score": Kind(
        "warning",
        "The rank column says another order than the scores; scores decide.",
        "Sort by score and number anew, or evaluate with `--ties rank`.",
    ),
    "rank-text": Kind(
        "warning", "Ranks that are not whole numbers of at most 18 digits; they are not used.", "Number the ranks."
    ),
    "mixed-tags": Kind("warning", "Different run tags in one file: are these two runs?", "Write one tag."),
    "scattered-topics": Kind(
        "note", "A topic goes on after another began; all its lines are read together.", "None needed."
    ),
    "unjudged": Kind(
        "note",
        f"Share of the first {DEPTH} retrieved documents without a judgment: scores may be too low.",
        "Look at measures for incomplete judgments, or judge more.",
    ),
    "negative-labels": Kind(
        "note",
        "Labels below zero: not relevant, gain 0; trec_eval reads them as unjudged.",
        "See `--negative` and `--compat`.",
    ),
    "fractional-labels": Kind(
        "warning", "Labels that are not whole numbers are kept; trec_eval cuts them.", "None needed, if they are meant."
    ),
    "no-relevant": Kind(
        "warning",
        "Topics without a document of label 1 or more: most measures give 0 there for every system.",
        "Leave the topics out of the qrels, or choose `--undefined keep`.",
    ),
    "judged-twice": Kind("warning", "The same judgment twice; the second is ignored.", "Remove it."),
    "several-labels": Kind(
        "warning",
        "A document is judged under several values of field 2; measures without intents use the largest label.",
        "None needed if field 2 holds intents or rounds.",
    ),
}

OF_REMARK: dict[str, str] = {
    "other_tag": "mixed-tags",
    "rank_text": "rank-text",
    "rank_contradicts": "rank-contradicts-score",
    "unjudged_topics": "extra-topics",
    "fractional": "fractional-labels",
    "several": "several-labels",
}
"""Fact of a reader -> kind of finding."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found.

    Args:
        code: its kind, a key of ``KINDS``.
        file: as it was named.
        line: from 1; 0 where it concerns no single line.
        text: what was found.
    """

    code: str
    file: str
    line: int
    text: str

    @property
    def severity(self) -> Severity:
        """error, warning or note."""
        return KINDS[self.code].severity

    @property
    def where(self) -> str:
        """``FILE`` or ``FILE:LINE``."""
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(frozen=True)
class Report:
    """All findings, errors first, then in the order of the files.

    Args:
        findings: what was found.
        runs: how many were looked at.
        refused: how many evaluation would refuse.
    """

    findings: tuple[Finding, ...]
    runs: int
    refused: int

    def __bool__(self) -> bool:
        """Whether everything may be evaluated: no finding is an error."""
        return not any(finding.severity == "error" for finding in self.findings)


Progress = Callable[[int, int], None]


def check(
    runs: Sequence[str],
    qrels: str,
    *,
    max_depth: int | None = None,
    documents: Iterable[str] | None = None,
    progress: Progress | None = None,
    reading: Reading | None = None,
    **words: Unpack[FileWords],
) -> Report:
    """Read everything, go on after a broken file, and report what would change numbers or refuse a run.

    Args:
        runs: paths, or patterns such as ``runs/*.run``.
        qrels: path.
        max_depth: most documents that a topic may have.
        documents: ids of the collection; None does not check ids.
        progress: called as ``progress(done, total)`` after each run.
        reading: how the files are read, see ``Reading``.
        words: its ``input_format`` alone.

    Raises:
        UsageError: an unknown format, or one that contradicts the object given.
    """
    input_format = Reading.of(reading, None, words, FileWords).input_format
    found: list[Finding] = []
    judgments = None
    try:
        judgments, facts = load_qrels(qrels, input_format=input_format)
    except InputError as error:
        found.append(_refused("unreadable", display_name(qrels), error))
    else:
        found += _of_qrels(judgments, facts)
    known = None if documents is None else {document.encode() for document in documents}
    index = None if judgments is None else build_index(judgments)
    refused = 0
    paths = [path for pattern in runs for path in _expanded(pattern)]
    found += _of_names(paths)
    for number, path in enumerate(paths, 1):
        own = list(_of_run(path, judgments, index, input_format, max_depth, known))
        refused += any(finding.code in ("unreadable", "duplicate", "no-shared-topic") for finding in own)
        found += own
        if progress is not None:
            progress(number, len(paths))
    order = ("error", "warning", "note")
    return Report(tuple(sorted(found, key=lambda finding: order.index(finding.severity))), len(paths), refused)


def markdown() -> str:
    """The table of the documentation: finding, severity, meaning, what to do."""
    rows = [
        ("finding", "severity", "meaning", "what to do"),
        ("---", "---", "---", "---"),
        *((f"`{code}`", kind.severity, kind.meaning, kind.remedy) for code, kind in KINDS.items()),
    ]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in rows)


def _expanded(pattern: str) -> list[str]:
    """The files that a path names; where it names none, itself, so that reading says what is wrong."""
    try:
        return [str(run.data) for run in named_runs(pattern, names="tag")]
    except InputError:
        return [pattern]


def _of_names(paths: Sequence[str]) -> Iterator[Finding]:
    """Names by which evaluation would confuse two runs."""
    try:
        system_names(paths)
    except InputError as error:
        text = str(error)
        named = [place for place in (in_full(display_name(path)) for path in paths) if text.startswith(place)]
        place = max(named, key=len)
        yield Finding("equal-names", place, 0, text.removeprefix(f"{place}: "))


def _refused(code: str, file: str, error: InputError) -> Finding:
    """A refusal as a finding: its text without the place, which stands apart."""
    text = str(error)
    place = in_full(file) + ":"
    rest = text.removeprefix(place)
    line, colon, after = rest.partition(":")
    if rest != text and colon and line.isdigit():
        return Finding(code, in_full(file), int(line), after.strip())
    return Finding(code, in_full(file), 0, rest.strip())


def _of_facts(facts: Facts, file: str, kind: Literal["run", "qrels"]) -> Iterator[Finding]:
    for fact, code in OF_REMARK.items():
        if fact in facts:
            for remark in remarks({fact: facts[fact], "tag": facts.get("tag", "")}, file, kind):  # type: ignore[misc]
                yield _finding(code, file, remark)
    if kind == "qrels" and "repeated" in facts:
        for remark in remarks({"repeated": facts["repeated"]}, file, kind):
            yield _finding("judged-twice", file, remark)


def _finding(code: str, file: str, remark: Remark) -> Finding:
    line = remark.where.removeprefix(in_full(file)).removeprefix(":")
    return Finding(code, in_full(file), int(line or 0), remark.text)


def _of_qrels(qrels: Qrels, facts: Facts) -> Iterator[Finding]:
    file = display_name(qrels.path or qrels.name)
    yield from _of_facts(facts, file, "qrels")
    negative = int((qrels.grade < 0).sum())
    if negative:
        share = negative / len(qrels.grade)
        text = f"{share:.1%} of the labels ({negative:,}) are below zero"
        yield Finding("negative-labels", in_full(file), 0, text)
    without = np.flatnonzero(qrels.pool.count(low=1) == 0)
    if len(without):
        names = listed([qrels.topics[topic] for topic in without])
        yield Finding("no-relevant", in_full(file), 0, f"no document of label 1 or more in {names}")


def _of_run(
    path: str,
    qrels: Qrels | None,
    index: object,
    input_format: InputFormat,
    max_depth: int | None,
    known: set[bytes] | None,
) -> Iterator[Finding]:
    file = display_name(path)
    try:
        run, facts = load_run(path, input_format=input_format, on_duplicate="first")
    except InputError as error:
        yield _refused("unreadable", file, error)
        return
    if "repeated" in facts:
        count, line, topic, document = facts["repeated"]
        more = f" ({count - 1:,} more like it)" if count > 1 else ""
        text = f"document {quoted(document)} stands twice in topic {quoted(topic)}{more}"
        yield Finding("duplicate", in_full(file), line, text)
    if "returns" in facts:
        count, line, topic = facts["returns"]
        text = f"topic {quoted(topic)} goes on here after another topic began ({count:,} such returns in all)"
        yield Finding("scattered-topics", in_full(file), line, text)
    yield from _of_facts(facts, file, "run")
    yield from _of_lists(run, file, max_depth, known)
    if qrels is None:
        return
    named = NamedRun(run.name, run)
    try:
        judged = judge_run(named, qrels, index, Policy())
    except TopicError as error:
        text = str(error).removeprefix(f"{source_name(named)}: ")
        yield Finding("no-shared-topic", in_full(file), 0, text)
        return
    yield from _of_facts(judged.facts, file, "run")
    yield from _of_judged(run, judged, qrels, index, file)


def _of_lists(run: Run, file: str, max_depth: int | None, known: set[bytes] | None) -> Iterator[Finding]:
    """Findings that need no judgments."""
    place = in_full(file)
    length = np.diff(run.starts)
    if max_depth is not None and (length > max_depth).any():
        deep = [topic for topic, count in zip(run.topics, length, strict=True) if count > max_depth]
        text = f"more than {max_depth:,} documents in {listed(deep)}; the longest list has {length.max():,}"
        yield Finding("too-deep", place, 0, text)
    if known is not None:
        unknown = list(dict.fromkeys(document for document in run.documents.tobytes() if document not in known))
        if unknown:
            names = ", ".join(quoted(document.decode()) for document in unknown[:3])
            several = "document is" if len(unknown) == 1 else "documents are"
            text = f"{len(unknown):,} retrieved {several} not in the list of ids (first {names})"
            yield Finding("unknown-document", place, 0, text)
    low, high = (extreme.reduceat(run.score, run.starts[:-1]) for extreme in (np.minimum, np.maximum))
    constant = (low == high) & (length > 1)
    if constant.any():
        names = listed([topic for topic, flat in zip(run.topics, constant, strict=True) if flat])
        yield Finding("constant-scores", place, 0, f"all scores are equal in {names}")


def _of_judged(run: Run, judged: JudgedRun, qrels: Qrels, index: object, file: str) -> Iterator[Finding]:
    """Findings about the run as it is seen through the judgments."""
    place = in_full(file)
    rankings = judged.rankings
    absent = [topic for topic, length in zip(qrels.topics, rankings.length, strict=True) if length == 0]
    if absent:
        yield Finding("missing-topics", place, 0, f"judged but missing from the run: {listed(absent)}")
    share = 1 - values(parse_measure(f"Judged@{DEPTH}"), rankings)[rankings.length > 0].mean()
    if share > 0:
        yield Finding("unjudged", place, 0, f"{share:.1%} of the first {DEPTH} documents are not judged")
    lists = [run.score[a:b] for a, b in zip(run.starts[:-1], run.starts[1:], strict=True)]
    exactly = np.array([_tied(score) for score in lists])
    with np.errstate(over="ignore"):
        rounded = exactly | [_tied(score.astype(np.float32)) for score in lists]
    if rounded.any():
        of = f"{rounded.sum():,} of {len(lists):,} lists ({rounded.mean():.1%})"
        more = int(rounded.sum() - exactly.sum())
        only = f", in {more:,} of them only as trec_eval 9 reads scores (float32)" if more else ""
        text = f"equal scores among the first {DEPTH} ranks in {of}{only}{_disagreement(run, qrels, index)}"
        yield Finding("ties", place, 0, text)


def _tied(score: np.ndarray) -> bool:
    top = -np.sort(-score)[: DEPTH + 1]
    return bool((top[1:] == top[:-1]).any())


def _disagreement(run: Run, qrels: Qrels, index: object) -> str:
    """How far the tie policies are apart on nDCG, in words."""
    measure = parse_measure(f"nDCG@{DEPTH}")
    orders: tuple[Ties, ...] = ("trec", "trec9", "docid", "file")
    named = NamedRun(run.name, run)
    means = [
        float(np.nan_to_num(values(measure, judge_run(named, qrels, index, Policy(ties=order)).rankings)).mean())
        for order in orders
    ]
    spread = max(means) - min(means)
    if spread < 5e-5:
        return f"; the tie policies agree on {measure} to four digits"
    said = ", ".join(f"{order} {mean:.4f}" for order, mean in zip(orders, means, strict=True))
    return f"; the tie policies differ by {spread:.4f} on {measure} ({said})"

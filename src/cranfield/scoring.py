"""Runs x qrels x measures -> scores, in plain arrays: the only place that loops over all three.

Nothing heavy is imported here, so that the command line starts at once; ``evaluation`` wraps the arrays in xarray.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield import engine
from cranfield.collection.policy import Policy
from cranfield.collection.pool import Floats
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.run import Run
from cranfield.errors import InputError, UsageError
from cranfield.io.judging import JudgedRun, build_index, cpus, judge_run, source_name
from cranfield.io.runs import NamedRun, QrelsLike, RunsLike, named_runs, qrels_of
from cranfield.io.source import STDIN, InputFormat, check_format
from cranfield.measures import Measure, parse_measures, summary, values
from cranfield.wording import Remark, listed, quoted, remarks, shown

MeasuresLike = Measure | str | Iterable[Measure | str]
Progress = Callable[[int, int], None]

DEFAULT = ("nDCG@10", "AP", "RR", "P@10", "R@1000", "Judged@10")


@dataclass(frozen=True)
class ScoreTable:
    """Scores in plain arrays.

    Args:
        systems: names, in the order given.
        tags: run tag of each.
        topics: of the qrels, in order of first appearance.
        measures: in the order asked for, duplicates merged.
        values: float64 [measures, systems, topics]; NaN where skipped, or undefined and kept so.
        summaries: float64 [measures, systems].
        policy: what was decided.
        qrels: the judgments.
        runs: where each system came from.
        remarks: what a careful reader should know of the data.
    """

    systems: tuple[str, ...]
    tags: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    summaries: Floats
    policy: Policy
    qrels: Qrels
    runs: tuple[NamedRun, ...]
    remarks: tuple[Remark, ...] = field(repr=False)

    def signature(self) -> dict[str, Any]:
        """All that changes these numbers: version, engine, measures, policies, and SHA-256 of every input."""
        return {
            "cranfield": package_version(),
            "engine": engine.current().NAME,
            "measures": [str(measure) for measure in self.measures],
            **self.policy.as_dict(),
            "max_rel": self.qrels.pool.max_grade,
            "qrels": {"name": self.qrels.name, "sha256": fingerprint(self.qrels)},
            "runs": [
                {"name": run.name, "tag": tag, "sha256": fingerprint(run.data)}
                for run, tag in zip(self.runs, self.tags, strict=True)
            ],
        }


def package_version() -> str:
    """Version of the installed package."""
    from importlib.metadata import version

    return version("cranfield")


def fingerprint(data: str | Run | Qrels) -> str:
    """SHA-256 of a file as it lies on disk, or of the content in memory; standard input has none (``""``)."""
    path = data if isinstance(data, str) else data.path
    if path is None and not isinstance(data, str):
        return data.digest
    if path in (None, STDIN) or not Path(str(path)).is_file():
        return ""
    with Path(str(path)).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def measures_of(measures: MeasuresLike, rel: float | None = None) -> tuple[Measure, ...]:
    """Measures from names and objects, in order, each once; ``rel`` sets the relevance level where none is set.

    Raises:
        MeasureError: an unknown measure or parameter, or one that needs a parameter it was not given.
    """
    if not isinstance(measures, (Measure, str, Iterable)):
        raise UsageError(f"{measures!r} is no measure: write its name, or cranfield.nDCG @ 10")
    given = [measures] if isinstance(measures, (Measure, str)) else list(measures)
    found: dict[Measure, None] = {}
    for item in given:
        parsed = parse_measures(item) if isinstance(item, str) else [item]
        for measure_ in parsed:
            measure = measure_
            if not isinstance(measure, Measure):
                raise UsageError(f"{measure!r} is no measure: write its name, or cranfield.nDCG @ 10")
            known = measure.declaration.parameters.get("rel")
            if rel is not None and known is not None and known.default is not None and "rel" not in measure.given:
                measure = measure(rel=rel)
            found[measure.complete()] = None
    if not found:
        raise UsageError("no measure was given")
    return tuple(found)


def score(
    runs: RunsLike,
    qrels: QrelsLike,
    measures: MeasuresLike = DEFAULT,
    *,
    policy: Policy | None = None,
    rel: float | None = None,
    input_format: InputFormat = "trec",
    names: Literal["file", "tag"] = "file",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> ScoreTable:
    """Score runs by measures, in plain arrays; see ``evaluate`` for the arguments.

    ``executor`` runs one task a run (threads of its own by default); ``progress(done, total)`` is called after each.
    """
    policy = policy or Policy()
    check_format(input_format)
    if names not in ("file", "tag"):
        raise UsageError(f"names={names!r} is not one of file, tag")
    asked = measures_of(measures, rel)
    given = tuple(named_runs(runs, names))
    if isinstance(qrels, str) and qrels == STDIN and any(run.data == STDIN for run in given):
        raise UsageError("standard input (-) can be the qrels or a run, not both")
    judgments = qrels_of(qrels, input_format)
    index = build_index(judgments)
    noticed = list(_remarks_on_qrels(judgments, asked, policy))
    threads = cpus() if len(given) == 1 else 1

    def task(run: NamedRun) -> tuple[str, Floats, list[Remark]]:
        judged = judge_run(run, judgments, index, policy, input_format, threads)
        return judged.tag, _values(asked, judged.rankings, policy), list(_remarks_on_run(run, judgments, judged))

    table = np.empty((len(asked), len(given), len(judgments.topics)))
    tags = []
    for number, (tag, block, lines) in enumerate(_map(task, given, executor)):
        table[:, number] = block
        tags.append(tag)
        noticed += lines
        if progress is not None:
            progress(number + 1, len(given))
    if names == "tag":
        given = _by_tag(given, tags)
    return ScoreTable(
        tuple(run.name for run in given),
        tuple(tags),
        judgments.topics,
        asked,
        table,
        np.stack([_summary_of(measure, table[number], judgments, policy) for number, measure in enumerate(asked)]),
        policy,
        judgments,
        given,
        tuple(noticed),
    )


def _map(task: Callable[[NamedRun], Any], runs: Sequence[NamedRun], executor: Executor | None) -> Iterator[Any]:
    """Results in the order of the runs; the first error of that order is raised, whichever came first in time."""
    if executor is not None:
        yield from executor.map(task, runs)
    elif len(runs) == 1:
        yield task(runs[0])
    else:
        with ThreadPoolExecutor(max_workers=cpus()) as own:
            try:
                yield from own.map(task, runs)
            except BaseException:
                own.shutdown(cancel_futures=True)
                raise


def _values(asked: Sequence[Measure], rankings: Rankings, policy: Policy) -> Floats:
    """Every measure of one run's lists, float64 [measures, topics]; NaN where skipped, or undefined and kept so."""
    out = np.stack([values(measure, rankings) for measure in asked])
    if policy.undefined == "declared":
        for row, measure in zip(out, asked, strict=True):
            row[np.isnan(row)] = measure.declaration.undefined
    if policy.missing == "skip":
        out[:, rankings.length == 0] = np.nan
    if policy.compat == "gdeval":
        out[:, rankings.pool.count(low=np.nextafter(0, 1)) == 0] = np.nan
    return out


def _summary_of(measure: Measure, block: Floats, qrels: Qrels, policy: Policy) -> Floats:
    quirk = measure.declaration.peer_summary
    value = quirk(qrels.pool, policy) if quirk is not None else None
    return summary(measure.declaration.summary, block) if value is None else np.full(len(block), value)


def _by_tag(given: Sequence[NamedRun], tags: Sequence[str]) -> tuple[NamedRun, ...]:
    """Runs named by their tags.

    Raises:
        InputError: a run without a tag, or two of one tag.
    """
    owner: dict[str, NamedRun] = {}
    for run, tag in zip(given, tags, strict=True):
        if not tag:
            raise InputError(f"{source_name(run)}: the run has no tag, which names=tag needs")
        if tag in owner:
            raise InputError(f"{source_name(run)}: the tag {quoted(tag)} is also that of {source_name(owner[tag])}")
        owner[tag] = run
    return tuple(NamedRun(tag, run.data) for tag, run in owner.items())


def _remarks_on_qrels(qrels: Qrels, asked: Sequence[Measure], policy: Policy) -> Iterator[Remark]:
    """Topics for which a measure has no value whatever is retrieved, mostly for want of relevant documents."""
    everything = Rankings.of_pool(qrels.pool, policy)
    where = shown(qrels.path or qrels.name, 4096)
    found: dict[str, NDArray[np.bool_]] = {}
    for measure in sorted(asked, key=lambda measure: measure.parameters.get("rel") is None):
        without = np.isnan(values(measure, everything))
        if measure.declaration.needs is not None:
            if without.any():
                yield Remark(where, _without(without, qrels, f"{measure.declaration.needs}: {measure} is nan there"))
            continue
        rel = measure.parameters.get("rel")
        what = "with a gain" if rel is None else f"of label {rel:g} or more"
        known = any(np.array_equal(without, earlier) for earlier in found.values())
        if without.any() and (what in found or not known):
            found[what] = without | found.get(what, False)
    fate = "give 0 there" if policy.undefined == "declared" and policy.compat != "gdeval" else "are nan there"
    for what, without in found.items():
        document = "a document" if without.all() else "any document"
        yield Remark(where, _without(without, qrels, f"{document} {what}: measures that need one {fate}"))


def _without(without: NDArray[np.bool_], qrels: Qrels, what: str) -> str:
    """``topic 7 without ...``, or ``no topic has ...``."""
    topics = listed([qrels.topics[topic] for topic in np.flatnonzero(without)])
    return f"no topic has {what}" if without.all() else f"{topics} without {what}"


def _remarks_on_run(run: NamedRun, qrels: Qrels, judged: JudgedRun) -> Iterator[Remark]:
    yield from remarks(judged.facts, source_name(run), "run")
    absent = np.flatnonzero(judged.rankings.length == 0)
    if len(absent):
        fate = "counted as empty rankings" if judged.rankings.policy.missing == "empty" else "left out of its means"
        yield Remark(
            source_name(run), f"judged {listed([qrels.topics[topic] for topic in absent])} missing from the run, {fate}"
        )

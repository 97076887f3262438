"""Runs seen through qrels: both entrances to Rankings, straight from file bytes and from a Run.

The documents of several runs can also be united, as judgments without meaning over which lists are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import engine
from cranfield._message import setting
from cranfield._text import cut, quoted, shown
from cranfield._typing import NDArray
from cranfield.collection.ids import TextColumn
from cranfield.collection.input_formats import AUTO, InputFormat
from cranfield.collection.policy import Policy
from cranfield.collection.qrels import Qrels
from cranfield.collection.rankings import Rankings
from cranfield.collection.run import Run
from cranfield.errors import EngineError, InputError, TopicError
from cranfield.findings.location import Location
from cranfield.io.error_messages import ORDER
from cranfield.io.formats._detection import load
from cranfield.io.inputs import NamedRun
from cranfield.io.run_transforms import rewritten
from cranfield.io.source import internal_error, max_unpacked
from cranfield.io.topic_filter import without_expected
from cranfield.io.trec import load_run

if TYPE_CHECKING:
    from cranfield.engine.protocol import Facts, InputSource, Judged, JudgedFile


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One system's lists, and the facts that were noticed while they were read."""

    name: str
    tag: str
    rankings: Rankings
    facts: Facts
    sha256: str = ""
    """Hash of the file as it was read; empty for a run in memory, and without ``sign``."""


def build_index(qrels: Qrels) -> Any:
    """The engine's look-up tables for these qrels; build once, use for all runs."""
    return engine.current().index(list(qrels.topics), qrels.starts, qrels.documents.data, qrels.documents.offsets)


def judge_run(
    run: NamedRun,
    qrels: Qrels,
    index: Any,
    policy: Policy,
    input_format: InputFormat = AUTO,
    threads: int = 1,
    *,
    columns: Mapping[str, str] | None = None,
    sign: bool = False,
) -> JudgedRun:
    """One run seen through qrels; a pure function of its arguments, safe to call from many threads.

    Raises:
        InputError: the run cannot be read, or does not fit the policy.
        TopicError: run and qrels share no topic, or a judged topic is missing where the policy refuses that.
    """
    if not isinstance(run.data, str):
        return judge_loaded(run, run.data, {}, qrels, index, [policy])[0]
    options: Any = {
        "input_format": input_format,
        "columns": columns,
        "name": run.name,
        "on_duplicate": policy.on_duplicate,
    }
    if policy.rewrites or qrels.excluded:
        data, facts = load_run(run.data, **options)
        return judge_loaded(run, data, facts, qrels, index, [policy])[0]

    def judge(source: InputSource, layout: str) -> JudgedFile:
        settings = index, policy.ties, policy.on_duplicate, threads, sign
        return engine.current().judge_file(source, layout, max_unpacked(), *settings)

    result = load(run.data, "run", judge, **options)
    if isinstance(result, tuple):
        data, facts = result
        return judge_loaded(run, data, facts, qrels, index, [policy])[0]
    return seen_through(run, qrels, result, result["facts"]["tag"], policy, result["sha256"])


def judge_loaded(
    run: NamedRun, data: Run, facts: Facts, qrels: Qrels, index: Any, policies: Sequence[Policy]
) -> list[JudgedRun]:
    """A run in memory seen through qrels under each of several policies that differ in ties alone.

    Each document is looked up once, which is most of the work.

    Args:
        run: its name, and where it is from.
        data: the run.
        facts: noticed while its file was read.
        qrels: the judgments.
        index: the engine's tables of them.
        policies: one or several.

    Raises:
        InputError, TopicError: see ``judge_run``.
    """
    if policies[0].rewrites or qrels.excluded:
        data = rewritten(data, policies[0], qrels.excluded)
    ids, ties = data.documents, [policy.ties for policy in policies]
    columns = list(data.topics), data.starts, ids.data, ids.offsets, data.score, data.rank
    try:
        results = engine.current().judge_run(*columns, index, ties, policies[0].on_duplicate)
    except EngineError as error:
        raise _explain_refusal(error, locate_run(run)) from (error if error.code == "panic" else None)
    sha256 = data.sha256 if isinstance(run.data, str) else ""
    seen = []
    for judged, policy in zip(results, policies, strict=True):
        if facts:
            judged["facts"] = {**facts, "noticed": {**facts.get("noticed", {}), **judged["facts"].get("noticed", {})}}
            if policy.ties == "docid":
                judged["facts"]["noticed"].pop("tool-ties", None)
        seen.append(seen_through(run, qrels, judged, data.tag, policy, sha256))
    return seen


def seen_through(run: NamedRun, qrels: Qrels, judged: Judged, tag: str, policy: Policy, sha256: str = "") -> JudgedRun:
    """A run with its lists, from what an engine looked up in these qrels.

    Raises:
        TopicError: see ``judge_run``.
    """
    if not judged["length"].all() or not qrels.topics:
        _check_topics(run, qrels, judged, policy)
    facts = without_expected(judged["facts"], qrels.elsewhere) if qrels.elsewhere else judged["facts"]
    rankings = Rankings(
        systems=(run.name,),
        pool=qrels.pool,
        length=judged["length"],
        starts=judged["starts"],
        rank=judged["rank"],
        document=judged["document"],
        grade=qrels.grade[judged["document"]],
        policy=policy,
        first=judged["first"] if policy.weighs_ties else None,
        last=judged["last"] if policy.weighs_ties else None,
    )
    return JudgedRun(run.name, tag, rankings, facts, sha256)


def _explain_refusal(error: EngineError, location: Location) -> InputError:
    """The error that names the rows of a run which do not fit the policy."""
    if error.code == "duplicate":
        text = (
            f"document {quoted(error.more)} occurs twice in topic {quoted(error.value)}; "
            f"{setting('on_duplicate', 'first')} keeps one"
        )
        return InputError(text, location, code=error.code, value=cut(error.more))
    if error.code == "equal-ranks":
        text = (
            f"rank {error.value} occurs twice in its topic, and the ranks decide the order ({setting('ties', 'rank')})"
        )
        return InputError(text, location, code=error.code, value=error.value)
    if error.code == "panic":
        return internal_error(f"the engine failed: {error.more}", location, error)
    return InputError(
        f"the run has no whole-number ranks, which {setting('ties', 'rank')} needs", location, code=error.code
    )


def locate_run(run: NamedRun) -> Location:
    """The location of a run in messages."""
    return Location(run.data) if isinstance(run.data, str) else Location(name=f"run {quoted(run.name)}")


def _check_topics(run: NamedRun, qrels: Qrels, judged: Judged, policy: Policy) -> None:
    absent = np.flatnonzero(judged["length"] == 0)
    if len(absent) == len(qrels.topics):
        raise TopicError(
            _nothing_shared(run, qrels, judged["facts"]),
            locate_run(run),
            code="no-shared-topic",
            value=next(iter(_list_unjudged_topics(judged["facts"])), ""),
        )
    if len(absent) and policy.missing == "error":
        names = ", ".join(shown(qrels.topics[number]) for number in absent[:5])
        text = (
            f"{len(absent):,} of {len(qrels.topics):,} judged topics are missing: "
            f"{names}{', ...' if len(absent) > 5 else ''} ({setting('missing=error')})"
        )
        raise TopicError(text, locate_run(run), code="missing-topics", value=qrels.topics[absent[0]])


def _list_unjudged_topics(facts: Facts) -> list[str]:
    """The first topics that the qrels do not hold."""
    return facts["noticed"]["extra-topics"]["names"] if "extra-topics" in facts.get("noticed", {}) else []


def _nothing_shared(run: NamedRun, qrels: Qrels, facts: Facts) -> str:
    run_topics = _list_unjudged_topics(facts)
    judged_topics = list(qrels.topics[:3])
    text = (
        f"run and qrels share no topic; the run has "
        f"{', '.join(quoted(topic) for topic in run_topics[:3])}, the qrels have "
        f"{', '.join(quoted(topic) for topic in judged_topics)}"
    )

    def plain(topic: str) -> str:
        return topic.lstrip("0") or "0"

    if {plain(topic) for topic in run_topics} & {plain(topic) for topic in qrels.topics}:
        text += "; ids are compared as text: remove the zeros in front, or add them"
    elif {topic.rpartition("-")[2] for topic in run_topics} & set(qrels.topics):
        text += "; remove the prefix of the run's topics"
    elif run.name in qrels.topics or not set(run_topics).isdisjoint(qrels.iterations):
        text += f"; are runs and qrels exchanged? {ORDER}"
    return text


RowNumbers = NDArray[np.int32]


def united(runs: Sequence[Run], first: Iterable[str] = ()) -> tuple[Qrels, list[RowNumbers]]:
    """All documents of all runs, and the index of every row of every run among them.

    Topics are in the order of ``first``, those that it lacks by first appearance.
    """
    retrieved = dict.fromkeys(topic for run in runs for topic in run.topics)
    topics = list(dict.fromkeys([*(topic for topic in first if topic in retrieved), *retrieved]))
    number = {topic: index for index, topic in enumerate(topics)}
    columns = [
        (
            run.documents.data,
            run.documents.offsets,
            np.asarray(run.starts, dtype=np.int64),
            np.array([number[topic] for topic in run.topics], dtype=np.int64),
        )
        for run in runs
    ]
    union = engine.current().unite_documents(columns, len(topics))
    size = int(union["starts"][-1])
    nothing = np.zeros(size)
    judgments = np.arange(size), np.zeros(size, dtype=np.int64), nothing.copy()
    ids = TextColumn(union["data"], union["offsets"])
    return Qrels(topics, union["starts"], ids, nothing, judgments, ["0"], name="documents"), union["rows"]

"""Topics that systems answer and that they leave unanswered, of those that the documents answer and of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Unpack

import numpy as np

from cranfield._text import counted, cut, percent, quoted, shown, warn
from cranfield._typing import Floats, Mask
from cranfield._validation import list_names
from cranfield.collection.qrels import Qrels
from cranfield.collection.reading import InputOptions, LevelOptions
from cranfield.collection.run import Run
from cranfield.declarations.analysis import FromRuns, View, analysis
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import LevelOption
from cranfield.errors import InputError
from cranfield.io.inputs import QrelsLike, RunsLike, convert_qrels
from cranfield.io.loading import loaded_runs
from cranfield.results.columns import Column
from cranfield.results.frames import tidy, unrolled
from cranfield.results.result import Tables, signed
from cranfield.results.with_scores import ResultWithScores
from cranfield.scores.measure_scores import Scores
from cranfield.scores.signature import fingerprint
from cranfield.scores.topic_table import TopicTable
from cranfield.scoring import Progress
from cranfield.statistics.intervals import exact_interval

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

CREDIT = "credit"
"""Name of the scores: 1 where a topic is rightly answered or rightly left unanswered."""


@dataclass(frozen=True, eq=False, repr=False)
class Answering(ResultWithScores):
    """Shares of the topics that systems answer, of those that the documents answer and of the others.

    Args:
        systems: a row for each ``system`` and kind of topic, in the order of the runs: ``answerable``,
            ``unanswerable``, and ``either``.
        scores: credit of each system on each topic: 1 where it answers an answerable topic or leaves an unanswerable
            one unanswered, else 0; dims (``topic``, ``system``), as any analysis of scores takes them.
        not_judged: topics of runs that are not judged, and count nowhere.
        settings: of the analysis.
        signature: all that changes these numbers.
    """

    absent = "none"
    table_columns: ClassVar[Mapping[str, Sequence[Column]]] = {
        "systems": (
            Column("system"),
            Column("documents_say", "whether the topics are answerable, unanswerable, or either"),
            Column("topics", integer=True),
            Column(
                "answered", "those for which the run has documents, and no mark that it does not answer", integer=True
            ),
            Column("unanswered", integer=True),
            Column("right", "share of them that is rightly answered, or rightly left unanswered"),
            Column("low", "exact interval of it (Clopper and Pearson)"),
            Column("high"),
        ),
        "scores": (Column("topic"), Column("system"), Column("score", "1 where that was right, else 0")),
    }
    systems: pd.DataFrame
    scores: xr.DataArray
    not_judged: int
    settings: dict[str, Any]
    signature: dict[str, Any]

    def _tables(self) -> Tables:
        return {"systems": lambda: tidy(self.systems), "scores": partial(unrolled, self.scores, "score")}

    def answer(self, table: str) -> str:
        """Name the system that is right most often, and say how often answering everything would be."""
        rows = self.systems.to_dict("records")
        best = max((row for row in rows if row["documents_say"] == "either"), key=lambda row: row["right"])
        own = {row["documents_say"]: row for row in rows if row["system"] == best["system"]}
        answerable, others, topics = own["answerable"], own["unanswerable"], int(best["topics"])
        return (
            f"{shown(str(best['system']))} is right on {percent(best['right'])} of {counted(topics, 'topic')}: it "
            f"answers {answerable['answered']:,} of {answerable['topics']:,} answerable and leaves "
            f"{others['unanswered']:,} of {others['topics']:,} unanswerable ones unanswered; answering everything is "
            f"right on {percent(answerable['topics'] / topics)}."
        )

    def caption(self, table: str) -> str:
        """Say when a topic is answerable, and when it is answered."""
        marks = self.settings["no_answer"]
        words = f", or has {' or '.join(map(shown, marks))} there" if marks else ""
        text = (
            f"answerable: a document has a label of {self.settings['rel']:g} or more; unanswered: the run has no "
            f"document of the topic{words}; exact intervals {self.settings['level']:g}, for topics like these"
        )
        if self.not_judged:
            text += f"; {counted(self.not_judged, 'topic')} of runs without judgments left out"
        return text


@analysis(
    "difficulty answered",
    "Count what is answered, of topics with an answer and of others.",
    FromRuns(
        measures="none",
        policies=("on_duplicate",),
        rel="Smallest label of a document that answers its topic.  [default: 1]",
    ),
    views=(
        View("systems", "answered and unanswered, of answerable topics and of the others."),
        View("scores", "credit on each topic, as rows for --scores of other commands.", unused=("level",)),
    ),
    words=("unanswerable", "refusal"),
    examples=("qrels.txt runs/*.run", "qrels.txt runs/*.run --no-answer NONE"),
    guide="Count the topics that systems answer and leave unanswered, of those that the documents answer and of the "
    "others.\n\nA topic is unanswerable where it is judged and no document has a label of --rel or more: a line `topic "
    "0 none 0` in QRELS says so of a topic without any. A run leaves a topic unanswered where it has no line of it, or "
    "one with the id that --no-answer names. Of nuggets, write a line `topic 0 nuggets 1` for a topic that has "
    "any, and with 0 for one without.",
)
def count_answers(
    runs: RunsLike,
    qrels: QrelsLike,
    *,
    no_answer: Annotated[
        str | Sequence[str],
        Option("An id that a run has where it does not answer, whatever else it has there.", metavar="ID"),
    ] = (),
    level: LevelOption = 0.95,
    reading: InputOptions | None = None,
    progress: Progress | None = None,
    **options: Unpack[LevelOptions],
) -> Answering:
    """Count the topics that systems answer, of those that the documents answer and of the others.

    A judged topic is answerable if a document has a label of ``rel`` or more. A system is right to answer it, and right
    to leave any other judged topic unanswered. Each topic is one decision, so that shares have the exact interval of a
    binomial one. Measures of ranking leave unanswerable topics out, whatever a system does there.

    Args:
        runs, qrels: as in ``evaluate``.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.
        progress: called after each run.

    Raises:
        InputError: a file is refused, or no topic of any run is judged.
        UsageError: a level outside its range, or a word that contradicts the object given.

    Reference:
        Clopper & Pearson 1934, The use of confidence or fiducial limits illustrated in the case of the binomial.
        doi:10.1093/biomet/26.4.404

    >>> runs = {"bold": {"1": {"a": 2.0}, "2": {"b": 1.0}}, "shy": {"1": {"a": 2.0}}}
    >>> found = count_answers(runs, {"1": {"a": 1}, "2": {"b": 0}})
    >>> found.systems[["system", "documents_say", "answered", "unanswered", "right"]].values.tolist()[3:]
    [['shy', 'answerable', 1, 0, 1.0], ['shy', 'unanswerable', 0, 1, 1.0], ['shy', 'either', 1, 1, 1.0]]
    """
    import pandas as pd

    options_read = InputOptions.of(reading, options, LevelOptions)
    judgments = convert_qrels(qrels, **options_read.judgment_options)
    loaded = loaded_runs(runs, options_read, progress, "counting answers")
    marks = list(list_names(no_answer=no_answer))
    answerable = _find_answerable(judgments, options_read.level)
    listed = [_find_answered(run, marks) for _, run in loaded]
    others = {topic for _, run in loaded for topic in run.topics} - set(judgments.topics)
    _check_topics(judgments, [run for _, run in loaded], answerable, marks)
    answered = np.array([[topic in own for topic in judgments.topics] for own in listed], dtype=bool)
    rows = [
        {"system": name, **row}
        for (name, _), own in zip(loaded, answered, strict=True)
        for row in _count(own, answerable, level)
    ]
    settings = record_options(count_answers, locals(), no_answer=marks, rel=float(options_read.level))
    described = [{"name": name, "sha256": run.sha256 or run.digest} for name, run in loaded]
    inputs = {"qrels": {"name": judgments.name, "sha256": fingerprint(judgments)}, "runs": described}
    signature = signed("answering", settings, **inputs, **options_read.policy.rewriting)
    credit: Floats = (answered == answerable).T.astype(np.float64)
    names = tuple(name for name, _ in loaded)
    scores = Scores(CREDIT, names, TopicTable(judgments.topics, credit), True, signature)
    return Answering(pd.DataFrame(rows), scores.labelled(), len(others), settings, signature)


def _find_answerable(judgments: Qrels, rel: float) -> Mask:
    """Find whether any document of each topic answers it, bool [topics]."""
    topic = np.repeat(np.arange(len(judgments.topics)), np.diff(judgments.starts))
    answerable: Mask = np.bincount(topic, judgments.grade >= rel, len(judgments.topics)) > 0
    return answerable


def _find_answered(run: Run, marks: Sequence[str]) -> set[str]:
    """Find the topics of which a run has documents, and no mark of a missing answer among them."""
    ids, bounds, marked = run.documents.tolist(), run.starts.tolist(), set(marks)
    return {
        topic
        for number, topic in enumerate(run.topics)
        if bounds[number] < bounds[number + 1] and marked.isdisjoint(ids[bounds[number] : bounds[number + 1]])
    }


def _check_topics(judgments: Qrels, runs: Sequence[Run], answerable: Mask, marks: Sequence[str]) -> None:
    """Warn of what says little.

    Raises:
        InputError: no topic of any run is judged.
    """
    judged = set(judgments.topics)
    if not any(judged & set(run.topics) for run in runs):
        topic = runs[0].topics[0] if runs[0].topics else ""
        text = f"no topic of the runs is judged, of which the first is {quoted(topic)}: are these their judgments?"
        raise InputError(text, judgments.location, code="no-shared-topic", value=cut(topic))
    if answerable.all():
        warn(
            f"{judgments.name}: every topic is answerable, so that nothing can be left unanswered rightly; a line "
            "`topic 0 none 0` adds a topic that no document answers"
        )
    given = {document for run in runs for document in run.documents.tolist()} if marks else set()
    missing = [mark for mark in marks if mark not in given]
    if missing:
        warn(f"no run has the id {' or '.join(map(quoted, missing))}, which was to mark topics without an answer")


def _count(answered: Mask, answerable: Mask, level: float) -> list[dict[str, Any]]:
    """Count a system's answers, by kind of topic."""
    rows = []
    kinds = {"answerable": answerable, "unanswerable": ~answerable, "either": np.ones_like(answerable)}
    for kind, chosen in kinds.items():
        topics, right = int(chosen.sum()), int((answered == answerable)[chosen].sum())
        counts = {"topics": topics, "answered": int(answered[chosen].sum())}
        low, high = exact_interval(right, topics, level)
        shares = {"right": right / topics if topics else float("nan"), "low": low, "high": high}
        rows.append({"documents_say": kind, **counts, "unanswered": topics - counts["answered"], **shares})
    return rows

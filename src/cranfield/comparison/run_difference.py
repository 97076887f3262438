"""The changes between two runs: ``diff`` and its result."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np

from cranfield._text import listed as listed_names
from cranfield._text import quoted, warn
from cranfield._typing import Mask
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.collection.topics import select_texts
from cranfield.comparison.document_changes import Changes, PairedLists, open_ends
from cranfield.comparison.run_difference_text import DETAILS, write_caption, write_table
from cranfield.declarations.analysis import FromRoles, Role, View, analysis
from cranfield.declarations.checks import GIVEN, Idle
from cranfield.declarations.option import Option
from cranfield.declarations.shared import TopicTextsOption
from cranfield.errors import UsageError
from cranfield.io.inputs import QrelsLike, RunLike
from cranfield.io.topic_files import TopicsLike, read_topics
from cranfield.measures import MeasureLike
from cranfield.results.result import Result, signed

if TYPE_CHECKING:
    import pandas as pd

DEPTH = 100
"""Unjudged documents that are below this rank in both lists are not listed, where the measure has no cutoff."""


@dataclass(frozen=True, eq=False, repr=False)
class RunDifference(Result):
    """The changes from an old run to a new one, topic by topic and document by document.

    Args:
        topics: a row for each ``topic`` on which anything changed, the largest loss first, the largest gain last: its
            ``query`` where texts of topics were given; the values ``old`` and ``new``, and ``difference`` = new - old;
            how many documents ``came``, ``went`` and ``moved``; how many that came are ``unjudged``, and between
            ``low`` and ``high`` lies ``new`` if those were judged (NaN where the measure has no such interval).
        documents: a row for each ``document`` of a ``topic`` that came, went or moved, those of the largest share
            first: its ``change``, also ``stayed`` where the share of a document at its old rank has changed; its
            ``label``, NaN where it is not judged; ``rank_old`` and ``rank_new``, 0 where it is not retrieved; its
            ``share`` of the difference. Where shares are not ``exact``, also ``new_without``, the value of the new list
            without this change, and ``old_with``, that of the old list with it alone.
        measure: what the values are.
        old: name of the old run.
        new: name of the new run.
        mean_old: summary of the old run over topics.
        mean_new: that of the new run.
        worse: topics on which the new run is worse.
        better: topics on which it is better.
        exact: whether the shares of a topic add up to its difference, as the measure is a sum over documents. Where
            they need not, a share is the mean of new - new_without and old_with - old.
        unbounded: why there are no ``low`` and ``high``; empty where there are.
        settings: ``depth``, and the ``topic`` that was asked for.
        signature: all that changes these numbers.
    """

    topics: pd.DataFrame
    documents: pd.DataFrame
    measure: str
    old: str
    new: str
    mean_old: float
    mean_new: float
    worse: int
    better: int
    exact: bool
    unbounded: str
    settings: dict[str, Any]
    signature: dict[str, Any]

    def caption(self, table: str) -> str:
        """The means of both runs, and what the numbers rest on."""
        return "\n".join(write_caption(self, documents=table == "documents"))

    def own_text(
        self,
        format: str,
        table: str,
        *,
        plain: bool,
        details: Annotated[
            int,
            Option(
                "In a table, show documents of the N topics that lose most and the N that gain most.",
                low=0,
                metavar="N",
                below=True,
            ),
        ] = DETAILS,
    ) -> str | None:
        """Write topics by loss and gain, then the documents of those that lose and gain most, or of the only one."""
        return write_table(self, 0 if table == "topics" else details, plain=plain) if format == "table" else None


@analysis(
    "diff",
    "Show what changed between two runs, by topic and document.",
    FromRoles((Role("old", "OLD_RUN"), Role("new", "NEW_RUN")), ("nDCG@10",), "one"),
    views=(
        View("documents"),
        View("topics", "Print topics without documents, in any format.", ("--summary",), unused=("depth", "details")),
    ),
    idle=(Idle(("details",), {"topic": GIVEN}, "with {topic}, which shows all documents of that topic"),),
    guide=(
        "Show what changed from an old run to a new one: topics by loss and gain, and documents that came, went and "
        "moved.\n\nEach document has its share of the difference. Shares add up to the difference of the topic where "
        "the measure is a sum over documents, as nDCG, DCG, RBP, P and R are; the caption says where they need not. "
        "tsv, csv and json have a row for each document, with --summary for each topic."
    ),
    examples=("qrels.txt old.run new.run", "qrels.txt old.run new.run --topic 31"),
)
def diff(
    old: RunLike,
    new: RunLike,
    qrels: QrelsLike,
    measure: MeasureLike = "nDCG@10",
    *,
    topic: Annotated[
        str | None, Option("Show this topic alone, with all its documents.", metavar="ID", default="all topics")
    ] = None,
    topics: TopicTextsOption = None,
    depth: Annotated[
        int | None,
        Option(
            "Leave out unjudged documents below this rank in both runs.", low=1, default="the measure's cutoff, or 100"
        ),
    ] = None,
    reading: InputOptions | None = None,
    **kwargs: Unpack[ReadingOptions],
) -> RunDifference:
    """Compare two runs: which documents came, went and moved, and what each is worth to a measure.

    With a cutoff k a document comes when it enters the first k ranks, and goes when it leaves them. Of measures that
    are sums over documents (nDCG, DCG, RBP, P, R, ...), a document's share is what it adds to the new list less what it
    added to the old one, and the shares of a topic add up to the difference. Of others (AP, RR, ERR, ...), it is what
    undoing its change alone costs the new list and what making it alone adds to the old one, on average; the other
    documents close up, or make room. These shares need not add up.

    Args:
        old: a path, a Run, topic -> document -> score, or a data frame.
        new: the same.
        qrels: as in ``evaluate``.
        measure: one.
        reading: how files and runs are read, as one object; or word by word, as ``ties="docid"``: see ``InputOptions``.

    Returns:
        Tables of topics and documents. Topics and documents on which nothing changed are not in them.

    Raises:
        InputError: a file is refused, or runs and qrels do not fit together.
        UsageError: several measures, a topic that is not judged, or an unknown word.

    >>> import cranfield
    >>> old = {"q1": {"d1": 3.0, "d2": 2.0}, "q2": {"d3": 2.0, "d4": 1.0}}
    >>> new = {"q1": {"d2": 3.0, "d1": 2.0}, "q2": {"d3": 2.0, "d4": 1.0}}
    >>> result = cranfield.diff(old, new, {"q1": {"d1": 1}, "q2": {"d4": 1}}, "RR")
    >>> result.to_frame()
      topic  old  new  difference  came  went  moved  unjudged  low  high
    0    q1  1.0  0.5        -0.5     0     0      2         0  0.5   0.5
    """
    pair = PairedLists.read(old, new, qrels, measure, InputOptions.of(reading, kwargs))
    chosen = _chosen(pair.scores.topics, topic)
    parsed = pair.scores.measures[0]
    changes = Changes.from_lists(pair, parsed)
    settings: dict[str, Any] = {"depth": depth or parsed.parameters.get("cutoff") or DEPTH, "topic": topic}
    listed = changes.listed(settings["depth"]) & chosen[pair.topic]
    ends, unbounded = open_ends(pair, parsed, changes.unjudged_arrivals)
    rows = changes.topics(chosen, ends)
    if topics is not None:
        rows.insert(1, "query", _queries(rows["topic"].tolist(), pair.scores.topics, topics))
    gain = changes.gain[chosen]
    return RunDifference(
        rows,
        changes.documents(np.flatnonzero(listed), rows["topic"].tolist()),
        measure=str(parsed),
        old=pair.names[0],
        new=pair.names[1],
        mean_old=float(pair.scores.summaries[0, 0]),
        mean_new=float(pair.scores.summaries[0, 1]),
        worse=int((gain < 0).sum()),
        better=int((gain > 0).sum()),
        exact=changes.exact,
        unbounded=unbounded,
        settings=settings,
        signature=pair.scores.signature() | signed("diff", settings),
    )


def _chosen(topics: Sequence[str], topic: str | None) -> Mask:
    """The topics that are looked at, bool [topics].

    Raises:
        UsageError: it is none of the judged ones.
    """
    if topic is None:
        return np.ones(len(topics), dtype=bool)
    if topic not in topics:
        close = difflib.get_close_matches(topic, topics, 1)
        hint = f"; did you mean {quoted(close[0])}?" if close else f"; there are {listed_names(topics, 'topic')}"
        raise UsageError(f"no judged topic is called {quoted(topic)}{hint}")
    return np.array([name == topic for name in topics])


def _queries(shown: Sequence[str], judged: Sequence[str], topics: TopicsLike) -> list[str]:
    """What each topic asks; nothing where the texts do not say."""
    texts = select_texts(read_topics(topics), judged)
    if not texts:
        warn("none of the judged topics has a text: are these the topics of another collection?")
    return [texts[topic].query if topic in texts else "" for topic in shown]

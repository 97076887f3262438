"""The changes between two runs: ``diff`` and its result."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import numpy as np

from cranfield import escaping
from cranfield._text import counted, in_full, numeral, quoted, shown, warn
from cranfield._text import listed as listed_names
from cranfield._typing import Mask
from cranfield.collection.reading import InputOptions, ReadingOptions
from cranfield.collection.topics import select_texts
from cranfield.comparison.document_changes import Changes, PairedLists, open_ends
from cranfield.declarations.analysis import FromRoles, Role, View, analysis
from cranfield.declarations.checks import GIVEN, Idle
from cranfield.declarations.option import Option
from cranfield.declarations.settings import record_options
from cranfield.declarations.shared import DocumentTextsOption, TopicTextsOption
from cranfield.errors import UsageError
from cranfield.io.document_texts import read_document_texts
from cranfield.io.inputs import QrelsLike, RunLike
from cranfield.io.topic_files import TopicsLike, read_topics
from cranfield.measures import MeasureLike, parse_measure
from cranfield.results import table_text
from cranfield.results.result import Result, signed
from cranfield.results.table_text import Grid, wrapped
from cranfield.scores.premises import describe_premises

if TYPE_CHECKING:
    import pandas as pd

DEPTH = 100
"""Unjudged documents that are below this rank in both lists are not listed, where the measure has no cutoff."""
DETAILS = 3
"""The number of topics that lose most, and of those that gain most, whose documents a table shows."""
MOST = 10
"""The most documents shown of a topic, where several topics are shown."""
QUERY = 60
"""The most characters shown of a query."""
TEXT = 80
"""The most characters shown of a document's text."""


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
            without this change, and ``old_with``, that of the old list with it alone; its ``text`` where texts of
            documents were given.
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
        settings: the options.
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
        return "\n".join(_write_caption(self, documents=table == "documents"))

    def own_text(
        self,
        format: str,
        table: str,
        *,
        plain: bool,
        details: Annotated[
            int,
            Option(
                "In a table or markdown, show documents of the N topics that lose most and the N that gain most.",
                low=0,
                metavar="N",
                below=("table", "markdown"),
            ),
        ] = DETAILS,
    ) -> str | None:
        """Write topics by loss and gain, then the documents of those that lose and gain most, or of the only one."""
        details = 0 if table == "topics" else details
        if format == "markdown":
            return _write_markdown(self, details)
        return _write_table(self, details, plain=plain) if format == "table" else None


@analysis(
    "diff",
    "Show what changed between two runs, by topic and document.",
    FromRoles((Role("old", "OLD_RUN"), Role("new", "NEW_RUN")), ("nDCG@10",), "one"),
    views=(
        View("documents"),
        View(
            "topics",
            "Print topics without documents, in any format.",
            ("--by-topic", "-q"),
            unused=("depth", "details", "document_texts"),
        ),
    ),
    idle=(Idle(("details",), {"topic": GIVEN}, "with {topic}, which shows all documents of that topic"),),
    guide=(
        "Show what changed from an old run to a new one: topics by loss and gain, and documents that came, went and "
        "moved.\n\nEach document has its share of the difference. Shares add up to the difference of the topic where "
        "the measure is a sum over documents, as nDCG, DCG, RBP, P and R are; the caption says where they need not. "
        "tsv, csv and json have a row for each document, with --by-topic for each topic."
    ),
    formats=("markdown",),
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
    document_texts: DocumentTextsOption = None,
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
    are sums over documents (nDCG, DCG, RBP, P, R, ...), a document's share is what it adds to the new list minus what
    it added to the old one, and the shares of a topic add up to the difference. Of others (AP, RR, ERR, ...), it is
    what undoing its change alone costs the new list and what making it alone adds to the old one, on average; the other
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
    settings = record_options(diff, locals(), depth=depth or parsed.parameters.get("cutoff") or DEPTH)
    listed = changes.listed(settings["depth"]) & chosen[pair.topic]
    ends, unbounded = open_ends(pair, parsed, changes.unjudged_arrivals)
    rows = changes.topics(chosen, ends)
    if topics is not None:
        rows.insert(1, "query", _queries(rows["topic"].tolist(), pair.scores.topics, topics))
    documents = changes.documents(np.flatnonzero(listed), rows["topic"].tolist())
    if document_texts is not None:
        texts = read_document_texts(document_texts, set(documents["document"]))
        documents["text"] = [texts.get(document, "") for document in documents["document"]]
    gain = changes.gain[chosen]
    return RunDifference(
        rows,
        documents,
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


def _queries(listed: Sequence[str], judged: Sequence[str], topics: TopicsLike) -> list[str]:
    """Return the query of each topic; empty where the texts lack it."""
    texts = select_texts(read_topics(topics), judged)
    if not texts:
        warn("none of the judged topics has a text: are these the topics of another collection?")
    return [texts[topic].query if topic in texts else "" for topic in listed]


def _write_table(difference: RunDifference, details: int, *, plain: bool) -> str:
    """Format topics by loss and gain, then the documents of those that lose and gain most, or of the only one.

    Args:
        difference: what changed.
        details: the number of topics that lose most, and of those that gain most, whose documents are shown.
        plain: for a file, without colours and without a width.
    """
    if not len(difference.topics):
        where = "" if difference.settings["topic"] is None else f" of topic {shown(difference.settings['topic'])}"
        return f"no document{where} came, went or moved: {_describe_runs(difference)}\n"
    alone = difference.settings["topic"] is not None
    parts = [_tabulate_topics(difference).page("", plain=plain)]
    numbers = _choose_topics(difference, details)
    parts += [_tabulate_documents(difference, number, plain=plain, most=None if alone else MOST) for number in numbers]
    premises = (premise.text for premise in describe_premises(difference.signature))
    lines = [*_write_caption(difference, documents=bool(numbers)), *premises]
    caption = wrapped("\n".join(lines), None if plain else table_text.columns())
    return "\n".join([*parts, caption]) + "\n"


def _write_markdown(difference: RunDifference, details: int) -> str:
    """Write what ``_write_table`` does for a comment on a change: the answer first, a heading for each topic."""
    alone = difference.settings["topic"] is not None
    numbers = _choose_topics(difference, details)
    answer, *remarks = _write_caption(difference, documents=bool(numbers))
    remarks += [premise.text for premise in describe_premises(difference.signature)]
    parts = [escaping.markdown(answer, 4096)]
    parts.append(
        _tabulate_topics(difference).markdown() if len(difference.topics) else "No document came, went or moved."
    )
    for number in numbers:
        heading, grid, more = _list_documents(difference, number, most=None if alone else MOST)
        parts += [f"### {escaping.markdown(heading, 4096)}", grid.markdown(), escaping.markdown(more, 4096)]
    parts += [escaping.markdown(line, 4096) for line in remarks]
    return "\n\n".join(filter(None, parts)) + "\n"


def _choose_topics(difference: RunDifference, details: int) -> list[int]:
    """Return the rows of topics whose documents are shown: the largest losses, then the largest gains."""
    count = len(difference.topics)
    if difference.settings["topic"] is not None:
        return list(range(count)) if details else []
    sign = 1 if parse_measure(difference.measure).declaration.larger_is_better else -1
    gain = [sign * value for value in difference.topics["difference"].tolist()]
    losses = [row for row in range(count) if gain[row] < 0][:details]
    gains = [row for row in reversed(range(count)) if gain[row] > 0][:details]
    return losses + gains


def _describe_runs(difference: RunDifference) -> str:
    return f"old {in_full(difference.old)}, new {in_full(difference.new)}"


def _tabulate_topics(difference: RunDifference) -> Grid:
    texts = ["query"] if "query" in difference.topics else []
    open_ = bool(difference.topics["unjudged"].any()) and not difference.unbounded
    head = [("topic", False), *((name, False) for name in texts)]
    head += [(name, True) for name in ("old", "new", "difference", "came", "went", "moved", "unjudged")]
    grid = Grid([*head, *([("new if judged", True)] if open_ else [])])
    for row in difference.topics.to_dict("records"):
        cells = [shown(row["topic"]), *(shown(row[name], QUERY) for name in texts)]
        cells += [f"{row['old']:.4f}", f"{row['new']:.4f}", f"{row['difference']:+.4f}"]
        cells += [f"{row[name]:,}" for name in ("came", "went", "moved", "unjudged")]
        ends = f"{row['low']:.4f} to {row['high']:.4f}" if row["unjudged"] else ""
        grid.add(*cells, *([ends] if open_ else []))
    return grid


def _tabulate_documents(difference: RunDifference, number: int, *, plain: bool, most: int | None) -> str:
    """Tabulate the documents of one topic below a heading."""
    heading, grid, more = _list_documents(difference, number, most=most)
    return f"{heading}\n{grid.page(more, plain=plain)}"


def _list_documents(difference: RunDifference, number: int, *, most: int | None) -> tuple[str, Grid, str]:
    """The heading of one topic, its documents, and what is left out."""
    topic = difference.topics.iloc[number]
    rows = difference.documents[difference.documents["topic"] == topic["topic"]]
    query = f" ({shown(topic['query'], QUERY)})" if topic.get("query") else ""
    heading = (
        f"topic {shown(topic['topic'])}{query}: {topic['old']:.4f} to {topic['new']:.4f}, {topic['difference']:+.4f}"
    )
    pairs = [] if difference.exact else ["new without", "old with"]
    grid = Grid(
        [("document", False), ("change", False)]
        + [(name, True) for name in ("label", "rank old", "rank new", "share", *pairs)]
        + [("text", False) for _ in ["text"] if "text" in rows]
    )
    for cells in _format_documents(rows.head(most) if most else rows, exact=difference.exact):
        grid.add(*cells)
    left = len(rows) - (most or len(rows))
    more = f"{counted(left, 'more document')}: --topic {shown(topic['topic'])} shows all" if left > 0 else ""
    return heading, grid, more


def _format_documents(rows: pd.DataFrame, *, exact: bool) -> Iterator[list[str]]:
    for row in rows.to_dict("records"):
        label = "unjudged" if math.isnan(row["label"]) else f"{row['label']:g}"
        ranks = [f"{row[name]:,}" if row[name] else "-" for name in ("rank_old", "rank_new")]
        values = [] if exact else [numeral(row[name], ".4f") for name in ("new_without", "old_with")]
        texts = [shown(row["text"], TEXT)] if "text" in row else []
        yield [in_full(row["document"]), row["change"], label, *ranks, f"{row['share']:+.4f}", *values, *texts]


def _write_caption(difference: RunDifference, *, documents: bool) -> list[str]:
    """Write the lines below the tables.

    Args:
        difference: what changed.
        documents: whether documents are shown, of whose shares a line is.
    """
    settings: dict[str, Any] = difference.settings
    lines = [
        f"{difference.measure} over all topics, {_describe_runs(difference)}: {difference.mean_old:.4f} to "
        f"{difference.mean_new:.4f}, {difference.mean_new - difference.mean_old:+.4f}"
    ]
    if settings["topic"] is None:
        lines[0] += f"; {counted(difference.better, 'topic')} better, {difference.worse:,} worse"
    if documents and difference.exact:
        lines.append("shares of a topic's documents add up to its difference")
    elif documents:
        lines.append(
            f"{difference.measure} is not a sum over documents, so shares need not add up to the difference: each is "
            "the mean of what the new list loses without this change alone (new - new without) and of what the old "
            "list gains with it alone (old with - old)"
        )
    if difference.topics["unjudged"].any():
        lines.append(
            f"new if judged is not shown: {difference.unbounded}"
            if difference.unbounded
            else "unjudged: documents that came without a judgment; new if judged: the range of new over all labels "
            "that they could have"
        )
    return lines
